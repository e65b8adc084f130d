//! Entries whose bounds say nothing: they speak for no hypothesis, and are not said to be as they should be.

use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Cause, Code, Expectation, Slice, Status, Subject, check};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_encoding::convention::Convention;
use posproof_table::Positions;

const ROWS: usize = 256;
const PAIRS: usize = 16;

/// Two axes of eight pairs each, whose frequencies are those of their pairs.
fn law() -> AxialLaw {
    let json = r#"{"encoding": "rope", "dim": 32, "layout": "halves", "axes": [
        {"name": "h", "pairs": "0..8", "index": "pairs"}, {"name": "w", "pairs": "8..16", "index": "pairs"}]}"#;
    serde_json::from_str::<AxialConvention>(json).unwrap().law(|_| Err("none".into())).unwrap()
}

/// A phase that looks random, of an entry.
fn phase(at: usize) -> f64 {
    (at as f64 * 0.618_033_988_749_895).fract().mul_add(40.0, (at as f64).sqrt()) % std::f64::consts::TAU
}

/// Cosines and sines of angles.
fn cache(angle: impl Fn(usize, usize) -> f64) -> [Vec<f32>; 2] {
    let all: Vec<f64> = (0..ROWS * PAIRS).map(|i| angle(i / PAIRS, i % PAIRS)).collect();
    [all.iter().map(|x| x.cos() as f32).collect(), all.iter().map(|x| x.sin() as f32).collect()]
}

fn omega(pair: usize) -> f64 {
    10000f64.powf(-(pair as f64) / PAIRS as f64)
}

/// Phases of no law, in one axis: with reciprocal frequencies the bounds of nearly all of them would say nothing. At positions up to
/// 16384 that was called the cause.
#[test]
fn a_law_whose_bounds_say_nothing_explains_nothing() {
    let law = law();
    for step in [1, 64] {
        let rows: String = (0..ROWS).map(|row| format!("{} {}\n", row * step, row * step + 7)).collect();
        let rows: Coordinates = rows.parse().unwrap();
        let [cos, sin] = cache(|row, pair| match pair {
            0..8 => (row * step) as f64 * omega(pair),
            _ => phase(row * PAIRS + pair),
        });
        let (cos, sin) = (Slice::new("cos", &cos, PAIRS).unwrap(), Slice::new("sin", &sin, PAIRS).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check_axes(subject, &AxialExpectation::new(&law, &rows)).unwrap();
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert!((finding.code(), finding.status) == (Code::Unexplained, Status::Unexplained), "{report}");
        assert!(report.mend.is_none() && report.found.is_none(), "{report}");
    }
}

/// At positions so large that most angles are unknown, noise is not a few wrong entries among right ones; and where a few are wrong, the
/// others that are right are those that were judged.
#[test]
fn entries_that_say_nothing_are_not_as_they_should_be() {
    let law = law();
    for (scale, wrong) in [(1_000_000, 1), (1_000_000, 37), (20_000, 1), (20_000, 37)] {
        let [cos, sin] = cache(|row, pair| {
            let right = (row * scale) as f64 * omega(pair);
            if (row * PAIRS + pair).is_multiple_of(wrong) { phase(row * PAIRS + pair) } else { right }
        });
        let (cos, sin) = (Slice::new("cos", &cos, PAIRS).unwrap(), Slice::new("sin", &sin, PAIRS).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let positions = Positions::list((0..ROWS).map(|row| (row * scale) as u64)).unwrap();
        let rows: String = (0..ROWS).map(|row| format!("{0} {0}\n", row * scale)).collect();
        let (halves, rows): (_, Coordinates) = (law.convention().layout.plain().unwrap(), rows.parse().unwrap());
        let one = Convention { layout: halves, ..Convention::rope(32) };
        let expected = Expectation { positions: Some(positions), ..Expectation::new(one) };
        let one = check(subject, &expected).unwrap();
        let two = check_axes(subject, &AxialExpectation::new(&law, &rows)).unwrap();
        // One row earlier the axes have coordinates of their own.
        let apart: String = (0..ROWS).map(|row| format!("{} {}\n", row * scale, (row + 1) % ROWS * scale)).collect();
        let [cos, sin] = cache(|row, pair| {
            let place = if pair < 8 { row } else { (row + 1) % ROWS };
            let right = (place * scale) as f64 * omega(pair);
            if (row * PAIRS + pair).is_multiple_of(wrong) { phase(row * PAIRS + pair) } else { right }
        });
        let (cos, sin) = (Slice::new("cos", &cos, PAIRS).unwrap(), Slice::new("sin", &sin, PAIRS).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let apart = check_axes(subject, &AxialExpectation::new(&law, &apart.parse().unwrap())).unwrap();
        let judgements = [
            (one.to_string(), one.findings, one.information, one.entries, true),
            (two.to_string(), two.findings, two.information, two.entries, true),
            // Each axis is judged along a path of its own, whose bounds may say something where those of all say nothing.
            (apart.to_string(), apart.findings, apart.information, apart.entries, false),
        ];
        for (text, findings, information, entries, of_all) in judgements {
            let speak = entries - information.uninformative;
            assert!(
                !findings.is_empty() && (wrong > 1 || scale < 1_000_000 || information.uninformative > 0),
                "{text}"
            );
            for finding in &findings {
                assert!(wrong > 1 || finding.code() != Code::Local, "{text}");
                if let (Cause::Apart { entries, others, .. }, true) = (&finding.cause, of_all) {
                    assert!(entries + others <= speak && 4 * entries < speak, "{text}");
                }
            }
        }
    }
}
