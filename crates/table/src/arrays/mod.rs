//! Arrays on their way into a file, whatever its format, and files that appear [whole or not at all](atomic).

pub mod atomic;
mod header;
mod npy;
mod npz;
mod safetensors;

pub use header::{Body, Header};

use std::fs::File;
use std::io::{self, BufWriter};

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
