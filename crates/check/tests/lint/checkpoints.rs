//! The rows of queries and keys in two checkpoints of one model.

use super::file::{Stored, safetensors, to_neighbours, weights};
use posproof_check::lint::{Lint, What};
use posproof_encoding::model::{Model, Stated};
use serde_json::json;
use std::path::{Path, PathBuf};

const DIM: usize = 16;

fn lint() -> Lint {
    let config = json!({"model_type": "llama", "hidden_size": 128, "num_attention_heads": 8, "num_key_value_heads": 2, "num_hidden_layers": 1});
    Lint::new("config.json", Model::read(&config.to_string(), &Stated::default()).unwrap(), 1e-2)
}

fn queries() -> Vec<Vec<f32>> {
    weights(8 * DIM, 96, 11)
}

/// A checkpoint with one matrix under this name.
fn checkpoint(folder: &Path, file: &str, name: &str, rows: &[Vec<f32>], stored: Stored) -> PathBuf {
    safetensors(folder, file, &[(name, vec![rows.len(), rows[0].len()], rows.concat(), stored)])
}

const NEW: &str = "model.layers.0.self_attn.q_proj.weight";
const OLD: &str = "layers.0.attention.wq.weight";

/// The comparison of two checkpoints, each with its name for the matrix and its rows.
fn compared(one: (&str, &[Vec<f32>]), other: (&str, &[Vec<f32>])) -> Lint {
    let folder = tempfile::tempdir().unwrap();
    let one = checkpoint(folder.path(), "one.safetensors", one.0, one.1, Stored::F32);
    let other = checkpoint(folder.path(), "other.safetensors", other.0, other.1, Stored::Bf16);
    let mut lint = lint();
    lint.compare_orders(&[one, other]).unwrap();
    lint
}

#[test]
fn permuted_rows_are_told_from_right_ones() {
    let rows = queries();
    let permuted = to_neighbours(&rows, DIM);
    for (one, other, conforms) in [
        ((NEW, &rows), (NEW, &rows), true),
        ((NEW, &rows), (NEW, &permuted), false),
        ((NEW, &permuted), (NEW, &rows), false),
        // The original code pairs neighbours.
        ((NEW, &rows), (OLD, &permuted), true),
        ((OLD, &permuted), (NEW, &rows), true),
        ((NEW, &rows), (OLD, &rows), false),
        ((OLD, &rows), (OLD, &rows), true),
    ] {
        let lint = compared((one.0, one.1), (other.0, other.1));
        assert_eq!(lint.conforms(), conforms, "{one:?} {other:?}: {lint}", one = one.0, other = other.0);
        assert!(lint.against.len() == 1 && lint.against[0].compared.len() == 1, "{lint}");
        let found = lint.against[0].differences.iter().map(|difference| difference.what).collect::<Vec<_>>();
        assert_eq!(found, if conforms { vec![] } else { vec![What::Layout] }, "{lint}");
    }
}

/// Other weights are no wrong order, and what was not compared is said.
#[test]
fn other_weights_are_not_judged() {
    let other = weights(8 * DIM, 96, 12);
    let lint = compared((NEW, &queries()), (NEW, &other));
    assert!(lint.conforms() && lint.leaves_out(), "{lint}");
    let fewer = weights(4 * DIM, 96, 11);
    let lint = compared((NEW, &queries()), (NEW, &fewer));
    assert!(lint.conforms() && lint.leaves_out(), "{lint}");
    assert!(compared((NEW, &queries()), ("model.layers.0.mlp.weight", &other)).against.is_empty());
}

/// Permuted weights are those of a right model as well: two files tell which is meant, one does not.
#[test]
fn the_order_of_rows_in_one_checkpoint_is_undetermined() {
    let folder = tempfile::tempdir().unwrap();
    let rows = queries();
    let paths = [("one.safetensors", rows.clone()), ("other.safetensors", to_neighbours(&rows, DIM))]
        .map(|(file, rows)| checkpoint(folder.path(), file, NEW, &rows, Stored::F32));
    for path in &paths {
        let mut lint = lint();
        lint.compare_checkpoint(path).unwrap();
        lint.compare_orders(&[path]).unwrap();
        assert!(lint.conforms() && lint.to_string().contains("undetermined"), "{lint}");
    }
    let mut lint = lint();
    paths.iter().for_each(|path| lint.compare_checkpoint(path).unwrap());
    lint.compare_orders(&paths).unwrap();
    assert!(!lint.conforms() && !lint.to_string().contains("undetermined"), "{lint}");
}

#[test]
fn rows_are_those_of_whole_heads() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, conforms) in [(8 * DIM, true), (2 * DIM, true), (5 * DIM / 2, false), (DIM + 1, false)] {
        let path = checkpoint(folder.path(), "m.safetensors", NEW, &weights(rows, 32, 3), Stored::Bf16);
        let mut lint = lint();
        lint.compare_checkpoint(&path).unwrap();
        assert_eq!(lint.conforms(), conforms, "{rows}: {lint}");
        let found = lint.against[0].differences.first().map(|difference| difference.what);
        assert_eq!(found, (!conforms).then_some(What::Width), "{lint}");
    }
}
