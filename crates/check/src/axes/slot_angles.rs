//! Angles that the entries of a row show.

use super::cells::{Cell, cells};
use super::symptoms::AxialSymptoms;
use crate::Invalid;
use crate::subject::Subject;
use posproof_encoding::convention::Component;
use std::f64::consts::TAU;

/// An angle by whole turns nearer to 0.
pub(super) fn wrap(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// The angles of the slots of a row, from its entries.
pub(super) struct SlotAngles<'a> {
    subject: Subject<'a>,
    cells: Vec<Vec<Cell>>,
    slots: usize,
    slab: usize,
}

impl<'a> SlotAngles<'a> {
    pub fn new(case: &AxialSymptoms<'a>) -> Result<Self, Invalid> {
        let (cells, slots) = (cells(case.subject, case.law)?.0, case.law.slots());
        Ok(Self { subject: case.subject, cells, slots, slab: case.slab() })
    }

    /// Angles of the slots; none where an entry is not finite.
    pub fn angles(&self, row: usize) -> Result<Option<Vec<f64>>, Invalid> {
        let phasors = self.phasors(row)?;
        Ok(phasors.map(|phasors| phasors.into_iter().map(|(cos, sin)| sin.atan2(cos)).collect()))
    }

    /// Cosines and sines of the slots, of a rotation those of the turn from x to y; none where an entry is not finite.
    pub fn phasors(&self, row: usize) -> Result<Option<Vec<(f64, f64)>>, Invalid> {
        let (mut cos, mut sin) = (vec![1.0; self.slots], vec![0.0; self.slots]);
        let mut squares = vec![1.0; self.slots];
        let (mut x, mut got) = (Vec::new(), Vec::new());
        if let Subject::Rotation { x: grid, .. } = self.subject {
            grid.read(self.slab, row..row + 1, &mut x)?;
            (cos, sin) = (vec![0.0; self.slots], vec![0.0; self.slots]);
        }
        for ((_, grid), cells) in self.subject.grids().into_iter().zip(&self.cells) {
            grid.read(self.slab, row..row + 1, &mut got)?;
            for (&cell, &got) in cells.iter().zip(&got) {
                match cell {
                    Cell::Part(slot, Component::Cos) => cos[slot] = got,
                    Cell::Part(slot, Component::Sin) => sin[slot] = got,
                    // ȳ·x over the pair: its argument is the angle.
                    Cell::Turned { read: (a, b), slot, second: false, .. } => {
                        squares[slot] = x[a] * x[a] + x[b] * x[b];
                        cos[slot] += x[a] * got;
                        sin[slot] -= x[b] * got;
                    }
                    Cell::Turned { read: (a, b), slot, second: true, .. } => {
                        cos[slot] += x[b] * got;
                        sin[slot] += x[a] * got;
                    }
                    Cell::Kept(_) => {}
                }
            }
        }
        let of = |((cos, sin), square): ((f64, f64), f64)| (cos / square, sin / square);
        let phasors: Vec<(f64, f64)> = cos.into_iter().zip(sin).zip(squares).map(of).collect();
        Ok(phasors.iter().all(|(cos, sin)| cos.is_finite() && sin.is_finite()).then_some(phasors))
    }
}
