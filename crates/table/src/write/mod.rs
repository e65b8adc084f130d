//! Writing tables to files: block by block, and [whole or not at all](crate::arrays::atomic).

mod json;
mod tabulated;

pub use tabulated::Tabulated;

use crate::arrays::atomic::{NewFile, NotWritten, require_space};
use crate::arrays::{self, Container, Header};
use crate::{Dtype, Element, InvalidTable, Statistics};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tabulated::ArrayPart;

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

    /// The format of arrays that it is; none for text.
    pub fn container(self) -> Option<Container> {
        match self {
            Self::Npy => Some(Container::Npy),
            Self::Npz => Some(Container::Npz),
            Self::Safetensors => Some(Container::Safetensors),
            Self::Json => None,
        }
    }
}

/// Why a table was not written. Nothing is then left behind.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An extension that says no format.
    #[error("{}: expected a name that ends in .npy, .npz, .safetensors or .json", .0.display())]
    Extension(PathBuf),
    /// Cosines and sines for a file that holds one array.
    #[error("{}: a .npy file holds one array, and rope has two; write .npz or .safetensors, or choose one with --component", .0.display())]
    TwoArrays(PathBuf),
    /// Entries of 8 bits for a file of NumPy's, which would not say what they are.
    #[error("{}: NumPy's files have no type for {format}; write .safetensors or .json", path.display())]
    NoType {
        /// The target.
        path: PathBuf,
        /// The format of the entries.
        format: Format,
    },
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
    /// Something of that name is there, or the file system refuses.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
    /// An entry or block cannot be computed.
    #[error(transparent)]
    Table(#[from] InvalidTable),
}

/// Count of what has been written.
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
    /// Statistics of the table's entries: of one axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

/// An array of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Array {
    /// Its name: `pe`, `cos` or `sin`.
    pub name: &'static str,
    /// Rows and columns, and before them the sequences of a batch.
    pub shape: Vec<usize>,
    /// The format of its entries.
    pub dtype: Format,
    /// SHA-256 of the entries in row order, each in little-endian bytes: the same for every kind of file.
    pub sha256: String,
}

/// A table on its way into a file.
struct Job<'a, T: Element> {
    table: Tabulated<'a, T>,
    parts: Vec<ArrayPart>,
    progress: &'a dyn Fn(usize),
    statistics: Option<Statistics>,
}

/// Writes the table: a sinusoid as `pe`, [positions, dim]; rope as `cos` and `sin`, [positions, pairs], or
/// one of them if `component` says so. Sequences of a batch have an axis before these. An existing file is replaced only with
/// `force`. `progress` is told the rows of each block; the rows of all arrays together are the table's rows for each array.
pub fn write<'a, T: Element>(
    table: impl Into<Tabulated<'a, T>>,
    path: &Path,
    component: Option<Component>,
    force: bool,
    progress: &dyn Fn(usize),
) -> Result<Written, WriteError> {
    let (table, kind) = (table.into(), Kind::of(path)?);
    let parts = table.parts(component);
    if kind == Kind::Npy && parts.len() > 1 {
        return Err(WriteError::TwoArrays(path.to_owned()));
    }
    if matches!(kind, Kind::Npy | Kind::Npz) && T::FORMAT.narrow().is_some() {
        return Err(WriteError::NoType { path: path.to_owned(), format: T::FORMAT });
    }
    let mut file = NewFile::create(path, force)?;
    let failed = NotWritten::io(path);
    let entries: u64 = parts.iter().map(|&part| table.rows() as u64 * table.columns(part) as u64).sum();
    require_space(file.file(), entries * size_of::<T>() as u64).map_err(&failed)?;
    let mut job = Job { table, parts, progress, statistics: None };
    let arrays = match kind.container() {
        Some(container) => job.arrays(container, file.file()),
        None => json::write(&mut job, path, &mut BufWriter::new(file.file())),
    };
    let arrays = arrays.map_err(|error| match error {
        Interrupted::Io(error) => failed(error).into(),
        Interrupted::Other(error) => error,
    })?;
    let bytes = file.finish()?;
    Ok(Written { path: path.to_owned(), kind, bytes, arrays, statistics: job.statistics })
}

/// Ends of a writer: the path is added to an I/O error by the caller.
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
    /// Writes all parts.
    fn arrays(&mut self, container: Container, file: &mut File) -> Result<Vec<Array>, Interrupted> {
        let parts = self.parts.clone();
        let header = |part: &ArrayPart| Header {
            name: part.name(),
            dtype: Dtype::Float(T::FORMAT),
            shape: self.table.shape(*part),
        };
        let headers: Vec<Header<'_>> = parts.iter().map(header).collect();
        let metadata = self.table.metadata().map_err(io::Error::from)?;
        let mut written = Vec::new();
        arrays::write(container, file, &headers, &metadata, &mut |index, out| {
            written.push(self.stream(parts[index], out)?);
            Ok::<(), Interrupted>(())
        })?;
        Ok(written)
    }

    /// Writes the entries of a part, in little-endian bytes.
    fn stream(&mut self, part: ArrayPart, out: &mut dyn Write) -> Result<Array, Interrupted> {
        let (rows, columns) = (self.table.rows(), self.table.columns(part));
        let block = (BLOCK / (columns * size_of::<T>())).clamp(1, rows);
        let mut entries = vec![T::default(); block * columns];
        let mut others = vec![T::default(); if matches!(part, ArrayPart::One(_)) { block * columns } else { 0 }];
        let mut bytes = vec![0u8; block * columns * size_of::<T>()];
        let mut digest = Sha256::new();
        for start in (0..rows).step_by(block) {
            let count = block.min(rows - start);
            let range = start..start + count;
            let (entries, bytes) = (&mut entries[..count * columns], &mut bytes[..count * columns * size_of::<T>()]);
            let beside = if others.is_empty() { 0 } else { count * columns };
            if let Some(settled) = self.table.fill(range, part, (&mut *entries, &mut others[..beside]))? {
                self.statistics = Some(self.statistics.unwrap_or_default() + settled);
            }
            if let Some(at) = self.table.first_infinite(entries) {
                let place =
                    format!("{}, {}, column {}", self.table.place(start + at / columns), part.name(), at % columns);
                return Err(InvalidTable::overflow(place, entries[at]).into());
            }
            for (entry, bytes) in entries.iter().zip(bytes.chunks_exact_mut(size_of::<T>())) {
                entry.write_le(bytes);
            }
            digest.update(&*bytes);
            out.write_all(bytes)?;
            (self.progress)(count);
        }
        let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Array { name: part.name(), shape: self.table.shape(part), dtype: T::FORMAT, sha256 })
    }
}
