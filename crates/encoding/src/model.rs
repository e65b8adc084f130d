//! Meaning of a model's configuration: one rotary convention for each kind of layer, and where every value comes from.

mod axes;
mod codes;
mod explain;
mod file;
mod json;
mod keys;
mod kind;
mod layers;
mod origin;
mod overrides;
mod read;
mod rule;
mod unrotated;
mod width;

pub use json::MAX_BYTES;
pub use origin::{Note, NoteKind, Origin, Setting};
pub use rule::scaling_rule;

use crate::convention::{Convention, Layout};
use crate::real::Real;
use posproof_numerics::Rational;
use std::fmt;

/// The rotary encodings of one part of a model (its text part, unless another is asked for), as its configuration
/// and the family's row of the atlas have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// `model_type` of the part, as the file or the family has it; none where the file names no family.
    pub model_type: Option<String>,
    /// The key of the part that was read, such as `text_config`; none for the file itself.
    pub part: Option<String>,
    /// Which class of which software the family's values were measured on; none for an unknown family.
    pub measured_on: Option<String>,
    /// The kinds of layers, in the order of their first layer; never empty.
    pub kinds: Vec<LayerKind>,
    /// Notes to a reader: keys that have no effect, axes that are read as one, differing layers.
    pub notes: Vec<Note>,
}

/// Layers that share one encoding.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerKind {
    /// The name that configurations use for these layers (`full_attention`, `sliding_attention`); `all` where
    /// layers do not differ.
    pub name: String,
    /// The layers of this kind, counted from 0, ascending; empty where the number of layers is not known.
    pub layers: Vec<usize>,
    /// Rotation of queries and keys; none where these layers do not rotate.
    pub rotation: Option<Rotation>,
    /// Factor of the logits besides the usual 1/√d.
    pub softmax: SoftmaxScale,
}

/// A convention with the origin of each of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// The convention. Rules that depend on the sequence's length lack it still.
    pub convention: Convention,
    /// Every value of the convention that the configuration, the family or the user decides.
    pub values: Vec<Setting>,
    /// The sections of several axes, in pairs, where the file has them: the convention is then that of positions
    /// which are equal on all axes, as those of text are.
    pub sections: Vec<u64>,
}

/// Factor of the logits of a layer besides 1/√d, with d the width of the whole head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoftmaxScale {
    /// 1.
    Usual,
    /// (1 + a·ln(s)/10)², YaRN's factor on all entries of the head, where s = `factor` > 1.
    Yarn {
        /// a, `mscale_all_dim`.
        mscale_all_dim: Real,
        /// s.
        factor: Real,
    },
    /// 1 + β·ln(1 + ⌊(p + first)/L⌋) for the query at position p.
    Temperature {
        /// β.
        beta: Real,
        /// L.
        length: u64,
        /// Addend of a position counted from 0: 1 in Llama 4, 0 in Ministral 3.
        first: u64,
    },
    /// YaRN's factor times the one that grows with the position.
    Product(Box<[Self; 2]>),
}

/// Statements of the user where the file is silent, or to confirm what it says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stated {
    /// Which part of a composite configuration: `vision_config`, for example.
    pub part: Option<String>,
    /// The pairing, which no configuration says.
    pub layout: Option<Layout>,
    /// The base.
    pub base: Option<Real>,
    /// The dimension of a head.
    pub dim: Option<usize>,
    /// Number of them that are rotated.
    pub rotary_dim: Option<usize>,
    /// The layer that base and widths are stated of; all layers where none is chosen.
    pub layer: Option<usize>,
    /// The layer type that they are stated of.
    pub layer_type: Option<String>,
}

impl Stated {
    /// Statements on layers with these numbers and this name: on others than the chosen ones only the layout.
    fn of(&self, name: &str, layers: &[usize]) -> Self {
        let chosen = self.layer.is_none_or(|layer| layers.is_empty() || layers.contains(&layer))
            && self.layer_type.as_deref().is_none_or(|chosen| chosen == name);
        if chosen { self.clone() } else { Self { layout: self.layout, ..Self::default() } }
    }
}

/// Mistake in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be read.
    Unreadable,
    /// It is not JSON, too deep or too large, or has a key twice.
    Syntax,
    /// A value is not what its key holds.
    WrongValue,
    /// A value is missing that neither the file nor the family has.
    Missing,
    /// A key about rotation that the family's row does not explain.
    Unexplained,
    /// Two values that cannot both hold.
    Contradiction,
    /// A family without a row, and no pairing stated.
    UnknownFamily,
    /// A family whose encoding is known but is not one of the conventions here.
    NotExpressible,
    /// A layer or layer type that the model does not have, or a choice that is needed.
    Choice,
}

/// Why a configuration could not be read: the key, what was found, what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {found}; expected {expected}")]
pub struct InvalidConfig {
    /// Kind of mistake.
    pub problem: Problem,
    /// The key in the configuration with the keys that it is under (`text_config.rope_scaling.factor`), or the
    /// place in the text.
    pub key: String,
    /// Value found.
    pub found: String,
    /// Values that are allowed.
    pub expected: String,
}

impl SoftmaxScale {
    /// The factor of every logit of a query at position p, where it is rational or 1; in binary64 otherwise.
    pub fn factor(&self, position: u64) -> f64 {
        match self {
            Self::Usual => 1.0,
            Self::Yarn { mscale_all_dim, factor } => {
                let ln = factor.value().to_f64().max(1.0).ln();
                (1.0 + mscale_all_dim.value().to_f64() * ln / 10.0).powi(2)
            }
            Self::Temperature { beta, length, first } => {
                let steps = (position.saturating_add(*first)) / (*length).max(1);
                1.0 + beta.value().to_f64() * (steps as f64).ln_1p()
            }
            Self::Product(factors) => factors.iter().map(|one| one.factor(position)).product(),
        }
    }

    /// The factors of a product, or the one factor.
    pub fn factors(&self) -> &[Self] {
        match self {
            Self::Product(factors) => factors.as_slice(),
            one => std::slice::from_ref(one),
        }
    }
}

/// The factor as a formula: `1 + 0.1·ln(1 + ⌊(p + 1)/8192⌋)`, for the query at position p.
impl fmt::Display for SoftmaxScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => f.write_str("1"),
            Self::Yarn { mscale_all_dim, factor } => write!(f, "(1 + {mscale_all_dim}·ln({factor})/10)²"),
            Self::Temperature { beta, length, first: 0 } => write!(f, "1 + {beta}·ln(1 + ⌊p/{length}⌋)"),
            Self::Temperature { beta, length, first } => write!(f, "1 + {beta}·ln(1 + ⌊(p + {first})/{length}⌋)"),
            Self::Product(factors) => write!(f, "{}·({})", factors[0], factors[1]),
        }
    }
}

impl Model {
    /// The conventions of the layers that rotate, as `convention` has that of each kind: each once, with the names of the kinds
    /// that it is of, in the order of the first; none where no layer rotates.
    ///
    /// # Errors
    ///
    /// The first of `convention`.
    pub fn conventions<E>(
        &self,
        mut convention: impl FnMut(&LayerKind) -> Result<Convention, E>,
    ) -> Result<Vec<(String, Convention)>, E> {
        let mut found: Vec<(String, Convention)> = Vec::new();
        for kind in self.kinds.iter().filter(|kind| kind.rotation.is_some()) {
            let convention = convention(kind)?;
            match found.iter_mut().find(|(_, known)| *known == convention) {
                Some((names, _)) => *names = format!("{names}, {}", kind.name),
                None => found.push((kind.name.clone(), convention)),
            }
        }
        Ok(found)
    }

    /// The kind of a layer (counted from 0) or of a layer type; the only kind where neither is given.
    ///
    /// # Errors
    ///
    /// [`Problem::Choice`] where the model has no such layer, or where layers differ and none is chosen.
    pub fn kind(&self, layer: Option<usize>, layer_type: Option<&str>) -> Result<&LayerKind, InvalidConfig> {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let wrong = |key: &str, found: String, expected: String| {
            Err(InvalidConfig { problem: Problem::Choice, key: key.to_owned(), found, expected })
        };
        if let Some(layer_type) = layer_type {
            return match self.kinds.iter().find(|kind| kind.name == layer_type) {
                Some(kind) => match layer.filter(|layer| !kind.layers.contains(layer)) {
                    Some(layer) => wrong("the layer", layer.to_string(), format!("one of type {layer_type}")),
                    None => Ok(kind),
                },
                None => wrong("the layer type", format!("'{layer_type}'"), format!("one of {}", names.join(", "))),
            };
        }
        match (layer, self.kinds.as_slice()) {
            (None, [first, others @ ..]) if others.iter().all(|kind| kind.same_as(first)) => Ok(first),
            (None, _) => wrong(
                "the layer",
                format!("nothing, and layers differ: {}", names.join(", ")),
                "a choice among them (--layer or --layer-type)".into(),
            ),
            (Some(layer), kinds) => match kinds.iter().find(|kind| kind.layers.contains(&layer)) {
                Some(kind) => Ok(kind),
                None => {
                    let last = kinds.iter().filter_map(|kind| kind.layers.last()).max();
                    let known =
                        last.map_or("a file that says how many layers there are".into(), |last| format!("0 to {last}"));
                    wrong("the layer", layer.to_string(), known)
                }
            },
        }
    }
}

impl LayerKind {
    /// True if two kinds encode positions in the same way.
    pub fn same_as(&self, other: &Self) -> bool {
        let convention = |kind: &Self| kind.rotation.as_ref().map(|rotation| rotation.convention.clone());
        self.softmax == other.softmax && convention(self) == convention(other)
    }
}

impl Rotation {
    /// The rotated part of the head, 1 where all of it is.
    pub fn fraction(&self) -> Rational {
        let convention = &self.convention;
        Rational::from((convention.rotated_dim() as u64, convention.dim.max(1) as u64))
    }
}
