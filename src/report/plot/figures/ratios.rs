//! Quotients of errors, which show what absolute figures over many decades hide.

use crate::report::plot::chart::{Chart, Level, Series, Stroke};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;

/// The quotients of one program.
pub(super) struct Quotient {
    /// Meaning of its line.
    pub meaning: Meaning,
    /// Where, and how much.
    pub points: Vec<[f64; 2]>,
}

/// A drawing of quotients from 0 on, with a level at 1. Those that are no numbers, 0 ÷ 0, are left out.
pub(super) fn quotients(
    id: &str,
    title: &str,
    description: String,
    x: Axis,
    name: &str,
    quotients: Vec<Quotient>,
) -> String {
    let values = quotients.iter().flat_map(|quotient| &quotient.points).map(|point| point[1]);
    let most = values.filter(|value| value.is_finite()).fold(1.0, f64::max);
    // Room for the marks at the top, in steps of which ticks are made.
    let top = if most > 2.0 { most.ceil() } else { (most * 5.0 + 0.5).ceil() / 5.0 };
    let series = quotients.into_iter().flat_map(|Quotient { meaning, points }| {
        [Stroke::Line, Stroke::Marks].map(|stroke| Series { meaning, stroke, points: points.clone() })
    });
    let chart = Chart {
        frame: Frame {
            id: id.to_owned(),
            title: title.to_owned(),
            description,
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x,
            y: Axis::linear(name, [0.0, top], 6),
        },
        series: series.collect(),
        levels: vec![Level { value: 1.0, label: String::new(), at_end: false }],
    };
    chart.svg()
}
