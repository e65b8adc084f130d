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
