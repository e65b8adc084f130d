//! Which entries of a row a slot turns.

use crate::convention::Layout;
use crate::suggestion::unknown;
use serde_json::{Value, json};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Which entries of the span form the pair of slot k, of n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxialLayout {
    /// Entries 2k and 2k + 1.
    #[default]
    Interleaved,
    /// Entries k and k + n.
    Halves,
    /// Halves within each axis, the axes in the order of their slots.
    AxisHalves,
    /// Entries 2k and 2k + 1 of a vector, and k and k + n of the rotated one. Of vectors only.
    InterleavedToHalves,
    /// Halves within every block of so many entries.
    BlockHalves(usize),
}

impl AxialLayout {
    const NAMED: [(&'static str, Self); 4] = [
        ("interleaved", Self::Interleaved),
        ("halves", Self::Halves),
        ("axis-halves", Self::AxisHalves),
        ("interleaved-to-halves", Self::InterleavedToHalves),
    ];

    /// The layout of a single axis, if it is one.
    pub fn plain(self) -> Option<Layout> {
        match self {
            Self::Interleaved => Some(Layout::Interleaved),
            Self::Halves => Some(Layout::Halves),
            Self::InterleavedToHalves => Some(Layout::InterleavedToHalves),
            Self::AxisHalves | Self::BlockHalves(_) => None,
        }
    }

    /// The entries that the pair of every slot is read from and written to, counted from the beginning of the span; `blocks` are
    /// the slots of the axes, each contiguous, which the halves of axes lie in.
    pub(super) fn entries(self, slots: usize, blocks: &[Range<usize>]) -> Vec<[(usize, usize); 2]> {
        let both = |entries: (usize, usize)| [entries; 2];
        match self {
            Self::Interleaved => (0..slots).map(|k| both((2 * k, 2 * k + 1))).collect(),
            Self::Halves => (0..slots).map(|k| both((k, k + slots))).collect(),
            Self::InterleavedToHalves => (0..slots).map(|k| [(2 * k, 2 * k + 1), (k, k + slots)]).collect(),
            Self::BlockHalves(width) => {
                let half = width / 2;
                let first = |k: usize| k / half * width + k % half;
                (0..slots).map(|k| both((first(k), first(k) + half))).collect()
            }
            Self::AxisHalves => {
                let of_block = |block: &Range<usize>| {
                    let (start, len) = (block.start, block.len());
                    block.clone().map(move |k| both((start + k, start + k + len)))
                };
                blocks.iter().flat_map(of_block).collect()
            }
        }
    }
}

/// Turn of two entries of a row: y\[w₀\] = x\[r₀\]·cos θ − x\[r₁\]·sin θ with the angle of the first slot and y\[w₁\] =
/// x\[r₁\]·cos θ′ + x\[r₀\]·sin θ′ with that of the second, which is the same but for `slots: entries`. Clockwise such entries
/// take each other's sine: with both angles negated, that is the transpose, which gradients go back by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The entries that are read, r₀ and r₁.
    pub read: (usize, usize),
    /// The entries that are written, w₀ and w₁.
    pub write: (usize, usize),
    /// The slots whose angles turn them.
    pub slots: (usize, usize),
    /// The slots whose sines they take.
    pub sines: (usize, usize),
}

impl From<Layout> for AxialLayout {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Interleaved => Self::Interleaved,
            Layout::Halves => Self::Halves,
            Layout::InterleavedToHalves => Self::InterleavedToHalves,
        }
    }
}

impl fmt::Display for AxialLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::NAMED.iter().find(|(_, layout)| layout == self) {
            Some((name, _)) => f.pad(name),
            None => write!(f, "{}", self.to_json()),
        }
    }
}

impl FromStr for AxialLayout {
    type Err = String;
    /// A name, or `{"halves": m}` for halves within blocks of m entries.
    fn from_str(text: &str) -> Result<Self, String> {
        match serde_json::from_str(text) {
            Ok(value @ Value::Object(_)) => Self::of_json(value),
            _ => Self::of_json(Value::from(text)),
        }
    }
}

impl AxialLayout {
    pub(super) fn of_json(value: Value) -> Result<Self, String> {
        let block = |value: &Value| {
            let width = value.as_object().filter(|fields| fields.len() == 1)?.get("halves")?.as_u64()?;
            usize::try_from(width).ok()
        };
        match &value {
            Value::String(name) => {
                let known = Self::NAMED.iter().find(|(known, _)| known == name);
                known
                    .map(|(_, layout)| *layout)
                    .ok_or_else(|| unknown("layout", name, Self::NAMED.iter().map(|(name, _)| *name)))
            }
            other => block(other).map(Self::BlockHalves).ok_or_else(|| {
                format!("layout {other}: expected a name, or {{\"halves\": m}} for halves within blocks of m entries")
            }),
        }
    }

    pub(super) fn to_json(self) -> Value {
        if let Self::BlockHalves(width) = self {
            return json!({ "halves": width });
        }
        let named = Self::NAMED.iter().find(|(_, named)| *named == self);
        named.map_or(Value::Null, |(name, _)| Value::from(*name))
    }
}
