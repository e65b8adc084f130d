//! Where wrong numbers come from, and the rules that wrong positions follow.

use crate::corpus::{frequencies, judge_cache, judge_table};
use posproof_check::faults::{PartCause, PositionRule};
use posproof_check::{Cause, Code, Confidence, Expectation, Report, Slice, Status, Subject, check, identify};
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::format::Format;
use std::f64::consts::TAU;

/// A cache with the given angles, in binary32.
fn judged(convention: &Convention, rows: usize, angle: impl Fn(f64, usize) -> f64) -> Report {
    let pairs = convention.pairs();
    let angles: Vec<f64> = (0..rows * pairs).map(|i| angle((i / pairs) as f64, i % pairs)).collect();
    let (cos, sin): (Vec<f64>, Vec<f64>) = angles.iter().map(|angle| (angle.cos(), angle.sin())).unzip();
    judge_cache(Format::F32, (&cos, &sin), pairs, &Expectation::new(convention.clone())).unwrap()
}

/// The angle of a position and a pair.
type Angle<'a> = &'a dyn Fn(f64, usize) -> f64;

fn only(report: &Report) -> (Code, &'static str, &Cause) {
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((finding.explains.entries, finding.status), (finding.explains.of, Status::Confirmed), "{report}");
    (finding.code(), finding.fault.name, &finding.cause)
}

#[test]
fn wrong_frequencies_are_told_by_what_was_computed() {
    for (base, dim) in [(10_000i32, 64), (500_000, 128), (1_000_000, 64)] {
        let convention = Convention { base: i64::from(base).into(), ..Convention::rope(dim) };
        let power = |exponent: f64| f64::from(base).powf(-exponent / dim as f64);
        let laws: [(&str, Angle<'_>); 5] = [
            ("exponents-from-minus-one", &|p, k| p * power(2.0 * (k as f64 - 1.0))),
            ("exponent-doubled", &|p, k| p * power(4.0 * k as f64)),
            ("angles-in-turns", &|p, k| p * TAU * power(2.0 * k as f64)),
            ("angles-over-turns", &|p, k| p / TAU * power(2.0 * k as f64)),
            ("quotient-raised", &|p, k| (p / f64::from(base)).powf(2.0 * k as f64 / dim as f64)),
        ];
        for (name, angle) in laws {
            for rows in [256, 2048] {
                let report = judged(&convention, rows, angle);
                assert_eq!(only(&report).1, name, "base {base}, {rows} rows\n{report}");
            }
        }
    }
    // A cache of these holds half as many frequencies; a table shows them.
    let power = |exponent: f64| 10_000f64.powf(-exponent / 64.0);
    let twice: [Angle<'_>; 4] = [
        &|p, k| p * power(2.0 * (k / 2) as f64),
        &|p, k| p * power(4.0 * (k / 2) as f64),
        &|p, k| p * power(2.0 * (k % 16) as f64),
        &|p, k| p * power(4.0 * (k % 16) as f64),
    ];
    for angle in twice {
        let entry = |i: usize| {
            let angle = angle((i / 64) as f64, i % 64 / 2);
            if i.is_multiple_of(2) { angle.sin() } else { angle.cos() }
        };
        let table: Vec<f64> = (0..512 * 64).map(entry).collect();
        let report = judge_table(Format::F32, &table, 64, &Expectation::new(Convention::sinusoid(64))).unwrap();
        assert_eq!(only(&report).1, "each-frequency-twice", "{report}");
    }
    let convention = Convention { base: 10_000_000_000i64.into(), ..Convention::rope(128) };
    let report = judged(&convention, 4096, |p, k| p * 1_410_065_408f64.powf(-(k as f64) / 64.0));
    assert_eq!(only(&report).1, "base-of-32-bits", "{report}");
    let report = judged(&Convention::rope(64), 256, |p, k| p / 0f64.powf(k as f64 / 32.0));
    assert_eq!(report.findings[0].fault.name, "infinite-frequencies", "{report}");
}

#[test]
fn wrong_positions_are_told_by_their_rule() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    let rule = |map: &dyn Fn(f64) -> f64, rows| judged(&convention, rows, |p, k| map(p) * omega[k]);
    for rows in [64, 512, 4096] {
        for by in [2u64, 4, 8] {
            let report = rule(&|p| (p / by as f64).floor(), rows);
            assert_eq!(
                (only(&report).0, only(&report).2),
                (Code::Positions, &PositionRule::Divided { by }.into()),
                "{report}"
            );
        }
        let report = rule(&|p| 2.0 * p - 1.0, rows);
        let expected: Cause = PositionRule::Affine { from: None, by: 2.0, plus: -1.0 }.into();
        assert_eq!((only(&report).0, only(&report).2), (Code::Positions, &expected), "{report}");
    }
    // Sequences that are packed into one.
    let starts = [0.0, 100.0, 137.0, 350.0];
    let report = rule(&|p| p - starts.iter().copied().filter(|start| *start <= p).fold(0.0, f64::max), 512);
    let expected: Cause = PositionRule::Restarts { runs: 4, first: 0.0, second: 100 }.into();
    assert_eq!((only(&report).0, only(&report).2), (Code::Positions, &expected), "{report}");
}

/// Rows at positions of their own, beside a few with entries that are wrong by themselves.
#[test]
fn rows_at_other_positions_are_told_beside_wrong_entries() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    let packed = |p: f64| p - if p >= 350.0 { 350.0 } else { 137.0 * f64::from(p >= 137.0) };
    let chunks = |p: f64| f64::from(p as u32 ^ 256);
    let positions: [(&str, &dyn Fn(f64) -> f64); 2] = [("restarted", &packed), ("chunks-exchanged", &chunks)];
    for (name, position) in positions {
        for wrong in [&[(200.0, 3)][..], &[(20.0, 7)], &[(140.0, 31), (300.0, 0), (500.0, 12)]] {
            let report = judged(&convention, 512, |p, k| {
                position(p) * omega[k] + if wrong.contains(&(p, k)) { 0.3 } else { 0.0 }
            });
            let told: Vec<(&str, Status)> =
                report.findings.iter().map(|finding| (finding.fault.name, finding.status)).collect();
            assert_eq!(told, [(name, Status::Confirmed), ("local", Status::Confirmed)], "{wrong:?} {report}");
            let explained: u64 = report.findings.iter().map(|finding| finding.explains.entries).sum();
            assert_eq!(explained, report.statistics.exceeding, "{wrong:?} {report}");
        }
    }
}

/// A position that is larger than its own is not clamped.
#[test]
fn a_last_row_further_on_is_not_clamped() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    let report = judged(&convention, 256, |p, k| (if p == 255.0 { 5000.0 } else { p }) * omega[k]);
    assert_ne!(only(&report).0, Code::ClampedPositions, "{report}");
    assert!(report.findings[0].to_string().contains("position 255 is encoded as 5000"), "{report}");
}

/// A convention that `identify` establishes is accepted by `check`: periods from 1 ms to 4 s, log-spaced, in positions of a millisecond or more.
#[test]
fn what_is_established_conforms() {
    for (least, most, step) in
        [(1e-3, 4.0, 1.0), (1e-3, 4.0, 1e-3), (0.5, 40.0, 1.0), (2.0, 9000.0, 1.0), (1e-2, 10.0, 0.1)]
    {
        let pairs = 32;
        let period = |k: usize| least * f64::powf(most / least, k as f64 / (pairs - 1) as f64);
        let entries = |of: fn(f64) -> f64| -> Vec<f32> {
            (0..512 * pairs).map(|i| of((i / pairs) as f64 * step * TAU / period(i % pairs)) as f32).collect()
        };
        let (cos, sin) = (entries(f64::cos), entries(f64::sin));
        let (cos, sin) = (Slice::new("cos", &cos, pairs).unwrap(), Slice::new("sin", &sin, pairs).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let found = identify(subject, None).unwrap();
        if found.confidence != Confidence::Established {
            continue;
        }
        let mut expectation = Expectation::new(found.convention.clone().expect("a convention"));
        expectation.compute = found.compute.unwrap_or(Format::F32);
        let report = check(subject, &expectation).unwrap();
        assert!(report.conforms, "{least} {most} {step}: {found}\n{report}");
    }
}

/// Cosines right, sines of another base or row, and the reverse; two pairs exchanged.
#[test]
fn one_component_may_have_a_base_or_a_row_of_its_own() {
    let convention = Convention::rope(64);
    let judged = |cos: Angle<'_>, sin: Angle<'_>, rows: usize| {
        let angles =
            |angle: Angle<'_>| -> Vec<f64> { (0..rows * 32).map(|i| angle((i / 32) as f64, i % 32)).collect() };
        let cos: Vec<f64> = angles(cos).into_iter().map(f64::cos).collect();
        let sin: Vec<f64> = angles(sin).into_iter().map(f64::sin).collect();
        judge_cache(Format::F32, (&cos, &sin), 32, &Expectation::new(convention.clone())).unwrap()
    };
    let own: Angle<'_> = &|p, k| p * 10_000f64.powf(-(k as f64) / 32.0);
    for rows in [64, 512, 4096] {
        for base in [1000i64, 500_000, 1_000_000] {
            let other: Angle<'_> = &|p, k| p * (base as f64).powf(-(k as f64) / 32.0);
            for component in [Component::Sin, Component::Cos] {
                let (cos, sin) = if component == Component::Sin { (own, other) } else { (other, own) };
                let report = judged(cos, sin, rows);
                let expected = PartCause::Base { component, found: base.into(), expected: 10_000.into() };
                assert_eq!((only(&report).0, only(&report).2), (Code::OtherBase, &expected.into()), "{report}");
            }
        }
        for by in [1.0, -1.0, 3.0] {
            let other: Angle<'_> = &|p, k| own(p + by, k);
            for component in [Component::Sin, Component::Cos] {
                let (cos, sin) = if component == Component::Sin { (own, other) } else { (other, own) };
                let report = judged(cos, sin, rows);
                let expected = PartCause::Shifted { component, by };
                assert_eq!((only(&report).0, only(&report).2), (Code::PositionOffset, &expected.into()), "{report}");
            }
        }
        let exchanged: Angle<'_> = &|p, k| {
            own(
                p,
                if k == 3 {
                    9
                } else if k == 9 {
                    3
                } else {
                    k
                },
            )
        };
        let report = judged(exchanged, exchanged, rows);
        assert_eq!(only(&report).2, &PartCause::Exchanged { pairs: [3, 9] }.into(), "{report}");
    }
}

/// Sequences that are packed, or chunks in another order, further apart than the slowest pair turns.
#[test]
fn rows_far_from_their_own_positions_are_told() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    let began = |row: usize| {
        if row < 30_000 {
            0
        } else if row < 80_000 {
            30_000
        } else {
            80_000
        }
    };
    let report = judged(&convention, 131_072, |row, pair| (row - began(row as usize) as f64) * omega[pair]);
    assert_eq!(only(&report).1, "restarted", "{report}");
    let report = judged(&convention, 131_072, |row, pair| (row as usize ^ 65_536) as f64 * omega[pair]);
    assert_eq!(only(&report).1, "chunks-exchanged", "{report}");
}
