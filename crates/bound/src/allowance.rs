//! Distance of any honest implementation from the exact value, at most, whatever libraries it calls.
//!
//! An implementation that computes in a format with unit roundoff u takes a frequency ω′ with
//! |ω′ − ω| ≤ ρω + σ ([`super::frequency`]), forms the angle t·ω′ with some roundings, takes a sine of it that is accurate to
//! κ ulp, multiplies it by a gain g and stores it in a format with unit roundoff u_S and smallest number η_S:
//!
//! |entry − exact| ≤ u_S·(|exact| + C) + C + η_S/2, C = |g|·(min(2, t·s) + r(t) + e^((2κ+3)u) − 1)
//!
//! with the slope s = ω·(e^(u·(c+r+m)) − 1) + σ·e^(u·(c+r+m)): c roundings of the frequency's path, r of the scaling
//! rule, m of the angle (1 for the product, 3 for a scale and an offset, 1 for positions that the format does not hold).
//! A relative error of each factor of at most (1 + cᵢu) leaves e^(u·Σcᵢ) − 1 in all.
//!
//! r(t) is 0, but for a recurrence over the positions, z(t + 1) = z(t)·w with w = cos ω′ + i·sin ω′ computed: each product is
//! within √5·u of its size (Brent, Percival, Zimmermann 2007), w within 2κu, and what underflow takes from both within 8η,
//! so that n ≤ t + |offset| steps leave r = e^(n·((√5 + 2κ)u + 8η)) − 1.
//!
//! A format of 8 bits stores what a program of 16 bits or more would have stored: with B the bound of an entry in bfloat16, the
//! bound is B + max(u₈·2^⌊log₂(|exact| + B)⌋, η₈/2), half a step of the format more. What is beyond its largest number is stored as
//! that, and compared with that.
//!
//! The assumption on libraries, the only one, is that of [`super::frequency`]. The derivation is in docs/bounds.md.

mod rows;

use super::frequency::FrequencyErrors;
use super::libraries::Compute;
use super::origin::Origin;
use super::path::half;
use super::program::Path;
use super::upward::{Upper, smallest, unit};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::{Format, binade, power_of_two};
use posproof_table::{Instructions, vectorized};
use rows::{Bounds, TurnedBounds};

/// The derivation.
const ORIGIN: Origin = Origin::Derived("docs/bounds.md, any honest implementation");

/// Above √5.
const SQRT_5: f64 = 2.236_067_977_499_79;

/// More than the roundings of the sums and products that make a bound of an entry from these figures: 10 of them, and 2
/// of the position, each by a factor 1 + 2^−53 at most, as all terms are positive.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 49) as f64;

/// Bounds on the error of every entry of a convention, as a position and a pair decide them.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Of each pair: what the error of the angle grows by with each position.
    slopes: Vec<f64>,
    /// By how much a step of a recurrence may multiply the error: its logarithm. 0 for programs without one.
    growth: f64,
    /// |offset|: steps of a recurrence that the effective position does not count.
    steps: f64,
    /// |g|.
    gain: f64,
    storage: Storage,
}

/// Addition of storage to a bound, and the part of it that no angle changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    /// The part of C that does not grow, relative to the amplitude.
    pub flat: f64,
    /// The unit roundoff of the storage format.
    unit: f64,
    /// Half its smallest positive number, and more than what underflow loses in binary64.
    tiny: f64,
    /// The format of 8 bits that keeps what was stored so; the others then are those of bfloat16.
    kept: Option<Format>,
}

impl Storage {
    /// Of entries that are computed in one format and stored in another.
    pub fn new(compute: Compute, storage: Format) -> Self {
        let kept = storage.narrow().map(|_| storage);
        let storage = if kept.is_some() { Format::Bf16 } else { storage };
        Self {
            flat: (Upper::of(2.0 * compute.libraries.waves() + 3.0) * unit(compute.format)).expm1().get(),
            unit: storage.unit_roundoff(),
            tiny: half(smallest(storage)).get().max(power_of_two(-1070)),
            kept,
        }
    }

    /// u_S·(|exact| + C) + C + η_S/2, and half a step of a format of 8 bits.
    pub fn entry(&self, computed: f64, exact: f64) -> f64 {
        self.kept((self.unit * (exact.abs() + computed) + computed + self.tiny) * UPWARD, exact)
    }

    /// Bound for an entry of a rotated pair of a length, before a format of 8 bits keeps it: see [`Allowance::rotated`].
    #[inline(always)]
    pub fn turned(&self, computed: f64, gain: f64, length: f64) -> f64 {
        let relative = 1.5 * computed + (6.5 * self.unit + power_of_two(-50)) * gain;
        (length * relative + 4.0 * self.tiny) * UPWARD
    }

    /// Bound for an entry of a rotated pair of a length: see [`Allowance::rotated`].
    pub fn rotated(&self, computed: f64, gain: f64, length: f64) -> f64 {
        self.kept(self.turned(computed, gain, length), length * gain)
    }

    /// The bound of an entry, with half a step of the format of 8 bits that keeps it, if one does.
    pub fn kept(&self, bound: f64, exact: f64) -> f64 {
        let Some(format) = self.kept else { return bound };
        let size = (exact.abs() + bound) * UPWARD;
        (bound + (format.unit_roundoff() * binade(size)).max(format.min_positive() / 2.0)) * UPWARD
    }
}

impl Allowance {
    /// For a convention with frequencies `omega` (each rounded to nearest), positions up to `last`, computed in
    /// `compute` along a path, or any of them, and stored in `storage`.
    pub fn new(
        convention: &Convention,
        omega: &[f64],
        last: u64,
        (compute, path): (impl Into<Compute>, Option<Path>),
        storage: Format,
    ) -> Self {
        let compute = compute.into();
        Self::with(convention, omega, last, (FrequencyErrors::new(convention, compute, path), compute, path), storage)
    }

    /// The same for an implementation whose own frequencies are `omega`, however it has computed them: c = 0. What is left is
    /// the error of a scaling rule that is applied to positions or angles, of the angle, of cosine and sine, and of storage.
    pub fn of_own_frequencies(
        convention: &Convention,
        omega: &[f64],
        last: u64,
        compute: impl Into<Compute>,
        storage: Format,
    ) -> Self {
        let compute = compute.into();
        let errors = FrequencyErrors::new(convention, compute, Some(Path::Rounded)).with_own();
        Self::with(convention, omega, last, (errors, compute, Some(Path::Rounded)), storage)
    }

    fn with(
        convention: &Convention,
        omega: &[f64],
        last: u64,
        (errors, compute, path): (FrequencyErrors, Compute, Option<Path>),
        storage: Format,
    ) -> Self {
        let (scale, offset) = (convention.position_scale.value().to_f64().abs(), convention.position_offset.value());
        let whole = offset.is_integer() && scale == 1.0;
        let scale = Upper::of(if whole { scale } else { scale.next_up() });
        let counts = last as f64 + offset.to_f64().abs() <= 1.0 / compute.format.unit_roundoff();
        let roundings = 1.0 + if whole { 0.0 } else { 3.0 } + if counts { 0.0 } else { 1.0 };
        let slope = |(pair, &omega): (usize, &f64)| {
            // Every path gives 1 = base^0 exactly, and its products with whole numbers are exact.
            if pair == 0 && omega == 1.0 && errors.keeps_first() && whole && counts {
                return 0.0;
            }
            let relative = errors.relative(pair, omega, roundings);
            let lost = errors.lost(pair);
            (scale * (Upper::of(omega.next_up()) * relative + lost + lost * relative)).get()
        };
        let recurrence = path == Some(Path::Recurrence);
        let step = Upper::of(SQRT_5 + 2.0 * compute.libraries.waves()) * unit(compute.format)
            + Upper::of(8.0) * smallest(compute.format);
        Self {
            slopes: omega.iter().enumerate().map(slope).collect(),
            growth: if recurrence { step.get() } else { 0.0 },
            steps: offset.to_f64().abs(),
            gain: convention.gain().enclose(64).abs().upper_f64(),
            storage: Storage::new(compute, storage),
        }
    }

    /// The bounds of pairs whose cosines and sines are those of two others: the larger one of both, for each pair.
    #[must_use]
    pub fn of_pairs(self, pairs: impl Fn(usize) -> [usize; 2]) -> Self {
        let slope = |pair: usize| pairs(pair).into_iter().fold(0.0, |most: f64, pair| most.max(self.slope(pair)));
        let slopes = (0..self.slopes.len()).map(slope).collect();
        Self { slopes, ..self }
    }

    /// The bound for an entry whose exact value is within a unit in the last place of `exact`, at `t`, the
    /// [`reach`](posproof_encoding::Law::reach) of a position: |p| + |offset|.
    pub fn of(&self, pair: usize, t: f64, exact: f64) -> f64 {
        self.storage.entry(self.computed(pair, t), exact)
    }

    /// The same without the storage format; infinite for a pair that the convention does not have.
    pub fn computed(&self, pair: usize, t: f64) -> f64 {
        self.slopes.get(pair).map_or(f64::INFINITY, |slope| self.computed_at(t * slope, self.grown(t)))
    }

    /// C of an entry, from the error of its angle and what a recurrence adds.
    #[inline(always)]
    fn computed_at(&self, angle: f64, grown: f64) -> f64 {
        self.gain * (if angle < 2.0 { angle } else { 2.0 } + self.storage.flat + grown)
    }

    /// r(t).
    fn grown(&self, t: f64) -> f64 {
        // x + x² ≥ e^x − 1 for x ≤ 1. Beyond that entries may grow without a bound worth the name.
        let x = (t + self.steps) * self.growth;
        if x <= 1.0 { x + x * x } else { f64::INFINITY }
    }

    /// The bounds of a row of entries at the [`reach`](posproof_encoding::Law::reach) `t` of its position: of as many columns as there are slopes, each that of
    /// the column's pair.
    pub fn row(&self, slopes: &[f64], t: f64, exact: &[f64], bounds: &mut [f64]) {
        let &Self { gain, storage: Storage { flat, unit, tiny, .. }, .. } = self;
        let flat = flat + self.grown(t);
        let row = Bounds { gain, flat, unit, tiny, t, slopes, exact, bounds: &mut *bounds };
        vectorized(Instructions::detect(), row);
        if self.storage.kept.is_some() {
            bounds.iter_mut().zip(exact).for_each(|(bound, exact)| *bound = self.storage.kept(*bound, *exact));
        }
    }

    /// Growth of the error of a pair's angle with each position; 0 beyond the last pair.
    pub fn slope(&self, pair: usize) -> f64 {
        self.slopes.get(pair).copied().unwrap_or(0.0)
    }

    /// The bound for the entries of a rotated pair of this length, at the [`reach`](posproof_encoding::Law::reach) `t` of its position:
    /// r·(3/2·C + (13/2)·u_S·|g| + 2^−50·|g|) + 2η_S.
    ///
    /// With cosine and sine within δ = C + u_S·(|g| + C) of the exact ones, a component of the rotation is wrong by
    /// √2·δ·r, by 2u_S·r·(|g| + √2·δ) for two products and their sum (`rounding_rotated_pair`), and by u_S for a cast: together at
    /// most 1.44·C + 4.46·u_S·|g| for u_S ≤ 2^−8, and two roundings more are left for casts of the vector on the way.
    /// 2^−50·|g| is what the reference, itself a rotation in binary64, may be wrong by.
    pub fn rotated(&self, pair: usize, t: f64, length: f64) -> f64 {
        self.storage.rotated(self.computed(pair, t), self.gain, length)
    }

    /// Bound for an entry of the pair before a format of 8 bits keeps it: that of [`rotated`](Self::rotated) in all other formats.
    pub fn turned(&self, pair: usize, t: f64, length: f64) -> f64 {
        self.storage.turned(self.computed(pair, t), self.gain, length)
    }

    /// The bounds of [`turned`](Self::turned) of all pairs of a row, each of its length; infinite beyond the last pair.
    pub fn turned_row(&self, t: f64, lengths: &[f64], bounds: &mut [f64]) {
        bounds.iter_mut().skip(self.slopes.len()).for_each(|bound| *bound = f64::INFINITY);
        let row = TurnedBounds { allowance: self, grown: self.grown(t), t, lengths, bounds };
        vectorized(Instructions::detect(), row);
    }

    /// A bound of [`turned`](Self::turned) with half a step of the format of 8 bits that keeps the entry, if one does. Less than
    /// `rotated` says, where the entry is less than its pair.
    pub fn kept(&self, bound: f64, exact: f64) -> f64 {
        self.storage.kept(bound, exact)
    }

    /// True if a format of 8 bits keeps the entries, and [`kept`](Self::kept) is another bound.
    pub fn is_kept(&self) -> bool {
        self.storage.kept.is_some()
    }

    /// The bound for an entry that is not rotated: that of storing it.
    pub fn stored(&self, exact: f64) -> f64 {
        self.storage.entry(0.0, exact)
    }

    /// The magnitude of the gain, rounded up.
    pub fn gain(&self) -> f64 {
        self.gain
    }

    /// The unit roundoff of the storage format.
    pub fn unit(&self) -> f64 {
        self.storage.kept.map_or(self.storage.unit, Format::unit_roundoff)
    }

    /// Where the bounds come from.
    pub fn origin(&self) -> Origin {
        ORIGIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::{Float, Round};

    /// u_S·(|exact| + C) + C + η_S/2 from the same figures, with 400 bits.
    fn formula(allowance: &Allowance, slope: f64, t: f64, exact: f64, storage: Format) -> Float {
        let real = Float::from_f64;
        let add = |x: &Float, y: &Float| x.add(y, 400, Round::Nearest);
        let mul = |x: &Float, y: &Float| x.mul(y, 400, Round::Nearest);
        let angle = mul(&real(t), &real(slope));
        let clipped = if angle > real(2.0) { real(2.0) } else { angle };
        let computed = mul(&real(allowance.gain), &add(&clipped, &real(allowance.storage.flat)));
        let stored = mul(&real(storage.unit_roundoff()), &add(&real(exact.abs()), &computed));
        add(&add(&stored, &computed), &real(storage.min_positive()).scaled(-1))
    }

    #[test]
    fn rows_of_rotated_pairs_are_those_of_single_ones() {
        let convention = Convention { amplitude: "1.25".parse().expect("a number"), ..Convention::rope(22) };
        let omega: Vec<f64> =
            convention.frequencies(80).expect("valid").iter().map(|omega| omega.approximate()).collect();
        for (compute, path) in [(Format::F32, None), (Format::F64, Some(Path::Recurrence)), (Format::Bf16, None)] {
            let allowance = Allowance::new(&convention, &omega, 1 << 20, (compute, path), Format::F16);
            let lengths: Vec<f64> = (0..13).map(|pair| f64::from(pair) * 0.37).collect();
            for t in [0.0, 1.0, 700.5, 1e6] {
                let mut bounds = [0.0; 13];
                allowance.turned_row(t, &lengths, &mut bounds);
                for (pair, length) in lengths.iter().enumerate() {
                    assert_eq!(bounds[pair], allowance.turned(pair, t, *length), "{compute} {pair} {t}");
                }
            }
        }
    }

    #[test]
    fn rows_are_the_formula_rounded_up() {
        let convention = Convention { base: 500_000.into(), ..Convention::rope(32) };
        let omega: Vec<f64> =
            convention.frequencies(80).expect("valid").iter().map(|omega| omega.approximate()).collect();
        for (compute, storage) in [(Format::F64, Format::F64), (Format::F32, Format::F16), (Format::Bf16, Format::F32)]
        {
            for path in [None, Some(Path::Rounded), Some(Path::F64), Some(Path::Exp)] {
                let allowance = Allowance::new(&convention, &omega, 1 << 20, (compute, path), storage);
                let slopes: Vec<f64> = (0..16).map(|pair| allowance.slope(pair)).collect();
                for t in [0.0, 1.0, 3.0, 4095.0, 131_071.0, 1_048_575.3] {
                    let exact: Vec<f64> = omega.iter().map(|omega| core_math::sin(t * omega)).collect();
                    let mut bounds = vec![0.0; 16];
                    allowance.row(&slopes, t, &exact, &mut bounds);
                    for (pair, &bound) in bounds.iter().enumerate() {
                        assert_eq!(bound, allowance.of(pair, t, exact[pair]));
                        let least = formula(&allowance, slopes[pair], t, exact[pair], storage);
                        assert!(Float::from_f64(bound) >= least, "{compute} {storage} {pair} {t}");
                        let most = least.mul(&Float::from_f64(1.0 + 2f64.powi(-48)), 400, Round::Up);
                        assert!(Float::from_f64(bound) <= most, "{compute} {storage} {pair} {t}");
                    }
                }
            }
        }
    }

    /// The addition theorem in binary32, over and over: no entry is beyond the bound of its path, and some are beyond that of
    /// entries that are computed by themselves.
    #[test]
    fn a_recurrence_stays_within_its_bound() {
        let convention = Convention::rope(32);
        let omega: Vec<f64> =
            convention.frequencies(80).expect("valid").iter().map(|omega| omega.approximate()).collect();
        let of = |path| Allowance::new(&convention, &omega, 1 << 16, (Format::F32, Some(path)), Format::F32);
        let (recurrence, pow) = (of(Path::Recurrence), of(Path::Pow));
        let (mut beyond, mut largest) = (0, 0f64);
        for (pair, &omega) in omega.iter().enumerate() {
            let frequency = omega as f32;
            let (c, s) = (f64::from(frequency), f64::from(frequency));
            let (c, s) = (core_math::cos(c) as f32, core_math::sin(s) as f32);
            let (mut cos, mut sin) = (1f32, 0f32);
            for t in 0..20_000u32 {
                let t = f64::from(t);
                let exact = (core_math::cos(t * omega), core_math::sin(t * omega));
                for (got, exact) in [(cos, exact.0), (sin, exact.1)] {
                    let error = (f64::from(got) - exact).abs();
                    let bound = recurrence.of(pair, t, exact);
                    assert!(error <= bound, "pair {pair} at {t}: {error:e} > {bound:e}");
                    beyond += u32::from(error > pow.of(pair, t, exact));
                    largest = largest.max(error / bound);
                }
                (cos, sin) = (cos * c - sin * s, sin * c + cos * s);
            }
        }
        assert!(beyond > 1000 && largest > 0.05, "{beyond} beyond the other bound, the largest {largest} of this one");
    }

    /// Nothing is left of a frequency of 0, nor of its error: divided by an unscaled one it must not become infinite.
    #[test]
    fn a_pair_at_rest_has_no_slope_under_a_blend() {
        for rule in [
            r#"{"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 64}"#,
            r#"{"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 64}"#,
        ] {
            let scaling = Some(posproof_encoding::model::scaling_rule(rule).expect(rule));
            let convention = Convention { scaling, ..Convention::rope(8) };
            let allowance = Allowance::new(&convention, &[0.0; 4], 1 << 20, (Format::F32, None), Format::F32);
            (0..4).for_each(|pair| assert!(allowance.slope(pair) < 1e-40, "{rule} {pair}: {}", allowance.slope(pair)));
        }
    }

    #[test]
    fn what_a_recurrence_adds_is_no_less_than_its_growth() {
        let convention = Convention::rope(8);
        let path = (Format::F16, Some(Path::Recurrence));
        let allowance = Allowance::new(&convention, &[1.0, 0.1, 0.01, 0.001], 2048, path, Format::F32);
        for t in [0.0, 1.0, 10.0, 100.0, 300.0] {
            let x = t * allowance.growth;
            assert!(allowance.grown(t) >= core_math::expm1(x), "{t}");
        }
        assert_eq!((allowance.grown(0.0), allowance.grown(2048.0)), (0.0, f64::INFINITY));
    }
}
