//! The plan of a table: everything that MPFR contributes before the kernel runs.
//!
//! Positions are counted from the smallest one, p₀: p = p₀ + n. The bits of n are cut into digits. The
//! lowest `low_bits` of them select a row b of the low table, z₂ = e^(i·b·σω) with σ = ±`position_scale`;
//! the higher digits each select a row of a level, and the anchor z₁ is the product of these rows and of
//! the start z₀ = X·e^(i·σ(p₀ + offset)ω). MPFR computes e^(iσω) and z₀ for each pair and squares the former
//! up to the weight of each digit; a level's rows are powers of that point, by repeated multiplication. The
//! cost of a plan depends on the logarithm of the range of positions, not on their number.
//!
//! # Error of the factors
//!
//! A number from MPFR is the sum of two binary64 numbers to within ε = 2^−105 of each part: the part is
//! rounded to 106 bits, and before that its error is below 2^−130. MPFR works at 136 bits beyond the larger of
//! the largest angle's bits before the point and the number of squarings: ω is enclosed that narrowly, and each
//! squaring doubles the error of the angle with the angle, and adds less than three units in the last place. For factors z and z′ of modulus 1 and angles of magnitude τ and
//! τ′, known to within E and E′ in modulus and to within E·τ and E′·τ′ in the sine, the product is known
//! to within E + E′ + √2·η in modulus, with η = 2^−102 from [`super::double`]; its sine to within
//!
//! E·τ·|c′| + |s|·E′ + E′·τ′·|c| + E·|s′| + η·(|s| + |s′|) ≤ (E + E′ + η)·(τ + τ′),
//!
//! because |s| ≤ τ. Every factor that goes into an entry therefore adds at most √2·(ε + η) <
//! 1.75·2^−102, terms of second order included, and an entry is a product of at most W of them: W is the
//! sum of the largest digits, one for the start and one for the kernel's own product in double-double
//! arithmetic. So E = 1.75·2^−102·W, and the sine's error is at most E·X·min(1, τ + τ′) with the magnitudes
//! of all factors' angles added up. A factor X changes nothing of this relative to X. Products below 2^−968
//! lose exactness; each loses at most 2^−1069, and all of them together less than 2^−1060·max(1, X).

use super::double::{Multiply, PRODUCT_ERROR, Pairs, Powers};
use super::kernel::{Kernel, Scale};
use super::simd::{Instructions, dispatch};
use super::{InvalidTable, Positions};
use crate::encoding::convention::Convention;
use crate::encoding::frequency::Entries;
use crate::number::format::{exponent_of, power_of_two};
use crate::number::interval::Interval;
use rug::float::Round;
use rug::{Assign, Float, Rational};

/// The number of bits of a digit above the lowest.
const DIGIT: u32 = 6;

/// Rows for one digit of the position.
struct Level {
    shift: u32,
    bits: u32,
    rows: Vec<Pairs>,
}

/// What the kernel needs to fill any part of a table.
pub struct Plan<K: Kernel> {
    pub entries: Entries,
    pub instructions: Instructions,
    /// The smallest position.
    pub origin: u64,
    pub pairs: usize,
    /// Groups of the kernel in a row.
    pub groups: usize,
    pub low_bits: u32,
    /// The low table for the kernel and in full, row after row.
    pub low: Vec<K::Low>,
    pub low_full: Vec<Pairs>,
    levels: Vec<Level>,
    start: Vec<Pairs>,
    /// Upper bounds: |σ|ω and |σ(p₀ + offset)|ω of each pair, and max|s₂| over the low table.
    step: Vec<f64>,
    start_angle: Vec<f64>,
    sine: Vec<f64>,
    /// Whether a pair's frequency is 0.
    pub still: Vec<bool>,
    exact: bool,
    /// X, and E.
    pub gain: f64,
    error: f64,
    /// The allowance for underflow, 2^−1060·max(1, X), and E·X plus this. Kept, because arithmetic on
    /// subnormal numbers is slow.
    underflow: f64,
    factors: f64,
}

/// A positive number rounded up to binary64.
fn up(x: &Float) -> f64 {
    x.to_f64_round(Round::Up)
}

impl<K: Kernel> Plan<K> {
    /// Plans a table. The gain must lie between 2^−60 and 2^60 in magnitude.
    pub fn new(
        convention: &Convention,
        positions: &Positions,
        instructions: Instructions,
    ) -> Result<Self, InvalidTable> {
        let entries = Entries::new(convention);
        let pairs = convention.pairs();
        let groups = pairs.div_ceil(K::GROUP);
        let (origin, span) = (positions.min(), positions.max() - positions.min());
        let (sigma, first) = (convention.step(), convention.effective_position(origin));

        let reach = Rational::from(first.abs_ref()) + Rational::from(sigma.abs_ref()) * (span + 1);
        let needed = u64::BITS - span.leading_zeros();
        // Enough for frequencies up to 1, which all but unusual scaling rules have.
        let spare = |angle: i32| (136 + (angle.max(0) as u32).max(needed)).next_multiple_of(64);
        let exponent = |largest: &Float| Float::with_val(64, largest * &reach).get_exp().unwrap_or(0);
        let bits = spare(exponent(&Float::with_val(64, 1)));
        let frequencies = convention.frequencies(bits).ok_or(InvalidTable::Precision)?;
        let largest =
            frequencies.iter().map(Interval::upper).fold(frequencies[0].upper(), |a, b| if a > b { a } else { b });
        let wanted = spare(exponent(largest));
        let frequencies =
            if wanted > bits { convention.frequencies(wanted).ok_or(InvalidTable::Precision)? } else { frequencies };
        let bits = bits.max(wanted);
        // Lanes beyond the last pair repeat it, so that they never fail a test on their own.
        let lanes = groups * K::GROUP;
        let omega: Vec<&Interval> = (0..lanes).map(|lane| &frequencies[lane.min(pairs - 1)]).collect();
        let middles: Vec<Float> = omega.iter().map(|omega| omega.midpoint()).collect();
        let gain = convention.gain().enclose(bits);

        let bound = |factor: &Rational| -> Vec<f64> {
            let factor = Float::with_val_round(64, factor.clone().abs(), Round::Up).0;
            omega.iter().map(|omega| up(&Float::with_val_round(64, &factor * omega.upper(), Round::Up).0)).collect()
        };
        let low_bits = preferred_low_bits(pairs).min(needed);
        let mut widest = (1u64 << low_bits) - 1;
        let mut circle = Circle::new(&middles, &sigma, bits);
        let low_full = powers(instructions, unit(lanes), &circle.parts(), 1 << low_bits);
        circle.double(low_bits);
        let mut start = Circle::new(&middles, &first, bits);
        start.scale(&gain.midpoint());
        let start = start.parts();
        let mut levels = Vec::new();
        let mut shift = low_bits;
        while shift < needed {
            // Equal digits: three of five bits rather than two of six and one of three.
            let digits = (needed - shift).div_ceil(DIGIT);
            let width = (needed - shift).div_ceil(digits);
            let top = shift + width == needed;
            let first = if top { start.clone() } else { unit(lanes) };
            let rows = powers(instructions, first, &circle.parts(), 1 << width);
            circle.double(width);
            levels.push(Level { shift, bits: width, rows });
            widest += (1u64 << width) - 1;
            shift += width;
        }
        let sine = (0..lanes)
            .map(|lane| {
                let rows = low_full.chunks_exact(lanes / 8);
                rows.map(|row| row[lane / 8].s[lane % 8].abs()).fold(0.0, f64::max) * (1.0 + 1e-12)
            })
            .collect();
        let magnitude = gain.abs();
        let gain = up(magnitude.upper());
        let error = 1.75 * PRODUCT_ERROR * (widest + 2) as f64;
        let underflow = power_of_two(-1060) * gain.max(1.0);
        Ok(Self {
            low: low_full.chunks_exact(K::GROUP / 8).map(K::low).collect(),
            low_full,
            step: bound(&sigma),
            start_angle: bound(&first),
            sine,
            still: omega.iter().map(|omega| omega.upper().is_zero()).collect(),
            exact: magnitude.is_point() && *magnitude.lower() == magnitude.lower().to_f64(),
            gain,
            error,
            underflow,
            factors: error * gain + underflow,
            entries,
            instructions,
            origin,
            pairs,
            groups,
            low_bits,
            levels,
            start,
        })
    }

    /// Pairs elements in a row.
    pub fn row_len(&self) -> usize {
        self.groups * K::GROUP / 8
    }

    /// z₁ for the rows whose number above the low bits is `block`.
    pub fn anchor(&self, block: u64, out: &mut [Pairs], spare: &mut [Pairs]) {
        let n = block << self.low_bits;
        let width = out.len();
        let row = |level: &Level| {
            let digit = (n >> level.shift) as usize & ((1 << level.bits) - 1);
            digit * width..(digit + 1) * width
        };
        let Some((top, rest)) = self.levels.split_last() else {
            return out.copy_from_slice(&self.start);
        };
        out.copy_from_slice(&top.rows[row(top)]);
        for level in rest.iter().rev() {
            spare.copy_from_slice(out);
            dispatch(self.instructions, Multiply { x: spare, y: &level.rows[row(level)], out });
        }
    }

    /// The kernel's data for an anchor.
    pub fn kernel_anchor(&self, anchor: &[Pairs], out: &mut Vec<K::Anchor>) {
        let below = power_of_two(exponent_of(self.gain));
        let power = if below == self.gain { below } else { 2.0 * below };
        let fused = self.instructions.fused();
        out.clear();
        out.extend((0..self.groups).map(|group| {
            let sine = &self.sine[group * K::GROUP..][..K::GROUP];
            let still = &self.still[group * K::GROUP..][..K::GROUP];
            let scale = Scale { gain: self.gain, power, factors: self.factors, sine, still, exact: self.exact, fused };
            K::anchor(&anchor[group * (K::GROUP / 8)..][..K::GROUP / 8], &scale)
        }));
    }

    /// Bounds on the error of a sine and a cosine of the double-double product, at n = position − p₀.
    pub fn full_errors(&self, pair: usize, n: u64) -> (f64, f64) {
        let angle = self.start_angle[pair] + self.step[pair] * (n as f64) * (1.0 + 1e-12);
        (self.error * self.gain * angle.min(1.0) + self.underflow, self.factors)
    }

    /// A bound on the error of a sine or cosine computed from the high parts alone, in the manner of
    /// the kernel for narrow formats: the same terms, without the shift by e.
    pub fn high_error(&self, s1: f64, s2: f64, sine: bool) -> f64 {
        let terms = if sine { (s1.abs() + self.gain * s2.abs()).min(self.gain) } else { self.gain };
        6.5 * 1.1102230246251565e-16 * terms + self.factors
    }
}

/// The logarithm of the number of rows of the low table: as many as the second-level cache holds.
fn preferred_low_bits(pairs: usize) -> u32 {
    match pairs {
        0..=128 => 8,
        129..=256 => 7,
        257..=512 => 6,
        513..=65536 => 5,
        _ => 3,
    }
}

/// Every lane 1.
fn unit(lanes: usize) -> Vec<Pairs> {
    vec![Pairs { c: [1.0; 8], ..Pairs::default() }; lanes / 8]
}

/// A point X·e^(iφ) for every lane, in MPFR.
struct Circle {
    points: Vec<(Float, Float)>,
    spare: Float,
}

impl Circle {
    /// e^(i·angle·ω).
    fn new(middles: &[Float], angle: &Rational, bits: u32) -> Self {
        let point = |omega: &Float| {
            let (sin, cos) = Float::with_val(bits, omega * angle).sin_cos(Float::new(bits));
            (cos, sin)
        };
        Self { points: middles.iter().map(point).collect(), spare: Float::new(bits) }
    }

    /// Squares every point `times` times: (c + s)(c − s) and 2cs.
    fn double(&mut self, times: u32) {
        for (cos, sin) in &mut self.points {
            for _ in 0..times {
                self.spare.assign(&*cos + &*sin);
                let product = &*cos * &*sin;
                let twice = Float::with_val(sin.prec(), product) * 2;
                *cos -= &*sin;
                *cos *= &self.spare;
                *sin = twice;
            }
        }
    }

    fn scale(&mut self, gain: &Float) {
        for (cos, sin) in &mut self.points {
            *cos *= gain;
            *sin *= gain;
        }
    }

    /// The points as sums of two binary64 numbers.
    fn parts(&self) -> Vec<Pairs> {
        let mut out = vec![Pairs::default(); self.points.len() / 8];
        for (lane, (cos, sin)) in self.points.iter().enumerate() {
            let element = &mut out[lane / 8];
            (element.c[lane % 8], element.c_low[lane % 8]) = parts(cos.clone());
            (element.s[lane % 8], element.s_low[lane % 8]) = parts(sin.clone());
        }
        out
    }
}

/// A number as the sum of two binary64 numbers.
fn parts(mut x: Float) -> (f64, f64) {
    let high = x.to_f64();
    x -= high;
    (high, x.to_f64())
}

/// Rows first·unit^0, first·unit^1, …
fn powers(instructions: Instructions, first: Vec<Pairs>, unit: &[Pairs], count: usize) -> Vec<Pairs> {
    let mut rows = first;
    rows.resize(unit.len() * count, Pairs::default());
    dispatch(instructions, Powers { unit, rows: &mut rows });
    rows
}
