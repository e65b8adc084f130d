//! Wavelengths of the pairs of several models.

use crate::bound::configurations;
use crate::report::plot::chart::{Chart, End, Level, Series, Stroke};
use crate::report::plot::data::Unavailable;
use crate::report::plot::data::wavelengths::wavelengths;
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;

/// The configurations that are drawn, by name, each with the label of its line.
const DRAWN: [(&str, &str); 5] = [
    ("transformer", "Transformer"),
    ("llama-3", "Llama 3"),
    ("llama-3-scaled", "Llama 3.1"),
    ("qwen-1m", "Qwen 1M"),
    ("yarn", "YaRN"),
];

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let (mut series, mut ends, mut data, mut domain) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut told = Vec::new();
    for configuration in configurations() {
        let Some((_, label)) = DRAWN.iter().find(|(name, _)| *name == configuration.name) else { continue };
        let lengths = wavelengths(&configuration.convention)?;
        let share = |pair: usize| pair as f64 / lengths.len() as f64;
        let points = lengths.iter().enumerate().map(|(pair, length)| [share(pair), *length]).collect();
        series.push(Series { meaning: Meaning::Shade(0), stroke: Stroke::Line, points });
        ends.extend(lengths.last().map(|last| End { value: *last, label: (*label).to_owned() }));
        told.push(format!("{label} is {}", configuration.about));
        let row = |(pair, length): (usize, &f64)| vec![pair.to_string(), scientific(*length, 7, Round::Nearest)];
        let stride = lengths.len().div_ceil(16);
        data.push(Numbers {
            caption: configuration.about.to_owned(),
            columns: vec!["pair".into(), "wavelength".into()],
            rows: lengths
                .iter()
                .enumerate()
                .filter(|(pair, _)| pair % stride == 0 || pair + 1 == lengths.len())
                .map(row)
                .collect(),
        });
        domain.extend(lengths);
    }
    let levels = [(8192, "8192 positions"), (131_072, "131072 positions")];
    let chart = Chart {
        frame: Frame {
            id: "wavelengths-chart".into(),
            title: "Wavelength of each pair".into(),
            description: "Straight lines on a logarithmic axis, all starting at 2π. The larger the base, the steeper; \
scaled variants leave the straight line where they stretch long wavelengths."
                .into(),
            size: [680.0, 396.0],
            margins: [44.0, 140.0, 56.0, 84.0],
            x: Axis::linear("pair ÷ number of pairs", [0.0, 1.0], 5),
            y: Axis::logarithmic("wavelength in positions", super::decades(domain.into_iter()), 8),
        },
        series,
        levels: levels
            .map(|(value, label)| Level { value: f64::from(value), label: label.to_owned(), at_end: false })
            .to_vec(),
    };
    Ok(Figure {
        id: "wavelengths",
        title: "Wavelengths".into(),
        caption: "After how many positions each pair has turned once. The wavelengths of a base form a geometric progression \
from 2π, a straight line here; pairs above a dashed level never complete a turn within that context. The llama3 and YaRN rules \
leave short wavelengths alone and stretch long ones. "
            .to_owned()
            + &told.join("; ")
            + ".",
        numbers: "2π/ωₖ in exact real arithmetic, enclosed at 128 bits and rounded to the nearest binary64 number.".into(),
        commands: vec!["posproof show sinusoid.wavelengths".into()],
        panels: vec![Panel { heading: String::new(), svg: chart.labelled(&ends), wide: true, keys: Vec::new() }],
        keys: Vec::new(),
        matrix: None,
        data,
    })
}
