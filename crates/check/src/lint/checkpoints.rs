//! The matrices of queries and keys in two checkpoints of one model.
//!
//! Rows of `wq` and `wk`, as the original code of Llama and Mistral names them, are paired as neighbours; those of `q_proj` and `k_proj`, as
//! transformers names them, as the configuration's family pairs. So the same weights under both names have their rows in two orders, and under one name in one.

use super::against::Against;
use super::difference::{Difference, What};
use super::layers::pairing;
use super::rows::{Arrangement, Decision, Heads, Rearranged, decide};
use super::weights::{layer, listed};
use crate::InvalidInput;
use crate::read::{self, Array, safetensors_names};
use posproof_encoding::convention::Layout;
use posproof_encoding::model::LayerKind;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use std::collections::BTreeMap;
use std::path::Path;

/// Queries and keys, by the ends of their names, with the pairing that the name itself implies.
const MATRICES: [([&str; 2], Option<Layout>); 3] = [
    (["q_proj.weight", "k_proj.weight"], None),
    (["query.weight", "key.weight"], None),
    (["attention.wq.weight", "attention.wk.weight"], Some(Layout::Interleaved)),
];

/// Said of a checkpoint that is compared with no other file. Rows that are permuted head by head are those of a right model too,
/// so that no statistic of them tells a permuted file from another one.
pub const UNDETERMINED: &str = "the order of the rows of queries and keys: undetermined, since every order of them is that of a right model; another file of this model tells it";

/// A matrix of queries (0) or keys (1) in a file.
struct Matrix {
    name: String,
    pairing: Option<Layout>,
}

/// A checkpoint with its matrices by layer.
pub struct Checkpoint {
    file: String,
    matrices: BTreeMap<(usize, usize), Matrix>,
}

impl Checkpoint {
    /// The matrices of queries and keys of a file.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`] where its header cannot be read.
    pub fn open(path: &Path) -> Result<Self, InvalidInput> {
        let mut matrices = BTreeMap::new();
        for name in safetensors_names(path)? {
            let found = MATRICES.iter().find_map(|(ends, pairing)| {
                let which = ends.iter().position(|end| name == *end || name.ends_with(&format!(".{end}")))?;
                Some((which, *pairing))
            });
            if let (Some((which, pairing)), Some(layer)) = (found, layer(&name)) {
                matrices.entry((layer, which)).or_insert(Matrix { name, pairing });
            }
        }
        Ok(Self { file: path.to_string_lossy().into_owned(), matrices })
    }

    /// The path.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// True if it has matrices of queries or keys.
    pub fn has_rows(&self) -> bool {
        !self.matrices.is_empty()
    }

    /// The order of the rows in another checkpoint, beside this one; none where they have no matrix in common.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`] where a tensor cannot be read.
    pub fn compare(&self, other: &Self, kinds: &[LayerKind]) -> Result<Option<Against>, InvalidInput> {
        let mut against = Against::new(&format!("{} beside {}", other.file, self.file));
        let mut outcomes: BTreeMap<(String, RowOrder), Vec<String>> = BTreeMap::new();
        for (&(layer, which), found) in &other.matrices {
            let Some(own) = self.matrices.get(&(layer, which)) else { continue };
            let kind = kinds.iter().find(|kind| kind.layers.is_empty() || kind.layers.contains(&layer));
            let Some((kind, rotation)) = kind.and_then(|kind| Some((kind, kind.rotation.as_ref()?))) else { continue };
            let convention = &rotation.convention;
            let heads = Heads { rows: convention.dim, rotary: convention.rotated_dim(), mistaken: [None, None] };
            let original = read::open(&format!("{}:{}", self.file, own.name))?;
            let converted = Other::open(&format!("{}:{}", other.file, found.name), &original)?;
            let layouts = [own, found].map(|matrix| matrix.pairing.or(pairing(kind)));
            let needed = match layouts {
                [Some(own), Some(found)] => Arrangement::needed(own, found),
                _ => Arrangement::AsOriginal,
            };
            let decision = decide(&converted, &original, heads)?;
            let key = (kind.name.clone(), RowOrder::of(decision, needed));
            outcomes.entry(key).or_default().push(found.name.clone());
        }
        if outcomes.is_empty() {
            return Ok(None);
        }
        for ((kind, verdict), names) in outcomes {
            verdict.told(kind, &listed(&names), &mut against);
        }
        Ok(Some(against))
    }

    /// Compares the rows of every matrix with whole heads of the width that the configuration has.
    pub fn heads(&self, kinds: &[LayerKind], against: &mut Against) {
        let (mut whole, mut open): (BTreeMap<usize, Vec<String>>, Vec<String>) = (BTreeMap::new(), Vec::new());
        for (&(layer, _), matrix) in &self.matrices {
            let kind = kinds.iter().find(|kind| kind.layers.is_empty() || kind.layers.contains(&layer));
            let Some((kind, rotation)) = kind.and_then(|kind| Some((kind, kind.rotation.as_ref()?))) else { continue };
            let dim = rotation.convention.dim;
            // Packed integers of a quantisation are no rows of heads.
            let array = read::open(&format!("{}:{}", self.file, matrix.name)).ok();
            let Some(rows) = array.filter(|array| matches!(array.dtype(), Dtype::Float(_))).map(|array| array.rows())
            else {
                open.push(matrix.name.clone());
                continue;
            };
            if rows.is_multiple_of(dim) {
                whole.entry(dim).or_default().push(matrix.name.clone());
                continue;
            }
            against.compared.push(format!("rows of {}", matrix.name));
            against.differences.push(Difference {
                what: What::Width,
                kind: kind.name.clone(),
                field: matrix.name.clone(),
                expected: format!("a multiple of {dim}"),
                found: rows.to_string(),
                message: format!("{} has {rows} rows, which are no whole heads of {dim} entries", matrix.name),
            });
        }
        for (dim, names) in whole {
            against.compared.push(format!("rows of {}: whole heads of {dim}", listed(&names)));
        }
        if !open.is_empty() {
            against
                .skipped
                .push(format!("rows of {}: they are not stored as numbers of a float format", listed(&open)));
        }
    }
}

/// The order of a matrix's rows, in words where that matters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum RowOrder {
    Right(String),
    Wrong { found: String, expected: String },
    Undecided(&'static str),
}

impl RowOrder {
    fn of(decision: Option<Decision>, needed: Arrangement) -> Self {
        let Some(decision) = decision else { return Self::Undecided("the two have other shapes") };
        match decision.fits[..] {
            [only] if only == needed => Self::Right(only.words()),
            [only] => Self::Wrong { found: only.words(), expected: needed.words() },
            [] => Self::Undecided("they are other weights, or in an order that is not known"),
            _ => Self::Undecided("they do not tell one order from another"),
        }
    }

    fn told(self, kind: String, names: &str, against: &mut Against) {
        match self {
            Self::Right(words) => against.compared.push(format!("rows of {names}: {words}")),
            Self::Undecided(why) => against.skipped.push(format!("rows of {names}: {why}")),
            Self::Wrong { found, expected } => {
                against.compared.push(format!("rows of {names}"));
                let message = format!(
                    "{names}: {found}; expected {expected}. Queries and keys are paired wrongly in one of the two"
                );
                let (what, field) = (What::Layout, names.to_owned());
                against.differences.push(Difference { what, kind, field, expected, found, message });
            }
        }
    }
}

/// A matrix of another checkpoint, and the coarser of the two formats.
struct Other {
    array: Array,
    coarser: Option<Format>,
}

impl Other {
    fn open(name: &str, original: &Array) -> Result<Self, InvalidInput> {
        let array = read::open(name)?;
        let formats = [array.dtype(), original.dtype()].map(|dtype| match dtype {
            Dtype::Float(format) => Some(format),
            _ => None,
        });
        let coarser =
            formats.into_iter().flatten().max_by(|one, other| one.unit_roundoff().total_cmp(&other.unit_roundoff()));
        Ok(Self { array, coarser })
    }
}

impl Rearranged for Other {
    fn rows(&self) -> usize {
        self.array.rows()
    }

    fn width(&self) -> usize {
        self.array.width()
    }

    fn read(&self, row: usize, columns: usize, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.array.read_part(row, columns, out)
    }

    fn allowance(&self, originals: &[f64]) -> Vec<f64> {
        let (u, tiny) = self.coarser.map_or((0.0, 0.0), |format| (format.unit_roundoff(), format.min_positive()));
        originals.iter().map(|x| 2.0 * u * x.abs() + tiny).collect()
    }
}
