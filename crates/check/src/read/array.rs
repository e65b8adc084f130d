//! An array in a file, and its rows.

use super::{About, InvalidInput, words};
use half::{bf16, f16};
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use std::fs::File;
use std::ops::Range;

/// An array whose entries lie in a file.
#[derive(Debug)]
pub struct Array {
    pub(super) name: String,
    pub(super) file: File,
    pub(super) start: u64,
    pub(super) dtype: Dtype,
    pub(super) big_endian: bool,
    pub(super) fortran: bool,
    pub(super) shape: Vec<usize>,
}

/// Positions that are read from a file: as many as this, so that the list stays in memory.
const MAX_POSITIONS: usize = 1 << 24;

/// Entries that are read at a time from a column in Fortran order.
const MAX_SPAN: usize = 1 << 16;

/// Bytes that are read at a time: whole entries of every kind.
const CHUNK: usize = 1 << 14;

impl Array {
    /// The name that the array was opened by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the entries are stored as.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of tables [positions, width] that the leading dimensions make.
    pub fn slabs(&self) -> usize {
        self.shape[..self.shape.len().saturating_sub(2)].iter().product()
    }

    /// The last dimension but one; 1 if there is none.
    pub fn rows(&self) -> usize {
        if self.shape.len() < 2 { 1 } else { self.shape[self.shape.len() - 2] }
    }

    /// The last dimension.
    pub fn width(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Rows of one slab, exactly, row after row; `out` becomes rows × width long. Slabs are counted
    /// in the order of the file.
    pub fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (width, count) = (self.width(), rows.len());
        out.clear();
        if slab >= self.slabs() || rows.end > self.rows() {
            let found = format!("rows {}..{} of table {slab}", rows.start, rows.end);
            let expected = format!("rows within 0..{} of tables 0..{}", self.rows(), self.slabs());
            return Err(About(&self.name).error("the rows", expected, found, "ask for rows that there are"));
        }
        if !self.fortran {
            return self.decode((slab * self.rows() + rows.start) * width, count * width, out);
        }
        out.resize(count * width, 0.0);
        // Entry (slab, row, column) has the number slab + slabs·(row + rows·column): the rows of a column are
        // read with what lies between them, a bounded number of entries at a time.
        let slabs = self.slabs();
        let step = (MAX_SPAN / slabs).max(1);
        let mut span = Vec::new();
        for j in 0..width {
            for part in (0..count).step_by(step) {
                let these = step.min(count - part);
                span.clear();
                let first = slab + slabs * (rows.start + part + self.rows() * j);
                self.decode(first, (these - 1) * slabs + 1, &mut span)?;
                for i in 0..these {
                    out[(part + i) * width + j] = span[i * slabs];
                }
            }
        }
        Ok(())
    }

    /// The first `columns` entries of a row of an array in C order, exactly.
    pub(crate) fn read_part(&self, row: usize, columns: usize, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (rows, width) = (self.rows() * self.slabs(), self.width());
        if row >= rows || columns > width || self.fortran {
            let found = format!("{columns} entries of row {row}");
            let expected = format!("at most {width} entries of rows 0..{rows}");
            return Err(About(&self.name).error("the rows", expected, found, "ask for rows that there are"));
        }
        out.clear();
        self.decode(row * width, columns, out)
    }

    /// Appends `count` entries, from number `first` on in the order of the file.
    fn decode(&self, first: usize, count: usize, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let size = self.dtype.bytes();
        let mut chunk = [0u8; CHUNK];
        let mut at = self.start + (first * size) as u64;
        let mut left = count * size;
        out.reserve(count);
        while left > 0 {
            let bytes = &mut chunk[..left.min(CHUNK)];
            read_at(&self.file, bytes, at).map_err(|error| {
                About(&self.name).error(
                    format!("byte {at}"),
                    format!("{} bytes", bytes.len()),
                    words(&error),
                    "the file changed while it was read: try again",
                )
            })?;
            if self.big_endian {
                bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            }
            self.convert(bytes, out);
            at += bytes.len() as u64;
            left -= bytes.len();
        }
        Ok(())
    }

    /// Appends the numbers that little-endian bytes hold.
    fn convert(&self, bytes: &[u8], out: &mut Vec<f64>) {
        macro_rules! numbers {
            ($kind:ty, $to:expr) => {
                out.extend(bytes.as_chunks().0.iter().map(|bytes| $to(<$kind>::from_le_bytes(*bytes))))
            };
        }
        match self.dtype {
            Dtype::Float(Format::F64) => numbers!(f64, |x| x),
            Dtype::Float(Format::F32) => numbers!(f32, f64::from),
            Dtype::Float(Format::F16) => numbers!(f16, f64::from),
            Dtype::Float(Format::Bf16) => numbers!(bf16, f64::from),
            Dtype::I8 => numbers!(i8, f64::from),
            Dtype::U8 => numbers!(u8, f64::from),
            Dtype::I16 => numbers!(i16, f64::from),
            Dtype::U16 => numbers!(u16, f64::from),
            Dtype::I32 => numbers!(i32, f64::from),
            Dtype::U32 => numbers!(u32, f64::from),
            Dtype::I64 => numbers!(i64, |x| x as f64),
            Dtype::U64 => numbers!(u64, |x| x as f64),
        }
    }

    /// The array as positions: whole numbers from 0 to 2^53 − 1, in one dimension.
    pub fn positions(&self) -> Result<Vec<u64>, InvalidInput> {
        let about = About(&self.name);
        let count: usize = self.shape.iter().product();
        if self.shape.iter().filter(|&&n| n != 1).count() > 1 || count > MAX_POSITIONS {
            let expected = format!("one dimension of at most {MAX_POSITIONS} positions");
            return Err(about.error("the shape", expected, format!("{:?}", self.shape), "write them as one list"));
        }
        let mut values = Vec::new();
        self.decode(0, count, &mut values)?;
        let whole = |x: &f64| *x >= 0.0 && *x < posproof_table::LIMIT as f64 && x.fract() == 0.0;
        match values.iter().position(|x| !whole(x)) {
            Some(at) => Err(about.error(
                format!("entry {at}"),
                "a whole number from 0 to 2^53 − 1",
                values[at].to_string(),
                "give positions as integers, and an offset with --position-offset",
            )),
            None => Ok(values.into_iter().map(|x| x as u64).collect()),
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            n => {
                bytes = &mut bytes[n..];
                at += n as u64;
            }
        }
    }
    Ok(())
}
