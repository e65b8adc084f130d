//! `posproof bound`: how wrong an implementation may be.

use super::attention::{AttentionArguments, Use};
use super::axes::{AxesArguments, Stated};
use super::axial_bound;
use super::certificate::{certify, nameable};
use super::documents::JsonArguments;
use super::graph::GraphArguments;
use super::program::ProgramArguments;
use super::refusal::misplaced;
use super::rows;
use super::specification::Specification;
use super::text::bounds::text;
use super::text::composite;
use super::{Failure, Outcome, print, progress};
use clap::{Args, ValueEnum};
use posproof_bound::document::Document;
use posproof_bound::graph::GraphOrigin;
use posproof_bound::{AxialQuestion, Compute, Impossible, Libraries, Model, Program, Question, Unanswered, distinct};
use posproof_check::request::RowPositions;
use posproof_encoding::Positions;
use posproof_encoding::axes::AxialLaw;
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::{Element, format::Format};
use std::path::PathBuf;

/// Arguments of `bound`.
#[derive(Args, Clone, Debug)]
#[command(override_usage = "posproof bound <sinusoid|rope|rotation|score|logits|attention> --dim <D> [OPTIONS]
       posproof bound [SUBJECT] --module <FILE:FUNCTION> [OPTIONS]", after_help = EXAMPLES)]
pub struct BoundArguments {
    /// A table (of positional encodings, or of rotary cosines and sines), a rotated pair of length 1, the score of a
    /// query and a key of length 1, a logit of attention, or an output of attention
    #[arg(value_name = "sinusoid|rope|rotation|score|logits|attention", hide_possible_values = true)]
    #[arg(required_unless_present_any = ["graph", "module"])]
    subject: Option<Subject>,
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten)]
    specification: Specification,
    #[command(flatten)]
    axes: AxesArguments,
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    attention: AttentionArguments,
    #[command(flatten)]
    question: QuestionArguments,
}

const EXAMPLES: &str = "Examples:
  posproof bound rope --dim 128 --base 500000 --path pow
  posproof bound sinusoid --dim 512 --positions 0..4096 --pairs 1,200 --worst
  posproof bound attention --dim 128 --dtype bf16 --keys 8192
  posproof bound rope --dim 128 --error 1e-3          up to which position is the error below 1e-3?";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subject {
    Sinusoid,
    Rope,
    Rotation,
    Score,
    Logits,
    Attention,
}

impl Subject {
    /// The table of an encoding.
    fn of(encoding: Encoding) -> Self {
        if encoding == Encoding::Sinusoid { Self::Sinusoid } else { Self::Rope }
    }

    /// Extent of attention that it takes.
    fn takes(self) -> Use {
        match self {
            Self::Sinusoid | Self::Rope => Use::Table,
            Self::Rotation => Use::Rotation,
            Self::Score => Use::Score,
            Self::Logits | Self::Attention => Use::Attention,
        }
    }
}

/// The question about it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Question")]
struct QuestionArguments {
    /// Pairs, such as 1,64,200 [default: all; the table shows some of them]
    #[arg(long, value_name = "PAIRS", value_delimiter = ',')]
    pairs: Vec<usize>,
    /// One component only
    #[arg(long, value_name = "sin|cos", hide_possible_values = true)]
    component: Option<BoundedPart>,
    /// Find the exact worst case too, for correctly rounded sine and cosine
    #[arg(long)]
    worst: bool,
    /// Ask up to which position the error is guaranteed below this figure [positions by default: 0..16777216]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    error: Option<f64>,
    #[command(flatten)]
    json: JsonArguments,
    /// Write a file with which Coq proves the instance bounds that are printed, of the pairs and components asked for
    #[arg(long, value_name = "FILE.v")]
    certificate: Option<PathBuf>,
    /// Replace the certificate if it exists
    #[arg(long, requires = "certificate")]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BoundedPart {
    Sin,
    Cos,
}

/// The longest context among models in wide use, where no positions are given.
const POSITIONS: u64 = 131072;

/// Beyond any context, where the inverse question is asked without positions: binary32 has all of these.
const FARTHEST: u64 = 1 << 24;

/// Number of positions that may be enumerated: some hours for one pair.
const ENUMERABLE: u64 = 1 << 36;

/// Number of pairs that are answered for where none are named: half a minute.
const MAX_PAIRS: usize = 1 << 16;

/// Runs the verb.
pub fn run(arguments: &BoundArguments) -> Result<Outcome, Failure> {
    let BoundArguments { subject, graph, specification, axes, program, attention, question } = arguments;
    distinct(&question.pairs)?;
    question.certificate.as_deref().map_or(Ok(()), nameable)?;
    let traced = graph.read()?;
    let subject = &subject.or(traced.as_ref().map(|traced| Subject::of(traced.program.convention.encoding)));
    let Some(subject) = subject else { return Err(graph.untraced()) };
    let encoding = match subject {
        Subject::Sinusoid => Encoding::Sinusoid,
        _ => Encoding::Rope,
    };
    attention.require(subject.takes())?;
    if let Some(traced) = traced {
        let farthest = if question.error.is_some() && !question.worst { FARTHEST } else { POSITIONS };
        let stated = positions(specification, traced.program.program.position, farthest)?;
        let model = traced.program.model(program.ulp)?;
        let positions = traced.positions(stated, specification.shared.positions.is_some())?;
        let asked = question.question(*subject, &positions, &model)?;
        return answer(arguments, *subject, &model, asked, Some(&traced.origin()));
    }
    if attention.kernel.given() {
        let outputs = matches!(subject, Subject::Attention);
        return of_kernel(specification, program, attention, outputs, question.json.is_asked());
    }
    program.storage(!matches!(subject, Subject::Sinusoid | Subject::Rope))?;
    let stated = match axes.stated(encoding, specification)? {
        Stated::Axial(convention) => {
            let (law, coordinates) = axes.open(&convention, specification.shared.positions.as_deref())?;
            return axial_bound::bound(&question.axial(*subject, program)?, (&law, &coordinates), question.json);
        }
        Stated::Plain(convention) => Some(*convention),
        Stated::Nothing => None,
    };
    let arithmetic = program.program();
    let convention = stated.map_or_else(|| specification.convention(encoding), Ok)?;
    let named = specification.shared.positions.as_deref();
    let rows = named.map_or(Ok(RowPositions::Counted), rows::stated)?;
    let farthest = if question.error.is_some() && !question.worst { FARTHEST } else { POSITIONS };
    let Some(positions) = rows.whole(arithmetic.position, farthest) else {
        let coordinates = rows.coordinates().map_err(|error| misplaced(&error, named))?;
        let law = AxialLaw::along(&convention, &coordinates).map_err(|error| Failure::Usage(error.to_string()))?;
        return axial_bound::bound(&question.axial(*subject, program)?, (&law, &coordinates), question.json);
    };
    if question.error.is_some()
        && specification.shared.positions.is_none()
        && convention.clone().for_length(1) != convention
    {
        let message = "--error with a scaling rule whose frequencies depend on the length: expected --positions or --sequence-length";
        return Err(Failure::Usage(message.into()));
    }
    let convention = convention.for_length(positions.span().end);
    let model = Model::new(&convention, &arithmetic)?;
    let question = question.question(*subject, &positions, &model)?;
    answer(arguments, *subject, &model, question, None)
}

/// The bounds of a program, which was stated or read from a graph.
fn answer(
    arguments: &BoundArguments,
    subject: Subject,
    model: &Model,
    question: Question,
    graph: Option<&GraphOrigin>,
) -> Result<Outcome, Failure> {
    let attention = &arguments.attention;
    if let Some(graph) = graph.filter(|_| !arguments.question.json.is_asked()) {
        print(&format!("{graph}\n"))?;
    }
    if matches!(subject, Subject::Sinusoid | Subject::Rope) {
        return study(arguments, model, question, graph);
    }
    if matches!(subject, Subject::Logits | Subject::Attention) {
        let outputs = matches!(subject, Subject::Attention);
        return attention.answer(model, &question.positions, outputs, arguments.question.json);
    }
    let scoring = attention.scoring(model);
    let (all, json) = (arguments.question.pairs.is_empty(), arguments.question.json);
    if matches!(subject, Subject::Score) {
        let rows = [model.scores(scoring, &question.positions)?];
        if json.is_asked() {
            json.print(&Document::composed("score", model, &rows).of_scores(scoring).of_graph(graph))?;
        } else {
            let quantity =
                "Error of a score of unit vectors at any two positions; of two scores at one distance, twice that";
            print(&composite::text(quantity, (model, &composite::scored(scoring)), &rows, all))?;
        }
    } else {
        let rows = model.rotations(scoring.rotation, &question.pairs, &question.positions)?;
        if json.is_asked() {
            json.print(&Document::composed("rotation", model, &rows).of_rotation(scoring.rotation).of_graph(graph))?;
        } else {
            let quantity = "Distance of a rotated unit pair from the exact one";
            print(&composite::text(quantity, (model, &composite::rotated(scoring.rotation)), &rows, all))?;
        }
    }
    Ok(Outcome::Good)
}

/// Attention as a kernel computes it: of stored inputs, or from positions on.
fn of_kernel(
    specification: &Specification,
    program: &ProgramArguments,
    attention: &AttentionArguments,
    outputs: bool,
    json: bool,
) -> Result<Outcome, Failure> {
    let inputs = program.dtype.unwrap_or(Element::Wide(Format::Bf16));
    let order = specification.shared.order;
    let mut specification = specification.clone();
    specification.shared.order = None;
    let convention = specification.convention(Encoding::Rope)?;
    let dim = u32::try_from(convention.dim).unwrap_or(u32::MAX);
    let Some(format) = attention.kernel.rotated() else {
        return attention.of_kernel((inputs, dim), order, outputs, json, None);
    };
    let program = ProgramArguments { dtype: Some(Element::Wide(format)), ..program.clone() }.program();
    let positions = positions(&specification, program.position, POSITIONS)?.span();
    let model = Model::new(&convention.for_length(positions.end), &program)?;
    attention.of_kernel((inputs, dim), order, outputs, json, Some((&model, &positions)))
}

/// The bounds of a table's entries.
fn study(
    arguments: &BoundArguments,
    model: &Model,
    question: Question,
    graph: Option<&GraphOrigin>,
) -> Result<Outcome, Failure> {
    let bar = progress(question.pairs.len(), "pairs");
    let study = model.study(question, || bar.inc(1))?;
    bar.finish_and_clear();
    // First, so that nothing is printed of which there was to be a proof and is none.
    if let Some(path) = &arguments.question.certificate {
        certify(model, &study, path, arguments.question.force)?;
    }
    if arguments.question.json.is_asked() {
        arguments.question.json.print(&Document::new(model, &study).of_graph(graph))?
    } else {
        print(&text(model, &study, arguments.question.pairs.is_empty()))?
    }
    Ok(Outcome::Good)
}

impl From<Impossible> for Failure {
    fn from(error: Impossible) -> Self {
        let Impossible { what, found, expected } = &error;
        let option = match *what {
            "κ" => "--ulp",
            "pair" => "--pairs",
            "rows" => "--positions",
            "worst case" => "--worst with",
            "format of the positions" => "--position-format",
            "format of the frequencies" => "--frequency-format",
            "keys" => "--keys",
            "length of the query" => "--query-length",
            "length of the keys" => "--key-length",
            "largest value" => "--value",
            "κ of the exponential" => "--exp-ulp",
            "products" => "--products",
            "spread" => "--spread",
            "flush" => "--flush",
            "tile" => "--tile",
            "splits" => "--splits",
            "accumulator" => "--accumulator",
            "format of the softmax" => "--softmax",
            "dim" => "--dim",
            "certificate" => {
                return Self::Usage(format!("--certificate: there is none for {found}; expected {expected}"));
            }
            _ => return Self::Usage(error.to_string()),
        };
        Self::Usage(format!("{option} {found}: expected {expected}"))
    }
}

impl From<Unanswered> for Failure {
    fn from(error: Unanswered) -> Self {
        match error {
            Unanswered::Impossible(impossible) => impossible.into(),
            contradicted => Self::Internal(contradicted.to_string()),
        }
    }
}

/// The positions of the specification, whole numbers; by default those below `farthest`, or as many as the
/// format has.
fn positions(specification: &Specification, format: Format, farthest: u64) -> Result<Positions, Failure> {
    let rows = specification.shared.positions.as_deref().map_or(Ok(RowPositions::Counted), rows::stated)?;
    rows.whole(format, farthest).ok_or_else(|| {
        let stated = specification.shared.positions.as_deref().unwrap_or_default();
        Failure::Usage(format!("--positions {stated}: expected whole numbers along one axis for this bound"))
    })
}

impl QuestionArguments {
    /// The question about axes, where nothing is asked that only whole positions along one axis have. The bound holds of fused rotations and of
    /// others.
    fn axial(&self, subject: Subject, program: &ProgramArguments) -> Result<AxialQuestion, Failure> {
        let whole = matches!(subject, Subject::Score | Subject::Logits | Subject::Attention);
        for (given, name) in [
            (whole, "score, logits and attention"),
            (self.error.is_some(), "--error"),
            (self.component.is_some() && !self.worst, "--component, whose bound is that of both, without --worst"),
            (self.certificate.is_some(), "--certificate"),
            (program.frequency_format.is_some(), "--frequency-format"),
            (program.position_format.is_some(), "--position-format"),
        ] {
            if given {
                let expected = "expected with one axis and whole positions";
                let known = "of others the bounds of tables, caches and rotations are known";
                return Err(Failure::Usage(format!("{name} with axes, or with other positions: {expected}; {known}")));
            }
        }
        let Program { angle, storage, kappa, path, .. } = program.program();
        let libraries = Libraries::alike(kappa);
        let worst = if self.worst { self.components() } else { Vec::new() };
        libraries.validate().map_err(|error| Failure::Usage(format!("--ulp: {error}")))?;
        let (compute, slots) = (Compute { format: angle, libraries }, self.pairs.clone());
        Ok(AxialQuestion { path, compute, storage, slots, worst, rotation: matches!(subject, Subject::Rotation) })
    }

    /// The components that are asked about.
    fn components(&self) -> Vec<Component> {
        match self.component {
            Some(BoundedPart::Sin) => vec![Component::Sin],
            Some(BoundedPart::Cos) => vec![Component::Cos],
            None => vec![Component::Sin, Component::Cos],
        }
    }

    fn question(&self, subject: Subject, positions: &Positions, model: &Model) -> Result<Question, Failure> {
        let table = matches!(subject, Subject::Sinusoid | Subject::Rope);
        for (given, name) in [
            (self.worst, "--worst"),
            (self.error.is_some(), "--error"),
            (self.component.is_some(), "--component"),
            (self.certificate.is_some(), "--certificate"),
        ] {
            if given && !table {
                let why = "what is computed from a table has real inputs and no components";
                return Err(Failure::Usage(format!("{name}: expected with sinusoid or rope only; {why}")));
            }
        }
        let whole = matches!(subject, Subject::Score | Subject::Logits | Subject::Attention);
        if whole && !self.pairs.is_empty() {
            return Err(Failure::Usage(
                "--pairs: expected with sinusoid, rope or rotation; a score takes all pairs".into(),
            ));
        }
        if let Some(error) = self.error.filter(|error| !(*error > 0.0 && error.is_finite())) {
            return Err(Failure::Usage(format!("--error {error}: expected a number > 0")));
        }
        let worst = self.worst.then(|| positions.distinct());
        let count = worst.as_ref().map_or(0, Positions::len) as u64;
        if count > ENUMERABLE {
            return Err(Failure::Usage(format!("--worst over {count} positions: expected at most {ENUMERABLE}")));
        }
        let components = self.components();
        let count = model.convention().pairs();
        if self.pairs.is_empty() && count > MAX_PAIRS && !whole {
            return Err(Failure::Usage(format!(
                "{count} pairs: expected --pairs where there are more than {MAX_PAIRS}"
            )));
        }
        let pairs = if self.pairs.is_empty() { model.turning() } else { self.pairs.clone() };
        Ok(Question { positions: positions.span(), pairs, components, worst, error: self.error })
    }
}
