//! The step of numbers that are whole multiples of one: fixed-point numbers, and such as were printed with few decimals.

use super::Levels;
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

/// The step that numbers of some rows are multiples of: the coarsest 1/n, for n a power of two, one less, or a power of ten; else any, with its
/// relative error. With the power of two where they end at 1 less one step.
pub(super) fn step(grids: &[&dyn Grid]) -> Result<Option<(Levels, Option<i32>)>, Invalid> {
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
    // Whole numbers are no cosines.
    if are_multiples(&numbers, 1.0, unit) {
        return Ok(None);
    }
    if let Some((parts, bits)) = all.into_iter().find(|(parts, _)| are_multiples(&numbers, *parts, unit)) {
        let levels = Levels::new(1.0 / parts, 0.0).ok();
        return Ok(levels.map(|levels| (levels, bits.filter(|_| largest == 1.0 - 1.0 / parts))));
    }
    let levels = any(&numbers, unit).and_then(|step| Levels::new(step, 0.0).ok());
    Ok(levels.map(|levels| (levels.found(2.0 * unit), None)))
}

/// True if numbers are multiples of 1/parts, though those of their format need not be: of the large ones as many are odd multiples as even ones,
/// which those of a short significand are not.
fn are_multiples(numbers: &[f64], parts: f64, unit: f64) -> bool {
    // Half the distance of neighbours in the format, in steps, and the rounding of the product.
    let room = |x: &f64| 2.0 * unit * x * parts;
    let near = |x: &f64| (x * parts - (x * parts).round()).abs() <= room(x);
    let large = || numbers.iter().filter(|x| 2.0 * **x >= numbers.last().copied().unwrap_or(0.0));
    let odd = || large().filter(|x| (*x * parts).round() % 2.0 == 1.0).count();
    numbers.last().is_some_and(|largest| room(largest) <= 1.0 / 4.0)
        && numbers.iter().all(near)
        && numbers.iter().filter(|x| room(x) <= 1.0 / 8.0).count() >= FEWEST
        && 4 * odd() >= large().count()
}

/// A step that increasing numbers are multiples of: the least distance of two, and then what each of them says.
fn any(numbers: &[f64], unit: f64) -> Option<f64> {
    let apart = |two: &[f64]| Some(two[1] - two[0]).filter(|apart| *apart > 4.0 * unit * two[1]);
    let least = numbers.windows(2).filter_map(apart).fold(f64::INFINITY, f64::min).min(*numbers.first()?);
    let said = |step: f64, x: &f64| Some(x / (x / step).round()).filter(|step| step.is_finite());
    let step = numbers.iter().try_fold(least, said)?;
    are_multiples(numbers, 1.0 / step, unit).then_some(step)
}
