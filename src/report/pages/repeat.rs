//! The command line that says what a convention is.

use crate::encoding::convention::{Convention, Encoding};
use serde_json::Value;

/// The arguments by which `posproof bound` and `posproof table` know a convention: the encoding, its dimension and base,
/// and everything that is not as usual.
///
/// ```
/// use posproof::{encoding::convention::Convention, report::pages::arguments};
/// let neox = Convention { rotary_dim: Some(24), ..Convention::rope(96) };
/// assert_eq!(arguments(&neox)?, "rope --dim 96 --base 10000 --rotary-dim 24");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// The error is that of the serialisation, which no convention is known to cause.
pub fn arguments(convention: &Convention) -> Result<String, serde_json::Error> {
    let (name, usual) = match convention.encoding {
        Encoding::Sinusoid => ("sinusoid", Convention::sinusoid(convention.dim)),
        Encoding::Rope => ("rope", Convention::rope(convention.dim)),
    };
    let mut words = vec![name.to_owned(), format!("--dim {} --base {}", convention.dim, convention.base)];
    let (fields, usual) = (serde_json::to_value(convention)?, serde_json::to_value(usual)?);
    for (field, value) in fields.as_object().into_iter().flatten() {
        match (field.as_str(), value) {
            ("encoding" | "dim" | "base", _) => {}
            ("scaling", Value::Object(rule)) => {
                words.extend(rule.get("rope_type").and_then(Value::as_str).map(|name| format!("--scaling {name}")));
                let given = rule.iter().filter(|(name, value)| *name != "rope_type" && !value.is_null());
                words.extend(given.map(|(name, value)| argument(name, value)));
            }
            (field, value) if usual.get(field) == Some(value) => {}
            ("position_scale", value) => words.push(argument("angle_scale", value)),
            (field, value) => words.push(argument(field, value)),
        }
    }
    Ok(words.join(" "))
}

fn argument(field: &str, value: &Value) -> String {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    format!("--{} {value}", field.replace('_', "-"))
}
