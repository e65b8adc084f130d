//! The safetensors format: eight bytes with the length of a JSON header, the header, the data.

use super::{Array, Element, Interrupted, Job, data_bytes};
use posproof_numerics::format::Format;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

fn dtype(format: Format) -> &'static str {
    match format {
        Format::F16 => "F16",
        Format::Bf16 => "BF16",
        Format::F32 => "F32",
        Format::F64 => "F64",
    }
}

pub fn write<T: Element>(job: &mut Job<'_, T>, out: &mut impl Write) -> Result<Vec<Array>, Interrupted> {
    let convention = serde_json::to_string(job.table.convention()).map_err(io::Error::from)?;
    let metadata = json!({ "posproof.convention": convention, "posproof.positions": job.table.positions().summary() });
    let mut header = Map::from_iter([("__metadata__".to_owned(), metadata)]);
    let mut offset = 0;
    for &part in &job.parts {
        let end = offset + data_bytes(job.table, part);
        let tensor = json!({ "dtype": dtype(T::FORMAT), "shape": job.shape(part), "data_offsets": [offset, end] });
        header.insert(part.name().to_owned(), tensor);
        offset = end;
    }
    let text = Value::Object(header).to_string();
    // Spaces, so that the data begin at a multiple of eight bytes.
    let length = text.len().next_multiple_of(8);
    out.write_all(&(length as u64).to_le_bytes())?;
    write!(out, "{text:<length$}")?;
    let mut arrays = Vec::new();
    for part in job.parts.clone() {
        arrays.push(job.stream(part, out)?);
    }
    out.flush()?;
    Ok(arrays)
}
