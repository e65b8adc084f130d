//! Writing probes: small arrays of vectors and positions, whole or not at all.

use super::probe::vectors;
use posproof_numerics::format::Format;
use posproof_table::{Element, Positions};
use half::{bf16, f16};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An array of a probe.
#[derive(Clone, Debug)]
pub struct Array {
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
    /// As many of [`vectors`] as the shape asks for.
    Vectors(Format),
}

/// Why a probe was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An extension that says no format.
    #[error("{}: expected a name that ends in .npy or .safetensors", .0.display())]
    Extension(PathBuf),
    /// NumPy has no bfloat16.
    #[error("{}: .npy has no bf16 of its own; write .safetensors, or --dtype f32", .0.display())]
    Bfloat(PathBuf),
    /// Something of that name is there.
    #[error("{} exists: expected a new name, or --force to replace the file", .0.display())]
    Exists(PathBuf),
    /// The file system refuses.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The target.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// Writes the arrays: all into one .safetensors file, or each into a .npy file, the first under the
/// name given and the others beside it (`probe-positions.npy`). Returns each array's name for `check`.
pub fn write(path: &Path, arrays: &[Array], force: bool) -> Result<Vec<String>, WriteError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("safetensors") => {
            put(path, force, |out| safetensors(out, arrays))?;
            Ok(arrays.iter().map(|array| format!("{}:{}", path.display(), array.name)).collect())
        }
        Some("npy") => {
            if arrays.iter().any(|array| matches!(array.entries, Entries::Vectors(Format::Bf16))) {
                return Err(WriteError::Bfloat(path.to_owned()));
            }
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let beside = |array: &Array| path.with_file_name(format!("{stem}-{}.npy", array.name));
            let rest = arrays.iter().skip(1).map(beside);
            let paths: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(rest).collect();
            if let Some(there) = paths.iter().find(|path| !force && path.symlink_metadata().is_ok()) {
                return Err(WriteError::Exists(there.clone()));
            }
            for (path, array) in paths.iter().zip(arrays) {
                put(path, force, |out| npy(out, array))?;
            }
            Ok(paths.iter().map(|path| path.display().to_string()).collect())
        }
        _ => Err(WriteError::Extension(path.to_owned())),
    }
}

/// Writes under a temporary name, then renames.
fn put(path: &Path, force: bool, fill: impl Fn(&mut BufWriter<&mut File>) -> io::Result<()>) -> Result<(), WriteError> {
    let failed = |error| WriteError::Io { path: path.to_owned(), error };
    if !force && path.symlink_metadata().is_ok() {
        return Err(WriteError::Exists(path.to_owned()));
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".posproof-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory).map_err(failed)?;
    let mut out = BufWriter::new(file.as_file_mut());
    fill(&mut out).and_then(|()| out.flush()).map_err(failed)?;
    drop(out);
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map(|_| ()).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists(path.to_owned()),
        _ => failed(error.error),
    })
}

impl Array {
    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    fn bytes(&self) -> usize {
        self.count() * if let Entries::Vectors(format) = self.entries { format.bytes() } else { size_of::<i64>() }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.entries {
            Entries::Positions(positions) => {
                positions.iter().try_for_each(|position| out.write_all(&position.to_le_bytes()))
            }
            Entries::Vectors(Format::F16) => numbers::<f16>(self.count(), out),
            Entries::Vectors(Format::Bf16) => numbers::<bf16>(self.count(), out),
            Entries::Vectors(Format::F32) => numbers::<f32>(self.count(), out),
            Entries::Vectors(Format::F64) => numbers::<f64>(self.count(), out),
        }
    }
}

fn numbers<T: Element>(count: usize, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = vec![0; size_of::<T>()];
    vectors(T::FORMAT, count).try_for_each(|number| {
        T::from_exact(number).write_le(&mut bytes);
        out.write_all(&bytes)
    })
}

fn safetensors(out: &mut impl Write, arrays: &[Array]) -> io::Result<()> {
    // The widest entries first, so that all of them are aligned.
    let mut arrays: Vec<&Array> = arrays.iter().collect();
    arrays.sort_by_key(|array| matches!(array.entries, Entries::Vectors(_)));
    let (mut header, mut offset) = (Map::new(), 0);
    for array in &arrays {
        let dtype = match array.entries {
            Entries::Positions(_) => "I64".to_owned(),
            Entries::Vectors(format) => format.name().to_ascii_uppercase(),
        };
        let end = offset + array.bytes();
        let tensor = json!({ "dtype": dtype, "shape": array.shape, "data_offsets": [offset, end] });
        header.insert(array.name.to_owned(), tensor);
        offset = end;
    }
    let text = Value::Object(header).to_string();
    // Spaces, so that the data begin at a multiple of eight bytes.
    let length = text.len().next_multiple_of(8);
    out.write_all(&(length as u64).to_le_bytes())?;
    write!(out, "{text:<length$}")?;
    arrays.iter().try_for_each(|array| array.write(out))
}

fn npy(out: &mut impl Write, array: &Array) -> io::Result<()> {
    let descriptor = match array.entries {
        Entries::Positions(_) => "<i8",
        Entries::Vectors(Format::F16) => "<f2",
        Entries::Vectors(Format::F32) => "<f4",
        Entries::Vectors(Format::F64) => "<f8",
        Entries::Vectors(Format::Bf16) => "<V2",
    };
    let shape: String = array.shape.iter().map(|n| format!("{n}, ")).collect();
    let text = format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Ten bytes stand before the text, and a newline ends it.
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(length as u16).to_le_bytes())?;
    writeln!(out, "{text:<width$}", width = length - 1)?;
    array.write(out)
}
