//! `posproof lint`: what it prints, its exit status, and what it refuses.

#[path = "../../crates/check/tests/lint/file.rs"]
#[allow(dead_code)]
pub mod file;

use super::{refused, run_in};
use file::{GgufFile, Stored, safetensors, weights};
use posproof_schema::validate;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn llama() -> Value {
    json!({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "num_key_value_heads": 8,
        "num_hidden_layers": 2, "max_position_embeddings": 131072, "rope_theta": 500000.0,
        "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192}})
}

fn gguf() -> GgufFile {
    GgufFile::new("llama")
        .u32("llama.context_length", 131072)
        .u32("llama.embedding_length", 512)
        .u32("llama.attention.head_count", 8)
        .u32("llama.rope.dimension_count", 64)
        .f32("llama.rope.freq_base", 500000.0)
}

/// A folder with a configuration, a conversion that lost its rule, and both of one matrix.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("config.json"), llama().to_string()).unwrap();
    let rows = weights(512, 64, 3);
    gguf().matrix("blk.0.attn_q.weight", &rows, Stored::Q8_0).write(folder.path(), "model.gguf");
    let name = "model.layers.0.self_attn.q_proj.weight";
    safetensors(folder.path(), "model.safetensors", &[(name, vec![512, 64], rows.concat(), Stored::Bf16)]);
    folder
}

/// A hook over a repository of mixed models passes.
#[test]
fn a_model_that_rotates_nothing_is_said_to_be_that() {
    let folder = folder();
    fs::write(folder.path().join("bert.json"), r#"{"model_type": "bert", "num_hidden_layers": 12}"#).unwrap();
    let (status, out, err) = run_in(folder.path(), &["lint", "config.json", "bert.json"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("bert.json (bert): no rotation: learned positions"), "{out}");
    let (_, out, _) = run_in(folder.path(), &["lint", "bert.json", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    assert_eq!(document["files"][0]["notes"][0]["kind"], "unrotated");
    let (status, _, err) = run_in(folder.path(), &["bound", "rope", "--config", "bert.json", "--positions", "0..4"]);
    assert!(status == 2 && err.contains("no rotation: learned positions"), "{status}: {err}");
}

#[test]
fn a_configuration_is_put_into_words() {
    let folder = folder();
    let (status, out, err) = run_in(folder.path(), &["lint", "config.json"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    for part in [
        "nothing contradicts itself",
        "All 64 entries of a head are rotated",
        "base 500000",
        "llama3 scaling by 8 from 8192 is in effect",
        "Computed and stored in f32, every entry is within 0.01",
        "Computed and stored in bf16",
        "rope_theta",
    ] {
        assert!(out.contains(part), "'{part}' is missing from:\n{out}");
    }
    // The folder of a model is its configuration.
    assert_eq!(
        run_in(folder.path(), &["lint", "."]).1.lines().skip(1).collect::<Vec<_>>(),
        out.lines().skip(1).collect::<Vec<_>>()
    );
}

/// A configuration of several parts: the one that is asked for is read, and no other in its place.
#[test]
fn a_part_is_chosen() {
    let folder = folder();
    let other = json!({"model_type": "qwen3", "hidden_size": 64, "num_attention_heads": 2, "head_dim": 32,
        "rope_theta": 7777.0, "max_position_embeddings": 4096});
    let composite = json!({"model_type": "qwen2_5_vl", "text_config": llama(), "talker_config": other});
    fs::write(folder.path().join("composite.json"), composite.to_string()).unwrap();
    for (part, base) in [("text_config", "base 500000"), ("talker_config", "base 7777")] {
        let (status, out, err) = run_in(folder.path(), &["lint", "composite.json", "--part", part]);
        assert!((status, err.as_str()) == (0, "") && out.contains(base), "{part}: {status}\n{out}{err}");
    }
    let (status, _, err) = run_in(folder.path(), &["lint", "composite.json", "--part", "sound_config"]);
    assert!(status == 2 && err.contains("sound_config: no such part"), "{err}");
}

#[test]
fn conversions_that_lost_something_fall_short() {
    let folder = folder();
    let arguments = ["lint", "config.json", "--against", "model.gguf", "--against", "model.safetensors"];
    let (status, out, err) = run_in(folder.path(), &arguments);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    let mut lines = out.lines();
    assert!(lines.next().unwrap().ends_with("2 differences"), "{out}");
    assert!(
        lines.next().unwrap().trim_start().starts_with("frequency-scaling: model.gguf: llama3 scaling by 8"),
        "{out}"
    );
    assert!(
        lines
            .next()
            .unwrap()
            .trim_start()
            .starts_with("layout: model.gguf beside model.safetensors: blk.0.attn_q.weight"),
        "{out}"
    );
    assert!(out.contains("not compared: frequencies"), "{out}");
}

#[test]
fn what_was_not_compared_is_inconclusive_where_that_is_asked() {
    let folder = folder();
    // The checkpoint has no frequencies: nothing of it is compared.
    let arguments = ["lint", "config.json", "--against", "model.safetensors"];
    let (status, out, _) = run_in(folder.path(), &arguments);
    assert!(status == 0 && out.contains("not compared: frequencies"), "{out}");
    assert_eq!(run_in(folder.path(), &[&arguments[..], &["--strict"]].concat()).0, 3);
    assert_eq!(run_in(folder.path(), &["lint", "config.json", "--strict"]).0, 0);
    // A difference is one all the same.
    assert_eq!(run_in(folder.path(), &["lint", "config.json", "--against", "model.gguf", "--strict"]).0, 1);
}

#[test]
fn the_json_follows_its_schema() {
    let folder = folder();
    let mut other = llama();
    other["rope_theta"] = 10000.0.into();
    fs::write(folder.path().join("other.json"), other.to_string()).unwrap();
    let all = ["lint", "config.json", "other.json", "--against", "model.gguf", "--against", "other.json", "--json"];
    for (arguments, status, code) in [
        (&["lint", "config.json", "--json"][..], 0, None),
        (&["lint", "config.json", "--against", "other.json", "--json"], 1, Some("other-base")),
        // Configurations come first.
        (&all, 1, Some("other-base")),
    ] {
        let (found, out, err) = run_in(folder.path(), arguments);
        assert_eq!((found, err.as_str()), (status, ""), "{out}");
        let document: Value = serde_json::from_str(&out).unwrap();
        validate(&document);
        assert_eq!(document["conforms"], status == 0);
        let against = document["files"][0]["against"].as_array().unwrap();
        let mut findings = against.iter().flat_map(|against| against["findings"].as_array().unwrap());
        let first = findings.next();
        assert_eq!(first.map(|finding| finding["code"].as_str().unwrap()), code, "{document:#}");
    }
}

#[test]
fn another_figure_is_another_length() {
    let folder = folder();
    let reach = |error: &str| {
        let (_, out, _) = run_in(folder.path(), &["lint", "config.json", "--error", error, "--json"]);
        let document: Value = serde_json::from_str(&out).unwrap();
        document["files"][0]["kinds"][0]["rotation"]["meanings"][0]["reach"][0]["positions"].as_u64().unwrap()
    };
    assert!(reach("1e-3") < reach("1e-2"));
    // The figure is that of the inverse question of `bound`, over all pairs.
    let question = ["bound", "rope", "--config", "config.json", "--error", "1e-3", "--ulp", "1", "--json"];
    let (_, out, err) = run_in(folder.path(), &question);
    let document: Value = serde_json::from_str(&out).expect(&err);
    let cases = document["cases"].as_array().unwrap();
    let least = cases.iter().map(|case| case["largest_position"]["instance"].as_u64().unwrap()).min().unwrap();
    assert_eq!(reach("1e-3"), least + 1);
}

#[test]
fn what_cannot_be_read_is_refused() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let whole = fs::read(path("model.gguf")).unwrap();
    let mut many = whole.clone();
    many[8..16].copy_from_slice(&(1u64 << 60).to_le_bytes());
    let deep = "[".repeat(100_000);
    for (name, bytes, part) in [
        ("cut.gguf", &whole[..200], "metadata"),
        ("many.gguf", &many[..], "1152921504606846976"),
        ("no.gguf", b"GGML", "the magic 'GGUF'"),
        ("no.safetensors", b"1234", "byte 0"),
        ("text.json", b"not JSON", "line 1"),
        ("deep.json", deep.as_bytes(), "recursion"),
        ("text.txt", b"", "expected a configuration"),
    ] {
        fs::write(path(name), bytes).unwrap();
        let message = refused(folder.path(), &["lint", "config.json", "--against", name]);
        assert!(message.contains(name) && message.contains(part), "{message}");
    }
    assert!(refused(folder.path(), &["lint", "text.json"]).contains("text.json"));
    assert!(refused(folder.path(), &["lint", "missing.json"]).contains("missing.json"));
    assert!(refused(folder.path(), &["lint", "config.json", "--error", "0"]).contains("--error"));
    assert!(refused(folder.path(), &["lint"]).contains("config.json"));
}

/// One file that cannot be read does not hide what is wrong with another.
#[test]
fn the_other_files_are_judged_all_the_same() {
    let folder = folder();
    fs::write(folder.path().join("bad.json"), "{").unwrap();
    let (status, out, err) = run_in(folder.path(), &["lint", "bad.json", "config.json"]);
    assert_eq!(status, 2);
    assert!(out.contains("config.json (llama)") && err.contains("bad.json"), "{out}{err}");
    let (status, out, err) = run_in(folder.path(), &["lint", "bad.json", "config.json", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    assert!(status == 2 && err.contains("bad.json"), "{err}");
    assert_eq!((&document["conforms"], &document["files"][0]["model_type"]), (&json!(false), &json!("llama")));
    assert!(document["unreadable"][0].as_str().unwrap().contains("bad.json"), "{document:#}");
}

/// A model in several files has its metadata in the first.
#[test]
fn the_files_of_a_model_are_told_apart() {
    let folder = folder();
    let file = |file: GgufFile, number: u16| {
        let file = file.value("split.no", 2, &number.to_le_bytes()).value("split.count", 2, &2u16.to_le_bytes());
        file.write(folder.path(), &format!("m-{:05}-of-00002.gguf", number + 1));
    };
    file(gguf(), 0);
    file(GgufFile::new("llama").without("general.architecture"), 1);
    let (status, out, err) = run_in(folder.path(), &["lint", "config.json", "--against", "m-00001-of-00002.gguf"]);
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("matrices in the other 1 of 2 files") && out.contains("beside no checkpoint"), "{out}");
    let message = refused(folder.path(), &["lint", "config.json", "--against", "m-00002-of-00002.gguf"]);
    assert!(message.contains("this is file 2 of 2") && message.contains("give the first"), "{message}");
}

/// A file that contradicts itself has a family all the same: nothing is said of it.
#[test]
fn a_contradiction_is_no_statement_about_the_family() {
    let folder = folder();
    let mut two = llama();
    two["rope_scaling"]["rope_theta"] = 10000.0.into();
    fs::write(folder.path().join("two.json"), two.to_string()).unwrap();
    let (status, out, err) = run_in(folder.path(), &["lint", "two.json"]);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.starts_with("two.json: 1 contradiction\n  contradiction: rope_scaling.rope_theta: 10000"), "{out}");
}

/// A contradiction is told by the file's own key and value, and sections that cannot be are one.
#[test]
fn a_contradiction_is_told_by_what_the_file_states() {
    let folder = folder();
    let told = |config: Value| {
        fs::write(folder.path().join("c.json"), config.to_string()).unwrap();
        run_in(folder.path(), &["lint", "c.json"])
    };
    let mut rotated = json!({"model_type": "gpt_neox", "hidden_size": 512, "num_attention_heads": 8});
    rotated["rotary_pct"] = 1.5.into();
    let (status, out, err) = told(rotated);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("contradiction: rotary_pct: 1.5, which makes rotary_dim 96; expected"), "{out}");
    let rule = json!({"type": "mrope", "mrope_section": [16, 24, 12]});
    let (status, out, _) = told(json!({"model_type": "qwen2_vl", "hidden_size": 1024, "num_attention_heads": 8,
        "rope_scaling": rule}));
    assert_eq!(status, 1, "{out}");
    assert!(
        out.contains("mrope_section: [16, 24, 12], which add up to 52; expected sections that add up to 64"),
        "{out}"
    );
    let (status, _, err) = told(json!({"model_type": "llama", "rope_theta": 0.5}));
    assert!(status == 2 && err.contains("c.json: rope_theta: 0.5; expected") && !err.contains("file:"), "{err}");
}

/// Layers that do not rotate may have a factor on their logits all the same.
#[test]
fn layers_without_rotation_are_put_into_words() {
    let folder = folder();
    let llama = json!({"model_type": "llama4_text", "num_hidden_layers": 4, "attn_temperature_tuning": 4});
    fs::write(folder.path().join("llama4.json"), llama.to_string()).unwrap();
    let (status, out, err) = run_in(folder.path(), &["lint", "llama4.json"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let logits = "Logits of the query at position p are multiplied by 1 + 0.1·ln(1 + ⌊(p + 1)/8192⌋) besides.";
    assert!(out.contains(&format!("layer 3 (no_rope): not rotated\n  {logits}\n")), "{out}");
    let mllama =
        json!({"model_type": "mllama", "text_config": {"num_hidden_layers": 5, "cross_attention_layers": [1, 3]}});
    fs::write(folder.path().join("mllama.json"), mllama.to_string()).unwrap();
    let (status, out, err) = run_in(folder.path(), &["lint", "mllama.json"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("layers 0, 2, 4 (rope):") && out.contains("layers 1, 3 (no_rope): not rotated"), "{out}");
}

/// Names are whatever a file has: none of them is obeyed by a terminal.
#[test]
fn names_of_a_file_are_printed_and_not_obeyed() {
    let folder = folder();
    let quiet = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n');
    let named = |name: &str, config: Value| {
        fs::write(folder.path().join(name), config.to_string()).unwrap();
        let (_, out, err) = run_in(folder.path(), &["lint", name, "--layout", "halves"]);
        assert!(quiet(&out) && quiet(&err), "{out:?}{err:?}");
        out + &err
    };
    let escape = "\u{1b}]0;title\u{7}\u{9b}2J\nposproof: nothing";
    let told = named("type.json", json!({"model_type": escape, "head_dim": 64, "rope_theta": 1e4}));
    assert!(told.lines().next().unwrap().contains(r"(\u{1b}]0;title\u{7}\u{9b}2J\u{a}posproof: nothing)"), "{told}");
    let mut config = llama();
    config[format!("rope_{escape}")] = 1.into();
    assert!(named("key.json", config).contains(r"\u{1b}"));
    // The names of tensors and of a GGUF file's keys are names of files too.
    let name = format!("{escape}.inv_freq");
    safetensors(folder.path(), "names.safetensors", &[(&name, vec![2], vec![1.0, 0.5], Stored::F32)]);
    gguf().text("llama.rope.scaling.type", escape).write(folder.path(), "names.gguf");
    for other in ["names.safetensors", "names.gguf"] {
        let (_, out, err) = run_in(folder.path(), &["lint", "config.json", "--against", other]);
        assert!(quiet(&out) && quiet(&err) && (out + &err).contains(r"\u{1b}"), "{other}");
    }
}

/// The hook that others use is this program with a file's name, on files of this name.
#[test]
fn the_hook_is_what_it_says() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml")).unwrap();
    let lint = ["- id: posproof-lint", "entry: posproof lint", r"files: (^|/)config\.json$"];
    let judge =
        ["- id: posproof-judge", "entry: posproof judge", r"files: (^|/)(config\.json|[^/]*\.(gguf|safetensors))$"];
    for line in lint.into_iter().chain(judge).chain(["language: rust"]) {
        assert!(text.lines().any(|found| found.trim() == line), "{line} is missing from:\n{text}");
    }
}
