//! Arrays that are judged: two-dimensional tables of numbers, in files or in memory.

use crate::input::{About, InvalidInput};
use crate::levels::{Integers, Levels};
#[cfg(feature = "files")]
use crate::read::Array;
use posproof_numerics::format::Format;
#[cfg(feature = "files")]
use posproof_table::Dtype;
use posproof_table::Element;
use std::ops::Range;

/// Tables [rows, width] of floating-point numbers, as many as the leading dimensions make.
pub trait Grid: Sync {
    /// Its name in messages.
    fn name(&self) -> &str;
    /// The format of the entries.
    fn format(&self) -> Format;
    /// The number of tables.
    fn slabs(&self) -> usize;
    /// Rows of a table: one for each position.
    fn rows(&self) -> usize;
    /// Entries of a row.
    fn width(&self) -> usize;
    /// Its making, where its name does not say it, for the report: which axis counts positions, which part is meant.
    fn note(&self) -> Option<String> {
        None
    }
    /// The axes, by number and size, whose places number the tables, the last one fastest; empty if there are none of a larger
    /// array.
    fn leading(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }
    /// True if the rows were looked for along an axis, while the last but one has one entry: what that is, neither positions nor a
    /// stated axis say.
    fn is_axis_in_question(&self) -> bool {
        false
    }
    /// The levels that its entries are, if they are on an integer grid; a rotation's vectors may be on another.
    fn levels(&self) -> Option<Levels> {
        None
    }
    /// The integers that its entries are, where nothing says what these stand for: that is looked for in the data.
    fn integers(&self) -> Option<Integers> {
        None
    }
    /// Rows of one table, exactly; `out` becomes rows × width long.
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput>;
}

/// The axes of an array but those of the rows and of their entries, which number its tables: number and size of each that has
/// another number of places than one.
pub fn leading(rows: Option<usize>, shape: &[usize]) -> Vec<(usize, usize)> {
    let axes = shape.iter().copied().enumerate().take(shape.len().saturating_sub(1));
    axes.filter(|&(axis, size)| Some(axis) != rows && size != 1).collect()
}

/// The axis that counts positions, if it is not the last but one, and the axes that number the tables, if there are several.
pub fn note(rows: usize, shape: &[usize]) -> Option<String> {
    let tables = leading(Some(rows), shape);
    if rows + 2 == shape.len() && tables.len() < 2 {
        return None;
    }
    let axes: Vec<String> = tables.iter().map(|(axis, _)| axis.to_string()).collect();
    let numbered = match &axes[..] {
        [first @ .., last] if !first.is_empty() => {
            format!("; heads are numbered along axes {} and {last}", first.join(", "))
        }
        _ => String::new(),
    };
    Some(format!("positions along axis {rows} of {shape:?}{numbered}"))
}

/// Methods of a grid that is made of the grid in its field `grid`, and has them like that.
macro_rules! like_its_grid {
    ($($method:ident: $what:ty),*) => {
        $(fn $method(&self) -> $what {
            self.grid.$method()
        })*
    };
}
pub(crate) use like_its_grid;

/// An [`Array`] whose entries are floating-point numbers, or integers that stand for such.
#[cfg(feature = "files")]
pub struct FloatArray {
    pub(crate) array: Array,
    pub(crate) format: Format,
    levels: Option<Levels>,
}

#[cfg(feature = "files")]
impl FloatArray {
    /// The array, if it holds floating-point numbers.
    pub fn new(array: Array) -> Result<Self, InvalidInput> {
        if array.is_complex() {
            // A complex number is not cast but taken apart: a cast would drop its imaginary part, which is the sine.
            let advice = "name cosines and sines in one with --freqs-cis, or save z.real as cos and z.imag as sin";
            return Err(About(array.name()).error("the dtype", "real numbers", array.described(), advice));
        }
        match array.dtype() {
            Dtype::Float(format) => Ok(Self { array, format, levels: None }),
            // A judgement finds what they stand for, or refuses them.
            Dtype::I8 | Dtype::U8 => Ok(Self { array, format: Format::Bf16, levels: None }),
            _ => Err(About(array.name()).error(
                "the dtype",
                "floating-point numbers",
                "integers",
                "state what one of them stands for with --step; or check which array is meant",
            )),
        }
    }

    /// The array on an integer grid: what its integers stand for, or numbers that are multiples of the step.
    pub fn on(array: Array, levels: Levels) -> Result<Self, InvalidInput> {
        match array.dtype() {
            Dtype::Float(format) => {
                Ok(Self { levels: Some(levels), format: levels.held_in(format), ..Self::new(array)? })
            }
            integers => {
                let levels = levels.of_integers(8 * integers.bytes() as i32, integers.is_signed());
                Ok(Self { array, format: levels.computed_in(), levels: Some(levels) })
            }
        }
    }
}

#[cfg(feature = "files")]
impl Grid for FloatArray {
    fn name(&self) -> &str {
        self.array.name()
    }
    fn format(&self) -> Format {
        self.format
    }
    fn slabs(&self) -> usize {
        self.array.slabs()
    }
    fn rows(&self) -> usize {
        self.array.rows()
    }
    fn width(&self) -> usize {
        self.array.width()
    }
    fn note(&self) -> Option<String> {
        note(self.array.rows_axis()?, self.array.shape())
    }
    fn leading(&self) -> Vec<(usize, usize)> {
        leading(self.array.rows_axis(), self.array.shape())
    }
    fn is_axis_in_question(&self) -> bool {
        self.array.axis_in_question
    }
    fn levels(&self) -> Option<Levels> {
        self.levels
    }
    fn integers(&self) -> Option<Integers> {
        let byte = |signed| self.levels.is_none().then(|| Integers::of_a_byte(signed));
        match self.array.dtype() {
            Dtype::I8 => byte(true),
            Dtype::U8 => byte(false),
            _ => None,
        }
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.array.read(slab, rows, out)?;
        if let (Some(levels), false) = (self.levels, matches!(self.array.dtype(), Dtype::Float(_))) {
            out.iter_mut().for_each(|entry| *entry = levels.value(*entry));
        }
        Ok(())
    }
}

/// A table in memory, row after row.
pub struct Slice<'a, T> {
    name: &'a str,
    entries: &'a [T],
    width: usize,
}

impl<'a, T: Element> Slice<'a, T> {
    /// Entries in rows of `width`; refuses a length that is no multiple of it.
    pub fn new(name: &'a str, entries: &'a [T], width: usize) -> Result<Self, InvalidInput> {
        if width == 0 || entries.is_empty() || !entries.len().is_multiple_of(width) {
            let expected = format!("whole rows of {width} entries");
            let found = format!("{} entries", entries.len());
            return Err(About(name).error("the slice", expected, found, "check the width"));
        }
        Ok(Self { name, entries, width })
    }
}

impl<T: Element> Grid for Slice<'_, T> {
    fn name(&self) -> &str {
        self.name
    }
    fn format(&self) -> Format {
        T::FORMAT
    }
    fn slabs(&self) -> usize {
        1
    }
    fn rows(&self) -> usize {
        self.entries.len() / self.width
    }
    fn width(&self) -> usize {
        self.width
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let part = self.entries.get(rows.start.saturating_mul(self.width)..rows.end.saturating_mul(self.width));
        let Some(part) = part.filter(|_| slab == 0) else {
            let found = format!("rows {}..{} of table {slab}", rows.start, rows.end);
            let expected = format!("rows within 0..{} of table 0", self.rows());
            return Err(About(self.name).error("the rows", expected, found, "ask for rows that there are"));
        };
        out.clear();
        out.extend(part.iter().map(|x| x.to_f64()));
        Ok(())
    }
}

/// Refusal of integers of which nothing says what they stand for.
pub(crate) fn of_unknown_integers(grid: &dyn Grid, found: &str) -> InvalidInput {
    let expected = "integers whose pairs show what they stand for";
    let advice = "state the step with --step, and the integer that stands for 0 with --zero-point";
    About(grid.name()).error("the integers", expected, found, advice)
}

/// Refuses integers of which nothing says what they stand for.
pub(crate) fn require_stated(grid: &dyn Grid) -> Result<(), InvalidInput> {
    grid.integers().map_or(Ok(()), |_| Err(of_unknown_integers(grid, "integers without a step")))
}
