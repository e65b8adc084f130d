//! Grids that are made of grids: in the format that their entries should have, or of a part of their columns.

use super::grid::{Grid, like_its_grid};
use super::input::{About, InvalidInput};
use super::levels::{Integers, Levels};
use super::subject::Subject;
use posproof_numerics::format::Format;
use std::ops::Range;

/// A grid whose entries should be numbers of a narrower format than that of the array which holds them, as NumPy has
/// to hold those of bfloat16.
pub(super) struct StatedGrid<'a> {
    grid: &'a dyn Grid,
    format: Format,
}

/// The grids of a subject, as numbers of a stated format.
pub(super) struct StatedGrids<'a> {
    subject: Subject<'a>,
    grids: Vec<StatedGrid<'a>>,
}

/// The format that entries are judged in: the stated one, where their own holds its numbers.
pub(super) fn narrowest(own: Format, stated: Option<Format>) -> Format {
    stated.filter(|stated| holds(*stated, own)).unwrap_or(own)
}

/// Formats of entries narrower than one, the narrowest first.
pub(crate) fn narrower(own: Format) -> impl Iterator<Item = Format> {
    Format::STORED.into_iter().rev().filter(move |format| format.precision() < own.precision())
}

/// The narrowest format of which all values are numbers, if it is narrower than their own. What every format has, 0 and ±1, says
/// nothing of formats of 8 bits.
pub(crate) fn narrowest_of(own: Format, values: impl Iterator<Item = f64> + Clone) -> Option<Format> {
    let telling = values.clone().any(|x| x != 0.0 && x.abs() != 1.0);
    let mut formats = narrower(own).filter(|format| telling || format.narrow().is_none());
    formats.find(|format| values.clone().all(|x| format.round(x) == x))
}

/// True if every number of the first format is one of the second.
fn holds(narrow: Format, wide: Format) -> bool {
    narrow.precision() <= wide.precision()
        && narrow.max_finite() <= wide.max_finite()
        && narrow.min_positive() >= wide.min_positive()
}

impl<'a> StatedGrids<'a> {
    /// The grids that are judged, each in the stated format where its own holds that; `None` where nothing changes.
    pub fn new(subject: Subject<'a>, stated: Option<Format>) -> Option<Self> {
        stated?;
        let grids = subject.grids().into_iter();
        let grids = grids.map(|(_, grid)| StatedGrid { grid, format: narrowest(grid.format(), stated) });
        let grids: Vec<StatedGrid<'a>> = grids.collect();
        grids.iter().any(|grid| grid.format != grid.grid.format()).then_some(Self { subject, grids })
    }

    /// Subject in its place.
    pub fn subject(&self) -> Subject<'_> {
        self.subject.with(self.grids.iter().map(|grid| grid as &dyn Grid))
    }
}

/// Entries that are read at a time.
pub(super) const ENTRIES_AT_A_TIME: usize = 1 << 16;

/// The number of entries of a grid that are so.
pub(crate) fn count(grid: &dyn Grid, is: impl Fn(f64) -> bool) -> Result<u64, InvalidInput> {
    let (mut buffer, mut count) = (Vec::new(), 0);
    let step = (ENTRIES_AT_A_TIME / grid.width().max(1)).max(1);
    for slab in 0..grid.slabs() {
        for first in (0..grid.rows()).step_by(step) {
            grid.read(slab, first..(first + step).min(grid.rows()), &mut buffer)?;
            count += buffer.iter().filter(|x| is(**x)).count() as u64;
        }
    }
    Ok(count)
}

/// A grid's note, with what its integers stand for, and how many entries are no multiples of the step.
pub(super) fn noted(grid: &dyn Grid) -> Result<Option<String>, InvalidInput> {
    let Some(levels) = grid.levels() else { return Ok(grid.note()) };
    let mut note = grid.note().map_or_else(String::new, |note| format!("{note}; "));
    note += &levels.note();
    let between = if levels.are_stored() { 0 } else { count(grid, |x| levels.is_between(x))? };
    match between {
        0 => {}
        1 => note += "; 1 entry is between them",
        between => note += &format!("; {between} entries are between them"),
    }
    Ok(Some(note))
}

/// True if every finite entry of a subject is a number of a format.
#[cfg(feature = "axes")]
pub(crate) fn are_of(subject: Subject<'_>, format: Format) -> Result<bool, InvalidInput> {
    let mut got = Vec::new();
    for (_, grid) in subject.grids() {
        let step = (ENTRIES_AT_A_TIME / grid.width().max(1)).max(1);
        for slab in 0..grid.slabs() {
            for start in (0..grid.rows()).step_by(step) {
                grid.read(slab, start..(start + step).min(grid.rows()), &mut got)?;
                if got.iter().any(|got| got.is_finite() && format.round(*got) != *got) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Number of entries of a grid that are no numbers of a format that its own holds.
pub(super) fn others(grid: &dyn Grid, stated: Format) -> Result<u64, InvalidInput> {
    if grid.format() == stated || !holds(stated, grid.format()) {
        return Ok(0);
    }
    count(grid, |x| x.is_finite() && stated.round(x) != x)
}

impl Grid for StatedGrid<'_> {
    like_its_grid!(name: &str, slabs: usize, rows: usize, width: usize, note: Option<String>, levels: Option<Levels>, leading: Vec<(usize, usize)>);

    fn format(&self) -> Format {
        self.format
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.grid.read(slab, rows, out)
    }
}

/// The cosines or the sines of a cache [rows, 2·pairs] that holds both side by side, as vLLM's `cos_sin_cache` does.
///
/// ```
/// use posproof_check::{Expectation, Half, Slice, Subject, check};
/// use posproof_encoding::convention::Convention;
///
/// let angle = |i: usize| (i / 4) as f32 * 100f32.powf(-((i % 2) as f32));
/// let cache: Vec<f32> = (0..400).map(|i| if i % 4 < 2 { angle(i).cos() } else { angle(i).sin() }).collect();
/// let cache = Slice::new("cos_sin_cache", &cache, 4)?;
/// let [cos, sin] = Half::both(&cache)?;
/// let convention = Convention::rope(4);
/// assert!(check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &Expectation::new(convention))?.conforms);
/// # Ok::<(), posproof_check::Invalid>(())
/// ```
pub struct Half<'a> {
    grid: &'a dyn Grid,
    second: bool,
}

impl<'a> Half<'a> {
    /// The cosines, which stand first, and the sines; refuses rows of an odd width.
    pub fn both(grid: &'a dyn Grid) -> Result<[Self; 2], InvalidInput> {
        if grid.width() == 0 || !grid.width().is_multiple_of(2) {
            let advice = "name cosines and sines with --cos and --sin";
            let expected = "an even width: as many cosines as sines";
            return Err(About(grid.name()).error("the last dimension", expected, grid.width().to_string(), advice));
        }
        Ok([false, true].map(|second| Self { grid, second }))
    }
}

impl Grid for Half<'_> {
    like_its_grid!(name: &str, format: Format, slabs: usize, rows: usize, levels: Option<Levels>, integers: Option<Integers>, leading: Vec<(usize, usize)>);

    fn width(&self) -> usize {
        self.grid.width() / 2
    }
    fn note(&self) -> Option<String> {
        let half = if self.second { "second half of the columns" } else { "first half of the columns" };
        Some(self.grid.note().map_or_else(|| half.to_owned(), |note| format!("{half}, {note}")))
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let count = rows.len();
        self.grid.read(slab, rows, out)?;
        let (whole, half) = (self.grid.width(), self.width());
        let start = if self.second { half } else { 0 };
        if out.len() == count * whole {
            // The half of row i moves to the front, where halves of earlier rows end.
            (0..count).for_each(|row| {
                let from = row * whole + start;
                out.copy_within(from..from + half, row * half);
            });
            out.truncate(count * half);
        }
        Ok(())
    }
}
