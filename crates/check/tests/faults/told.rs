//! Faults of a part that have a law of their own, and faults of rotations: what is said of them is what was done.

use crate::corpus::{frequencies, sparse};
use crate::everywhere::{faulty, named};
use crate::heads::{Heads, rotation};
use crate::specimen::{Kind, Setting};
use posproof_check::faults::Promised;
use posproof_check::{Cause, Code, Expectation, Report, Slice, Status, Subject, check};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;

/// Cosines and sines of a position and a pair.
pub type Entry<'a> = &'a dyn Fn(usize, usize) -> (f64, f64);

pub fn cache(convention: &Convention, rows: usize, entry: Entry<'_>) -> Report {
    stored(convention, rows, Format::F32, entry)
}

/// A cache that should have the entries of a format.
pub fn stored(convention: &Convention, rows: usize, format: Format, entry: Entry<'_>) -> Report {
    let pairs = convention.pairs();
    let both: Vec<(f64, f64)> = (0..rows * pairs).map(|i| entry(i / pairs, i % pairs)).collect();
    let cos: Vec<f32> = both.iter().map(|both| both.0 as f32).collect();
    let sin: Vec<f32> = both.iter().map(|both| both.1 as f32).collect();
    let (cos, sin) = (Slice::new("cos", &cos, pairs).unwrap(), Slice::new("sin", &sin, pairs).unwrap());
    let expected = Expectation { storage: Some(format), ..Expectation::new(convention.clone()) };
    check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expected).unwrap()
}

/// A right program in binary32.
pub fn right(omega: &[f64]) -> impl Fn(f64, usize) -> (f64, f64) + '_ {
    move |t, k| {
        let angle = f64::from((t * f64::from(omega[k] as f32)) as f32);
        (angle.cos(), angle.sin())
    }
}

pub fn only(report: &Report) -> (Code, Status, &Cause) {
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
    (finding.code(), finding.status, &finding.cause)
}

#[test]
fn parts_with_a_law_of_their_own() {
    let convention = Convention { base: 500_000.into(), ..Convention::rope(128) };
    let omega = frequencies(&convention);
    let entry = right(&omega);
    let rows = 10_000;

    let report = cache(&convention, rows, &|p, k| entry(if p < 8192 { p as f64 } else { p as f64 / 2.0 }, k));
    assert!(
        matches!(only(&report), (Code::PositionScale, Status::Confirmed, Cause::ScaledFrom { from: 8192, .. })),
        "{report}"
    );

    let report =
        cache(&convention, rows, &|p, k| if k == 63 { entry(p as f64 * 1.001, k) } else { entry(p as f64, k) });
    assert!(
        matches!(only(&report), (Code::Local, Status::Confirmed, Cause::PairFrequency { pair: 63, .. })),
        "{report}"
    );

    let report = cache(&convention, rows, &|p, k| {
        let (cos, sin) = entry(p as f64, k);
        (cos, if p == 4321 { 0.0 } else { sin })
    });
    assert!(matches!(only(&report), (Code::Local, Status::Confirmed, Cause::Zero)), "{report}");
    assert_eq!(report.findings[0].region.as_ref().unwrap().positions, Some([4321, 4321]), "{report}");

    let report = cache(&convention, rows, &|p, k| {
        let (cos, sin) = entry(p as f64, k);
        (1.000_001 * cos, 1.000_001 * sin)
    });
    assert!(matches!(only(&report), (Code::Amplitude, Status::Confirmed, _)), "{report}");

    let report = cache(&convention, rows, &|p, k| {
        let (cos, sin) = entry(p as f64, k);
        (if (p, k) == (5000, 7) { cos + 0.25 } else { cos }, sin)
    });
    assert!(matches!(only(&report), (Code::Local, Status::Confirmed, Cause::Apart { entries: 1, .. })), "{report}");
}

#[test]
fn rotations_that_are_wrong_in_a_head_or_by_their_cache() {
    let dim = 32;
    let convention = Convention { layout: Layout::Halves, ..Convention::rope(dim) };
    let omega = frequencies(&convention);
    let half = dim / 2;
    let halves = |t: f64, sense: f64, x: &[f64]| -> Vec<f64> {
        let mut y = x.to_vec();
        for k in 0..half {
            let (sin, cos) = (sense * t * omega[k]).sin_cos();
            (y[k], y[k + half]) = (x[k] * cos - x[k + half] * sin, x[k] * sin + x[k + half] * cos);
        }
        y
    };
    let heads = [4, 300, dim];
    let place = |report: &Report| {
        let region = report.findings[0].region.clone().unwrap();
        (region.heads.first, region.heads.last)
    };

    let report = rotation(&convention, heads, &|h, p, x| halves(p as f64, if h == 2 { -1.0 } else { 1.0 }, x));
    assert_eq!((only(&report).0, place(&report)), (Code::Direction, (2, 2)), "{report}");
    assert!(report.to_string().contains("head 2 of 4"), "{report}");

    let report = rotation(&convention, heads, &|h, p, x| if h == 1 { x.to_vec() } else { halves(p as f64, 1.0, x) });
    assert_eq!((only(&report).0, place(&report)), (Code::NoRotation, (1, 1)), "{report}");

    let report = rotation(&convention, heads, &|_, _, x| x.to_vec());
    assert_eq!(only(&report).0, Code::NoRotation, "{report}");

    let scale = 1.0 / (dim as f64).sqrt();
    let report = rotation(&convention, heads, &|_, p, x| halves(p as f64, 1.0, x).iter().map(|y| y * scale).collect());
    assert_eq!(only(&report).0, Code::SoftmaxScale, "{report}");

    // c₀ c₀ c₁ c₁ … with pairs (k, k + 16).
    let report = rotation(&convention, heads, &|_, p, x| {
        let part = |j: usize| (p as f64 * omega[j / 2]).sin_cos();
        (0..dim)
            .map(|j| {
                let (sin, cos) = part(j);
                if j < half { x[j] * cos - x[j + half] * sin } else { x[j] * cos + x[j - half] * sin }
            })
            .collect()
    });
    assert!(matches!(only(&report), (Code::Duplication, _, Cause::Mixture { repeated: true, .. })), "{report}");

    // [positions, heads, dim] in place of [heads, positions, dim].
    let report = rotation(&convention, [300, 4, dim], &|p, _, x| halves(p as f64, 1.0, x));
    assert_eq!(only(&report).0, Code::Shape, "{report}");
}

/// Where no row shows the first wrong position, the sentence says between which two it lies.
#[test]
fn a_beginning_that_no_row_shows_lies_between_two_positions() {
    let sentence = |positions: Vec<u64>| {
        let setting = Setting { name: "two stretches", positions, format: Format::F32, heads: 1 };
        let specimen = faulty(Kind::Cache, named("clamped at 255").1, &Convention::rope(64), &setting);
        let report = specimen.check();
        assert_eq!(only(&report).0, Code::ClampedPositions, "{report}");
        report.findings[0].to_string()
    };
    let unknown = sentence((0..200).chain(300..500).collect());
    assert!(
        unknown.starts_with("from a position between 200 and 300 on every row is that of position 255"),
        "{unknown}"
    );
    let known = sentence((0..500).collect());
    assert!(known.starts_with("from position 256 on every row is that of position 255"), "{known}");
}

/// Rows that were cached token by token have the base of their own lengths, not a base that is wrong.
#[test]
fn dynamic_scaling_for_each_token_is_named() {
    let case = named("dynamic for each token").1;
    let Promised::Stated(promised) = case.promised else { panic!("a stated convention") };
    let setting = Setting { name: "sparse to 40000", positions: sparse(40_000), format: Format::F32, heads: 1 };
    let report = faulty(Kind::Cache, case, &promised(), &setting).check();
    let told = only(&report);
    let per_token = matches!(told.2, Cause::PerToken { original: 4096, .. });
    assert!(per_token && (told.0, told.1) == (Code::FrequencyScaling, Status::Confirmed), "{report}");
}

/// A table of each example of a batch, every row that of the example's number: the table's first rows are those of position 0.
#[test]
fn positions_that_are_counted_along_the_batch_are_named() {
    let (dim, tables, rows) = (64, 3, 128);
    let convention = Convention { layout: Layout::Halves, ..Convention::sinusoid(dim) };
    let omega = frequencies(&convention);
    let entries = (0..tables).flat_map(|table| {
        let row = (0..dim).map(move |j| (table, j));
        (0..rows).flat_map(move |_| row.clone())
    });
    let entry = |(table, j): (usize, usize)| {
        let (sin, cos) = (table as f64 * omega[j % (dim / 2)]).sin_cos();
        f64::from((if j < dim / 2 { sin } else { cos }) as f32)
    };
    let table =
        Heads { name: "table", entries: entries.map(entry).collect(), shape: [tables, rows, dim], format: Format::F32 };
    let report = check(Subject::Sinusoid(&table), &Expectation::new(convention)).unwrap();
    let told = only(&report);
    assert!(
        matches!(told, (Code::StalePositions, Status::Confirmed, Cause::AxesExchanged { period: 3, axis: None })),
        "{report}"
    );
    assert!(report.found.is_none(), "{report}");
}

/// (2k/dim)^(1/base): position 0 is right whatever the frequencies, and so are the few others that happen to be.
#[test]
fn base_and_exponent_that_are_exchanged_are_named() {
    let convention = Convention::rope(128);
    let omega: Vec<f64> = (0..64).map(|k| (f64::from(k) / 64.0).powf(1e-4)).collect();
    let entry = right(&omega);
    let report = cache(&convention, 256, &|p, k| entry(p as f64, k));
    let told = only(&report);
    assert!(matches!(told, (Code::FrequencySpacing, Status::Confirmed, Cause::Frequencies { .. })), "{report}");
    assert!(report.findings[0].to_string().starts_with("base and exponent are exchanged"), "{report}");
}

/// Entries that depart in all rows but one are no part of what is right.
#[test]
fn most_entries_depart_from_nothing() {
    let convention = Convention::sinusoid(64);
    let omega = frequencies(&convention);
    let rows = 3000;
    let entry = right(&omega);
    let judge = |alone: usize, other: &dyn Fn(usize, usize) -> f64| {
        let entries: Vec<f32> = (0..rows * 64)
            .map(|i| {
                let (row, column) = (i / 64, i % 64);
                let (cos, sin) = entry(row as f64, column / 2);
                let right = if column % 2 == 0 { sin } else { cos };
                (if row == alone { right } else { other(row, column) }) as f32
            })
            .collect();
        let table = Slice::new("table", &entries, 64).unwrap();
        check(Subject::Sinusoid(&table), &Expectation::new(convention.clone())).unwrap()
    };
    for alone in [0, rows - 1] {
        let noise = |row: usize, column: usize| ((row * 7919 + column * 104_729) % 1000) as f64 / 500.0 - 1.0;
        for other in [&(|_, _| 0.25) as &dyn Fn(usize, usize) -> f64, &noise] {
            let report = judge(alone, other);
            assert!(
                report.findings.iter().all(|finding| finding.code() != Code::Local),
                "row {alone} is right: {report}"
            );
        }
    }
    // Where a quarter of the entries departs, or more, something is wrong everywhere; less of them is a part.
    let from = |first: usize| {
        judge(0, &|row, column| {
            let (cos, sin) = entry(row as f64, column / 2);
            let right = if column % 2 == 0 { sin } else { cos };
            if row >= first { 0.25 } else { right }
        })
    };
    for first in [rows / 2, 3 * rows / 4 - 1] {
        let report = from(first);
        assert!(report.findings.iter().all(|finding| finding.code() != Code::Local), "{report}");
    }
    let report = from(4 * rows / 5);
    assert_eq!(report.first_code(), Some(Code::Local), "{report}");
}

/// A rotation that loses the sines, or multiplies one component of every pair: neither is a fault of a part, and no entry of a vector is
/// called a sine.
#[test]
fn one_component_of_every_pair_is_said_of_the_component() {
    let convention = Convention::rope(16);
    let omega = frequencies(&convention);
    let rows = 300;
    let judge = |of_cos: f64, of_sin: f64| {
        let x: Vec<f32> = (0..rows * 16).map(|i| ((i * 7919 % 1000) as f32 - 499.5) / 500.0).collect();
        let mut y = x.clone();
        for (i, (y, x)) in y.chunks_exact_mut(2).zip(x.chunks_exact(2)).enumerate() {
            let angle = (i / 8) as f64 * omega[i % 8];
            let (cos, sin) = (of_cos * angle.cos(), of_sin * angle.sin());
            let (a, b) = (f64::from(x[0]), f64::from(x[1]));
            (y[0], y[1]) = ((a * cos - b * sin) as f32, (a * sin + b * cos) as f32);
        }
        let (x, y) = (Slice::new("x", &x, 16).unwrap(), Slice::new("y", &y, 16).unwrap());
        check(Subject::Rotation { x: &x, y: &y }, &Expectation::new(convention.clone())).unwrap()
    };
    for (of_cos, of_sin, sentence) in [
        (1.0, 0.0, "every sine is 0"),
        (0.0, 1.0, "every cosine is 0"),
        (0.5, 1.0, "every cosine is"),
        (1.0, 0.5, "every sine is"),
    ] {
        let report = judge(of_cos, of_sin);
        assert_eq!(report.first_code(), Some(Code::NotARotation), "{report}");
        let Cause::OfComponent { by, .. } = report.findings[0].cause else { panic!("{report}") };
        // A median of quotients of binary32 numbers, whose denominators are at least a half.
        assert!((by - of_cos * of_sin).abs() < 1e-6, "{report}");
        assert!(report.findings[0].to_string().contains(sentence), "{sentence}: {report}");
    }
}

/// At position 0 a rotation in place is the right one: no wrong gain is told by it, in whichever entry of the pair.
#[test]
fn a_wider_bound_of_a_rotation_in_place_explains_nothing() {
    let convention = Convention { amplitude: "1.15".parse().unwrap(), ..Convention::rope(2) };
    for place in [0, 1] {
        let of = |entry: f32| -> Vec<f32> { (0..2).map(|at| if at == place { entry } else { 0.0 }).collect() };
        let (x, y) = (of(1.0546875), of(1.15625));
        let (x, y) = (Slice::new("x", &x, 2).unwrap(), Slice::new("y", &y, 2).unwrap());
        let expectation = Expectation::new(convention.clone()).stored_in(Format::Bf16);
        let report = check(Subject::Rotation { x: &x, y: &y }, &expectation).unwrap();
        assert!(!report.conforms && !matches!(report.findings[0].cause, Cause::InPlace), "{report}");
    }
}

/// The phase of f16 shows half a position as 0.5001: it is named as what it is near to, and nothing else is said.
#[test]
fn half_an_offset_is_no_other_number_in_narrow_formats() {
    let positions = posproof_table::Positions::range(0..700).unwrap();
    let omega = frequencies(&Convention::sinusoid(128));
    let table = posproof_check::Computed::new("table", &positions, 128, |position, row: &mut [half::f16]| {
        for (j, entry) in row.iter_mut().enumerate() {
            let (sin, cos) = ((position as f64 + 0.5) * omega[j / 2]).sin_cos();
            *entry = half::f16::from_f64(if j.is_multiple_of(2) { sin } else { cos });
        }
    });
    let report = check(Subject::Sinusoid(&table), &Expectation::new(Convention::sinusoid(128))).unwrap();
    let told = only(&report);
    assert!(matches!(told, (Code::PositionOffset, Status::Confirmed, Cause::Shifted { by: 0.5 })), "{report}");
}
