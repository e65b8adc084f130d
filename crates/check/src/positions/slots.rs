//! Where the pairs of a row stand.

use crate::Invalid;
use crate::axes::{Cell, cells};
use crate::cache::duplication;
use crate::duplication::Duplication;
use crate::grid::Grid;
use crate::input::About;
use crate::subject::{Subject, Wiring, columns};
use posproof_encoding::axes::AxialLaw;
use posproof_encoding::convention::{Component, Convention};

/// Columns that show one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotColumns {
    /// The cosine, of the first grid, and the sine, of the last.
    Entries { cos: usize, sin: usize },
    /// Those of x, and those of y.
    Vectors { x: (usize, usize), y: (usize, usize) },
}

/// A place where a pair shows: a cache of full width has two for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub pair: usize,
    pub columns: SlotColumns,
}

/// The slots of a subject's rows.
pub(super) fn slots(subject: Subject<'_>, convention: &Convention) -> Result<Vec<Slot>, Invalid> {
    let pairs = convention.pairs();
    match subject {
        Subject::Rotation { .. } => {
            let wiring = Wiring::new(convention);
            let both = wiring.read.into_iter().zip(wiring.write).enumerate();
            Ok(both.map(|(pair, (x, y))| Slot { pair, columns: SlotColumns::Vectors { x, y } }).collect())
        }
        Subject::Sinusoid(table) => {
            let places = places(&columns(convention, None, table.width(), false), 2 * pairs);
            Ok(join(pairs, &places[..pairs], &places[pairs..]))
        }
        Subject::Rope { cos: Some(cos), sin: Some(sin) } => {
            let [cos, sin] = [cos, sin].map(|grid| {
                let component = Some(Component::Cos);
                let repeated = repeated(grid, pairs)?;
                Ok::<_, Invalid>(places(&columns(convention, component, grid.width(), repeated), pairs))
            });
            Ok(join(pairs, &cos?, &sin?))
        }
        Subject::Rope { cos, sin } => {
            let name = cos.or(sin).map_or("rope", |grid| grid.name());
            let found = if cos.is_some() { "cosines only" } else { "sines only" };
            let advice = "half a cache leaves two angles for every entry: name --cos and --sin";
            Err(About(name).error("the input", "cosines and sines", found, advice).into())
        }
    }
}

/// The slots of the rows of a subject whose convention has several axes.
pub(super) fn axial_slots(subject: Subject<'_>, law: &AxialLaw) -> Result<Vec<Slot>, Invalid> {
    let (cells, _) = cells(subject, law)?;
    let places = |cells: &[Cell], component: Component| {
        let mut places = vec![Vec::new(); law.slots()];
        for (column, cell) in cells.iter().enumerate() {
            if let Cell::Part(slot, part) = *cell
                && part == component
            {
                places[slot].push(column);
            }
        }
        places
    };
    match (subject, cells.as_slice()) {
        (Subject::Rotation { .. }, [cells]) => {
            let mut turned = vec![[None; 2]; law.slots()];
            for (column, cell) in cells.iter().enumerate() {
                if let Cell::Turned { read, slot, second, .. } = *cell {
                    turned[slot][usize::from(second)] = Some((read, column));
                }
            }
            let slots = turned.iter().enumerate().filter_map(|(pair, turned)| {
                let [(x, first), (_, second)] = [turned[0]?, turned[1]?];
                Some(Slot { pair, columns: SlotColumns::Vectors { x, y: (first, second) } })
            });
            Ok(slots.collect())
        }
        (_, [table]) => Ok(join(law.slots(), &places(table, Component::Cos), &places(table, Component::Sin))),
        (_, [cos, sin]) => Ok(join(law.slots(), &places(cos, Component::Cos), &places(sin, Component::Sin))),
        _ => Ok(Vec::new()),
    }
}

/// True if a cache holds each column twice in a row rather than all of them and all of them again.
fn repeated(grid: &dyn Grid, pairs: usize) -> Result<bool, Invalid> {
    if grid.width() == pairs {
        return Ok(false);
    }
    match duplication(grid)? {
        Some(way) => Ok(way == Duplication::Repeated),
        None => {
            let expected = format!("{pairs} columns, or each of them twice, side by side or half a row apart");
            let found = format!("{} columns that do not show which of them are copies", grid.width());
            let advice = "name the columns of one copy only, or rows of other positions than 0";
            Err(About(grid.name()).error("the columns", expected, found, advice).into())
        }
    }
}

/// The columns of each of so many entries.
fn places(columns: &[usize], entries: usize) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); entries];
    columns.iter().enumerate().for_each(|(column, &entry)| places[entry].push(column));
    places
}

/// Every column of a pair's cosine with one of its sine: all of both are in some slot.
fn join(pairs: usize, cos: &[Vec<usize>], sin: &[Vec<usize>]) -> Vec<Slot> {
    let of = |pair: usize| {
        let (cos, sin) = (&cos[pair], &sin[pair]);
        // An entry whose other component is nowhere shows no angle.
        let copies = if cos.is_empty() || sin.is_empty() { 0 } else { cos.len().max(sin.len()) };
        (0..copies).map(move |copy| {
            let columns = SlotColumns::Entries { cos: cos[copy % cos.len()], sin: sin[copy % sin.len()] };
            Slot { pair, columns }
        })
    };
    (0..pairs).flat_map(of).collect()
}
