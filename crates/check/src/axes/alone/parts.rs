//! Slots of several axes as the pairs of an encoding of one.

use crate::Invalid;
use crate::axes::cells::{Cell, cells};
use crate::grid::Grid;
use crate::picked::PickedColumns;
use crate::subject::Subject;
use posproof_encoding::axes::{AxialLaw, AxialLayout, Coordinates};
use posproof_encoding::convention::{Component, Convention, Encoding, Layout, Order};
use posproof_numerics::Rational;
use posproof_table::Positions;

/// Columns of a subject in which some slots are written.
pub struct PickedSlots<'a> {
    subject: Subject<'a>,
    judged: Vec<PickedColumns<'a>>,
    x: Option<PickedColumns<'a>>,
    /// Columns that stand for each slot.
    pub times: u64,
}

impl<'a> PickedSlots<'a> {
    /// None where the columns do not show them.
    pub fn new(subject: Subject<'a>, law: &AxialLaw, slots: &[usize]) -> Result<Option<Self>, Invalid> {
        let Some((written, read, times)) = columns(subject, law, slots)? else { return Ok(None) };
        let grids = subject.grids().into_iter().zip(written);
        let judged = grids.map(|((_, grid), columns)| PickedColumns::new(grid, columns)).collect();
        let x = if let Subject::Rotation { x, .. } = subject { Some(PickedColumns::new(x, read)) } else { None };
        Ok(Some(Self { subject, judged, x, times }))
    }

    /// An encoding of one axis.
    pub fn subject(&self) -> Subject<'_> {
        match (self.subject.with(self.judged.iter().map(|grid| grid as &dyn Grid)), &self.x) {
            (Subject::Rotation { y, .. }, Some(x)) => Subject::Rotation { x, y },
            (part, _) => part,
        }
    }
}

/// The slots of an axis as those of encodings of one axis, and the convention of each; one without a convention where it is none.
pub fn runs(law: &AxialLaw, number: usize) -> Vec<(Vec<usize>, Option<Convention>)> {
    let axis = &law.axes()[number];
    let own = axis.slots().iter().all(|&slot| law.claims(slot).len() == 1);
    let Some(runs) = axis.runs().filter(|_| own) else { return vec![(axis.slots().to_vec(), None)] };
    runs.into_iter().map(|(slots, convention)| (axis.slots()[slots].to_vec(), Some(convention))).collect()
}

/// An axis, or a part of it, as an encoding of one axis.
pub(super) struct AlonePart {
    pub axis: usize,
    pub slots: Vec<usize>,
    /// None where it is that of none.
    pub convention: Option<Convention>,
    /// Entries beyond their bounds.
    pub count: u64,
}

impl AlonePart {
    /// Those of an axis with entries beyond their bounds; `counts` has how many each slot has.
    pub fn of(law: &AxialLaw, axis: usize, counts: &[u64]) -> Vec<Self> {
        let of = |(slots, convention): (Vec<usize>, Option<Convention>)| {
            let count = slots.iter().filter_map(|&slot| counts.get(slot)).sum();
            (count > 0).then_some(Self { axis, slots, convention, count })
        };
        runs(law, axis).into_iter().filter_map(of).collect()
    }
}

/// The rows at an axis's coordinates, these increasing, and the coordinates; none where one is no whole number from 0 on, or a row has none.
pub fn positions(coordinates: &Coordinates, axis: usize) -> Option<(Vec<usize>, Positions)> {
    let distinct: Vec<u64> = coordinates.distinct(axis).iter().map(Rational::to_u64).collect::<Option<_>>()?;
    let all = (0..coordinates.rows()).map(|row| Some((*distinct.get(coordinates.place(row, axis)?)?, row)));
    let mut all: Vec<(u64, usize)> = all.collect::<Option<_>>()?;
    all.sort_unstable();
    let positions = Positions::list(all.iter().map(|(position, _)| *position)).ok()?;
    Some((all.into_iter().map(|(_, row)| row).collect(), positions))
}

/// The convention as the columns are picked: slots as the pairs of one.
pub fn picked(law: &AxialLaw, convention: Convention) -> Convention {
    let sinusoid = law.convention().encoding == Encoding::Sinusoid;
    let interleaved = sinusoid || law.convention().layout == AxialLayout::Interleaved;
    Convention {
        encoding: law.convention().encoding,
        dim: convention.rotated_dim(),
        rotary_dim: None,
        layout: if interleaved { Layout::Interleaved } else { Layout::Halves },
        order: Order::SinCos,
        ..convention
    }
}

/// Columns of each grid, those of the vectors of a rotation, and how many columns stand for each slot.
type Picked = (Vec<Vec<usize>>, Vec<usize>, u64);

/// The columns in which an axis is written, as those of an encoding of one axis.
fn columns(subject: Subject<'_>, law: &AxialLaw, slots: &[usize]) -> Result<Option<Picked>, Invalid> {
    let pairs = |of: &dyn Fn(usize) -> Option<(usize, usize)>| -> Option<Vec<usize>> {
        let all = slots.iter().map(|&slot| of(slot)).collect::<Option<Vec<_>>>()?;
        let interleaved = law.convention().layout == AxialLayout::Interleaved;
        Some(match interleaved {
            true => all.into_iter().flat_map(|(a, b)| [a, b]).collect(),
            false => all.iter().map(|(a, _)| *a).chain(all.iter().map(|(_, b)| *b)).collect(),
        })
    };
    if matches!(subject, Subject::Rotation { .. }) {
        let turn = |slot: usize| law.turns().iter().find(|turn| turn.slots == (slot, slot));
        let read = pairs(&|slot| turn(slot).map(|turn| turn.read));
        let written = pairs(&|slot| turn(slot).map(|turn| turn.write));
        return Ok(read.zip(written).map(|(read, written)| (vec![written], read, 1)));
    }
    let (mut all, mut times) = (Vec::new(), 1);
    for cells in cells(subject, law)?.0 {
        let at = |slot: usize, component| cells.iter().position(|&cell| cell == Cell::Part(slot, component));
        let component = cells.iter().find_map(|cell| cell.component());
        let both = subject.grids().iter().any(|(component, _)| component.is_none());
        let columns: Option<Vec<usize>> = if both {
            slots.iter().flat_map(|&slot| [at(slot, Component::Sin), at(slot, Component::Cos)]).collect()
        } else {
            slots.iter().map(|&slot| at(slot, component?)).collect()
        };
        let Some(columns) = columns else { return Ok(None) };
        if !both {
            times = (cells.len() / law.slots().max(1)).max(1) as u64;
        }
        all.push(columns);
    }
    Ok(Some((all, Vec::new(), times)))
}
