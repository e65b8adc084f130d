//! Arrays on their way into a file, whatever its format, and files that appear [whole or not at all](atomic).

pub mod atomic;
mod npy;
mod npz;
mod safetensors;

use crate::Dtype;
use std::fs::File;
use std::io::{self, BufWriter, Write};

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

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// One NumPy array: the first.
    Npy,
    /// NumPy arrays in an uncompressed zip archive.
    Npz,
    /// Tensors of the safetensors format.
    Safetensors,
}

/// Writes arrays; `metadata`, names with their texts, is for the formats that have a place for it.
///
/// # Errors
///
/// Errors that the file system or `body` refuses with.
pub fn write<E: From<io::Error>>(
    container: Container,
    file: &mut File,
    arrays: &[Header<'_>],
    metadata: &[(&str, String)],
    body: Body<'_, E>,
) -> Result<(), E> {
    match (container, arrays) {
        (Container::Npy, [first, ..]) => npy::write(&mut BufWriter::new(file), first, body),
        (Container::Npy, []) => Ok(()),
        (Container::Npz, arrays) => npz::write(file, arrays, body),
        (Container::Safetensors, arrays) => safetensors::write(&mut BufWriter::new(file), arrays, metadata, body),
    }
}
