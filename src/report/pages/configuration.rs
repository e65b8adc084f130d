//! The error bounds of configurations that people run.

use super::arguments;
use crate::bound::{
    Configuration, Enumeration, Impossible, Model, Path, Program, Question, Study, Unanswered, configurations, programs,
};
use crate::encoding::convention::{Component, Convention};
use crate::number::format::{Format, hex};
use posproof_bound::document::Document;
use posproof_bound::first::FirstVersion;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use serde::Serialize;

/// Findings about one configuration.
#[derive(Serialize)]
pub struct Surveyed {
    /// Its name.
    pub name: &'static str,
    /// Its subject.
    pub about: &'static str,
    /// The convention, in exact real arithmetic.
    pub convention: Convention,
    /// The command that repeats the line on binary32 with correctly rounded frequencies, pair by pair.
    pub command: String,
    /// The programs that it was surveyed with.
    pub findings: Vec<BoundedProgram>,
    /// The bounds of every pair by decade of positions, in binary32 with correctly rounded frequencies.
    #[serde(serialize_with = "FirstVersion::first_version")]
    pub study: Document,
}

/// One program beside its bounds.
#[derive(Clone, Debug, Serialize)]
pub struct BoundedProgram {
    /// The program's steps.
    pub program: String,
    /// The format of angles, and that of the table.
    pub formats: [Format; 2],
    /// Path of the frequencies.
    pub path: Path,
    /// The positions, from the first to beyond the last.
    pub positions: [u64; 2],
    /// Entries compared with their exact values.
    pub comparisons: u64,
    /// Stretches whose error is above a bound.
    pub above: u64,
    /// The largest error, in decimal and exactly.
    pub error: [String; 2],
    /// Where it is.
    pub position: u64,
    /// Its pair.
    pub pair: usize,
    /// Its component.
    pub component: &'static str,
    /// The instance bound.
    pub instance: String,
    /// Instance bound by worst error.
    pub ratio: String,
    /// The a priori bound.
    pub a_priori: String,
    /// Where the bounds come from: instance, a priori.
    pub origins: [String; 2],
}

impl BoundedProgram {
    fn new(program: &Program, finding: &Enumeration) -> Self {
        let by =
            if program.path == Path::Rounded { String::new() } else { format!(", frequencies by {}", program.path) };
        let stored =
            if program.storage == program.angle { String::new() } else { format!(", stored in {}", program.storage) };
        let error = finding.worst.error;
        Self {
            program: format!("{}{by}{stored}", program.angle),
            formats: [program.angle, program.storage],
            path: program.path,
            positions: [finding.positions.start, finding.positions.end],
            comparisons: finding.comparisons,
            above: finding.above,
            error: [scientific(error, 5, Round::Nearest), hex(error)],
            position: finding.worst.position,
            pair: finding.pair,
            component: if finding.component == Component::Sin { "sin" } else { "cos" },
            instance: scientific(finding.instance.value(), 5, Round::Up),
            ratio: if error > 0.0 { format!("{:.4}", finding.instance.value() / error) } else { "–".into() },
            a_priori: scientific(finding.a_priori.value(), 5, Round::Up),
            origins: [finding.instance.origin().to_string(), finding.a_priori.origin().to_string()],
        }
    }
}

/// Why a configuration cannot be surveyed.
#[derive(Debug, thiserror::Error)]
pub enum Unsurveyed {
    /// A bound is not defined.
    #[error(transparent)]
    Bound(#[from] Impossible),
    /// A study has no answer.
    #[error(transparent)]
    Study(#[from] Unanswered),
    /// The convention cannot be written as arguments.
    #[error("JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Number of configurations.
pub fn count() -> usize {
    configurations().len()
}

/// Surveys every configuration at the positions 0 … length − 1, in the threads of the current rayon pool. `done` is
/// called after each.
pub fn survey(length: u64, done: &dyn Fn()) -> Result<Vec<Surveyed>, Unsurveyed> {
    let each = |configuration: Configuration| {
        let surveyed = one(&configuration, length);
        done();
        surveyed
    };
    configurations().into_iter().map(each).collect()
}

/// The command that repeats a configuration's bounds on binary32, pair by pair, at the positions 0 … length − 1.
///
/// # Errors
///
/// That of the serialisation, which no convention is known to cause.
pub fn bound_command(configuration: &Configuration, length: u64) -> Result<String, serde_json::Error> {
    let what = arguments(&configuration.convention.clone().for_length(length))?;
    Ok(format!("posproof bound {what} --positions 0..{length} --dtype f32 --ulp 0.5 --worst --json"))
}

/// The command that writes a configuration's table, correctly rounded to binary32, at the positions 0 … length − 1.
///
/// # Errors
///
/// That of the serialisation, which no convention is known to cause.
pub fn table_command(configuration: &Configuration, length: u64) -> Result<String, serde_json::Error> {
    let what = arguments(&configuration.convention.clone().for_length(length))?;
    let name = configuration.name;
    Ok(format!("posproof table {what} --positions 0..{length} --dtype f32 --out {name}.safetensors"))
}

fn one(configuration: &Configuration, length: u64) -> Result<Surveyed, Unsurveyed> {
    let convention = configuration.convention.clone().for_length(length);
    let find = |program: Program| Ok::<_, Impossible>((program, Model::new(&convention, &program)?.survey(length)?));
    let findings = programs(&convention).into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let model = Model::new(&convention, &Program::rounded(Format::F32))?;
    let study = study(&model, length)?;
    Ok(Surveyed {
        name: configuration.name,
        command: bound_command(configuration, length)?,
        about: configuration.about,
        findings: findings.iter().map(|(program, finding)| BoundedProgram::new(program, finding)).collect(),
        study: Document::new(&model, &study),
        convention,
    })
}

fn study(model: &Model, length: u64) -> Result<Study, Unanswered> {
    let question = Question {
        positions: 0..length,
        pairs: (0..model.convention().pairs()).collect(),
        components: vec![Component::Sin, Component::Cos],
        worst: None,
        error: None,
    };
    model.study(question, || ())
}
