//! ColumnsOfSlots of the entries of a row: which slot, and which part of it.

use crate::Invalid;
use crate::cache::sample;
use crate::faults::{ArrayCause, DUPLICATIONS, Finding};
use crate::grid::Grid;
use crate::input::{About, InvalidInput};
use crate::subject::Subject;
use posproof_encoding::axes::{AxialLaw, AxialLayout};
use posproof_encoding::convention::{Component, Order};

/// ColumnsOfSlots of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// The cosine or the sine of a slot.
    Part(usize, Component),
    /// The first or the second entry of a rotated pair: the entries that it is computed from, the slot that turns it, that of its sine.
    Turned { read: (usize, usize), slot: usize, sine: usize, second: bool },
    /// The entry of the vector in this place, as it is.
    Kept(usize),
}

impl Cell {
    /// The slot, of which entries that are not rotated have none.
    pub fn slot(self) -> Option<usize> {
        match self {
            Self::Part(slot, _) | Self::Turned { slot, .. } => Some(slot),
            Self::Kept(_) => None,
        }
    }

    /// The component; of a rotated pair the first entry is its cosine.
    pub fn component(self) -> Option<Component> {
        match self {
            Self::Part(_, component) => Some(component),
            Self::Turned { second, .. } => Some(if second { Component::Sin } else { Component::Cos }),
            Self::Kept(_) => None,
        }
    }
}

/// The cells of every grid of a subject, column by column, and how the columns of a cache stand for its slots.
pub(crate) fn cells(subject: Subject<'_>, law: &AxialLaw) -> Result<(Vec<Vec<Cell>>, Option<&'static str>), Invalid> {
    let mut said = None;
    let mut all = Vec::new();
    for (component, grid) in subject.grids() {
        let cells = match (subject, component) {
            (Subject::Rotation { .. }, _) => turned(law),
            (_, None) => joined(law),
            (_, Some(component)) => {
                let (name, columns) = meanings(grid, law)?.swap_remove(0);
                said.get_or_insert(name);
                columns.into_iter().map(|slot| Cell::Part(slot, component)).collect()
            }
        };
        if cells.len() != grid.width() {
            return Err(wide(grid, &[cells.len()]).into());
        }
        all.push(cells);
    }
    Ok((all, said))
}

fn wide(grid: &dyn Grid, widths: &[usize]) -> InvalidInput {
    let expected = widths.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
    let advice = "check dim, span and slots of the convention, and which array is meant";
    About(grid.name()).error("the last dimension", expected, grid.width().to_string(), advice)
}

/// A row of a sinusoid.
fn joined(law: &AxialLaw) -> Vec<Cell> {
    let mut cells = vec![Cell::Kept(0); law.convention().dim];
    for turn in law.turns() {
        let slot = turn.slots.0;
        let (sin, cos) = match law.order(slot) {
            Order::SinCos => turn.write,
            Order::CosSin => (turn.write.1, turn.write.0),
        };
        (cells[sin], cells[cos]) = (Cell::Part(slot, Component::Sin), Cell::Part(slot, Component::Cos));
    }
    cells
}

/// True of a layout that repeats columns axis by axis, or block by block.
pub(crate) fn repeats_by_axis(law: &AxialLaw) -> bool {
    matches!(law.convention().layout, AxialLayout::AxisHalves | AxialLayout::BlockHalves(_))
}

/// The finding that no one meaning of columns is that of the cosines and that of the sines, if it is so, under a layout that repeats columns
/// axis by axis. Those of other layouts are compared as along one axis.
pub(super) fn unlike(subject: Subject<'_>, law: &AxialLaw) -> Result<Option<Finding>, Invalid> {
    let (true, Subject::Rope { cos: Some(cos), sin: Some(sin) }) = (repeats_by_axis(law), subject) else {
        return Ok(None);
    };
    let (cos, sin) = (meanings(cos, law)?, meanings(sin, law)?);
    let alike = cos.iter().any(|(_, columns)| sin.iter().any(|(_, other)| columns == other));
    let name =
        |ways: &[ColumnsOfSlots]| ways.first().map_or("none", |(name, _)| if *name == "slots" { "none" } else { name });
    let cause = || ArrayCause::Duplications { cos: name(&cos), sin: name(&sin) };
    Ok((!alike).then(|| Finding::new(&DUPLICATIONS, cause().into())))
}

/// A rotated vector.
fn turned(law: &AxialLaw) -> Vec<Cell> {
    let mut cells: Vec<Cell> = (0..law.convention().dim).map(Cell::Kept).collect();
    for turn in law.turns() {
        let turned = |slot, sine, second| Cell::Turned { read: turn.read, slot, sine, second };
        cells[turn.write.0] = turned(turn.slots.0, turn.sines.0, false);
        cells[turn.write.1] = turned(turn.slots.1, turn.sines.1, true);
    }
    cells
}

/// A way in which columns stand for slots: its name, and the slot of every column.
type ColumnsOfSlots = (&'static str, Vec<usize>);

/// Meanings of the columns of a cache, one at least: one column for each slot, or as wide as the span. What its values repeat decides how a
/// wide one stands for the slots; where that leaves it open, the layout's own is the first.
fn meanings(grid: &dyn Grid, law: &AxialLaw) -> Result<Vec<ColumnsOfSlots>, Invalid> {
    let ([start, end], slots) = (law.span(), law.slots());
    let span = end - start;
    if grid.width() == slots {
        return Ok(vec![("slots", (0..slots).collect())]);
    }
    if grid.width() != span {
        return Err(wide(grid, &[slots, span]).into());
    }
    let mut own = vec![0; span];
    for turn in law.turns() {
        (own[turn.write.0 - start], own[turn.write.1 - start]) = turn.slots;
    }
    let name = match law.convention().layout {
        AxialLayout::Interleaved => "repeated",
        AxialLayout::Halves | AxialLayout::InterleavedToHalves => "halves",
        AxialLayout::AxisHalves => "axis-halves",
        AxialLayout::BlockHalves(_) => "block-halves",
    };
    let ways = [
        (name, own),
        ("halves", (0..span).map(|j| j % slots).collect()),
        ("repeated", (0..span).map(|j| j / 2).collect()),
    ];
    let rows = sample(grid)?;
    let equal = |columns: &[usize]| {
        let mut first = vec![usize::MAX; slots];
        let mut twins = Vec::new();
        for (column, &slot) in columns.iter().enumerate() {
            if first[slot] == usize::MAX { first[slot] = column } else { twins.push((first[slot], column)) }
        }
        rows.chunks_exact(span).map(|row| twins.iter().filter(|&&(a, b)| row[a] == row[b]).count()).sum::<usize>()
    };
    let most = ways.iter().map(|(_, columns)| equal(columns)).max().unwrap_or(0);
    Ok(ways.iter().filter(|(_, columns)| equal(columns) == most).cloned().collect())
}
