//! `precision.retention-powers`: a product that is exact, of factors that overflow.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::interval::Interval;
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Number, Position, Relation, System};
use num_complex::Complex;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RetentionPowers;

/// The name of a format, its largest number, k for γ = 1 − 2^(−k), and the first m with γ^(−m) above that number.
const OVERFLOWS: [(&str, f64, u32, u32); 9] = [
    ("binary16", 65_504.0, 5, 350),
    ("binary32", f32::MAX as f64, 5, 2_795),
    ("binary32", f32::MAX as f64, 6, 5_634),
    ("binary32", f32::MAX as f64, 7, 11_313),
    ("binary32", f32::MAX as f64, 8, 22_669),
    ("binary32", f32::MAX as f64, 9, 45_382),
    ("binary32", f32::MAX as f64, 10, 90_808),
    ("binary32", f32::MAX as f64, 11, 181_661),
    ("binary32", f32::MAX as f64, 12, 363_365),
];

/// γ^(−m) for γ = 1 − 2^(−k).
fn inverse_power(k: u32, m: u32) -> Interval {
    let gamma = Interval::rational(&(Rational::from(1) - Rational::from((1, 1_u32 << k))), Interval::PRECISION);
    (-(gamma.ln() * Interval::from(m as i32))).exp()
}

/// (γ·e^(iθ))^power, γ = e^(−a); in the sabotaged form of a key γ has another exponent.
fn power<S: System>(system: &S, growth: i64, turns: i64) -> Complex<S::Number> {
    let modulus = (-(system.real("a", 0) * system.integer(growth))).exp();
    let point = system.cis(&(Position::integer(turns) * Frequency::Free("θ")));
    Complex::new(modulus.clone() * point.re, modulus * point.im)
}

impl Claim for RetentionPowers {
    const ABOUT: About = About {
        id: "precision.retention-powers",
        statement: "(γe^(iθ))^n·(γe^(iθ))^(−m) = γ^(n−m)·e^(i(n−m)θ) for all γ > 0 and θ, so that queries and keys with these factors give the decay γ^(n−m); but the factor γ^(−m) of a key passes the largest number of the format at m = 350 in binary16 and 2795 in binary32 for γ = 1 − 2^(−5), and in binary32 at 5634, 11313, 22669, 45382, 90808, 181661 and 363365 for γ = 1 − 2^(−k), k = 6 … 12.",
        written: None,
        sources: &[Source { document: Document::RetentiveNetwork, place: "section 2, equations (3) and (4)" }],
        verdict: Verdict::Holds,
        sabotage: "γ^(−n) for γ^(−m); in the survey, the overflow one position too early",
        remark: Some(
            "The paper does not propose to compute the factors apart: its equations are a derivation. The identity is compared for exponents from 0 to 6, with γ and θ variables; of all exponents it is the theorem, and so are the positions of overflow.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        let factors = Inputs::default().reals_in("a", 1, 0.25, 0.5).reals_in("θ", 1, 0.25, 1.0);
        factors.choice("n", 0..=6).choice("m", 0..=6)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (n, m) = (case.choice("n")? as i64, case.choice("m")? as i64);
        let key = power(system, if form.is_sabotaged() { -n } else { -m }, -m);
        let (product, stated) = (power(system, n, n) * key, power(system, n - m, n - m));
        Ok(vec![
            Comparison::new("real part", Relation::Equal(product.re, stated.re)),
            Comparison::new("imaginary part", Relation::Equal(product.im, stated.im)),
        ])
    }

    fn work(_: &Size) -> usize {
        12
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let of = |(format, largest, k, first): (&str, f64, u32, u32)| {
            let first = if form.is_sabotaged() { first - 1 } else { first };
            let largest = Interval::exactly(largest);
            let [before, at] = [first - 1, first].map(|m| inverse_power(k, m));
            let measure = Measure { error: at.width_up(), bound: 0.0 };
            let decision = if before.is_below(&largest) && largest.is_below(&at) {
                Decision::Held(measure)
            } else if largest.is_below(&before) || at.is_below(&largest) {
                Decision::Refuted(measure)
            } else {
                Decision::unable("a power is too near to the largest number")
            };
            let (lower, upper) = at.decimal_with(Some(8));
            // γ^(−m) increases with m: two of them settle all.
            let scope = format!("γ^(−m) for γ = 1 − 2^(−{k}) and all m up to {first}, against the largest {format}");
            let finding = format!("at m = {first} it is [{lower}, {upper}]");
            Survey { scope, cases: u64::from(first) + 1, decision, finding, measured: None }
        };
        OVERFLOWS.map(of).into()
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [("power_350", 5, 350), ("power_2795", 5, 2795), ("power_22669", 8, 22_669)];
        named.map(|(name, k, m)| CertifiedValue { name, enclosure: inverse_power(k, m) }).into()
    }
}
