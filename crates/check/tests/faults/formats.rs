//! Rotations computed in the formats of models, whose errors are a hundredth of a product: what is wrong has one name in all of them.

use crate::corpus::{frequencies, vectors};
use crate::heads::Heads;
use posproof_check::faults::{PositionRule, ProductsCause};
use posproof_check::{Cause, Code, Expectation, Report, Status, Subject, check};
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_numerics::format::Format;

const DIM: usize = 64;
const HALF: usize = DIM / 2;
const FORMATS: [Format; 3] = [Format::F32, Format::F16, Format::Bf16];

/// An entry that is made of a vector, the rotated one, the number of the vector and that of the entry.
type Entry<'a> = &'a dyn Fn(&[f64], &[f64], [usize; 2]) -> f64;

/// Three tables of a rotation in a format, each product rounded with its factor: of x₁·cos, −x₂·sin, x₁·sin and x₂·cos.
fn rotated((format, rows): (Format, usize), by: &dyn Fn(usize) -> [f64; 4], after: Entry<'_>) -> Report {
    let convention = Convention { layout: Layout::Halves, ..Convention::rope(DIM) };
    let omega = frequencies(&convention);
    let round = |x: f64| format.round(x);
    let x = vectors(3 * rows * DIM, format);
    let mut y = x.clone();
    for (number, (x, y)) in x.chunks_exact(DIM).zip(y.chunks_exact_mut(DIM)).enumerate() {
        let mut z = x.to_vec();
        for k in 0..HALF {
            let (sin, cos) = ((number % rows) as f64 * omega[k]).sin_cos();
            let (a, b, [p, q, r, s]) = (x[k], x[k + HALF], by(k));
            z[k] = round(round(p * a * round(cos)) - round(q * b * round(sin)));
            z[k + HALF] = round(round(r * a * round(sin)) + round(s * b * round(cos)));
        }
        y.iter_mut().enumerate().for_each(|(j, y)| *y = round(after(x, &z, [number, j])));
    }
    let shape = [3, rows, DIM];
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format });
    check(Subject::Rotation { x: &x, y: &y }, &Expectation::new(convention)).unwrap()
}

fn plain(_: &[f64], z: &[f64], [_, j]: [usize; 2]) -> f64 {
    z[j]
}

fn only(report: &Report) -> (Code, &Cause) {
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((finding.explains.entries, finding.status), (finding.explains.of, Status::Confirmed), "{report}");
    (finding.code(), &finding.cause)
}

/// The factors of the products that a cause says.
fn factors(cause: &Cause) -> Option<[f64; 4]> {
    match cause {
        Cause::Products(ProductsCause::Product { second, component, by }) => {
            let mut all = [1.0; 4];
            all[2 * usize::from(*second) + usize::from(*second == (*component == Component::Cos))] = *by;
            Some(all)
        }
        Cause::Products(ProductsCause::Gains { entries }) => {
            let [first, second] = *entries.first().filter(|first| entries.iter().all(|pair| pair == *first))?;
            Some([first, first, second, second])
        }
        _ => None,
    }
}

#[test]
fn signs_and_factors_of_products_are_told() {
    for (format, rows) in FORMATS.into_iter().flat_map(|format| [(format, 24), (format, 300)]) {
        for by in [
            [1.0, -1.0, 1.0, 1.0],
            [1.0, 1.0, -0.9, 1.0],
            [1.0, 1.0, 1.0, -1.0],
            [1.0, 1.0, -1.0, -1.0],
            [-1.0, -1.0, 1.0, 1.0],
        ] {
            let report = rotated((format, rows), &|_| by, &plain);
            let (code, cause) = only(&report);
            assert_eq!((code, factors(cause)), (Code::NotARotation, Some(by)), "{format:?} {rows}\n{report}");
            if by[0] == by[1] && by[2] == by[3] {
                let entry = if by[0] < 0.0 { "first" } else { "second" };
                let sign = format!("the {entry} entry of every pair has the wrong sign: the products");
                assert!(report.to_string().contains(&sign), "{report}");
            }
        }
    }
}

#[test]
fn weights_of_entries_are_told() {
    let weight = |column: usize| 0.75 + 0.0078125 * column as f64;
    for (format, rows) in FORMATS.into_iter().flat_map(|format| [(format, 24), (format, 300)]) {
        let report = rotated((format, rows), &|_| [1.0; 4], &|_, z, [_, j]| weight(j) * z[j]);
        let Cause::Products(ProductsCause::Gains { entries }) = only(&report).1 else { panic!("{report}") };
        // Bounds of binary32 are of angles, which have larger errors than entries.
        let open = (16.0 * format.unit_roundoff()).max(2f64.powi(-15));
        let near = |found: f64, column: usize| (found - weight(column)).abs() <= open;
        for (k, pair) in entries.iter().enumerate() {
            assert!(near(pair[0], k) && near(pair[1], k + HALF), "{format:?} {rows} {k} {pair:?}");
        }
    }
}

#[test]
fn an_entry_of_each_pair_that_is_not_written_is_told() {
    for (format, rows) in FORMATS.into_iter().flat_map(|format| [(format, 40), (format, 512)]) {
        for second in [false, true] {
            let kept = |x: &[f64], z: &[f64], [_, j]: [usize; 2]| if (j >= HALF) == second { x[j] } else { z[j] };
            let report = rotated((format, rows), &|_| [1.0; 4], &kept);
            assert_eq!(only(&report).1, &ProductsCause::Kept { second }.into(), "{format:?} {rows}\n{report}");
        }
    }
}

/// Heads that are counted as rows, and heads whose positions go on.
#[test]
fn tables_that_are_counted_as_rows_are_told() {
    let convention = Convention { layout: Layout::Halves, ..Convention::rope(DIM) };
    let (rows, omega) = (96, frequencies(&convention));
    for format in FORMATS {
        for by in [1, rows] {
            let x = vectors(3 * rows * DIM, format);
            let mut y = x.clone();
            for (number, (x, y)) in x.chunks_exact(DIM).zip(y.chunks_exact_mut(DIM)).enumerate() {
                for (k, omega) in omega.iter().enumerate() {
                    let (sin, cos) = ((number % rows + by * (number / rows)) as f64 * omega).sin_cos();
                    let (a, b) = (x[k], x[k + HALF]);
                    (y[k], y[k + HALF]) = (format.round(a * cos - b * sin), format.round(a * sin + b * cos));
                }
            }
            let shape = [3, rows, DIM];
            let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format });
            let report = check(Subject::Rotation { x: &x, y: &y }, &Expectation::new(convention.clone())).unwrap();
            let rule = PositionRule::Counted { by: by as f64, axis: None };
            assert_eq!(only(&report), (Code::PositionOffset, &rule.into()), "{format:?}\n{report}");
        }
    }
}

/// A constant besides, lengths that are made equal, which is a norm, and entries that are dropped: nothing is said of repeated rotations or
/// of a matrix.
#[test]
fn differences_with_a_pattern_are_no_roundings() {
    let constant = |_: &[f64], z: &[f64], [_, j]: [usize; 2]| z[j] + 0.1;
    let equal = |_: &[f64], z: &[f64], [_, j]: [usize; 2]| 4.0 * z[j] / z.iter().map(|z| z * z).sum::<f64>().sqrt();
    let dropped = |_: &[f64], z: &[f64], [number, j]: [usize; 2]| {
        if (7 * number + 5 * j).is_multiple_of(9) { 0.0 } else { z[j] / 0.9 }
    };
    let patterns: [Entry<'_>; 3] = [&constant, &equal, &dropped];
    for (format, rows) in FORMATS.into_iter().flat_map(|format| [(format, 40), (format, 512)]) {
        for (number, pattern) in patterns.into_iter().enumerate() {
            let report = rotated((format, rows), &|_| [1.0; 4], pattern);
            let [finding] = &report.findings[..] else { panic!("{report}") };
            let lengths = matches!(finding.cause, Cause::Lengths { .. });
            let norm = matches!(finding.cause, Cause::Products(ProductsCause::Normalised { .. }));
            let told = if number == 1 { norm } else { lengths && finding.status == Status::Unexplained };
            assert!(told, "{format:?} {rows} {number}\n{report}");
        }
    }
}
