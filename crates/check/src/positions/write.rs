//! Positions on their way into a file, whole or not at all.

use super::{Decoded, DecodedAxes};
use crate::write::WriteError;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use posproof_table::arrays::{self, Container, Header};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// \[rows\], or \[tables, rows\] for several tables; of an encoding of several axes with the axes last.
    pub shape: Vec<usize>,
    /// True if they are int64.
    pub whole: bool,
    /// Positions that are not certified, which are NaN.
    pub open: usize,
}

/// Writes the position of every row as the array `positions`: int64 if all are certified, else float64 with NaN for the rows
/// that are not.
///
/// # Errors
///
/// An extension other than .npy and .safetensors; a file that exists, without `force`; what the file system refuses.
pub fn write(path: &Path, decoded: &Decoded, force: bool) -> Result<Written, WriteError> {
    let Decoded { tables, rows, axes, .. } = decoded;
    let shape = if *tables == 1 { vec![*rows] } else { vec![*tables, *rows] };
    let numbers = |at: usize| axes[0].located[at].position().map(|position| (position, position as f64));
    save(path, (shape, decoded.is_certified()), &numbers, force)
}

/// Writes the coordinates of every row, \[rows, axes\] or \[tables, rows, axes\], as [`write()`] does: int64 where all are certified and the step is
/// a whole number, else the binary64 nearest to each.
///
/// # Errors
///
/// As [`write()`].
pub fn write_axes(path: &Path, decoded: &DecodedAxes, force: bool) -> Result<Written, WriteError> {
    let DecodedAxes { tables, rows, axes, step, .. } = decoded;
    let mut shape = if *tables == 1 { vec![*rows] } else { vec![*tables, *rows] };
    shape.push(axes.len());
    let integer = step.to_i64().filter(|step| {
        axes.iter()
            .flat_map(|axis| [axis.multiples.first(), axis.multiples.end()])
            .all(|k| k.checked_mul(*step).is_some())
    });
    let numbers = |at: usize| {
        let multiple = axes[at % axes.len()].located[at / axes.len()].position()?;
        Some(match integer {
            Some(step) => (multiple * step, (multiple * step) as f64),
            None => (0, (Rational::from(multiple) * step.clone()).to_f64()),
        })
    };
    save(path, (shape, decoded.is_certified() && integer.is_some()), &numbers, force)
}

/// An array of numbers of a shape: int64 if they are `whole`, else float64 with NaN for those that there are not.
fn save(
    path: &Path,
    (shape, whole): (Vec<usize>, bool),
    number: &dyn Fn(usize) -> Option<(i64, f64)>,
    force: bool,
) -> Result<Written, WriteError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let container = match extension.as_deref() {
        Some("npy") => Container::Npy,
        Some("safetensors") => Container::Safetensors,
        _ => return Err(WriteError::Extension(path.to_owned())),
    };
    let dtype = if whole { Dtype::I64 } else { Dtype::Float(Format::F64) };
    let header = Header { name: "positions", dtype, shape: shape.clone() };
    let count: usize = shape.iter().product();
    let mut open = 0;
    let mut body = |_: usize, out: &mut dyn Write| {
        (0..count).map(number).try_for_each(|number| match number {
            Some((position, _)) if whole => out.write_all(&position.to_le_bytes()),
            Some((_, position)) => out.write_all(&position.to_le_bytes()),
            None => {
                open += 1;
                out.write_all(&f64::NAN.to_le_bytes())
            }
        })
    };
    let mut file = NewFile::create(path, force)?;
    arrays::write(container, file.file(), &[header], &[], &mut body).map_err(NotWritten::io(path))?;
    file.finish()?;
    Ok(Written { path: path.to_owned(), shape, whole, open })
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, shape, whole, open } = self;
        match (whole, open) {
            (true, _) => write!(f, "{}: int64 {shape:?}", path.display()),
            (false, 0) => write!(f, "{}: float64 {shape:?}", path.display()),
            (false, _) => {
                write!(f, "{}: float64 {shape:?}, NaN for {open} without a certified position", path.display())
            }
        }
    }
}
