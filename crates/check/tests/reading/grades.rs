//! Grades as the table of the documentation has them: neighbours are faithful, rules of rounding are named, zero has a sign.

use crate::cache::*;
use half::bf16;
use posproof_check::faults::{ArrayCause, RoundingMode};
use posproof_check::{Cause, Code, Expectation, Grade, Report, Slice, Subject, check};
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::nearest as correct;
use posproof_table::Positions;

fn exact(convention: Convention) -> impl Fn(u64, usize, Component) -> f64 {
    let entries = Entries::new(&convention);
    move |position, pair, component| entries.enclose(position, pair, component, 80).unwrap().approximate()
}

/// Cosines of values rounded by a rule, at positions 0..600.
fn cosines(value: impl Fn(u64, usize) -> f64, round: impl Fn(f64) -> f64) -> Report {
    let positions = Positions::range(0..600).unwrap();
    let cos = posproof_check::Computed::new("cos", &positions, PAIRS, |p, row: &mut [bf16]| {
        row.iter_mut().enumerate().for_each(|(k, x)| *x = bf16::from_f64(round(value(p, k))));
    });
    check(Subject::Rope { cos: Some(&cos), sin: None }, &Expectation::new(convention())).unwrap()
}

/// A number rounded to bfloat16 by a rule.
fn by(rule: RoundingMode) -> impl Fn(f64) -> f64 {
    move |x: f64| {
        if x == 0.0 {
            return x;
        }
        let unit = 2f64.powi(x.abs().log2().floor() as i32 - 7);
        let (down, up) = ((x / unit).floor() * unit, (x / unit).ceil() * unit);
        match rule {
            RoundingMode::TowardZero => {
                if x > 0.0 {
                    down
                } else {
                    up
                }
            }
            RoundingMode::AwayFromZero => {
                if x > 0.0 {
                    up
                } else {
                    down
                }
            }
            RoundingMode::Downward => down,
            _ => up,
        }
    }
}

#[test]
fn a_table_whose_entries_all_neighbour_the_exact_values_is_faithful() {
    let exact = exact(convention());
    for rule in RoundingMode::ALL {
        let report = cosines(|p, k| exact(p, k, Component::Cos), by(rule));
        assert_eq!((report.grade, report.conforms), (Grade::Faithful, true), "{rule}: {report}");
        // They are beyond the bound for rounding to nearest, and the report says why that is no fault.
        assert!(
            report.statistics.exceeding > 0 && report.to_string().contains("neighbours the exact value"),
            "{report}"
        );
    }
    assert_eq!(cosines(|p, k| exact(p, k, Component::Cos), |x| x).grade, Grade::CorrectlyRounded);
}

#[test]
fn a_rule_of_rounding_is_named() {
    // Computed in binary32, whose errors carry some entries over a number of bfloat16: not faithful.
    for rule in RoundingMode::ALL {
        let cos = array("cos", PAIRS, |p, k| bf16::from_f64(by(rule)(f64::from(single(p, by_pow(k)).0))));
        let report = check(Subject::Rope { cos: Some(&cos), sin: None }, &expected()).unwrap();
        assert_eq!(
            (report.grade, report.first_code()),
            (Grade::Degraded, Some(Code::RoundingMode)),
            "{rule}: {report}"
        );
        let Cause::Array(ArrayCause::Rounding { mode, format, entries, exceeding, .. }) = report.findings[0].cause
        else {
            panic!("{report}")
        };
        assert_eq!((mode, format), (rule, Format::Bf16));
        assert_eq!((entries, exceeding), (report.entries, report.statistics.exceeding));
        assert_eq!(report.findings.len(), 1, "{report}");
    }
    // A wrong entry more, and it is not so.
    let cos = array("cos", PAIRS, |p, k| {
        let value = by(RoundingMode::TowardZero)(f64::from(single(p, by_pow(k)).0));
        bf16::from_f64(if (p, k) == (64, 3) { value + 0.25 } else { value })
    });
    let report = check(Subject::Rope { cos: Some(&cos), sin: None }, &expected()).unwrap();
    assert_ne!(report.first_code(), Some(Code::RoundingMode), "{report}");
}

#[test]
fn negative_zero_is_next_to_zero_and_not_its_rounding() {
    let entries = Entries::new(&convention());
    let table = |zero: f32| move |p: u64, k: usize| if p == 0 { zero } else { single(p, by_pow(k)).1 };
    let sines = |zero: f32| {
        let positions = Positions::range(0..3).unwrap();
        let sin = posproof_check::Computed::new("sin", &positions, PAIRS, |p, row: &mut [f32]| {
            for (k, x) in row.iter_mut().enumerate() {
                let right = correct(Format::F32, |bits| entries.enclose(p, k, Component::Sin, bits));
                *x = if p == 0 { table(zero)(p, k) } else { right.unwrap() as f32 };
            }
        });
        check(Subject::Rope { cos: None, sin: Some(&sin) }, &Expectation::new(convention())).unwrap()
    };
    let (positive, negative) = (sines(0.0), sines(-0.0));
    assert_eq!((positive.grade, positive.statistics.negative_zeros), (Grade::CorrectlyRounded, 0), "{positive}");
    assert_eq!((negative.grade, negative.statistics.negative_zeros), (Grade::Faithful, PAIRS as u64), "{negative}");
    assert!(negative.to_string().contains("32 entries are −0"), "{negative}");
}

/// 135/128 times 11/10 is 297/256, half way between two numbers of bfloat16; a decimal amplitude is known by enclosures alone, which
/// never tell a tie.
#[test]
fn half_way_cases_of_rotations_are_decided_whatever_the_amplitude() {
    let convention = Convention { amplitude: "11/10".parse().unwrap(), ..Convention::rope(2) };
    let grade = |x: f64, y: f64| {
        let (x, y) = ([bf16::from_f64(x), bf16::ZERO], [bf16::from_f64(y), bf16::ZERO]);
        let (x, y) = (Slice::new("x", &x, 2).unwrap(), Slice::new("y", &y, 2).unwrap());
        check(Subject::Rotation { x: &x, y: &y }, &Expectation::new(convention.clone())).unwrap().grade
    };
    for sign in [1.0, -1.0] {
        assert_eq!(grade(sign * 1.0546875, sign * 1.15625), Grade::CorrectlyRounded);
        assert_eq!(grade(sign * 1.0546875, sign * 1.1640625), Grade::Faithful);
    }
}
