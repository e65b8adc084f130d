//! Numbers with few digits, tables of few angles, and rows that are made of rows: what is said of them is what was done.

use crate::corpus::frequencies;
use crate::told::{cache, only, right};
use posproof_check::faults::{PrecisionCause, RoundingMode};
use posproof_check::{Cause, Code, Grade, Report, Status};
use posproof_encoding::convention::Convention;
use std::f64::consts::TAU;

const ROWS: usize = 4096;

/// The convention, and a right program of it.
fn promised() -> (Convention, Vec<f64>) {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    (convention, omega)
}

/// The figures of the only finding, which explains everything.
fn figures(report: &Report, code: Code) -> PrecisionCause {
    let (found, status, cause) = only(report);
    assert_eq!((found, status, report.grade), (code, Status::Confirmed, Grade::Degraded), "{report}");
    let Cause::Precision(cause) = cause else { panic!("{report}") };
    *cause
}

#[test]
fn entries_that_are_multiples_of_a_step() {
    let (convention, omega) = promised();
    let entry = right(&omega);
    let nearest = |x: f64, parts: f64| (x * parts).round() / parts;
    // Integers of 8 and 16 bits end before 1, where the step is a power of two.
    let saturated = |x: f64, parts: f64| (x * parts).round().clamp(-parts, parts - 1.0) / parts;
    let stored = |parts: f64, rounding: Option<RoundingMode>, store: &dyn Fn(f64, f64) -> f64| {
        let report = cache(&convention, ROWS, &|p, k| {
            let (cos, sin) = entry(p as f64, k);
            (store(cos, parts), store(sin, parts))
        });
        let step = PrecisionCause::Steps { step: 1.0 / parts, rounding };
        assert_eq!(figures(&report, Code::LowPrecisionStorage), step, "{report}");
        report.mend.map(|mend| mend.to_string())
    };
    for parts in [127.0, 255.0, 32767.0, 32768.0, 100.0, 1e4, 1e5] {
        let mend = stored(parts, None, &nearest);
        assert!(mend.is_some_and(|mend| mend.contains("--step")), "1/{parts}");
    }
    for parts in [128.0, 32768.0] {
        // No statement says the end.
        assert_eq!(stored(parts, None, &saturated), None, "1/{parts}");
    }
    stored(32767.0, Some(RoundingMode::TowardZero), &|x, parts| (x * parts).trunc() / parts);
    stored(128.0, Some(RoundingMode::Downward), &|x, parts| (x * parts).floor() / parts);
    // Any step, as that of a tensor with another largest entry.
    let (parts, step) = (127.0 / 1.3, 1.3 / 127.0);
    let report = cache(&convention, ROWS, &|p, k| {
        let (cos, sin) = entry(p as f64, k);
        (nearest(cos, parts), nearest(sin, parts))
    });
    let PrecisionCause::Steps { step: found, .. } = figures(&report, Code::LowPrecisionStorage) else {
        panic!("{report}")
    };
    assert!((found - step).abs() < 1e-6 * step && report.mend.is_some(), "{report}");
    // Another base is told besides.
    let other = frequencies(&Convention { base: 12_000.into(), ..convention.clone() });
    let entry = right(&other);
    let report = cache(&convention, ROWS, &|p, k| {
        let (cos, sin) = entry(p as f64, k);
        (nearest(cos, 127.0), nearest(sin, 127.0))
    });
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
    assert_eq!(codes, [Code::LowPrecisionStorage, Code::OtherBase], "{report}");
}

#[test]
fn angles_of_a_table() {
    let (convention, omega) = promised();
    let round: [&dyn Fn(f64) -> f64; 2] = [&f64::round, &f64::floor];
    for (parts, down) in
        [(64, false), (256, false), (360, true), (777, false), (1024, true), (4096, false), (8192, true)]
    {
        let step = TAU / f64::from(parts);
        let report = cache(&convention, ROWS, &|p, k| {
            let angle = step * round[usize::from(down)](p as f64 * omega[k] / step);
            (angle.cos(), angle.sin())
        });
        let figures = figures(&report, Code::LowPrecisionTrigonometry);
        assert_eq!(figures, PrecisionCause::Turns { parts, down }, "{report}");
    }
}

#[test]
fn frequencies_with_few_digits() {
    let (convention, omega) = promised();
    let printed = |digits: usize| move |x: f64| format!("{x:.digits$}").parse::<f64>().unwrap();
    let significant = |x: f64| format!("{x:.2e}").parse::<f64>().unwrap();
    let binary = |x: f64| (x * 65536.0).round() / 65536.0;
    let decimals = |digits: u32| PrecisionCause::Decimals { digits, base: 10 };
    let ways: [(&dyn Fn(f64) -> f64, PrecisionCause); 4] = [
        (&printed(4), decimals(4)),
        (&printed(6), decimals(6)),
        (&significant, PrecisionCause::Significant { digits: 3 }),
        (&binary, PrecisionCause::Decimals { digits: 16, base: 2 }),
    ];
    for (round, expected) in ways {
        let rounded: Vec<f64> = omega.iter().map(|omega| round(*omega)).collect();
        let entry = right(&rounded);
        let report = cache(&convention, ROWS, &|p, k| entry(p as f64, k));
        assert_eq!(figures(&report, Code::LowPrecisionFrequencies), expected, "{report}");
    }
}

/// A table of angles that are added up in binary32, and one of cosines and sines that are turned row by row.
#[test]
fn rows_that_are_made_of_the_rows_before() {
    let (convention, omega) = promised();
    let pairs = omega.len();
    let mut angles = vec![0f32; pairs];
    let mut phasors = vec![(1f32, 0f32); pairs];
    let (mut summed, mut turned) = (Vec::new(), Vec::new());
    for _ in 0..ROWS {
        summed.extend(angles.iter().map(|angle| f64::from(*angle).sin_cos()).map(|(sin, cos)| (cos, sin)));
        turned.extend(phasors.iter().map(|(cos, sin)| (f64::from(*cos), f64::from(*sin))));
        for (pair, omega) in omega.iter().map(|omega| *omega as f32).enumerate() {
            angles[pair] += omega;
            let ((cos, sin), (c, s)) = (phasors[pair], (f64::from(omega).cos() as f32, f64::from(omega).sin() as f32));
            phasors[pair] = (cos * c - sin * s, cos * s + sin * c);
        }
    }
    for rows in [&summed, &turned] {
        let report = cache(&convention, ROWS, &|p, k| rows[p * pairs + k]);
        assert_eq!(figures(&report, Code::LowPrecisionAngles), PrecisionCause::Summed, "{report}");
        // Rows from one on that are turned a little more are not.
        let report = cache(&convention, ROWS, &|p, k| {
            let (cos, sin) = rows[p * pairs + k];
            let (more, from) = (0.01f64, p > 2000);
            if from { (cos * more.cos() - sin * more.sin(), sin * more.cos() + cos * more.sin()) } else { (cos, sin) }
        });
        assert!(report.findings.iter().all(|finding| finding.code() != Code::LowPrecisionAngles), "{report}");
    }
}

#[test]
fn positions_in_integers_of_few_bits() {
    let (convention, omega) = promised();
    let entry = right(&omega);
    let report = cache(&convention, ROWS, &|p, k| entry(f64::from(p as u8 as i8), k));
    assert!(report.to_string().contains("as integers of 8 bits with a sign do"), "{report}");
}
