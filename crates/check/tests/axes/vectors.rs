//! Rotations of other rows' vectors, and of mixed ones, on several axes: what is said of them is what one axis says.

use crate::products::{judged, law, rotated, rows, says, vectors};
use crate::regions::Heads;
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Cause, Code, Status, Subject};
use posproof_numerics::format::Format;

const WHOLE: [[f64; 2]; 2] = [[1.0; 2]; 2];

/// Rows that are moved back, counted around.
fn back(entries: &[f64], by: usize) -> Vec<f64> {
    let mut moved = entries.to_vec();
    moved.rotate_right(64 * by);
    moved
}

#[test]
fn vectors_of_other_rows_are_found() {
    let (law, rows) = (law("halves"), rows());
    let x = vectors(&rows);
    for format in [Format::F32, Format::F16, Format::Bf16] {
        for by in [1, 7] {
            let whole = back(&rotated(&law, &rows, &x, |_| WHOLE), by);
            let place = if by == 1 { "1 row before its own".to_owned() } else { format!("{by} rows before its own") };
            says(
                &judged(&law, &rows, [&x, &whole], format),
                &format!("{place}, counted around, with the position of that row"),
            );
            let own = rotated(&law, &rows, &back(&x, by), |_| WHOLE);
            says(&judged(&law, &rows, [&x, &own], format), &format!("{place}, counted around, with its own position"));
        }
    }
}

/// Vectors that are made of those rotated and those before: the sentence about them is the same in every format.
fn made_of(layout: &str, make: impl Fn(&[f64], &[f64]) -> Vec<f64>, sentence: &str) {
    let (law, rows) = (law(layout), rows());
    let x = vectors(&rows);
    let z = rotated(&law, &rows, &x, |_| WHOLE);
    let y: Vec<f64> = z.chunks_exact(64).zip(x.chunks_exact(64)).flat_map(|(z, x)| make(z, x)).collect();
    for format in [Format::F32, Format::F16, Format::Bf16] {
        says(&judged(&law, &rows, [&x, &y], format), sentence);
    }
}

#[test]
fn a_matrix_on_top_of_the_rotation_is_found() {
    let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    let row = |z: &[f64], i: usize| z.iter().enumerate().map(|(j, z)| sign(i, j) * z).sum::<f64>() / 8.0;
    let mixed = |z: &[f64], _: &[f64]| (0..64).map(|i| row(z, i)).collect();
    made_of("interleaved", mixed, "an orthogonal matrix whose entries are all of one magnitude");
}

#[test]
fn an_entry_of_each_pair_that_is_not_written_is_found() {
    let kept = |z: &[f64], x: &[f64]| [&z[..32], &x[32..]].concat();
    made_of("halves", kept, "the second entry of every pair is that of x");
}

/// One head of three whose vectors vanish, or are left as they were.
#[test]
fn a_head_that_vanishes_or_is_left_has_the_name_of_one_axis() {
    let (law, rows) = (law("halves"), rows());
    let x = vectors(&rows);
    let y = rotated(&law, &rows, &x, |_| WHOLE);
    let zeros = vec![0.0; x.len()];
    for (wrong, code, cause) in [(&zeros, Code::Local, Cause::Zero), (&x, Code::NoRotation, Cause::NotRotated)] {
        for format in [Format::F32, Format::Bf16] {
            let typed = |entries: &[f64]| entries.iter().map(|&entry| format.round(entry) as f32).collect::<Vec<f32>>();
            let heads =
                |name, heads: [&Vec<f64>; 3]| Heads { name, heads: heads.map(|one| typed(one)).to_vec(), width: 64 };
            let (before, after) = (heads("x", [&x; 3]), heads("y", [&y, &y, wrong]));
            let expectation = AxialExpectation { storage: Some(format), ..AxialExpectation::new(&law, &rows) };
            let report = check_axes(Subject::Rotation { x: &before, y: &after }, &expectation).unwrap();
            let [finding] = &report.findings[..] else { panic!("{report}") };
            assert_eq!((finding.code(), &finding.cause, finding.status), (code, &cause, Status::Confirmed), "{report}");
            let region = finding.region.as_ref().expect("a place");
            assert!(finding.confined && (region.heads.first, region.heads.count) == (2, 1), "{report}");
        }
    }
}

/// Rows from one on that are those of the rows before or behind them.
#[test]
fn a_tail_of_shifted_rows_is_told() {
    let (law, rows) = (law("halves"), rows());
    let x = vectors(&rows);
    for (by, way) in [(1, "1 row before it"), (-2, "2 rows after it")] {
        // Behind the last row there is none.
        let other = |row: usize| usize::try_from(row as i64 - by).ok().filter(|other| *other < rows.rows());
        let moved = |row: usize| other(row).filter(|_| row >= 700).or(Some(row));
        let moved: Vec<Option<usize>> = (0..rows.rows()).map(moved).collect();
        let y = rotated(&law, &rows.with_rows(&moved), &x, |_| WHOLE);
        for format in [Format::F32, Format::Bf16] {
            let report = judged(&law, &rows, [&x, &y], format);
            let [finding] = &report.findings[..] else { panic!("{report}") };
            assert_eq!((finding.code(), finding.explains.entries), (Code::RowShift, finding.explains.of), "{report}");
            assert!(finding.to_string().contains(&format!("every row from row 700 on is that of {way}")), "{report}");
        }
    }
}

#[test]
fn a_weight_of_each_entry_is_found() {
    let weighted = |z: &[f64], _: &[f64]| z.iter().enumerate().map(|(j, z)| z * (1.0 + (j % 3) as f64 / 4.0)).collect();
    made_of("halves", weighted, "each entry of y is multiplied by a number of its own");
}

/// A fault of all vectors beside an entry that departs by itself.
#[test]
fn vectors_that_are_all_wrong_are_told_beside_one_entry() {
    let (law, rows) = (law("halves"), rows());
    let x = vectors(&rows);
    let z = rotated(&law, &rows, &x, |_| WHOLE);
    let kept: Vec<f64> =
        z.chunks_exact(64).zip(x.chunks_exact(64)).flat_map(|(z, x)| [&z[..32], &x[32..]].concat()).collect();
    for (mut y, code) in [(x.clone(), Code::NoRotation), (kept, Code::NotARotation)] {
        y[64 * 20 + 3] += 2.0;
        let report = judged(&law, &rows, [&x, &y], Format::F32);
        let told: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
        assert_eq!(told, [code, Code::Local], "{report}");
        assert!(matches!(report.findings[1].cause, Cause::Apart { entries: 1, .. }), "{report}");
    }
}

/// Heads in another order: all of them, or two.
#[test]
fn heads_in_another_order_are_found() {
    let (law, rows) = (law("halves"), rows());
    let x: Vec<Vec<f64>> = (0..4).map(|head| back(&vectors(&rows), 3 * head + 1)).collect();
    for order in [[1, 2, 3, 0], [0, 2, 1, 3]] {
        let y: Vec<Vec<f64>> = order.iter().map(|&head| rotated(&law, &rows, &x[head], |_| WHOLE)).collect();
        let typed = |heads: &[Vec<f64>]| -> Vec<Vec<f32>> {
            heads.iter().map(|head| head.iter().map(|&entry| entry as f32).collect()).collect()
        };
        let (x, y) =
            (Heads { name: "x", heads: typed(&x), width: 64 }, Heads { name: "y", heads: typed(&y), width: 64 });
        let report = check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &rows)).unwrap();
        let [finding] = report.findings.as_slice() else { panic!("{report}") };
        let wired = finding.fault.name == "cross-wired" && finding.explains.entries == finding.explains.of;
        assert!(wired && finding.status == Status::Confirmed, "{report}");
    }
}
