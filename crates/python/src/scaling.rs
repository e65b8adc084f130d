//! Scaling rules, as Python states them: by name, or as configurations write them.

use super::array::kind;
use super::errors::option;
use super::values::{json, text};
use posproof_encoding::request::Parameters;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::{Map, Value};

/// Parameters of scaling rules, which may stand beside `scaling` or in it.
pub const SCALING: &[&str] = &[
    "factor",
    "original_max_position_embeddings",
    "sequence_length",
    "beta_fast",
    "beta_slow",
    "truncate",
    "attention_factor",
    "mscale",
    "mscale_all_dim",
    "low_freq_factor",
    "high_freq_factor",
    "short_factor",
    "long_factor",
    "partial_rotary_factor",
];

/// A parameter of a rule; as text, as the command line has it, one that is no number.
pub fn parameter(name: &str, value: Value) -> Value {
    match (name, value.as_str()) {
        ("short_factor" | "long_factor", Some(list)) => list.split(',').map(Value::from).collect(),
        ("truncate" | "original_max_position_embeddings" | "sequence_length", Some(text)) => {
            serde_json::from_str(text).unwrap_or(value)
        }
        _ => value,
    }
}

/// A rule as it was given: by its name, or with its parameters as configurations write them; an empty one for `default`.
pub fn rule(value: &Bound<'_, PyAny>) -> PyResult<Parameters> {
    let mut rule = if value.is_instance_of::<PyString>() {
        Map::from_iter([("rope_type".to_owned(), Value::from(text("scaling", value)?))])
    } else {
        match json("scaling", value)? {
            Value::Object(rule) if rule.is_empty() => {
                return Err(option(
                    "scaling",
                    "the name of a rule, or a dictionary with its parameters",
                    "an empty one",
                ));
            }
            Value::Object(rule) => rule,
            _ => return Err(option("scaling", "the name of a rule, or a dictionary with its parameters", kind(value))),
        }
    };
    if !rule.contains_key("rope_type")
        && let Some(old) = rule.remove("type")
    {
        rule.insert("rope_type".to_owned(), old);
    }
    if rule.len() == 1 && rule.get("rope_type").is_some_and(|name| name == "default") {
        return Ok(Parameters::new());
    }
    Ok(rule.into_iter().map(|(name, value)| (name, value.to_string())).collect())
}
