//! `base.integral-limit`: the criterion as the dimension grows, by the cosine integral.

use super::score;
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Phase, Position, Relation, System};
use rug::float::{Constant, Round};
use rug::{Float, Integer, Rational};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct IntegralLimit;

const BASE: u32 = 10_000;

/// Terms of the series of Ci.
const TERMS: u32 = 24;

/// Σ_{1≤k≤TERMS} (−1)^k·x^(2k)/(2k·(2k)!), which is Ci(x) − γ − ln x but for the terms that are left out.
fn series<S: System>(system: &S, x: &S::Number) -> S::Number {
    let square = x.clone() * x.clone();
    let (mut power, mut sum) = (system.integer(1), system.integer(0));
    for k in 1..=TERMS {
        power = -(power * square.clone());
        let divisor = Integer::from(Integer::factorial(2 * k)) * (2 * k);
        sum += power.clone() * system.rational(&Rational::from((Integer::from(1), divisor)));
    }
    sum
}

/// γ + ln x, and for 0 < x ≤ 2 what the series leaves out: less in modulus than the first term left out.
fn rest(x: &Interval) -> Interval {
    let euler = |round| Float::with_val_round(Interval::PRECISION, Constant::Euler, round).0;
    let euler = Interval::new(euler(Round::Down), euler(Round::Up));
    let next = 2 * (TERMS + 1);
    let bound = Rational::from((Integer::from(1) << next, Integer::from(Integer::factorial(next)) * next));
    let bound = Interval::rational(&bound, Interval::PRECISION);
    euler + x.ln() + Interval::new((-bound.clone()).lower().clone(), bound.upper().clone())
}

/// Ci(x) for 0 < x ≤ 2.
fn cosine_integral(x: &Interval) -> Interval {
    series(&Enclosing::default(), x) + rest(x)
}

fn rational(value: &Rational) -> Interval {
    Interval::rational(value, Interval::PRECISION)
}

/// One end of an enclosure as the same rational number for every system.
fn end<S: System>(system: &S, end: &Float) -> S::Number {
    system.rational(&end.to_rational().unwrap_or_default())
}

/// (Ci(1) − Ci(1/b))/ln b, the limit of (2/d)·B(1) as d → ∞.
fn limit() -> Interval {
    let slowest = rational(&Rational::from((1, BASE)));
    (cosine_integral(&Interval::from(1)) - cosine_integral(&slowest)) / Interval::from(BASE as i32).ln()
}

/// The zero x_0 of Ci, by bisection between two rational numbers at which the signs differ.
fn zero() -> Interval {
    let (mut below, mut above) = (Rational::from((1, 2)), Rational::from((3, 4)));
    for _ in 0..160 {
        let middle = Rational::from(&below + &above) / 2;
        let value = cosine_integral(&rational(&middle));
        if value.is_below(&Interval::from(0)) {
            below = middle;
        } else if Interval::from(0).is_below(&value) {
            above = middle;
        } else {
            break;
        }
    }
    Interval::new(rational(&below).lower().clone(), rational(&above).upper().clone())
}

impl Claim for IntegralLimit {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.integral-limit",
        statement: "As d → ∞, (2/d)·B(m) tends to (Ci(m) − Ci(m/b))/ln b, for every m > 0 and b > 1, and differs from it by at most 2m/d; for m = 1 and b = 10000 it is below the limit by at most (2/d)·(1 − cos 1). The first zero x_0 of Ci is between 1/1.623 and 1/1.622, so that the rule b ≥ L/x_0 is b ≥ 1.622…·L and not 2L; and Ci is below 1/2 at its maximum, π/2, and from 1 on at most 1/2 in modulus.",
        written: Some("b ≥ L/x_0 ≈ 2L: Ci is not negative at 1/1.8."),
        sources: &[Source {
            document: Document::BaseSelection,
            place: "the asymptotic estimate by Ci, b ≥ L/x_0 ≈ 2L",
        }],
        verdict: Verdict::Corrected,
        sabotage: "2 for 1.622: Ci positive at 1/2",
        remark: Some(
            "The form as written reads \"≈ 2\" as up to a tenth. The sum is compared with its limit for m = 1 at d = 128, 1024 and 8192, as a Riemann sum of a function that rises, and Ci at 1/1.623, 1/1.622 and π/2; for every m and d, and that Ci is largest at π/2 and at most 1/2 in modulus from 1 on, it is the theorem, in which Ci is any function with derivative cos x/x that tends to 0, and there is one. That the score has the sign of its limit for a finite d is not claimed.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let of = |dims: &[usize]| dims.iter().map(|dim| Size { dim: *dim, tokens: 0, base: BASE }).collect();
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => of(&[128, 1024, 8192]),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let nought = system.integer(0);
        // Ci from below and from above, for 1/x a number of thousandths.
        let bounds = |thousandths: i64| {
            let x = Rational::from((1000, thousandths));
            let (sum, rest) = (series(system, &system.rational(&x)), rest(&rational(&x)));
            [rest.lower(), rest.upper()].map(|side| sum.clone() + end(system, side))
        };
        match form {
            Form::AsWritten => {
                let [_, upper] = bounds(1800);
                return Ok(vec![Comparison::new("0 and Ci(1/1.8)", Relation::AtMost(nought, upper))]);
            }
            Form::Sabotaged => {
                let [lower, _] = bounds(2000);
                return Ok(vec![Comparison::new("0 and Ci(1/2)", Relation::Less(nought, lower))]);
            }
            Form::Settled => {}
        }
        let dim = case.size.dim;
        let pairs = system.integer(dim as i64 / 2);
        let mean = score(system, BASE, dim, 1) / pairs.clone();
        let unit = Position::integer(1) * Frequency::Power { base: BASE, dim, index: 0 };
        let width = (system.integer(1) - system.cis(&unit).re) / pairs;
        let limit = limit();
        let [_, below] = bounds(1623);
        let [above, _] = bounds(1622);
        let quarter = system.angle(&Phase::turns(1, 4));
        let largest = rest(&Interval::full_turns(&Rational::from((1, 4)), Interval::PRECISION));
        let maximum = series(system, &quarter) + end(system, largest.upper());
        let half = system.rational(&Rational::from((1, 2)));
        Ok(vec![
            Comparison::new("(2/d)·B(1) and its limit", Relation::AtMost(mean.clone(), end(system, limit.upper()))),
            Comparison::new(
                "the limit, and (2/d)·(B(1) + 1 − cos 1)",
                Relation::AtMost(end(system, limit.lower()), mean + width),
            ),
            Comparison::new("Ci(1/1.623) and 0", Relation::Less(below, nought.clone())),
            Comparison::new("0 and Ci(1/1.622)", Relation::Less(nought, above)),
            Comparison::new("Ci(π/2) and 1/2", Relation::Less(maximum, half)),
        ])
    }

    fn values() -> Vec<CertifiedValue> {
        let quarter = Interval::full_turns(&Rational::from((1, 4)), Interval::PRECISION);
        vec![
            CertifiedValue { name: "first_zero_of_ci", enclosure: zero() },
            CertifiedValue { name: "base_over_length", enclosure: Interval::from(1) / zero() },
            CertifiedValue { name: "largest_ci", enclosure: cosine_integral(&quarter) },
            CertifiedValue { name: "limit_at_1", enclosure: limit() },
        ]
    }
}
