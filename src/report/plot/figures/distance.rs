//! The dot product of two encodings against their distance.

use crate::encoding::convention::Convention;
use crate::report::plot::chart::{Chart, Series, Stroke, key};
use crate::report::plot::data::Unavailable;
use crate::report::plot::data::encoding::{dot_product_error, dot_products};
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;

const DIMS: [usize; 3] = [512, 128, 32];
const COUNT: u64 = 512;

/// Distances between two rows of the table of numbers.
const STRIDE: usize = 16;

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let (mut series, mut keys, mut curves) = (Vec::new(), Vec::new(), Vec::new());
    for (place, dim) in DIMS.into_iter().enumerate() {
        let curve = dot_products(&Convention::sinusoid(dim), COUNT)?;
        let half = dim as f64 / 2.0;
        let points = curve.iter().enumerate().map(|(distance, value)| [distance as f64, value / half]);
        series.push(Series { meaning: Meaning::Shade(place), stroke: Stroke::Line, points: points.collect() });
        keys.push(key(&format!("d = {dim}"), Meaning::Shade(place), &[Stroke::Line]));
        curves.push(curve);
    }
    let least = series.iter().flat_map(|series| &series.points).map(|point| point[1]).fold(0.0, f64::min);
    let chart = Chart {
        frame: Frame {
            id: "distance-chart".into(),
            title: "Dot product of two encodings by their distance".into(),
            description: format!(
                "Three curves, for dimensions {DIMS:?}, start at 1, fall steeply over the first ten positions and then \
slowly, with ripples that are larger where the dimension is smaller."
            ),
            size: [680.0, 366.0],
            margins: Frame::WIDE_MARGINS,
            x: Axis::linear("distance n of the positions", [0.0, COUNT as f64], 8),
            y: Axis::linear("PE(t)·PE(t + n) ÷ (d/2)", [(least * 5.0).floor() / 5.0, 1.0], 6),
        },
        // The largest dimension has the calmest curve, drawn over the others.
        series: series.into_iter().rev().collect(),
        levels: Vec::new(),
    };
    let row = |distance: usize| {
        let values = curves.iter().filter_map(|curve| curve.get(distance)).map(|value| format!("{value:.6}"));
        std::iter::once(distance.to_string()).chain(values).collect()
    };
    let error = scientific(dot_product_error(&Convention::sinusoid(DIMS[0])), 2, Round::Up);
    Ok(Figure {
        id: "distance",
        title: "Similarity against distance".into(),
        caption: "PE(t)·PE(t + n) divided by its value d/2 at n = 0. It is largest at n = 0, falls with the distance at \
first and then ripples: the dot product tells near from far, but it is no decreasing function of the distance. The curve is \
the same to the left, for −n."
            .into(),
        numbers: format!(
            "Sums of correctly rounded cosines in binary64, each wrong by less than {error}: the theorem \
toeplitz_dot_product turns the dot product into Σ cos(n·ωᵢ)."
        ),
        commands: vec![
            "posproof show toeplitz.dot-product".into(),
            format!("posproof table sinusoid --dim {} --positions 0..{COUNT} --dtype f64 --out pe.npy", DIMS[0]),
        ],
        panels: vec![Panel { heading: String::new(), svg: chart.svg(), wide: true, keys: Vec::new() }],
        keys,
        matrix: None,
        data: vec![Numbers {
            caption: format!("PE(t)·PE(t + n) for every n = 0 … {STRIDE}, then every {STRIDE}th"),
            columns: std::iter::once("distance".to_owned()).chain(DIMS.map(|dim| format!("d = {dim}"))).collect(),
            rows: (0..STRIDE).chain((STRIDE..COUNT as usize).step_by(STRIDE)).map(row).collect(),
        }],
    })
}
