//! From a configuration's text to its model: which part, which family, which style of file.

use super::codes;
use super::explain::{Switched, decides, explain, repeated, switches};
use super::file::text;
use super::keys::{Keys, kind, number, shortened};
use super::kind::{Reader, Spelling};
use super::layers::{Group, groups};
use super::unrotated::unrotated;
use super::{InvalidConfig, LayerKind, Model, Note, NoteKind, Problem, SoftmaxScale, Stated, json};
use crate::atlas::{Atlas, Family, Softmax};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::OnceLock;

impl Model {
    /// Meaning of a configuration: the family's row of the atlas, and what the file says.
    ///
    /// ```
    /// use posproof_encoding::model::{Model, Origin, Stated};
    /// let config = r#"{
    ///     "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
    ///     "max_position_embeddings": 131072, "rope_theta": 500000.0,
    ///     "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    ///                      "original_max_position_embeddings": 8192}
    /// }"#;
    /// let model = Model::read(config, &Stated::default()).unwrap();
    /// let rotation = model.kind(Some(7), None).unwrap().rotation.as_ref().unwrap();
    /// assert_eq!((rotation.convention.dim, rotation.convention.base.to_string().as_str()), (128, "500000"));
    /// assert_eq!(rotation.convention.scaling.as_ref().unwrap().name(), "llama3");
    /// let base = rotation.values.iter().find(|value| value.field == "base").unwrap();
    /// assert_eq!(base.origin, Origin::File { keys: vec!["rope_theta".into()] });
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidConfig`], with the key: text that is no JSON, values that define no rotation, keys about rotation that the
    /// family's row does not explain, contradictions, families without a row where the pairing is not stated.
    pub fn read(config: &str, stated: &Stated) -> Result<Self, InvalidConfig> {
        let value = json::parse(config)?;
        let map = value.as_object().ok_or_else(|| InvalidConfig {
            problem: Problem::Syntax,
            key: "the file".into(),
            found: kind(&value).into(),
            expected: "a JSON object".into(),
        })?;
        part(&Keys::new(map, ""), None, stated.part.as_deref(), stated, 0)
    }
}

impl Model {
    /// Meaning of the configuration in a file, or of a model's folder: its `config.json`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); [`Problem::Unreadable`] for what is no regular file of at most [`MAX_BYTES`](super::MAX_BYTES) bytes of UTF-8.
    pub fn open(path: &Path, stated: &Stated) -> Result<Self, InvalidConfig> {
        Self::read(&text(path)?, stated)
    }
}

/// The keys under which composite configurations have their text part, in the order in which they are looked for.
const TEXT_PARTS: [&str; 7] =
    ["text_config", "thinker_config", "language_config", "llm_config", "decoder", "decoder_config", "talker_config"];

/// Parts within parts at most.
const MAX_DEPTH: usize = 4;

fn part(
    root: &Keys<'_>,
    family: Option<&str>,
    asked: Option<&str>,
    stated: &Stated,
    depth: usize,
) -> Result<Model, InvalidConfig> {
    let atlas = Atlas::get();
    if depth == 0
        && asked.is_none()
        && let Some(model) = codes::read(root, stated)?
    {
        return Ok(model);
    }
    let model_type = root.text("model_type")?.or(family);
    let composite = model_type.and_then(|name| atlas.composites.get(name));
    let own = model_type.and_then(|name| atlas.families.get(name));
    if asked.is_none()
        && let Some(model) = unrotated(root, model_type)?
    {
        return Ok(model);
    }
    let (wanted, rest) = match asked.map(|asked| asked.split_once('.').unwrap_or((asked, ""))) {
        Some((first, rest)) => (Some(first), Some(rest).filter(|rest| !rest.is_empty())),
        None => (None, None),
    };
    let has = |key: &&str| root.get(key).is_some_and(Value::is_object);
    let key = match (wanted, composite) {
        (Some(wanted), _) => Some(wanted),
        (None, Some(composite)) => {
            TEXT_PARTS.into_iter().find(|key| composite.parts.contains_key(*key) && (own.is_none() || has(key)))
        }
        (None, None) if own.is_none() => TEXT_PARTS.into_iter().find(has),
        (None, None) => None,
    };
    let Some(key) = key.filter(|_| depth < MAX_DEPTH) else { return whole(root, model_type, own, stated) };
    let parts = composite.map(|composite| &composite.parts);
    let parts = parts.or_else(|| model_type.and_then(|name| atlas.unrotated.get(name)).map(|row| &row.parts));
    let default = parts.and_then(|parts| parts.get(key)).map(String::as_str);
    if let Some(inner) = root.object(key)? {
        let mut model = part(&inner, default, rest, stated, depth + 1)?;
        overshadowed(root, &inner, &mut model);
        return Ok(model);
    }
    if let (None, Some(composite), Some(default)) = (wanted, composite, default) {
        let empty = Map::new();
        let place = root.place(key);
        // Older files have the text part's keys beside the other parts.
        let flat = composite.flat.iter().any(|part| part == key);
        let keys = if flat { root.clone() } else { Keys::new(&empty, place) };
        if !flat
            && let Some(size) =
                ["hidden_size", "num_attention_heads", "rope_theta"].into_iter().find(|size| root.get(size).is_some())
        {
            let expected = format!("it in {key}: this family does not read it here");
            return Err(root.problem(Problem::Unexplained, size, "a value", expected));
        }
        let own = atlas.families.get(default);
        return whole(&keys, Some(default), own, stated);
    }
    let known: Vec<&str> =
        composite.map(|composite| composite.parts.keys().map(String::as_str).collect()).unwrap_or_default();
    let expected =
        if known.is_empty() { "a configuration with parts".to_owned() } else { format!("one of {}", known.join(", ")) };
    Err(root.problem(Problem::Choice, key, "no such part", expected))
}

/// Keys about rotation or layers beside a part that has another value, or none, are of no effect.
fn overshadowed(root: &Keys<'_>, inner: &Keys<'_>, model: &mut Model) {
    for key in root.names().filter(|key| decides(key)) {
        if root.get(key) != inner.get(key) {
            let message = format!("{} is read instead", inner.path());
            model.notes.push(Note { kind: NoteKind::Ignored, key: root.place(key), message });
        }
    }
}

pub(super) fn whole(
    root: &Keys<'_>,
    model_type: Option<&str>,
    own: Option<&Family>,
    stated: &Stated,
) -> Result<Model, InvalidConfig> {
    let atlas = Atlas::get();
    let measured_on =
        own.map(|family| format!("{}, {}", family.class, family.software.as_ref().unwrap_or(&atlas.software)));
    let family = match (own, stated.layout) {
        (Some(family), _) => family,
        (None, Some(_)) => plain_names(),
        (None, None) => {
            let expected = "a family of the atlas, or the pairing (--layout), base and width stated";
            let reason =
                model_type.and_then(|name| atlas.refused.get(name)).map(|why| format!(" (not measured: {why})"));
            let found = format!("'{}'{}", model_type.unwrap_or_default(), reason.unwrap_or_default());
            let found = if model_type.is_some() { found } else { "nothing".into() };
            return Err(root.problem(Problem::UnknownFamily, "model_type", found, expected));
        }
    };
    let (mut notes, again) = explain(root, family)?;
    if own.is_some() && root.get("auto_map").is_some() {
        let message =
            "the file names code of its own, which may mean something else; it is read as the family's".to_owned();
        notes.push(Note { kind: NoteKind::Depends, key: root.place("auto_map"), message });
    }
    let (spelling, parameters) = parameters(root, family)?;
    let switched = switches(root, family)?;
    let mut kinds: Vec<LayerKind> = Vec::new();
    for Group { name, label, layers, base, unscaled } in groups(family, root)? {
        let label = label.filter(|_| switched != Switched::Off);
        let Some(label) = label else {
            let softmax = temperature(family, root, None, false)?.unwrap_or(SoftmaxScale::Usual);
            kinds.push(LayerKind { name, layers, rotation: None, softmax });
            continue;
        };
        let missing = || {
            root.problem(
                Problem::NotExpressible,
                "model_type",
                format!("no row for layers of type {name}"),
                "a family that was measured",
            )
        };
        let row = family.kinds.get(&label).ok_or_else(missing)?;
        let own = match (&parameters, spelling) {
            (Some(parameters), Spelling::Nested) => Some(parameters.object(&label)?.ok_or_else(|| {
                parameters.problem(
                    Problem::Missing,
                    &label,
                    "nothing",
                    "parameters for these layers, as for the others",
                )
            })?),
            (parameters, _) => parameters.clone(),
        };
        let layout = if let Switched::Layout(layout) = switched { Some(layout) } else { None };
        let stated = &stated.of(&name, &layers);
        let reader = Reader {
            family,
            kind: row,
            label: &label,
            root,
            own: own.clone(),
            spelling,
            stated,
            layout,
            layers: &layers,
            base_of_layers: base,
            unscaled,
        };
        let read = reader.read()?;
        for mut note in read.notes {
            if family.kinds.len() > 1 {
                note.message = format!("layers {name}: {}", note.message);
            }
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let scaled = match (&own, &read.rule) {
            (Some(own), Some(_)) => softmax(family, own, &mut notes)?,
            _ => SoftmaxScale::Usual,
        };
        let softmax = match temperature(family, root, own.as_ref(), true)? {
            None => scaled,
            Some(temperature) if scaled == SoftmaxScale::Usual => temperature,
            Some(temperature) => SoftmaxScale::Product(Box::new([scaled, temperature])),
        };
        kinds.push(LayerKind { name, layers, rotation: Some(read.rotation), softmax });
    }
    repeated(root, &again, &kinds)?;
    let part = Some(root.path().to_owned()).filter(|path| !path.is_empty());
    Ok(Model { model_type: model_type.map(str::to_owned), part, measured_on, kinds, notes })
}

/// The parameters of rotations, and how the file spells them.
fn parameters<'c>(root: &Keys<'c>, family: &Family) -> Result<(Spelling, Option<Keys<'c>>), InvalidConfig> {
    let filled = |keys: Option<Keys<'c>>| keys.filter(|keys| keys.names().next().is_some());
    let (new, old) = (filled(root.object("rope_parameters")?), filled(root.object("rope_scaling")?));
    if let (Some(new), Some(old)) = (&new, &old)
        && !agree(root, new, old)
    {
        let expected = "one of rope_parameters and rope_scaling, or the same in both";
        return Err(root.problem(
            Problem::Contradiction,
            "rope_scaling",
            "other parameters than rope_parameters",
            expected,
        ));
    }
    let nested = |keys: &Keys<'_>| keys.map().values().any(Value::is_object);
    match (new, old) {
        (Some(new), _) if nested(&new) => {
            let plain = new.names().find(|name| !new.get(name).is_some_and(Value::is_object));
            if let Some(name) = plain {
                let found = shortened(&new.get(name).map(ToString::to_string).unwrap_or_default());
                return Err(new.problem(Problem::Unexplained, name, found, "parameters by layer type only"));
            }
            let labels = |name: &&str| !family.kinds.contains_key(*name) && !rotates_not(family, name);
            if let Some(name) = new.names().find(labels) {
                let known: Vec<&str> =
                    family.kinds.keys().map(String::as_str).filter(|name| !name.is_empty()).collect();
                let known =
                    if known.is_empty() { "parameters that do not differ by layer".into() } else { known.join(", ") };
                return Err(new.problem(Problem::Unexplained, name, "an object", known));
            }
            // A family whose layers do not differ takes no parameters by layer type.
            Ok((Spelling::Nested, Some(new)))
        }
        (Some(new), _) => Ok((Spelling::Flat, Some(new))),
        (None, Some(old)) if nested(&old) => Err(root.problem(
            Problem::Unexplained,
            "rope_scaling",
            "parameters by layer type",
            "these in rope_parameters",
        )),
        (None, Some(old)) if old.get("rope_type").is_some() => Ok((Spelling::Legacy, Some(old))),
        (None, Some(old)) => Ok((Spelling::Oldest, Some(old))),
        (None, None) => Ok((Spelling::None, None)),
    }
}

/// True if two spellings of the parameters say the same, whichever of them a program takes: the base and the fraction may stand
/// beside them instead.
fn agree(root: &Keys<'_>, new: &Keys<'_>, old: &Keys<'_>) -> bool {
    let said = |keys: &Keys<'_>, name: &str| {
        let value = keys.get(name)?;
        Some(number(value).map_or_else(|| value.to_string(), |number| number.to_string()))
    };
    let rule = |keys: &Keys<'_>| said(keys, "rope_type").or_else(|| said(keys, "type"));
    let beside = ["rope_theta", "partial_rotary_factor"];
    let outside = |keys: &Keys<'_>, name: &str| said(keys, name).or_else(|| said(root, name));
    let elsewhere = |name: &&str| !beside.contains(name) && !matches!(*name, "rope_type" | "type");
    rule(new) == rule(old)
        && beside.into_iter().all(|name| outside(new, name) == outside(old, name))
        && new.names().chain(old.names()).filter(elsewhere).all(|name| said(new, name) == said(old, name))
}

/// True if the family has layers of this type, which do not rotate.
fn rotates_not(family: &Family, name: &str) -> bool {
    family.layers.types.as_ref().is_some_and(|types| types.contains_key(name))
}

/// The scale of the logits under a rule.
fn softmax(family: &Family, own: &Keys<'_>, notes: &mut Vec<Note>) -> Result<SoftmaxScale, InvalidConfig> {
    let key = "mscale_all_dim";
    let Some(mscale_all_dim) = own.real(key)?.filter(|value| !value.is_zero()) else { return Ok(SoftmaxScale::Usual) };
    match (family.softmax, own.real("factor")?) {
        (Softmax::Yarn, Some(factor)) if *factor.value() > 1 => Ok(SoftmaxScale::Yarn { mscale_all_dim, factor }),
        (Softmax::Usual | Softmax::Yarn, _) => Ok(SoftmaxScale::Usual),
        (Softmax::Other | Softmax::Unmeasured, _) => {
            let message = "whether it changes the scale of the logits was not measured".to_owned();
            notes.push(Note { kind: NoteKind::Depends, key: own.place(key), message });
            Ok(SoftmaxScale::Usual)
        }
    }
}

/// The factor of the logits that grows with the position, on layers that rotate or on those that do not.
fn temperature(
    family: &Family,
    root: &Keys<'_>,
    own: Option<&Keys<'_>>,
    rotated: bool,
) -> Result<Option<SoftmaxScale>, InvalidConfig> {
    let Some(row) = family.temperature.as_ref().filter(|row| row.rotated == rotated) else { return Ok(None) };
    let keys = match (row.inner, own) {
        (false, _) => root,
        (true, Some(own)) => own,
        (true, None) => return Ok(None),
    };
    let default = |key: &str| row.defaults.get(key);
    if let Some(switch) = &row.switch {
        // Released files have a number here, which the code takes for its truth.
        let on = match keys.get(switch).filter(|said| said.is_number()) {
            Some(_) => keys.real(switch)?.map(|said| !said.is_zero()),
            None => keys.truth(switch)?.or_else(|| default(switch).and_then(Value::as_bool)),
        };
        if on == Some(false) {
            return Ok(None);
        }
    }
    let beta = keys.real(&row.beta)?.or_else(|| default(&row.beta).and_then(super::keys::number));
    let length = keys.real(&row.length)?.or_else(|| default(&row.length).and_then(super::keys::number));
    let Some(beta) = beta.filter(|beta| !beta.is_zero()) else { return Ok(None) };
    let length = length.and_then(|length| length.value().to_u64()).filter(|&length| length > 0);
    let length = length.ok_or_else(|| {
        keys.problem(Problem::Missing, &row.length, "no positive integer", "the length over which the logits grow")
    })?;
    Ok(Some(SoftmaxScale::Temperature { beta, length, first: row.first }))
}

/// The row of a file whose family is unknown: keys mean what their names say, no default is assumed, and the pairing is
/// the one stated.
fn plain_names() -> &'static Family {
    static ROW: OnceLock<Family> = OnceLock::new();
    ROW.get_or_init(|| {
        let rules = serde_json::json!({
            "linear": true, "dynamic": true, "llama3": true, "longrope": true, "longrope.factor": true,
            "longrope.attention_factor": true, "su": true, "yarn": true, "yarn.beta_fast": true, "yarn.beta_slow": true,
            "yarn.truncate": true, "yarn.attention_factor": true, "yarn.mscale": true, "mrope": true,
            "original": {"wins": null, "inner": true, "absent": null}
        });
        let beside = serde_json::json!({"plain": "inner", "rule": "inner"});
        let style = serde_json::json!({
            "base_keys": ["rope_theta", "rotary_emb_base"], "inner_base": true, "fraction_of": 1, "width": 1, "rules": rules,
            "fractions": {"partial_rotary_factor": beside, "rotary_pct": beside}
        });
        let row = serde_json::json!({
            "class": "", "source": "",
            "names": {"hidden_size": "n_embd", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer"},
            "values": {}, "switches": [], "softmax": "unmeasured", "layers": {"all": ""},
            "kinds": {"": {
                "axes": 1, "head": ["head_dim", "hidden_size/num_attention_heads"], "head_width": 1, "width": 1,
                "rotary_dim": "rotary_dim", "fraction_keys": ["partial_rotary_factor", "rotary_pct"],
                "styles": {"none": style.clone(), "flat": style, "legacy": "flat", "oldest": "flat"}
            }}
        });
        serde_json::from_value(row).expect("the row that the tests read")
    })
}
