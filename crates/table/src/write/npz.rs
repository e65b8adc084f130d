//! NumPy arrays in a zip archive, stored without compression, as `numpy.savez` writes them.

use super::{Array, Element, Interrupted, Job, data_bytes, npy};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub fn write<T: Element>(job: &mut Job<'_, T>, file: &mut File) -> Result<Vec<Array>, Interrupted> {
    let mut archive = ZipWriter::new(BufWriter::new(file));
    let mut arrays = Vec::new();
    for part in job.parts.clone() {
        // The date of an entry is fixed, so that equal tables make equal files.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip::DateTime::default())
            .large_file(data_bytes(job.table, part) >= u64::from(u32::MAX) - 4096);
        archive.start_file(format!("{}.npy", part.name()), options).map_err(io::Error::from)?;
        npy::header(&mut archive, T::FORMAT, job.shape(part))?;
        arrays.push(job.stream(part, &mut archive)?);
    }
    archive.finish().map_err(io::Error::from)?.flush()?;
    Ok(arrays)
}
