//! Right arrays that are kept in a form of their own, and right ones that few rows leave open.

use crate::corpus::{frequencies, judge_cache, judge_table};
use half::bf16;
use posproof_check::{Code, Confidence, Duplication, Expectation, Grade, Slice, Subject, check, identify};
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

const ROWS: usize = 300;

/// Cosines and sines of full width, repeated one by one or in halves, with the sign that the first of two sines has.
fn full(repeated: bool, signs: [f32; 2]) -> [Vec<f32>; 2] {
    let omega = frequencies(&Convention::rope(64));
    let entries = |of: &dyn Fn(f64, usize) -> f32| -> Vec<f32> {
        let entry = |i: usize| {
            let column = i % 64;
            let (pair, second) = if repeated { (column / 2, column % 2) } else { (column % 32, column / 32) };
            of((i / 64) as f64 * omega[pair], second)
        };
        (0..ROWS * 64).map(entry).collect()
    };
    [entries(&|angle, _| angle.cos() as f32), entries(&|angle, second| signs[second] * angle.sin() as f32)]
}

#[test]
fn sines_that_are_kept_with_both_signs_conform() {
    for repeated in [false, true] {
        let [cos, sin] = full(repeated, [-1.0, 1.0]);
        let (cos, sin) = (Slice::new("cos", &cos, 64).unwrap(), Slice::new("sin", &sin, 64).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check(subject, &Expectation::new(Convention::rope(64))).unwrap();
        assert!(report.conforms, "{report}");
        let found = identify(subject, None).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{found}");
        // With the signs exchanged they turn the other way.
        let [cos, sin] = full(repeated, [1.0, -1.0]);
        let (cos, sin) = (Slice::new("cos", &cos, 64).unwrap(), Slice::new("sin", &sin, 64).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check(subject, &Expectation::new(Convention::rope(64))).unwrap();
        assert_eq!(report.findings[0].code(), Code::Direction, "{report}");
    }
}

#[test]
fn columns_of_zeros_after_a_table_are_left_out() {
    let convention = Convention::sinusoid(62);
    let omega = frequencies(&convention);
    let mut table: Vec<f64> = (0..ROWS * 64)
        .map(|i| {
            let angle = (i / 64) as f64 * omega.get(i % 64 / 2).copied().unwrap_or(0.0);
            if i % 64 >= 62 {
                0.0
            } else if i % 2 == 0 {
                angle.sin()
            } else {
                angle.cos()
            }
        })
        .collect();
    let report = judge_table(Format::F32, &table, 64, &Expectation::new(convention.clone())).unwrap();
    assert!(report.conforms, "{report}");
    table[20 * 64 + 63] = 0.5;
    assert!(judge_table(Format::F32, &table, 64, &Expectation::new(convention)).is_err());
}

/// A table whose padding row is 0: said as that, and no local fault.
#[test]
fn a_row_of_zeros_for_padding_is_named() {
    let convention = Convention::sinusoid(64);
    let omega = frequencies(&convention);
    for padding in [0, 1, 5] {
        let table: Vec<f64> = (0..ROWS * 64)
            .map(|i| {
                let angle = (i / 64) as f64 * omega[i % 64 / 2];
                if i / 64 == padding {
                    0.0
                } else if i % 2 == 0 {
                    angle.sin()
                } else {
                    angle.cos()
                }
            })
            .collect();
        let report = judge_table(Format::F32, &table, 64, &Expectation::new(convention.clone())).unwrap();
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert_eq!((finding.code(), finding.explains.entries), (Code::NullRow, finding.explains.of), "{report}");
    }
}

/// Small angles make columns equal that are not repeated: every column repeats as stated.
#[test]
fn short_caches_whose_columns_repeat_either_way_conform() {
    for (factor, rows) in [(32, 4), (8, 2), (32, 8), (64, 3)] {
        let scaling = Some(Scaling::Linear { factor: factor.into() });
        let convention = Convention { scaling, ..Convention::rope(64) };
        let omega = frequencies(&convention);
        for (way, repeated) in [(Duplication::Halves, false), (Duplication::Repeated, true)] {
            let angle = |i: usize| (i / 64) as f64 * omega[if repeated { i % 64 / 2 } else { i % 32 }];
            let of = |part: fn(f64) -> f64| -> Vec<bf16> {
                (0..rows * 64).map(|i| bf16::from_f64(part(angle(i)))).collect()
            };
            let (cos, sin) = (of(f64::cos), of(f64::sin));
            let (cos, sin) = (Slice::new("cos", &cos, 64).unwrap(), Slice::new("sin", &sin, 64).unwrap());
            let expectation = Expectation::new(convention.clone()).duplicated(way);
            let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
            assert!(
                report.findings.iter().all(|finding| finding.code() != Code::Duplication),
                "{way}, {rows}\n{report}"
            );
        }
    }
}

/// One wrong entry in binary64: positions that binary32 holds are not computed in it.
#[test]
fn one_wrong_entry_of_binary64_is_no_narrow_position() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    for times in [1.6, 3.0, 1e6] {
        let angles: Vec<f64> = (0..ROWS * 32).map(|i| (i / 32) as f64 * omega[i % 32]).collect();
        let (mut cos, sin): (Vec<f64>, Vec<f64>) =
            angles.iter().map(|a| (core_math::cos(*a), core_math::sin(*a))).unzip();
        let expectation = Expectation::new(convention.clone()).computed_in(Format::F64);
        let right = judge_cache(Format::F64, (&cos, &sin), 32, &expectation).unwrap();
        assert!(right.conforms, "{right}");
        let worst = right.worst.expect("a worst entry");
        // No bound of this row is larger than that of its first pair's neighbour.
        cos[200 * 32 + 1] += times * 200.0 * worst.bound.max(1e-14);
        let report = judge_cache(Format::F64, (&cos, &sin), 32, &expectation).unwrap();
        assert_eq!((report.grade, report.findings[0].code()), (Grade::Wrong, Code::Local), "{times}\n{report}");
    }
}
