//! Rotations of other rows' vectors, and of mixed ones, on several axes: what is said of them is what one axis says.

use crate::products::{judged, law, rotated, rows, says, vectors};
use posproof_numerics::Format;

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

#[test]
fn a_matrix_on_top_of_the_rotation_is_found() {
    let (law, rows) = (law("interleaved"), rows());
    let x = vectors(&rows);
    let z = rotated(&law, &rows, &x, |_| WHOLE);
    let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    let mixed =
        |z: &[f64]| (0..64).map(|i| z.iter().enumerate().map(|(j, z)| sign(i, j) * z).sum::<f64>() / 8.0).collect();
    let y: Vec<f64> = z.chunks_exact(64).flat_map(|z| -> Vec<f64> { mixed(z) }).collect();
    for format in [Format::F32, Format::F16, Format::Bf16] {
        says(&judged(&law, &rows, [&x, &y], format), "an orthogonal matrix whose entries are all of one magnitude");
    }
}

#[test]
fn an_entry_of_each_pair_that_is_not_written_is_found() {
    let (law, rows) = (law("halves"), rows());
    let x = vectors(&rows);
    let z = rotated(&law, &rows, &x, |_| WHOLE);
    let y: Vec<f64> = z.iter().zip(&x).enumerate().map(|(i, (z, x))| if i % 64 < 32 { *z } else { *x }).collect();
    for format in [Format::F32, Format::F16, Format::Bf16] {
        says(&judged(&law, &rows, [&x, &y], format), "the second entry of every pair is that of x");
    }
}
