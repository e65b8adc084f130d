//! `phasor.polar`: every complex x ≠ 0 is |x|·e^(iθ).
//!
//! That x·e^(−iθ) is the positive number |x| for some θ follows by continuity: between two angles
//! less than half a turn apart, at both of which the real part of x·e^(−iθ) is positive, the
//! imaginary part goes from positive to negative.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::encoding::phasor;
use crate::evidence::Effort;
use crate::number::interval::Interval;
use crate::number::system::{Decision, Measure};
use crate::number::{Number, Phase, Relation, System};
use num_complex::Complex;
use num_traits::Zero;
use rug::Float;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Polar;

/// Two angles, a quarter of a turn apart, around the eighth of the plane in which (a, b) lies; in
/// units of a sixteenth of a turn. None where an entry is no number.
fn bracket(a: f64, b: f64) -> Option<[i64; 2]> {
    if a.is_nan() || b.is_nan() {
        return None;
    }
    let steep = b.abs() > a.abs();
    let eighth = match (a >= 0.0, b >= 0.0) {
        (true, true) => i64::from(steep),
        (false, true) => 2 + i64::from(!steep),
        (false, false) => 4 + i64::from(steep),
        (true, false) => 6 + i64::from(!steep),
    };
    Some([2 * eighth - 1, 2 * eighth + 3])
}

/// Condition on |x| and θ for x = |x|·e^(iθ) to exist between two angles.
fn surrounded<S: System>(
    system: &S,
    x: &Complex<S::Number>,
    sixteenths: [i64; 2],
    sign: i64,
) -> Vec<Comparison<S::Number>> {
    let turned = |step: i64| phasor::turned(system, x.clone(), &Phase::turns(-sign * step, 16));
    let [first, second] = sixteenths.map(turned);
    let zero = S::Number::zero;
    vec![
        Comparison::new("real part at the first angle", Relation::Less(zero(), first.re)),
        Comparison::new("real part at the second angle", Relation::Less(zero(), second.re)),
        Comparison::new("imaginary part at the first angle", Relation::Less(zero(), first.im)),
        Comparison::new("imaginary part at the second angle", Relation::Less(second.im, zero())),
    ]
}

/// The greatest absolute value of the integer parts in the survey.
const REACH: i32 = 16;

/// Encloses an angle of a + bi to within 2^−240 and shows that it is one: its width, or where it fails.
fn angle_found(a: i32, b: i32, sign: i32) -> Result<f64, Decision> {
    const BITS: u32 = 288;
    let guess = Float::with_val(BITS, b).atan2(&Float::with_val(BITS, a)) * sign;
    let margin = Float::with_val(BITS, Float::i_exp(1, -241));
    let x = Complex::new(Interval::from(a), Interval::from(b));
    let turned = |angle: Float| {
        let (cos, sin) = Interval::point(angle).cos_sin();
        x.clone() * Complex::new(cos, -sin)
    };
    let (low, high) = (Float::with_val(BITS, &guess - &margin), Float::with_val(BITS, &guess + &margin));
    let angle = Interval::new(low.clone(), high.clone());
    let (before, after) = (turned(low), turned(high));
    let zero = Interval::from(0);
    let ordered = [(&zero, &before.re), (&zero, &after.re), (&zero, &before.im), (&after.im, &zero)];
    let (cos, sin) = angle.cos_sin();
    let length = (x.re.clone() * x.re.clone() + x.im.clone() * x.im.clone()).sqrt();
    let (re, im) = (length.clone() * cos, length * sin);
    if ordered.iter().any(|(l, r)| r.is_below(l)) || re.is_separate_from(&x.re) || im.is_separate_from(&x.im) {
        return Err(Decision::Refuted(Measure { error: angle.width_up(), bound: 0.0 }));
    }
    if ordered.iter().all(|(l, r)| l.is_below(r)) {
        Ok(re.width_up().max(im.width_up()))
    } else {
        Err(Decision::unable("the signs at the two ends cannot be told"))
    }
}

impl Claim for Polar {
    const ABOUT: About = About {
        id: "phasor.polar",
        statement: "Every complex x ≠ 0 is |x|·e^(iθ) for some real θ.",
        written: None,
        sources: &[Source { document: Document::SinesAndCosines, place: "Encoding Positions" }],
        verdict: Verdict::Holds,
        sabotage: "e^(−iθ) for e^(iθ)",
        remark: Some(
            "The exact system shows that r·e^(iθ) has magnitude r and angle θ; that every x has such an angle is an argument of continuity, for which it has no order.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("x", 2, 1.0).reals_in("r", 1, 0.25, 4.0).reals("θ", 1, 4.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let sign = if form.is_sabotaged() { -1 } else { 1 };
        let (length, angle) = (system.real("r", 0), Phase::angle("θ"));
        let number = phasor::turned(system, Complex::new(length.clone(), S::Number::zero()), &angle);
        let straight = phasor::turned(system, number.clone(), &angle.times(-sign));
        let mut all = vec![
            Comparison::new("squared magnitude", Relation::Equal(number.norm_sqr(), length.clone() * length.clone())),
            Comparison::new("magnitude", Relation::Equal(number.norm_sqr().sqrt(), length.clone())),
            Comparison::new("x·e^(−iθ), real part", Relation::Equal(straight.re, length)),
            Comparison::new("x·e^(−iθ), imaginary part", Relation::Equal(straight.im, S::Number::zero())),
        ];
        if let Some(angles) = bracket(case.values.real("x", 0), case.values.real("x", 1)) {
            all.extend(surrounded(system, &phasor::complex(system, "x"), angles, sign));
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        12
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let sign = if form.is_sabotaged() { -1 } else { 1 };
        let (mut cases, mut widest, mut decision) = (0, 0.0_f64, None);
        let mut finding = String::new();
        for (a, b) in (-REACH..=REACH).flat_map(|a| (-REACH..=REACH).map(move |b| (a, b))).filter(|x| *x != (0, 0)) {
            cases += 1;
            match angle_found(a, b, sign) {
                Ok(width) => widest = widest.max(width),
                Err(other) => {
                    finding = format!("no angle found for {a} + {b}i");
                    decision = Some(other);
                    break;
                }
            }
        }
        let decision = decision.unwrap_or_else(|| {
            finding = "every one is |x|·e^(iθ) for a θ between two numbers 2^−240 apart".to_owned();
            Decision::Held(Measure { error: widest, bound: 0.0 })
        });
        let scope = format!("all a + bi ≠ 0 with integers |a|, |b| ≤ {REACH}, by a change of sign");
        vec![Survey { scope, cases, decision, finding, measured: None }]
    }
}
