//! Arrays in files of other people: `.npy`, `.npz` and `.safetensors`, read a few rows at a time.
//!
//! Nothing in a file is trusted: headers have limits, sizes are multiplied with care, and every
//! offset is compared with the length of the file before anything is read.

mod array;
mod npy;
mod npz;
mod safetensors;

pub use array::{Array, Kind};

use std::fmt;
use std::fs::File;
use std::path::Path;

/// Why an input cannot be used: which file, where in it, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// The file, as it was named.
    pub file: String,
    /// The place in it: a header, a tensor's name, a row.
    pub place: String,
    /// What was expected there.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do about it.
    pub advice: String,
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, expected, found, advice } = self;
        write!(f, "{file}: {place}: expected {expected}; found {found}; {advice}")
    }
}

impl std::error::Error for InvalidInput {}

/// An error about one file: the file's name is said once.
#[derive(Clone, Copy)]
pub(crate) struct About<'a>(pub &'a str);

impl About<'_> {
    pub fn error(
        self,
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> InvalidInput {
        InvalidInput {
            file: self.0.to_owned(),
            place: place.into(),
            expected: expected.into(),
            found: found.into(),
            advice: advice.into(),
        }
    }

    pub fn unreadable(self, place: &str, error: &std::io::Error) -> InvalidInput {
        self.error(place, "bytes that can be read", error.to_string(), "check the path and its permissions")
    }
}

/// Opens `file.npy`, `file.npz:name` or `file.safetensors:name`. The name may be left out where the
/// file holds one array.
pub fn open(specification: &str) -> Result<Array, InvalidInput> {
    let (path, name) = split(specification);
    let about = About(path);
    let extension = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let file = File::open(path).map_err(|error| about.unreadable("the file", &error))?;
    let metadata = file.metadata().map_err(|error| about.unreadable("the file", &error))?;
    if !metadata.is_file() {
        return Err(about.error("the file", "a regular file", "something else", "write the array to a file first"));
    }
    match (extension.as_str(), name) {
        ("npy", None) => npy::open(file, 0, metadata.len(), specification),
        ("npy", Some(name)) => Err(about.error(
            "the name",
            "no name: a .npy file holds one array",
            format!("':{name}'"),
            "leave the name out",
        )),
        ("npz", name) => npz::open(file, path, name),
        ("safetensors", name) => safetensors::open(file, metadata.len(), path, name),
        _ => Err(about.error(
            "the extension",
            ".npy, .npz or .safetensors",
            format!("'.{extension}'"),
            "convert the array to one of these formats",
        )),
    }
}

/// The path, and the name after the last colon that follows an extension we read.
fn split(specification: &str) -> (&str, Option<&str>) {
    for extension in [".npy:", ".npz:", ".safetensors:"] {
        if let Some(at) = specification.rfind(extension) {
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
