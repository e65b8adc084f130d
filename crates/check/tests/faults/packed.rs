//! Sequences that are packed into one table, each with a fault of its own: as one axis, and as two that have the position as their coordinate.

use crate::corpus::vectors;
use crate::heads::Heads;
use crate::rows::{halves, turned};
use crate::several::{Second, of_two_axes};
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes, identify_axes};
use posproof_check::{Code, Confidence, Finding, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

const DIM: usize = 64;

/// Rows of each sequence.
const LENGTHS: [usize; 4] = [60, 90, 40, 70];

/// Rotation of a row of some position in a sequence: by another position, and times a number.
type Fault<'a> = &'a dyn Fn(usize, f64) -> (f64, f64);

/// Vectors, what a program with a fault turned them into, and the positions that are stated.
fn rotated(lengths: &[usize], fault: Fault<'_>) -> ([Heads; 2], Vec<f64>) {
    let rows: Vec<(usize, f64)> =
        lengths.iter().enumerate().flat_map(|(of, length)| (0..*length).map(move |row| (of, row as f64))).collect();
    let x: Vec<f64> = vectors(rows.len() * DIM, Format::F32);
    let row = |(x, &(sequence, position)): (&[f64], &(usize, f64))| {
        let (position, times) = fault(sequence, position);
        turned(x, position).into_iter().map(|y| times * y).collect::<Vec<f64>>()
    };
    let y = x.chunks_exact(DIM).zip(&rows).flat_map(row).map(|y| Format::F32.round(y)).collect();
    let shape = [1, rows.len(), DIM];
    let heads = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format: Format::F32 });
    (heads, rows.into_iter().map(|(_, position)| position).collect())
}

fn at(positions: &[f64], axes: usize) -> Coordinates {
    let numbers: Vec<f64> = positions.iter().flat_map(|position| vec![*position; axes]).collect();
    Coordinates::from_floats(&numbers, axes).unwrap()
}

/// Reports on vectors that a program with a fault turned: as one axis, and as two.
fn reports(lengths: &[usize], fault: Fault<'_>) -> [AxialReport; 2] {
    let ([x, y], positions) = rotated(lengths, fault);
    let (one, two) = (at(&positions, 1), at(&positions, 2));
    let laws = [
        (AxialLaw::along(&halves(), &one).unwrap(), one),
        (of_two_axes(&halves(), Second::Alike).law(|_| Err("none".to_owned())).unwrap(), two),
    ];
    laws.map(|(law, rows)| check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &rows)).unwrap())
}

/// Code of a fault, and the first, the last and the number of its rows.
type Told = (Code, [usize; 3]);

fn told(finding: &Finding) -> Told {
    let rows = finding.region.as_ref().unwrap_or_else(|| panic!("{finding}: no place")).rows;
    (finding.code(), [rows.first, rows.last, rows.count])
}

#[test]
fn a_sequence_that_departs_is_told_by_its_rows() {
    let offset = |of: usize| move |sequence, position| (position + f64::from(u8::from(sequence == of)) * 3.0, 1.0);
    let half = |sequence: usize, position: f64| (if sequence % 2 == 1 { 0.5 * position } else { position }, 1.0);
    let two = |sequence: usize, position: f64| match sequence {
        1 => (position + 3.0, 1.0),
        2 => (position, 1.5),
        _ => (position, 1.0),
    };
    let goes_on = |sequence: usize, position: f64| (if sequence == 1 { 60.0 + position } else { position }, 1.0);
    let cases: [(Fault<'_>, &[Told]); 6] = [
        (&offset(1), &[(Code::PositionOffset, [60, 149, 90])]),
        (&offset(0), &[(Code::PositionOffset, [0, 59, 60])]),
        (&offset(3), &[(Code::PositionOffset, [190, 259, 70])]),
        // Two sequences with one fault are one finding.
        (&half, &[(Code::FrequencyScaling, [61, 259, 158])]),
        (&two, &[(Code::PositionOffset, [60, 149, 90]), (Code::Amplitude, [150, 189, 40])]),
        (&goes_on, &[(Code::Positions, [60, 149, 90])]),
    ];
    for (fault, expected) in cases {
        for report in reports(&LENGTHS, fault) {
            let found: Vec<_> = report.findings.iter().map(told).collect();
            assert_eq!(found, expected, "{report}");
            let explained: u64 = report.findings.iter().map(|finding| finding.explains.entries).sum();
            assert_eq!(explained, report.statistics.exceeding, "{report}");
            // Other sequences follow what is stated.
            assert!(report.found.as_ref().is_none_or(|found| *found == report.expected), "{report}");
        }
    }
}

#[test]
fn one_of_many_sequences_is_told() {
    let of = |sequence, position| (position + f64::from(u8::from(sequence == 270)) * 3.0, 1.0);
    for report in reports(&[9; 300], &of) {
        let found: Vec<_> = report.findings.iter().map(told).collect();
        assert_eq!(found, [(Code::PositionOffset, [2430, 2438, 9])], "{report}");
        assert_eq!(report.findings[0].region.as_ref().map(|region| region.of.rows), Some(2700), "{report}");
    }
}

/// Two of many, far apart, and every other one.
#[test]
fn some_of_many_sequences_are_told() {
    let apart = |sequence: usize| sequence == 3 || sequence == 590;
    for (departs, rows) in [(&apart as &dyn Fn(usize) -> bool, 18), (&|sequence| sequence % 3 == 1, 1800)] {
        let of = |sequence, position| (position + f64::from(u8::from(departs(sequence))) * 3.0, 1.0);
        for report in reports(&[9; 600], &of) {
            let found: Vec<_> = report.findings.iter().map(told).collect();
            assert!(matches!(found[..], [(Code::PositionOffset, [_, _, count])] if count == rows), "{report}");
        }
    }
}

/// Two sequences of a batch, each of which is two that are packed into one.
#[test]
fn a_part_of_a_sequence_of_a_batch_is_told() {
    let offset = |sequence, position| (position + f64::from(u8::from(sequence == 2)) * 3.0, 1.0);
    let louder = |sequence, position| (position, if sequence < 2 { 1.5 } else { 1.0 });
    let cases: [(Fault<'_>, Told); 2] =
        [(&offset, (Code::PositionOffset, [150, 239, 90])), (&louder, (Code::Amplitude, [0, 149, 150]))];
    for (fault, expected) in cases {
        let (heads, positions) = rotated(&[60, 90, 90, 60], fault);
        let [x, y] = heads.map(|heads| Heads { shape: [2, 150, DIM], ..heads });
        let rows = at(&positions, 1).in_sequences(2).unwrap();
        let law = AxialLaw::along(&halves(), &rows).unwrap();
        let report = check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &rows)).unwrap();
        assert_eq!(report.findings.iter().map(told).collect::<Vec<_>>(), [expected], "{report}");
    }
}

#[test]
fn a_sequence_from_another_place_does_not_go_on() {
    // Its rows are at 3, 4, …: they begin anew, though not at 0. Nothing that precedes the last one is of it.
    for of in [1, 3] {
        let offset = |sequence, position| (position + f64::from(u8::from(sequence == of)) * 3.0, 1.0);
        for report in reports(&LENGTHS, &offset) {
            let text = report.to_string();
            assert!(!text.contains("go on") && !text.contains("counted otherwise"), "{report}");
        }
    }
}

#[test]
fn sequences_of_which_one_departs_are_identified() {
    let offset = |sequence, position| (position + f64::from(u8::from(sequence == 0)) * 3.0, 1.0);
    let louder = |sequence, position| (position, if sequence == 2 { 1.5 } else { 1.0 });
    let cases: [(Fault<'_>, Code, [usize; 3]); 2] =
        [(&offset, Code::PositionOffset, [0, 59, 60]), (&louder, Code::Amplitude, [150, 189, 40])];
    for (fault, code, rows) in cases {
        let ([x, y], positions) = rotated(&LENGTHS, fault);
        let found = identify_axes(Subject::Rotation { x: &x, y: &y }, &at(&positions, 1), &["p".to_owned()]).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{found}");
        assert_eq!(found.findings.iter().map(told).collect::<Vec<_>>(), [(code, rows)], "{found}");
        let expected = AxialLaw::along(&halves(), &at(&positions, 1)).unwrap();
        let law = expected.altered(found.convention.as_ref().unwrap()).unwrap();
        assert!((0..DIM / 2).all(|slot| law.claims(slot).len() == 1), "{found}");
    }
    // As two sequences of a batch, each of two.
    let (heads, positions) =
        rotated(&[60, 90, 90, 60], &|sequence, position| (position + f64::from(u8::from(sequence == 2)) * 3.0, 1.0));
    let [x, y] = heads.map(|heads| Heads { shape: [2, 150, DIM], ..heads });
    let rows = at(&positions, 1).in_sequences(2).unwrap();
    let found = identify_axes(Subject::Rotation { x: &x, y: &y }, &rows, &["p".to_owned()]).unwrap();
    assert_eq!(found.confidence, Confidence::Established, "{found}");
    assert_eq!(
        found.findings.iter().map(told).collect::<Vec<_>>(),
        [(Code::PositionOffset, [150, 239, 90])],
        "{found}"
    );
    // Sequences that all depart in ways of their own have no convention in common.
    let ([x, y], positions) = rotated(&LENGTHS, &|sequence, position| (position * (1.0 + 0.1 * sequence as f64), 1.0));
    let found = identify_axes(Subject::Rotation { x: &x, y: &y }, &at(&positions, 1), &["p".to_owned()]).unwrap();
    assert_ne!(found.confidence, Confidence::Established, "{found}");
}
