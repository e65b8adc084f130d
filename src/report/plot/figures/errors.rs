//! Error against position, for each format and each way to compute the frequencies.

use super::{WORST_AND_BOUND, decades, format_name, grouped, head};
use crate::bound::Path;
use crate::number::format::Format;
use crate::report::bounds::scientific;
use crate::report::plot::chart::{Chart, Level, Series, Stroke, key};
use crate::report::plot::data::errors::{Outcome, Sweep};
use crate::report::plot::figure::{Figure, Key, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use rug::float::Round;

pub(super) fn figure(outcomes: &[Outcome], length: u64) -> Figure {
    let compared: u64 = made(outcomes).map(|(_, sweep)| sweep.comparisons).sum();
    let dim = head().dim;
    let command = |format: Format, path: Path| {
        format!(
            "posproof bound rope --dim {dim} --positions 0..{length} --dtype {format} --path {path} --ulp 0.5 --worst --json"
        )
    };
    Figure {
        id: "errors",
        title: "Error against position".into(),
        caption: "The largest error of any cosine or sine of a rotary table, and the rigorous bound drawn over it. In each format \
the error grows with the position, because the rounding of the angle does; how the frequencies are computed decides by how much. \
Marks are exact worst cases, lines are bounds: no mark is above its line, and most lie on it."
            .into(),
        numbers: format!(
            "dim {dim}, base 10000, everything in one format, sine and cosine correctly rounded (κ = 0.5). {} entries were compared \
with certified references, stretch by stretch of positions; a mark is the worst of a stretch and of all pairs. {}",
            grouped(compared),
            missing(outcomes)
        ),
        commands: vec![command(Format::F32, Path::Exp), command(Format::Bf16, Path::F64)],
        panels: Format::ALL.map(|format| panel(outcomes, format, length)).to_vec(),
        keys: keys(),
        matrix: None,
        data: Format::ALL.map(|format| numbers(outcomes, format)).to_vec(),
    }
}

/// What the paths' colours mean.
pub(super) fn keys() -> Vec<Key> {
    let label = |path: Path| match path {
        Path::Pow => "pow: 1/pow(base, 2k/dim)",
        Path::Exp => "exp: exp(−2k·(ln base/dim))",
        Path::Repeated => "repeated multiplication",
        Path::F64 => "f64: pow in f64, then cast",
        Path::Rounded => "rounded: correctly rounded",
    };
    Path::ALL.into_iter().enumerate().map(|(hue, path)| key(label(path), hue, &WORST_AND_BOUND)).collect()
}

/// The sweeps that there are, each with the hue of its path.
pub(super) fn made(outcomes: &[Outcome]) -> impl Iterator<Item = (usize, &Sweep)> {
    let hue = |path: Path| Path::ALL.into_iter().position(|other| other == path).unwrap_or(0);
    outcomes.iter().filter_map(move |(_, path, sweep)| Some((hue(*path), sweep.as_ref().ok()?)))
}

/// Why some programs are missing, format by format.
fn missing(outcomes: &[Outcome]) -> String {
    let of = |format: Format| {
        let absent = outcomes.iter().filter(|(other, _, sweep)| *other == format && sweep.is_err());
        let absent: Vec<(&str, String)> =
            absent.filter_map(|(_, path, sweep)| Some((path.name(), sweep.as_ref().err()?.to_string()))).collect();
        let (_, reason) = absent.first()?;
        let paths: Vec<&str> = absent.iter().map(|(path, _)| *path).collect();
        Some(format!("Not defined in {format}: {} ({reason}).", paths.join(", ")))
    };
    Format::ALL.into_iter().filter_map(of).collect::<Vec<_>>().join(" ")
}

fn panel(outcomes: &[Outcome], format: Format, length: u64) -> Panel {
    let here: Vec<(usize, &Sweep)> = made(outcomes).filter(|(_, sweep)| sweep.program.angle == format).collect();
    let errors = here.iter().flat_map(|(_, sweep)| sweep.stretches.iter().filter(|(range, _)| range.start > 0));
    let domain = decades(errors.flat_map(|(_, errors)| [errors.worst, errors.instance]));
    let bounds = here.iter().map(|(hue, sweep)| {
        let mut points: Vec<[f64; 2]> =
            sweep.stretches.iter().map(|(range, errors)| [range.start as f64, errors.instance]).collect();
        points.extend(sweep.stretches.last().map(|(range, errors)| [range.end as f64, errors.instance]));
        Series { hue: *hue, stroke: Stroke::Steps, points }
    });
    let marks = here.iter().map(|(hue, sweep)| {
        let points = sweep.stretches.iter().map(|(range, errors)| {
            let middle = (range.start as f64 * (range.end - 1) as f64).sqrt();
            [middle, errors.worst]
        });
        Series { hue: *hue, stroke: Stroke::Marks, points: points.collect() }
    });
    let trivial = (domain[1] >= 2.0).then(|| Level { value: 2.0, label: "2: the trivial bound".into(), at_end: false });
    let chart = Chart {
        frame: Frame {
            id: format!("errors-{format}"),
            title: format!("Error against position in {}", format_name(format)),
            description: format!(
                "Largest error by position from 1 to {} on logarithmic axes, for {} ways to compute the frequencies, each \
with its bound. {}",
                grouped(length),
                here.len(),
                here.iter().filter_map(|(_, sweep)| summary(sweep)).collect::<Vec<_>>().join(" ")
            ),
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x: Axis::logarithmic("position", [1.0, length as f64], 6),
            y: Axis::logarithmic("largest |error|", domain, 6),
        },
        series: bounds.chain(marks).collect(),
        levels: trivial.into_iter().collect(),
    };
    Panel { heading: format_name(format).to_owned(), svg: chart.svg(), wide: false, keys: Vec::new() }
}

fn summary(sweep: &Sweep) -> Option<String> {
    let (range, errors) = sweep.stretches.last()?;
    let worst = scientific(errors.worst, 3, Round::Nearest);
    let bound = scientific(errors.instance, 3, Round::Up);
    Some(format!(
        "By {}: {worst} at most at positions {} to {}, bound {bound}.",
        sweep.program.path,
        range.start,
        range.end - 1
    ))
}

fn numbers(outcomes: &[Outcome], format: Format) -> Numbers {
    let here: Vec<&Sweep> =
        made(outcomes).map(|(_, sweep)| sweep).filter(|sweep| sweep.program.angle == format).collect();
    let headings = here.iter().flat_map(|sweep| {
        let path = sweep.program.path;
        [format!("{path}: worst"), "bound".to_owned(), "a priori".to_owned()]
    });
    let stretches = here.first().map_or(0, |sweep| sweep.stretches.len());
    let row = |index: usize| {
        let cells = here.iter().filter_map(|sweep| sweep.stretches.get(index)).flat_map(|(_, errors)| {
            [
                scientific(errors.worst, 4, Round::Nearest),
                scientific(errors.instance, 4, Round::Up),
                scientific(errors.a_priori, 4, Round::Up),
            ]
        });
        let range = here.first().and_then(|sweep| sweep.stretches.get(index)).map(|(range, _)| range.clone());
        let range = range.map_or(String::new(), |range| format!("{}..{}", range.start, range.end));
        std::iter::once(range).chain(cells).collect()
    };
    Numbers {
        caption: format!("Worst error and bounds by position in {}", format_name(format)),
        columns: std::iter::once("positions".to_owned()).chain(headings).collect(),
        rows: (0..stretches).map(row).collect(),
    }
}
