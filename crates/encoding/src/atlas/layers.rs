//! Which layers of a family are of which kind, and the keys that decide it.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Which layers are of which kind.
#[derive(Debug, Deserialize)]
pub struct Layers {
    /// All are of this kind.
    pub all: Option<Label>,
    /// The kind of each layer type; false where it does not rotate.
    pub types: Option<BTreeMap<String, Label>>,
    /// True if the types follow from other keys alone, so that no list of them in a file is read.
    #[serde(default)]
    pub derived: bool,
    /// The key whose list says for each layer whether it rotates.
    pub list: Option<String>,
    /// The kind of those that do, where layers are told apart by whether they do.
    pub rotated: Option<String>,
    /// The sequence of layer types, repeated, where the file does not say it.
    pub(crate) own: Option<Vec<Value>>,
    /// The type of the last layer, where it is another.
    pub(crate) last: Option<Value>,
    /// Keys that change the sequence.
    #[serde(default)]
    pub every: Vec<Every>,
    /// Keys that list the numbers of layers.
    #[serde(default)]
    pub numbers: Vec<Numbers>,
    /// The key that holds the sequence itself.
    pub cycle: Option<Cycle>,
    /// The keys that make the last layers others.
    pub last_ones: Option<LastOnes>,
    /// The list that says the base of each layer, or 0 where it does not rotate.
    pub by_layer: Option<ByLayer>,
    /// The key that lists the layers whose frequencies a rule scales; the others keep those of the base.
    pub scaled: Option<String>,
    /// Keys that change the layers in another way, with what they have where the file leaves them out.
    #[serde(default)]
    pub(crate) unread: Map<String, Value>,
    /// Keys about layers that were changed without any effect on the rotation.
    #[serde(default)]
    pub inert: Vec<String>,
    /// No rule was found.
    #[serde(default)]
    pub irregular: bool,
}

/// The kind of a layer.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Label {
    /// Its name among the kinds.
    Kind(String),
    /// It does not rotate.
    Rotates(bool),
}

/// A key that changes the sequence of layer types, and the sequence for the value 3.
#[derive(Debug, Deserialize)]
pub struct Every {
    /// The key.
    pub key: String,
    /// The sequence.
    pub(crate) period: Vec<Value>,
}

/// A key that lists the numbers of some layers.
#[derive(Debug, Deserialize)]
pub struct Numbers {
    /// The key.
    pub key: String,
    /// The type of those that are listed.
    pub(crate) listed: Value,
    /// The type of the others.
    pub(crate) others: Value,
    /// The list where the file has none; none where the family has another sequence then.
    pub(crate) own: Option<Vec<u64>>,
}

/// A key that lists the bases of layers.
#[derive(Debug, Deserialize)]
pub struct ByLayer {
    /// The key.
    pub key: String,
    /// True where the items are the bases; otherwise it counts only which are 0.
    pub base: bool,
    /// Which layers rotate where the file has no list; none where that was not found out.
    pub own: Option<Repeated>,
    /// The kind of those that rotate.
    pub kind: String,
}

/// A sequence that repeats.
#[derive(Debug, Deserialize)]
pub struct Repeated {
    /// The items that are repeated.
    pub(crate) period: Vec<bool>,
    /// True where it is counted backwards from the last layer.
    pub(crate) backward: bool,
}

/// A key that holds a sequence which is repeated.
#[derive(Debug, Deserialize)]
pub struct Cycle {
    /// The key.
    pub key: String,
    /// The layer types by the words of the file.
    pub(crate) names: BTreeMap<String, String>,
}

/// A key that says from which layer on layers have windows.
#[derive(Debug, Deserialize)]
pub struct LastOnes {
    /// The key.
    pub key: String,
    /// The type of these layers.
    #[serde(rename = "type")]
    pub(crate) name: String,
    /// The key that switches it on, where there is one.
    pub switch: Option<String>,
    /// The key of the window, without which there is none either.
    pub window: String,
    /// Values of the keys where the file leaves them out.
    pub(crate) defaults: Map<String, Value>,
}

impl Layers {
    /// True if it is known what a key does to the layers.
    pub(crate) fn explains(&self, key: &str) -> bool {
        let last_ones =
            self.last_ones.iter().flat_map(|last| [Some(&last.key), last.switch.as_ref(), Some(&last.window)]);
        let mut keys = (self.list.iter().map(Some))
            .chain(self.every.iter().map(|every| Some(&every.key)))
            .chain(self.numbers.iter().map(|numbers| Some(&numbers.key)))
            .chain(self.by_layer.iter().map(|bases| Some(&bases.key)))
            .chain(self.scaled.iter().map(Some))
            .chain(self.cycle.iter().map(|cycle| Some(&cycle.key)))
            .chain(last_ones);
        keys.any(|known| known.is_some_and(|known| known == key)) || self.unread.contains_key(key)
    }
}
