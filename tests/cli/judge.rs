//! `posproof judge`: a model's folder.

use super::lint::file::{GgufFile, Stored, safetensors, to_neighbours, weights};
use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A folder with a configuration, a checkpoint and a conversion whose rows are in this order.
fn folder(rows: impl Fn(&[Vec<f32>]) -> Vec<Vec<f32>>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let config = json!({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "num_key_value_heads": 8,
        "num_hidden_layers": 2, "max_position_embeddings": 4096, "rope_theta": 500000.0});
    fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let original = weights(512, 64, 3);
    let name = "model.layers.0.self_attn.q_proj.weight";
    safetensors(folder.path(), "model.safetensors", &[(name, vec![512, 64], original.concat(), Stored::Bf16)]);
    let gguf = GgufFile::new("llama").u32("llama.context_length", 4096).u32("llama.embedding_length", 512);
    let gguf = gguf.u32("llama.attention.head_count", 8).u32("llama.rope.dimension_count", 64);
    let gguf = gguf.f32("llama.rope.freq_base", 500000.0);
    gguf.matrix("blk.0.attn_q.weight", &rows(&original), Stored::Bf16).write(folder.path(), "model.gguf");
    folder
}

fn right(rows: &[Vec<f32>]) -> Vec<Vec<f32>> {
    to_neighbours(rows, 64)
}

#[test]
fn a_right_folder_is_told_in_ten_lines() {
    let folder = folder(right);
    let (status, out, err) = run_in(folder.path(), &["judge", "."]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.lines().count() <= 10, "{out}");
    for part in [
        "nothing that was compared contradicts it",
        "layers 0–1 (all): 64 of 64 entries, halves, base 500000",
        "model.gguf: ",
        "model.safetensors: ",
    ] {
        assert!(out.contains(part), "'{part}' is missing from:\n{out}");
    }
    assert_eq!(run_in(folder.path(), &["judge", ".", "--strict"]).0, 3);
}

#[test]
fn files_mean_their_folder_once() {
    let folder = folder(right);
    let whole = run_in(folder.path(), &["judge", "."]);
    assert_eq!(run_in(folder.path(), &["judge", "config.json", "model.gguf", "model.safetensors"]), whole);
}

#[test]
fn wrong_rows_and_a_wrong_width_fall_short() {
    let folder = folder(<[_]>::to_vec);
    let (status, out, _) = run_in(folder.path(), &["judge", "."]);
    assert!(status == 1 && out.contains("layout: ") && out.lines().count() <= 10, "{out}");
    let path = folder.path().join("config.json");
    let config = fs::read_to_string(&path)
        .unwrap()
        .replace("\"num_attention_heads\":8", "\"num_attention_heads\":10,\"head_dim\":48");
    fs::write(path, config).unwrap();
    let (status, out, _) = run_in(folder.path(), &["judge", "."]);
    assert!(status == 1 && out.contains("no whole heads of 48 entries"), "{out}");
}

#[test]
fn the_json_is_that_of_lint() {
    let folder = folder(right);
    let (status, out, _) = run_in(folder.path(), &["judge", ".", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    assert!(status == 0 && document["files"][0]["against"].as_array().unwrap().len() >= 3, "{out}");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let whole = folder(right);
    assert!(refused(whole.path(), &["judge", "missing"]).contains("missing: expected a model's folder"));
    let empty = tempfile::tempdir().unwrap();
    assert!(refused(empty.path(), &["judge", "."]).contains("config.json"));
    let path: &Path = whole.path();
    fs::write(path.join("other.safetensors"), b"\xff\xff\xff\xff\xff\xff\xff\xff").unwrap();
    assert!(refused(path, &["judge", "."]).contains("other.safetensors"));
}
