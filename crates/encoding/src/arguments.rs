//! A convention, said as arguments.

use crate::convention::{Convention, Encoding};
use serde_json::{Map, Value};

/// The options of the command line that give this convention, `--dim` first, without those that say what holds anyway.
///
/// ```
/// use posproof_encoding::arguments::arguments;
/// use posproof_encoding::convention::Convention;
/// let llama3 = Convention { base: 500_000.into(), ..Convention::rope(128) };
/// assert_eq!(arguments(&llama3).join(" "), "--dim 128 --base 500000");
/// ```
pub fn arguments(convention: &Convention) -> Vec<String> {
    let default = match convention.encoding {
        Encoding::Sinusoid => Convention::sinusoid(convention.dim),
        Encoding::Rope => Convention::rope(convention.dim),
    };
    let (stated, default) = (fields(convention), fields(&default));
    let mut arguments = vec!["--dim".to_owned(), convention.dim.to_string()];
    for (key, value) in &stated {
        if default.get(key) == Some(value) {
            continue;
        }
        match (key.as_str(), value) {
            ("scaling", Value::Object(rule)) => {
                for (key, value) in rule {
                    let flag = if key == "rope_type" { "scaling" } else { key };
                    push(&mut arguments, flag, value);
                }
            }
            ("position_scale", value) => push(&mut arguments, "angle-scale", value),
            (key, value) => push(&mut arguments, key, value),
        }
    }
    arguments
}

fn fields(convention: &Convention) -> Map<String, Value> {
    match serde_json::to_value(convention) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

fn push(arguments: &mut Vec<String>, key: &str, value: &Value) {
    if let Some(text) = text(value) {
        arguments.extend([format!("--{}", key.replace('_', "-")), text]);
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => Some(values.iter().filter_map(text).collect::<Vec<_>>().join(",")),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
    }
}
