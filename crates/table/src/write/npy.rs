//! The NumPy array format, version 1.0.

use super::{Array, Element, Interrupted, Job};
use posproof_numerics::format::Format;
use std::io::{self, Write};

/// The type as NumPy describes it. bfloat16 is what the package ml_dtypes writes for it: two bytes
/// without a meaning, which `.view(ml_dtypes.bfloat16)` gives back.
fn descriptor(format: Format) -> &'static str {
    match format {
        Format::F16 => "<f2",
        Format::Bf16 => "<V2",
        Format::F32 => "<f4",
        Format::F64 => "<f8",
    }
}

/// The magic, the version and the description, padded to a multiple of 64 bytes.
pub fn header(out: &mut impl Write, format: Format, [rows, columns]: [usize; 2]) -> io::Result<()> {
    let descriptor = descriptor(format);
    let text = format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Ten bytes stand before the text, and a newline ends it.
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(length as u16).to_le_bytes())?;
    writeln!(out, "{text:<width$}", width = length - 1)
}

pub fn write<T: Element>(job: &mut Job<'_, T>, out: &mut impl Write) -> Result<Vec<Array>, Interrupted> {
    let mut arrays = Vec::new();
    for part in job.parts.clone() {
        header(out, T::FORMAT, job.shape(part))?;
        arrays.push(job.stream(part, out)?);
    }
    out.flush()?;
    Ok(arrays)
}
