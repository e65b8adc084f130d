//! Dependence on absolute position in a logit, by where the key stands.

use super::ratios::{Quotient, quotients};
use super::{decades, format_name, grouped, head};
use crate::bound::{ByKey, Keys, Model, Program};
use crate::number::format::Format;
use crate::report::plot::chart::{Chart, Series, Stroke, key};
use crate::report::plot::data::Unavailable;
use crate::report::plot::figure::{Figure, LegendEntry, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;

/// Formats of the table and of what is rotated by it; its angles, and sums, are in binary32.
const FORMATS: [Format; 3] = [Format::F32, Format::Bf16, Format::F16];

/// Ranges of positions grow by this factor.
const STEP: u64 = 2;

pub(super) fn figure(length: u64) -> Result<Figure, Unavailable> {
    let measured = FORMATS.map(|format| -> Result<(Format, ByKey), Unavailable> {
        let program = Program { storage: format, ..Program::rounded(Format::F32) };
        let model = Model::new(&head(), &program)?;
        Ok((format, model.errors_by_key(&model.usual_attention(1), &(0..length), STEP)?))
    });
    let measured: Vec<(Format, ByKey)> = measured.into_iter().collect::<Result<_, _>>()?;
    let of = |format: Format| measured.iter().find(|(other, _)| *other == format).map(|(_, errors)| errors);
    let dim = head().dim;
    let logits = measured.first().map_or(0, |(_, errors)| errors.logits);
    Ok(Figure {
        id: "keys",
        title: "Absolute position in attention, by key".into(),
        caption: "An exact logit depends on the distance of query and key alone. A computed one also changes when both are moved \
by the same number of positions. First the root mean square of that change, by where the key stood before; then the same divided by \
that of the last keys, 1 where the first token is nothing special. "
            .to_owned()
            + &of(Format::Bf16).map(settled).unwrap_or_default(),
        numbers: format!(
            "dim {dim}, base 10000, tables with angles in binary32, sums in binary32; {} random logits for each mark, with uniformly \
distributed components, queries in the middle of {} positions and keys before them, moved by 1 to {} positions. Measured, not \
proved: a mark of another draw stands some two hundredths higher or lower.",
            grouped(logits),
            grouped(length),
            grouped(length / 2),
        ),
        commands: FORMATS
            .map(|format| format!("posproof bound attention --dim {dim} --positions 0..{length} --dtype {format} --ulp 0.5"))
            .to_vec(),
        panels: vec![absolute(&measured, length), compared(&measured, length)],
        keys: Vec::new(),
        matrix: None,
        data: measured.iter().map(numbers).collect(),
    })
}

/// Result of the figure, in one sentence, of the figures themselves.
fn settled(errors: &ByKey) -> String {
    let Some(first) = errors.classes.first() else { return String::new() };
    let keys = errors.queries.start;
    format!(
        "In bf16 the first of {} keys has {:.2} times an equal share of the sum of squares; it has half of all where its weight is \
{:.2} % or more and the others are equal: by its weight, not by where it stands.",
        grouped(keys),
        first.share * keys as f64,
        100.0 * errors.half_at_weight,
    )
}

fn legend() -> Vec<LegendEntry> {
    let strokes = [Stroke::Line, Stroke::Marks];
    FORMATS.map(|format| key(format_name(format), Meaning::Format(format), &strokes)).to_vec()
}

/// Position 0 stands at 1, as logarithms have it.
fn axis(length: u64) -> Axis {
    Axis::logarithmic("position of the key, plus 1", [1.0, length as f64 / 2.0], 6)
}

fn points(errors: &ByKey, value: impl Fn(&Keys) -> f64) -> Vec<[f64; 2]> {
    errors.classes.iter().map(|keys| [keys.positions.start as f64 + 1.0, value(keys)]).collect()
}

fn absolute(measured: &[(Format, ByKey)], length: u64) -> Panel {
    let heading = "Change of a logit";
    let all = measured.iter().flat_map(|(_, errors)| &errors.classes);
    let domain = decades(all.map(|keys| keys.moved));
    let series = measured.iter().flat_map(|(format, errors)| {
        [Stroke::Line, Stroke::Marks].map(|stroke| Series {
            meaning: Meaning::Format(*format),
            stroke,
            points: points(errors, |keys| keys.moved),
        })
    });
    let chart = Chart {
        frame: Frame {
            id: "keys-absolute".into(),
            title: heading.into(),
            description:
                "Root mean square of the change of a logit by the position of its key, on logarithmic axes: one nearly \
level line for each format."
                    .into(),
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x: axis(length),
            y: Axis::logarithmic("root mean square", domain, 7),
        },
        series: series.collect(),
        levels: Vec::new(),
    };
    Panel { heading: heading.into(), svg: chart.svg(), wide: false, keys: legend() }
}

fn compared(measured: &[(Format, ByKey)], length: u64) -> Panel {
    let heading = "The same ÷ that of the last keys";
    let quotient = |(format, errors): &(Format, ByKey)| {
        let last = errors.classes.last().map_or(f64::NAN, |keys| keys.moved);
        Quotient { meaning: Meaning::Format(*format), points: points(errors, |keys| keys.moved / last) }
    };
    let description = "Quotients by the position of the key, near 1 for all but the first.".to_owned();
    let svg = quotients(
        "keys-compared",
        heading,
        description,
        axis(length),
        "quotient",
        measured.iter().map(quotient).collect(),
    );
    Panel { heading: heading.into(), svg, wide: false, keys: legend() }
}

fn numbers((format, errors): &(Format, ByKey)) -> Numbers {
    let row = |keys: &Keys| {
        vec![
            format!("{}..{}", keys.positions.start, keys.positions.end),
            scientific(keys.error, 4, Round::Nearest),
            scientific(keys.moved, 4, Round::Nearest),
            scientific(keys.largest, 4, Round::Nearest),
            format!("{:.4} %", 100.0 * keys.share),
        ]
    };
    Numbers {
        caption: format_name(*format).into(),
        columns: [
            "keys",
            "error, root mean square",
            "change, root mean square",
            "largest change",
            "share of the squares",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: errors.classes.iter().map(row).collect(),
    }
}
