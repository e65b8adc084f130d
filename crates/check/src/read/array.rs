//! An array in a file, and its rows.

use super::pages::Pages;
use super::{About, InvalidInput, words};
use half::{bf16, f16};
use posproof_numerics::format::Format;
use posproof_numerics::narrow::Narrow;
use posproof_table::Dtype;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

/// An array whose entries lie in a file.
#[derive(Debug)]
pub struct Array {
    pub(super) name: String,
    pub(super) bytes: Arc<Pages>,
    pub(super) dtype: Dtype,
    pub(super) big_endian: bool,
    pub(super) fortran: bool,
    pub(super) shape: Vec<usize>,
    /// True if the entries are codes of 8 bits of a format that the file does not name; `dtype` is then that of bytes.
    pub(super) codes: bool,
    /// Numbers of an entry, one after the other: 2 for a complex one.
    pub(super) parts: usize,
    /// Which of them is read: the first, where that has not been said.
    pub(super) part: Option<usize>,
    /// The axis that counts rows, where it is not the last but one.
    pub(super) rows_axis: Option<usize>,
    /// True if that axis is the only one that has rows, with nothing said of it.
    pub(crate) axis_in_question: bool,
}

/// Positions that are read from a file: as many as this, so that the list stays in memory.
const MAX_POSITIONS: usize = 1 << 24;

/// Entries that are read at a time from a column in Fortran order.
const MAX_SPAN: usize = 1 << 16;

/// Bytes that are read at a time: whole entries of every kind.
const CHUNK: usize = 1 << 14;

impl Array {
    /// Real entries that lie in a file one after the other, little-endian, in C order, from byte `start` on.
    pub(super) fn plain(name: String, (file, start): (File, u64), dtype: Dtype, shape: Vec<usize>) -> Self {
        Self {
            name,
            bytes: Arc::new(Pages::new(file, start)),
            dtype,
            big_endian: false,
            fortran: false,
            shape,
            codes: false,
            parts: 1,
            part: None,
            rows_axis: None,
            axis_in_question: false,
        }
    }

    /// The name that the array was opened by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Storage of the entries.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The array as codes of a format of 8 bits, if one is stated and the entries are bytes.
    pub(super) fn of_codes(self, format: Option<Format>) -> Self {
        match format.filter(|format| format.narrow().is_some() && self.dtype == Dtype::U8) {
            Some(format) => Self { dtype: Dtype::Float(format), codes: false, ..self },
            None => self,
        }
    }

    /// Refuses codes of a format that neither the file nor anybody has named.
    pub(super) fn named(self) -> Result<Self, InvalidInput> {
        if !self.codes {
            return Ok(self);
        }
        let (expected, found) = ("a format that the file names", "'V1': 8 bits of a format that .npy does not name");
        Err(About(&self.name).error("the dtype", expected, found, "state it with --dtype e4m3 or --dtype e5m2"))
    }

    /// True if every entry has a real and an imaginary part; [`Array::read`] gives the real one, and
    /// [`Array::into_parts`] both, as arrays of real numbers.
    pub fn is_complex(&self) -> bool {
        self.parts == 2 && self.part.is_none()
    }

    /// The axis that counts rows: the last but one, unless [`Array::with_rows`] has said otherwise; none for a vector.
    pub fn rows_axis(&self) -> Option<usize> {
        self.rows_axis.or(self.shape.len().checked_sub(2))
    }

    /// The same entries with the rows along another axis, counted from 0; it must not be the last.
    pub fn with_rows(mut self, axis: usize) -> Result<Self, InvalidInput> {
        let axes = self.shape.len().saturating_sub(1);
        if axis >= axes {
            let expected = format!("one of the first {axes} axes of {:?}", self.shape);
            let advice = "the last axis holds the entries of a row";
            return Err(About(&self.name).error("the axis of the rows", expected, format!("axis {axis}"), advice));
        }
        self.rows_axis = Some(axis);
        Ok(self)
    }

    /// The axes that number the tables.
    fn table_axes(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.shape.len().saturating_sub(1)).filter(|&axis| Some(axis) != self.rows_axis())
    }

    /// Number of entries between neighbours along an axis.
    fn stride(&self, axis: usize) -> usize {
        if self.fortran { self.shape[..axis].iter().product() } else { self.shape[axis + 1..].iter().product() }
    }

    /// The number of the first entry of a table.
    fn start_of(&self, slab: usize) -> usize {
        let (mut rest, mut start) = (slab, 0);
        for axis in self.table_axes().rev() {
            start += rest % self.shape[axis] * self.stride(axis);
            rest /= self.shape[axis];
        }
        start
    }

    /// The number of tables [rows, width] that the axes besides make.
    pub fn slabs(&self) -> usize {
        self.table_axes().map(|axis| self.shape[axis]).product()
    }

    /// Number of rows of a table; 1 for a vector.
    pub fn rows(&self) -> usize {
        self.rows_axis().map_or(1, |axis| self.shape[axis])
    }

    /// The last dimension.
    pub fn width(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Rows of one slab, exactly, row after row; `out` becomes rows × width long. Slabs are counted with the last
    /// axis fastest, whatever the order of the file.
    pub fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (width, count) = (self.width(), rows.len());
        out.clear();
        if slab >= self.slabs() || rows.end > self.rows() {
            let found = format!("rows {}..{} of table {slab}", rows.start, rows.end);
            let expected = format!("rows within 0..{} of tables 0..{}", self.rows(), self.slabs());
            return Err(About(&self.name).error("the rows", expected, found, "ask for rows that there are"));
        }
        let between = self.rows_axis().map_or(width, |axis| self.stride(axis));
        let start = self.start_of(slab) + rows.start * between;
        if !self.fortran {
            if between == width {
                return self.decode(start, count * width, out);
            }
            return (0..count).try_for_each(|row| self.decode(start + row * between, width, out));
        }
        out.resize(count * width, 0.0);
        // The rows of a column are read with what lies between them, a bounded number of entries at a time.
        let next_column = self.shape.len().checked_sub(1).map_or(1, |last| self.stride(last));
        let step = (MAX_SPAN / between).max(1);
        let mut span = Vec::new();
        for j in 0..width {
            for part in (0..count).step_by(step) {
                let these = step.min(count - part);
                span.clear();
                self.decode(start + part * between + j * next_column, (these - 1) * between + 1, &mut span)?;
                for i in 0..these {
                    out[(part + i) * width + j] = span[i * between];
                }
            }
        }
        Ok(())
    }

    /// The first `columns` entries of a row of an array in C order, exactly.
    #[cfg(feature = "lint")]
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
        let mut at = (first * self.parts * size) as u64;
        let mut left = count * self.parts * size;
        // A row by itself is short: no more is cleared for it than it has.
        let mut chunk = vec![0u8; left.min(CHUNK)];
        out.reserve(count);
        while left > 0 {
            let bytes = &mut chunk[..left.min(CHUNK)];
            self.bytes.read(bytes, at).map_err(|error| {
                About(&self.name).error(
                    format!("byte {at} of the entries"),
                    format!("{} bytes", bytes.len()),
                    words(&error),
                    "the file changed while it was read: try again",
                )
            })?;
            if self.big_endian {
                bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            }
            let converted = out.len();
            self.convert(bytes, out);
            if self.parts > 1 {
                let entries = (out.len() - converted) / self.parts;
                (0..entries)
                    .for_each(|i| out[converted + i] = out[converted + i * self.parts + self.part.unwrap_or(0)]);
                out.truncate(converted + entries);
            }
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
            Dtype::Float(Format::E4m3) => eight_bits(Narrow::E4m3, bytes, out),
            Dtype::Float(Format::E5m2) => eight_bits(Narrow::E5m2, bytes, out),
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

    /// The real and the imaginary parts, two arrays of one shape: of complex numbers, or of pairs of numbers along a last
    /// axis of 2 (`view_as_real`).
    pub fn into_parts(mut self) -> Result<[Self; 2], InvalidInput> {
        let floats = matches!(self.dtype, Dtype::Float(_));
        if !self.is_complex() && floats && !self.fortran && self.shape.len() > 2 && self.shape.last() == Some(&2) {
            self.shape.pop();
            self.parts = 2;
        }
        let about = About(&self.name);
        if !self.is_complex() {
            let expected = "complex64, complex128, or real and imaginary parts along a last axis of 2";
            let advice = "name two real arrays with --cos and --sin";
            return Err(about.error("the dtype", expected, self.described(), advice));
        }
        let real = Self {
            bytes: Arc::clone(&self.bytes),
            part: Some(0),
            name: format!("{} (real parts)", self.name),
            shape: self.shape.clone(),
            ..self
        };
        let name = format!("{} (imaginary parts)", self.name);
        let imaginary = Self { name, part: Some(1), ..self };
        Ok([real, imaginary])
    }

    /// Contents in words: `f32 in the shape [4, 8]`.
    pub(crate) fn described(&self) -> String {
        let dtype = match (self.is_complex(), self.dtype) {
            (true, Dtype::Float(Format::F32)) => "complex64",
            (true, _) => "complex128",
            (false, Dtype::Float(format)) => format.name(),
            _ => "integers",
        };
        format!("{dtype} in the shape {:?}", self.shape)
    }

    /// The array as positions: whole numbers from 0 to 2^53 − 1, in one dimension.
    pub fn positions(&self) -> Result<Vec<u64>, InvalidInput> {
        let about = About(&self.name);
        let count: usize = self.shape.iter().product();
        if self.is_complex() {
            return Err(about.error("the dtype", "integers", "complex numbers", "check which array is meant"));
        }
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

/// Appends the numbers of codes.
fn eight_bits(format: Narrow, codes: &[u8], out: &mut Vec<f64>) {
    let numbers: [f64; 256] = std::array::from_fn(|code| format.decode(code as u8));
    out.extend(codes.iter().map(|code| numbers[usize::from(*code)]));
}
