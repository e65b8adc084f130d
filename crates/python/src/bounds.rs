//! Rigorous bounds of programs.

use super::errors::{internal, invalid, option};
use super::interrupt::interruptible;
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use posproof_bound::{Impossible, Model, Path, Program, Question, Unanswered};
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::format::{Format, hex};
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Positions where none are given: the longest context among models in wide use.
const POSITIONS: u64 = 131_072;

/// How many positions may be enumerated for the worst case: some seconds for a pair, between two looks at the signals.
const ENUMERABLE: u64 = 1 << 24;

/// Pairs between two looks at the signals.
const PAIRS_AT_A_TIME: usize = 8;

/// How the program computes.
const PROGRAM: &[&str] = &["dtype", "path", "angle", "ulp", "pairs", "worst"];

/// Bounds of the entries of a table or a cache: one dictionary for each pair and component.
#[pyfunction]
pub fn bound<'py>(py: Python<'py>, sinusoid: bool, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyList>> {
    let options = Options::new("bound", options, &[ENCODING, SCALING, PROGRAM])?;
    let storage = options.format("dtype")?.unwrap_or(Format::F32);
    let angle = options.format("angle")?.unwrap_or(if storage == Format::F64 { Format::F64 } else { Format::F32 });
    let (path, kappa) = (options.path(&Path::ALL)?.unwrap_or_default(), options.number("ulp")?.unwrap_or(1.0));
    let program = Program { path, position: angle, frequency: angle, angle, storage, kappa };
    let positions = match options.positions()? {
        None => 0..POSITIONS.min((angle.max_finite() as u64).saturating_add(1)),
        Some(stated) => {
            let range = stated.min()..stated.max() + 1;
            if Positions::range(range.clone()).ok() != Some(stated) {
                return Err(option("positions", "one range, such as range(4096)", "several"));
            }
            range
        }
    };
    let worst = options.get("worst").map(|value| value.is_truthy()).transpose()?.unwrap_or(false);
    if worst && positions.end - positions.start > ENUMERABLE {
        return Err(option("positions", format!("at most {ENUMERABLE} with worst"), positions.end - positions.start));
    }
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    let convention = options.convention(encoding)?.for_length(positions.end);
    let model = Model::new(&convention, &program).map_err(impossible)?;
    let pairs: Vec<usize> = match options.get("pairs") {
        None => model.turning(),
        Some(pairs) => pairs.extract().map_err(|_| option("pairs", "a list of pairs", super::array::kind(pairs)))?,
    };
    let components = vec![Component::Sin, Component::Cos];
    let studied = interruptible(py, |stop| {
        let mut rows = Vec::new();
        for pairs in pairs.chunks(PAIRS_AT_A_TIME) {
            if stop.asked() {
                break;
            }
            let (positions, components) = (positions.clone(), components.clone());
            let question = Question { positions, pairs: pairs.to_vec(), components, worst, error: None };
            rows.extend(model.study(question, || ())?.rows);
        }
        Ok(rows)
    })?;
    let rows = studied.map_err(|error| match error {
        Unanswered::Impossible(error) => impossible(error),
        contradicted => internal(contradicted),
    })?;
    let cases = PyList::empty(py);
    for row in &rows {
        let case = PyDict::new(py);
        let component = if row.component == Component::Sin { "sin" } else { "cos" };
        case.set_item("pair", row.pair)?;
        case.set_item("component", component)?;
        case.set_item("positions", (positions.start, positions.end))?;
        case.set_item("a_priori", row.a_priori.value())?;
        case.set_item("a_priori_origin", row.a_priori.origin().to_string())?;
        case.set_item("instance", row.instance.value())?;
        case.set_item("instance_origin", row.instance.origin().to_string())?;
        if let Some(worst) = &row.worst {
            let extreme = worst.of(row.component);
            let found = PyDict::new(py);
            found.set_item("error", extreme.error)?;
            found.set_item("position", extreme.position)?;
            found.set_item("got", hex(extreme.got))?;
            case.set_item("worst", found)?;
        }
        cases.append(case)?;
    }
    Ok(cases)
}

fn impossible(error: Impossible) -> PyErr {
    let Impossible { what, found, expected } = &error;
    match *what {
        "κ" => option("ulp", expected, found),
        "pair" => option("pairs", expected, found),
        _ => invalid(error),
    }
}
