//! The residuals of the shift, all of them: T(k)·PE(t) − PE(t + k) for every t, k below a length, every
//! pair and both components.
//!
//! At d = 512 and t, k < 4096 these are 8.6·10⁹. The loop is plain Rust over sixteen lanes, compiled for the
//! instruction sets of [`posproof_table`]; nothing is fused, so that every set gives the same bits. Positions t
//! are taken in blocks that stay in the first-level cache while k runs.

use super::entry::Model;
use super::origin::Bound;
use super::program::Impossible;
use super::quantity::{Arithmetic, shift_residual};
use super::worst::Machine;
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_table::{Instructions, Loop, vectorized};
use rayon::prelude::*;
use std::ops::{Add, Mul, Sub};

/// Lanes of the loop: a vector of binary32 of the widest instruction set.
const LANES: usize = 16;

/// Positions of a block: sine and cosine of both factors take 32 KiB in binary64.
const BLOCK: usize = 1024;

/// Lengths beyond this would take days, and their tables some memory.
const MAX_LENGTH: u64 = 1 << 20;

/// The largest of all residuals.
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// Its magnitude: the exact difference of the two computed numbers, rounded once to the table's format.
    pub worst: f64,
    /// The position t at which it occurs first.
    pub t: u64,
    /// The shift k at which it occurs first for this t.
    pub k: u64,
    /// Its pair.
    pub pair: usize,
    /// Its component.
    pub component: Component,
    /// The bound on a residual of its pair.
    pub bound: Bound,
    /// Number of residuals that were computed.
    pub count: u64,
    /// Number of pairs that have a residual above their bound: none, ever.
    pub above: u64,
}

/// Cosines and sines of consecutive positions.
struct Waves<T> {
    cos: Vec<T>,
    sin: Vec<T>,
}

/// A format whose arithmetic the processor has.
trait Native:
    Copy + PartialOrd + From<i8> + Into<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// A number of the format.
    fn of(x: f64) -> Self;
    /// |x|.
    fn magnitude(self) -> Self;
}

impl Native for f32 {
    fn of(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }
}

impl Native for f64 {
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }
}

/// The residuals of one t and one k, sine first: the products and their sum are rounded, and so is the difference.
#[inline(always)]
fn residual<T: Native>([c, s]: [T; 2], [ck, sk]: [T; 2], [cos, sin]: [T; 2]) -> [T; 2] {
    [((s * ck + c * sk) - sin).magnitude(), ((c * ck - s * sk) - cos).magnitude()]
}

#[inline(always)]
fn larger<T: Native>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// The largest residual of a pair: `waves` has 2·length positions.
struct Largest<'a, T> {
    waves: &'a Waves<T>,
    length: usize,
    /// 1 for T(k), −1 for T(−k).
    direction: T,
    largest: &'a mut T,
}

impl<T: Native> Loop for Largest<'_, T> {
    #[inline(always)]
    fn run(self) {
        let (Waves { cos, sin }, direction) = (self.waves, self.direction);
        let mut lanes = [T::from(0); LANES];
        for start in (0..self.length).step_by(BLOCK) {
            let count = BLOCK.min(self.length - start);
            let (c, s) = (&cos[start..start + count], &sin[start..start + count]);
            for k in 0..self.length {
                let turn = [cos[k], direction * sin[k]];
                let (c_sum, s_sum) = (&cos[start + k..start + k + count], &sin[start + k..start + k + count]);
                let table = c.chunks_exact(LANES).zip(s.chunks_exact(LANES));
                let sums = c_sum.chunks_exact(LANES).zip(s_sum.chunks_exact(LANES));
                for ((c, s), (c_sum, s_sum)) in table.zip(sums) {
                    for lane in 0..LANES {
                        let [sine, cosine] = residual([c[lane], s[lane]], turn, [c_sum[lane], s_sum[lane]]);
                        lanes[lane] = larger(lanes[lane], larger(sine, cosine));
                    }
                }
                for t in count - count % LANES..count {
                    let [sine, cosine] = residual([c[t], s[t]], turn, [c_sum[t], s_sum[t]]);
                    lanes[0] = larger(lanes[0], larger(sine, cosine));
                }
            }
        }
        *self.largest = lanes.into_iter().fold(T::from(0), larger);
    }
}

impl<T: Native> Waves<T> {
    fn largest(&self, length: usize, direction: T, instructions: Instructions) -> T {
        let mut largest = T::from(0);
        vectorized(instructions, Largest { waves: self, length, direction, largest: &mut largest });
        largest
    }

    /// The first t, k and component with a residual, sine before cosine.
    fn find(&self, length: usize, direction: T, value: T) -> Option<(u64, u64, Component)> {
        let at = |t: usize| [self.cos[t], self.sin[t]];
        (0..length).flat_map(|t| (0..length).map(move |k| (t, k))).find_map(|(t, k)| {
            let [sine, cosine] = residual(at(t), [self.cos[k], direction * self.sin[k]], at(t + k));
            let component = if sine == value { Some(Component::Sin) } else { None };
            let component = component.or((cosine == value).then_some(Component::Cos))?;
            Some((t as u64, k as u64, component))
        })
    }
}

impl Model {
    /// Every residual of T(k) for t, k < length, for the program with correctly rounded functions; sums and
    /// products are rounded to the format of the table, binary32 or binary64. Runs in the threads of the
    /// current rayon pool; the result does not depend on them.
    ///
    /// ```
    /// use posproof_bound::{Model, Program};
    /// use posproof_encoding::convention::Convention;
    /// use posproof_numerics::format::Format;
    /// let model = Model::new(&Convention::sinusoid(16), &Program::rounded(Format::F32)).unwrap();
    /// let residuals = model.residuals(100).unwrap();
    /// assert_eq!((residuals.count, residuals.above), (2 * 8 * 100 * 100, 0));
    /// assert!(residuals.worst <= residuals.bound.value());
    /// ```
    pub fn residuals(&self, length: u64) -> Result<Residuals, Impossible> {
        self.directed_residuals(length, 1)
    }

    /// The same of T(−k)·PE(t) − PE(t + k), the shift in the other direction, by the same loop: a check that finds no
    /// residual above its bound here proves nothing.
    pub fn residuals_of_the_wrong_direction(&self, length: u64) -> Result<Residuals, Impossible> {
        self.directed_residuals(length, -1)
    }

    fn directed_residuals(&self, length: u64, direction: i8) -> Result<Residuals, Impossible> {
        let double = self.program.storage == Format::F64;
        if !double && self.program.storage != Format::F32 {
            return Err(Impossible::new("format of the table", self.program.storage, "f32 or f64"));
        }
        if !(1..=MAX_LENGTH).contains(&length) {
            return Err(Impossible::new("length", length, format!("1 to {MAX_LENGTH}")));
        }
        if self.offset != 0 {
            return Err(Impossible::new("position offset", self.offset, "0: T(k) moves position 0 to k"));
        }
        let pairs = self.convention.pairs();
        let pair = |pair: usize| {
            if double {
                self.pair_residuals::<f64>(pair, length, direction)
            } else {
                self.pair_residuals::<f32>(pair, length, direction)
            }
        };
        let found: Result<Vec<(f64, Bound)>, Impossible> = (0..pairs).into_par_iter().map(pair).collect();
        let found = found?;
        let unit = self.program.storage.unit_roundoff();
        // A difference up to the bound is rounded to at most (1 + u) of it.
        let above = found.iter().filter(|(value, bound)| *value > (bound.value() * (1.0 + unit)).next_up()).count();
        let none = || Impossible::new("pairs", 0, "at least one");
        let (pair, &(worst, bound)) =
            found.iter().enumerate().rev().max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0)).ok_or_else(none)?;
        let place = match double {
            true => self.waves::<f64>(pair, length)?.find(length as usize, direction.into(), worst),
            false => self.waves::<f32>(pair, length)?.find(length as usize, direction.into(), worst as f32),
        };
        let (t, k, component) = place.ok_or_else(none)?;
        let count = 2 * pairs as u64 * length * length;
        Ok(Residuals { worst, t, k, pair, component, bound, count, above: above as u64 })
    }

    fn pair_residuals<T: Native>(&self, pair: usize, length: u64, direction: i8) -> Result<(f64, Bound), Impossible> {
        let waves = self.waves::<T>(pair, length)?;
        let largest = waves.largest(length as usize, direction.into(), Instructions::detect());
        let rate = self.rate(pair)?;
        let arithmetic = Arithmetic { format: self.program.storage, fused: false };
        let one = self.pair(&rate, 0..length)?;
        let bound = shift_residual(arithmetic, one, one, self.pair(&rate, 0..2 * length)?);
        Ok((largest.into(), bound))
    }

    /// The table of one pair at the positions below 2·length.
    fn waves<T: Native>(&self, pair: usize, length: u64) -> Result<Waves<T>, Impossible> {
        let rate = self.rate(pair)?;
        self.effective(&(0..2 * length), &rate)?;
        let machine = Machine::new(self, &rate);
        let mut waves = Waves { cos: Vec::new(), sin: Vec::new() };
        for t in 0..2 * length {
            let [cos, sin] = machine.entry(t).map(|entry| T::of(entry));
            waves.cos.push(cos);
            waves.sin.push(sin);
        }
        Ok(waves)
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::Program;
    use super::*;
    use posproof_encoding::convention::Convention;

    fn every_instruction_set<T: Native + std::fmt::Debug>(format: Format) {
        let model = Model::new(&Convention::sinusoid(64), &Program::rounded(format)).expect("possible");
        // Lengths that leave a rest of lanes, and of a block.
        for length in [1u64, 16, 37, 1024, 1100] {
            let waves = model.waves::<T>(3, length).expect("in range");
            let at = |t: usize| [waves.cos[t], waves.sin[t]];
            let n = length as usize;
            let all = (0..n).flat_map(|t| (0..n).map(move |k| (t, k)));
            let slow = all.flat_map(|(t, k)| residual(at(t), at(k), at(t + k))).fold(T::from(0), larger);
            for instructions in Instructions::ALL {
                assert_eq!(waves.largest(n, T::from(1), instructions), slow, "{instructions:?} {length}");
            }
            let (t, k, component) = waves.find(n, T::from(1), slow).expect("it occurs");
            let [sine, cosine] = residual(at(t as usize), at(k as usize), at((t + k) as usize));
            assert_eq!(if component == Component::Sin { sine } else { cosine }, slow);
        }
    }

    /// The sabotage of `shift.linearity`, T(−k) for T(k), is above the bound in the same loop.
    #[test]
    fn a_shift_in_the_other_direction_is_refuted() {
        for format in [Format::F32, Format::F64] {
            let model = Model::new(&Convention::sinusoid(64), &Program::rounded(format)).expect("possible");
            let found = model.residuals_of_the_wrong_direction(64).expect("in range");
            assert!(found.above > 16 && found.worst > 1000.0 * found.bound.value(), "{found:?}");
            assert_eq!(model.residuals(64).expect("in range").above, 0);
        }
    }

    #[test]
    fn every_instruction_set_finds_the_largest() {
        every_instruction_set::<f32>(Format::F32);
        every_instruction_set::<f64>(Format::F64);
    }
}
