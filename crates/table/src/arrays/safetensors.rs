//! The safetensors format: eight bytes with the length of a JSON header, the header, the data.

use super::header::{Body, Header};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes the arrays, their data in the order given: the widest entries first, so that all of them are aligned.
pub fn write<E: From<io::Error>>(
    out: &mut dyn Write,
    arrays: &[Header<'_>],
    metadata: &[(&str, String)],
    body: Body<'_, E>,
) -> Result<(), E> {
    let mut header = Map::new();
    if !metadata.is_empty() {
        let texts = metadata.iter().map(|(name, text)| ((*name).to_owned(), Value::from(text.as_str())));
        header.insert("__metadata__".to_owned(), Value::Object(texts.collect()));
    }
    let mut offset = 0;
    for array in arrays {
        let end = offset + array.bytes();
        let tensor = json!({ "dtype": array.dtype.safetensors(), "shape": array.shape, "data_offsets": [offset, end] });
        header.insert(array.name.to_owned(), tensor);
        offset = end;
    }
    let text = Value::Object(header).to_string();
    // Spaces, so that the data begin at a multiple of eight bytes.
    let length = text.len().next_multiple_of(8);
    out.write_all(&(length as u64).to_le_bytes())?;
    write!(out, "{text:<length$}")?;
    for index in 0..arrays.len() {
        body(index, out)?;
    }
    Ok(out.flush()?)
}
