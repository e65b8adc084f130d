//! Subjects whose integers are put on the levels that the data have.

use super::search::levels;
use super::steps::step;
use super::{Integers, Levels};
use crate::Invalid;
use crate::faults::RoundingMode;
use crate::grid::{Grid, like_its_grid, of_unknown_integers};
use crate::input::{About, InvalidInput};
use crate::subject::Subject;
use crate::view::count;
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use std::ops::Range;

/// A grid on levels that were found, in place of none or of those that were stated.
pub(crate) struct OnLevels<'a> {
    grid: &'a dyn Grid,
    levels: Levels,
}

/// The integers themselves of a grid on stated levels.
struct Unstated<'a> {
    grid: &'a dyn Grid,
    levels: Levels,
}

/// The grids of a subject on the levels that their integers have.
pub(crate) struct Quantised<'a> {
    subject: Subject<'a>,
    grids: Vec<OnLevels<'a>>,
}

/// One number of so many may be no multiple of a step that the others are multiples of.
const OTHERS: u64 = 1000;

/// A subject's statement, besides its entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statement {
    /// The layout, where one is stated.
    pub layout: Option<Layout>,
    /// The amplitude; 1 where none is stated.
    pub amplitude: Option<f64>,
    /// The format before the entries were quantised.
    pub before: Option<Format>,
}

impl Statement {
    /// Statement of a convention and a format.
    pub fn of(convention: &Convention, before: Option<Format>) -> Self {
        let amplitude = Some(convention.gain().enclose(64).abs().approximate());
        Self { layout: Some(convention.layout), amplitude: amplitude.filter(|gain| *gain > 0.0), before }
    }

    /// Statement of a format alone.
    #[cfg(feature = "axes")]
    pub fn only(before: Option<Format>) -> Self {
        Self { before, ..Self::default() }
    }
}

impl<'a> Quantised<'a> {
    /// A subject with grids of integers of which nothing says what they stand for; none if it has no such grids.
    ///
    /// # Errors
    ///
    /// Where the data leave that open.
    pub fn new(subject: Subject<'a>, statement: Statement) -> Result<Option<Self>, Invalid> {
        let judged: Vec<&dyn Grid> = subject.grids().into_iter().map(|(_, grid)| grid).collect();
        let x = if let Subject::Rotation { x, .. } = subject { Some(x) } else { None };
        let open = |grid: &&dyn Grid| grid.integers().is_some();
        if !judged.iter().copied().chain(x).any(|grid| open(&grid)) {
            return Ok(None);
        }
        let Some(first) = judged.first().copied() else { return Ok(None) };
        subject.check_extent()?;
        if let Some(format) = statement.before.filter(|format| format.narrow().is_some()) {
            let (expected, found) = (format!("entries in {format}"), "integers");
            let advice = "state the format before they were quantised, or write codes as bytes without sign";
            return Err(About(first.name()).error("the dtype", expected, found, advice).into());
        }
        let place = |found: &str| of_unknown_integers(first, found);
        if x.is_some_and(|x| open(&x)) {
            return Err(place("vectors of integers, which stand for the same at every step").into());
        }
        let integers = first.integers();
        let (Some(integers), true) = (integers, judged.iter().all(|grid| grid.integers() == integers)) else {
            return Err(place("integers beside other entries").into());
        };
        if subject.is_half() {
            return Err(place("one part of a cache, which has no lengths").into());
        }
        match search(subject, integers, statement)? {
            None => Err(place("no step under which they have the lengths of a rotation").into()),
            Some(levels) => {
                let grids = judged.into_iter().map(|grid| OnLevels { grid, levels }).collect();
                Ok(Some(Self { subject, grids }))
            }
        }
    }

    /// A subject of numbers that are multiples of a step, but for a few, on that step.
    pub fn in_steps(subject: Subject<'a>) -> Result<Option<Self>, Invalid> {
        let judged: Vec<&dyn Grid> = subject.grids().into_iter().map(|(_, grid)| grid).collect();
        if judged.iter().any(|grid| grid.levels().is_some()) {
            return Ok(None);
        }
        let Some((levels, bits)) = step(&judged)? else { return Ok(None) };
        let (mut between, mut all) = (0, 0);
        for grid in &judged {
            between += count(*grid, |x| levels.is_between(x))?;
            all += (grid.slabs() * grid.rows() * grid.width()) as u64;
        }
        let on = |grid: &&'a dyn Grid| OnLevels { grid: *grid, levels: levels.of_multiples(bits).after(grid.format()) };
        let grids = judged.iter().map(on).collect();
        Ok((OTHERS * between <= all).then_some(Self { subject, grids }))
    }

    /// A subject with integers of 8 bits on stated levels, on those that its data have, where these are others; one of numbers that are multiples
    /// of a step which is not stated, on that.
    pub fn otherwise(subject: Subject<'a>, statement: Statement) -> Result<Option<Self>, Invalid> {
        let judged: Vec<&dyn Grid> = subject.grids().into_iter().map(|(_, grid)| grid).collect();
        let stated = judged.first().and_then(|grid| grid.levels());
        if judged.iter().all(|grid| grid.levels().is_none()) {
            return Self::in_steps(subject);
        }
        let Some((stated, integers)) = stated.and_then(|stated| Some((stated, stated.of_a_byte()?))) else {
            return Ok(None);
        };
        if subject.is_half() || judged.iter().any(|grid| grid.levels() != Some(stated)) {
            return Ok(None);
        }
        let raw: Vec<Unstated<'_>> = judged.iter().map(|grid| Unstated { grid: *grid, levels: stated }).collect();
        let raw = subject.with(raw.iter().map(|grid| grid as &dyn Grid));
        let Some(found) = search(raw, integers, statement)? else { return Ok(None) };
        let within = found.found_within().unwrap_or(0.0);
        let same = found.zero == stated.zero && (found.step - stated.step).abs() <= within * stated.step;
        let levels = Levels { before: stated.before, ..found };
        let grids = judged.into_iter().map(|grid| OnLevels { grid, levels }).collect();
        Ok((!same).then_some(Self { subject, grids }))
    }

    /// Levels whose entries are rounded to another neighbour than the nearest.
    pub fn rounded(&self, rounding: RoundingMode) -> Quantised<'a> {
        let of = |on: &OnLevels<'a>| OnLevels { grid: on.grid, levels: on.levels.rounded(Some(rounding)) };
        Quantised { subject: self.subject, grids: self.grids.iter().map(of).collect() }
    }

    /// The levels.
    pub fn levels(&self) -> Option<Levels> {
        self.grids.first().map(|grid| grid.levels)
    }

    /// Levels as somebody states them, without the room that an estimate has.
    pub fn exactly(&self) -> Quantised<'a> {
        let exact = |on: &OnLevels<'a>| OnLevels { grid: on.grid, levels: on.levels.exactly() };
        Quantised { subject: self.subject, grids: self.grids.iter().map(exact).collect() }
    }

    /// The subject on them.
    pub fn subject(&self) -> Subject<'_> {
        self.subject.with(self.grids.iter().map(|grid| grid as &dyn Grid))
    }
}

fn search(subject: Subject<'_>, integers: Integers, statement: Statement) -> Result<Option<Levels>, Invalid> {
    let found = levels(subject, integers, (statement.layout, statement.amplitude.unwrap_or(1.0).abs()))?;
    let bits = |levels: Levels| levels.of_integers(8, integers.least < 0);
    Ok(found.map(bits).map(|levels| statement.before.map_or(levels, |format| levels.after(format))))
}

impl Grid for OnLevels<'_> {
    like_its_grid!(name: &str, slabs: usize, rows: usize, width: usize, note: Option<String>, leading: Vec<(usize, usize)>, is_axis_in_question: bool);

    fn format(&self) -> Format {
        if self.levels.multiples { self.levels.held_in(self.grid.format()) } else { self.levels.computed_in() }
    }
    fn levels(&self) -> Option<Levels> {
        Some(self.levels)
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.grid.read(slab, rows, out)?;
        if self.levels.multiples {
            return Ok(());
        }
        let before = self.grid.levels();
        let integer = |entry: f64| before.map_or(entry, |levels| levels.integer(entry));
        out.iter_mut().for_each(|entry| *entry = self.levels.value(integer(*entry)));
        Ok(())
    }
}

impl Grid for Unstated<'_> {
    like_its_grid!(name: &str, format: Format, slabs: usize, rows: usize, width: usize);

    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.grid.read(slab, rows, out)?;
        out.iter_mut().for_each(|entry| *entry = self.levels.integer(*entry));
        Ok(())
    }
}
