//! Configurations of programs that are no part of transformers, read as their published code reads them.
//!
//! `atlas/codes.json` names the source of each row. Such a file says no family: it is recognised by its keys.

use super::keys::{Keys, number};
use super::read::whole;
use super::{InvalidConfig, Model, Note, NoteKind, Origin, Stated};
use crate::atlas::Family;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A program, and what its configurations mean.
#[derive(Debug, Deserialize)]
struct Code {
    /// Its name, with its maker's.
    code: String,
    /// The repository, the files and the commit that the row was read from.
    source: String,
    /// The keys by which its files are known.
    has: Vec<String>,
    /// Keys that its files do not have.
    has_not: Vec<String>,
    /// The scaling rule that it has.
    rule: Option<Scaled>,
    family: Family,
}

/// A scaling rule of a program.
#[derive(Debug, Deserialize)]
struct Scaled {
    when: When,
    /// Parameters that the program has in its code.
    constants: Map<String, Value>,
    /// Parameters, and the keys of the file that say them.
    keys: BTreeMap<String, String>,
}

/// When it holds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum When {
    /// Where this key is true.
    Switch(String),
    /// Where the first length is greater than the second.
    Longer([String; 2]),
}

fn codes() -> &'static [Code] {
    static CODES: OnceLock<Vec<Code>> = OnceLock::new();
    CODES.get_or_init(|| {
        serde_json::from_str(include_str!("../atlas/codes.json"))
            .unwrap_or_else(|error| unreachable!("codes.json: {error}"))
    })
}

/// The model of a file of one of these programs; none for other files.
pub(super) fn read(root: &Keys<'_>, stated: &Stated) -> Result<Option<Model>, InvalidConfig> {
    let has = |key: &String| root.get(key).is_some();
    let known = codes().iter().find(|code| code.has.iter().all(has) && !code.has_not.iter().any(has));
    let Some(code) = known else { return Ok(None) };
    // In the spelling of transformers; the keys that say a rule are taken out.
    let mut map = root.map().clone();
    let mut said = BTreeMap::new();
    if let Some(rule) = &code.rule {
        let mut parameters = rule.constants.clone();
        for (parameter, key) in &rule.keys {
            let value = root.get(key).or_else(|| code.family.values.get(key));
            parameters.extend(value.map(|value| (parameter.clone(), value.clone())));
            let file = root.get(key).map(|_| Origin::File { keys: vec![root.place(key)] });
            said.insert(parameter.as_str(), file.unwrap_or(Origin::Family { key: Some(key.clone()) }));
            map.remove(key);
        }
        let holds = match &rule.when {
            When::Switch(key) => {
                map.remove(key);
                root.truth(key)?.unwrap_or(false)
            }
            When::Longer(lengths) => {
                let [length, than] =
                    lengths.each_ref().map(|key| root.get(key).or_else(|| code.family.values.get(key)));
                length
                    .and_then(number)
                    .zip(than.and_then(number))
                    .is_some_and(|(length, than)| length.value() > than.value())
            }
        };
        if holds {
            map.insert("rope_scaling".into(), Value::Object(parameters));
        }
    }
    let mut model = whole(&Keys::new(&map, root.path()), None, Some(&code.family), stated).map_err(|error| {
        let parameter = error.key.strip_prefix("rope_scaling.");
        let own = parameter.and_then(|parameter| code.rule.as_ref()?.keys.get(parameter));
        InvalidConfig { key: own.cloned().unwrap_or(error.key), ..error }
    })?;
    // The rule has the names of the file, or is one of the code.
    let values =
        model.kinds.iter_mut().filter_map(|kind| kind.rotation.as_mut()).flat_map(|rotation| &mut rotation.values);
    for value in values.filter(|value| value.field.starts_with("scaling")) {
        let parameter = value.field.strip_prefix("scaling.").unwrap_or_default();
        value.origin = said.get(parameter).cloned().unwrap_or(Origin::Family { key: None });
    }
    model.measured_on = None;
    let message = format!("the file has the keys of {}, and is read as that code reads it: {}", code.code, code.source);
    model.notes.push(Note { kind: NoteKind::Depends, key: "the file".into(), message });
    Ok(Some(model))
}
