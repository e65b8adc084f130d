//! Conversions that are right, and those that people got wrong: every one of these is noticed, and named first.

use super::file::{GgufFile, Stored, safetensors, to_neighbours};
use super::models::{self, HEAD, KEY_HEADS, Matrices, llama3_factors, matrices, merge};
use posproof_check::lint::{Lint, What};
use posproof_check::read::gguf::Gguf;
use posproof_encoding::convention::Layout;
use posproof_encoding::model::{InvalidConfig, Model, Stated};
use serde_json::{Value, json};

/// Formats that a model was converted to.
enum Conversion {
    /// Another spelling of the configuration: the one that was published, with these changes.
    Configuration(Value),
    /// A GGUF file.
    Gguf(GgufFile),
    /// A GGUF file with matrices, beside the checkpoint that they come from.
    Rows(GgufFile),
    /// A checkpoint with stored frequencies.
    Frequencies(Vec<f32>, Stored),
}
use Conversion::{Configuration, Frequencies, Rows};

/// The model of a configuration. All of these families pair halves, which is stated for those that are not known.
fn read(text: &str) -> Result<Model, InvalidConfig> {
    Model::read(text, &Stated { layout: Some(Layout::Halves), ..Stated::default() })
}

/// The comparison of a configuration with its conversion.
fn lint(model: &Value, conversion: &Conversion) -> Lint {
    let folder = tempfile::tempdir().unwrap();
    let mut lint = Lint::new("config.json", read(&model.to_string()).expect("the model"), 1e-2);
    match conversion {
        Configuration(changes) => {
            let mut other = model.clone();
            merge(&mut other, changes.clone());
            match read(&other.to_string()) {
                Ok(other) => lint.compare_model("other.json", &other),
                Err(error) => lint.compare_contradictory("other.json", &error),
            }
        }
        Conversion::Gguf(file) => lint.compare_gguf(&open(file, folder.path())).unwrap(),
        Rows(file) => {
            let gguf = open(file, folder.path());
            lint.compare_gguf(&gguf).unwrap();
            lint.compare_rows(&gguf, &[matrices().checkpoint(folder.path())]).unwrap();
        }
        Frequencies(values, stored) => {
            let name = "model.layers.0.self_attn.rotary_emb.inv_freq";
            let tensors = [(name, vec![values.len()], values.clone(), *stored)];
            lint.compare_checkpoint(&safetensors(folder.path(), "model.safetensors", &tensors)).unwrap();
        }
    }
    lint
}

fn open(file: &GgufFile, folder: &std::path::Path) -> Gguf {
    Gguf::open(&file.write(folder, "model.gguf")).unwrap()
}

/// Findings, in order.
fn found(lint: &Lint) -> Vec<What> {
    lint.against.iter().flat_map(|against| &against.differences).map(|difference| difference.what).collect()
}

fn rows(file: GgufFile, matrices: Matrices, stored: Stored) -> Conversion {
    Rows(matrices.into_gguf(file, stored))
}

fn right() -> Vec<(&'static str, Value, Conversion)> {
    let gguf = Conversion::Gguf;
    let parameters = |rule: Value| json!({"rope_scaling": null, "rope_theta": null, "rope_parameters": rule});
    let llama3 = json!({"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 8192});
    let yarn =
        json!({"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 32768});
    let default = json!({"rope_theta": null, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}});
    let scaled = |k: usize| llama3_factors(500000.0, 8.0, 8192.0)[k];
    vec![
        ("llama3 as rope_parameters", models::llama3(), Configuration(parameters(llama3))),
        ("yarn as rope_parameters", models::yarn(), Configuration(parameters(yarn))),
        ("plain as rope_parameters", models::plain(), Configuration(default)),
        ("llama3 to GGUF", models::llama3(), gguf(models::scaled_llama3_gguf())),
        ("yarn to GGUF", models::yarn(), gguf(models::yarn_gguf())),
        ("plain to GGUF", models::plain(), gguf(models::plain_gguf())),
        ("linear to GGUF", models::linear(), gguf(models::linear_gguf())),
        ("partial to GGUF", models::partial(), gguf(models::partial_gguf())),
        ("longrope to GGUF", models::longrope(), gguf(models::longrope_gguf())),
        (
            "rows for neighbours, F16",
            models::llama3(),
            rows(models::scaled_llama3_gguf(), matrices().permuted(), Stored::F16),
        ),
        (
            "rows for neighbours, Q8_0",
            models::llama3(),
            rows(models::scaled_llama3_gguf(), matrices().permuted(), Stored::Q8_0),
        ),
        ("rows for halves, Q8_0", models::yarn(), rows(models::yarn_gguf(), matrices(), Stored::Q8_0)),
        ("frequencies", models::llama3(), Frequencies(models::frequencies(500000.0, scaled), Stored::F32)),
        ("frequencies, linear", models::linear(), Frequencies(models::frequencies(10000.0, |_| 4.0), Stored::F32)),
    ]
}

fn wrong() -> Vec<(&'static str, Value, Conversion, What)> {
    let gguf = Conversion::Gguf;
    let scaling = |changes: Value| Configuration(json!({"rope_scaling": changes}));
    let migrated =
        |rule: Value| Configuration(json!({"rope_scaling": null, "rope_theta": null, "rope_parameters": rule}));
    let (llama3, yarn, plain) = (models::llama3, models::yarn, models::plain);
    let (linear, partial, longrope) = (models::linear, models::partial, models::longrope);
    let factors =
        |factor, length| models::llama3_gguf().vector("rope_freqs.weight", &llama3_factors(500000.0, factor, length));
    let twice = |m: &Matrices| m.permuted().permuted();
    let by_queries_heads = || {
        let original = matrices();
        // As many blocks as there are heads of queries.
        let keys = to_neighbours(&original.keys, HEAD * KEY_HEADS / 8);
        Matrices { keys, ..original.permuted() }
    };
    let no_base = json!({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192});
    let Value::Object(rule) = longrope()["rope_scaling"].clone() else { panic!("a rule") };
    let exchanged = json!({"short_factor": rule["long_factor"], "long_factor": rule["short_factor"]});
    let scaled = |k: usize| llama3_factors(500000.0, 8.0, 8192.0)[k];
    let scaled_otherwise = |k: usize| llama3_factors(10000.0, 8.0, 8192.0)[k];
    vec![
        ("theta is lost in the new spelling", llama3(), migrated(no_base), What::Base),
        ("a digit of theta is lost", llama3(), Configuration(json!({"rope_theta": 50000.0})), What::Base),
        ("theta is the default", plain(), Configuration(json!({"rope_theta": 10000.0})), What::Base),
        ("theta is left out", plain(), Configuration(json!({"rope_theta": null})), What::Base),
        (
            "the rule is lost in the new spelling",
            llama3(),
            migrated(json!({"rope_type": "default", "rope_theta": 500000.0})),
            What::Scaling,
        ),
        ("the factor is doubled", llama3(), scaling(json!({"factor": 16.0})), What::Scaling),
        (
            "the original length is the extended one",
            llama3(),
            scaling(json!({"original_max_position_embeddings": 131072})),
            What::Scaling,
        ),
        (
            "low and high factor are exchanged",
            llama3(),
            scaling(json!({"low_freq_factor": 4.0, "high_freq_factor": 1.0})),
            What::Scaling,
        ),
        ("the betas are exchanged", yarn(), scaling(json!({"beta_fast": 1.0, "beta_slow": 32.0})), What::Scaling),
        ("the factor is applied twice", yarn(), scaling(json!({"factor": 16.0})), What::Scaling),
        (
            "another rule",
            yarn(),
            Configuration(
                json!({"rope_scaling": null, "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e6}}),
            ),
            What::Scaling,
        ),
        ("the attention factor is 1", yarn(), scaling(json!({"attention_factor": 1.0})), What::Amplitude),
        ("the rule is lost", linear(), Configuration(json!({"rope_scaling": null})), What::Scaling),
        ("the linear factor is doubled", linear(), scaling(json!({"factor": 8.0})), What::Scaling),
        ("the width of a head is left out", plain(), Configuration(json!({"head_dim": null})), What::Width),
        ("all of the head is rotated", partial(), Configuration(json!({"rotary_pct": 1.0})), What::Width),
        ("short and long factors are exchanged", longrope(), scaling(exchanged), What::Scaling),
        ("GGUF: no freq_base", llama3(), gguf(models::scaled_llama3_gguf().without("rope.freq_base")), What::Base),
        (
            "GGUF: freq_base is the default",
            plain(),
            gguf(models::plain_gguf().without("rope.freq_base").f32("llama.rope.freq_base", 10000.0)),
            What::Base,
        ),
        ("GGUF: no rope_freqs", llama3(), gguf(models::llama3_gguf()), What::Scaling),
        ("GGUF: rope_freqs of a doubled factor", llama3(), gguf(factors(16.0, 8192.0)), What::Scaling),
        ("GGUF: rope_freqs from the extended length", llama3(), gguf(factors(8.0, 131072.0)), What::Scaling),
        (
            "GGUF: no rule",
            yarn(),
            gguf(models::yarn_gguf().without("scaling.type").without("scaling.factor")),
            What::Scaling,
        ),
        (
            "GGUF: a factor without its rule is linear",
            yarn(),
            gguf(models::yarn_gguf().without("scaling.type")),
            What::Scaling,
        ),
        (
            "GGUF: the betas are exchanged",
            yarn(),
            gguf(
                models::yarn_gguf()
                    .f32("qwen2.rope.scaling.yarn_beta_fast", 1.0)
                    .f32("qwen2.rope.scaling.yarn_beta_slow", 32.0),
            ),
            What::Scaling,
        ),
        (
            "GGUF: the reciprocal of the factor",
            yarn(),
            gguf(models::yarn_gguf().without("scaling.factor").f32("qwen2.rope.scaling.factor", 0.25)),
            What::Scaling,
        ),
        (
            "GGUF: the linear factor is doubled",
            linear(),
            gguf(models::linear_gguf().without("scaling.factor").f32("llama.rope.scaling.factor", 8.0)),
            What::Scaling,
        ),
        (
            "GGUF: no dimension_count",
            partial(),
            gguf(models::partial_gguf().without("rope.dimension_count")),
            What::Width,
        ),
        ("GGUF: short and long factors are exchanged", longrope(), gguf(exchanged_factors()), What::Scaling),
        (
            "GGUF: rows as they were, F16",
            llama3(),
            rows(models::scaled_llama3_gguf(), matrices(), Stored::F16),
            What::Layout,
        ),
        (
            "GGUF: rows as they were, Q8_0",
            llama3(),
            rows(models::scaled_llama3_gguf(), matrices(), Stored::Q8_0),
            What::Layout,
        ),
        (
            "GGUF: rows for neighbours where halves are paired, Q8_0",
            yarn(),
            rows(models::yarn_gguf(), matrices().permuted(), Stored::Q8_0),
            What::Layout,
        ),
        (
            "GGUF: rows permuted twice, BF16",
            llama3(),
            rows(models::scaled_llama3_gguf(), twice(&matrices()), Stored::Bf16),
            What::Layout,
        ),
        (
            "GGUF: keys permuted by the queries' heads, Q8_0",
            llama3(),
            rows(models::scaled_llama3_gguf(), by_queries_heads(), Stored::Q8_0),
            What::Layout,
        ),
        (
            "inv_freq of the default base",
            llama3(),
            Frequencies(models::frequencies(10000.0, scaled_otherwise), Stored::F32),
            What::Base,
        ),
        (
            "inv_freq without the rule",
            llama3(),
            Frequencies(models::frequencies(500000.0, |_| 1.0), Stored::F32),
            What::Scaling,
        ),
        (
            "inv_freq divided twice",
            linear(),
            Frequencies(models::frequencies(10000.0, |_| 16.0), Stored::F32),
            What::Scaling,
        ),
        (
            "inv_freq in bf16",
            llama3(),
            Frequencies(models::frequencies(500000.0, scaled), Stored::Bf16),
            What::Precision,
        ),
        (
            "inv_freq of half as many pairs",
            plain(),
            Frequencies(models::frequencies(1e6, |_| 1.0)[..16].to_vec(), Stored::F32),
            What::Width,
        ),
    ]
}

fn exchanged_factors() -> GgufFile {
    let factors = |last: f32| (0..HEAD / 2).map(|k| 1.0 + last * k as f32 / 32.0).collect::<Vec<f32>>();
    models::longrope_gguf()
        .without_tensors()
        .vector("rope_factors_short.weight", &factors(32.0))
        .vector("rope_factors_long.weight", &factors(1.0))
}

#[test]
fn right_conversions_are_not_accused() {
    for (name, model, conversion) in right() {
        let lint = lint(&model, &conversion);
        assert!(lint.conforms(), "{name}: {lint}");
        assert!(lint.against.iter().any(|against| !against.compared.is_empty()), "{name}: {lint}");
    }
}

#[test]
fn wrong_conversions_are_noticed_and_named_first() {
    let corpus = wrong();
    assert!(corpus.len() >= 30);
    let score = |(name, model, conversion, expected): &(&str, Value, Conversion, What)| {
        let lint = lint(model, conversion);
        let found = found(&lint);
        assert!(!found.is_empty() && !lint.conforms(), "{name} is not noticed: {lint}");
        // Where one thing is wrong, one thing is said.
        assert_eq!(found.len(), 1, "{name}: {lint}");
        (found[0] != *expected).then(|| format!("{name}: {:?}, not {expected:?}\n{lint}", found))
    };
    let misnamed: Vec<String> = corpus.iter().filter_map(score).collect();
    assert!(misnamed.is_empty(), "{} of {}: {misnamed:#?}", misnamed.len(), corpus.len());
}
