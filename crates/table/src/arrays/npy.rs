//! The NumPy array format, version 1.0.

use super::header::{Body, Header};
use std::io::{self, Write};

/// The magic, the version and the description, padded to a multiple of 64 bytes.
pub fn header(out: &mut dyn Write, header: &Header<'_>) -> io::Result<()> {
    let dtype = header.dtype.npy();
    let dimensions: Vec<String> = header.shape.iter().map(usize::to_string).collect();
    // A tuple of one has a comma.
    let comma = if dimensions.len() == 1 { "," } else { "" };
    let shape = dimensions.join(", ");
    let text = format!("{{'descr': '<{dtype}', 'fortran_order': False, 'shape': ({shape}{comma}), }}");
    // Ten bytes stand before the text, and a newline ends it.
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(length as u16).to_le_bytes())?;
    writeln!(out, "{text:<width$}", width = length - 1)
}

/// Writes one array.
pub fn write<E: From<io::Error>>(out: &mut dyn Write, array: &Header<'_>, body: Body<'_, E>) -> Result<(), E> {
    header(out, array)?;
    body(0, out)?;
    Ok(out.flush()?)
}
