//! Rigorous bounds of programs.

use super::array::kind;
use super::axes::{AXES, rows};
use super::errors::{internal, invalid, option};
use super::interrupt::interruptible;
use super::kernel::kernel_bound;
use super::options::{ENCODING, Options, unstated};
use super::scaling::SCALING;
use posproof_bound::document::Document;
use posproof_bound::first::First;
use posproof_bound::graph::{Graph, Traced};
use posproof_bound::{
    AxialQuestion, Composite, Compute, Impossible, Libraries, Model, Path, Program, Question, Scoring, Study,
    Unanswered, distinct,
};
use posproof_check::request::{EncodedRows, RowPositions, Stated};
use posproof_encoding::Positions;
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::format::Format;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;

/// Positions where none are given: the longest context among models in wide use.
const POSITIONS: u64 = 131_072;

/// Beyond any context, where the inverse question is asked without positions: binary32 has all of these.
const FARTHEST: u64 = 1 << 24;

/// Number of positions that may be enumerated for the worst case: some seconds for a pair, between two looks at the
/// signals.
const ENUMERABLE: u64 = 1 << 24;

/// Pairs between two looks at the signals.
const PAIRS_AT_A_TIME: usize = 8;

/// Keywords of the program's arithmetic.
const PROGRAM: &[&str] = &["dtype", "path", "angle", "frequency_format", "position_format", "ulp"];

/// Rotation of pairs and sums of scores.
const SCORING: &[&str] = &["rotation", "accumulate"];

/// The program as a graph, in place of its convention and formats.
const GRAPH: &[&str] = &["graph"];

/// Keywords of its question.
const QUESTION: &[&str] = &["pairs", "component", "worst", "error"];

/// Bounds as a document of the schema `posproof.bound/1`: of the entries of a table (`sinusoid`) or a cache (`rope`), of
/// rotated pairs (`rotation`), of scores (`score`); of attention as kernels compute it one of `posproof.bound-kernel/1`.
#[pyfunction]
#[pyo3(signature = (subject, options))]
pub fn bound(py: Python<'_>, subject: Option<&str>, options: &Bound<'_, PyDict>) -> PyResult<String> {
    if let Some(subject @ ("logits" | "attention")) = subject {
        return kernel_bound(py, subject == "attention", options);
    }
    let options = Options::new("bound", options, &[ENCODING, SCALING, AXES, PROGRAM, SCORING, QUESTION, GRAPH])?;
    let traced = traced(&options)?;
    let subject = subject.or(traced.as_ref().map(|(_, traced)| table(traced.convention.encoding))).unwrap_or_default();
    let encoding = match subject {
        "sinusoid" => Encoding::Sinusoid,
        "rope" | "rotation" | "score" => Encoding::Rope,
        _ => {
            return Err(option(
                "subject",
                "sinusoid, rope, rotation, score, logits or attention",
                format!("'{subject}'"),
            ));
        }
    };
    let of_table = matches!(subject, "sinusoid" | "rope");
    for (name, subjects) in [("rotation", "rotation or score"), ("accumulate", "score")] {
        if options.get(name).is_some() && !subjects.split(" or ").any(|allowed| allowed == subject) {
            return Err(invalid(format!("{name}: expected with the subject {subjects} only; found '{subject}'")));
        }
    }
    for name in QUESTION.iter().filter(|name| options.get(name).is_some()) {
        if subject == "score" || subject == "rotation" && *name != "pairs" {
            let why = "a rotated pair and a score have real inputs and no components, a score takes all pairs";
            return Err(invalid(format!("{name}: expected no such question of a {subject}: {why}")));
        }
    }
    if let Some(document) = of_axes(py, (subject, encoding), &options, traced.is_some())? {
        return Ok(document);
    }
    let program = match &traced {
        Some((_, traced)) => Program { kappa: options.number("ulp")?.unwrap_or(1.0), ..traced.program },
        None => program(&options, of_table)?,
    };
    let error = options.number("error")?;
    if let Some(error) = error.filter(|error| !(*error > 0.0 && error.is_finite())) {
        return Err(option("error", "a number > 0", error));
    }
    let worst = options.get("worst").map(|value| value.is_truthy()).transpose()?.unwrap_or(false);
    let positions =
        positions(&options, program.position, if error.is_some() && !worst { FARTHEST } else { POSITIONS })?;
    if worst && positions.distinct().len() as u64 > ENUMERABLE {
        let expected = format!("at most {ENUMERABLE} with worst");
        return Err(option("positions", expected, positions.distinct().len()));
    }
    let convention = match &traced {
        Some((_, traced)) => traced.convention.clone(),
        None => options.convention(encoding)?,
    };
    if error.is_some() && options.get("positions").is_none() && convention.clone().for_length(1) != convention {
        let rule = "a scaling rule whose frequencies depend on the length";
        return Err(invalid(format!("error: expected positions or sequence_length beside {rule}; found neither")));
    }
    let (model, positions) = match &traced {
        Some((_, traced)) => {
            let stated = options.get("positions").is_some();
            let positions = traced.positions(positions, stated).map_err(impossible)?;
            (traced.model(program.kappa).map_err(impossible)?, positions)
        }
        None => (Model::new(&convention.for_length(positions.span().end), &program).map_err(impossible)?, positions),
    };
    let pairs: Vec<usize> = match options.get("pairs") {
        None => model.turning(),
        Some(pairs) => pairs.extract().map_err(|_| option("pairs", "a list of pairs", kind(pairs)))?,
    };
    distinct(&pairs).map_err(impossible)?;
    let components = components(&options)?;
    let document = if of_table {
        let worst = worst.then(|| positions.distinct());
        let question = Question { positions: positions.span(), pairs, components, worst, error };
        Document::new(&model, &interruptible(py, |stop| study(&model, question, || stop.asked()))?.map_err(unanswered)?)
    } else {
        let scoring = scoring(&options, &model)?;
        let score = subject == "score";
        let asked =
            interruptible(py, |stop| composites((&model, scoring, score), &pairs, &positions.span(), || stop.asked()))?;
        let rows = asked.map_err(impossible)?;
        match score {
            true => Document::composed("score", &model, &rows).of_scores(scoring),
            false => Document::composed("rotation", &model, &rows).of_rotation(scoring.rotation),
        }
    };
    let origin = traced.map(|(graph, traced)| traced.origin(&graph));
    serde_json::to_string(&First(&document.of_graph(origin.as_ref()))).map_err(internal)
}

/// Questions that only whole positions along one axis have.
const OF_WHOLE: &[&str] = &["error", "frequency_format", "position_format", "rotation", "accumulate"];

/// The bounds of several axes, or of one at positions that are no whole numbers, as a document of the schema `posproof.bound-axes/1`; none of others.
fn of_axes(
    py: Python<'_>,
    (subject, encoding): (&str, Encoding),
    options: &Options<'_>,
    traced: bool,
) -> PyResult<Option<String>> {
    if traced {
        return Ok(None);
    }
    let stated = options.encodings(encoding)?;
    let positions = rows(options, &stated, |_| true)?;
    // Which format is asked about is of no consequence: it limits the positions where none are stated.
    if matches!(stated, Stated::Layers(_)) && positions.whole(Format::F64, 1).is_some() {
        return Ok(None);
    }
    let worst = options.get("worst").map(|value| value.is_truthy()).transpose()?.unwrap_or(false);
    let other = OF_WHOLE.iter().find(|name| options.get(name).is_some()).copied();
    let other = other.or(options.get("component").filter(|_| !worst).map(|_| "component"));
    let other = other.or(Some("score").filter(|score| *score == subject));
    if let Some(other) = other {
        let expected = "expected with one axis and whole positions, such as range(4096)";
        return Err(invalid(format!("{other}: {expected}; of others the bounds of tables and rotations are known")));
    }
    let of_table = subject != "rotation";
    let Program { path, angle, storage, kappa, .. } = program(options, of_table)?;
    let libraries = Libraries::alike(kappa);
    libraries.validate().map_err(|error| invalid(format!("ulp: {error}")))?;
    let slots = match options.get("pairs") {
        None => Vec::new(),
        Some(pairs) => pairs.extract().map_err(|_| option("pairs", "a list of pairs", kind(pairs)))?,
    };
    distinct(&slots).map_err(impossible)?;
    let worst = if worst { components(options)? } else { Vec::new() };
    let compute = Compute { format: angle, libraries };
    let coordinates = positions.coordinates().map_err(|error| unstated(&error))?;
    let (law, coordinates) = match stated.at(RowPositions::Any(coordinates)) {
        Ok(EncodedRows::Axes(law, coordinates)) => (law, coordinates),
        Ok(EncodedRows::Whole(..)) => return Err(internal("whole positions, where coordinates were given")),
        Err(error) => return Err(unstated(&error)),
    };
    let all = if slots.is_empty() { (0..law.slots()).collect() } else { slots };
    let question = AxialQuestion { path, compute, storage, slots: Vec::new(), worst, rotation: !of_table };
    let answer = interruptible(py, |stop| {
        let mut answer = Vec::new();
        for slots in all.chunks(PAIRS_AT_A_TIME).take_while(|_| !stop.asked()) {
            let some = AxialQuestion { slots: slots.to_vec(), ..question.clone() };
            answer.extend(some.answer(&law, &coordinates)?);
        }
        Ok(answer)
    })?;
    let answer = answer.map_err(impossible)?;
    serde_json::to_string(&First(&question.document((&law, &coordinates), &answer))).map(Some).map_err(internal)
}

/// The program of a graph, if one is given; what the graph says is not stated beside it.
fn traced(options: &Options<'_>) -> PyResult<Option<(Graph, Traced)>> {
    let Some(text) = options.get("graph") else { return Ok(None) };
    let read = ["positions", "ulp"];
    let stated = [ENCODING, SCALING, PROGRAM].into_iter().flatten();
    if let Some(name) = stated.filter(|name| !read.contains(name)).find(|name| options.get(name).is_some()) {
        return Err(invalid(format!("{name}: expected no such option of a module, whose graph says it; found one")));
    }
    let text = super::values::text("graph", text)?;
    let graph: Graph = serde_json::from_str(&text).map_err(|error| option("graph", Graph::SCHEMA, error))?;
    let traced = graph.program().map_err(|error| invalid(format!("{}: {error}", graph.source)))?;
    Ok(Some((graph, traced)))
}

fn table(encoding: Encoding) -> &'static str {
    if encoding == Encoding::Sinusoid { "sinusoid" } else { "rope" }
}

/// The program that is stated; rotations and sums are in the format of its table.
fn program(options: &Options<'_>, of_table: bool) -> PyResult<Program> {
    let dtype = if of_table { options.format("dtype")? } else { options.computing("dtype")? };
    let storage = dtype.unwrap_or(Format::F32);
    let angle = options.computing("angle")?.unwrap_or(if storage == Format::F64 { Format::F64 } else { Format::F32 });
    Ok(Program {
        path: options.path(&Path::ALL)?.unwrap_or_default(),
        position: options.computing("position_format")?.unwrap_or(angle),
        frequency: options.computing("frequency_format")?.unwrap_or(angle),
        angle,
        storage,
        kappa: options.number("ulp")?.unwrap_or(1.0),
    })
}

/// Rotation of pairs and sums of scores.
fn scoring(options: &Options<'_>, model: &Model) -> PyResult<Scoring> {
    let Scoring { mut rotation, sums } = model.plain_scoring();
    if let Some(stated) = options.get("rotation") {
        rotation.fused = match super::values::text("rotation", stated)?.as_str() {
            "plain" => false,
            "fused" => true,
            other => return Err(option("rotation", "plain or fused", format!("'{other}'"))),
        };
    }
    Ok(Scoring { rotation, sums: options.computing("accumulate")?.unwrap_or(sums) })
}

/// The stated positions, whole numbers; by default those below `farthest`, or as many as the format has.
fn positions(options: &Options<'_>, format: Format, farthest: u64) -> PyResult<Positions> {
    let stated = rows(options, &Stated::Layers(Vec::new()), |_| true)?;
    stated.whole(format, farthest).ok_or_else(|| option("positions", "whole numbers, such as range(4096)", "others"))
}

fn components(options: &Options<'_>) -> PyResult<Vec<Component>> {
    let Some(stated) = options.get("component") else { return Ok(vec![Component::Sin, Component::Cos]) };
    match super::values::text("component", stated)?.as_str() {
        "sin" => Ok(vec![Component::Sin]),
        "cos" => Ok(vec![Component::Cos]),
        other => Err(option("component", "sin or cos", format!("'{other}'"))),
    }
}

/// The answer, some pairs at a time, as far as nobody asks to stop.
fn study(model: &Model, question: Question, asked: impl Fn() -> bool) -> Result<Study, Unanswered> {
    let mut rows = Vec::new();
    for pairs in question.pairs.chunks(PAIRS_AT_A_TIME).take_while(|_| !asked()) {
        rows.extend(model.study(Question { pairs: pairs.to_vec(), ..question.clone() }, || ())?.rows);
    }
    Ok(Study { question, rows })
}

/// The bounds of what is composed of entries, in the same way.
fn composites(
    (model, scoring, score): (&Model, Scoring, bool),
    pairs: &[usize],
    positions: &Range<u64>,
    asked: impl Fn() -> bool,
) -> Result<Vec<Vec<Composite>>, Impossible> {
    if score {
        return Ok(vec![model.scores(scoring, positions)?]);
    }
    let mut rows = Vec::new();
    for pairs in pairs.chunks(PAIRS_AT_A_TIME).take_while(|_| !asked()) {
        rows.extend(model.rotations(scoring.rotation, pairs, positions)?);
    }
    Ok(rows)
}

fn unanswered(error: Unanswered) -> PyErr {
    match error {
        Unanswered::Impossible(error) => impossible(error),
        contradicted => internal(contradicted),
    }
}

/// Why there is no bound, by the keyword that says so.
pub fn impossible(error: Impossible) -> PyErr {
    let Impossible { what, found, expected } = &error;
    match *what {
        "κ" => option("ulp", expected, found),
        "pair" => option("pairs", expected, found),
        "format of the positions" => option("position_format", expected, found),
        "format of the frequencies" => option("frequency_format", expected, found),
        "rows" => option("positions", expected, found),
        "worst case" => option("worst", expected, found),
        _ => invalid(error),
    }
}
