//! Error against position: by format, beside its bound, and by path as a quotient.

use super::ratios::{Quotient, quotients};
use super::{WORST_AND_BOUND, decades, format_name, grouped, head};
use crate::bound::Path;
use crate::number::format::Format;
use crate::report::plot::chart::{Chart, Level, Series, Stroke, key};
use crate::report::plot::data::errors::{Outcome, Sweep};
use crate::report::plot::figure::{Figure, LegendEntry, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use std::ops::Range;

pub(super) fn figure(outcomes: &[Outcome], length: u64) -> Figure {
    let compared: u64 = made(outcomes).map(|sweep| sweep.comparisons).sum();
    let dim = head().dim;
    let command = |format: Format, path: Path| {
        format!(
            "posproof bound rope --dim {dim} --positions 0..{length} --dtype {format} --path {path} --ulp 0.5 --worst --json"
        )
    };
    let mut panels = vec![absolute(outcomes, length), reached(outcomes, length)];
    panels.extend(by_path(outcomes, length));
    Figure {
        id: "errors",
        title: "Error against position".into(),
        caption: "The largest error of any cosine or sine of a rotary table. In each format it grows with the position, because \
the rounding of the angle does. First the errors themselves, with correctly rounded frequencies: marks are exact worst cases, lines \
are bounds. Then what share of its bound each error reaches. Then what other ways to compute the frequencies cost: the error \
divided by that with correctly rounded frequencies, 1 where they cost nothing. "
            .to_owned()
            + &tightness(outcomes),
        numbers: format!(
            "dim {dim}, base 10000, everything in one format, sine and cosine correctly rounded (κ = 0.5). {} entries were compared \
with certified references, stretch by stretch of positions; a mark is the worst of a stretch and of all pairs. {}",
            grouped(compared),
            missing(outcomes)
        ),
        commands: vec![command(Format::F32, Path::Exp), command(Format::Bf16, Path::F64)],
        panels,
        keys: Vec::new(),
        matrix: None,
        data: Format::ALL.map(|format| numbers(outcomes, format)).to_vec(),
    }
}

/// Number of errors, of those above their bound, and the distance of the bound from the error.
fn tightness(outcomes: &[Outcome]) -> String {
    let stretches = made(outcomes).flat_map(|sweep| &sweep.stretches);
    let marks: Vec<(f64, f64)> = stretches.map(|(_, errors)| (errors.worst, errors.instance)).collect();
    let above = marks.iter().filter(|(worst, bound)| worst > bound).count();
    let mut ratios: Vec<f64> =
        marks.iter().filter(|(worst, _)| *worst > 0.0).map(|(worst, bound)| bound / worst).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
    format!(
        "Of {} errors {above} are above their bound; half of the bounds are within a factor {median:.3} of the error.",
        grouped(marks.len() as u64)
    )
}

/// Meanings of the formats' colours.
pub(super) fn format_keys(strokes: &[Stroke]) -> Vec<LegendEntry> {
    Format::ALL.map(|format| key(format_name(format), Meaning::Format(format), strokes)).to_vec()
}

/// The sweeps that there are.
pub(super) fn made(outcomes: &[Outcome]) -> impl Iterator<Item = &Sweep> {
    outcomes.iter().filter_map(|(_, _, sweep)| sweep.as_ref().ok())
}

/// The sweeps with correctly rounded frequencies, one a format.
pub(super) fn rounded(outcomes: &[Outcome]) -> Vec<&Sweep> {
    made(outcomes).filter(|sweep| sweep.program.path == Path::Rounded).collect()
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

/// Where a stretch of positions stands on a logarithmic axis; the first, position 0 alone, nowhere.
fn middle(range: &Range<u64>) -> f64 {
    (range.start as f64 * (range.end - 1) as f64).sqrt()
}

fn position(length: u64) -> Axis {
    Axis::logarithmic("position", [1.0, length as f64], 6)
}

/// The errors and their bounds, by format.
fn absolute(outcomes: &[Outcome], length: u64) -> Panel {
    let heading = "Error and bound, by format";
    let sweeps = rounded(outcomes);
    let after_0 = sweeps.iter().flat_map(|sweep| sweep.stretches.iter().filter(|(range, _)| range.start > 0));
    let domain = decades(after_0.flat_map(|(_, errors)| [errors.worst, errors.instance]));
    let bounds = sweeps.iter().map(|sweep| {
        let mut points: Vec<[f64; 2]> =
            sweep.stretches.iter().map(|(range, errors)| [range.start as f64, errors.instance]).collect();
        points.extend(sweep.stretches.last().map(|(range, errors)| [range.end as f64, errors.instance]));
        Series { meaning: Meaning::Format(sweep.program.angle), stroke: Stroke::Steps, points }
    });
    let marks = sweeps.iter().map(|sweep| {
        let points = sweep.stretches.iter().map(|(range, errors)| [middle(range), errors.worst]);
        Series { meaning: Meaning::Format(sweep.program.angle), stroke: Stroke::Marks, points: points.collect() }
    });
    let trivial = (domain[1] >= 2.0).then(|| Level { value: 2.0, label: "2: the trivial bound".into(), at_end: false });
    let chart = Chart {
        frame: Frame {
            id: "errors-absolute".into(),
            title: heading.into(),
            description: format!(
                "Largest error by position from 1 to {} on logarithmic axes: one line for each format, rising with the \
position, each with its marks just below it. {}",
                grouped(length),
                sweeps.iter().filter_map(|sweep| summary(sweep)).collect::<Vec<_>>().join(" ")
            ),
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x: position(length),
            y: Axis::logarithmic("largest |error|", domain, 6),
        },
        series: bounds.chain(marks).collect(),
        levels: trivial.into_iter().collect(),
    };
    Panel { heading: heading.into(), svg: chart.svg(), wide: false, keys: format_keys(&WORST_AND_BOUND) }
}

/// Share of its bound that each error reaches.
fn reached(outcomes: &[Outcome], length: u64) -> Panel {
    let heading = "Error ÷ bound, by format";
    let series = rounded(outcomes).into_iter().map(|sweep| Quotient {
        meaning: Meaning::Format(sweep.program.angle),
        points: sweep.stretches.iter().map(|(range, errors)| [middle(range), errors.worst / errors.instance]).collect(),
    });
    let description = "One line for each format between 0 and 1, where 1 says that the bound is attained.".to_owned();
    let drawn = quotients("errors-reached", heading, description, position(length), "error ÷ bound", series.collect());
    Panel { heading: heading.into(), svg: drawn, wide: false, keys: format_keys(&[Stroke::Line, Stroke::Marks]) }
}

/// The paths that frequencies are computed by where they are not correctly rounded, as their colours mean them.
pub(super) fn path_keys() -> Vec<LegendEntry> {
    let label = |path: Path| match path {
        Path::Pow => "by pow: 1/pow(base, 2k/dim)",
        Path::Exp => "by exp: exp(−2k·(ln base/dim))",
        Path::Repeated => "by repeated multiplication",
        Path::F64 => "in f64 by pow, then cast",
        Path::Rounded => "correctly rounded",
        Path::Recurrence => "by recurrence over positions",
    };
    let compared = Path::ALL.into_iter().filter(|path| *path != Path::Rounded);
    compared.map(|path| key(label(path), Meaning::Path(path), &[Stroke::Line, Stroke::Marks])).collect()
}

/// For each format in which a path has another error than correctly rounded frequencies: the quotients.
fn by_path(outcomes: &[Outcome], length: u64) -> Vec<Panel> {
    let of = |format: Format| {
        let reference = rounded(outcomes).into_iter().find(|sweep| sweep.program.angle == format)?;
        let others: Vec<&Sweep> = made(outcomes)
            .filter(|sweep| sweep.program.angle == format && sweep.program.path != Path::Rounded)
            .collect();
        let quotient = |sweep: &&Sweep| Quotient {
            meaning: Meaning::Path(sweep.program.path),
            points: sweep
                .stretches
                .iter()
                .zip(&reference.stretches)
                .map(|((range, errors), (_, least))| [middle(range), errors.worst / least.worst])
                .collect(),
        };
        let heading = format!("{}: error ÷ error with correctly rounded frequencies", format);
        let series: Vec<Quotient> = others.iter().map(quotient).collect();
        let same = |[x, y]: &[f64; 2]| *x < 1.0 || *y == 1.0;
        if series.iter().all(|quotient| quotient.points.iter().all(same)) {
            return None;
        }
        let description = format!(
            "Quotients by position on a logarithmic axis, one line for each way to compute the frequencies in {}. {}",
            format_name(format),
            others.iter().filter_map(|sweep| summary(sweep)).collect::<Vec<_>>().join(" ")
        );
        let (id, name) = (format!("errors-{format}"), "quotient of errors");
        let svg = quotients(&id, &heading, description, position(length), name, series);
        Some(Panel { heading, svg, wide: false, keys: path_keys() })
    };
    Format::ALL.into_iter().filter_map(of).collect()
}

fn summary(sweep: &Sweep) -> Option<String> {
    let (range, errors) = sweep.stretches.last()?;
    let worst = scientific(errors.worst, 3, Round::Nearest);
    let bound = scientific(errors.instance, 3, Round::Up);
    Some(format!(
        "In {} by {}: {worst} at most at positions {} to {}, bound {bound}.",
        sweep.program.angle,
        sweep.program.path,
        range.start,
        range.end - 1
    ))
}

fn numbers(outcomes: &[Outcome], format: Format) -> Numbers {
    let here: Vec<&Sweep> = made(outcomes).filter(|sweep| sweep.program.angle == format).collect();
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
