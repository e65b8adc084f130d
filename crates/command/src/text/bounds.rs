//! Error bounds in words and as a table.

use posproof_bound::document::{printed, ratio};
use posproof_bound::{Bound, Model, Path, Row, Study};
use posproof_encoding::convention::{Component, Convention, Encoding};
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use std::fmt::Write;

fn component(component: Component) -> &'static str {
    match component {
        Component::Sin => "sin",
        Component::Cos => "cos",
    }
}

/// The program, in one sentence.
pub fn description(model: &Model) -> String {
    let (convention, program) = (model.convention(), model.program());
    let encoding = match convention.encoding {
        Encoding::Sinusoid => "sinusoid",
        Encoding::Rope => "rope",
    };
    let mut details = String::new();
    let mut detail = |applies: bool, what: &str, value: &dyn ToString| {
        if applies {
            let _ = write!(details, ", {what} {}", value.to_string());
        }
    };
    let plain = Convention::sinusoid(convention.dim);
    detail(convention.rotary_dim.is_some(), "rotary dim", &convention.rotated_dim());
    detail(convention.scaling.is_some(), "scaling", &convention.scaling.as_ref().map_or("", |scaling| scaling.name()));
    detail(convention.frequency_spacing != plain.frequency_spacing, "frequency spacing", &"endpoints");
    detail(convention.frequency_origin != 0, "frequency origin", &convention.frequency_origin);
    detail(!convention.position_offset.is_zero(), "position offset", &convention.position_offset);
    detail(convention.position_scale != plain.position_scale, "angle scale", &convention.position_scale);
    detail(convention.amplitude != plain.amplitude, "amplitude", &convention.amplitude);
    let path = match program.path {
        Path::Pow => format!("by 1/pow(base, e) in {}", program.frequency),
        Path::Exp => format!("by exp(−m·(log(base)/D)) in {}", program.frequency),
        Path::Repeated => format!("by repeated multiplication in {}", program.frequency),
        Path::F64 => format!("by 1/pow(base, e) in f64, cast to {}", program.frequency),
        Path::Rounded => format!("correctly rounded to {}", program.frequency),
        Path::Recurrence => format!("in {}, the entries by the addition theorem", program.frequency),
    };
    format!(
        "{encoding}, dim {}, base {}{details}: frequencies {path}; angles in {}; sin and cos within {} ulp; table in {}",
        convention.dim, convention.base, program.angle, program.kappa, program.storage
    )
}

/// The answer in words, with a table by pair and position decade: of all pairs, or of a selection that
/// contains those that the words name.
pub fn text(model: &Model, study: &Study, selection: bool) -> String {
    let mut text = description(model) + "\n\n";
    let positions = &study.question.positions;
    let a_priori = study.rows.iter().map(|row| row.a_priori).reduce(Bound::max);
    if let (Some(row), Some(a_priori)) = (study.largest(), a_priori) {
        let _ = writeln!(
            text,
            "At positions {}..{} no entry of {} is wrong by more than\n  {}  a priori: for any library within {} ulp ({})\n  {}  with the frequencies as computed: pair {}, {} ({})",
            positions.start,
            positions.end,
            asked(model, study),
            printed(a_priori.value()),
            model.program().kappa,
            a_priori.origin(),
            printed(row.instance.value()),
            row.pair,
            component(row.component),
            row.instance.origin()
        );
    }
    if let (Some(error), Some((row, reach))) = (study.question.error, study.shortest()) {
        let a_priori = study.rows.iter().filter_map(|row| row.reach).map(|reach| reach.a_priori).min();
        let span = |count: u64| match count {
            0 => "at no position".to_owned(),
            _ if count == positions.end - positions.start => {
                format!("at all of {}..{}", positions.start, positions.end)
            }
            _ => format!("up to position {}", positions.start + count - 1),
        };
        let _ = writeln!(
            text,
            "\nThe error is guaranteed below {error}\n  {}  a priori\n  {}  with the frequencies as computed{}",
            span(a_priori.unwrap_or(0)),
            span(reach.instance),
            match reach.instance == positions.end - positions.start {
                true => String::new(),
                false => format!(": pair {}, {} is the first to leave it", row.pair, component(row.component)),
            }
        );
    }
    let chosen = if selection { chosen(study) } else { study.question.pairs.clone() };
    let some = match chosen.len() == study.question.pairs.len() {
        true => String::new(),
        false => format!("; {} of {} pairs, --pairs shows others", chosen.len(), study.question.pairs.len()),
    };
    let _ = writeln!(text, "\nInstance bounds by position{some}");
    text.push_str(&table(study, &chosen));
    if let Some(enumerated) = &study.question.worst {
        let of = "\nworst: the largest error of this program with correctly rounded sine and cosine, by enumeration";
        let _ = match enumerated.span() == *positions && enumerated.as_ranges().len() == 1 {
            true => writeln!(text, "{of}"),
            false => writeln!(text, "{of} of {}", enumerated.summary()),
        };
    }
    text
}

/// The pairs of a study, in words.
fn asked(model: &Model, study: &Study) -> String {
    let count = study.question.pairs.len();
    match (study.question.pairs.as_slice(), count == model.convention().pairs()) {
        (_, true) => "the table".to_owned(),
        ([pair], _) => format!("pair {pair}"),
        _ => format!("these {count} pairs"),
    }
}

/// Number of pairs that a table shows where none are named: nine from the first to the last.
const SHOWN: usize = 9;

/// A selection of positions in a list, from the first to the last.
pub(super) fn spread(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let steps = last.min(SHOWN - 1);
    (0..=steps).map(|step| step * last / steps.max(1)).collect()
}

/// A selection of the pairs, with the one of the largest bound and the one that leaves the figure first.
fn chosen(study: &Study) -> Vec<usize> {
    let pairs = &study.question.pairs;
    let named = [study.largest(), study.shortest().map(|(row, _)| row), study.worst()];
    let spread = spread(pairs.len()).into_iter().filter_map(|at| pairs.get(at).copied());
    let mut chosen: Vec<usize> = named.into_iter().flatten().map(|row| row.pair).chain(spread).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

fn table(study: &Study, chosen: &[usize]) -> String {
    let mut header = vec!["pair".to_owned(), String::new()];
    let decades = study.rows.first().map_or(&[][..], |row| &row.decades[..]);
    header.extend(decades.iter().map(|decade| format!("{}..{}", decade.positions.start, decade.positions.end)));
    header.push("a priori".into());
    if study.question.worst.is_some() {
        header.extend(["worst".into(), "at".into(), "bound/worst".into()]);
    }
    if study.question.error.is_some() {
        header.push("up to".into());
    }
    let row = |row: &Row| {
        let mut cells = vec![row.pair.to_string(), component(row.component).to_owned()];
        cells.extend(row.decades.iter().map(|decade| scientific(decade.instance.value(), 3, Round::Up)));
        cells.push(scientific(row.a_priori.value(), 3, Round::Up));
        if let Some(worst) = &row.worst {
            let extreme = worst.of(row.component);
            let ratio = ratio(row, extreme).map_or("–".into(), |ratio| format!("{ratio:.4}"));
            cells.extend([scientific(extreme.error, 5, Round::Nearest), extreme.position.to_string(), ratio]);
        }
        let last = |count: u64| count.checked_sub(1).map(|last| study.question.positions.start + last);
        cells.extend(row.reach.map(|reach| last(reach.instance).map_or("–".into(), |last| last.to_string())));
        cells
    };
    let shown = study.rows.iter().filter(|row| chosen.contains(&row.pair));
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(shown.map(row)).collect();
    grid(&rows)
}

/// Rows of cells in columns, aligned to the right.
pub(super) fn grid(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}"));
        "  ".to_owned() + &cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    rows.iter().map(line).collect()
}
