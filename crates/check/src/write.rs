//! Writing probes: small arrays of vectors and positions, whole or not at all.

use super::probe::vectors;
use posproof_encoding::axes::Coordinates;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use posproof_table::arrays::atomic::{NewFile, NotWritten, finish_all};
use posproof_table::arrays::{self, Container, Header};
use posproof_table::{Element, LIMIT, Positions, in_format};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An array of a probe.
#[derive(Clone, Debug)]
pub struct ProbeArray {
    /// The name of the tensor.
    pub name: &'static str,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its entries.
    pub entries: Entries,
}

/// Entries of an array.
#[derive(Clone, Debug)]
pub enum Entries {
    /// Positions, as 64-bit integers.
    Positions(Positions),
    /// Coordinates of rows: 64-bit integers where all of them are, or else binary64, NaN in a row without a position.
    Coordinates(Coordinates),
    /// As many of [`vectors`] as the shape asks for.
    Vectors(Format),
}

/// Why a probe was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An extension that says no format.
    #[error("{}: expected a name that ends in .npy or .safetensors", .0.display())]
    Extension(PathBuf),
    /// NumPy has no such type.
    #[error("{}: .npy has no {format} of its own; write .safetensors, or --dtype f32", path.display())]
    NoType {
        /// The target.
        path: PathBuf,
        /// The format of the vectors.
        format: Format,
    },
    /// Something of that name is there, or the file system refuses.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
}

/// Writes the arrays: all into one .safetensors file, or each into a .npy file, the first under the
/// name given and the others beside it (`probe-positions.npy`). These and the `companions`, which are written already, are put in
/// place [together](finish_all). Returns each array's name for `check`.
pub fn write(
    path: &Path,
    arrays: &[ProbeArray],
    companions: Vec<NewFile>,
    force: bool,
) -> Result<Vec<String>, WriteError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("safetensors") => {
            // The widest entries first, so that all of them are aligned.
            let mut sorted: Vec<&ProbeArray> = arrays.iter().collect();
            sorted.sort_by_key(|array| matches!(array.entries, Entries::Vectors(_)));
            let file = filled(Container::Safetensors, path, &sorted, force)?;
            finish_all(std::iter::once(file).chain(companions).collect())?;
            Ok(arrays.iter().map(|array| format!("{}:{}", path.display(), array.name)).collect())
        }
        Some("npy") => {
            let untyped = |format: &Format| *format == Format::Bf16 || format.narrow().is_some();
            let vectors = arrays.iter().filter_map(|array| match array.entries {
                Entries::Vectors(format) => Some(format),
                _ => None,
            });
            if let Some(format) = vectors.into_iter().find(untyped) {
                return Err(WriteError::NoType { path: path.to_owned(), format });
            }
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let beside = |array: &ProbeArray| path.with_file_name(format!("{stem}-{}.npy", array.name));
            let rest = arrays.iter().skip(1).map(beside);
            let paths: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(rest).collect();
            let files = paths.iter().zip(arrays).map(|(path, array)| filled(Container::Npy, path, &[array], force));
            let files = files.collect::<Result<Vec<NewFile>, NotWritten>>()?;
            finish_all(files.into_iter().chain(companions).collect())?;
            Ok(paths.iter().map(|path| path.display().to_string()).collect())
        }
        _ => Err(WriteError::Extension(path.to_owned())),
    }
}

/// A file with its content, which is not in place yet.
fn filled(container: Container, path: &Path, arrays: &[&ProbeArray], force: bool) -> Result<NewFile, NotWritten> {
    let mut file = NewFile::create(path, force)?;
    let header = |array: &&ProbeArray| Header { name: array.name, dtype: array.dtype(), shape: array.shape.clone() };
    let headers: Vec<Header<'_>> = arrays.iter().map(header).collect();
    let mut body = |index: usize, out: &mut dyn Write| arrays[index].write(out);
    arrays::write(container, file.file(), &headers, &[], &mut body).map_err(NotWritten::io(path))?;
    Ok(file)
}

impl ProbeArray {
    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    fn dtype(&self) -> Dtype {
        match &self.entries {
            Entries::Positions(_) => Dtype::I64,
            Entries::Coordinates(coordinates) if are_integers(coordinates) => Dtype::I64,
            Entries::Coordinates(_) => Dtype::Float(Format::F64),
            Entries::Vectors(format) => Dtype::Float(*format),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.entries {
            Entries::Positions(positions) => {
                positions.iter().try_for_each(|position| out.write_all(&position.to_le_bytes()))
            }
            Entries::Coordinates(coordinates) => {
                let integers = are_integers(coordinates);
                let bytes = |x: Option<&Rational>| match x {
                    Some(x) if integers => x.to_i64().unwrap_or_default().to_le_bytes(),
                    _ => x.map_or(f64::NAN, Rational::to_f64).to_le_bytes(),
                };
                let all = (0..coordinates.rows()).flat_map(|row| (0..coordinates.axes()).map(move |axis| (row, axis)));
                all.into_iter().try_for_each(|(row, axis)| out.write_all(&bytes(coordinates.get(row, axis))))
            }
            Entries::Vectors(format) => in_format!(*format, T => numbers::<T>(self.count(), out)),
        }
    }
}

/// True of rows that all have coordinates which are integers below 2^53 in magnitude.
fn are_integers(coordinates: &Coordinates) -> bool {
    let small = |x: &Rational| x.to_i64().is_some_and(|x| x.unsigned_abs() < LIMIT);
    let placed = |axis: usize| !coordinates.places(axis).contains(&Coordinates::NOWHERE);
    (0..coordinates.axes()).all(|axis| placed(axis) && coordinates.distinct(axis).iter().all(small))
}

fn numbers<T: Element>(count: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = vec![0; size_of::<T>()];
    vectors(T::FORMAT, count).try_for_each(|number| {
        T::from_exact(number).write_le(&mut bytes);
        out.write_all(&bytes)
    })
}
