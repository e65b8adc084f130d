//! Configurations of programs that are no part of transformers: they mean what the same models' configurations for transformers mean.

use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::model::{Model, NoteKind, Origin, Problem, Rotation, SoftmaxScale, Stated};
use serde_json::{Value, json};

fn read(config: &Value) -> Model {
    Model::read(&config.to_string(), &Stated::default()).unwrap()
}

fn rotation(model: &Model) -> &Rotation {
    model.kinds[0].rotation.as_ref().unwrap()
}

/// Llama 3.1 with 8 billion parameters, as Meta wrote it.
fn llama() -> Value {
    json!({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "ffn_dim_multiplier": 1.3,
        "multiple_of": 1024, "norm_eps": 1e-5, "rope_theta": 500000.0, "use_scaled_rope": true})
}

/// DeepSeek-V3 as its inference code takes it.
fn deepseek() -> Value {
    json!({"vocab_size": 129280, "dim": 7168, "inter_dim": 18432, "moe_inter_dim": 2048, "n_layers": 61, "n_dense_layers": 3, "n_heads": 128,
        "n_routed_experts": 256, "n_shared_experts": 1, "n_activated_experts": 8, "n_expert_groups": 8, "n_limited_groups": 4,
        "route_scale": 2.5, "score_func": "sigmoid", "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "dtype": "fp8"})
}

#[test]
fn they_mean_what_the_same_models_mean_in_transformers() {
    let rule = json!({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192});
    let hub = json!({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "rope_theta": 500000.0,
        "max_position_embeddings": 131072, "rope_scaling": rule});
    let mistral = json!({"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8, "norm_eps": 1e-5,
        "vocab_size": 32768, "rope_theta": 1000000.0});
    let other = json!({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "head_dim": 128,
        "rope_theta": 1000000.0});
    for (own, hub) in [(llama(), hub), (mistral, other)] {
        let (own, hub) = (read(&own), read(&hub));
        let expected = Convention { layout: Layout::Interleaved, ..rotation(&hub).convention.clone() };
        assert_eq!(rotation(&own).convention, expected);
        assert_eq!(own.kinds[0].layers, hub.kinds[0].layers);
        let told = own.notes.iter().find(|note| note.kind == NoteKind::Depends).unwrap();
        assert!(told.message.contains("github.com/") && own.measured_on.is_none(), "{}", told.message);
    }
}

#[test]
fn deepseek_scales_logits_and_not_cosines() {
    let model = read(&deepseek());
    let convention = &rotation(&model).convention;
    assert_eq!((convention.dim, convention.layout, model.kinds[0].layers.len()), (64, Layout::Interleaved, 61));
    assert_eq!(convention.scaling.as_ref().unwrap().name(), "yarn");
    assert_eq!(convention.gain().enclose(64).lower().to_f64(posproof_numerics::Round::Nearest), 1.0);
    let scaled = (1.0 + 0.1 * 40f64.ln()).powi(2);
    assert!((model.kinds[0].softmax.factor(0) - scaled).abs() < 1e-12);
    // A length that the model was trained on has no rule.
    let mut short = deepseek();
    short["max_seq_len"] = 4096.into();
    let model = read(&short);
    assert!(rotation(&model).convention.scaling.is_none() && model.kinds[0].softmax == SoftmaxScale::Usual);
}

/// Each value comes from the keys that the file has, or from the code.
#[test]
fn origins_are_keys_of_the_file() {
    let mut file = deepseek();
    file["rope_factor"] = 40.into();
    for config in [llama(), file.clone()] {
        for value in &rotation(&read(&config)).values {
            if let Origin::File { keys } = &value.origin {
                assert!(keys.iter().all(|key| config.get(key).is_some()), "{value:?}");
            }
        }
    }
    let value = |field: &str| {
        rotation(&read(&file)).values.iter().find(|value| value.field == field).unwrap().origin.to_string()
    };
    assert_eq!(value("scaling.factor"), "file: rope_factor");
    assert_eq!(value("scaling.beta_fast"), "family's default for beta_fast");
}

#[test]
fn what_their_code_does_not_say_is_refused() {
    let refused = |changes: &[(&str, Option<Value>)], file: &Value| {
        let mut file = file.clone();
        for (key, value) in changes {
            match value {
                Some(value) => file[*key] = value.clone(),
                None => _ = file.as_object_mut().unwrap().remove(*key),
            }
        }
        let error = Model::read(&file.to_string(), &Stated::default()).unwrap_err();
        (error.problem, error.key)
    };
    // Llama 2's code has another base than Llama 3's where a file says none.
    assert_eq!(refused(&[("rope_theta", None)], &llama()), (Problem::Missing, "rope_theta".into()));
    assert_eq!(
        refused(&[("rope_scaling_factor", Some(16.into()))], &llama()),
        (Problem::Unexplained, "rope_scaling_factor".into())
    );
    assert_eq!(
        refused(&[("use_scaled_rope", Some(1.into()))], &llama()),
        (Problem::WrongValue, "use_scaled_rope".into())
    );
    assert_eq!(refused(&[("n_heads", Some(33.into()))], &llama()), (Problem::WrongValue, "dim".into()));
    assert_eq!(
        refused(&[("rope_factor", Some("40".into()))], &deepseek()),
        (Problem::WrongValue, "rope_factor".into())
    );
}
