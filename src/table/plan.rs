//! The plan of a table: everything that MPFR contributes before the kernel runs.
//!
//! Positions are counted from the smallest one, p₀: p = p₀ + n. The bits of n are cut into digits. The two
//! lowest select the rows that the kernel multiplies by, z₃ = e^(i·d·σω) for the *fine* digit d and z₂ = e^(i·d·2^b·σω) for
//! the *coarse* one, whose lowest bit is bit b, with σ = ±`position_scale`;
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
//! squaring doubles the error of the angle with the angle, and adds less than three units in the last place.
//!
//! For factors z and z′ of modulus 1 and angles of magnitude τ and τ′, known to within E and E′ in modulus and to
//! within E·τ and E′·τ′ in the sine, the product is known to within E + E′ + √2·η in modulus, with η = 2^−102 from [`super::double`]; its sine to within
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
use super::instructions::Instructions;
use super::kernel::{DOUBLE, Kernel, Scale};
use super::simd::{Available, dispatch};
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

/// Rows for a digit that the kernel multiplies by: for the kernel and in full.
pub struct Digit<K: Kernel> {
    pub bits: u32,
    pub rows: Vec<K::Low>,
    pub full: Vec<Pairs>,
}

impl<K: Kernel> Digit<K> {
    fn new(instructions: Available, lanes: usize, circle: &mut Circle, bits: u32) -> Self {
        let full = powers(instructions, unit(lanes), &circle.parts(), 1 << bits);
        Self { bits, rows: full.chunks_exact(K::GROUP / 8).map(K::low).collect(), full }
    }

    /// For every lane, max|s| over the rows.
    fn largest(&self, lanes: usize) -> Vec<f64> {
        let mut largest = vec![0f64; lanes];
        for row in self.full.chunks_exact(lanes / 8) {
            for (largest, s) in largest.iter_mut().zip(row.iter().flat_map(|pairs| pairs.s)) {
                *largest = largest.max(s.abs());
            }
        }
        largest
    }

    /// The row that n selects, for eight pairs, if the bits below the digit are `shift`.
    pub fn select(&self, n: u64, shift: u32, width: usize, eight: usize) -> &Pairs {
        let row = (n >> shift) as usize & ((1 << self.bits) - 1);
        &self.full[row * width + eight]
    }
}

/// What the kernel needs to fill any part of a table.
pub struct Plan<K: Kernel> {
    pub entries: Entries,
    pub instructions: Available,
    /// The smallest position.
    pub origin: u64,
    pub pairs: usize,
    /// Groups of the kernel in a row.
    pub groups: usize,
    /// The two lowest digits. The lowest has all bits below the levels' where the kernel does not turn anchors.
    pub fine: Digit<K>,
    pub coarse: Digit<K>,
    levels: Vec<Level>,
    start: Vec<Pairs>,
    /// Upper bounds: |σ|ω and |σ(p₀ + offset)|ω of each lane, and max|s₂| + max|s₃| of [`super::kernel`].
    step: Vec<f64>,
    start_angle: Vec<f64>,
    sine: Vec<f64>,
    /// Whether a lane's frequency is 0.
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
        let omega: Vec<&Interval> = (0..lanes).map(|lane| &frequencies[K::lane(lane).min(pairs - 1)]).collect();
        let middles: Vec<Float> = omega.iter().map(|omega| omega.midpoint()).collect();
        let gain = convention.gain().enclose(bits);

        let bound = |factor: &Rational| -> Vec<f64> {
            let factor = Float::with_val_round(64, factor.clone().abs(), Round::Up).0;
            omega.iter().map(|omega| up(&Float::with_val_round(64, &factor * omega.upper(), Round::Up).0)).collect()
        };
        let instructions = Available::new(instructions);
        let (fine_bits, coarse_bits) = if K::TURNS { turned_bits(pairs) } else { (single_bits(pairs), 0) };
        let mut circle = Circle::new(&middles, &sigma, bits);
        let fine = Digit::<K>::new(instructions, lanes, &mut circle, fine_bits.min(needed));
        circle.double(fine.bits);
        let coarse = Digit::new(instructions, lanes, &mut circle, coarse_bits.min(needed - fine.bits));
        circle.double(coarse.bits);
        let mut widest = (1u64 << fine.bits) + (1 << coarse.bits) - 2;
        let mut start = Circle::new(&middles, &first, bits);
        start.scale(&gain.midpoint());
        let start = start.parts();
        let mut levels = Vec::new();
        let mut shift = fine.bits + coarse.bits;
        while shift < needed {
            // Equal digits: three of five bits rather than two of six and one of three.
            let digits = (needed - shift).div_ceil(DIGIT);
            let width = (needed - shift).div_ceil(digits);
            let top = shift + width == needed;
            let first = if top { start.clone() } else { unit(lanes) };
            let rows = powers(instructions, first, &circle.parts(), 1 << width);
            if !top {
                circle.double(width);
            }
            levels.push(Level { shift, bits: width, rows });
            widest += (1u64 << width) - 1;
            shift += width;
        }
        let sine =
            fine.largest(lanes).iter().zip(coarse.largest(lanes)).map(|(a, b)| (a + b) * (1.0 + 1e-12)).collect();
        let magnitude = gain.abs();
        let gain = up(magnitude.upper());
        let error = 1.75 * PRODUCT_ERROR * (widest + 2) as f64;
        let underflow = power_of_two(-1060) * gain.max(1.0);
        Ok(Self {
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
            fine,
            coarse,
            levels,
            start,
        })
    }

    /// The bits of n below those that select an anchor.
    pub fn block_bits(&self) -> u32 {
        self.fine.bits + self.coarse.bits
    }

    /// Pairs elements in a row.
    pub fn row_len(&self) -> usize {
        self.groups * K::GROUP / 8
    }

    /// z₁ for the rows whose number above the low bits is `block`.
    pub fn anchor(&self, block: u64, out: &mut [Pairs], spare: &mut [Pairs]) {
        let n = block << self.block_bits();
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
        out.clear();
        out.extend((0..self.groups).map(|group| {
            let sine = &self.sine[group * K::GROUP..][..K::GROUP];
            let still = &self.still[group * K::GROUP..][..K::GROUP];
            let scale = Scale { gain: self.gain, power, factors: self.factors, sine, still, exact: self.exact };
            K::anchor(&anchor[group * (K::GROUP / 8)..][..K::GROUP / 8], &scale)
        }));
    }

    /// Bounds on the error of a sine and a cosine of the double-double product, at n = position − p₀.
    pub fn full_errors(&self, lane: usize, n: u64) -> (f64, f64) {
        let angle = self.start_angle[lane] + self.step[lane] * (n as f64) * (1.0 + 1e-12);
        (self.error * self.gain * angle.min(1.0) + self.underflow, self.factors)
    }

    /// A bound on the error of a sine or cosine computed from the high parts alone, in the manner of the kernel for narrow
    /// formats, without the shift by e: s₁ is the anchor's, and `sines` the sum of the others' magnitudes.
    pub fn high_error(&self, s1: f64, sines: f64, sine: bool) -> f64 {
        let terms = if sine { ((s1.abs() + self.gain * sines) * (1.0 + 1e-9)).min(self.gain) } else { self.gain };
        DOUBLE * terms + self.factors
    }
}

/// The bits of the lowest digit where it is the only one: as many rows as the second-level cache holds.
fn single_bits(pairs: usize) -> u32 {
    match pairs {
        0..=128 => 8,
        129..=256 => 7,
        257..=512 => 6,
        513..=65536 => 5,
        _ => 3,
    }
}

/// The bits of the two lowest digits: as many fine rows as the first-level cache holds, where it holds a few.
fn turned_bits(pairs: usize) -> (u32, u32) {
    match pairs {
        0..=64 => (4, 5),
        65..=2048 => (3, 4),
        _ => (3, 2),
    }
}

/// Every lane 1.
fn unit(lanes: usize) -> Vec<Pairs> {
    vec![Pairs { c: [1.0; 8], ..Pairs::default() }; lanes / 8]
}

/// A point X·e^(iφ) for every lane, in MPFR; the spare numbers save allocating others.
struct Circle {
    points: Vec<(Float, Float)>,
    spare: [Float; 2],
}

impl Circle {
    /// e^(i·angle·ω).
    fn new(middles: &[Float], angle: &Rational, bits: u32) -> Self {
        let point = |omega: &Float| {
            let (sin, cos) = Float::with_val(bits, omega * angle).sin_cos(Float::new(bits));
            (cos, sin)
        };
        Self { points: middles.iter().map(point).collect(), spare: [Float::new(bits), Float::new(bits)] }
    }

    /// Squares every point `times` times: (c + s)(c − s) and 2cs.
    fn double(&mut self, times: u32) {
        let [sum, product] = &mut self.spare;
        for (cos, sin) in &mut self.points {
            for _ in 0..times {
                sum.assign(&*cos + &*sin);
                product.assign(&*cos * &*sin);
                *cos -= &*sin;
                *cos *= &*sum;
                *product <<= 1;
                std::mem::swap(sin, product);
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
    fn parts(&mut self) -> Vec<Pairs> {
        let mut out = vec![Pairs::default(); self.points.len() / 8];
        let rest = &mut self.spare[0];
        let mut parts = |x: &Float| {
            let high = x.to_f64();
            rest.assign(x - high);
            (high, rest.to_f64())
        };
        for (lane, (cos, sin)) in self.points.iter().enumerate() {
            let element = &mut out[lane / 8];
            (element.c[lane % 8], element.c_low[lane % 8]) = parts(cos);
            (element.s[lane % 8], element.s_low[lane % 8]) = parts(sin);
        }
        out
    }
}

/// Rows first·unit^0, first·unit^1, …
fn powers(instructions: Available, first: Vec<Pairs>, unit: &[Pairs], count: usize) -> Vec<Pairs> {
    let mut rows = first;
    rows.resize(unit.len() * count, Pairs::default());
    dispatch(instructions, Powers { unit, rows: &mut rows });
    rows
}
