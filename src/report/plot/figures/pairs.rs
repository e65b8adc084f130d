//! Error against pair index.

use super::errors::{keys, made};
use super::{WORST_AND_BOUND, decades, format_name, grouped, head};
use crate::bound::Path;
use crate::number::format::Format;
use crate::report::bounds::scientific;
use crate::report::plot::chart::{Chart, Series, Stroke, key};
use crate::report::plot::data::errors::{Outcome, Sweep};
use crate::report::plot::figure::{Figure, Key, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use rug::float::Round;

pub(super) fn figure(outcomes: &[Outcome], length: u64) -> Figure {
    let hue = |format: Format| Format::ALL.into_iter().position(|other| other == format).unwrap_or(0);
    let formats: Vec<(usize, &Sweep)> = made(outcomes)
        .filter(|(_, sweep)| sweep.program.path == Path::Rounded)
        .map(|(_, sweep)| (hue(sweep.program.angle), sweep))
        .collect();
    let paths: Vec<(usize, &Sweep)> = made(outcomes).filter(|(_, sweep)| sweep.program.angle == Format::F32).collect();
    let dim = head().dim;
    let legend = Format::ALL.map(|format| key(format_name(format), hue(format), &WORST_AND_BOUND));
    Figure {
        id: "pairs",
        title: "Error against pair".into(),
        caption: format!(
            "The largest error over the first {} positions, pair by pair: first for each format with correctly rounded \
frequencies, then in binary32 for each way to compute them. Pair 0 turns by exactly 1 a position, so that its frequency \
is exact; from pair 1 on the error falls in proportion to the frequency, until the rounding of the entries themselves is all \
that remains. f16 holds positions up to 65504 only.",
            grouped(length)
        ),
        numbers: format!(
            "The same {} comparisons as before, dim {dim}, base 10000; marks are exact worst cases, lines are instance bounds.",
            grouped(made(outcomes).map(|(_, sweep)| sweep.comparisons).sum())
        ),
        commands: vec![format!(
            "posproof bound rope --dim {dim} --positions 0..{length} --dtype f32 --ulp 0.5 --worst --json"
        )],
        panels: vec![
            panel("formats", "Correctly rounded frequencies, by format", &formats, legend.to_vec()),
            panel("paths", "In binary32, by path of the frequencies", &paths, keys()),
        ],
        keys: Vec::new(),
        matrix: None,
        data: vec![
            numbers("By format", &formats, |sweep| sweep.program.angle.to_string()),
            numbers("In binary32, by path", &paths, |sweep| sweep.program.path.to_string()),
        ],
    }
}

fn panel(id: &str, heading: &str, sweeps: &[(usize, &Sweep)], keys: Vec<Key>) -> Panel {
    let all = sweeps.iter().flat_map(|(_, sweep)| &sweep.pairs);
    let domain = decades(all.flat_map(|errors| [errors.worst, errors.instance]));
    let series = |hue: usize, stroke: Stroke, sweep: &Sweep| Series {
        hue,
        stroke,
        points: sweep
            .pairs
            .iter()
            .enumerate()
            .map(|(pair, errors)| [pair as f64, if stroke == Stroke::Marks { errors.worst } else { errors.instance }])
            .collect(),
    };
    let lines = sweeps.iter().map(|(hue, sweep)| series(*hue, Stroke::Line, sweep));
    let marks = sweeps.iter().map(|(hue, sweep)| series(*hue, Stroke::Marks, sweep));
    let last = sweeps.iter().map(|(_, sweep)| sweep.pairs.len()).max().unwrap_or(1) as f64;
    let chart = Chart {
        frame: Frame {
            id: format!("pairs-{id}"),
            title: heading.to_owned(),
            description:
                "Largest error by pair on a logarithmic axis: nearly flat for the first pairs, then falling in a \
straight line, then flat again at the rounding of the entries."
                    .into(),
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x: Axis::linear("pair", [0.0, last], 6),
            y: Axis::logarithmic("largest |error|", domain, 7),
        },
        series: lines.chain(marks).collect(),
        levels: Vec::new(),
    };
    Panel { heading: heading.to_owned(), svg: chart.svg(), wide: false, keys }
}

fn numbers(caption: &str, sweeps: &[(usize, &Sweep)], name: fn(&Sweep) -> String) -> Numbers {
    let headings = sweeps.iter().flat_map(|(_, sweep)| [format!("{}: worst", name(sweep)), "bound".to_owned()]);
    let pairs = sweeps.first().map_or(0, |(_, sweep)| sweep.pairs.len());
    let row = |pair: usize| {
        let cells = sweeps.iter().filter_map(|(_, sweep)| sweep.pairs.get(pair)).flat_map(|errors| {
            [scientific(errors.worst, 4, Round::Nearest), scientific(errors.instance, 4, Round::Up)]
        });
        std::iter::once(pair.to_string()).chain(cells).collect()
    };
    Numbers {
        caption: caption.to_owned(),
        columns: std::iter::once("pair".to_owned()).chain(headings).collect(),
        rows: (0..pairs).map(row).collect(),
    }
}
