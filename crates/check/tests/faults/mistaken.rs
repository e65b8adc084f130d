//! Causes that were told of entries which have another: what is said must predict the entries.

use crate::corpus::frequencies;
use posproof_check::{Cause, Code, Expectation, Report, Slice, Status, Subject, check, identify};
use posproof_encoding::convention::Convention;

const ROWS: usize = 2048;

/// Right cosines and sines of dim 64, at positions times a factor.
fn arrays(factor: f64) -> [Vec<f32>; 2] {
    let omega = frequencies(&Convention::rope(64));
    let angles = (0..ROWS).flat_map(|p| omega.iter().map(move |omega| p as f64 * factor * omega));
    angles.map(|angle| [angle.cos() as f32, angle.sin() as f32]).fold([vec![], vec![]], |[mut cos, mut sin], [c, s]| {
        cos.push(c);
        sin.push(s);
        [cos, sin]
    })
}

fn judged([cos, sin]: &[Vec<f32>; 2], width: usize) -> Report {
    let (cos, sin) = (Slice::new("cos", cos, width).unwrap(), Slice::new("sin", sin, width).unwrap());
    check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &Expectation::new(Convention::rope(64))).unwrap()
}

/// Factors of several digits are that, not the nearest quotient of small numbers with other faults besides.
#[test]
fn factors_of_several_digits_explain_every_entry() {
    for factor in [0.777_777, std::f64::consts::SQRT_2] {
        let report = judged(&arrays(factor), 32);
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert!(matches!(finding.cause, Cause::Scaled { .. }) && finding.status == Status::Confirmed, "{report}");
        assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
    }
}

/// Cosines that are all multiplied by a number are that; sines that are right are not called wrong.
#[test]
fn a_factor_of_cosines_is_no_lower_accuracy() {
    let [cos, sin] = arrays(1.0);
    let cos = cos.iter().map(|cos| (f64::from(*cos) * (1.0 + 1e-5)) as f32).collect();
    let report = judged(&[cos, sin], 32);
    assert!(!report.findings.iter().any(|finding| matches!(finding.cause, Cause::Inaccurate { .. })), "{report}");
}

/// Zeros beside zeros are no columns that are repeated.
#[test]
fn columns_of_zeros_are_not_repeated() {
    let [cos, sin] = arrays(1.0);
    let wide = |half: &[f32], other: &dyn Fn(f32) -> f32| -> Vec<f32> {
        half.chunks_exact(32).flat_map(|row| row.iter().copied().chain(row.iter().map(|x| other(*x)))).collect()
    };
    let report = judged(&[wide(&cos, &|_| 0.0), wide(&sin, &|sin| sin)], 64);
    assert!(!report.findings.iter().any(|finding| finding.code() == Code::Duplication), "{report}");
}

/// One entry that is 0 leaves the convention of the others known.
#[test]
fn one_zero_does_not_hide_the_convention() {
    let [cos, mut sin] = arrays(1.0);
    sin[900 * 32 + 4] = 0.0;
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let found = identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, None).unwrap();
    assert!(found.convention.is_some_and(|found| found.base == 10_000.into()), "{:?}", found.findings);
}
