//! Reading a rotary encoding from the configuration of a Hugging Face model (`config.json`).

use super::convention::{Convention, Layout};
use super::real::Real;
use super::scaling::Scaling;
use posproof_numerics::Rational;
use serde_json::{Map, Value};

/// Why a configuration could not be read: the key, what was found, what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {found}; expected {expected}")]
pub struct InvalidConfig {
    /// The key in the configuration, or the field of the convention.
    pub key: String,
    /// What it holds.
    pub found: String,
    /// What it may hold.
    pub expected: String,
}

fn invalid(key: &str, found: impl ToString, expected: impl ToString) -> InvalidConfig {
    InvalidConfig { key: key.to_owned(), found: found.to_string(), expected: expected.to_string() }
}

/// The rotary encoding of a model configuration, as its exact convention: `rope_theta`, `head_dim` (or
/// `hidden_size` / `num_attention_heads`), `partial_rotary_factor`, and `rope_scaling` or
/// `rope_parameters` with `max_position_embeddings`. Pairs are half-split, as these models have them.
///
/// `layer` chooses among `rope_parameters` that differ by the type of the layer.
///
/// ```
/// let config = r#"{
///     "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0, "max_position_embeddings": 131072,
///     "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
///                      "original_max_position_embeddings": 8192}
/// }"#;
/// let convention = posproof_encoding::config::read(config, None).unwrap();
/// assert_eq!((convention.dim, convention.base.to_string().as_str()), (128, "500000"));
/// assert_eq!(convention.scaling.unwrap().name(), "llama3");
/// ```
///
/// # Errors
///
/// [`InvalidConfig`], with the key, for text that is no JSON and for values that define no rotary encoding.
pub fn read(config: &str, layer: Option<&str>) -> Result<Convention, InvalidConfig> {
    let config: Value = serde_json::from_str(config).map_err(|error| invalid("the file", error, "JSON"))?;
    from_value(&config, layer)
}

fn from_value(config: &Value, layer: Option<&str>) -> Result<Convention, InvalidConfig> {
    let root = config.as_object().ok_or_else(|| invalid("the file", kind(config), "a JSON object"))?;
    let root = match root.get("text_config").and_then(Value::as_object) {
        Some(text) if !root.contains_key("hidden_size") => text,
        _ => root,
    };
    let parameters = parameters(root, layer)?;
    let dim = head_dim(root)?;
    let get = |key: &str| parameters.get(key).or_else(|| root.get(key)).filter(|value| !value.is_null());
    let base = match get("rope_theta").or_else(|| get("rotary_emb_base")) {
        Some(value) => real("rope_theta", value)?,
        None => 10000.into(),
    };
    let fraction = get("partial_rotary_factor").or_else(|| get("rotary_pct"));
    let fraction = fraction.map(|value| real("partial_rotary_factor", value)).transpose()?;
    let scaling = scaling(root, &parameters)?;
    let proportional = matches!(scaling, Some(Scaling::Proportional { .. }));
    let rotary = match (get("rotary_dim"), fraction) {
        (Some(value), _) => Some(integer("rotary_dim", value)? as usize),
        (None, Some(fraction)) if !proportional => {
            let rotated = (fraction.value() * Rational::from(dim as u64)).floor();
            Some(rotated.to_u64().unwrap_or(0) as usize)
        }
        _ => None,
    };
    let rotary_dim = rotary.filter(|&rotary| rotary != dim);
    Ok(Convention { base, layout: Layout::Halves, rotary_dim, scaling, ..Convention::rope(dim) })
}

/// `rope_parameters` or `rope_scaling`, for the layer type where they differ by it.
fn parameters(root: &Map<String, Value>, layer: Option<&str>) -> Result<Map<String, Value>, InvalidConfig> {
    let key = if root.get("rope_parameters").is_some_and(|value| !value.is_null()) {
        "rope_parameters"
    } else {
        "rope_scaling"
    };
    let parameters = match root.get(key) {
        None | Some(Value::Null) => return Ok(Map::new()),
        Some(Value::Object(parameters)) => parameters,
        Some(other) => return Err(invalid(key, kind(other), "an object or null")),
    };
    let layers: Vec<&str> =
        parameters.iter().filter(|(_, value)| value.is_object()).map(|(name, _)| name.as_str()).collect();
    if layers.is_empty() {
        return Ok(parameters.clone());
    }
    let known = layers.join(", ");
    let Some(layer) = layer else {
        return Err(invalid(key, format!("parameters for each of {known}"), "a choice among them (--layer-type)"));
    };
    let chosen = parameters.get(layer).and_then(Value::as_object);
    chosen.cloned().ok_or_else(|| invalid("the layer type", format!("'{layer}'"), format!("one of {known}")))
}

fn head_dim(root: &Map<String, Value>) -> Result<usize, InvalidConfig> {
    let get = |keys: &[&str]| {
        let found =
            keys.iter().find_map(|key| root.get(*key).filter(|value| !value.is_null()).map(|value| (*key, value)));
        found.map(|(key, value)| integer(key, value)).transpose()
    };
    if let Some(dim) = get(&["qk_rope_head_dim", "head_dim"])? {
        return Ok(dim as usize);
    }
    let (hidden, heads) = (get(&["hidden_size", "n_embd"])?, get(&["num_attention_heads", "n_head"])?);
    match (hidden, heads) {
        (Some(hidden), Some(heads)) if heads > 0 && hidden.is_multiple_of(heads) => Ok((hidden / heads) as usize),
        (Some(hidden), Some(heads)) => {
            Err(invalid("hidden_size", format!("{hidden} for {heads} heads"), "a multiple of num_attention_heads"))
        }
        _ => Err(invalid("head_dim", "nothing", "head_dim, or hidden_size and num_attention_heads")),
    }
}

fn scaling(root: &Map<String, Value>, parameters: &Map<String, Value>) -> Result<Option<Scaling>, InvalidConfig> {
    let Some(name) = parameters.get("rope_type").or_else(|| parameters.get("type")) else { return Ok(None) };
    let name = match name.as_str().ok_or_else(|| invalid("rope_type", kind(name), "a string"))? {
        "default" => return Ok(None),
        "su" => "longrope",
        name => name,
    };
    let keys = Scaling::parameters(name).ok_or_else(|| {
        invalid("rope_type", format!("'{name}'"), format!("default or one of {}", Scaling::NAMES.join(", ")))
    })?;
    let mut rule = Map::from_iter([("rope_type".to_owned(), Value::from(name))]);
    for key in keys {
        let own = parameters.get(*key).filter(|value| !value.is_null());
        let inherited = || root.get(*key).filter(|value| !value.is_null() && *key != "factor");
        if let Some(value) = own.or_else(inherited) {
            rule.insert((*key).to_owned(), value.clone());
        }
    }
    let extended = root.get("max_position_embeddings").filter(|value| !value.is_null());
    let original = "original_max_position_embeddings";
    if keys.contains(&original) && !rule.contains_key(original) {
        let length = extended.ok_or_else(|| invalid(original, "nothing", "it, or max_position_embeddings"))?;
        rule.insert(original.to_owned(), length.clone());
    }
    if matches!(name, "yarn" | "longrope") && !rule.contains_key("factor") {
        let lengths = extended.zip(rule.get(original));
        if let Some((extended, original_length)) = lengths {
            let (extended, length) =
                (integer("max_position_embeddings", extended)?, integer(original, original_length)?);
            let ratio = Real::from(Rational::from((extended, length.max(1))));
            rule.insert("factor".to_owned(), Value::from(ratio.to_string()));
        }
    }
    from_parameters(rule).map(Some)
}

/// A scaling rule from a JSON object with its name (`rope_type`) and parameters.
///
/// # Errors
///
/// [`InvalidConfig`], with the parameters that the rule has.
pub fn scaling_rule(rule: &str) -> Result<Scaling, InvalidConfig> {
    let rule = serde_json::from_str(rule).map_err(|error| invalid("the scaling rule", error, "a JSON object"))?;
    from_parameters(rule)
}

fn from_parameters(rule: Map<String, Value>) -> Result<Scaling, InvalidConfig> {
    let name = rule.get("rope_type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let known = Scaling::parameters(&name).unwrap_or_default().join(", ");
    serde_json::from_value(Value::Object(rule))
        .map_err(|error| invalid(&format!("{name} scaling"), error, format!("the parameters {known}")))
}

fn real(key: &str, value: &Value) -> Result<Real, InvalidConfig> {
    serde_json::from_value(value.clone()).map_err(|_| invalid(key, value, "a finite number"))
}

fn integer(key: &str, value: &Value) -> Result<u64, InvalidConfig> {
    let number = real(key, value)?;
    let whole = number.value().to_u64();
    whole.ok_or_else(|| invalid(key, value, "a non-negative integer"))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn partial_rotary_and_old_names() {
        let neox =
            json!({"hidden_size": 2048, "num_attention_heads": 16, "rotary_pct": 0.25, "rotary_emb_base": 10000});
        let convention = from_value(&neox, None).unwrap();
        assert_eq!((convention.dim, convention.rotary_dim), (128, Some(32)));
        let gptj = json!({"n_embd": 4096, "n_head": 16, "rotary_dim": 64});
        assert_eq!(from_value(&gptj, None).unwrap().rotary_dim, Some(64));
    }

    #[test]
    fn lengths_are_inherited_where_the_rule_has_none() {
        let phi = json!({
            "hidden_size": 256, "num_attention_heads": 32, "max_position_embeddings": 131072,
            "original_max_position_embeddings": 4096,
            "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.1, 1.2, 1.3], "long_factor": [1, 2, 3, 4.5]}
        });
        let Some(Scaling::Longrope { factor, original_max_position_embeddings, .. }) =
            from_value(&phi, None).unwrap().scaling
        else {
            panic!("longrope expected");
        };
        assert_eq!((factor, original_max_position_embeddings), (Some(32.into()), 4096));
        let dynamic = json!({"head_dim": 64, "max_position_embeddings": 2048, "rope_scaling": {"type": "dynamic", "factor": 2.0}});
        assert_eq!(from_value(&dynamic, None).unwrap().scaling.unwrap().name(), "dynamic");
    }

    #[test]
    fn layer_types_are_chosen_by_name() {
        let config = json!({"head_dim": 256, "rope_parameters": {
            "full_attention": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}
        }});
        assert_eq!(from_value(&config, None).unwrap_err().key, "rope_parameters");
        let full = from_value(&config, Some("full_attention")).unwrap();
        assert_eq!((full.base.to_string().as_str(), full.rotary_dim), ("1000000", None));
        assert_eq!(from_value(&config, Some("sliding_attention")).unwrap().scaling, None);
        assert!(from_value(&config, Some("other")).is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let key = |config: Value| from_value(&config, None).unwrap_err().key;
        assert_eq!(key(json!([])), "the file");
        assert_eq!(key(json!({})), "head_dim");
        assert_eq!(key(json!({"head_dim": "x"})), "head_dim");
        assert_eq!(key(json!({"head_dim": 64, "rope_theta": true})), "rope_theta");
        assert_eq!(key(json!({"head_dim": 64, "rope_scaling": {"type": "magic"}})), "rope_type");
        assert_eq!(key(json!({"head_dim": 64, "rope_scaling": {"type": "linear"}})), "linear scaling");
    }
}
