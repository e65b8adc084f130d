//! Admissible bases against the length of the context.

use crate::report::decimal::rounded_up;
use crate::report::plot::chart::{Chart, Series, Stroke, key};
use crate::report::plot::data::Unavailable;
use crate::report::plot::data::bases::{Bases, Decimal, PRINTED, bases};
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;

const SETS: Meaning = Meaning::Shade(1);
const PRINTED_BASES: Meaning = Meaning::Pattern(1);
const MODELS: Meaning = Meaning::Pattern(2);

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let found = bases()?;
    let served = found.sets.iter().flat_map(|set| {
        let length = f64::from(set.length);
        set.admissible.iter().flat_map(move |ends| ends.each_ref().map(|end| [length, end.value]))
    });
    let printed = PRINTED.map(|(length, base)| [f64::from(length), base]);
    let models = found.models.iter().map(|model| [f64::from(model.context), model.base.value]);
    let series = [
        Series { meaning: SETS, stroke: Stroke::Segments, points: served.collect() },
        Series { meaning: PRINTED_BASES, stroke: Stroke::Marks, points: printed.to_vec() },
        Series { meaning: MODELS, stroke: Stroke::Marks, points: models.collect() },
    ];
    let chart = Chart {
        frame: Frame {
            id: "bases-chart".into(),
            title: "Admissible bases against length".into(),
            description: "For each length from 1024 to 16384 the bases that serve it as upright bars, broken by holes; above some \
base no hole is left. Triangles are the least bases that a paper prints, squares are released models."
                .into(),
            size: [680.0, 420.0],
            margins: Frame::WIDE_MARGINS,
            x: Axis::logarithmic("length of the context in positions", [500.0, 2e6], 8),
            y: Axis::logarithmic("base", [1e3, 1e9], 8),
        },
        series: series.to_vec(),
        levels: Vec::new(),
    };
    Ok(Figure {
        id: "bases",
        title: "Admissible bases".into(),
        caption: format!(
            "The bases for which the sum of the cosines of all pairs' angles is not negative at any distance up to the \
length, for heads of {dim} dimensions: the criterion of Base of RoPE Bounds Context Length, whose printed least bases are \
triangles. Its sets have holes, so that there is more than one bound. Squares are released models with unscaled frequencies, by \
the longest context of their configuration; the criterion is one of that paper, and a model below the bars may work well.",
            dim = found.dim
        ),
        numbers: format!(
            "Bars are certified for every real base between 10³ and 10⁷ but for intervals of at most 2⁻⁴⁰ of the base at their \
ends, which are undecided: at most a share of {undecided} of the range for each length. They are computed beforehand by the \
sweeps below. The paper's table was read as quoted in a post on it, with k as 1024; the models' values are those of the \
config.json that their makers published.",
            undecided = rounded_up(found.sets.iter().map(|set| found.undecided_share(set)).fold(0.0, f64::max))
        ),
        commands: found
            .sets
            .iter()
            .map(|set| {
                let [lower, upper] = found.bases;
                format!(
                    "posproof sweep admissible-bases --dim {} --length {} --bases {lower}..{upper}",
                    found.dim, set.length
                )
            })
            .collect(),
        panels: vec![Panel { heading: String::new(), svg: chart.svg(), wide: true, keys: Vec::new() }],
        keys: vec![
            key("bases that serve the length", SETS, &[Stroke::Line]),
            key("least base printed in Base of RoPE Bounds Context Length", PRINTED_BASES, &[Stroke::Marks]),
            key("released model: context and base of its config.json", MODELS, &[Stroke::Marks]),
        ],
        matrix: None,
        data: numbers(&found),
    })
}

/// The ends of the sets, the printed bases and the models.
fn numbers(found: &Bases) -> Vec<Numbers> {
    let sets = found.sets.iter().map(|set| {
        let end = |interval: Option<&[Decimal; 2]>| interval.map_or_else(String::new, |[lower, _]| lower.text.clone());
        vec![
            set.length.to_string(),
            end(set.admissible.first()),
            end(set.admissible.last()),
            set.admissible.len().to_string(),
            rounded_up(found.undecided_share(set)),
        ]
    });
    let printed = PRINTED.iter().map(|(length, base)| vec![length.to_string(), base.to_string()]);
    let models =
        found.models.iter().map(|model| vec![model.model.clone(), model.context.to_string(), model.base.text.clone()]);
    let table = |caption: &str, columns: &[&str], rows| Numbers {
        caption: caption.to_owned(),
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        rows,
    };
    vec![
        table(
            "Certified sets",
            &["length", "least base that serves it", "all from here on", "intervals", "undecided share of the range"],
            sets.collect(),
        ),
        table("Printed least bases (arXiv 2405.14591)", &["length", "base"], printed.collect()),
        table("Released models (config.json)", &["model", "context", "base"], models.collect()),
    ]
}
