//! Arrays that keep what is right in a form of their own: sines as −s, s, and columns of zeros after those of a table.

use super::cache;
use super::duplication::Duplication;
use super::grid::{Grid, like_its_grid};
use super::input::InvalidInput;
use super::levels::Levels;
use super::subject::Subject;
use posproof_numerics::format::Format;
use std::ops::Range;

/// A grid without what is kept besides: the first of each two columns is negated, or columns after so many are left out.
pub(super) struct Kept<'a> {
    grid: &'a dyn Grid,
    negated: Option<Duplication>,
    width: usize,
}

impl<'a> Kept<'a> {
    /// The grid of a subject that is kept so, if one is: the sines of a cache, or a table wider than `dim`.
    pub fn new(subject: Subject<'a>, dim: Option<usize>) -> Result<Option<Self>, InvalidInput> {
        // Nothing is read of an array that is refused.
        subject.check_size()?;
        match (subject, dim) {
            (Subject::Rope { sin: Some(grid), .. }, _) => {
                let way = Duplication::opposite(&cache::sample(grid)?, grid.width());
                Ok(way.map(|way| Self { grid, negated: Some(way), width: grid.width() }))
            }
            (Subject::Sinusoid(grid), Some(width)) if grid.width() > width => {
                let padded = has_zeros_after(grid, width)?;
                Ok(padded.then_some(Self { grid, negated: None, width }))
            }
            _ => Ok(None),
        }
    }

    /// The subject with this grid.
    pub fn subject<'b>(&'b self, subject: Subject<'b>) -> Subject<'b> {
        match subject {
            Subject::Rope { cos, .. } => Subject::Rope { cos, sin: Some(self) },
            Subject::Sinusoid(_) => Subject::Sinusoid(self),
            Subject::Rotation { .. } => subject,
        }
    }
}

/// True if every entry of the columns after so many is 0.
fn has_zeros_after(grid: &dyn Grid, width: usize) -> Result<bool, InvalidInput> {
    let mut buffer = Vec::new();
    for slab in 0..grid.slabs() {
        for row in 0..grid.rows() {
            grid.read(slab, row..row + 1, &mut buffer)?;
            if buffer.iter().skip(width).any(|entry| *entry != 0.0) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

impl Grid for Kept<'_> {
    like_its_grid!(name: &str, format: Format, slabs: usize, rows: usize, levels: Option<Levels>, leading: Vec<(usize, usize)>);

    fn width(&self) -> usize {
        self.width
    }

    fn note(&self) -> Option<String> {
        let kept = match self.negated {
            Some(_) => "sines kept as −s and s for kernels that add".to_owned(),
            None => format!("{} columns of zeros after {}", self.grid.width() - self.width, self.width),
        };
        Some(self.grid.note().map_or_else(|| kept.clone(), |note| format!("{note}, {kept}")))
    }

    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.grid.read(slab, rows, out)?;
        let whole = self.grid.width().max(1);
        match self.negated {
            Some(way) => {
                let first = |column: usize| way.is_first(column, whole);
                let entries = out.iter_mut().enumerate().filter(|(at, _)| first(at % whole));
                // 0 − 0 is 0, whatever its sign.
                entries.for_each(|(_, entry)| *entry = 0.0 - *entry);
            }
            None => {
                let mut at = 0;
                out.retain(|_| {
                    at += 1;
                    (at - 1) % whole < self.width
                });
            }
        }
        Ok(())
    }
}
