//! Error against pair index.

use super::errors::{format_keys, made, path_keys, rounded};
use super::ratios::{Quotient, quotients};
use super::{WORST_AND_BOUND, decades, grouped, head};
use crate::bound::Path;
use crate::number::format::Format;
use crate::report::plot::chart::{Chart, Series, Stroke};
use crate::report::plot::data::errors::{Outcome, Sweep};
use crate::report::plot::figure::{Figure, Numbers, Panel};
use crate::report::plot::frame::{Axis, Frame};
use crate::report::plot::meaning::Meaning;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;

pub(super) fn figure(outcomes: &[Outcome], length: u64) -> Figure {
    let formats = rounded(outcomes);
    let paths: Vec<&Sweep> = made(outcomes).filter(|sweep| sweep.program.angle == Format::F32).collect();
    let dim = head().dim;
    Figure {
        id: "pairs",
        title: "Error against pair".into(),
        caption: format!(
            "The largest error over the first {} positions, pair by pair: first for each format with correctly rounded \
frequencies, then what each other way to compute them costs in binary32, as a quotient of errors. Pair 0 turns by exactly 1 a position, so that its frequency \
is exact; from pair 1 on the error falls roughly in proportion to the frequency, until the rounding of the entries themselves is all \
that remains. f16 holds positions up to 65504 only.",
            grouped(length)
        ),
        numbers: format!(
            "The same {} comparisons as before, dim {dim}, base 10000; marks are exact worst cases, lines are instance bounds.",
            grouped(made(outcomes).map(|sweep| sweep.comparisons).sum())
        ),
        commands: vec![format!(
            "posproof bound rope --dim {dim} --positions 0..{length} --dtype f32 --ulp 0.5 --worst --json"
        )],
        panels: [Some(by_format(&formats)), by_path(&paths)].into_iter().flatten().collect(),
        keys: Vec::new(),
        matrix: None,
        data: vec![
            numbers("By format", &formats, |sweep| sweep.program.angle.to_string()),
            numbers("In binary32, by path", &paths, |sweep| sweep.program.path.to_string()),
        ],
    }
}

fn axis(sweeps: &[&Sweep]) -> Axis {
    Axis::linear("pair", [0.0, sweeps.iter().map(|sweep| sweep.pairs.len()).max().unwrap_or(1) as f64], 6)
}

fn by_format(sweeps: &[&Sweep]) -> Panel {
    let heading = "Correctly rounded frequencies, by format";
    let all = sweeps.iter().flat_map(|sweep| &sweep.pairs);
    let domain = decades(all.flat_map(|errors| [errors.worst, errors.instance]));
    let series = |stroke: Stroke, sweep: &Sweep| {
        let errors =
            sweep.pairs.iter().map(|errors| if stroke == Stroke::Marks { errors.worst } else { errors.instance });
        let points = errors.enumerate().map(|(pair, error)| [pair as f64, error]).collect();
        Series { meaning: Meaning::Format(sweep.program.angle), stroke, points }
    };
    let lines = sweeps.iter().map(|sweep| series(Stroke::Line, sweep));
    let marks = sweeps.iter().map(|sweep| series(Stroke::Marks, sweep));
    let chart = Chart {
        frame: Frame {
            id: "pairs-formats".into(),
            title: heading.into(),
            description:
                "Largest error by pair on a logarithmic axis: nearly flat for the first pairs, then falling in a \
straight line, then flat again at the rounding of the entries."
                    .into(),
            size: Frame::COLUMN,
            margins: Frame::MARGINS,
            x: axis(sweeps),
            y: Axis::logarithmic("largest |error|", domain, 7),
        },
        series: lines.chain(marks).collect(),
        levels: Vec::new(),
    };
    Panel { heading: heading.into(), svg: chart.svg(), wide: false, keys: format_keys(&WORST_AND_BOUND) }
}

fn by_path(sweeps: &[&Sweep]) -> Option<Panel> {
    let heading = "f32: error ÷ error with correctly rounded frequencies";
    let reference = sweeps.iter().find(|sweep| sweep.program.path == Path::Rounded)?;
    let quotient = |sweep: &&Sweep| {
        let errors = sweep.pairs.iter().zip(&reference.pairs).enumerate();
        let points = errors.map(|(pair, (errors, least))| [pair as f64, errors.worst / least.worst]);
        Quotient { meaning: Meaning::Path(sweep.program.path), points: points.collect() }
    };
    let others = sweeps.iter().filter(|sweep| sweep.program.path != Path::Rounded);
    let description = "Quotients by pair: 1 for the first, and by repeated multiplication far above it for the slow \
pairs, whose frequencies come last."
        .to_owned();
    let series = others.map(quotient).collect();
    let svg = quotients("pairs-paths", heading, description, axis(sweeps), "quotient of errors", series);
    Some(Panel { heading: heading.into(), svg, wide: false, keys: path_keys() })
}

fn numbers(caption: &str, sweeps: &[&Sweep], name: fn(&Sweep) -> String) -> Numbers {
    let headings = sweeps.iter().flat_map(|sweep| [format!("{}: worst", name(sweep)), "bound".to_owned()]);
    let pairs = sweeps.first().map_or(0, |sweep| sweep.pairs.len());
    let row = |pair: usize| {
        let cells = sweeps.iter().filter_map(|sweep| sweep.pairs.get(pair)).flat_map(|errors| {
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
