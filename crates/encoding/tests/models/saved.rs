//! Files as the library itself saves them, against what its modules compute for these files (`scripts/atlas/saved.py`).

use crate::measured::{Line, compared};
use posproof_encoding::model::{InvalidConfig, Model, Stated};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Corpus {
    software: String,
    families: BTreeMap<String, Files>,
}

#[derive(Deserialize)]
struct Files {
    /// Keys and values that all files have.
    every: Map<String, Value>,
    files: Vec<File>,
    /// The part that was measured, with the name of its family.
    part: Option<String>,
    family: Option<String>,
}

#[derive(Deserialize)]
struct File {
    /// Those that this file has besides.
    own: Map<String, Value>,
    kinds: BTreeMap<String, Value>,
}

/// The result for one file.
enum Outcome {
    Right,
    Refused(InvalidConfig),
    Wrong(String),
}

fn corpus() -> Corpus {
    serde_json::from_str(include_str!("saved.json")).unwrap()
}

fn outcome(name: &str, files: &Files, file: &File) -> Outcome {
    let mut whole = files.every.clone();
    whole.extend(file.own.clone());
    let whole = Value::Object(whole);
    let stated = Stated { part: files.part.clone(), ..Stated::default() };
    let model = match Model::read(&whole.to_string(), &stated) {
        Err(error) => return Outcome::Refused(error),
        Ok(model) => model,
    };
    let mut read = files.part.as_ref().map_or(&whole, |part| &whole[part]).clone();
    read["model_type"] = files.family.as_deref().unwrap_or(name).into();
    for (kind, shown) in &file.kinds {
        let mut line = shown.clone();
        line["kind"] = kind.as_str().into();
        line["file"] = read.clone();
        let line: Line = serde_json::from_value(line).unwrap();
        if let Some(Err(error)) = compared(&model, &line) {
            return Outcome::Wrong(format!("{name}, {kind}: {error}: {}", Value::Object(file.own.clone())));
        }
    }
    Outcome::Right
}

/// The result for all files: how many are read right, why others are refused, and what is read wrongly.
struct Score {
    right: usize,
    refused: BTreeMap<(String, String), BTreeMap<String, usize>>,
    wrong: Vec<String>,
}

fn score() -> Score {
    let mut score = Score { right: 0, refused: BTreeMap::new(), wrong: Vec::new() };
    for (name, files) in &corpus().families {
        for file in &files.files {
            match outcome(name, files, file) {
                Outcome::Right => score.right += 1,
                Outcome::Refused(error) => {
                    let key = error.key.rsplit('.').next().unwrap_or_default().to_owned();
                    let families = score.refused.entry((key, error.expected)).or_default();
                    *families.entry(name.clone()).or_default() += 1;
                }
                Outcome::Wrong(error) => score.wrong.push(error),
            }
        }
    }
    score
}

/// The section of the score sheet.
pub fn sheet() -> String {
    let score = score();
    let refused: usize = score.refused.values().flat_map(BTreeMap::values).sum();
    let all = score.right + refused + score.wrong.len();
    let mut text = format!(
        "\n## What the library itself saves\n\n\
         {} wrote {all} files for {} families (`saved.json`), as `save_pretrained` spells them and with every default. Of each family these are \
         its own file, and files with a base, a fraction, sizes and rules. {} are read right ({:.1} %), {refused} refused, {} read wrongly.\n\n\
         | key | expected | files | families |\n| --- | --- | --- | --- |\n",
        corpus().software,
        corpus().families.len(),
        score.right,
        100.0 * score.right as f64 / all as f64,
        score.wrong.len(),
    );
    let mut reasons: Vec<_> = score.refused.into_iter().collect();
    reasons.sort_by_key(|(reason, families)| (std::cmp::Reverse(families.values().sum::<usize>()), reason.clone()));
    for ((key, expected), families) in reasons {
        let (files, names) = (families.values().sum::<usize>(), families.into_keys().collect::<Vec<_>>().join(", "));
        text += &format!("| {key} | {} | {files} | {names} |\n", expected.replace('|', "\\|"));
    }
    text
}

#[test]
fn what_the_library_saves_is_read() {
    let score = score();
    let refused: usize = score.refused.values().flat_map(BTreeMap::values).sum();
    assert!(score.wrong.is_empty(), "{}", score.wrong.join("\n"));
    assert!(
        score.right > 3900 && 16 * refused < score.right,
        "{} right, {refused} refused: {:#?}",
        score.right,
        score.refused
    );
}
