//! The `.safetensors` format: a JSON header of names, dtypes, shapes and offsets, then the entries.

use super::{About, Array, InvalidInput, choose, extent, words};
use ::safetensors::tensor::Metadata;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use std::fs::File;
use std::io::Read;

/// More than 10⁵ tensors. The format allows 100 MB, which would take more than a gigabyte of memory.
const MAX_HEADER: u64 = 1 << 24;

/// Advice on a header that cannot be read.
const ADVICE: &str = "this is no .safetensors file, or it is truncated: write it again";

/// The header, and how many bytes it has without its length.
fn header(file: &File, length: u64, path: &str) -> Result<(Metadata, u64), InvalidInput> {
    let about = About(path);
    let mut size = [0; 8];
    let mut file = file;
    file.read_exact(&mut size).map_err(|error| about.error("byte 0", "8 bytes", words(&error), ADVICE))?;
    let size = u64::from_le_bytes(size);
    if size > MAX_HEADER || size > length.saturating_sub(8) {
        let expected = format!("at most {} bytes", MAX_HEADER.min(length.saturating_sub(8)));
        return Err(about.error("the header's length", expected, format!("{size} bytes"), ADVICE));
    }
    let mut header = vec![0; size as usize];
    file.read_exact(&mut header).map_err(|error| about.unreadable("the header", &error))?;
    let metadata: Metadata = serde_json::from_slice(&header)
        .map_err(|error| about.error("the header", "a JSON description of tensors", error.to_string(), ADVICE))?;
    Ok((metadata, size))
}

/// The names of the tensors of a file, in alphabetical order.
#[cfg(feature = "lint")]
pub fn names(path: &std::path::Path) -> Result<Vec<String>, InvalidInput> {
    let (file, length) = super::regular_file(path)?;
    let mut names = header(&file, length, &path.to_string_lossy())?.0.offset_keys();
    names.sort_unstable();
    Ok(names)
}

/// A text of the file's metadata, if it has one of that name.
///
/// # Errors
///
/// A file whose header is not of this format.
pub fn text(path: &std::path::Path, name: &str) -> Result<Option<String>, InvalidInput> {
    let (file, length) = super::regular_file(path)?;
    let (metadata, _) = header(&file, length, &path.to_string_lossy())?;
    Ok(metadata.metadata().as_ref().and_then(|texts| texts.get(name).cloned()))
}

/// Opens a tensor of the file.
pub fn open(file: File, length: u64, path: &str, name: Option<&str>) -> Result<Array, InvalidInput> {
    let about = About(path);
    let (metadata, size) = header(&file, length, path)?;
    let tensors = metadata.tensors();
    let mut names: Vec<&str> = tensors.keys().map(String::as_str).collect();
    names.sort_unstable();
    let chosen = choose(about, name, &names)?;
    let Some(tensor) = metadata.info(chosen) else {
        return Err(about.error("the header", "a tensor", format!("'{chosen}'"), ADVICE));
    };
    let (dtype, parts) = match tensor.dtype {
        ::safetensors::Dtype::C64 => (Some(Dtype::Float(Format::F32)), 2),
        other => (Dtype::named(&other.to_string(), Dtype::safetensors), 1),
    };
    let Some(dtype) = dtype else {
        let expected = "F8_E4M3, F8_E5M2, F16, BF16, F32, F64 or C64";
        return Err(about.error(chosen, expected, tensor.dtype.to_string(), "convert the tensor to one of these"));
    };
    let (begin, end) = (tensor.data_offsets.0 as u64, tensor.data_offsets.1 as u64);
    let shape = tensor.shape.clone();
    let data = length - 8 - size;
    let name = format!("{path}:{chosen}");
    let bytes = extent(About(&name), dtype.bytes() * parts, &shape, data)?;
    if begin > end || end > data || bytes != end - begin {
        let expected = format!("offsets of {bytes} bytes for {shape:?} within the file");
        return Err(about.error(chosen, expected, format!("{begin}..{end} of {data} bytes"), ADVICE));
    }
    Ok(Array { parts, ..Array::plain(name, (file, 8 + size + begin), dtype, shape) })
}
