//! Families whose layers differ, or whose heads have a part of their own that is rotated.

use super::file::GgufFile;
use posproof_check::lint::{Lint, What};
use posproof_check::read::gguf::Gguf;
use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::model::{LayerKind, Model, Note, NoteKind, Rotation, SoftmaxScale, Stated};
use serde_json::{Value, json};

fn lint(config: &Value, file: &GgufFile) -> Lint {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::read(&config.to_string(), &Stated::default()).expect("the model");
    let mut lint = Lint::new("config.json", model, 1e-2);
    lint.compare_gguf(&Gguf::open(&file.write(folder.path(), "model.gguf")).unwrap()).unwrap();
    lint
}

fn found(lint: &Lint) -> Vec<(What, &str)> {
    let differences = lint.against.iter().flat_map(|against| &against.differences);
    differences.map(|difference| (difference.what, difference.kind.as_str())).collect()
}

/// Gemma 3: every sixth layer with full attention and base 10⁶, the others with a sliding window and base 10⁴.
#[test]
fn each_kind_of_layers_has_its_own_base() {
    let config = json!({"model_type": "gemma3_text", "hidden_size": 1152, "num_attention_heads": 4, "head_dim": 256,
        "num_hidden_layers": 12, "rope_theta": 1e6, "rope_local_base_freq": 10000.0, "sliding_window_pattern": 6,
        "max_position_embeddings": 32768});
    let file = || {
        GgufFile::new("gemma3")
            .u32("gemma3.context_length", 32768)
            .u32("gemma3.attention.key_length", 256)
            .f32("gemma3.rope.freq_base", 1e6)
    };
    let right = lint(&config, &file().f32("gemma3.rope.freq_base_swa", 10000.0));
    assert!(right.conforms() && right.against[0].compared.len() == 2, "{right}");
    let wrong = lint(&config, &file().f32("gemma3.rope.freq_base_swa", 1e6));
    assert_eq!(found(&wrong), [(What::Base, "sliding_attention")], "{wrong}");
    let lost = lint(&config, &file().without("freq_base").f32("gemma3.rope.freq_base_swa", 10000.0));
    assert_eq!(found(&lost), [(What::Base, "full_attention")], "{lost}");
    // What the file does not say is not compared, and that is said.
    let silent = lint(&config, &file());
    assert!(silent.conforms() && silent.against[0].skipped.iter().any(|why| why.contains("freq_base_swa")), "{silent}");
}

/// A rule of a name that is not known is not compared, and neither does the list of what was compared name it.
#[test]
fn a_rule_that_is_not_known_is_left_out() {
    let config = json!({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2,
        "max_position_embeddings": 131072, "rope_theta": 500000,
        "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
            "original_max_position_embeddings": 8192}});
    let file = |rule: &str| {
        GgufFile::new("llama")
            .u32("llama.context_length", 131072)
            .u32("llama.attention.key_length", 128)
            .f32("llama.rope.freq_base", 500000.0)
            .text("llama.rope.scaling.type", rule)
    };
    let left = lint(&config, &file("spiral"));
    assert!(left.conforms() && left.leaves_out(), "{left}");
    assert!(left.against[0].skipped[0].contains("'spiral'"), "{left}");
    assert_eq!(left.against[0].compared, ["layers 0–1 (all): width, base, attention factor, axes"]);
    let lost = lint(&config, &file("none"));
    assert_eq!(found(&lost).first().map(|(what, _)| *what), Some(What::Scaling), "{lost}");
    assert!(lost.against[0].compared[0].contains("scaling") && !lost.leaves_out(), "{lost}");
}

/// DeepSeek V3: 64 of the 192 entries of a head are rotated, which configurations describe apart.
#[test]
fn heads_with_a_part_that_is_not_rotated_are_no_wider_than_they_are() {
    let config = json!({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128,
        "num_key_value_heads": 128, "num_hidden_layers": 4, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
        "q_lora_rank": 1536, "kv_lora_rank": 512, "rope_theta": 10000, "max_position_embeddings": 163840,
        "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32,
            "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}});
    let file = || {
        GgufFile::new("deepseek2")
            .u32("deepseek2.context_length", 163840)
            .u32("deepseek2.attention.key_length", 192)
            .u32("deepseek2.attention.kv_lora_rank", 512)
            .u32("deepseek2.rope.dimension_count", 64)
            .f32("deepseek2.rope.freq_base", 10000.0)
            .text("deepseek2.rope.scaling.type", "yarn")
            .f32("deepseek2.rope.scaling.factor", 40.0)
            .u32("deepseek2.rope.scaling.original_context_length", 4096)
            .f32("deepseek2.rope.scaling.yarn_log_multiplier", 0.1)
    };
    let right = lint(&config, &file());
    assert!(right.conforms(), "{right}");
    assert!(right.against[0].skipped.is_empty(), "{right}");
    let key = "deepseek2.rope.scaling.yarn_log_multiplier";
    let doubled = lint(&config, &file().without("yarn_log_multiplier").f32(key, 0.2));
    assert_eq!(found(&doubled).first().map(|(what, _)| *what), Some(What::Softmax), "{doubled}");
    let wrong = lint(&config, &file().without("original_context_length"));
    assert_eq!(found(&wrong).first().map(|(what, _)| *what), Some(What::Scaling), "{wrong}");
    let wide = lint(&config, &file().without("rope.dimension_count"));
    assert_eq!(found(&wide).first().map(|(what, _)| *what), Some(What::Width), "{wide}");
}

/// The loader divides the attention factor by 0.1·m·ln s + 1.
#[test]
fn the_multiplier_of_yarn_divides_the_attention_factor() {
    let rule = |more: Value| {
        let mut rule = json!({"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384,
            "beta_fast": 32.0, "beta_slow": 1.0});
        rule.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
            "num_hidden_layers": 2, "max_position_embeddings": 262144, "rope_theta": 1000000.0, "rope_scaling": rule})
    };
    let file = |multiplier: Option<f32>| {
        let file = GgufFile::new("mistral3")
            .u32("mistral3.context_length", 262144)
            .u32("mistral3.attention.key_length", 128)
            .u32("mistral3.rope.dimension_count", 128)
            .f32("mistral3.rope.freq_base", 1e6)
            .text("mistral3.rope.scaling.type", "yarn")
            .f32("mistral3.rope.scaling.factor", 16.0)
            .u32("mistral3.rope.scaling.original_context_length", 16384);
        match multiplier {
            Some(multiplier) => file.f32("mistral3.rope.scaling.yarn_log_multiplier", multiplier),
            None => file,
        }
    };
    let usual = rule(json!({}));
    let one = rule(json!({"mscale": 1.0, "mscale_all_dim": 1.0}));
    for (config, multiplier, conforms) in [
        (&usual, None, true),
        (&usual, Some(0.0), true),
        (&usual, Some(1.0), false),
        (&one, Some(1.0), true),
        (&one, Some(2.0), false),
        (&one, None, false),
    ] {
        let lint = lint(config, &file(multiplier));
        assert_eq!(lint.conforms(), conforms, "{multiplier:?}: {lint}");
        assert!(lint.against[0].skipped.is_empty(), "{lint}");
        assert!(found(&lint).iter().all(|(what, _)| *what == What::Amplitude), "{lint}");
    }
}

/// A model of one kind of layers, made without a file.
fn made(change: impl FnOnce(&mut LayerKind)) -> Model {
    let rotation = Rotation { convention: Convention::rope(64), values: Vec::new(), sections: vec![8, 12, 12] };
    let (name, layers) = ("all".to_owned(), vec![0, 1]);
    let mut kind = LayerKind { name, layers, rotation: Some(rotation), softmax: SoftmaxScale::Usual };
    change(&mut kind);
    Model { model_type: None, part: None, measured_on: None, kinds: vec![kind], notes: Vec::new() }
}

#[test]
fn what_is_no_frequency_differs_too() {
    let compared = |other: &Model| {
        let mut lint = Lint::new("config.json", made(|_| {}), 1e-2);
        lint.compare_model("other.json", other);
        lint.against[0].differences.iter().map(|difference| difference.what).collect::<Vec<_>>()
    };
    let turned = |change: fn(&mut Rotation)| made(|kind| change(kind.rotation.as_mut().unwrap()));
    assert_eq!(compared(&made(|_| {})), []);
    assert_eq!(compared(&turned(|rotation| rotation.convention.layout = Layout::Halves)), [What::Layout]);
    assert_eq!(compared(&turned(|rotation| rotation.sections = vec![12, 12, 8])), [What::Axes]);
    assert_eq!(compared(&made(|kind| kind.rotation = None)), [What::Rotation]);
    let softmax = SoftmaxScale::Temperature { beta: "0.1".parse().unwrap(), length: 8192, first: 1 };
    assert_eq!(compared(&made(|kind| kind.softmax = softmax)), [What::Softmax]);
    // Layers that the other file does not have are not compared in silence.
    let mut lint = Lint::new("config.json", made(|_| {}), 1e-2);
    lint.compare_model("other.json", &made(|kind| kind.layers = vec![7]));
    assert!(lint.against[0].compared.is_empty() && lint.against[0].skipped.len() == 1);
}

#[test]
fn a_contradiction_within_a_file_is_one() {
    let mut model = made(|_| {});
    let message = "10000, and 500000 in rope_parameters".to_owned();
    model.notes.push(Note { kind: NoteKind::Contradiction, key: "rope_theta".into(), message });
    let lint = Lint::new("config.json", model, 1e-2);
    assert!(!lint.conforms());
    let text = lint.to_string();
    assert!(
        text.starts_with("config.json (no family is named): 1 contradiction\n  contradiction: rope_theta: "),
        "{text}"
    );
}

/// Sections that do not share the rotated pairs are about the axes, whichever file has them.
#[test]
fn sections_that_cannot_be_are_a_difference_of_axes() {
    let read = |sections: Value| {
        let config = json!({"model_type": "qwen2_vl_text", "hidden_size": 1024, "num_attention_heads": 8,
            "rope_scaling": {"type": "mrope", "mrope_section": sections}});
        Model::read(&config.to_string(), &Stated::default())
    };
    let mut lint = Lint::new("config.json", read(json!([16, 24, 24])).unwrap(), 1e-2);
    lint.compare_contradictory("other.json", &read(json!([16, 24, 12])).unwrap_err());
    let [(What::Axes, _)] = found(&lint)[..] else { panic!("{lint}") };
    assert!(lint.to_string().contains("[16, 24, 12], which add up to 52"), "{lint}");
}
