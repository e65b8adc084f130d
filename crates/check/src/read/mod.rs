//! Arrays in files of other people: `.npy`, `.npz` and `.safetensors`, read a few rows at a time.
//!
//! Nothing in a file is trusted: headers have limits, sizes are multiplied with care, and every
//! offset is compared with the length of the file before anything is read.

mod array;
mod axis;
mod coordinates;
#[cfg(feature = "lint")]
pub mod gguf;
mod integers;
mod npy;
mod npz;
mod pages;
mod safetensors;

pub use array::Array;
pub use axis::SequenceAxis;
#[cfg(feature = "lint")]
pub(crate) use safetensors::names as safetensors_names;
pub use safetensors::text as safetensors_text;

pub(crate) use crate::input::About;
pub(crate) use crate::input::InvalidInput;
use posproof_numerics::format::Format;
use std::fs::{File, FileType};
use std::io;
use std::path::Path;

impl About<'_> {
    fn unreadable(self, place: &str, error: &io::Error) -> InvalidInput {
        self.error(place, "bytes that can be read", words(error), "check the path and its permissions")
    }
}

/// Words of the system, or what it means by them.
fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "that the file ends before that".to_owned(),
        _ => error.to_string(),
    }
}

/// Opens a file for reading, and says how long it is. What is no regular file is refused before it is opened: a pipe
/// without a writer would never open.
pub(crate) fn regular_file(path: &Path) -> Result<(File, u64), InvalidInput> {
    let name = path.to_string_lossy();
    let about = About(&name);
    let unreadable = |error: io::Error| about.unreadable("the file", &error);
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        let advice = "write what it gives to a file first, and name that";
        return Err(about.error("the file", "a regular file", described(metadata.file_type()), advice));
    }
    Ok((File::open(path).map_err(unreadable)?, metadata.len()))
}

fn described(file: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file.is_fifo() {
            return "a pipe, which can be read only once";
        }
    }
    if file.is_dir() { "a directory" } else { "a device or a socket" }
}

/// Number of bytes that the entries of an array take, each of so many bytes: at least one, and no more than the `length`
/// bytes that there are.
fn extent(about: About<'_>, each: usize, shape: &[usize], length: u64) -> Result<u64, InvalidInput> {
    let entries = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
    let bytes = entries.and_then(|n| n.checked_mul(each)).filter(|n| *n <= isize::MAX as usize);
    let Some(bytes) = bytes else {
        let advice = "write the array again: no file is as large as this";
        return Err(about.error("the shape", "a size that exists", format!("{shape:?}"), advice));
    };
    if bytes == 0 {
        let advice = "write an array that holds at least one entry";
        return Err(about.error("the shape", "at least one entry", format!("{shape:?}"), advice));
    }
    if bytes as u64 > length {
        return Err(about.error(
            "the entries",
            format!("{bytes} bytes for the shape {shape:?}"),
            format!("{length} bytes"),
            "the file is truncated or its header is wrong: write it again",
        ));
    }
    Ok(bytes as u64)
}

/// Opens `file.npy`, `file.npz:name` or `file.safetensors:name`. The name may be left out where the
/// file holds one array.
///
/// # Errors
///
/// For a file that cannot be read, and for codes of 8 bits of a format that it does not name, which [`open_codes`] opens.
pub fn open(specification: &str) -> Result<Array, InvalidInput> {
    opened(specification)?.named()
}

/// Opens an array as [`open`] does, bytes as codes of a stated format of 8 bits.
pub fn open_codes(specification: &str, format: Option<Format>) -> Result<Array, InvalidInput> {
    opened(specification)?.of_codes(format).named()
}

fn opened(specification: &str) -> Result<Array, InvalidInput> {
    if let Some(path) = pickled(specification) {
        regular_file(Path::new(path))?;
        let found = "a file of torch.save, which runs code when it is read";
        return Err(About(path).error("the file", ".npy, .npz or .safetensors", found, conversion(path)));
    }
    let (path, name) = split(specification);
    let about = About(path);
    let extension = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let (file, length) = regular_file(Path::new(path))?;
    match (extension.as_str(), name) {
        ("npy", None) => npy::open(file, 0, length, specification),
        ("npy", Some(name)) => Err(about.error(
            "the name",
            "no name: a .npy file holds one array",
            format!("':{name}'"),
            "leave the name out",
        )),
        ("npz", name) => npz::open(file, path, name),
        ("safetensors", name) => safetensors::open(file, length, path, name),
        _ => Err(about.error(
            "the extension",
            ".npy, .npz or .safetensors",
            format!("'.{extension}'"),
            "convert the array to one of these formats",
        )),
    }
}

/// The path of what PyTorch saves, by its extension, without the name of a tensor.
fn pickled(specification: &str) -> Option<&str> {
    let extension = |path: &str| Path::new(path).extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let ends = specification.match_indices(':').map(|(colon, _)| colon).chain([specification.len()]);
    let mut paths = ends.map(|end| &specification[..end]);
    paths.find(|path| extension(path).is_some_and(|found| ["pt", "pth", "ckpt"].contains(&found.as_str())))
}

/// The line that converts what PyTorch saved, a tensor or a dictionary of tensors.
fn conversion(path: &str) -> String {
    let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"));
    let (from, to) = (quoted(Path::new(path)), quoted(&Path::new(path).with_extension("safetensors")));
    format!(
        "convert it: python3 -c 'import sys, torch, safetensors.torch as s; \
x = torch.load(sys.argv[1], map_location=\"cpu\", weights_only=True); \
x = x if isinstance(x, dict) else {{\"x\": x}}; \
s.save_file({{k: v.contiguous() for k, v in x.items()}}, sys.argv[2])' {from} {to}"
    )
}

/// The extensions that are read.
const EXTENSIONS: [&str; 3] = [".npy", ".npz", ".safetensors"];

/// True if [`open`] reads what is named so: by an extension, and not as ranges such as `0..64`.
pub fn names_a_file(specification: &str) -> bool {
    let path = split(specification).0.to_ascii_lowercase();
    EXTENSIONS.iter().any(|extension| path.ends_with(extension))
}

/// The path, and the name after the last colon that follows an extension we read.
fn split(specification: &str) -> (&str, Option<&str>) {
    for extension in EXTENSIONS.map(|extension| format!("{extension}:")) {
        if let Some(at) = specification.rfind(&extension) {
            let colon = at + extension.len() - 1;
            return (&specification[..colon], Some(&specification[colon + 1..]));
        }
    }
    (specification, None)
}

/// Picks the one name that is meant.
fn choose<'a>(about: About<'_>, wanted: Option<&str>, names: &[&'a str]) -> Result<&'a str, InvalidInput> {
    let listed = || {
        let shown: Vec<&str> = names.iter().take(12).copied().collect();
        let more = if names.len() > shown.len() { ", …" } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    match (wanted, names) {
        (_, []) => Err(about.error("the contents", "an array", "none", "write the array again")),
        (None, [only]) => Ok(only),
        (None, _) => Err(about.error(
            "the name",
            "the name of one of its arrays after a colon",
            "no name",
            format!("choose one of: {}", listed()),
        )),
        (Some(wanted), _) => names.iter().find(|name| **name == wanted).copied().ok_or_else(|| {
            about.error(
                "the name",
                "an array that the file holds",
                format!("'{wanted}'"),
                format!("choose one of: {}", listed()),
            )
        }),
    }
}
