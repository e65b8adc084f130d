//! `--config`: what is read is printed, layers are chosen, contradictions and unknown families are refused.

use super::{refused, run_in};
use std::path::Path;

const GEMMA: &str = r#"{"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 8, "head_dim": 8,
    "num_hidden_layers": 12, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0}}"#;

fn model(config: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("config.json"), config).unwrap();
    directory
}

fn table(directory: &Path, more: &[&str]) -> (i32, String, String) {
    let plain = ["table", "rope", "--config", ".", "--positions", "0..64", "--force", "--out", "c.safetensors"];
    run_in(directory, &[plain.as_slice(), more].concat())
}

const CHECK: [&str; 8] =
    ["check", "rope", "--cos", "c.safetensors:cos", "--sin", "c.safetensors:sin", "--config", "config.json"];

#[test]
fn what_is_read_is_printed_with_its_origin() {
    let directory = model(GEMMA);
    let (status, _, told) = table(directory.path(), &["--layer", "5"]);
    assert_eq!(status, 0, "{told}");
    for part in [
        "base 1000000 [file: rope_theta]",
        "base 10000 [file: rope_local_base_freq]",
        "layout halves [family]",
        "scaling linear [file: rope_scaling.rope_type]",
        "full_attention 5, 11",
    ] {
        assert!(told.contains(part), "{part}:\n{told}");
    }
}

#[test]
fn a_cache_is_judged_as_the_layers_that_it_fits() {
    let directory = model(GEMMA);
    for (layer, kind) in [("5", "full_attention"), ("0", "sliding_attention")] {
        assert_eq!(table(directory.path(), &["--layer", layer]).0, 0);
        let (status, out, told) = run_in(directory.path(), &CHECK);
        assert_eq!(status, 0, "{out}{told}");
        assert!(told.contains(&format!("judged as {kind}")), "{told}");
        let (status, _, _) = run_in(directory.path(), &[CHECK.as_slice(), &["--layer-type", kind]].concat());
        assert_eq!(status, 0);
    }
    let (status, _, _) = run_in(directory.path(), &[CHECK.as_slice(), &["--layer", "5"]].concat());
    assert_eq!(status, 1);
}

/// Every verb that takes a configuration prints what it read, and takes the layers that are chosen by number or by type.
#[test]
fn every_verb_says_what_it_read_and_takes_a_layer() {
    let directory = model(GEMMA);
    assert_eq!(table(directory.path(), &["--layer", "5"]).0, 0);
    let config = ["--config", "config.json"];
    let cache = ["--cos", "c.safetensors:cos", "--sin", "c.safetensors:sin"];
    let written = ["--force", "--out", "p.safetensors"];
    let positions = ["--positions", "0..64"];
    for verb in [
        [&["table", "rope"][..], &config, &positions, &written].concat(),
        [&["probe", "rope"][..], &config, &written].concat(),
        [&["bound", "rope"][..], &config, &positions].concat(),
        [&["check", "rope"][..], &config, &cache].concat(),
        [&["identify", "rope"][..], &config, &cache].concat(),
    ] {
        for layer in [["--layer", "5"], ["--layer-type", "full_attention"]] {
            let (status, out, told) = run_in(directory.path(), &[verb.as_slice(), &layer].concat());
            assert!(status == 0 || status == 1 && verb[0] == "identify", "{verb:?}: {out}{told}");
            assert_eq!(told.matches("base 1000000 [file: rope_theta]").count(), 1, "{verb:?}: {told}");
        }
        let (status, _, told) = run_in(directory.path(), &[verb.as_slice(), &["--layer", "12"]].concat());
        assert!(status == 2 && told.contains("0 to 11"), "{verb:?}: {told}");
    }
}

#[test]
fn an_identified_cache_is_compared_with_the_layers_of_a_configuration() {
    let directory = model(GEMMA);
    let identify =
        ["identify", "rope", "--cos", "c.safetensors:cos", "--sin", "c.safetensors:sin", "--config", "config.json"];
    for (layer, fitting, other) in
        [("5", "full_attention", "sliding_attention"), ("0", "sliding_attention", "full_attention")]
    {
        assert_eq!(table(directory.path(), &["--layer", layer]).0, 0);
        let (status, out, told) = run_in(directory.path(), &identify);
        assert_ne!(status, 2, "{out}{told}");
        let answer = |name: &str| {
            let about = format!("as the configuration's layers {name}: ");
            told.lines().find_map(|line| line.strip_prefix(&about)).unwrap_or_else(|| panic!("{told}")).to_owned()
        };
        let conforms = |grade: String| ["correctly-rounded", "faithful", "within-bound"].contains(&grade.as_str());
        assert!(conforms(answer(fitting)) && !conforms(answer(other)), "{told}");
    }
}

/// Options beside a layer are stated of that layer: the base of the others is none of its business.
#[test]
fn options_beside_a_layer_are_about_that_layer() {
    let directory = model(GEMMA);
    for (layer, base) in [("5", "1000000"), ("0", "10000")] {
        let (status, _, told) = table(directory.path(), &["--layer", layer, "--base", base]);
        assert_eq!(status, 0, "{told}");
    }
    let (status, _, told) = table(directory.path(), &["--layer", "5", "--base", "10000"]);
    assert!(status == 2 && told.contains("rope_theta") && told.contains("as stated: --base"), "{told}");
}

#[test]
fn what_the_file_leaves_open_or_contradicts_is_refused() {
    let directory = model(GEMMA);
    let asked = |more: &[&str]| table(directory.path(), more);
    for (more, message) in [
        (["--layer", "12"], "0 to 11"),
        (["--layer-type", "chunked"], "full_attention"),
        (["--base", "5"], "as stated: --base"),
        (["--dim", "16"], "head_dim"),
    ] {
        let (status, _, told) = asked(&more);
        assert!(status == 2 && told.contains(message), "{more:?}: {told}");
    }
    let (status, _, told) = asked(&["--layer", "0", "--layer-type", "full_attention"]);
    assert!(status == 2 && told.contains("the layer: 0; expected one of type full_attention"), "{told}");
    let (status, _, told) = asked(&["--layer", "5", "--factor", "4"]);
    assert!(status == 2 && told.contains("the configuration has"), "{told}");
    let (status, _, told) = asked(&[]);
    assert!(status == 2 && told.contains("--layer"), "{told}");
    let unknown =
        model(r#"{"model_type": "internlm2", "hidden_size": 64, "num_attention_heads": 8, "rope_theta": 1e6}"#);
    let (status, _, told) = table(unknown.path(), &[]);
    assert!(status == 2 && told.contains("--layout"), "{told}");
    assert_eq!(table(unknown.path(), &["--layout", "halves"]).0, 0);
    let told =
        refused(unknown.path(), &["table", "rope", "--config", "no/such", "--positions", "0..5", "--out", "c.npz"]);
    assert!(told.contains("no/such"), "{told}");
}

/// Values that no configuration may hold: exit status 2, with the file and the key.
#[test]
fn what_is_no_configuration_is_refused_with_the_key() {
    let with =
        |more: &str| format!(r#"{{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 8, {more}}}"#);
    let deep = format!(r#""x": {}1{}"#, "[".repeat(200), "]".repeat(200));
    let cases = [
        ("not JSON".to_owned(), "the file"),
        (with(&deep), "x: "),
        (with(&format!(r#""x": "{}""#, "y".repeat(1 << 22))), "bytes"),
        (with(r#""rope_theta": 1e4, "rope_theta": 1e5"#), "rope_theta: the key stands twice"),
        (with(r#""rope_theta": NaN"#), "rope_theta: "),
        (with(r#""rope_theta": "10000""#), "rope_theta: "),
        (with(r#""rope_theta": 1e400"#), "rope_theta: "),
        (with(r#""head_dim": -8"#), "head_dim: -8"),
    ];
    for (config, key) in cases {
        let directory = model(&config);
        let (status, _, told) = table(directory.path(), &[]);
        let shown: String = config.chars().take(90).collect();
        assert_eq!(status, 2, "{shown}: {told}");
        assert!(told.contains(key), "{shown}: '{key}' is missing from: {told}");
    }
}
