//! The sum B(m; b) = Σ cos(m·b^(−i/h)), i = 0 … h − 1, on an interval of bases, for many m at once.
//!
//! # What is proved of an interval
//!
//! Write x = ln b, t_i = i/h, θ_i(x) = e^(−t_i·x) and C(x) = Σ cos(mθ_i(x)). Let c be the binary64 number `centre` and r at least the
//! distance of c from every x of the interval. Then C′ = m·Σ t_i θ_i sin(mθ_i) =: m·D and, since θ_i ≤ θ_i(c)·e^r there and t_i ≤ 1,
//!
//! |C″| ≤ Σ t_i²(mθ_i + m²θ_i²) ≤ m·e^r·S₁ + m²·e^(2r)·S₂ =: M with S_k = Σ t_i²·θ_i(c)^k,
//!
//! so that |C(x) − C(c)| ≤ r·m·|D(c)| + r²·M/2 =: R on the whole interval (Taylor, with Lagrange's remainder). For r ≤ 1,
//! e^r ≤ 1 + 2r. C ≥ 0 on all of it follows from C(c) ≥ R, and C < 0 on all of it from C(c) < −R.
//!
//! # What arithmetic adds to R
//!
//! All of it is binary64, rounded to nearest, with u = 2^−53, without fused operations, in an order that is fixed: the same on every
//! machine. exp, log, sin and cos are correctly rounded (CORE-MATH). The hat is what is computed.
//!
//! * *Frequencies.* a_i = t_i·c takes two roundings, exp one: |θ̂_i − θ_i| ≤ (2.1·a_i + 1.1)·u·θ_i. The cosine of m times as much is wrong
//!   by at most m·u·(2.1·a_i + 1.1)·θ_i; over all pairs m·u·A with A = Σ (3a_i + 2)·θ̂_i, which covers its own rounding too.
//! * *Points.* e^(iθ̂) and e^(i·128·θ̂) have correctly rounded parts, hence an error of at most u/√2, and a complex product one of at
//!   most √5·u (Brent, Percival, Zimmermann 2007). The k-th power by repeated multiplication is thus wrong by at most 3·k·u, and the product
//!   of powers k < 128 and l ≤ m/128 by 3·(k + l)·u + √5·u.
//! * *Sums.* Of h numbers of modulus about 1 in eight lanes: at most h/8 + 3 additions one after the other, 1.01·(h/8 + 3)·u·h.
//!
//! Together |Ĉ − C(c)| ≤ E := u·(m·A + h·(3·m/128 + 392 + h/4)). The terms of D have factors t_i·θ_i ≤ 1, which the same bound covers,
//! and whose own error, with one more rounding of the product, adds 2·u·A + 2·u·h: E′ := E + 2u·(A + h). The radius is
//!
//! (1 + 2^−40)·(E + r·m·(|D̂| + E′) + r²/2·(m·S₁·(1 + 2r) + m²·S₂·(1 + 2r)²)),
//!
//! where the factor pays for the roundings in A, S_k and the formula, all of relative size below (h + 100)·u ≤ 2^−40 for h ≤ 2^12. The
//! comparison of Ĉ with it is exact.

use super::base::Base;
use posproof_table::{Instructions, Loop, vectorized};

/// Powers of e^(iθ) that are kept; higher ones are products with powers of e^(i·128·θ).
const POWERS: u32 = 128;

const LANES: usize = 8;

/// Sign of B(m; b) on a whole interval of bases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// B ≥ 0 for all m that were asked for.
    NonNegative,
    /// B < 0 for this m.
    Negative(u32),
    /// Neither was proved: B ≥ 0 for all m that were asked for but perhaps these.
    Open(Vec<u32>),
}

/// Eight binary64 numbers, aligned as vector instructions like them.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
struct Lanes([f64; LANES]);

impl Lanes {
    /// A constant, since a call of `default` within a loop is not always inlined, and then nothing is vectorised.
    const ZERO: Self = Self([0.0; LANES]);

    /// Their sum, in pairs.
    #[inline(always)]
    fn sum(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

/// Eight points of the complex plane.
#[derive(Clone, Copy, Debug)]
struct Points {
    re: Lanes,
    im: Lanes,
}

impl Points {
    const ZERO: Self = Self { re: Lanes::ZERO, im: Lanes::ZERO };

    #[inline(always)]
    fn product(self, other: &Self) -> Self {
        let (mut re, mut im) = (Lanes::ZERO, Lanes::ZERO);
        for lane in 0..LANES {
            let (a, b) = (self.re.0[lane], self.im.0[lane]);
            let (c, d) = (other.re.0[lane], other.im.0[lane]);
            re.0[lane] = a * c - b * d;
            im.0[lane] = a * d + b * c;
        }
        Self { re, im }
    }
}

/// Buffers that one thread uses again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    /// e^(ikθ), k < POWERS, each for all pairs.
    powers: Vec<Points>,
    /// e^(i·l·POWERS·θ) for the l that is reached.
    high: Vec<Points>,
}

/// An interval of bases, seen from its middle.
pub(crate) struct Neighbourhood {
    pairs: f64,
    /// r.
    radius: f64,
    /// e^(iθ) and e^(i·POWERS·θ); lanes beyond the last pair are 0 and stay so.
    points: Vec<Points>,
    strides: Vec<Points>,
    /// t_i·θ_i.
    weights: Vec<Lanes>,
    /// A.
    angles: f64,
    /// S₁ and S₂.
    curvature: [f64; 2],
}

const U: f64 = f64::EPSILON / 2.0;

/// 1 + 2^−40.
const INFLATION: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

impl Neighbourhood {
    /// The interval between two bases, for h pairs.
    pub(crate) fn new(pairs: usize, lower: Base, upper: Base) -> Self {
        let ends = [lower.ln(), upper.ln()];
        let centre = 0.5 * (ends[0] + ends[1]);
        // Each logarithm is wrong by at most 2^−48, and a difference rounded.
        let reach = f64::max(ends[1] - centre, centre - ends[0]) + 1.0 / (1u64 << 48) as f64;
        let groups = pairs.div_ceil(LANES);
        let mut new = Self {
            pairs: pairs as f64,
            radius: reach * INFLATION,
            points: vec![Points::ZERO; groups],
            strides: vec![Points::ZERO; groups],
            weights: vec![Lanes::ZERO; groups],
            angles: 0.0,
            curvature: [0.0; 2],
        };
        for pair in 0..pairs {
            let (group, lane) = (pair / LANES, pair % LANES);
            let fraction = pair as f64 / pairs as f64;
            let exponent = pair as f64 * centre / pairs as f64;
            let omega = core_math::exp(-exponent);
            let put = |points: &mut Vec<Points>, angle: f64| {
                let (sin, cos) = core_math::sincos(angle);
                points[group].re.0[lane] = cos;
                points[group].im.0[lane] = sin;
            };
            put(&mut new.points, omega);
            put(&mut new.strides, f64::from(POWERS) * omega);
            new.weights[group].0[lane] = fraction * omega;
            new.angles += (3.0 * exponent + 2.0) * omega;
            new.curvature[0] += fraction * fraction * omega;
            new.curvature[1] += fraction * fraction * omega * omega;
        }
        new
    }

    /// 1 for every pair.
    fn ones(&self) -> impl Iterator<Item = Points> {
        let pairs = self.pairs as usize;
        (0..self.points.len()).map(move |group| {
            let mut ones = Points::ZERO;
            for lane in 0..LANES.min(pairs - group * LANES) {
                ones.re.0[lane] = 1.0;
            }
            ones
        })
    }

    /// E: the error of Ĉ.
    #[inline(always)]
    fn error(&self, m: f64) -> f64 {
        let h = self.pairs;
        INFLATION * U * (m * self.angles + h * (3.0 * m / f64::from(POWERS) + 392.0 + 0.25 * h))
    }

    /// E′: the error of D̂.
    #[inline(always)]
    fn slope_error(&self, m: f64) -> f64 {
        self.error(m) + 2.0 * U * INFLATION * (self.angles + self.pairs)
    }

    /// Distance of the sum from Ĉ on the interval, at most, for the given m and D̂.
    #[inline(always)]
    fn around(&self, m: f64, slope: f64) -> f64 {
        let (r, [s1, s2], growth) = (self.radius, self.curvature, 1.0 + 2.0 * self.radius);
        let second = m * s1 * growth + m * m * s2 * (growth * growth);
        INFLATION * (self.error(m) + r * m * (slope.abs() + self.slope_error(m)) + 0.5 * r * r * second)
    }

    /// Sign of B(m; b) on the whole interval for the given m, which ascend. Of several witnesses it is the one whose sum is
    /// furthest below what would refute the interval: it will serve the widest surroundings.
    pub(crate) fn sign(&self, positions: &[u32], scratch: &mut Scratch) -> Sign {
        let mut open = Vec::new();
        let mut witness: Option<(f64, u32)> = None;
        self.evaluate(Instructions::detect(), positions, scratch, |m, sum, slope| {
            let radius = self.around(f64::from(m), slope);
            if sum < -radius {
                let margin = -sum - radius;
                if witness.is_none_or(|(largest, _)| margin > largest) {
                    witness = Some((margin, m));
                }
            } else if sum < radius {
                open.push(m);
            }
        });
        match witness {
            Some((_, m)) => Sign::Negative(m),
            None if open.is_empty() => Sign::NonNegative,
            None => Sign::Open(open),
        }
    }

    /// Calls `each` with m, Ĉ and D̂ for the given m, which ascend.
    fn evaluate<F: FnMut(u32, f64, f64)>(
        &self,
        instructions: Instructions,
        positions: &[u32],
        scratch: &mut Scratch,
        each: F,
    ) {
        vectorized(instructions, Evaluation { near: self, positions, scratch, each });
    }
}

struct Evaluation<'a, F> {
    near: &'a Neighbourhood,
    positions: &'a [u32],
    scratch: &'a mut Scratch,
    each: F,
}

impl<F: FnMut(u32, f64, f64)> Loop for Evaluation<'_, F> {
    #[inline(always)]
    fn run(self) {
        let Self { near, positions, scratch: Scratch { powers, high }, mut each } = self;
        let groups = near.points.len();
        powers.clear();
        powers.extend(near.ones());
        for at in 0..(POWERS as usize - 1) * groups {
            powers.push(powers[at].product(&near.points[at % groups]));
        }
        high.clear();
        high.extend(near.ones());
        let mut reached = 0;
        for &m in positions {
            while reached < m / POWERS {
                high.iter_mut().zip(&near.strides).for_each(|(high, stride)| *high = high.product(stride));
                reached += 1;
            }
            let low = &powers[(m % POWERS) as usize * groups..][..groups];
            let (mut cos, mut slope) = (Lanes::ZERO, Lanes::ZERO);
            for ((low, high), weights) in low.iter().zip(high.iter()).zip(&near.weights) {
                let point = low.product(high);
                for lane in 0..LANES {
                    cos.0[lane] += point.re.0[lane];
                    slope.0[lane] += weights.0[lane] * point.im.0[lane];
                }
            }
            each(m, cos.sum(), slope.sum());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::{Interval, Rational};

    const BITS: u32 = 120;

    /// Σ cos(mθ_i) and Σ t_i·θ_i·sin(mθ_i) at x = ln b, enclosed.
    fn exactly(pairs: usize, m: u32, x: &Interval) -> [Interval; 2] {
        let zero = || Interval::rational(&Rational::ZERO, BITS);
        (0..pairs).fold([zero(), zero()], |[sum, slope], pair| {
            let t = Interval::rational(&Rational::from((pair as u64, pairs as u64)), BITS);
            let omega = (-(t.clone() * x.clone())).exp();
            let (cos, sin) = (omega.clone() * Interval::rational(&Rational::from(m), BITS)).cos_sin();
            [sum + cos, slope + t * omega * sin]
        })
    }

    fn base(text: &str) -> Base {
        text.parse().unwrap()
    }

    /// m, Ĉ, D̂.
    fn evaluated(near: &Neighbourhood, instructions: Instructions, positions: &[u32]) -> Vec<(u32, f64, f64)> {
        let mut all = Vec::new();
        near.evaluate(instructions, positions, &mut Scratch::default(), |m, sum, slope| all.push((m, sum, slope)));
        all
    }

    const POSITIONS: [u32; 9] = [1, 2, 127, 128, 1009, 8191, 16384, 131071, 1 << 20];

    /// Errors are within E and E′, and these are not larger than 10^4 times the error.
    #[test]
    fn sums_are_as_near_as_is_proved() {
        let mut largest: f64 = 0.0;
        for pairs in [1, 7, 64, 100] {
            for (lower, upper) in [("1", "1.001"), ("1000", "1005"), ("84000", "84000.000000001"), ("8.99e9", "9e9")] {
                let near = Neighbourhood::new(pairs, base(lower), base(upper));
                let centre = Interval::exactly(0.5 * (base(lower).ln() + base(upper).ln())).at(BITS);
                for (m, sum, slope) in evaluated(&near, Instructions::detect(), &POSITIONS) {
                    let [exact, exact_slope] = exactly(pairs, m, &centre);
                    let error =
                        |found: f64, exact: Interval| (Interval::exactly(found).at(BITS) - exact).abs().upper_f64();
                    let bounds = [near.error(f64::from(m)), near.slope_error(f64::from(m))];
                    let errors = [error(sum, exact), error(slope, exact_slope)];
                    assert!(
                        errors[0] <= bounds[0] && errors[1] <= bounds[1],
                        "{pairs} {lower} {m}: {errors:?} {bounds:?}"
                    );
                    largest = largest.max(errors[0] / bounds[0]);
                }
            }
        }
        assert!(largest > 1e-4, "{largest}");
    }

    /// The sum at both ends of an interval is within R of that in the middle.
    #[test]
    fn intervals_are_covered() {
        for (lower, upper) in [("1000", "1000.1"), ("4290", "4300"), ("83999", "84001"), ("1e6", "1007812")] {
            let near = Neighbourhood::new(64, base(lower), base(upper));
            for (m, sum, slope) in evaluated(&near, Instructions::detect(), &POSITIONS[..7]) {
                for end in [lower, upper] {
                    let x = Interval::rational(
                        &Rational::from(end.parse::<f64>().map_or(0, |end| (end * 10.0) as u64)),
                        BITS,
                    );
                    let x = (x / Interval::rational(&Rational::from(10), BITS)).ln();
                    let [exact, _] = exactly(64, m, &x);
                    let distance = (Interval::exactly(sum).at(BITS) - exact).abs().upper_f64();
                    let radius = near.around(f64::from(m), slope);
                    assert!(distance <= radius, "{lower} {upper} {m}: {distance} {radius}");
                }
            }
        }
    }

    #[test]
    fn instructions_do_not_change_a_bit() {
        let near = Neighbourhood::new(100, base("1234.5"), base("1240"));
        let positions: Vec<u32> = (1..3000).step_by(7).collect();
        let bits = |instructions| {
            let all = evaluated(&near, instructions, &positions);
            all.into_iter().map(|(m, sum, slope)| (m, sum.to_bits(), slope.to_bits())).collect::<Vec<_>>()
        };
        for instructions in Instructions::ALL {
            assert_eq!(bits(instructions), bits(Instructions::Portable), "{instructions:?}");
        }
    }
}
