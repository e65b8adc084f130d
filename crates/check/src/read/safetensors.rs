//! The `.safetensors` format: a JSON header of names, dtypes, shapes and offsets, then the entries.

use super::{About, Array, InvalidInput, Kind, choose};
use posproof_numerics::format::Format;
use ::safetensors::tensor::{Dtype, Metadata};
use std::fs::File;
use std::io::Read;

/// The format's own limit.
const MAX_HEADER: u64 = 100_000_000;

/// Opens a tensor of the file.
pub fn open(file: File, length: u64, path: &str, name: Option<&str>) -> Result<Array, InvalidInput> {
    let about = About(path);
    let mut size = [0; 8];
    let advice = "this is no .safetensors file, or it is truncated: write it again";
    (&file).read_exact(&mut size).map_err(|error| about.error("byte 0", "8 bytes", error.to_string(), advice))?;
    let size = u64::from_le_bytes(size);
    if size > MAX_HEADER || size > length.saturating_sub(8) {
        let expected = format!("at most {} bytes", MAX_HEADER.min(length.saturating_sub(8)));
        return Err(about.error("the header's length", expected, format!("{size} bytes"), advice));
    }
    let mut header = vec![0; size as usize];
    (&file).read_exact(&mut header).map_err(|error| about.unreadable("the header", &error))?;
    let metadata: Metadata = serde_json::from_slice(&header)
        .map_err(|error| about.error("the header", "a JSON description of tensors", error.to_string(), advice))?;
    let tensors = metadata.tensors();
    let mut names: Vec<&str> = tensors.keys().map(String::as_str).collect();
    names.sort_unstable();
    let chosen = choose(about, name, &names)?;
    let Some(tensor) = metadata.info(chosen) else {
        return Err(about.error("the header", "a tensor", format!("'{chosen}'"), advice));
    };
    let integer = |bytes, signed| Kind::Integer { bytes, signed };
    let kind = match tensor.dtype {
        Dtype::F16 => Kind::Float(Format::F16),
        Dtype::BF16 => Kind::Float(Format::Bf16),
        Dtype::F32 => Kind::Float(Format::F32),
        Dtype::F64 => Kind::Float(Format::F64),
        Dtype::I8 => integer(1, true),
        Dtype::I16 => integer(2, true),
        Dtype::I32 => integer(4, true),
        Dtype::I64 => integer(8, true),
        Dtype::U8 => integer(1, false),
        Dtype::U16 => integer(2, false),
        Dtype::U32 => integer(4, false),
        Dtype::U64 => integer(8, false),
        other => {
            let advice = "convert the tensor to one of these";
            return Err(about.error(chosen, "F16, BF16, F32 or F64", format!("{other:?}"), advice));
        }
    };
    let (begin, end) = (tensor.data_offsets.0 as u64, tensor.data_offsets.1 as u64);
    let shape = tensor.shape.clone();
    let bytes = shape.iter().try_fold(kind.bytes() as u64, |product, &n| product.checked_mul(n as u64));
    if begin > end || end > length - 8 - size || bytes != Some(end - begin) {
        return Err(about.error(
            chosen,
            format!("offsets of {} bytes for {shape:?} within the file", bytes.map_or("?".into(), |n| n.to_string())),
            format!("{begin}..{end} of {} bytes", length - 8 - size),
            advice,
        ));
    }
    let array = Array {
        name: format!("{path}:{chosen}"),
        file,
        start: 8 + size + begin,
        kind,
        big_endian: false,
        fortran: false,
        shape,
    };
    array.checked(end - begin)
}
