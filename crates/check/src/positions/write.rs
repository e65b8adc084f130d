//! Positions on their way into a file, whole or not at all.

use super::Decoded;
use crate::write::WriteError;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use posproof_table::arrays::{self, Container, Header};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// \[rows\], or \[tables, rows\] for several tables.
    pub shape: Vec<usize>,
    /// Rows without a certified position, which are NaN.
    pub open: usize,
}

/// Writes the position of every row as the array `positions`: int64 if all are certified, else float64 with NaN for the rows
/// that are not.
///
/// # Errors
///
/// An extension other than .npy and .safetensors; a file that exists, without `force`; what the file system refuses.
pub fn write(path: &Path, decoded: &Decoded, force: bool) -> Result<Written, WriteError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let container = match extension.as_deref() {
        Some("npy") => Container::Npy,
        Some("safetensors") => Container::Safetensors,
        _ => return Err(WriteError::Extension(path.to_owned())),
    };
    let Decoded { tables, rows, located, .. } = decoded;
    let shape = if *tables == 1 { vec![*rows] } else { vec![*tables, *rows] };
    let whole = decoded.is_certified();
    let dtype = if whole { Dtype::I64 } else { Dtype::Float(Format::F64) };
    let header = Header { name: "positions", dtype, shape: shape.clone() };
    let mut body = |_: usize, out: &mut dyn Write| {
        located.iter().map(|found| found.position()).try_for_each(|position| match position {
            Some(position) if whole => out.write_all(&position.to_le_bytes()),
            _ => out.write_all(&position.map_or(f64::NAN, |position| position as f64).to_le_bytes()),
        })
    };
    let mut file = NewFile::create(path, force)?;
    arrays::write(container, file.file(), &[header], &[], &mut body).map_err(NotWritten::io(path))?;
    file.finish()?;
    let open = located.iter().filter(|found| found.position().is_none()).count();
    Ok(Written { path: path.to_owned(), shape, open })
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, shape, open } = self;
        match open {
            0 => write!(f, "{}: int64 {shape:?}", path.display()),
            _ => write!(f, "{}: float64 {shape:?}, NaN for {open} rows without a certified position", path.display()),
        }
    }
}
