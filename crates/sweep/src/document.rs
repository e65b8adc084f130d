//! Results of shards as files, and what makes a whole of them.

use crate::{InvalidSweep, Shard};
use posproof_numerics::decimal::counted;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// A computation that is cut into tasks, each of which can be done anywhere and as often as one likes: the same task has the same
/// findings.
pub trait Sweep: Clone + PartialEq + Serialize + DeserializeOwned + Sync {
    /// Its name on the command line and in files.
    const NAME: &'static str;
    /// Findings of a shard, or of the whole.
    type Findings: Clone + PartialEq + Serialize + DeserializeOwned + Send;

    /// Refuses parameters that are out of range.
    ///
    /// # Errors
    /// The first such parameter.
    fn validate(&self) -> Result<(), InvalidSweep>;

    /// The number of tasks.
    fn tasks(&self) -> usize;

    /// Does some of the tasks in the threads of the current rayon pool, and calls `done` after each; the findings do not depend on
    /// the threads.
    ///
    /// # Errors
    /// A parameter that is out of range.
    fn run(&self, tasks: Range<usize>, done: &(dyn Fn() + Sync)) -> Result<Self::Findings, InvalidSweep>;

    /// Refuses findings that these tasks cannot have had.
    ///
    /// # Errors
    /// The mistake, its place, and the expected value.
    fn verify(&self, tasks: Range<usize>, findings: &Self::Findings) -> Result<(), String>;

    /// The findings of consecutive tasks made one.
    fn merge(&self, parts: Vec<Self::Findings>) -> Self::Findings;

    /// A name for files.
    fn slug(&self) -> String;

    /// The options that say the same on the command line.
    fn arguments(&self) -> Vec<String>;

    /// Result that the findings establish, in words.
    fn summary(&self, findings: &Self::Findings) -> String;
}

/// The version that results must have to be merged: this package's.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

const SCHEMA: &str = "posproof.sweep/1";

/// First words of every result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object with schema, version and sweep")]
struct Head {
    schema: String,
    version: String,
    sweep: String,
}

/// The result of a shard (schema `posproof.sweep/1`): the same bytes wherever and however often it is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Document<S: Sweep> {
    #[serde(flatten)]
    head: Head,
    /// Specification of the work.
    pub specification: S,
    /// Which part of it.
    pub shard: Shard,
    /// Findings.
    #[serde(flatten)]
    pub findings: S::Findings,
}

impl<S: Sweep> Document<S> {
    /// Computes a shard.
    ///
    /// # Errors
    /// A parameter that is out of range, or more shards than tasks.
    pub fn compute(specification: &S, shard: Shard, done: &(dyn Fn() + Sync)) -> Result<Self, InvalidSweep> {
        specification.validate()?;
        let findings = specification.run(shard.tasks(specification.tasks())?, done)?;
        Ok(Self::new(specification.clone(), shard, findings))
    }

    fn new(specification: S, shard: Shard, findings: S::Findings) -> Self {
        let head = Head { schema: SCHEMA.to_owned(), version: VERSION.to_owned(), sweep: S::NAME.to_owned() };
        Self { head, specification, shard, findings }
    }

    /// The bytes of the file.
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists only: there is nothing that cannot be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a result and refuses what this program would not have written for any specification. `file` is what messages call it.
    ///
    /// # Errors
    /// Mistake in the file, with its name.
    pub fn read(file: &str, text: &str) -> Result<Self, InvalidResult> {
        let name = named(file, text)?;
        let invalid = |problem: String| InvalidResult::new(file, problem);
        if name != S::NAME {
            return Err(invalid(format!("a result of {name}: expected one of {}", S::NAME)));
        }
        let document: Self = serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
        if let Some(place) = document.unknown_in(text) {
            let problem = format!("unknown key {place}: expected a result as this version writes it");
            return Err(invalid(format!("{problem}; if something else was added to it, compute the shard again")));
        }
        let Self { specification, shard, findings, .. } = &document;
        specification.validate().map_err(|error| invalid(error.to_string()))?;
        let tasks = shard.tasks(specification.tasks()).map_err(|error| invalid(error.to_string()))?;
        specification.verify(tasks, findings).map_err(invalid)?;
        Ok(document)
    }

    /// The first key of a text that this document, which was read from it, does not have: with a part of the findings flattened into the
    /// document, reading passes such keys over. A text of the very bytes that are written has none.
    fn unknown_in(&self, text: &str) -> Option<String> {
        let written = self.to_json();
        if written == text {
            return None;
        }
        let [found, written] = [text, &written].map(|text| serde_json::from_str(text).unwrap_or_default());
        first_unknown(&found, &written, String::new())
    }

    /// The whole that results of all shards make: the same document as that of the sweep without shards.
    ///
    /// # Errors
    /// Shards that are missing or there twice, and results of different specifications or numbers of shards.
    pub fn merge(results: Vec<(String, Self)>) -> Result<Self, InvalidResult> {
        let Some((first, like)) = results.first().cloned() else {
            return Err(InvalidResult::new("merge", "no results: expected those of all shards".to_owned()));
        };
        let count = like.shard.count();
        let mut slots: BTreeMap<usize, (String, Self)> = BTreeMap::new();
        for (file, result) in results {
            if result.specification != like.specification {
                let (found, expected) = (words(&result.specification), words(&like.specification));
                return Err(InvalidResult::new(&file, format!("it is for {found}: expected {expected} as in {first}")));
            }
            if result.shard.count() != count {
                let problem = format!("it is shard {}: expected one of {count} as in {first}", result.shard);
                return Err(InvalidResult::new(&file, problem));
            }
            let shard = result.shard;
            if let Some((other, there)) = slots.get(&shard.index()) {
                let problem = format!("it is shard {shard}, and so is {other}: expected each shard once");
                let advice = match there.findings == result.findings {
                    true => "they say the same: leave one of them out",
                    false => "they differ, which the same version does not: compute the shard again",
                };
                return Err(InvalidResult::new(&file, format!("{problem}; {advice}")));
            }
            slots.insert(shard.index(), (file, result));
        }
        let missing = count - slots.len();
        if missing > 0 {
            let first: Vec<String> =
                (1..=count).filter(|k| !slots.contains_key(k)).take(20).map(|k| k.to_string()).collect();
            let more = if missing > first.len() { ", …" } else { "" };
            let (of, are) = (counted(count as u64, "shard"), if missing == 1 { "is" } else { "are" });
            let problem = format!("{missing} of {of} {are} missing ({}{more}): expected all", first.join(", "));
            let command = format!("posproof sweep {} {} --list {count}", S::NAME, words(&like.specification));
            let problem = format!("{problem}; {command} prints their commands");
            return Err(InvalidResult::new("merge", problem));
        }
        let parts = slots.into_values().map(|(_, result)| result.findings).collect();
        let findings = like.specification.merge(parts);
        Ok(Self::new(like.specification, Shard::WHOLE, findings))
    }
}

/// The place of the first key in `found` that `written` lacks, as `findings.0.witness`.
fn first_unknown(found: &Value, written: &Value, place: String) -> Option<String> {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (found, written) {
        (Value::Object(found), Value::Object(written)) => {
            found.iter().find_map(|(key, value)| match written.get(key) {
                Some(written) => first_unknown(value, written, below(key)),
                None => Some(below(key)),
            })
        }
        (Value::Array(found), Value::Array(written)) => {
            let mut each = found.iter().zip(written).enumerate();
            each.find_map(|(index, (found, written))| first_unknown(found, written, below(&index.to_string())))
        }
        _ => None,
    }
}

fn words<S: Sweep>(specification: &S) -> String {
    specification.arguments().join(" ")
}

/// The name of the sweep that a result is of, if this version can read it.
///
/// # Errors
/// A file that is no result, or one of another version.
pub fn named(file: &str, text: &str) -> Result<String, InvalidResult> {
    let invalid = |problem: String| InvalidResult::new(file, problem);
    let head: Head = serde_json::from_str(text).map_err(|error| {
        let problem = format!("{error}: expected a whole document of the schema {SCHEMA}");
        invalid(format!("{problem}; if it was cut off, compute the shard again"))
    })?;
    if head.schema != SCHEMA {
        return Err(invalid(format!("schema {}: expected {SCHEMA}", head.schema)));
    }
    if head.version != VERSION {
        let problem = format!("a result of version {}: expected {VERSION}, this program's", head.version);
        return Err(invalid(format!("{problem}; merge with that version, or compute all shards with this one")));
    }
    Ok(head.sweep)
}

/// Why results were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct InvalidResult {
    /// The file.
    pub file: String,
    /// The mistake, and the expected value.
    pub problem: String,
}

impl InvalidResult {
    fn new(file: &str, problem: String) -> Self {
        Self { file: file.to_owned(), problem }
    }
}
