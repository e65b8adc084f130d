//! Numbers beyond the largest one of a format of 8 bits, as they are stored: as that one, or as NaN or infinity.

use posproof_numerics::format::{Format, binade};
use serde::Serialize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Entries that overflowed to NaN or infinity, as numbers beyond the largest one of a format of 8 bits do where it does not saturate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Overflow {
    /// Their number.
    pub entries: u64,
    /// The first row of one.
    pub row: usize,
}

impl Overflow {
    /// A sentence for the report.
    pub(crate) fn told(self, format: Format) -> String {
        let to = if format == Format::E5m2 { "infinity" } else { "NaN" };
        let entries = if self.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", self.entries) };
        let Self { row, .. } = self;
        format!(
            "{entries} overflowed to {to}, the first in row {row}: {format} ends at {}, and does not saturate here",
            format.max_finite()
        )
    }
}

/// Entries of a run that overflowed to NaN or infinity: how many, and the first row of one.
#[derive(Debug)]
pub(crate) struct Overflowed {
    count: AtomicU64,
    first: AtomicUsize,
}

impl Default for Overflowed {
    fn default() -> Self {
        Self { count: AtomicU64::new(0), first: AtomicUsize::new(usize::MAX) }
    }
}

impl Overflowed {
    /// The entries that were counted, if there are any.
    pub fn found(&self) -> Option<Overflow> {
        let (entries, row) = (self.count.load(Relaxed), self.first.load(Relaxed));
        (entries > 0).then_some(Overflow { entries, row })
    }

    /// Takes what is beyond the largest number of a format of 8 bits for that number, and an entry that overflowed for it too: one that
    /// is what the format makes of a number out of range, where the number before it was rounded may be out of range.
    pub fn keep(&self, format: Format, row: usize, expected: &mut [f64], (bounds, got): (&[f64], &mut [f64])) {
        if format.narrow().is_none() {
            return;
        }
        let largest = format.max_finite();
        if got.iter().any(|got| !got.is_finite()) {
            // The bound has half a step for the rounding, and the first number that is out of range is half a step below the next one.
            let next = largest + 2.0 * format.unit_roundoff() * binade(largest);
            let mut count = 0;
            for ((got, exact), bound) in got.iter_mut().zip(&*expected).zip(bounds) {
                let special =
                    if format == Format::E5m2 { *got == f64::INFINITY.copysign(*exact) } else { got.is_nan() };
                if special && exact.abs() + bound >= next {
                    *got = largest.copysign(*exact);
                    count += 1;
                }
            }
            if count > 0 {
                self.count.fetch_add(count, Relaxed);
                self.first.fetch_min(row, Relaxed);
            }
        }
        expected.iter_mut().for_each(|entry| *entry = entry.clamp(-largest, largest));
    }
}
