//! Dot products of encodings: a small matrix with its numbers, and a larger one as an image.

use crate::encoding::convention::Convention;
use crate::report::plot::data::Unavailable;
use crate::report::plot::data::encoding::{certain_decimal, dot_products, enclosed_dot_products};
use crate::report::plot::figure::{Cell, Figure, Matrix, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::heatmap::Heatmap;
use posproof_numerics::Interval;

const DIM: usize = 512;

/// Positions of the small matrix.
const FEW: usize = 8;

/// Positions of the large one.
const MANY: usize = 128;

/// Digits after the point in the small matrix, and in the table of numbers.
const DECIMALS: usize = 2;
const MORE_DECIMALS: usize = 10;

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let convention = Convention::sinusoid(DIM);
    let enclosed = enclosed_dot_products(&convention, FEW as u64)?;
    let products = dot_products(&convention, MANY as u64)?;
    let (most, least) = (products[0], products.iter().copied().fold(f64::INFINITY, f64::min));
    let cell = |row: usize, column: usize| products.get(row.abs_diff(column)).copied().unwrap_or(0.0);
    let heatmap = Heatmap {
        frame: Frame {
            id: "toeplitz-map".into(),
            title: format!("PE(s)·PE(t) for s and t from 0 to {}", MANY - 1),
            description: "A square matrix that is constant along each diagonal: strongest on the main diagonal, \
falling off to both sides alike."
                .into(),
            size: [480.0, 420.0],
            margins: [32.0, 84.0, 46.0, 62.0],
            x: Axis::linear("position t", [0.0, MANY as f64], 7),
            y: Axis::linear("position s", [0.0, MANY as f64], 7),
        },
        columns: MANY,
        values: (0..MANY).flat_map(|row| (0..MANY).map(move |column| cell(row, column))).collect(),
        limits: [least, most],
        meaning: "dot product".into(),
    };
    let row = |(distance, value): (usize, &Interval)| {
        let decimal = certain_decimal(value, MORE_DECIMALS).unwrap_or_else(|| "undecided".into());
        vec![distance.to_string(), decimal]
    };
    Ok(Figure {
        id: "toeplitz",
        title: "A Toeplitz matrix".into(),
        caption: format!(
            "The dot product of two encodings depends on their distance alone: D(s, t) = Σ cos((s − t)·ωᵢ), so that the \
matrix is constant along its diagonals. Below, D for the first {FEW} positions with its numbers; beside it the same for {MANY} \
positions, where the strip around the diagonal shows how similar neighbours are."
        ),
        numbers: format!(
            "d = {DIM}, base 10000. The small matrix is rounded from enclosures of 128 bits, both ends of which round alike; \
the large one is made from sums of correctly rounded cosines."
        ),
        commands: vec![
            "posproof show toeplitz.dot-product".into(),
            "posproof show toeplitz.structure".into(),
            format!("posproof table sinusoid --dim {DIM} --positions 0..{MANY} --dtype f64 --out pe.npy"),
        ],
        panels: vec![Panel {
            heading: format!("{MANY} positions"),
            svg: heatmap.svg()?,
            wide: false,
            keys: Vec::new(),
        }],
        keys: Vec::new(),
        matrix: Some(matrix(&enclosed)),
        data: vec![Numbers {
            caption: format!("D by distance, certified to {MORE_DECIMALS} decimals"),
            columns: vec!["distance".into(), "dot product".into()],
            rows: enclosed.iter().enumerate().map(row).collect(),
        }],
    })
}

fn matrix(enclosed: &[Interval]) -> Matrix {
    let values: Vec<f64> = enclosed.iter().map(|value| value.approximate()).collect();
    let most = values.first().copied().unwrap_or(1.0);
    let least = values.iter().copied().fold(most, f64::min);
    let cell = |distance: usize| {
        let text = enclosed.get(distance).and_then(|value| certain_decimal(value, DECIMALS));
        let strength = values.get(distance).map_or(0.0, |value| (value - least) / (most - least) * 92.0 + 8.0);
        Cell { text: text.unwrap_or_else(|| "undecided".into()), tint: strength.round() as u32 }
    };
    Matrix {
        caption: format!("PE(s)·PE(t) for s, t = 0 … {}", enclosed.len().saturating_sub(1)),
        headings: (0..enclosed.len()).map(|t| t.to_string()).collect(),
        rows: (0..enclosed.len()).map(|s| (0..enclosed.len()).map(|t| cell(s.abs_diff(t))).collect()).collect(),
    }
}
