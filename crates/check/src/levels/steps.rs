//! The step of numbers that are whole multiples of one: fixed-point numbers, and such as were printed with few decimals.

use super::search::spread;
use crate::Invalid;
use crate::grid::Grid;
use posproof_numerics::format::{Format, power_of_two};
use std::collections::BTreeSet;

/// Tables and rows that are read, at most, and numbers that every step is tried on.
const TABLES: usize = 4;
const ROWS: usize = 64;
const TRIED: usize = 4096;

/// Different numbers, at least, that a step would leave between its multiples if they were any: each is near one by chance in one of four cases.
const FEWEST: usize = 16;

/// The coarsest step 1/n, for n a power of two, one less, or a power of ten, that numbers of some rows are multiples of; with the power of two
/// where they end at 1 less one step.
pub(super) fn step(grids: &[&dyn Grid]) -> Result<Option<(f64, Option<i32>)>, Invalid> {
    let (mut numbers, mut row, mut largest) = (BTreeSet::new(), Vec::new(), 0f64);
    let mut unit = Format::F32.unit_roundoff();
    for grid in grids {
        unit = unit.max(grid.format().unit_roundoff());
        for slab in spread(grid.slabs(), TABLES) {
            for at in spread(grid.rows(), ROWS) {
                grid.read(slab, at..at + 1, &mut row)?;
                largest = row.iter().fold(largest, |most, x| most.max(*x));
                // Zero and one are multiples of every step.
                let telling = row.iter().filter(|x| x.is_finite() && ![0.0, 1.0].contains(&x.abs()));
                numbers.extend(telling.take(TRIED - numbers.len().min(TRIED)).map(|x| x.abs().to_bits()));
            }
        }
    }
    let numbers: Vec<f64> = numbers.into_iter().map(f64::from_bits).collect();
    let twos = (2..=24).flat_map(|bits| [(power_of_two(bits) - 1.0, None), (power_of_two(bits), Some(bits))]);
    let tens = (1..=7).map(|digits| (10f64.powi(digits), None));
    let mut all: Vec<(f64, Option<i32>)> = twos.chain(tens).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let holds = |parts: f64| {
        // Half the distance of neighbours in the format, in steps, and the rounding of the product.
        let off = |x: f64| (2.0 * unit * x * parts, (x * parts - (x * parts).round()).abs());
        numbers.iter().all(|x| off(*x).1 <= off(*x).0)
            && numbers.iter().filter(|x| off(**x).0 <= 1.0 / 8.0).count() >= FEWEST
    };
    // Whole numbers are no cosines.
    let found = all.into_iter().find(|(parts, _)| holds(*parts)).filter(|_| !holds(1.0));
    Ok(found.map(|(parts, bits)| (1.0 / parts, bits.filter(|_| largest == 1.0 - 1.0 / parts))))
}
