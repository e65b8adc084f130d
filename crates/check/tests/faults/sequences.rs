//! Sequences of a batch at positions of their own, \[sequences, heads, rows, dim\]: as one axis, and as two that have the position as their
//! coordinate.

use crate::corpus::vectors;
use crate::heads::Heads;
use crate::rows::{halves, turned};
use crate::several::{Second, of_two_axes};
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes, identify_axes};
use posproof_check::{Code, Confidence, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

const DIM: usize = 64;
const ROWS: usize = 96;
const HEADS: usize = 2;

/// Positions of three sequences: in order, behind 30 rows of padding, and of a later chunk.
fn stated() -> [Vec<f64>; 3] {
    let of = |position: fn(usize) -> f64| (0..ROWS).map(position).collect();
    [of(|row| row as f64), of(|row| row.saturating_sub(30) as f64), of(|row| (row + 500) as f64)]
}

fn in_sequences(positions: &[Vec<f64>], axes: usize) -> Coordinates {
    let numbers: Vec<f64> = positions.concat().into_iter().flat_map(|x| vec![x; axes]).collect();
    Coordinates::from_floats(&numbers, axes).unwrap().in_sequences(positions.len()).unwrap()
}

/// Reports on vectors that were turned by other positions than those stated: as one axis, and as two.
fn reports(stated: &[Vec<f64>], turned_by: impl Fn(usize, usize, usize) -> f64) -> [AxialReport; 2] {
    let tables = stated.len() * HEADS;
    let x: Vec<f64> = vectors(tables * ROWS * DIM, Format::F32);
    let row = |(i, x): (usize, &[f64])| {
        let (table, row) = (i / ROWS, i % ROWS);
        turned(x, turned_by(table / HEADS, table % HEADS, row))
    };
    let y = x.chunks_exact(DIM).enumerate().flat_map(row).map(|y| Format::F32.round(y)).collect();
    let shape = [tables, ROWS, DIM];
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format: Format::F32 });
    let subject = Subject::Rotation { x: &x, y: &y };
    let one = in_sequences(stated, 1);
    let laws = [
        (AxialLaw::along(&halves(), &one).unwrap(), one),
        (of_two_axes(&halves(), Second::Alike).law(|_| Err("none".to_owned())).unwrap(), in_sequences(stated, 2)),
    ];
    laws.map(|(law, rows)| {
        let report = check_axes(subject, &AxialExpectation::new(&law, &rows)).unwrap();
        if let Some(mend) = &report.mend {
            let law = law.altered(&mend.convention).unwrap();
            let rows = mend.coordinates.as_ref().unwrap_or(&rows);
            assert!(check_axes(subject, &AxialExpectation::new(&law, rows)).unwrap().conforms, "{mend}");
        }
        report
    })
}

#[test]
fn each_sequence_is_judged_at_its_own_positions() {
    for report in reports(&stated(), |sequence, _, row| stated()[sequence][row]) {
        assert!(report.conforms, "{report}");
        let note = report.inputs[0].note.as_deref();
        assert_eq!(note, Some("3 sequences of 96 rows: row 96·s + i is row i of sequence s"), "{report}");
    }
}

#[test]
fn an_entry_of_a_sequence_has_its_place() {
    // One row of one head: row 17 of sequence 2 is row 2·96 + 17.
    let moved = |sequence, head, row| f64::from((sequence, head, row) == (2, 1, 17)) * 0.5;
    for report in reports(&stated(), |sequence, head, row| stated()[sequence][row] + moved(sequence, head, row)) {
        let region = report.findings[0].region.as_ref().unwrap_or_else(|| panic!("{report}"));
        assert_eq!((region.rows.first, region.rows.last, region.heads.first), (209, 209, 1), "{report}");
    }
}

/// Rules by which a program takes positions of a batch, and what each is called.
#[test]
fn positions_of_other_sequences_are_named() {
    let stated = stated();
    let later: Vec<Vec<f64>> = (1..4).map(|first| (0..ROWS).map(|row| (row * first) as f64).collect()).collect();
    type Rule<'a> = &'a dyn Fn(usize, usize) -> f64;
    let cases: [(&str, &str, &[Vec<f64>], Rule<'_>); 5] = [
        ("shared-positions", "every sequence is at the positions of sequence 0", &stated, &|_, row| row as f64),
        ("shared-positions", "every sequence is at the positions of sequence 2", &stated, &|_, row| (row + 500) as f64),
        ("shared-positions", "at the numbers of its rows, from 7 on", &later, &|_, row| (row + 7) as f64),
        ("sequences-exchanged", "sequence 0 is at the positions of sequence 1", &stated, &|sequence, row| {
            stated[[1, 0, 2][sequence]][row]
        }),
        ("first-position", "at rows 96 to 191: position_offset of ax", &stated, &|sequence, row| {
            stated[sequence][row] + f64::from(u8::from(sequence == 1))
        }),
    ];
    for (name, sentence, stated, rule) in cases {
        for report in reports(stated, |sequence, _, row| rule(sequence, row)) {
            let [finding] = report.findings.as_slice() else { panic!("{name}: {report}") };
            assert_eq!((finding.fault.name, finding.explains.entries), (name, finding.explains.of), "{report}");
            assert!(finding.to_string().contains(sentence), "{sentence}: {report}");
            assert!(report.mend.is_some(), "{report}");
        }
    }
    // What is not of the positions has the name that one axis gives it.
    for report in reports(&stated, |_, _, _| 0.0) {
        assert_eq!(report.findings[0].code(), Code::NoRotation, "{report}");
    }
}

#[test]
fn sequences_are_identified_and_counted() {
    let stated = stated();
    let x: Vec<f64> = vectors(stated.len() * ROWS * DIM, Format::F32);
    let row = |(i, x): (usize, &[f64])| turned(x, stated[i / ROWS][i % ROWS]);
    let y: Vec<f64> = x.chunks_exact(DIM).enumerate().flat_map(row).map(|y| Format::F32.round(y)).collect();
    let shape = [stated.len(), ROWS, DIM];
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format: Format::F32 });
    let subject = Subject::Rotation { x: &x, y: &y };
    let found = identify_axes(subject, &in_sequences(&stated, 1), &["p".to_owned()]).unwrap();
    assert_eq!(found.confidence, Confidence::Established, "{found}");
    // Two sequences are stated, where the array has three.
    let two = in_sequences(&stated[..2], 1);
    let law = AxialLaw::along(&halves(), &two).unwrap();
    let refused = check_axes(subject, &AxialExpectation::new(&law, &two)).unwrap_err().to_string();
    assert!(refused.contains("a first axis of 2 sequences, as the positions have; found 3 tables"), "{refused}");
}

/// A sequence that is not written, as by `mx.fast.rope` (ml-explore/mlx#3494), at positions that others have too.
fn not_written(stated: &[Vec<f64>]) {
    let x: Vec<f64> = vectors(stated.len() * ROWS * DIM, Format::F32);
    let row = |(i, x): (usize, &[f64])| match i / ROWS {
        1 => vec![0.0; DIM],
        sequence => turned(x, stated[sequence][i % ROWS]),
    };
    let y = x.chunks_exact(DIM).enumerate().flat_map(row).map(|y| Format::F32.round(y)).collect();
    let shape = [stated.len(), ROWS, DIM];
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format: Format::F32 });
    let rows = in_sequences(stated, 1);
    let law = AxialLaw::along(&halves(), &rows).unwrap();
    let report = check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &rows)).unwrap();
    let [finding] = report.findings.as_slice() else { panic!("{report}") };
    let region = finding.region.as_ref().unwrap_or_else(|| panic!("{report}"));
    assert!(finding.to_string().contains("every entry is 0"), "{report}");
    let (rows, all) = (region.rows, ROWS * stated.len());
    assert_eq!((rows.first, rows.last, rows.count, region.of.rows), (96, 191, 96, all), "{report}");
    assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
}

#[test]
fn a_sequence_that_departs_by_itself_is_told_by_its_rows() {
    let [first, second, _] = stated();
    not_written(&[first.clone(), first.clone(), second.clone()]);
    not_written(&[first.clone(), second.clone(), first.clone(), second, first]);
}

/// An offset of all rows of a padded sequence counts no padding.
#[test]
fn an_offset_of_a_sequence_is_told_beside_a_wrong_entry() {
    let [first, second, third] = stated();
    let stated = [first.clone(), second, first, third];
    let moved = |sequence: usize, head: usize, row: usize| match (sequence, head, row) {
        (1, ..) => 3.0,
        (2, 1, 5) => 0.25,
        _ => 0.0,
    };
    for report in reports(&stated, |sequence, head, row| stated[sequence][row] + moved(sequence, head, row)) {
        let region = report.findings[0].region.as_ref().unwrap_or_else(|| panic!("{report}"));
        assert_ne!(report.findings[0].fault.name, "padding-counted", "{report}");
        assert_eq!((region.rows.first, region.rows.last, region.rows.count), (96, 191, 96), "{report}");
    }
}
