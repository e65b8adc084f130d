//! `phasor.growth`: e^m grows without bound, e^(imθ) keeps its magnitude.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::phasor;
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::interval::Interval;
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Number, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Growth;

/// `Some(true)` if e^m is certainly above the largest number of the format, (2 − 2^(1−p))·2^emax, `Some(false)` if it
/// is certainly at most that; none if neither is certain.
fn overflows(format: Format, m: i32) -> Option<bool> {
    let (power, largest) = (Interval::from(m).exp(), Interval::exactly(format.max_finite()));
    match () {
        () if largest.is_below(&power) => Some(true),
        () if power.is_below(&largest) => Some(false),
        () => None,
    }
}

/// The smallest m ≥ 0 with e^m beyond the format, each m below it certainly within.
fn first_overflow(format: Format) -> Option<i32> {
    // No format reaches e^2000: binary64 ends below 2^1024.
    let first = (0..2000).find(|m| overflows(format, *m) != Some(false))?;
    (overflows(format, first) == Some(true)).then_some(first)
}

/// `overflow_f64` and so on: the names of the values.
fn value_name(format: Format) -> &'static str {
    match format {
        Format::F64 => "overflow_f64",
        Format::F32 => "overflow_f32",
        Format::F16 => "overflow_f16",
        Format::Bf16 => "overflow_bf16",
        Format::E4m3 => "overflow_e4m3",
        Format::E5m2 => "overflow_e5m2",
    }
}

/// The least m with e^m beyond the largest number of the format.
const FIRST: [(Format, i32); 4] = [(Format::F64, 710), (Format::F32, 89), (Format::F16, 12), (Format::Bf16, 89)];

/// True if every m below the stated one is within the format and that one is not; the mistake is to round ln(largest) down.
fn survey((format, first): (Format, i32), form: Form) -> Survey {
    let first = if form.is_sabotaged() { first - 1 } else { first };
    let (power, largest) = (Interval::from(first).exp(), format.max_finite());
    let measure = Measure { error: power.width_up(), bound: 0.0 };
    let below: Vec<Option<bool>> = (0..first).map(|m| overflows(format, m)).collect();
    let at = overflows(format, first);
    let decision = if at == Some(true) && below.iter().all(|beyond| *beyond == Some(false)) {
        Decision::Held(measure)
    } else if at == Some(false) || below.contains(&Some(true)) {
        Decision::Refuted(measure)
    } else {
        Decision::unable("an enclosure of e^m contains the largest number of the format")
    };
    let sign = match at {
        Some(true) => '>',
        Some(false) => '<',
        None => '≈',
    };
    Survey {
        scope: format!("every integer m from 0 to {first} in {format}"),
        cases: first as u64 + 1,
        decision,
        finding: format!("e^{first} = {}… {sign} {largest:e}, the largest number", power.decimal_with(Some(8)).0),
        measured: None,
    }
}

impl Claim for Growth {
    const ABOUT: About = About {
        id: "phasor.growth",
        statement: "e^m·e^n = e^(m+n); for x ≠ 0 and every B there is an m with |x·e^m| > B, while |x·e^(imθ)| = |x| for every m and θ.",
        written: None,
        sources: &[Source { document: Document::SinesAndCosines, place: "Exponentials" }],
        verdict: Verdict::Holds,
        sabotage: "e^m·e^n = e^(m·n), and ln of the largest number rounded down",
        remark: Some(
            "The m of the second part is B/|x|, because e^m > m; the exact system, which has no order, decides the other two parts.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        // Sums of exponents stay within the range of binary16, which ends between e^11 and e^12.
        let exponents = Inputs::default().reals("m", 1, 5.0).reals("n", 1, 5.0);
        let numbers = exponents.reals("x", 2, 1.0).reals_in("B", 1, 0.0, 4.0);
        numbers.position("t").reals_in("θ", 1, 0.0625, 1.0)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (m, n) = (system.real("m", 0), system.real("n", 0));
        let exponent = if form.is_sabotaged() { m.clone() * n.clone() } else { m.clone() + n.clone() };
        let x = phasor::complex(system, "x");
        let turned = phasor::turned(system, x.clone(), &(Position::symbol("t") * Frequency::Free("θ")));
        let (length, bound) = (x.norm_sqr().sqrt(), system.real("B", 0));
        let outgrown = length.clone() * (bound.clone() / length.clone()).exp();
        Ok(vec![
            Comparison::new("e^m·e^n", Relation::Equal(m.exp() * n.exp(), exponent.exp())),
            Comparison::new("|x·e^m|", Relation::Less(bound, outgrown)),
            Comparison::new("|x·e^(imθ)|²", Relation::Equal(turned.norm_sqr(), x.norm_sqr())),
            Comparison::new("|x·e^(imθ)|", Relation::Equal(turned.norm_sqr().sqrt(), length)),
        ])
    }

    fn work(_: &Size) -> usize {
        12
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        FIRST.map(|stated| survey(stated, form)).into()
    }

    fn values() -> Vec<CertifiedValue> {
        let found = Format::ALL.into_iter().filter_map(|format| Some((format, first_overflow(format)?)));
        found.map(|(format, m)| CertifiedValue { name: value_name(format), enclosure: Interval::from(m) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The survey decides by the powers, whichever form it is asked for.
    #[test]
    fn another_first_power_is_refuted() {
        for (format, first) in FIRST {
            let decided = |stated, form| survey((format, stated), form).decision;
            assert!(matches!(decided(first, Form::Settled), Decision::Held(_)), "{format}");
            assert!(matches!(decided(first - 1, Form::Settled), Decision::Refuted(_)), "{format}");
            assert!(matches!(decided(first + 1, Form::Settled), Decision::Refuted(_)), "{format}");
            assert!(matches!(decided(first + 1, Form::Sabotaged), Decision::Held(_)), "{format}");
        }
    }
}
