//! Values of single layers alone: `per_layer_config`, by the number of the layer.

use super::explain::decides;
use super::keys::{Keys, kind, shortened};
use super::{InvalidConfig, Problem};
use crate::atlas::Family;
use serde_json::{Map, Value};

/// The key that holds them.
pub(super) const OVERRIDES: &str = "per_layer_config";

/// The values that the file has for a layer alone; none where it has none.
pub(super) fn of_layer<'c>(root: &Keys<'c>, layer: usize) -> Option<&'c Map<String, Value>> {
    let all = root.get(OVERRIDES)?.as_object()?;
    all.iter().find(|(name, _)| name.parse() == Ok(layer)).and_then(|(_, own)| own.as_object())
}

/// No layer has a value of its own for a key that is read for all layers, unless the family's row says what it does.
pub(super) fn overridden(root: &Keys<'_>, family: &Family) -> Result<(), InvalidConfig> {
    let Some(all) = root.object(OVERRIDES)? else { return Ok(()) };
    let understood = |key: &str| family.kinds.values().all(|kind| kind.layer_head.as_deref() == Some(key));
    let read = |key: &str| {
        let of_kind = family.kinds.values().any(|kind| {
            let heads = kind.head.iter().flat_map(|key| key.split('/'));
            heads
                .chain(kind.rotary_dim.as_deref())
                .chain(kind.fraction_keys.iter().map(String::as_str))
                .any(|known| known == key)
        });
        of_kind || decides(key) || matches!(key, "max_position_embeddings" | "num_hidden_layers")
    };
    for name in all.names() {
        let own = all.get(name).and_then(Value::as_object).filter(|_| name.parse::<usize>().is_ok());
        let Some(own) = own else {
            let found = all.get(name).map_or("null", kind);
            return Err(all.wrong(name, found, "an object by the number of a layer"));
        };
        if let Some((key, value)) = own.iter().find(|(key, _)| read(key) && !understood(key)) {
            let expected = "no such key of a layer: what it does there in this family is not known";
            return Err(all.problem(
                Problem::Unexplained,
                &format!("{name}.{key}"),
                shortened(&value.to_string()),
                expected,
            ));
        }
    }
    Ok(())
}
