//! Families that rotate nothing: positions are told apart in another way, or not at all.

use super::explain::about_rotation;
use super::keys::{Keys, shortened};
use super::{InvalidConfig, LayerKind, Model, Note, NoteKind, Problem, SoftmaxScale};
use crate::atlas::{Atlas, PositionSignal, Unrotated};
use serde_json::Value;

/// Objects within objects that are looked through.
const MAX_DEPTH: usize = 4;

/// The model of a family that has no rotary code, of which no part has any; none for other families.
pub(super) fn unrotated(root: &Keys<'_>, model_type: Option<&str>) -> Result<Option<Model>, InvalidConfig> {
    let atlas = Atlas::get();
    let Some((name, row)) = model_type.and_then(|name| Some((name, atlas.unrotated.get(name)?))) else {
        return Ok(None);
    };
    if !still(root, name, 0) {
        return Ok(None);
    }
    explained(root, row, 0)?;
    let message = sentence(&row.positions);
    let mut notes = vec![Note { kind: NoteKind::Unrotated, key: root.place("model_type"), message }];
    if root.get("auto_map").is_some() {
        let message = "the file names code of its own, which may rotate; it is read as the family's".to_owned();
        notes.push(Note { kind: NoteKind::Depends, key: root.place("auto_map"), message });
    }
    let kind = LayerKind { name: "all".into(), layers: Vec::new(), rotation: None, softmax: SoftmaxScale::Usual };
    Ok(Some(Model {
        model_type: Some(name.to_owned()),
        part: Some(root.path().to_owned()).filter(|path| !path.is_empty()),
        measured_on: Some(format!("{}, {}", row.class, atlas.software)),
        kinds: vec![kind],
        notes,
    }))
}

/// True if a family and every part of its file have no rotary code.
fn still(root: &Keys<'_>, name: &str, depth: usize) -> bool {
    let families = &Atlas::get().unrotated;
    let Some(row) = families.get(name).filter(|_| depth <= MAX_DEPTH) else { return false };
    let part = |key: &str| {
        let inner = root.object(key).ok().flatten()?;
        let default = row.parts.get(key).map(String::as_str);
        let own = inner.get("model_type").and_then(Value::as_str).or(default)?.to_owned();
        Some((inner, own))
    };
    let mut absent = row.parts.iter().filter(|(key, _)| root.get(key).is_none());
    absent.all(|(_, default)| families.contains_key(default))
        && root.names().filter_map(part).all(|(inner, own)| still(&inner, &own, depth + 1))
}

/// Nothing in the file speaks of a rotation.
fn explained(root: &Keys<'_>, row: &Unrotated, depth: usize) -> Result<(), InvalidConfig> {
    for key in root.names() {
        if let (Some(inner), true) = (root.object(key).ok().flatten(), depth < MAX_DEPTH) {
            explained(&inner, row, depth + 1)?;
        }
        let value = root.get(key).unwrap_or(&Value::Null);
        let biased = key.contains("alibi") && row.positions.contains(&PositionSignal::Alibi);
        // The way in which positions are told apart is said under this key by files of many families.
        let other = key == "position_embedding_type" && value.as_str().is_some_and(|name| !about_rotation(name));
        let nothing = matches!(value, Value::Bool(false)) || value.as_object().is_some_and(serde_json::Map::is_empty);
        if about_rotation(key) && !(biased || other || nothing) {
            let expected = "no such key: this family's code has no rotation";
            return Err(root.problem(Problem::Unexplained, key, shortened(&value.to_string()), expected));
        }
    }
    Ok(())
}

/// The ways in words: `no rotation: learned positions, and a sinusoid`.
fn sentence(positions: &[PositionSignal]) -> String {
    let words = positions.iter().map(|way| match way {
        PositionSignal::Learned => "learned positions",
        PositionSignal::Sinusoid => "a sinusoid",
        PositionSignal::Relative => "relative positions in the logits",
        PositionSignal::Alibi => "a bias that falls with the distance (ALiBi)",
        PositionSignal::Convolution => "a convolution",
    });
    match words.collect::<Vec<_>>().as_slice() {
        [] => "no rotation, and no table of positions, in the family's code".to_owned(),
        words => format!("no rotation: {}", words.join(", and ")),
    }
}
