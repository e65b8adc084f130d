//! Which layers are of which kind.

use super::keys::{Keys, kind};
use super::{InvalidConfig, Problem};
use crate::atlas::{Family, Label};
use serde_json::Value;

/// Layers of one kind, by its name: the label of their rotation, or none, and the layers where their number is known.
pub(super) struct Group {
    pub name: String,
    pub label: Option<String>,
    pub layers: Vec<usize>,
}

/// Layers that are listed at most: far above any model's.
const MAX_LAYERS: u64 = 1 << 16;

/// The groups of layers of a configuration, in the order of their first layer.
pub(super) fn groups(family: &Family, root: &Keys<'_>) -> Result<Vec<Group>, InvalidConfig> {
    let layers = &family.layers;
    let count = count(family, root)?;
    if let Some(all) = &layers.all {
        let label = label(all);
        return Ok(vec![Group { name: "all".into(), label, layers: (0..count.unwrap_or(0)).collect() }]);
    }
    if layers.irregular {
        let found = "a family whose layers differ by no rule that was found";
        return Err(root.problem(Problem::NotExpressible, "model_type", found, "a family whose schedule was measured"));
    }
    if let Some(key) = &layers.list {
        let flags = match root.get(key) {
            Some(Value::Array(list)) if !list.is_empty() => {
                let flag = |item: &Value| item.as_bool().or_else(|| item.as_u64().filter(|&n| n < 2).map(|n| n == 1));
                let flags: Option<Vec<bool>> = list.iter().map(flag).collect();
                Some(flags.ok_or_else(|| root.wrong(key, "another value", "a list of 0 (no rotation) and 1"))?)
            }
            Some(Value::Array(_)) | None => {
                let sequence = sequence(family, root, count)?;
                sequence.map(|sequence| sequence.iter().map(|item| item.as_bool().unwrap_or(true)).collect())
            }
            Some(other) => return Err(root.wrong(key, kind(other), "a list of 0 (no rotation) and 1")),
        };
        let rotated = layers.rotated.clone().unwrap_or_default();
        return Ok(match flags {
            Some(flags) => {
                listed(key, root, flags.len(), count)?;
                let of = |wanted: bool| (0..flags.len()).filter(|&i| flags[i] == wanted).collect();
                let both = [("rope", Some(rotated), of(true)), ("no_rope", None, of(false))];
                sorted(both.map(|(name, label, layers)| Group { name: name.into(), label, layers }).into())
            }
            None => vec![
                Group { name: "rope".into(), label: Some(rotated), layers: Vec::new() },
                Group { name: "no_rope".into(), label: None, layers: Vec::new() },
            ],
        });
    }
    let types = layers.types.clone().unwrap_or_default();
    let of_type = |name: &str| types.get(name).map(label);
    let names: Option<Vec<String>> = match root.get("layer_types") {
        Some(Value::Array(list)) if !list.is_empty() => {
            let mut names = Vec::new();
            for item in list {
                let name = item.as_str().filter(|name| types.contains_key(*name));
                names.push(name.map(str::to_owned).ok_or_else(|| {
                    let known: Vec<&str> = types.keys().map(String::as_str).collect();
                    root.problem(Problem::Unexplained, "layer_types", item, format!("one of {}", known.join(", ")))
                })?);
            }
            listed("layer_types", root, names.len(), count)?;
            Some(names)
        }
        Some(Value::Array(_)) | None => sequence(family, root, count)?
            .map(|sequence| sequence.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()),
        Some(other) => return Err(root.wrong("layer_types", kind(other), "a list of layer types")),
    };
    let Some(names) = names else {
        let all = types.iter().map(|(name, of)| Group { name: name.clone(), label: label(of), layers: Vec::new() });
        return Ok(all.collect());
    };
    let mut found: Vec<Group> = Vec::new();
    for (layer, name) in names.iter().enumerate() {
        match found.iter_mut().find(|group| group.name == *name) {
            Some(group) => group.layers.push(layer),
            None => found.push(Group { name: name.clone(), label: of_type(name).flatten(), layers: vec![layer] }),
        }
    }
    Ok(found)
}

/// A list for each layer has as many items as there are layers, where the file says both.
fn listed(key: &str, root: &Keys<'_>, length: usize, count: Option<usize>) -> Result<(), InvalidConfig> {
    match count {
        Some(count) if root.get("num_hidden_layers").is_some() && count != length => {
            let expected = format!("{count}, one for each of num_hidden_layers");
            Err(root.problem(Problem::Contradiction, key, format!("{length} items"), expected))
        }
        _ => Ok(()),
    }
}

fn sorted(mut groups: Vec<Group>) -> Vec<Group> {
    groups.retain(|group| !group.layers.is_empty());
    groups.sort_by_key(|group| group.layers.first().copied());
    groups
}

fn label(of: &Label) -> Option<String> {
    match of {
        Label::Kind(name) => Some(name.clone()),
        Label::Rotates(_) => None,
    }
}

fn count(family: &Family, root: &Keys<'_>) -> Result<Option<usize>, InvalidConfig> {
    let key = "num_hidden_layers";
    let own = family.names.get(key).map_or(key, String::as_str);
    let count = match root.integer(key)?.or(root.integer(own)?) {
        Some(count) => Some(count),
        None => family.values.get(key).or_else(|| family.values.get(own)).and_then(Value::as_u64),
    };
    match count {
        Some(count) if count > MAX_LAYERS => Err(root.wrong(key, count, format!("at most {MAX_LAYERS} layers"))),
        count => Ok(count.map(|count| count as usize)),
    }
}

/// The family's own sequence, with the period that the file gives.
fn sequence(family: &Family, root: &Keys<'_>, count: Option<usize>) -> Result<Option<Vec<Value>>, InvalidConfig> {
    let layers = &family.layers;
    let (Some(own), Some(count)) = (&layers.own, count) else { return Ok(None) };
    let mut period = own.clone();
    for every in &layers.every {
        let Some(value) = root.integer(&every.key)? else { continue };
        let value = usize::try_from(value).unwrap_or(usize::MAX);
        if value == 0 || value > MAX_LAYERS as usize {
            return Err(root.wrong(&every.key, value, format!("1 to {MAX_LAYERS}")));
        }
        // For 3 the sequence is A A B or B A A: the layer that stands alone is the last or the first of a period.
        let [first, second, third] = every.period.as_slice() else { continue };
        let mut made = vec![second.clone(); value];
        if first == second {
            made[value - 1] = third.clone();
        } else {
            made[0] = first.clone();
        }
        period = made;
    }
    if period.is_empty() {
        return Ok(None);
    }
    let mut sequence: Vec<Value> = period.iter().cloned().cycle().take(count).collect();
    if let (Some(last), Some(end)) = (&layers.last, sequence.last_mut()) {
        end.clone_from(last);
    }
    Ok(Some(sequence))
}
