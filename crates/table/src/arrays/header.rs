//! Arrays as files name them, and the writing of their entries.

use crate::Dtype;
use std::io::Write;

/// Text before an array's entries.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    /// The name of the array, for files that hold several.
    pub name: &'a str,
    /// Storage of the entries.
    pub dtype: Dtype,
    /// The dimensions.
    pub shape: Vec<usize>,
}

impl Header<'_> {
    /// Bytes of the entries; whoever writes them has them, or some of them, in memory.
    pub fn bytes(&self) -> u64 {
        self.shape.iter().map(|&n| n as u64).product::<u64>() * self.dtype.bytes() as u64
    }
}

/// Writes the entries of the array with this number, in little-endian bytes.
pub type Body<'a, E> = &'a mut dyn FnMut(usize, &mut dyn Write) -> Result<(), E>;
