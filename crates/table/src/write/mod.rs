//! Writing tables to files: block by block, and atomically.
//!
//! A file is written under a temporary name in the directory of its target and renamed when it is
//! complete, so that nothing half-written is ever found under the target's name.

mod json;
mod npy;
mod npz;
mod safetensors;

use super::{Element, InvalidTable, Statistics, Table};
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::format::Format;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes of a block: large enough for every thread, small enough for the cache.
const BLOCK: usize = 8 << 20;

/// The kinds of file, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One NumPy array.
    Npy,
    /// NumPy arrays in an uncompressed zip archive.
    Npz,
    /// Tensors of the safetensors format.
    Safetensors,
    /// Hexadecimal floats with enclosures, for small tables.
    Json,
}

impl Kind {
    /// The kind that a path's extension names.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("npy") => Ok(Self::Npy),
            Some("npz") => Ok(Self::Npz),
            Some("safetensors") => Ok(Self::Safetensors),
            Some("json") => Ok(Self::Json),
            _ => Err(WriteError::Extension(path.to_owned())),
        }
    }
}

/// Why a table was not written. Nothing is then left behind.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An extension that says no format.
    #[error("{}: expected a name that ends in .npy, .npz, .safetensors or .json", .0.display())]
    Extension(PathBuf),
    /// Something of that name is there.
    #[error("{} exists: expected a new name, or --force to replace the file", .0.display())]
    Exists(PathBuf),
    /// Cosines and sines for a file that holds one array.
    #[error("{}: a .npy file holds one array, and rope has two; write .npz or .safetensors, or choose one with --component", .0.display())]
    TwoArrays(PathBuf),
    /// More entries than make sense as text.
    #[error("{}: {entries} entries; expected at most {limit} for .json, whose entries carry enclosures; write .npy, .npz or .safetensors", path.display())]
    TooLarge {
        /// The target.
        path: PathBuf,
        /// The entries it would have.
        entries: usize,
        /// The entries it may have.
        limit: usize,
    },
    /// The file system refuses.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The target.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// An entry or block cannot be computed.
    #[error(transparent)]
    Table(#[from] InvalidTable),
}

/// What has been written.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub kind: Kind,
    /// Its size.
    pub bytes: u64,
    /// Its arrays.
    pub arrays: Vec<Array>,
    /// How the table's entries were settled.
    pub statistics: Statistics,
}

/// An array of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Array {
    /// Its name: `pe`, `cos` or `sin`.
    pub name: &'static str,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// The format of its entries.
    pub dtype: Format,
    /// SHA-256 of the entries in row order, each in little-endian bytes: the same for every kind of file.
    pub sha256: String,
}

/// Which part of a table an array is.
#[derive(Clone, Copy, Debug)]
enum Part {
    Joined,
    One(Component),
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Joined => "pe",
            Self::One(Component::Cos) => "cos",
            Self::One(Component::Sin) => "sin",
        }
    }
}

/// A table on its way into a file.
struct Job<'a, T: Element> {
    table: &'a Table<T>,
    parts: Vec<Part>,
    progress: &'a dyn Fn(usize),
    statistics: Statistics,
}

/// Writes the table: a sinusoid as `pe`, [positions, dim]; rope as `cos` and `sin`, [positions, pairs], or
/// one of them if `component` says so. An existing file is replaced only with `force`. `progress` is
/// told the rows of each block; the rows of all arrays together are the table's rows for each array.
pub fn write<T: Element>(
    table: &Table<T>,
    path: &Path,
    component: Option<Component>,
    force: bool,
    progress: &dyn Fn(usize),
) -> Result<Written, WriteError> {
    let kind = Kind::of(path)?;
    let parts = match (table.convention().encoding, component) {
        (_, Some(component)) => vec![Part::One(component)],
        (Encoding::Sinusoid, None) => vec![Part::Joined],
        (Encoding::Rope, None) => vec![Part::One(Component::Cos), Part::One(Component::Sin)],
    };
    if kind == Kind::Npy && parts.len() > 1 {
        return Err(WriteError::TwoArrays(path.to_owned()));
    }
    let failed = |error| WriteError::Io { path: path.to_owned(), error };
    if !force && path.symlink_metadata().is_ok() {
        return Err(WriteError::Exists(path.to_owned()));
    }
    if path.is_dir() {
        return Err(failed(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".posproof-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory).map_err(failed)?;
    let data: u64 = parts.iter().map(|&part| data_bytes(table, part)).sum();
    require_space(file.as_file(), data).map_err(failed)?;
    let mut job = Job { table, parts, progress, statistics: Statistics::default() };
    let arrays = match kind {
        Kind::Npy => npy::write(&mut job, &mut BufWriter::new(file.as_file_mut())),
        Kind::Npz => npz::write(&mut job, file.as_file_mut()),
        Kind::Safetensors => safetensors::write(&mut job, &mut BufWriter::new(file.as_file_mut())),
        Kind::Json => json::write(&mut job, path, &mut BufWriter::new(file.as_file_mut())),
    };
    let arrays = arrays.map_err(|error| match error {
        Interrupted::Io(error) => failed(error),
        Interrupted::Other(error) => error,
    })?;
    let bytes = finish(file.as_file()).map_err(failed)?;
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match persisted {
        Ok(_) => Ok(Written { path: path.to_owned(), kind, bytes, arrays, statistics: job.statistics }),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(WriteError::Exists(path.to_owned())),
        Err(error) => Err(failed(error.error)),
    }
}

fn shape<T: Element>(table: &Table<T>, part: Part) -> [usize; 2] {
    let columns = match part {
        Part::Joined => table.width(),
        Part::One(_) => table.pairs(),
    };
    [table.rows(), columns]
}

/// The bytes of a part's entries; a table's fit into the address space.
fn data_bytes<T: Element>(table: &Table<T>, part: Part) -> u64 {
    let [rows, columns] = shape(table, part);
    rows as u64 * columns as u64 * size_of::<T>() as u64
}

/// Refuses at once what would only fail when the disk is full.
fn require_space(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(disk) = rustix::fs::fstatvfs(file) {
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if bytes > free {
            let message = format!("the table takes {bytes} bytes, and {free} are free on its disk");
            return Err(io::Error::new(io::ErrorKind::StorageFull, message));
        }
    }
    let _ = (file, bytes);
    Ok(())
}

/// Waits until the data are on the disk, so that the name never stands for less.
fn finish(file: &File) -> io::Result<u64> {
    file.sync_data()?;
    Ok(file.metadata()?.len())
}

/// What stops a writer: the path is added to an I/O error by the caller.
enum Interrupted {
    Io(io::Error),
    Other(WriteError),
}

impl From<io::Error> for Interrupted {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<InvalidTable> for Interrupted {
    fn from(error: InvalidTable) -> Self {
        Self::Other(error.into())
    }
}

impl<T: Element> Job<'_, T> {
    fn shape(&self, part: Part) -> [usize; 2] {
        shape(self.table, part)
    }

    /// Writes the entries of a part, in little-endian bytes.
    fn stream(&mut self, part: Part, out: &mut impl Write) -> Result<Array, Interrupted> {
        let shape = self.shape(part);
        let [rows, columns] = shape;
        let block = (BLOCK / (columns * size_of::<T>())).clamp(1, rows);
        let mut entries = vec![T::default(); block * columns];
        let mut others = vec![T::default(); if matches!(part, Part::One(_)) { block * columns } else { 0 }];
        let mut bytes = vec![0u8; block * columns * size_of::<T>()];
        let mut digest = Sha256::new();
        let mut statistics = Statistics::default();
        for start in (0..rows).step_by(block) {
            let count = block.min(rows - start);
            let range = start..start + count;
            let (entries, bytes) = (&mut entries[..count * columns], &mut bytes[..count * columns * size_of::<T>()]);
            statistics = statistics
                + match part {
                    Part::Joined => self.table.par_fill(range, entries)?,
                    Part::One(Component::Cos) => {
                        self.table.par_fill_apart(range, entries, &mut others[..count * columns])?
                    }
                    Part::One(Component::Sin) => {
                        self.table.par_fill_apart(range, &mut others[..count * columns], entries)?
                    }
                };
            for (entry, bytes) in entries.iter().zip(bytes.chunks_exact_mut(size_of::<T>())) {
                entry.write_le(bytes);
            }
            digest.update(&*bytes);
            out.write_all(bytes)?;
            (self.progress)(count);
        }
        // Cosines and sines are computed together: either pass has settled all entries.
        self.statistics = statistics;
        let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Array { name: part.name(), shape, dtype: T::FORMAT, sha256 })
    }
}
