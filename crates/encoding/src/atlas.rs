//! The atlas: what the configurations of each family of models mean, measured on the software that defines them.
//!
//! `atlas.json` is written by `scripts/atlas`, which asks the real modules for cosines, sines and rotations while it changes
//! one key of a configuration at a time. Nothing in it is typed; reading a configuration is a row of it plus the file.

mod layers;

pub use layers::{ByLayer, Cycle, Every, Label, LastOnes, Layers, Numbers, Repeated};

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// All rows.
#[derive(Debug, Deserialize)]
pub struct Atlas {
    /// The software that was measured, with its version.
    pub software: String,
    /// Families by `model_type`.
    pub families: BTreeMap<String, Family>,
    /// Configurations that hold others.
    pub composites: BTreeMap<String, Composite>,
    /// Families with rotary code that could not be measured, and why.
    pub refused: BTreeMap<String, String>,
    /// Those of them whose models take tokens, at positions of one axis.
    #[serde(default)]
    pub text: Vec<String>,
    /// Families whose code speaks of no rotation.
    #[serde(default)]
    pub unrotated: BTreeMap<String, Unrotated>,
}

/// A family that rotates nothing.
#[derive(Debug, Deserialize)]
pub struct Unrotated {
    /// The class of the configuration.
    pub class: String,
    /// The ways in which its models tell positions apart; none where none was found.
    pub positions: Vec<PositionSignal>,
    /// The `model_type` of each part where the file does not say it, by the part's key.
    #[serde(default)]
    pub parts: BTreeMap<String, String>,
}

/// A way to tell positions apart without a rotation.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PositionSignal {
    /// A table of vectors that is trained.
    Learned,
    /// A table of sines and cosines.
    Sinusoid,
    /// Terms of the logits that depend on the distance.
    Relative,
    /// A bias of the logits that is linear in the distance.
    Alibi,
    /// A convolution along the positions.
    Convolution,
}

/// A configuration that holds others.
#[derive(Debug, Deserialize)]
pub struct Composite {
    /// The class of the configuration.
    pub class: String,
    /// The `model_type` of each part where the file does not say it, by the part's key.
    pub parts: BTreeMap<String, String>,
    /// The parts whose keys are read beside the other parts where a file has no such part.
    #[serde(default)]
    pub flat: Vec<String>,
}

/// Meaning of the configurations of one family.
#[derive(Debug, Deserialize)]
pub struct Family {
    /// The class of the configuration.
    pub class: String,
    /// The first digits of the SHA-256 of the sources that were measured.
    pub source: String,
    /// The software that it was measured on, where that is another than the other families'.
    pub software: Option<String>,
    /// Keys without which the class makes no model, with the values that were measured with.
    #[serde(default)]
    pub(crate) completion: Map<String, Value>,
    /// Other names of keys: general → the family's own.
    pub names: BTreeMap<String, String>,
    /// Value of a key where the file leaves it out.
    pub(crate) values: Map<String, Value>,
    /// Kinds of layers by the name under which parameters may be nested; `""` where layers do not differ.
    pub kinds: BTreeMap<String, Kind>,
    /// Which layers are of which kind.
    pub layers: Layers,
    /// Keys that decide whether and how all layers rotate.
    pub switches: Vec<Switch>,
    /// YaRN's effect on the logits.
    pub softmax: Softmax,
    /// Keys about rotation that were changed without any effect.
    #[serde(default)]
    pub inert: Vec<String>,
    /// Keys among the parameters that were changed without any effect.
    #[serde(default)]
    pub inert_inside: Vec<String>,
    /// The factor of the logits that grows with the position, where there is one.
    pub temperature: Option<Temperature>,
}

impl Family {
    /// The whole number that a key has where a file leaves it out; none where it has no default, or one of another kind.
    pub fn default_integer(&self, key: &str) -> Option<u64> {
        self.values.get(key).and_then(Value::as_u64)
    }

    /// The keys without which the class makes no model, with the values that were measured with, as a JSON object.
    pub fn completion(&self) -> String {
        Value::Object(self.completion.clone()).to_string()
    }
}

/// A factor 1 + β·ln(1 + ⌊(p + first)/L⌋) of the logits of the query at position p.
#[derive(Debug, Deserialize)]
pub struct Temperature {
    /// The key that holds β.
    pub beta: String,
    /// The key that holds L.
    pub length: String,
    /// The key that switches the factor on.
    pub switch: Option<String>,
    /// True if these keys stand among the parameters.
    pub inner: bool,
    /// Addend of a position counted from 0.
    pub first: u64,
    /// True if it acts on layers that rotate; otherwise on those that do not.
    pub rotated: bool,
    /// Values of the keys where the file leaves them out.
    pub(crate) defaults: Map<String, Value>,
}

/// YaRN and the scale of the logits.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Softmax {
    /// No effect.
    Usual,
    /// (1 + `mscale_all_dim`·ln(`factor`)/10)².
    Yarn,
    /// An effect that is neither.
    Other,
    /// Not measured.
    Unmeasured,
}

/// One kind of layer.
#[derive(Debug, Deserialize)]
pub struct Kind {
    /// Why this kind cannot be read, where it cannot.
    pub refused: Option<String>,
    /// Which entries form a pair, by its name in a convention.
    #[serde(default)]
    pub layout: String,
    /// The first rotated entry of a head.
    #[serde(default)]
    pub start: usize,
    /// The sense of the rotation, where it is clockwise.
    pub direction: Option<String>,
    /// Number of axes of positions.
    #[serde(default)]
    pub axes: usize,
    /// The keys that give the width of a head, in their order: one key, or a quotient `hidden_size/num_attention_heads`.
    #[serde(default)]
    pub head: Vec<String>,
    /// The width of a head by default.
    #[serde(default)]
    pub head_width: u64,
    /// Width of it that is rotated by default.
    #[serde(default)]
    pub width: u64,
    /// The key by which `per_layer_config` says the width of a head in these layers; none where it says nothing there.
    pub layer_head: Option<String>,
    /// The key that gives the rotated width itself.
    pub rotary_dim: Option<String>,
    /// Keys of a file without parameters that give the rotated fraction.
    #[serde(default)]
    pub fraction_keys: Vec<String>,
    /// Reading of a file of each style.
    #[serde(default)]
    pub styles: BTreeMap<String, Style>,
    /// The parameters of the rule that holds where the file has none; a string where that rule is not a rule here.
    pub(crate) default_parameters: Option<Value>,
}

/// A style's row, or the name of the style that does the same.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Style {
    /// The same as another.
    Same(String),
    /// Its own row.
    Row(StyleRow),
}

/// Reading of a file of some style: without parameters (`none`), with flat ones or ones nested by layer type in
/// `rope_parameters`, or in `rope_scaling` with `rope_type` (`legacy`) or `type` (`oldest`).
#[derive(Debug, Deserialize)]
pub struct StyleRow {
    /// Words of the software where it does not take such a file.
    pub raises: Option<String>,
    /// The base where none is said.
    pub base: Option<f64>,
    /// The base of a scaling rule where none is said, in a style that asks a plain rotation for one.
    pub rule_base: Option<f64>,
    /// The keys of the file that say it.
    #[serde(default)]
    pub base_keys: Vec<String>,
    /// True if the parameters say it.
    #[serde(default)]
    pub inner_base: bool,
    /// Which base is taken where both say one and the class itself writes both: `inner`, that among the parameters, or `outer`.
    pub wins: Option<String>,
    /// Parameters without which the software takes no such file.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The effect of a fraction beside the parameters, by its key.
    #[serde(default)]
    pub fractions: BTreeMap<String, Fraction>,
    /// The width that a `partial_rotary_factor` among the parameters is a fraction of where there is no scaling rule; 0 where
    /// it has no effect, none where what it does was not found out. Of rules: [`fraction_of`](Self::fraction_of).
    pub(crate) fraction_of: Option<u64>,
    /// Width of a head that is rotated by default in this style.
    #[serde(default)]
    pub width: u64,
    /// Its width under a scaling rule, where that is another.
    pub rule_width: Option<u64>,
    /// Outcomes of the rules, and of the parameters of a rule: `yarn`, `yarn.truncate`.
    #[serde(default)]
    pub rules: BTreeMap<String, Outcome>,
}

/// The effect of a fraction beside the parameters without a rule, and with one; none where it was not found out.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Fraction {
    /// Without a rule.
    pub plain: Option<Beside>,
    /// With one.
    pub rule: Option<Beside>,
}

/// The effect of a value beside the parameters.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Beside {
    /// Nothing.
    None,
    /// The effect that it has among them.
    Inner,
}

/// Outcomes of a rule, or of a parameter of one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    /// As the rule is defined; or without effect.
    Is(bool),
    /// The width that a fraction is one of (`fraction`).
    Width(u64),
    /// Otherwise: `raises`, `other`.
    Else(String),
    /// Which of two lengths is taken (`original`).
    Original(Original),
    /// Nothing was measured.
    Unmeasured,
}

/// Where the original length comes from.
#[derive(Clone, Debug, Deserialize)]
pub struct Original {
    /// `root` or `inner`, where both say it.
    pub wins: Option<String>,
    /// True if the parameters alone can say it.
    pub inner: bool,
    /// `longest` (`max_position_embeddings`) or `default`, where neither says it.
    pub absent: Option<String>,
}

/// A key that decides how all layers rotate.
#[derive(Debug, Deserialize)]
pub struct Switch {
    /// The key.
    pub key: String,
    /// Its value where the file leaves it out.
    pub(crate) default: Value,
    /// Effects of other values, by their JSON: `none`, `all`, a layout, `other` or `raises`; `measured` where it is another than
    /// the default that the row was measured with.
    pub cases: BTreeMap<String, String>,
}

impl Atlas {
    /// The atlas of this version.
    ///
    /// # Panics
    ///
    /// Never: the tests read the same bytes.
    pub fn get() -> &'static Self {
        static ATLAS: OnceLock<Atlas> = OnceLock::new();
        ATLAS.get_or_init(|| {
            serde_json::from_str(include_str!("atlas/atlas.json")).expect("the atlas that this version was tested with")
        })
    }
}

impl Kind {
    /// The row of a style.
    pub fn style(&self, name: &str) -> Option<&StyleRow> {
        match self.styles.get(name)? {
            Style::Row(row) => Some(row),
            Style::Same(other) if other != name => self.style(other),
            Style::Same(_) => None,
        }
    }
}

impl StyleRow {
    /// Effect of a rule, or of a parameter of one: true if it is as defined, false where it has no effect; none where it
    /// is neither.
    pub fn rule(&self, name: &str) -> Option<bool> {
        match self.rules.get(name)? {
            Outcome::Is(holds) => Some(*holds),
            _ => None,
        }
    }

    /// The width that a `partial_rotary_factor` among the parameters is a fraction of, under this rule or without one; 0 where
    /// it has no effect, none where what it does was not found out.
    pub fn fraction_of(&self, rule: Option<&str>) -> Option<u64> {
        match (rule, self.rules.get("fraction")) {
            (None, _) => self.fraction_of,
            (Some("linear" | "dynamic" | "llama3" | "yarn"), Some(Outcome::Width(width))) => Some(*width),
            (Some("linear" | "dynamic" | "llama3" | "yarn"), Some(_)) => None,
            // What has no effect without a rule may have one with it.
            (Some(_), _) => self.fraction_of.filter(|&width| width > 0),
        }
    }

    /// Where the original length comes from.
    pub(crate) fn original(&self) -> Option<&Original> {
        match self.rules.get("original")? {
            Outcome::Original(original) => Some(original),
            _ => None,
        }
    }
}
