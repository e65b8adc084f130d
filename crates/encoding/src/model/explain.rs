//! Keys about rotation: each is explained by the family's row, or refused.

use super::keys::{Keys, number, shortened};
use super::layers::lists_types;
use super::overrides::{OVERRIDES, overridden};
use super::{InvalidConfig, LayerKind, Note, NoteKind, Problem, Rotation};
use crate::atlas::Family;
use crate::convention::Layout;
use crate::real::Real;
use posproof_numerics::Rational;
use serde_json::{Map, Value};

/// True if a key speaks of rotation, or of what stands in its place.
pub(super) fn about_rotation(key: &str) -> bool {
    const WORDS: [&str; 8] = ["rope", "mrope", "rotary", "rotation", "theta", "yarn", "ntk", "alibi"];
    key.split(['_', '-', '.']).any(|word| WORDS.contains(&word)) || key == "position_embedding_type"
}

/// True if a key says which layers are of which type; `scripts/atlas/schedule.py` has the same rule.
fn about_layers(key: &str) -> bool {
    const WHAT: [&str; 7] = ["attn", "attention", "block", "layer", "layers", "hybrid", "window"];
    const HOW: [&str; 9] = ["types", "pattern", "interval", "indices", "idxs", "period", "offset", "every", "group"];
    const NAMED: [&str; 4] = ["layers_block_type", "attn_type_list", "per_layer_config", "linear_attn_config"];
    const OTHER: [&str; 6] = ["moe", "mlp", "expert", "experts", "mtp", "num"];
    let has = |words: &[&str]| key.split('_').any(|word| words.contains(&word));
    let numbers = key.ends_with("_layers") && has(&["attn", "attention", "rope", "nope"]);
    NAMED.contains(&key) || !has(&OTHER) && (numbers || has(&WHAT) && has(&HOW))
}

/// True if a key is one that no reader may pass over.
pub(super) fn decides(key: &str) -> bool {
    about_rotation(key) || about_layers(key)
}

/// Every key about rotation, or about the kinds of layers, is one that the family's row explains; or one of other families' keys, which must say
/// what was read: these are returned.
pub(super) fn explain<'c>(root: &Keys<'c>, family: &Family) -> Result<(Vec<Note>, Vec<&'c str>), InvalidConfig> {
    let (mut notes, mut again) = (Vec::new(), Vec::new());
    overridden(root, family)?;
    for key in root.names().filter(|key| decides(key)) {
        let value = root.get(key).unwrap_or(&Value::Null);
        let of_kind = family.kinds.values().any(|kind| {
            let rows = || kind.styles.keys().filter_map(|style| kind.style(style));
            let bases = rows().flat_map(|row| row.base_keys.iter().chain(row.fractions.keys()));
            bases.chain(&kind.fraction_keys).chain(&kind.rotary_dim).any(|known| known == key)
                || kind.head.iter().any(|known| known.split('/').any(|known| known == key))
        });
        let layers = &family.layers;
        let of_layers = layers.explains(key) || layers.types.is_some() && !layers.derived && lists_types(family, key);
        let switch = family.switches.iter().any(|switch| switch.key == key);
        if matches!(key, "rope_parameters" | "rope_scaling" | OVERRIDES) || of_kind || of_layers || switch {
            continue;
        }
        if family.inert.iter().chain(&layers.inert).any(|inert| inert == key) {
            let message = "it has no effect on the rotation in this family".to_owned();
            notes.push(Note { kind: NoteKind::Ignored, key: root.place(key), message });
            continue;
        }
        // What is switched off says nothing, nor does a fraction of 1.
        let is_one = matches!(key, "partial_rotary_factor" | "rotary_pct")
            && number(value).is_some_and(|fraction| fraction == Real::from(1));
        let rotary = key == "position_embedding_type" && matches!(value.as_str(), Some("rope" | "rotary"));
        // Nor does a list of layers that are all alike, or an empty one.
        let plain = value.as_array().is_some_and(|list| list.iter().all(|item| item == "full_attention"))
            || value.as_object().is_some_and(Map::is_empty);
        if *value == Value::Bool(false) || is_one || rotary || plain && about_layers(key) {
            continue;
        }
        if TWICE.iter().any(|(keys, _)| keys.contains(&key)) {
            again.push(key);
            continue;
        }
        let expected = match about_rotation(key) {
            true => "no such key: this family's configurations have none that the atlas explains",
            false => "no such key: what it does to the layers of this family is not known",
        };
        return Err(root.problem(Problem::Unexplained, key, shortened(&value.to_string()), expected));
    }
    Ok((notes, again))
}

/// Keys that say one number of a rotation, and which number.
type Said = (&'static [&'static str], fn(&Rotation) -> Rational);

/// Keys of many families, which files of others carry along.
const TWICE: [Said; 3] = [
    (&["rotary_dim", "rotary_ndims"], |rotation| Rational::from(rotation.convention.rotated_dim() as u64)),
    (&["rope_theta", "rotary_emb_base", "rotary_base"], |rotation| rotation.convention.base.value().clone()),
    (&["partial_rotary_factor", "rotary_pct", "rotary_percent"], Rotation::fraction),
];

/// A key that the family does not read says what was read.
pub(super) fn repeated(root: &Keys<'_>, again: &[&str], kinds: &[LayerKind]) -> Result<(), InvalidConfig> {
    for key in again {
        let value = root.get(key).unwrap_or(&Value::Null);
        let said = TWICE.iter().find(|(keys, _)| keys.contains(key)).map(|(_, said)| said);
        let read = kinds.iter().filter_map(|kind| kind.rotation.as_ref());
        let read: Vec<Rational> = said.into_iter().flat_map(|said| read.clone().map(said)).collect();
        let same = number(value).is_some_and(|value| read.iter().all(|read| read == value.value()));
        if !same || read.is_empty() {
            let expected = "no such key: this family's configurations have none that the atlas explains, and what they say is another";
            return Err(root.problem(Problem::Unexplained, key, shortened(&value.to_string()), expected));
        }
    }
    Ok(())
}

/// Decisions of a file's switches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Switched {
    No,
    Off,
    Layout(Layout),
}

/// Effects of a file's switches.
pub(super) fn switches(root: &Keys<'_>, family: &Family) -> Result<Switched, InvalidConfig> {
    let mut switched = Switched::No;
    for switch in &family.switches {
        // A null is a value here: a window of null is no window.
        let value = root.map().get(&switch.key).unwrap_or(&switch.default);
        let case = switch.cases.get(&value.to_string()).map(String::as_str);
        // What the class has by default is what was measured, unless the row says otherwise of it.
        if *value == switch.default && case.is_none() {
            continue;
        }
        match case {
            Some("measured") => {}
            None if switch.default.is_string() && !value.is_null() && about_rotation(&switch.key) => {
                let known: Vec<&str> = switch.cases.keys().map(String::as_str).collect();
                let expected = format!("{}, or one of {}", switch.default, known.join(", "));
                return Err(root.problem(Problem::Unexplained, &switch.key, value, expected));
            }
            None => {}
            Some("none") => switched = Switched::Off,
            Some("interleaved") => switched = Switched::Layout(Layout::Interleaved),
            Some("halves") => switched = Switched::Layout(Layout::Halves),
            Some("interleaved-to-halves") => switched = Switched::Layout(Layout::InterleavedToHalves),
            Some(_) => {
                let expected = format!("{}: what else changes was not found out", switch.default);
                return Err(root.problem(Problem::NotExpressible, &switch.key, value, expected));
            }
        }
    }
    Ok(switched)
}
