//! A judgement, as the package keeps it.

use super::errors::{internal, keywords};
use posproof_bound::first::{First, FirstVersion};
use posproof_check::axes::{AxialMend, AxialReport};
use posproof_check::{Profile, Report, Restatement};
use posproof_command::page::{frame, part};
use pyo3::prelude::*;

/// A judgement, as the package keeps it.
#[pyclass(frozen, get_all, module = "posproof._posproof")]
pub struct Judgement {
    /// The choice of one kind of layers, where the configuration has several and none was stated.
    chosen: Option<String>,
    /// True if it conforms.
    conforms: bool,
    /// The name of the grade.
    grade: String,
    /// Its place among the grades, from best to worst.
    rank: u8,
    /// The report in words.
    text: String,
    /// The report as JSON (schemas `posproof.check/1` and `posproof.check-axes/1`).
    json: String,
    /// The report as JSON of the second version (schema `posproof.check/2`).
    second: String,
    /// The options under which it conforms, with their values as text; none where nothing near it does.
    mend: Option<Vec<(String, String)>>,
    /// Errors beside their bounds, as JSON.
    profile: String,
}

/// The fields of a [`Judgement`].
type Fields = (Option<String>, bool, String, u8, String, [String; 2], Option<Vec<(String, String)>>, String);

#[pymethods]
impl Judgement {
    /// The fields that pickle kept.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the fields, in the order in which pickle keeps them")]
    fn new(
        chosen: Option<String>,
        conforms: bool,
        grade: String,
        rank: u8,
        text: String,
        json: [String; 2],
        mend: Option<Vec<(String, String)>>,
        profile: String,
    ) -> Self {
        let [json, second] = json;
        Self { chosen, conforms, grade, rank, text, json, second, mend, profile }
    }

    /// For pickle: the fields.
    fn __getnewargs__(&self) -> Fields {
        let Self { chosen, conforms, grade, rank, text, json, second, mend, profile } = self;
        let (conforms, rank, mend) = (*conforms, *rank, mend.clone());
        let json = [json.clone(), second.clone()];
        (chosen.clone(), conforms, grade.clone(), rank, text.clone(), json, mend, profile.clone())
    }

    /// A text as HTML, with the pictures of this judgement.
    fn html(&self, text: &str) -> PyResult<String> {
        let profile: Profile = serde_json::from_str(&self.profile).map_err(internal)?;
        Ok(part(text, &profile))
    }
}

impl Judgement {
    /// A report of one axis, of layers that were chosen.
    pub fn plain(chosen: Option<String>, report: &Report, profile: &Profile) -> PyResult<Self> {
        let mend = report.mend.as_ref().map(|mend| as_keywords(&mend.arguments()));
        let text = report.to_string();
        let text = match (&report.mend, &mend) {
            (Some(arguments), Some(mend)) => {
                let call: Vec<String> = mend.iter().map(|(name, value)| format!("{name}={value}")).collect();
                text.replacen(&arguments.to_string(), &call.join(", "), 1)
            }
            _ => text,
        };
        Ok(Self { chosen, mend, ..Self::of(report, &text, profile)? })
    }

    /// A report of axes, of layers that were chosen.
    pub fn axial(chosen: Option<String>, report: &AxialReport, profile: &Profile) -> PyResult<Self> {
        let text = report.to_string();
        let text = match &report.mend {
            Some(mend) => text.replacen(&mend.to_string(), &call(mend)?, 1),
            None => text,
        };
        Ok(Self { chosen, ..Self::of(report, &text, profile)? })
    }

    fn of<M: Restatement>(report: &Report<M>, text: &str, profile: &Profile) -> PyResult<Self>
    where
        Report<M>: FirstVersion,
    {
        Ok(Self {
            chosen: None,
            conforms: report.conforms,
            grade: report.grade.name().to_owned(),
            rank: report.grade as u8,
            text: keywords(text),
            json: serde_json::to_string(&First(report)).map_err(internal)?,
            second: serde_json::to_string(report).map_err(internal)?,
            mend: None,
            profile: serde_json::to_string(profile).map_err(internal)?,
        })
    }
}

/// A mend of several axes as keywords.
fn call(mend: &AxialMend) -> PyResult<String> {
    let convention = serde_json::to_string(&mend.convention).map_err(internal)?;
    let mut all = vec![format!("convention={convention}"), format!("compute={}", mend.compute)];
    all.extend(mend.storage.map(|storage| format!("dtype={storage}")));
    if let Some(levels) = mend.levels {
        all.extend([format!("step={}", levels.step()), format!("zero_point={}", levels.zero_point())]);
    }
    all.extend(mend.coordinates.as_ref().map(|_| "positions=report.mend[\"positions\"]".to_owned()));
    Ok(all.join(", "))
}

/// A page around parts of HTML.
#[pyfunction]
pub fn html_page(title: &str, parts: &str) -> String {
    frame(title, parts)
}

/// Arguments of the command line as keywords and values.
pub fn as_keywords(arguments: &[String]) -> Vec<(String, String)> {
    let pairs = arguments.chunks_exact(2);
    pairs.map(|pair| (pair[0].trim_start_matches('-').replace('-', "_"), pair[1].clone())).collect()
}
