//! Another file beside a configuration, and the differences of its layers.

use super::compare::{RotationComparison, Side};
use super::difference::{Difference, What};
use super::effect::Exactness;
use super::layers::layers;
use super::meaning;
use posproof_encoding::model::LayerKind;

/// Another file, and what was found in it.
#[derive(Clone, Debug)]
pub struct Against {
    /// The file, or both files whose tensors were compared.
    pub file: String,
    /// Facts that were compared.
    pub compared: Vec<String>,
    /// Facts that were not, and why.
    pub skipped: Vec<String>,
    /// Differences; the widest in effect first.
    pub differences: Vec<Difference>,
}

impl Against {
    pub(super) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), compared: Vec::new(), skipped: Vec::new(), differences: Vec::new() }
    }

    pub(super) fn kinds(&mut self, kind: &LayerKind, other: &LayerKind) {
        let whether = |rotates: bool| if rotates { "rotate" } else { "do not rotate" };
        let difference = |what, field: &str, expected: String, found: String, message| Difference {
            what,
            kind: kind.name.clone(),
            field: field.to_owned(),
            expected,
            found,
            message,
        };
        match (&kind.rotation, &other.rotation) {
            (Some(rotation), Some(found)) => {
                let side = |rotation| Side { rotation, decides: "the family", exactness: Exactness::Exact };
                let comparison = RotationComparison::new(&kind.name, side(rotation), side(found));
                self.differences.extend(comparison.differences());
                self.differences.extend(comparison.layout());
            }
            (None, None) => {}
            (one, two) => {
                let (here, there) = (whether(one.is_some()), whether(two.is_some()));
                let (is, does) = if one.is_some() { ("are to be", "are not") } else { ("are not to be", "are") };
                let message = format!("{} {is} rotated, and in the other file they {does}", layers(kind));
                self.differences.push(difference(What::Rotation, "rotation", here.into(), there.into(), message));
            }
        }
        if kind.softmax != other.softmax {
            let words = |kind: &LayerKind| {
                meaning::softmax(kind).unwrap_or_else(|| "Logits are multiplied by nothing besides.".into())
            };
            let (here, there) = (words(kind), words(other));
            let message = format!("the factor on the logits differs: {here} In the other file: {there}");
            self.differences.push(difference(What::Softmax, "softmax", here, there, message));
        }
    }
}
