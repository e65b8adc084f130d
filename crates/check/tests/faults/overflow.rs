//! Formats of 8 bits that do not saturate: what is beyond the largest number is NaN in E4M3, and infinite in E5M2.

use crate::corpus::{frequencies, judge_rotation, vectors, wiring};
use posproof_check::{Code, Expectation, Report};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use posproof_numerics::narrow::{Overflow, Towards};

const ROWS: usize = 200;

/// Vectors near the end of a format, and what a rotation of them is.
fn rotated(format: Format, convention: &Convention, overflow: Overflow) -> (Vec<f64>, Vec<f64>) {
    let narrow = format.narrow().expect("8 bits");
    let near = narrow.max_finite() / 1.1;
    let x: Vec<f64> = vectors(ROWS * convention.dim, Format::F32).iter().map(|x| near * x).collect();
    let omega = frequencies(convention);
    let mut y = x.clone();
    for (row, (x, y)) in x.chunks_exact(convention.dim).zip(y.chunks_exact_mut(convention.dim)).enumerate() {
        for (k, (a, b)) in wiring(convention.layout, convention.pairs()).into_iter().enumerate() {
            let (sin, cos) = (row as f64 * omega[k]).sin_cos();
            let store = |exact: f64| narrow.round(exact, Towards::Nearest, overflow);
            (y[a], y[b]) = (store(x[a] * cos - x[b] * sin), store(x[b] * cos + x[a] * sin));
        }
    }
    (x, y)
}

fn judged(format: Format, convention: &Convention, (x, y): (&[f64], &[f64])) -> Report {
    let expectation = Expectation::new(convention.clone()).stored_in(format);
    judge_rotation(Format::F32, (x, y), convention.dim, &expectation).expect("a report")
}

#[test]
fn what_overflows_is_said_and_what_does_not_is_refused() {
    for (format, to) in [(Format::E4m3, "NaN"), (Format::E5m2, "infinity")] {
        let convention = Convention { layout: Layout::Halves, ..Convention::rope(64) };
        let (x, y) = rotated(format, &convention, Overflow::Special);
        let report = judged(format, &convention, (&x, &y));
        let special = y.iter().filter(|y| !y.is_finite()).count() as u64;
        let overflow = report.statistics.overflow.expect("an overflow");
        assert!(report.conforms && special > 10 && overflow.entries == special, "{report}");
        let first = y.iter().position(|y| !y.is_finite()).expect("one") / 64;
        assert_eq!(overflow.row, first, "{report}");
        assert!(
            report.to_string().contains(&format!("{special} entries overflowed to {to}, the first in row {first}"))
        );
        // Saturated entries conform as well, and then nothing overflowed.
        let (x, saturated) = rotated(format, &convention, Overflow::Saturate);
        let report = judged(format, &convention, (&x, &saturated));
        assert!(report.conforms && report.statistics.overflow.is_none(), "{report}");
        // Where nothing can overflow, the same codes are a fault.
        let small = (0..y.len()).find(|at| y[*at].abs() < format.max_finite() / 8.0).expect("a small one");
        let mut wrong = y.clone();
        wrong[small] = if format == Format::E4m3 { f64::NAN } else { f64::INFINITY };
        let report = judged(format, &convention, (&x, &wrong));
        assert_eq!((report.first_code(), report.statistics.not_finite), (Some(Code::NotFinite), 1), "{report}");
    }
}
