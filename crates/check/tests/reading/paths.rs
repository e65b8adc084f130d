//! The path is identified first, and judged by its bound; the one assumption on libraries; recurrences.

use crate::cache::*;
use posproof_check::{Cause, Code, Computed, Expectation, Grade, Path, Report, Slice, Subject, check};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;

const PAIRS_128: usize = 64;

fn judge_with(frequency: impl Fn(usize) -> f32, expectation: &Expectation) -> Report {
    let cos = array("cos", PAIRS_128, |p, k| single(p, frequency(k)).0);
    let sin = array("sin", PAIRS_128, |p, k| single(p, frequency(k)).1);
    judge(&cos, &sin, expectation)
}

fn sinusoid() -> Expectation {
    Expectation::new(Convention::rope(128)).at(positions())
}

/// So many units in the last place further.
fn off(x: f32, units: i32) -> f32 {
    f32::from_bits((x.to_bits() as i32 + units) as u32)
}

fn powers(k: usize) -> f32 {
    10_000f64.powf(-(k as f64) / 64.0) as f32
}

#[test]
fn the_narrowest_path_is_reported() {
    assert_eq!(judge_with(powers, &sinusoid()).path, Some(Path::Rounded));
    let report = judge_with(|k| off(powers(k), if k % 2 == 1 { 4 } else { -4 } * i32::from(k > 0)), &sinusoid());
    assert_eq!((report.path, report.conforms), (Some(Path::Pow), true), "{report}");
    // A stated path stays, though a narrower one would do.
    assert_eq!(judge_with(powers, &sinusoid().along(Path::Repeated)).path, Some(Path::Repeated));
}

#[test]
fn another_path_than_the_stated_one_is_named() {
    let ratio = 10_000f32.powf(-1.0 / 64.0);
    let repeated: Vec<f32> = std::iter::successors(Some(1f32), |omega| Some(omega * ratio)).take(64).collect();
    let report = judge_with(|k| repeated[k], &sinusoid().along(Path::Rounded));
    let [finding] = &report.findings[..] else { panic!("{report}") };
    let Cause::Path { stated, found, .. } = finding.cause else { panic!("{report}") };
    assert_eq!((report.grade, finding.code(), stated), (Grade::Degraded, Code::LowPrecisionFrequencies, Path::Rounded));
    assert_eq!(
        (finding.explains.entries, finding.explains.of),
        (report.statistics.exceeding, report.statistics.exceeding)
    );
    assert_eq!(report.found.as_ref(), Some(&report.expected));
    // It conforms under the path that is named, and under what mends it.
    assert!(judge_with(|k| repeated[k], &sinusoid().along(found)).conforms);
    assert!(report.mend.is_some_and(|mend| judge_with(|k| repeated[k], &mend.expectation(&sinusoid())).conforms));
    // One frequency that no path makes is none of a path.
    let single = |k: usize| if k == 40 { off(powers(k), 99) } else { powers(k) };
    let report = judge_with(single, &sinusoid().along(Path::Rounded));
    assert!(report.grade == Grade::Wrong && report.first_code() == Some(Code::Local), "{report}");
}

/// pow within 4 ulp, everywhere: each frequency, and the ratio of repeated multiplication.
#[test]
fn honest_programs_with_a_poor_pow_are_not_accused() {
    for units in [-4, -3, 3, 4] {
        let ratio = off(10_000f32.powf(-1.0 / 64.0), units);
        let repeated: Vec<f32> = std::iter::successors(Some(1f32), |omega| Some(omega * ratio)).take(64).collect();
        let report = judge_with(|k| repeated[k], &sinusoid());
        assert!(report.conforms, "{units}: {report}");
        assert!(judge_with(|k| repeated[k], &sinusoid().along(Path::Repeated)).conforms);
        let alternating =
            |k: usize| if k == 0 { 1.0 } else { off(powers(k), if k.is_multiple_of(2) { units } else { -units }) };
        assert!(judge_with(alternating, &sinusoid()).conforms);
        // Every power of one poor ratio, each by one call of pow.
        let report = judge_with(|k| (f64::from(ratio).powi(k as i32)) as f32, &sinusoid());
        assert!(report.conforms, "powers of a ratio, {units}: {report}");
        // exp of multiples of one poor logarithm.
        let step = off((10_000f32).ln() / 64.0, units);
        let report = judge_with(|k| (-(k as f32) * step).exp(), &sinusoid());
        assert!(report.conforms, "exp, {units}: {report}");
    }
}

/// One frequency that no path makes of the others: what `any` would let pass.
#[test]
fn a_single_frequency_that_is_off_is_seen() {
    for pair in [20, 33, 40] {
        for units in [-99, 99] {
            let frequency = |k: usize| if k == pair { off(powers(k), units) } else { powers(k) };
            let report = judge_with(frequency, &sinusoid());
            assert!(!report.conforms, "pair {pair} off by {units} units: {report}");
            let beyond = report.pairs.iter().filter(|part| part.part.exceeding > 0).map(|part| part.pair);
            assert_eq!(beyond.collect::<Vec<_>>(), [pair], "{report}");
        }
    }
}

/// cos and sin of every position from those of the one before, by the addition theorem in binary64.
fn recurrence(last: u64, frequency: impl Fn(usize) -> f64) -> [Computed<f64>; 2] {
    let step: Vec<(f64, f64)> = (0..32).map(|k| (frequency(k).cos(), frequency(k).sin())).collect();
    let mut state = vec![(1f64, 0f64); 32];
    let positions = Positions::range(0..last).unwrap();
    let mut rows = Vec::new();
    for _ in 0..last {
        rows.push(state.clone());
        for ((cos, sin), (c, s)) in state.iter_mut().zip(&step) {
            (*cos, *sin) = (*cos * c - *sin * s, *sin * c + *cos * s);
        }
    }
    let part = |name, second: bool| {
        Computed::new(name, &positions, 32, |p, row: &mut [f64]| {
            for (x, (cos, sin)) in row.iter_mut().zip(&rows[p as usize]) {
                *x = if second { *sin } else { *cos };
            }
        })
    };
    [part("cos", false), part("sin", true)]
}

#[test]
fn recurrences_in_binary64_are_not_accused() {
    for base in [10_000i64, 500_000] {
        let convention = Convention { base: base.into(), ..Convention::rope(64) };
        let [cos, sin] = recurrence(40_000, |k| (base as f64).powf(-(k as f64) / 32.0));
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let expectation = Expectation::new(convention).computed_in(Format::F64);
        let report = check(subject, &expectation).unwrap();
        assert_eq!((report.conforms, report.path), (true, Some(Path::Recurrence)), "{report}");
        assert!(report.worst.as_ref().is_some_and(|worst| worst.error < 1e-9 && worst.bound < 1e-9), "{report}");
        // It is not what the other paths make.
        let report = check(subject, &expectation.clone().along(Path::Pow)).unwrap();
        assert!(!report.conforms, "{report}");
        // Nor does it excuse frequencies in binary32.
        let [cos, sin] = recurrence(40_000, |k| f64::from(((base as f64).powf(-(k as f64) / 32.0)) as f32));
        let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
        assert!(!report.conforms && report.grade != Grade::WithinBound, "{report}");
    }
}

/// Where position and offset cancel, the rounding of the offset remains: an honest program conforms there too.
#[test]
fn a_sum_that_cancels_keeps_the_errors_of_its_terms() {
    const DIM: usize = 8;
    let convention = Convention { position_offset: "-1000.1".parse().unwrap(), ..Convention::rope(DIM) };
    let rows: Vec<u64> = (995..1006).collect();
    let (mut cos, mut sin) = (Vec::new(), Vec::new());
    for row in &rows {
        for pair in 0..DIM / 2 {
            let omega = 10000f64.powf(-2.0 * pair as f64 / DIM as f64) as f32;
            let angle = (*row as f32 + -1000.1f32) * omega;
            cos.push(angle.cos());
            sin.push(angle.sin());
        }
    }
    let (cos, sin) = (Slice::new("cos", &cos, DIM / 2).unwrap(), Slice::new("sin", &sin, DIM / 2).unwrap());
    let expectation = Expectation::new(convention).at(Positions::list(rows).unwrap());
    let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
    assert!(report.conforms, "{report}");
}

/// 40000 rows along a path, one cosine of pair 5 off by 0.01: within the bound for any path, which that row's position makes wide.
fn one_entry_off(frequency: impl Fn(usize) -> f32, expectation: &Expectation) -> Report {
    let positions = Positions::range(0..40_000).unwrap();
    let part = |name, of: fn((f32, f32)) -> f32, off: f32| {
        Computed::new(name, &positions, 32, |p, row: &mut [f32]| {
            for (k, x) in row.iter_mut().enumerate() {
                *x = of(single(p, frequency(k))) + if (p, k) == (31_234, 5) { off } else { 0.0 };
            }
        })
    };
    let (cos, sin) = (part("cos", |both| both.0, 0.01), part("sin", |both| both.1, 0.0));
    check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation.clone().at(positions.clone())).unwrap()
}

/// Frequencies are those of every row: one entry needs none, and is not excused by a path that the others do not need.
#[test]
fn one_entry_is_of_no_path() {
    let convention = Convention::rope(64);
    let right = |k: usize| 10_000f64.powf(-(k as f64) / 32.0) as f32;
    let poor = |k: usize| off(right(k), if k % 2 == 1 { 4 } else { -4 } * i32::from(k > 0));
    let plain = Expectation::new(convention);
    for (frequency, path) in [(&right as &dyn Fn(usize) -> f32, Path::Rounded), (&poor, Path::Pow)] {
        for expectation in [plain.clone(), plain.clone().along(path)] {
            let report = one_entry_off(frequency, &expectation);
            let [finding] = &report.findings[..] else { panic!("{report}") };
            assert!(matches!(finding.cause, Cause::Apart { entries: 1, .. }), "{report}");
            assert_eq!((report.grade, report.path), (Grade::Wrong, Some(path)), "{report}");
            let region = finding.region.as_ref().unwrap();
            assert_eq!((region.positions, region.pairs.unwrap().first), (Some([31_234, 31_234]), 5), "{report}");
        }
    }
    // Beside frequencies along another path than stated, it is no excuse for them.
    let report = one_entry_off(poor, &plain.along(Path::Rounded));
    assert!(!matches!(report.findings[0].cause, Cause::Path { .. }) && report.grade == Grade::Wrong, "{report}");
}
