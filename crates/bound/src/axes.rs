//! Distance of an honest implementation of an encoding with several axes from the exact value, at most.
//!
//! The angle of a slot is θ = Σ_a (x_a + o_a)·s_a·ω_a over the axes that claim it. A program computes each term from a frequency within
//! ρω + σ of ω ([`super::frequency`]) and a coordinate, with some roundings besides, each of which multiplies an intermediate value by
//! 1 + δ, |δ| ≤ u. Where x and o are added, the sum may cancel, but its error does not: both terms, and what rounding did to them, are no
//! larger than
//!
//! t_a = |x_a| + |o_a|, or |x_a + o_a| where x_a and o_a are whole numbers whose sum the format holds, so that the addition is exact.
//!
//! Every path from an input to the term passes at most c + r + m roundings, so that the term is wrong by at most
//!
//! t_a·|s_a|·(ω·(e^(u·(c+r+m)) − 1) + σ·e^(u·(c+r+m)))
//!
//! with c and r for the frequency, as for one axis, and m the sum of
//!
//! | roundings | where | what for |
//! | --- | --- | --- |
//! | 1 | always | the product with the frequency |
//! | 1 | a coordinate is no number of the format | the coordinate |
//! | 2 | an offset that is not added exactly | the offset, the sum |
//! | 4 | a scale other than 1 | two factors, as of a grid's normalisation and of its range, and the product with each |
//! | 1 | a scale or an offset that is a multiple of π | π |
//! | n − 1 | n axes claim the slot | the sum of the terms |
//!
//! The errors of the terms add up; |cos| and |sin| pass them on, being 1-Lipschitz. From there on the entry is that of one axis
//! ([`super::allowance`]): with C = |g|·(min(2, Σ errors) + e^((2κ+3)u) − 1),
//!
//! |entry − exact| ≤ u_S·(|exact| + C) + C + η_S/2.
//!
//! Frequencies that are spaced linearly between a and b pass five roundings (a difference, a step, a product and a sum, and an end that the
//! format does not hold), of values up to |a| + |b| + |b − a|. Stored ones are exact but for a cast. At θ = 0 the bound is not small: x − x̄ is
//! exact in few programs that normalise a grid.

mod bounds;
mod question;
mod range;
mod term;
mod tolerance;
mod worst;

pub use bounds::{AxialBound, SlotBounds};
pub use question::AxialQuestion;
pub use tolerance::AxialTolerance;
pub use worst::AxialExtreme;

use super::allowance::Storage;
use super::libraries::Compute;
use super::origin::Origin;
use super::program::Path;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;
use posproof_table::{Instructions, Loop, vectorized};
use term::AxisTerm;

/// The derivation.
const ORIGIN: Origin = Origin::Derived("posproof_bound::AxialAllowance, any honest implementation of several axes");

/// More than the roundings of a sum over the axes that claim a slot.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

/// Bounds on the error of every entry of a convention of axes at some rows.
#[derive(Clone, Debug)]
pub struct AxialAllowance {
    /// Head by head and slot by slot: each axis that claims it, and how its error grows with t.
    slopes: Vec<Vec<(usize, f64)>>,
    slots: usize,
    /// t of every distinct coordinate, axis by axis.
    reaches: Vec<Vec<f64>>,
    /// |g| of each slot.
    gains: Vec<f64>,
    storage: Storage,
}

impl AxialAllowance {
    /// For rows at these coordinates, computed in `compute` along a path, or any of them, and stored in `storage`.
    pub fn new(
        law: &AxialLaw,
        coordinates: &Coordinates,
        (compute, path): (impl Into<Compute>, Option<Path>),
        storage: Format,
    ) -> Self {
        let compute = compute.into();
        let term = |(a, axis)| AxisTerm::new(axis, coordinates.distinct(a), (compute, path));
        Self::with(law, coordinates, law.axes().iter().enumerate().map(term).collect(), Storage::new(compute, storage))
    }

    /// Allowance for a program whose own frequencies are those of the law, however it has computed them: c = 0, as in
    /// [`Allowance::of_own_frequencies`](super::Allowance::of_own_frequencies).
    pub fn of_own_frequencies(law: &AxialLaw, coordinates: &Coordinates, compute: Compute, storage: Format) -> Self {
        let term = |(a, axis)| AxisTerm::own(axis, coordinates.distinct(a), compute);
        Self::with(law, coordinates, law.axes().iter().enumerate().map(term).collect(), Storage::new(compute, storage))
    }

    fn with(law: &AxialLaw, coordinates: &Coordinates, terms: Vec<AxisTerm<'_>>, storage: Storage) -> Self {
        let slope = |head: usize, slot: usize| {
            let claims = law.claims(slot);
            let of = |claim: &posproof_encoding::axes::Claim| {
                (claim.axis, terms[claim.axis].slope(head, claim.at, claims.len()))
            };
            claims.iter().map(of).collect::<Vec<_>>()
        };
        Self {
            slopes: (0..law.heads())
                .flat_map(|head| (0..law.slots()).map(move |slot| (head, slot)))
                .map(|(h, s)| slope(h, s))
                .collect(),
            slots: law.slots(),
            reaches: terms
                .iter()
                .zip(0..)
                .map(|(term, a)| coordinates.distinct(a).iter().map(|x| term.reach(x)).collect())
                .collect(),
            gains: (0..law.slots()).map(|slot| law.gain(slot).enclose(64).abs().upper_f64()).collect(),
            storage,
        }
    }

    /// Slope of the error of a slot's angle in t, in radians, summed over the axes that claim the slot.
    pub fn slope(&self, head: usize, slot: usize) -> f64 {
        if slot >= self.slots {
            return f64::INFINITY;
        }
        self.slopes_of(head, slot).iter().map(|(_, slope)| slope).sum()
    }

    /// The axes that claim a slot, each with how its error grows with t.
    fn slopes_of(&self, head: usize, slot: usize) -> &[(usize, f64)] {
        let heads = self.slopes.len() / self.slots;
        self.slopes.get(head % heads * self.slots + slot).map_or(&[], Vec::as_slice)
    }

    /// The largest t of an axis.
    fn largest_reach(&self, axis: usize) -> f64 {
        self.reaches.get(axis).into_iter().flatten().copied().fold(0.0, f64::max)
    }

    /// C for every slot of a row of a head: the bound without the storage format. `place` gives the number of the row's coordinate along an
    /// axis; none is a row without a position, which only has to be stored.
    pub fn computed(&self, head: usize, place: impl Fn(usize) -> Option<usize>, out: &mut [f64]) {
        let heads = self.slopes.len() / self.slots;
        let slopes = &self.slopes[head % heads * self.slots..][..self.slots];
        let reach = |axis: usize| place(axis).and_then(|at| self.reaches[axis].get(at)).copied();
        let reaches: Option<Vec<f64>> = (0..self.reaches.len()).map(reach).collect();
        let Some(reaches) = reaches else {
            // A row without a position has none along any axis.
            for (out, (slopes, gain)) in out.iter_mut().zip(slopes.iter().zip(&self.gains)) {
                *out = if slopes.is_empty() { gain * self.storage.flat } else { 0.0 };
            }
            return;
        };
        for ((out, slopes), gain) in out.iter_mut().zip(slopes).zip(&self.gains) {
            let angle = match slopes.as_slice() {
                &[(axis, slope)] => reaches[axis] * slope,
                several => several.iter().map(|&(axis, slope)| reaches[axis] * slope).sum(),
            };
            *out = gain * (self.limited(angle) + self.storage.flat);
        }
    }

    /// C for a slot of the first head in rows with |x| + |o| ≤ `t` along each axis that claims it. The coordinates that the bounds were made for
    /// must be as hard to hold as those of these rows.
    pub fn within(&self, slot: usize, t: f64) -> f64 {
        let angle = self.slopes[..self.slots]
            .get(slot)
            .map_or(f64::INFINITY, |slopes| slopes.iter().map(|(_, slope)| t * slope).sum());
        self.gain(slot) * (self.limited(angle) + self.storage.flat)
    }

    /// The error of an angle as that of its cosine and sine. 0·∞ is no number: nothing is known of such an angle.
    fn limited(&self, angle: f64) -> f64 {
        if angle * UPWARD < 2.0 { angle * UPWARD } else { 2.0 }
    }

    /// The bound for an entry whose exact value is within a unit in the last place of `exact`, with C as computed.
    pub fn entry(&self, computed: f64, exact: f64) -> f64 {
        self.storage.entry(computed, exact)
    }

    /// The bounds for a row of entries ([`entry`](Self::entry)), each with its C.
    pub fn entries(&self, computed: &[f64], exact: &[f64], bounds: &mut [f64]) {
        vectorized(Instructions::detect(), RowBounds { storage: &self.storage, computed, exact, bounds });
    }

    /// The bound for an entry of a rotated pair of this length, with C and the slot that turns it; see [`Allowance::rotated`](super::Allowance::rotated).
    pub fn rotated(&self, computed: f64, slot: usize, length: f64) -> f64 {
        self.storage.rotated(computed, self.gains.get(slot).copied().unwrap_or(f64::INFINITY), length)
    }

    /// Bound of an entry before a format of 8 bits keeps it; see [`Allowance::turned`](super::Allowance::turned).
    pub fn turned(&self, computed: f64, slot: usize, length: f64) -> f64 {
        self.storage.turned(computed, self.gains.get(slot).copied().unwrap_or(f64::INFINITY), length)
    }

    /// That bound with half a step of the format that keeps the entry; see [`Allowance::kept`](super::Allowance::kept).
    pub fn kept(&self, bound: f64, exact: f64) -> f64 {
        self.storage.kept(bound, exact)
    }

    /// The bound for an entry that is not rotated: that of storing it.
    pub fn stored(&self, exact: f64) -> f64 {
        self.storage.entry(0.0, exact)
    }

    /// The part of C that does not grow, relative to the gain.
    pub(super) fn flat(&self) -> f64 {
        self.storage.flat
    }

    /// |g| of a slot, rounded up.
    pub fn gain(&self, slot: usize) -> f64 {
        self.gains.get(slot).copied().unwrap_or(f64::INFINITY)
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        ORIGIN
    }
}

/// The bounds of a row.
struct RowBounds<'a> {
    storage: &'a Storage,
    computed: &'a [f64],
    exact: &'a [f64],
    bounds: &'a mut [f64],
}

impl Loop for RowBounds<'_> {
    #[inline(always)]
    fn run(self) {
        let of = self.computed.iter().zip(self.exact);
        for (bound, (computed, exact)) in self.bounds.iter_mut().zip(of) {
            *bound = self.storage.entry(*computed, *exact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowance;
    use posproof_encoding::axes::AxialConvention;
    use posproof_encoding::convention::{Component, Convention};

    /// An axis of a rotary convention.
    fn law(whole: &Convention, axis: &str) -> AxialLaw {
        let axes = vec![axis.parse().expect("an axis")];
        let convention = AxialConvention { axes, ..AxialConvention::from(whole) };
        convention.law(|_| Err("none".into())).expect("a convention")
    }

    /// One axis of whole positions has the bounds of a convention of one axis.
    #[test]
    fn one_axis_is_the_special_case() {
        let convention = Convention { base: 500_000.into(), ..Convention::rope(32) };
        let axial = AxialConvention::from(&convention).law(|_| Err("none".into())).expect("a convention");
        let rows = Coordinates::from_floats(&[0.0, 1.0, 4095.0, 131_071.0], 1).expect("rows");
        let omega: Vec<f64> =
            convention.frequencies(80).expect("valid").iter().map(|omega| omega.approximate()).collect();
        for path in [None, Some(Path::Rounded), Some(Path::Pow)] {
            let one = Allowance::new(&convention, &omega, 131_071, (Format::F32, path), Format::F32);
            let all = AxialAllowance::new(&axial, &rows, (Format::F32, path), Format::F32);
            for row in 0..rows.rows() {
                let mut computed = vec![0.0; 16];
                all.computed(0, |axis| rows.place(row, axis), &mut computed);
                let t = rows.get(row, 0).expect("a position").to_f64();
                for (pair, found) in computed.into_iter().enumerate() {
                    let expected = one.computed(pair, t);
                    assert!((found / expected - 1.0).abs() < 1e-9, "{path:?} {t} {pair}: {found:e} {expected:e}");
                }
            }
        }
    }

    /// A program in binary32 that normalises a grid of 14 rows as published ones do: (i + 1/2)/14, to [−1, 1], times 2π over the period.
    #[test]
    fn a_normalised_grid_is_within_its_bound_and_needs_a_part_of_it() {
        let whole = Convention { base: 100.into(), ..Convention::rope(32) };
        let law = law(&whole, "h:0..16;position-offset=-13/2;position-scale=2/7*pi");
        let grid: Vec<f64> = (0..14).map(f64::from).collect();
        let rows = Coordinates::from_floats(&grid, 1).expect("rows");
        let allowance = AxialAllowance::new(&law, &rows, (Format::F32, Some(Path::Pow)), Format::F32);
        let mut largest = 0f64;
        for i in 0..14u8 {
            let centred = ((f32::from(i) + 0.5) / 14.0) * 2.0 - 1.0;
            let mut computed = vec![0.0; 16];
            allowance.computed(0, |axis| rows.place(usize::from(i), axis), &mut computed);
            for (k, computed) in computed.into_iter().enumerate() {
                let period = core_math::pow(100.0, f64::from(k as f32 / 16.0)) as f32;
                let angle = std::f32::consts::TAU * centred / period;
                let here = rows.row(usize::from(i)).expect("a position");
                for (component, got) in [
                    (Component::Cos, core_math::cos(f64::from(angle))),
                    (Component::Sin, core_math::sin(f64::from(angle))),
                ] {
                    let exact = law.enclose(0, k, &here, component, 80).expect("an enclosure").approximate();
                    let error = (f64::from(got as f32) - exact).abs();
                    let bound = allowance.entry(computed, exact);
                    assert!(error <= bound, "row {i}, slot {k}: {error:e} > {bound:e}");
                    largest = largest.max(error / bound);
                }
            }
        }
        assert!(largest > 0.05, "the largest error is {largest} of its bound");
    }

    #[test]
    fn rows_without_a_position_and_unclaimed_slots_have_no_angle() {
        let law = law(&Convention::rope(4), "t:1..2");
        let rows = Coordinates::from_floats(&[f64::NAN, 1e6], 1).expect("rows");
        let allowance = AxialAllowance::new(&law, &rows, (Format::F32, None), Format::F32);
        let of = |row: usize| {
            let mut computed = [9.0; 2];
            allowance.computed(0, |axis| rows.place(row, axis), &mut computed);
            computed
        };
        assert_eq!(of(0)[1], 0.0);
        assert!(of(1)[0] < 1e-6 && of(1)[0] > 0.0);
    }
}
