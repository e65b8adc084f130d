//! Columns of a grid as cosines and sines of slots.

use super::cells::Cell;
use crate::row::pair_length;
use crate::totals::ComparedRow;
use posproof_encoding::axes::AxialLaw;
use posproof_encoding::convention::Component;
use std::ops::Range;

/// Columns of a grid as parts of the slots.
pub(super) struct Gathered {
    /// Columns one after the other that are one component of slots one after the other; nothing where no slot writes them.
    runs: Vec<(Option<Component>, Range<usize>)>,
    /// The slot of each column; beyond the last one for entries that are not rotated.
    pub slots: Vec<usize>,
    gains: Vec<f64>,
}

impl Gathered {
    pub fn new(cells: &[Cell], law: &AxialLaw) -> Self {
        let mut runs: Vec<(Option<Component>, Range<usize>)> = Vec::new();
        for cell in cells {
            let (component, slot) = match *cell {
                Cell::Part(slot, component) => (Some(component), slot),
                Cell::Turned { .. } | Cell::Kept(_) => (None, 0),
            };
            match runs.last_mut() {
                Some((last, run)) if *last == component && (component.is_none() || run.end == slot) => run.end += 1,
                _ => runs.push((component, slot..slot + 1)),
            }
        }
        let slots = cells.iter().map(|cell| cell.slot().unwrap_or(usize::MAX)).collect();
        let gain = |cell: &Cell| cell.slot().map_or(f64::INFINITY, |slot| law.gain(slot).enclose(64).abs().upper_f64());
        Self { runs, slots, gains: cells.iter().map(gain).collect() }
    }

    /// Cosines, sines and C of the slots, column by column.
    pub fn gather(&self, [cos, sin, c]: [&[f64]; 3], expected: &mut [f64], computed: &mut [f64]) {
        let mut at = 0;
        for (component, run) in &self.runs {
            let columns = at..at + run.len();
            at = columns.end;
            match component {
                Some(component) => {
                    let part = if *component == Component::Cos { cos } else { sin };
                    expected[columns.clone()].copy_from_slice(&part[run.clone()]);
                    computed[columns].copy_from_slice(&c[run.clone()]);
                }
                None => {
                    expected[columns.clone()].fill(0.0);
                    computed[columns].fill(0.0);
                }
            }
        }
    }

    /// Entries whose bound allows any number that a sine can be.
    pub fn uninformative(&self, expected: &[f64], bounds: &[f64]) -> u64 {
        let entries = expected.iter().zip(bounds).zip(&self.gains);
        entries.map(|((exact, bound), gain)| u64::from(*bound >= gain + exact.abs())).sum()
    }
}

/// Rotated entries whose bound allows any number that a rotation by any angle makes, for the largest gain, and those of them that are of
/// vectors that are 0.
pub(super) fn silent(cells: &[Cell], gain: f64, row: &ComparedRow<'_>, x: &[f64]) -> [u64; 2] {
    let entries = cells.iter().zip(row.expected).zip(row.bounds);
    entries.fold([0; 2], |[silent, zeros], ((cell, expected), bound)| match *cell {
        // Few bounds are as large as the entry: of those only the length is asked.
        Cell::Turned { read: (a, b), .. } if *bound >= expected.abs() => {
            let length = pair_length(x[a], x[b]);
            let says_nothing = *bound >= gain * length + expected.abs();
            [silent + u64::from(says_nothing), zeros + u64::from(length == 0.0)]
        }
        _ => [silent, zeros],
    })
}
