//! Sequences of a batch whose rows have positions of their own, and vectors that are normalised before or after their rotation: as one axis,
//! and as two that have the position as their coordinate.

use crate::corpus::vectors;
use crate::heads::{Heads, Turn, rotation};
use crate::rows::{halves, turned, turned_by};
use crate::several::{Second, of_two_axes};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::faults::{EncodingProgram, ProductsCause};
use posproof_check::{Cause, Confidence, Expectation, Finding, Status, Subject, check, identify};
use posproof_encoding::axes::Coordinates;
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;

const DIM: usize = 64;
const ROWS: usize = 120;

/// Findings on vectors of so many tables in a format, as one axis and as two: `turn` makes a row of y of the table, the row and the row of x.
fn findings(format: Format, tables: usize, turn: Turn<'_>) -> [Vec<Finding>; 2] {
    let x: Vec<f64> = vectors(tables * ROWS * DIM, format);
    let row = |(i, x): (usize, &[f64])| turn(i / ROWS, i % ROWS, x);
    let y = x.chunks_exact(DIM).enumerate().flat_map(row).map(|y| format.round(y)).collect();
    let shape = [tables, ROWS, DIM];
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format });
    let subject = Subject::Rotation { x: &x, y: &y };
    let one = check(subject, &Expectation::new(halves())).expect("a judgement");
    let law = of_two_axes(&halves(), Second::Alike).law(|_| Err("none is stored".to_owned())).expect("two axes");
    let rows: Vec<f64> = (0..ROWS).flat_map(|row| [row as f64; 2]).collect();
    let coordinates = Coordinates::from_floats(&rows, 2).expect("coordinates");
    let two = check_axes(subject, &AxialExpectation::new(&law, &coordinates)).expect("a judgement");
    [one.findings, two.findings]
}

/// Row of a sequence behind so many rows of padding, whose position is 1.
fn padded(padding: usize, row: usize) -> f64 {
    if row < padding { 1.0 } else { (row - padding) as f64 }
}

#[test]
fn each_sequence_of_a_batch_has_its_own_padding() {
    let padding = [0, 3, 17, 3, 60];
    for found in findings(Format::F32, padding.len(), &|table, row, x| turned(x, padded(padding[table], row))) {
        let told: Vec<(&str, Status, Vec<usize>)> = found
            .iter()
            .map(|finding| {
                let heads = finding.region.as_ref().expect("a place").heads;
                (finding.fault.name, finding.status, heads.iter().collect())
            })
            .collect();
        let of = |tables: &[usize]| ("left-padded", Status::Confirmed, tables.to_vec());
        assert_eq!(told, [of(&[1, 3]), of(&[2]), of(&[4])]);
        let explained: u64 = found.iter().map(|finding| finding.explains.entries).sum();
        assert!(found.iter().all(|finding| finding.explains.of == explained));
    }
}

/// Padded sequences, and packed ones, of another base or with a factor: both are said.
#[test]
fn sequences_of_another_law_have_their_own_padding() {
    use posproof_encoding::scaling::Scaling;
    let other = Convention { base: 500_000.into(), ..halves() };
    let scaled = Convention { scaling: Some(Scaling::Linear { factor: 4.into() }), ..halves() };
    let packed = |table: usize, row: usize| row - [0, 40, 65 + table].into_iter().rfind(|first| *first <= row).unwrap();
    type Positions<'t> = &'t dyn Fn(usize, usize) -> f64;
    let ways: [(&str, Positions<'_>); 2] = [
        ("left-padded", &|table, row| padded([9, 3, 60][table], row)),
        ("restarted", &|table, row| packed(table, row) as f64),
    ];
    for (law, code) in [(&other, "other-base"), (&scaled, "frequencies-scaled")] {
        for (fault, position) in &ways {
            for found in findings(Format::F32, 3, &|table, row, x| turned_by(law, x, position(table, row))) {
                let mut told: Vec<&str> = found.iter().map(|finding| finding.fault.name).collect();
                // Sequences with the same sentence have one finding.
                told.dedup();
                assert_eq!(told, [code, *fault], "{found:?}");
                assert!(found.iter().all(|finding| finding.status == Status::Confirmed), "{found:?}");
            }
        }
    }
}

/// A sequence that nothing explains is told beside the others.
#[test]
fn a_sequence_of_noise_is_not_passed_over() {
    let noise = vectors(10 * ROWS * DIM, Format::F32).split_off(9 * ROWS * DIM);
    let turn = |table: usize, row: usize, x: &[f64]| match table {
        1 => noise[row * DIM..][..DIM].to_vec(),
        _ => turned(x, padded(5 * table, row)),
    };
    for found in findings(Format::F32, 3, &turn) {
        let told: Vec<Status> = found.iter().map(|finding| finding.status).collect();
        assert_eq!(told, [Status::Confirmed, Status::Unexplained], "{found:?}");
        assert_eq!(found[0].fault.name, "left-padded");
    }
}

/// Norms of queries and keys, with weights and without, on either side of the rotation; and numbers that are those of no norm.
#[test]
fn vectors_that_are_normalised_besides_are_named() {
    let weight = |j: usize| 1.0 + 0.25 * ((7 * j) as f64).sin();
    let norm = |x: &[f64]| (x.iter().map(|x| x * x).sum::<f64>() / DIM as f64).sqrt();
    let times = |x: &[f64], by: f64, weighted: bool| -> Vec<f64> {
        x.iter().enumerate().map(|(j, x)| x * by * if weighted { weight(j) } else { 1.0 }).collect()
    };
    type Way<'t> = Box<dyn Fn(usize, usize, &[f64]) -> Vec<f64> + 't>;
    let centred = |x: &[f64]| {
        let mean = x.iter().sum::<f64>() / DIM as f64;
        x.iter().map(|x| x - mean).collect::<Vec<f64>>()
    };
    // Bounds of bfloat16 are as large as the entries of these vectors.
    let short = |_: usize, row: usize, x: &[f64]| turned(&times(x, 0.1 / norm(x), false), row as f64);
    let ways: [(Way<'_>, bool, bool, bool); 6] = [
        (
            Box::new(|_, row, x| turned(&times(&centred(x), 1.0 / norm(&centred(x)), true), row as f64)),
            true,
            true,
            true,
        ),
        (Box::new(|_, row, x| turned(&times(x, 1.0 / norm(x), false), row as f64)), false, true, true),
        (Box::new(|_, row, x| turned(&times(x, 1.0 / norm(x), true), row as f64)), true, true, true),
        (Box::new(|_, row, x| times(&turned(x, row as f64), 1.0 / norm(x), true)), true, false, true),
        (
            Box::new(|table, row, x| turned(&times(x, 1.0 + (table + row % 7) as f64, true), row as f64)),
            true,
            true,
            false,
        ),
        (Box::new(short), false, true, true),
    ];
    for format in [Format::F32, Format::Bf16, Format::F16] {
        for (number, (turn, weighted, first, is_norm)) in ways.iter().enumerate() {
            for found in findings(format, 2, turn) {
                let [finding] = &found[..] else { panic!("{number}, {format}: {found:?}") };
                assert_eq!(
                    (finding.fault.name, finding.status),
                    ("normalised", Status::Confirmed),
                    "{number}, {format}"
                );
                let Cause::Products(ProductsCause::Normalised { weights, before, centred, root_mean_square, .. }) =
                    &finding.cause
                else {
                    panic!("{number}, {format}: {found:?}")
                };
                assert_eq!((weights.is_some(), *root_mean_square), (*weighted, *is_norm), "{number}, {format}");
                assert_eq!(*centred, number == 0, "{number}, {format}");
                assert!(*before == *first || !weighted, "{number}, {format}");
                if let (Some(ends), true) = (weights, *is_norm) {
                    let right = (0..DIM).map(weight).fold([f64::INFINITY, 0.0], |[a, b], w| [w.min(a), w.max(b)]);
                    let near = |(found, right): (&f64, f64)| (found - right).abs() < 4.0 * format.unit_roundoff();
                    assert!(ends.iter().zip(right).all(near), "{number}, {format}: {ends:?} {right:?}");
                }
            }
        }
    }
}

/// An entry that is no number has its own place in the batch, not in its sequence.
#[test]
fn an_entry_that_is_no_number_is_placed_in_the_batch() {
    let turn = |table: usize, row: usize, x: &[f64]| {
        let mut y = turned(x, padded(7 * table, row));
        y[5] = if (table, row) == (2, 90) { f64::NAN } else { y[5] };
        y
    };
    for found in findings(Format::F32, 4, &turn) {
        let told: Vec<(&str, Status)> = found.iter().map(|finding| (finding.fault.name, finding.status)).collect();
        let of = |name| (name, Status::Confirmed);
        assert_eq!(told, [of("not-finite"), of("left-padded"), of("left-padded"), of("left-padded")], "{found:#?}");
        let region = found[0].region.as_ref().expect("a place");
        assert_eq!((region.heads.first, region.rows.first, found[0].explains.entries), (2, 90, 1));
    }
}

/// Numbers of whole tables are amplitudes.
#[test]
fn a_factor_of_each_table_is_no_norm() {
    let turn = |table: usize, row: usize, x: &[f64]| {
        turned(x, row as f64).into_iter().map(|y| y * (1 + table) as f64).collect()
    };
    for format in [Format::F32, Format::Bf16] {
        for found in findings(format, 4, &turn) {
            assert!(found.iter().all(|finding| finding.fault.name == "amplitude"), "{found:?}");
            assert_eq!(found.len(), 3, "{found:?}");
        }
    }
}

/// A batch follows one convention, whatever the padding of its sequences is.
#[test]
fn the_convention_of_a_batch_is_identified() {
    let padding = [0, 3, 17, 60];
    let x = vectors(padding.len() * ROWS * DIM, Format::F32);
    let row = |(i, x): (usize, &[f64])| turned(x, padded(padding[i / ROWS], i % ROWS));
    let y = x.chunks_exact(DIM).enumerate().flat_map(row).map(|y| f64::from(y as f32)).collect();
    let shape = [padding.len(), ROWS, DIM];
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format: Format::F32 });
    let found = identify(Subject::Rotation { x: &x, y: &y }, None).expect("an answer");
    assert_eq!((found.convention, found.confidence), (Some(halves()), Confidence::Established));
    assert!(found.findings.iter().all(|finding| finding.fault.name == "left-padded"), "{:?}", found.findings);
}

/// Padding of a few rows, in vectors of half formats, whose slow pairs do not show it.
#[test]
fn a_few_rows_of_padding_are_told_in_half_formats() {
    let convention = Convention { base: 500_000.into(), layout: Layout::Halves, ..Convention::rope(128) };
    for (format, padding) in
        [Format::Bf16, Format::F16].into_iter().flat_map(|format| [2, 12, 50].map(|rows| (format, rows)))
    {
        let positions: Vec<u64> = (0..ROWS as u64).collect();
        let moved = |p: u64| padded(padding, p as usize);
        let program = EncodingProgram { position: Box::new(moved), ..EncodingProgram::<f64>::single(&convention) };
        let setting = Setting { name: "", positions, format, heads: 1 };
        let pairs = program.run(64, &setting.positions);
        let specimen = Specimen::new(Kind::Rotation, &convention, &setting, &pairs, &Specimen::turned(&convention));
        let report = specimen.check();
        let told: Vec<(&str, Status)> = report.findings.iter().map(|found| (found.fault.name, found.status)).collect();
        assert_eq!(told, [("left-padded", Status::Confirmed)], "{format} {padding}\n{report}");
    }
}

/// Arrays [positions, heads, dim] of an ordinary program, whose rows are heads: angles of far tables are rounded as far positions are.
#[test]
fn positions_along_the_tables_are_told_of_a_program_in_binary32() {
    let convention = Convention { base: 500_000.into(), layout: Layout::Halves, ..Convention::rope(128) };
    let positions: Vec<u64> = (0..300).collect();
    let pairs = EncodingProgram::<f64>::single(&convention).run(64, &positions);
    let turned = |table: usize, _: usize, x: &[f64]| -> Vec<f64> {
        let round = |x: f64| f64::from(x as f32);
        let entry = |j: usize| {
            let (cos, sin) = pairs.entries[table * 64 + j % 64];
            let (one, other) = (round(x[j] * cos), round(x[(j + 64) % 128] * sin));
            if j < 64 { one - other } else { one + other }
        };
        (0..128).map(entry).collect()
    };
    let report = rotation(&convention, [300, 8, 128], &turned);
    let told: Vec<(&str, Status)> = report.findings.iter().map(|found| (found.fault.name, found.status)).collect();
    assert_eq!(told, [("axes-exchanged", Status::Confirmed)], "{report}");
}

/// A list of as many findings as there are sequences would say less than one.
#[test]
fn many_sequences_that_are_padded_each_in_its_own_way_have_one_finding() {
    let tables = 70;
    for found in findings(Format::F32, tables, &|table, row, x| turned(x, padded(table / 2, row))) {
        let [finding] = found.as_slice() else { panic!("{found:#?}") };
        let heads = finding.region.as_ref().expect("a place").heads;
        assert_eq!((finding.fault.name, finding.status), ("left-padded", Status::Confirmed));
        assert_eq!((heads.first, heads.last, heads.count), (2, 69, 68), "{finding}");
        assert_eq!(finding.explains.entries, finding.explains.of);
        let Cause::Each { each: "table", ways: 34, number: 2, .. } = &finding.cause else { panic!("{finding:?}") };
        let told = "tables depart in 34 ways, each with figures of its own; in table 2 rows before position 1 are";
        assert!(finding.to_string().contains(told), "{finding}");
    }
}

/// Rows that are not written, that are doubled or turned round are those of no norm.
#[test]
fn rows_that_are_multiplied_are_no_norm() {
    for by in [0.0, 2.0, -1.0] {
        for every in [2, 3] {
            let turn = |_, row: usize, x: &[f64]| {
                let factor = if row % every == 1 { by } else { 1.0 };
                turned(x, row as f64).into_iter().map(|y| factor * y).collect()
            };
            for found in findings(Format::F32, 1, &turn) {
                assert!(found.iter().all(|finding| finding.fault.name != "normalised"), "{by} {every}: {found:?}");
                assert!(!found.is_empty());
            }
        }
    }
}
