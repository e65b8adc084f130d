//! Lengths of context before each decimal digit is lost.

use super::head;
use crate::bound::Program;
use crate::number::format::Format;
use crate::report::plot::chart::{Chart, Level, Series, Stroke, key};
use crate::report::plot::data::Unavailable;
use crate::report::plot::data::digits::{DecimalLengths, lengths};
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use crate::table::LIMIT;

/// The programs, each with a name: everything in one format, and binary32 angles stored in a narrower one.
fn programs() -> Vec<(String, Program)> {
    let whole = Format::ALL.map(|format| (super::format_name(format).to_owned(), Program::rounded(format)));
    let stored = [Format::F16, Format::Bf16]
        .map(|storage| (format!("f32, stored in {storage}"), Program { storage, ..Program::rounded(Format::F32) }));
    whole.into_iter().chain(stored).collect()
}

pub(super) fn figure() -> Result<Figure, Unavailable> {
    let (mut series, mut keys, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (name, program) in programs() {
        // The colour is that of the entries' format, dashed where angles have another.
        let (meaning, whole) = (Meaning::Format(program.storage), program.storage == program.angle);
        let stroke = if whole { Stroke::Line } else { Stroke::Dashed };
        let answer = lengths(&head(), program, LIMIT)?;
        let points: Vec<[f64; 2]> = (1..).zip(&answer.kept).map(|(n, kept)| [f64::from(n), *kept as f64]).collect();
        series.push(Series { meaning, stroke, points: points.clone() });
        series.push(Series { meaning, stroke: Stroke::Marks, points });
        keys.extend(whole.then(|| key(&name, meaning, &[Stroke::Line, Stroke::Marks])));
        all.push((name, answer));
    }
    keys.push(key("dashed: angles in f32, entries in the format of the colour", Meaning::Shade(0), &[Stroke::Dashed]));
    // The two that are close together are labelled at either end.
    let levels = [(8192.0, "8192 positions", true), (131_072.0, "131072", false), (1_048_576.0, "2²⁰", true)];
    let most = all.iter().map(|(_, answer)| answer.kept.len()).max().unwrap_or(1);
    let chart = Chart {
        frame: Frame {
            id: "decimals-chart".into(),
            title: "Context length at which each format loses each decimal digit".into(),
            description: description(&all),
            size: [680.0, 416.0],
            margins: Frame::WIDE_MARGINS,
            x: Axis::linear("decimals guaranteed: every entry within 10⁻ⁿ", [0.5, most as f64 - 0.5], 20),
            y: Axis::logarithmic("positions", [1.0, LIMIT as f64], 8),
        },
        series,
        levels: levels.map(|(value, label, at_end)| Level { value, label: label.to_owned(), at_end }).to_vec(),
    };
    let dim = head().dim;
    Ok(Figure {
        id: "decimals",
        title: "When each digit is lost".into(),
        caption: format!(
            "For each number n of decimals the number of positions 0, 1, 2, … at which every cosine and sine of the table \
is guaranteed to be within 10⁻ⁿ of its exact value. A step to the right costs a factor of ten in length until the format's own \
rounding ends it. Where a mark is missing, not even position 1 keeps the digit. {}",
            headline(&all)
        ),
        numbers: format!(
            "The inverse of the instance bound for dim {dim}, base 10000, correctly rounded frequencies and functions, over all \
pairs; positions are looked at below 2⁵³, in f16 up to 65504."
        ),
        commands: vec![
            format!("posproof bound rope --dim {dim} --dtype f32 --ulp 0.5 --error 1e-3 --positions 0..1048576"),
            format!(
                "posproof bound rope --dim {dim} --dtype bf16 --angle f32 --ulp 0.5 --error 1e-2 --positions 0..1048576"
            ),
        ],
        panels: vec![Panel { heading: String::new(), svg: chart.svg(), wide: true, keys: Vec::new() }],
        keys,
        matrix: None,
        data: vec![numbers(&all, most)],
    })
}

/// Lengths to which the programs keep two decimals.
fn headline(all: &[(String, DecimalLengths)]) -> String {
    let kept = all.iter().filter_map(|(name, answer)| {
        let count = *answer.kept.get(1)?;
        let until = match count {
            0 => "nowhere".to_owned(),
            _ => format!("up to position {}", super::grouped(count - 1)),
        };
        Some(format!("{name} {until}"))
    });
    format!("Two decimals are kept: {}.", kept.collect::<Vec<_>>().join("; "))
}

fn description(all: &[(String, DecimalLengths)]) -> String {
    let sentence = |(name, answer): &(String, DecimalLengths)| {
        let digits = answer.kept.iter().filter(|kept| **kept > 131_071).count();
        format!("{name} keeps {digits} decimals at 131072 positions.")
    };
    all.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

fn numbers(all: &[(String, DecimalLengths)], most: usize) -> Numbers {
    let row = |index: usize| {
        let kept = |answer: &DecimalLengths| answer.kept.get(index).map_or("0".to_owned(), u64::to_string);
        std::iter::once((index + 1).to_string()).chain(all.iter().map(|(_, answer)| kept(answer))).collect()
    };
    Numbers {
        caption: "Positions that keep n decimals".into(),
        columns: std::iter::once("decimals".to_owned()).chain(all.iter().map(|(name, _)| name.clone())).collect(),
        rows: (0..most).map(row).collect(),
    }
}
