//! The plan of a table: everything that high precision contributes before the kernel runs.
//!
//! Positions are counted from the smallest one, p₀: p = p₀ + n. The bits of n are cut into digits. The two
//! lowest select rows from which the kernel takes what it needs, z₃ = e^(i·d·σω) for the *fine* digit d and z₂ = e^(i·d·2^b·σω) for
//! the *coarse* one, whose lowest bit is bit b, with σ = ±`position_scale`;
//! the higher digits each select a row of a level, and the anchor z₁ is the product of these rows and of
//! the start z₀ = X·e^(i·σ(p₀ + offset)ω). High precision gives e^(iσω) and z₀ for each pair and squares the former
//! up to the weight of each digit; a level's rows are powers of that point, by repeated multiplication. The
//! cost of a plan depends on the logarithm of the range of positions, not on their number.
//!
//! # Error of the factors
//!
//! A number of high precision is the sum of two binary64 numbers to within ε of each part: the part is rounded to 106 bits, and before that
//! its error is below 2^(7−G): ε = 2^(7−G) + 2^−106, with G = 104: enough for entries of 53 bits, and with two limbs of 64 bits
//! up to positions of 2^24, which halves the time. Arithmetic is at G bits beyond the larger of
//! the largest angle's bits before the point and the number of squarings: ω is enclosed that narrowly, and each
//! squaring doubles the error of the angle with the angle, and adds less than three units in the last place.
//!
//! For factors z and z′ of modulus 1 and angles of magnitude τ and τ′, known to within E and E′ in modulus and to
//! within E·τ and E′·τ′ in the sine, the product is known to within E + E′ + √2·η in modulus, with η = 2^−102 from [`super::double`]; its sine to within
//!
//! E·τ·|c′| + |s|·E′ + E′·τ′·|c| + E·|s′| + η·(|s| + |s′|) ≤ (E + E′ + η)·(τ + τ′),
//!
//! because |s| ≤ τ. Every factor that goes into an entry therefore adds at most √2·(ε + η) <
//! 1.5·(ε + η), terms of second order included, and an entry is a product of at most W of them: W is the
//! sum of the largest digits, one for the start and one for the kernel's own product in double-double
//! arithmetic. So E = 1.5·(ε + η)·W, and the sine's error is at most E·X·min(1, τ + τ′) with the magnitudes
//! of all factors' angles added up. A factor X changes nothing of this relative to X. Products below 2^−968
//! lose exactness; each loses at most 2^−1069, and all of them together less than 2^−1060·max(1, X).

use super::double::{PRODUCT_ERROR, Pairs, Powers, double_word, multiply};
use super::instructions::Instructions;
use super::kernel::Kernel;
use super::scale::{DOUBLE, Scale};
use super::simd::{Available, dispatch};
use super::{InvalidTable, Positions};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::{Float, Interval, Rational, Round};

/// G.
const GUARD: u32 = 104;

/// The number of bits of a digit above the lowest.
const DIGIT: u32 = 6;

/// Rows for one digit of the position.
pub struct Level {
    shift: u32,
    bits: u32,
    rows: Vec<Pairs>,
}

impl Level {
    /// Powers of the circle's points, times the first row.
    fn new(instructions: Available, first: Vec<Pairs>, circle: &Circle, shift: u32, bits: u32) -> Self {
        let unit = circle.parts();
        let mut rows = first;
        rows.resize(unit.len() << bits, Pairs::default());
        dispatch(instructions, Powers { unit: &unit, rows: &mut rows });
        Self { shift, bits, rows }
    }

    /// All rows.
    pub fn rows(&self) -> &[Pairs] {
        &self.rows
    }

    /// For every lane, max|s| over the rows.
    pub fn largest(&self, groups: usize) -> Vec<f64> {
        let mut largest = vec![0f64; 8 * groups];
        for row in self.rows.chunks_exact(groups) {
            for (largest, s) in largest.iter_mut().zip(row.iter().flat_map(|pairs| pairs.s)) {
                *largest = largest.max(s.abs());
            }
        }
        largest
    }

    /// Number of these.
    pub fn len(&self) -> usize {
        1 << self.bits
    }

    /// The row that n selects, of so many groups of eight pairs.
    pub fn row(&self, n: u64, groups: usize) -> &[Pairs] {
        let digit = (n >> self.shift) as usize & ((1 << self.bits) - 1);
        &self.rows[digit * groups..][..groups]
    }
}

/// Numbers that the kernel needs to fill any part of a table.
pub struct Plan<K: Kernel> {
    pub entries: Entries,
    pub instructions: Available,
    /// The smallest position.
    pub origin: u64,
    pub pairs: usize,
    /// Groups of eight pairs.
    pub groups: usize,
    /// The two lowest digits.
    pub fine: Level,
    pub coarse: Level,
    /// Their rows as the kernel wants them.
    pub rows: K::Rows,
    levels: Vec<Level>,
    start: Vec<Pairs>,
    /// Upper bounds: |σ|ω and |σ(p₀ + offset)|ω of each lane.
    step: Vec<f64>,
    start_angle: Vec<f64>,
    /// True if a lane's frequency is 0.
    pub still: Vec<bool>,
    /// X, P and E.
    gain: f64,
    power: f64,
    error: f64,
    /// True if X is a binary64 number.
    exact: bool,
    /// The allowance for underflow, 2^−1060·max(1, X), and E·X plus this. Kept, because arithmetic on
    /// subnormal numbers is slow.
    underflow: f64,
    factors: f64,
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
        let groups = pairs.div_ceil(8);
        let (origin, span) = (positions.min(), positions.max() - positions.min());
        let law = Law::new(convention);
        let (sigma, first) = (law.step(), law.turned(origin));

        let reach = first.abs() + sigma.abs() * Rational::from(span + 1);
        let needed = u64::BITS - span.leading_zeros();
        // Enough for frequencies up to 1, which all but unusual scaling rules have.
        let spare = |angle: i64| (GUARD + (angle.max(0) as u32).max(needed)).next_multiple_of(64);
        let reach = Float::from_rational(&reach, 64, Round::Up);
        let exponent = |largest: &Float| largest.mul(&reach, 64, Round::Up).exponent().unwrap_or(0);
        let bits = spare(exponent(&1.into()));
        let frequencies = convention.frequencies(bits).ok_or(InvalidTable::Precision)?;
        let largest =
            frequencies.iter().map(Interval::upper).fold(frequencies[0].upper(), |a, b| if a > b { a } else { b });
        let wanted = spare(exponent(largest));
        let frequencies =
            if wanted > bits { convention.frequencies(wanted).ok_or(InvalidTable::Precision)? } else { frequencies };
        let bits = bits.max(wanted);
        // Lanes beyond the last pair repeat it, so that they never fail a test on their own.
        let lanes = groups * 8;
        let omega: Vec<&Interval> = (0..lanes).map(|lane| &frequencies[lane.min(pairs - 1)]).collect();
        let middles: Vec<Float> = omega.iter().map(|omega| omega.midpoint()).collect();
        let gain = convention.gain().enclose(bits);

        let bound = |factor: &Rational| -> Vec<f64> {
            let factor = Float::from_rational(&factor.abs(), 64, Round::Up);
            omega.iter().map(|omega| factor.mul(omega.upper(), 64, Round::Up).to_f64(Round::Up)).collect()
        };
        let instructions = Available::new(instructions);
        let mut circle = Circle::new(&middles, &sigma, bits);
        let (fine_bits, coarse_bits) = K::digits(pairs);
        let coarse_bits = coarse_bits.min(needed.saturating_sub(fine_bits));
        let fine = Level::new(instructions, unit(lanes), &circle, 0, fine_bits);
        circle.double(fine_bits);
        let coarse = Level::new(instructions, unit(lanes), &circle, fine_bits, coarse_bits);
        circle.double(coarse_bits);
        let rows = K::rows(instructions, &fine, &coarse, groups);
        let mut widest = (1u64 << fine_bits) + (1 << coarse_bits) - 2;
        let still: Vec<bool> = omega.iter().map(|omega| omega.upper().is_zero()).collect();
        let magnitude = gain.abs();
        let power = power_above(magnitude.upper_f64());
        let mut start = Circle::new(&middles, &first, bits);
        start.scale(&gain.midpoint());
        let mut start = start.parts();
        for lane in (0..lanes).filter(|&lane| K::SKIPS_STILL && still[lane]) {
            start[lane / 8].hold(lane % 8, 0.7 * power);
        }
        let mut levels = Vec::new();
        let mut shift = fine_bits + coarse_bits;
        while shift < needed {
            // Equal digits: three of five bits rather than two of six and one of three.
            let digits = (needed - shift).div_ceil(DIGIT);
            let width = (needed - shift).div_ceil(digits);
            let top = shift + width == needed;
            let first = if top { start.clone() } else { unit(lanes) };
            levels.push(Level::new(instructions, first, &circle, shift, width));
            if !top {
                circle.double(width);
            }
            widest += (1u64 << width) - 1;
            shift += width;
        }
        let gain = magnitude.upper_f64();
        let rounding = power_of_two(7 - GUARD as i32) + power_of_two(-106);
        let error = 1.5 * (rounding + PRODUCT_ERROR) * (widest + 2) as f64;
        let underflow = power_of_two(-1060) * gain.max(1.0);
        Ok(Self {
            step: bound(&sigma),
            start_angle: bound(&first),
            still,
            gain,
            power,
            error,
            exact: magnitude.is_point() && *magnitude.lower() == magnitude.lower_f64(),
            underflow,
            factors: error * gain + underflow,
            entries,
            instructions,
            origin,
            pairs,
            groups,
            fine,
            coarse,
            rows,
            levels,
            start,
        })
    }

    /// The bits of n below those that select an anchor.
    pub fn block_bits(&self) -> u32 {
        self.fine.bits + self.coarse.bits
    }

    /// Terms of the error bounds.
    pub fn scale(&self) -> Scale<'_> {
        let Self { gain, power, factors, ref still, exact, .. } = *self;
        Scale { gain, power, factors, still, exact }
    }

    /// cos σω of a lane.
    pub fn step_cosine(&self, lane: usize) -> f64 {
        self.fine.rows[self.groups + lane / 8].c[lane % 8]
    }

    /// z₁ for the rows whose number above the low bits is `block`.
    pub fn anchor(&self, block: u64, out: &mut [Pairs], spare: &mut [Pairs]) {
        let n = block << self.block_bits();
        let Some((top, rest)) = self.levels.split_last() else {
            return out.copy_from_slice(&self.start);
        };
        out.copy_from_slice(top.row(n, self.groups));
        for level in rest.iter().rev() {
            spare.copy_from_slice(out);
            multiply(self.instructions, spare, level.row(n, self.groups), out);
        }
    }

    /// Bounds on the error of a sine and a cosine of the double-double product, at n = position − p₀.
    pub fn full_errors(&self, lane: usize, n: u64) -> (f64, f64) {
        let angle = self.start_angle[lane] + self.step[lane] * (n as f64) * (1.0 + 1e-12);
        (self.error * self.gain * angle.min(1.0) + self.underflow, self.factors)
    }

    /// A bound on the error of a sine or cosine computed in binary64 from the high parts of the three factors of a
    /// position, s₁ the sine of the anchor, `sines` the sum of the others' magnitudes: 10.8u·M + E·X, with M = X for a cosine and
    /// M = min(X, |s₁| + X·sines) for a sine, so that small sines have small bounds. M is no less than the magnitudes of
    /// both terms of any product together, because the moduli are known (Cauchy and Schwarz). Term by term:
    ///
    /// | what | at most |
    /// | --- | --- |
    /// | the product of the first two: rounding its factors 2u, its terms u, its sum u: 4u of each part, √2 times that in both | 5.66u·M |
    /// | rounding the parts of the third | u·M |
    /// | rounding the two terms | u·M |
    /// | rounding their sum | u·M |
    /// | the factors' own error | E·X |
    pub fn high_error(&self, s1: f64, sines: f64, sine: bool) -> f64 {
        let terms = if sine { ((s1.abs() + self.gain * sines) * (1.0 + 1e-9)).min(self.gain) } else { self.gain };
        DOUBLE * terms + self.factors
    }
}

/// The least power of two that is no less.
fn power_above(x: f64) -> f64 {
    let below = power_of_two(exponent_of(x));
    if below == x { below } else { 2.0 * below }
}

/// Every lane 1.
fn unit(lanes: usize) -> Vec<Pairs> {
    vec![Pairs { c: [1.0; 8], ..Pairs::default() }; lanes / 8]
}

/// A point X·e^(iφ) for every lane, in high precision.
struct Circle {
    points: Vec<(Float, Float)>,
    bits: u32,
}

impl Circle {
    /// e^(i·angle·ω).
    fn new(middles: &[Float], angle: &Rational, bits: u32) -> Self {
        // Eight bits more make the errors of angle, cosine and sine negligible beside their rounding.
        let angle = Float::from_rational(angle, bits + 8, Round::Nearest);
        let point = |omega: &Float| {
            let (cos, sin) = Interval::point(omega.mul(&angle, bits + 8, Round::Nearest)).at(bits + 8).cos_sin();
            (cos.midpoint().round_to(bits, Round::Nearest), sin.midpoint().round_to(bits, Round::Nearest))
        };
        Self { points: middles.iter().map(point).collect(), bits }
    }

    /// Squares every point `times` times: (c + s)(c − s) and 2cs.
    fn double(&mut self, times: u32) {
        let (bits, round) = (self.bits, Round::Nearest);
        for (cos, sin) in &mut self.points {
            for _ in 0..times {
                let (sum, difference) = (cos.add(sin, bits, round), cos.sub(sin, bits, round));
                *sin = cos.mul(sin, bits, round).scaled(1);
                *cos = sum.mul(&difference, bits, round);
            }
        }
    }

    fn scale(&mut self, gain: &Float) {
        for (cos, sin) in &mut self.points {
            *cos = cos.mul(gain, self.bits, Round::Nearest);
            *sin = sin.mul(gain, self.bits, Round::Nearest);
        }
    }

    /// The points as sums of two binary64 numbers.
    fn parts(&self) -> Vec<Pairs> {
        let mut out = vec![Pairs::default(); self.points.len() / 8];
        for (lane, (cos, sin)) in self.points.iter().enumerate() {
            let element = &mut out[lane / 8];
            (element.c[lane % 8], element.c_low[lane % 8]) = double_word(cos, self.bits);
            (element.s[lane % 8], element.s_low[lane % 8]) = double_word(sin, self.bits);
        }
        out
    }
}
