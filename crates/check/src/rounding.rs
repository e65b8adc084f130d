//! Entries that are rounded by another rule than to nearest where they are stored.

use super::Invalid;
use super::cache;
use super::duplication::Duplication;
use super::faults::{ArrayCause, Finding, ROUNDING_MODE, RoundingMode};
use super::grid::Grid;
use super::judged::Judged;
use super::subject::{Subject, columns};
use super::ulp::Ulp;
use posproof_bound::Allowance;
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::format::Format;
use posproof_table::{Positions, Table};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Entries that a thread takes at a time.
const BLOCK: usize = 1 << 15;

/// A rule of rounding that explains every entry of a table or a cache: which is what it makes of a number within the bound
/// for the computation, in the format of the array or in a narrower one whose numbers all entries are. `exceeding` of them are
/// beyond what rounding to nearest in the format of the array explains. Only formats narrower than that of the computation are
/// asked: in others the errors of the computation are as large.
pub(super) fn explain(
    judged: &Judged<'_>,
    allowance: &Allowance,
    (compute, exceeding): (Format, u64),
) -> Result<Option<Finding>, Invalid> {
    let Judged { subject, convention, positions, .. } = *judged;
    if matches!(subject, Subject::Rotation { .. }) {
        return Ok(None);
    }
    let stored = subject.format();
    let entries = subject.grids().iter().map(|(_, grid)| (grid.slabs() * grid.rows() * grid.width()) as u64).sum();
    let formats = [stored, Format::F16, Format::Bf16, Format::E4m3, Format::E5m2].into_iter().filter(|format| {
        format.precision() < compute.precision() && (*format == stored || format.precision() < stored.precision())
    });
    let table = &*judged.joined()?;
    for format in formats {
        let possible = RoundingMode::ALL.map(|_| AtomicBool::new(true));
        for (component, grid) in subject.grids() {
            StoredFormat { convention, positions, table, allowance, format }.compare((component, grid), &possible)?;
        }
        let found = RoundingMode::ALL.into_iter().zip(&possible).find(|(_, possible)| possible.load(Relaxed));
        if let Some((mode, _)) = found {
            let cause = ArrayCause::Rounding { mode, format, stored, entries, exceeding };
            return Ok(Some(Finding::new(&ROUNDING_MODE, cause.into())));
        }
    }
    Ok(None)
}

struct StoredFormat<'a> {
    convention: &'a Convention,
    positions: &'a Positions,
    /// Certified rows [cos…, sin…].
    table: &'a Table<f64>,
    allowance: &'a Allowance,
    /// In which the entries were rounded.
    format: Format,
}

impl StoredFormat<'_> {
    /// Strikes out the rules that do not explain an entry of a grid.
    fn compare(
        &self,
        (component, grid): (Option<Component>, &dyn Grid),
        possible: &[AtomicBool; 4],
    ) -> Result<(), Invalid> {
        let Self { convention, positions, table, allowance, format } = self;
        let width = grid.width();
        let repeated = cache::duplication(grid)? == Some(Duplication::Repeated);
        // For a table, its columns as the joined row [cos…, sin…] numbers them.
        let columns = columns(convention, component, width, repeated && component.is_some());
        let (pairs, law) = (convention.pairs(), Law::new(convention));
        let ulp = Ulp::new(*format);
        let step = (BLOCK / width).clamp(1, grid.rows());
        let blocks = grid.rows().div_ceil(step);
        (0..grid.slabs() * blocks).into_par_iter().try_for_each_init(
            || (Vec::new(), Vec::new()),
            |(got, exact), task| {
                if !possible.iter().any(|possible| possible.load(Relaxed)) {
                    return Ok(());
                }
                let start = task % blocks * step;
                let rows = start..(start + step).min(grid.rows());
                grid.read(task / blocks, rows.clone(), got)?;
                if got.iter().any(|&got| format.round(got) != got) {
                    possible.iter().for_each(|possible| possible.store(false, Relaxed));
                    return Ok(());
                }
                exact.resize(rows.len() * 2 * pairs, 0.0);
                table.fill(rows.clone(), exact)?;
                for (i, row) in rows.enumerate() {
                    let t = law.reach(positions.get(row).unwrap_or_default() as f64);
                    let exact = &exact[i * 2 * pairs..][..2 * pairs];
                    for (&got, &column) in got[i * width..].iter().zip(&columns) {
                        let within = allowance.computed(column % pairs, t);
                        let allowed = explained(got, got - exact[column], within, ulp.of(got));
                        possible.iter().zip(allowed).filter(|(_, allowed)| !allowed).for_each(|(possible, _)| {
                            possible.store(false, Relaxed);
                        });
                    }
                }
                Ok(())
            },
        )
    }
}

/// For each rule, whether it makes the entry of a number that is at most `within` from the exact value; `error` is the
/// entry less that. Toward zero and downward, a positive entry comes from numbers up to one unit above it.
fn explained(entry: f64, error: f64, within: f64, unit: f64) -> [bool; 4] {
    let (from_above, from_below) =
        (error <= within && -error <= within + unit, -error <= within && error <= within + unit);
    RoundingMode::ALL.map(|mode| match mode {
        RoundingMode::TowardZero if entry == 0.0 => error.abs() <= within + unit,
        RoundingMode::AwayFromZero if entry == 0.0 => error.abs() <= within,
        RoundingMode::TowardZero => {
            if entry > 0.0 {
                from_above
            } else {
                from_below
            }
        }
        RoundingMode::AwayFromZero => {
            if entry > 0.0 {
                from_below
            } else {
                from_above
            }
        }
        RoundingMode::Downward => from_above,
        RoundingMode::Upward => from_below,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_explains_what_it_makes_and_no_more() {
        let format = Format::Bf16;
        for exact in [0.7, -0.7, 0.3001, -0.123] {
            let unit = Ulp::new(format).of(exact);
            let below = (exact / unit).floor() * unit;
            let made = [
                if exact > 0.0 { below } else { below + unit },
                if exact > 0.0 { below + unit } else { below },
                below,
                below + unit,
            ];
            for (rule, entry) in made.into_iter().enumerate() {
                let allowed = explained(entry, entry - exact, 1e-9, unit);
                assert!(allowed[rule], "{exact} {rule}");
                assert_eq!(allowed.into_iter().filter(|allowed| *allowed).count(), 2, "{exact} {rule}");
                assert_eq!(explained(entry + 2.0 * unit, entry + 2.0 * unit - exact, 1e-9, unit), [false; 4]);
            }
        }
        assert_eq!(explained(f64::NAN, f64::NAN, 1.0, 1.0), [false; 4]);
    }
}
