//! The matrices of queries and keys in a GGUF file and in the checkpoint that it was converted from.

use super::against::Against;
use super::difference::{Difference, What};
use super::layers::pairing;
use super::llama_cpp;
use super::rows::{Arrangement, Decision, Heads, decide};
use crate::InvalidInput;
use crate::read::gguf::{Gguf, MetadataValue, Stored};
use crate::read::{self, safetensors_names};
use posproof_encoding::model::LayerKind;
use std::collections::BTreeMap;
use std::path::Path;

/// Names of a matrix in GGUF, and in checkpoints.
const MATRICES: [(&str, [&str; 2]); 2] =
    [("attn_q.weight", ["q_proj.weight", "query.weight"]), ("attn_k.weight", ["k_proj.weight", "key.weight"])];

/// The number of the layer in a tensor's name: the first part that is a number.
pub fn layer(name: &str) -> Option<usize> {
    name.split('.').find_map(|part| part.parse().ok())
}

/// Compares every pair of matrices.
pub fn compare(
    kinds: &[LayerKind],
    gguf: &Gguf,
    architecture: &str,
    originals: &[impl AsRef<Path>],
) -> Result<Against, InvalidInput> {
    let files: Vec<String> = originals.iter().map(|path| path.as_ref().to_string_lossy().into_owned()).collect();
    let beside = if files.is_empty() { "no checkpoint".to_owned() } else { files.join(", ") };
    let mut against = Against::new(&format!("{} beside {beside}", gguf.name()));
    let known = originals_by_layer(originals, &files)?;
    let heads = |key: &str| match gguf.get(&format!("{architecture}.attention.{key}")) {
        Some(MetadataValue::Integer(count)) => usize::try_from(*count).ok().filter(|count| *count > 0),
        _ => None,
    };
    let counts = [heads("head_count"), heads("head_count_kv").or(heads("head_count"))];
    let mut rows = RowDecisions::default();
    for (name, _) in gguf.tensors() {
        let Some((matrix, layer)) = matrix(name) else { continue };
        let Some(original) = known.get(&(matrix, layer)) else {
            rows.skip("no file has the original".into(), name);
            continue;
        };
        let kind = kinds.iter().find(|kind| kind.layers.is_empty() || kind.layers.contains(&layer));
        let Some((kind, rotation)) = kind.and_then(|kind| Some((kind, kind.rotation.as_ref()?))) else { continue };
        let converted = match gguf.rows(name) {
            Ok(Some(rows)) => rows,
            Ok(None) => continue,
            Err(error) => {
                rows.skip(format!("expected {}; found {}", error.expected, error.found), name);
                continue;
            }
        };
        let mistaken = counts.map(|count| count.map(|count| converted.rows() / count));
        let convention = &rotation.convention;
        let heads = Heads { rows: convention.dim, rotary: convention.rotated_dim(), mistaken };
        match decide(&converted, &read::open(original)?, heads)? {
            None => rows.skip("the two have other shapes".into(), name),
            Some(decision) => rows.decided(kind, name, &converted, decision),
        }
    }
    rows.judge(kinds, architecture, &mut against);
    if against.compared.is_empty() && against.skipped.is_empty() {
        against.skipped.push("rows: the GGUF file has no matrices of queries and keys of their own".into());
    }
    if let Some((_, count)) = gguf.shard().filter(|(_, count)| *count > 1) {
        against.skipped.push(format!("rows: matrices in the other {} of {count} files of this model", count - 1));
    }
    Ok(against)
}

/// The matrix and the layer that a tensor of a GGUF file is: `blk.0.attn_q.weight`.
fn matrix(name: &str) -> Option<(usize, usize)> {
    let rest = name.strip_prefix("blk.")?;
    let (layer, rest) = rest.split_once('.')?;
    let matrix = MATRICES.iter().position(|(suffix, _)| rest == *suffix)?;
    Some((matrix, layer.parse().ok()?))
}

/// The originals, `file:tensor`, by matrix and layer.
fn originals_by_layer(
    paths: &[impl AsRef<Path>],
    files: &[String],
) -> Result<BTreeMap<(usize, usize), String>, InvalidInput> {
    let mut known = BTreeMap::new();
    for (path, file) in paths.iter().zip(files) {
        for name in safetensors_names(path.as_ref())? {
            let suffixes = MATRICES
                .iter()
                .position(|(_, suffixes)| suffixes.iter().any(|suffix| name.ends_with(&format!(".{suffix}"))));
            if let Some(key) = suffixes.zip(layer(&name)) {
                known.entry(key).or_insert(format!("{file}:{name}"));
            }
        }
    }
    Ok(known)
}

/// Decisions, matrix by matrix, gathered by outcome.
#[derive(Default)]
struct RowDecisions {
    outcomes: BTreeMap<(String, RowArrangement), Vec<String>>,
    skipped: BTreeMap<String, Vec<String>>,
    compared: usize,
}

/// Arrangements of a matrix's rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RowArrangement {
    Decided(String),
    Several,
    Other,
}

impl RowDecisions {
    fn skip(&mut self, why: String, name: &str) {
        self.skipped.entry(why).or_default().push(name.to_owned());
    }

    fn decided(&mut self, kind: &LayerKind, name: &str, converted: &Stored, decision: Decision) {
        self.compared += decision.rows;
        let outcome = match decision.fits[..] {
            [only] => RowArrangement::Decided(only.words()),
            [] => RowArrangement::Other,
            _ => RowArrangement::Several,
        };
        let about = format!("{name} ({}, {} rows)", converted.kind(), decision.rows);
        self.outcomes.entry((kind.name.clone(), outcome)).or_default().push(about);
    }

    fn judge(self, kinds: &[LayerKind], architecture: &str, against: &mut Against) {
        for (why, names) in self.skipped {
            against.skipped.push(format!("rows of {}: {why}", listed(&names)));
        }
        let program = llama_cpp::pairing(architecture);
        for ((kind, outcome), names) in self.outcomes {
            let original = kinds.iter().find(|known| known.name == kind).and_then(pairing);
            let needed = original.zip(program).map(|(original, program)| Arrangement::needed(original, program));
            let names = listed(&names);
            match (outcome, needed) {
                (RowArrangement::Several, _) => {
                    against.skipped.push(format!("rows of {names}: they do not tell one order from another"));
                }
                (RowArrangement::Decided(words), None) => {
                    let why = format!("which order llama.cpp needs for '{architecture}' is not known here");
                    against.skipped.push(format!("rows of {names}: {words}; {why}"));
                }
                (RowArrangement::Decided(words), Some(needed)) if words == needed.words() => {
                    against
                        .compared
                        .push(format!("rows of {names}: {words}, as llama.cpp needs them for '{architecture}'"));
                }
                (outcome, needed) => {
                    let found = match outcome {
                        RowArrangement::Decided(words) => words,
                        _ => "the rows are in none of the known orders, or are other weights".to_owned(),
                    };
                    let expected = needed.map_or("a known order".to_owned(), Arrangement::words);
                    let message = format!(
                        "{names}: {found}; llama.cpp needs for '{architecture}': {expected}. Queries and keys are paired wrongly"
                    );
                    let message = match needed {
                        Some(_) => message,
                        None => format!("{names}: {found}"),
                    };
                    against.compared.push(format!("rows of {names}"));
                    against.differences.push(Difference {
                        what: What::Layout,
                        kind,
                        field: names,
                        expected,
                        found,
                        message,
                    });
                }
            }
        }
    }
}

/// Some names, and how many more there are.
pub fn listed(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, .., last] => format!("{one}, …, {last} ({} matrices)", names.len()),
        [] => String::new(),
    }
}
