//! Reading a configuration.

use posproof_encoding::config;
use posproof_encoding::model::{InvalidConfig, LayerKind, Model, Origin, Problem, Rotation, SoftmaxScale, Value};
use serde_json::Value as Json;

/// The model that the text of a configuration describes.
///
/// # Errors
///
/// [`InvalidConfig`], with the key.
pub fn read(text: &str) -> Result<Model, InvalidConfig> {
    let wrong = |error: config::InvalidConfig| InvalidConfig {
        problem: Problem::Value,
        key: error.key,
        found: error.found,
        expected: error.expected,
    };
    let root: Json = serde_json::from_str(text).map_err(|error| InvalidConfig {
        problem: Problem::Syntax,
        key: "the file".into(),
        found: error.to_string(),
        expected: "JSON".into(),
    })?;
    let types = ["rope_parameters", "rope_scaling"].into_iter().find_map(|key| {
        let parameters = root.get(key)?.as_object()?;
        let types: Vec<String> =
            parameters.iter().filter(|(_, value)| value.is_object()).map(|(name, _)| name.clone()).collect();
        (!types.is_empty()).then_some(types)
    });
    let kind = |name: &str, layer: Option<&str>| -> Result<LayerKind, InvalidConfig> {
        let convention = config::read(text, layer).map_err(wrong)?;
        let given = text.contains("\"rope_theta\"") || text.contains("\"rotary_emb_base\"");
        let key = || "rope_theta".to_owned();
        let origin = if given { Origin::File { keys: vec![key()] } } else { Origin::Family { key: Some(key()) } };
        let values = vec![Value { field: "base".into(), value: convention.base.to_string(), origin }];
        let rotation = Some(Rotation { convention, values, sections: Vec::new() });
        Ok(LayerKind { name: name.to_owned(), layers: Vec::new(), rotation, softmax: SoftmaxScale::Usual })
    };
    let kinds = match types {
        None => vec![kind("all", None)?],
        Some(types) => types.iter().map(|name| kind(name, Some(name))).collect::<Result<_, _>>()?,
    };
    let model_type = root.get("model_type").and_then(Json::as_str).map(str::to_owned);
    Ok(Model { model_type, part: None, measured_on: None, kinds, notes: Vec::new() })
}
