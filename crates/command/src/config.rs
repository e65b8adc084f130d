//! Facts that were read from a model's configuration, in words.

use posproof_encoding::model::{LayerKind, Model, Origin, SoftmaxScale};
use std::fmt::Write;

/// Each kind of layer, each value with where it comes from, and the notes: for standard error.
pub fn told(model: &Model) -> String {
    let mut text = String::new();
    let name = model.model_type.as_deref().unwrap_or("a model without model_type");
    let part = model.part.as_ref().map(|part| format!(" ({part})")).unwrap_or_default();
    let source = model.measured_on.as_ref().map_or("an unknown family".to_owned(), |on| format!("measured on {on}"));
    let _ = writeln!(text, "read {name}{part}, {source}:");
    for kind in &model.kinds {
        let _ = writeln!(text, "  layers {}: {}", layers(kind), encoding(kind));
    }
    for note in &model.notes {
        let _ = writeln!(text, "  note, {}: {}", note.key, note.message);
    }
    text
}

fn encoding(kind: &LayerKind) -> String {
    let mut values: Vec<String> = Vec::new();
    if kind.rotation.is_none() {
        values.push("not rotated".into());
    }
    for value in kind.rotation.iter().flat_map(|rotation| &rotation.values) {
        // The defaults of a rule are those of its definition.
        if value.origin != Origin::Rule {
            values.push(format!("{} {} [{}]", value.field, value.value, value.origin));
        }
    }
    match &kind.softmax {
        SoftmaxScale::Usual => {}
        SoftmaxScale::Yarn { .. } => values.push(format!("logits times {:.6} (YaRN)", kind.softmax.factor(0))),
        SoftmaxScale::Temperature { .. } | SoftmaxScale::Product(_) => {
            values.push(format!("logits at position p times {}", kind.softmax))
        }
    }
    values.join(", ")
}

/// `full_attention 5, 11, 17 (8 of them)`.
fn layers(kind: &LayerKind) -> String {
    const SHOWN: usize = 6;
    if kind.layers.is_empty() {
        return kind.name.clone();
    }
    let shown: Vec<String> = kind.layers.iter().take(SHOWN).map(ToString::to_string).collect();
    let rest = if kind.layers.len() > SHOWN { format!(", … ({} layers)", kind.layers.len()) } else { String::new() };
    format!("{} {}{rest}", kind.name, shown.join(", "))
}
