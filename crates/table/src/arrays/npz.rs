//! NumPy arrays in a zip archive, stored without compression, as `numpy.savez` writes them.

use super::header::{Body, Header};
use super::npy;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Writes the arrays, one member each.
pub fn write<E: From<io::Error>>(file: &mut File, arrays: &[Header<'_>], body: Body<'_, E>) -> Result<(), E> {
    let mut archive = ZipWriter::new(BufWriter::new(file));
    for (index, array) in arrays.iter().enumerate() {
        // The date of an entry is fixed, so that equal arrays make equal files.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip::DateTime::default())
            .large_file(array.bytes() >= u64::from(u32::MAX) - 4096);
        archive.start_file(format!("{}.npy", array.name), options).map_err(io::Error::from)?;
        npy::header(&mut archive, array)?;
        body(index, &mut archive)?;
    }
    Ok(archive.finish().map_err(io::Error::from)?.flush()?)
}
