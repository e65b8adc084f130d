//! Layers, origins and what the user states.

use posproof_encoding::convention::Layout;
use posproof_encoding::model::{Model, NoteKind, Origin, Problem, SoftmaxScale, Stated};
use posproof_encoding::scaling::Scaling;

fn read(text: &str) -> Model {
    Model::read(text, &Stated::default()).unwrap()
}

const GEMMA: &str = r#"{"model_type": "gemma3_text", "num_hidden_layers": 13, "rope_theta": 2000000.0, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}"#;

#[test]
fn layers_that_differ_are_told_apart() {
    let gemma = read(GEMMA);
    let full = gemma.kind(Some(5), None).unwrap();
    assert_eq!((full.name.as_str(), full.layers.as_slice()), ("full_attention", [5, 11].as_slice()));
    let convention = &full.rotation.as_ref().unwrap().convention;
    assert_eq!((convention.base.to_string().as_str(), convention.scaling.is_some()), ("2000000", true));
    let sliding = gemma.kind(None, Some("sliding_attention")).unwrap().rotation.as_ref().unwrap();
    assert_eq!((sliding.convention.base.to_string().as_str(), &sliding.convention.scaling), ("10000", &None));
    let base = sliding.values.iter().find(|value| value.field == "base").unwrap();
    assert_eq!(base.origin, Origin::Family { key: Some("rope_local_base_freq".into()) });
    let problem = |layer, name| gemma.kind(layer, name).unwrap_err().problem;
    assert_eq!(problem(None, None), Problem::Choice);
    assert_eq!(problem(Some(13), None), Problem::Choice);
    assert_eq!(problem(None, Some("chunked")), Problem::Choice);
    assert_eq!(problem(Some(5), Some("sliding_attention")), Problem::Choice);
}

#[test]
fn a_layer_type_that_cannot_apply_is_refused() {
    let llama = read(r#"{"model_type": "llama"}"#);
    assert_eq!(llama.kind(None, Some("sliding_attention")).unwrap_err().problem, Problem::Choice);
    assert!(llama.notes.iter().any(|note| note.kind == NoteKind::Defaulted && note.key == "rope_theta"));
}

#[test]
fn yarn_on_the_logits_is_read() {
    let deepseek = r#"{"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}}"#;
    let model = read(deepseek);
    let kind = model.kind(None, None).unwrap();
    assert_eq!(kind.softmax, SoftmaxScale::Yarn { mscale_all_dim: 1.into(), factor: 40.into() });
    // (1 + ln(40)/10)², to four decimals in the documentation of DeepSeek's configuration.
    assert_eq!(format!("{:.4}", kind.softmax.factor(0)), "1.8739");
    assert_eq!(kind.rotation.as_ref().unwrap().convention.layout, Layout::InterleavedToHalves);
    let plain = read(&deepseek.replace("\"qk_rope", "\"rope_interleave\": false, \"qk_rope"));
    assert_eq!(plain.kind(None, None).unwrap().rotation.as_ref().unwrap().convention.layout, Layout::Halves);
}

#[test]
fn what_is_stated_completes_the_file_and_never_overrules_it() {
    let stated = |base: i64| Stated { base: Some(base.into()), ..Stated::default() };
    let says = r#"{"model_type": "llama", "rope_theta": 500000.0}"#;
    assert_eq!(Model::read(says, &stated(10000)).unwrap_err().problem, Problem::Contradiction);
    assert!(Model::read(says, &stated(500000)).is_ok());
    let silent = Model::read(r#"{"model_type": "llama"}"#, &stated(500000)).unwrap();
    let base = silent.kinds[0].rotation.as_ref().unwrap().values[0].clone();
    assert_eq!((base.value.as_str(), base.origin), ("500000", Origin::Stated { field: "base".into() }));
}

#[test]
fn what_is_stated_of_a_layer_is_stated_of_no_other() {
    let base = |base: i64, layer, name: Option<&str>| Stated {
        base: Some(base.into()),
        layer,
        layer_type: name.map(str::to_owned),
        ..Stated::default()
    };
    let bases = |stated: &Stated| -> Result<Vec<String>, Problem> {
        let of =
            |kind: &posproof_encoding::model::LayerKind| kind.rotation.as_ref().unwrap().convention.base.to_string();
        let model = Model::read(GEMMA, stated).map_err(|error| error.problem)?;
        Ok(["sliding_attention", "full_attention"].map(|name| of(model.kind(None, Some(name)).unwrap())).into())
    };
    let own = Ok(vec!["10000".to_owned(), "2000000".to_owned()]);
    // Layers 5 and 11 have full attention. The base of the others is the family's, so that another may be stated.
    assert_eq!(bases(&base(2000000, Some(5), None)), own);
    assert_eq!(bases(&base(2000000, None, Some("full_attention"))), own);
    assert_eq!(bases(&base(500, Some(5), None)), Err(Problem::Contradiction));
    assert_eq!(bases(&base(500, Some(4), None)), Ok(vec!["500".to_owned(), "2000000".to_owned()]));
    assert_eq!(bases(&base(500, None, None)), Err(Problem::Contradiction));
}

#[test]
fn factors_that_depend_on_the_position_are_read() {
    let softmax = |text: &str, name: &str| read(text).kind(None, Some(name)).unwrap().softmax.clone();
    let llama = r#"{"model_type": "llama4_text", "num_hidden_layers": 8, "floor_scale": 4096, "attn_scale": 0.25}"#;
    let found = softmax(llama, "no_rope");
    assert_eq!(found.to_string(), "1 + 0.25·ln(1 + ⌊(p + 1)/4096⌋)");
    assert_eq!((found.factor(4094), found.factor(4095)), (1.0, 1.0 + 0.25 * 2f64.ln()));
    assert_eq!(softmax(llama, "rope"), SoftmaxScale::Usual);
    let off = llama.replace(r#""floor_scale""#, r#""attn_temperature_tuning": false, "floor_scale""#);
    assert_eq!(softmax(&off, "no_rope"), SoftmaxScale::Usual);
    // Released files have a number, of which the code takes the truth.
    for (number, expected) in [("4", found.clone()), ("1.0", found.clone()), ("0", SoftmaxScale::Usual)] {
        let released =
            llama.replace(r#""floor_scale""#, &format!(r#""attn_temperature_tuning": {number}, "floor_scale""#));
        assert_eq!(softmax(&released, "no_rope"), expected, "{number}");
    }
    let ministral = r#"{"model_type": "ministral3", "rope_parameters": {"rope_type": "yarn", "rope_theta": 1000000.0,
        "factor": 16.0, "original_max_position_embeddings": 16384, "llama_4_scaling_beta": 0.1}}"#;
    assert_eq!(softmax(ministral, "all").to_string(), "1 + 0.1·ln(1 + ⌊p/16384⌋)");
    // Mistral 4 has YaRN's factor too.
    let mistral = r#"{"model_type": "mistral4", "rope_parameters": {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 128.0,
        "original_max_position_embeddings": 8192, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}}"#;
    let both = softmax(mistral, "all");
    assert_eq!(both.to_string(), "(1 + 1·ln(128)/10)²·(1 + 0.1·ln(1 + ⌊p/8192⌋))");
    assert_eq!(both.factor(8192), (1.0 + 128f64.ln() / 10.0).powi(2) * (1.0 + 0.1 * 2f64.ln()));
}

/// Files of a time of transition say their rule twice; that is no contradiction where both say the same.
#[test]
fn two_spellings_of_one_rule_are_one_rule() {
    let file = |beside: &str, new: &str, old: &str| {
        let text = format!(
            r#"{{"model_type": "qwen2", "hidden_size": 512, "num_attention_heads": 8, {beside}
                "rope_parameters": {{{new}}}, "rope_scaling": {{{old}}}}}"#
        );
        Model::read(&text, &Stated::default()).map_err(|error| error.problem)
    };
    let new = r#""rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "rope_theta": 1e6"#;
    let old = r#""type": "yarn", "factor": 4, "original_max_position_embeddings": 32768"#;
    let base = r#""rope_theta": 1000000,"#;
    let read = file(base, new, old).unwrap();
    assert_eq!(read.kinds[0].rotation.as_ref().unwrap().convention.base, 1000000.into());
    // Without the base beside them, it depends on which of them a program takes.
    for (beside, new, old) in [
        ("", new, old.to_owned()),
        (base, new, old.replace('4', "8")),
        (base, new, old.replace("yarn", "dynamic")),
        (base, new, format!(r#"{old}, "rope_theta": 5e5"#)),
        (base, new, format!(r#"{old}, "beta_fast": 16"#)),
    ] {
        assert_eq!(file(beside, new, &old).unwrap_err(), Problem::Contradiction, "{beside}{new}{old}");
    }
}

/// Parameters that are those of some layers alone change the others in nothing.
#[test]
fn parameters_of_other_layers_have_no_effect() {
    let parameters = r#"{"rope_type": "linear", "factor": 8.0, "rope_theta": 3e6}"#;
    let model =
        read(&format!(r#"{{"model_type": "gemma3_text", "num_hidden_layers": 6, "rope_scaling": {parameters}}}"#));
    let convention = |name: &str| &model.kind(None, Some(name)).unwrap().rotation.as_ref().unwrap().convention;
    let (full, sliding) = (convention("full_attention"), convention("sliding_attention"));
    assert_eq!((full.base.to_string().as_str(), full.scaling.is_some()), ("3000000", true));
    assert_eq!((sliding.base.to_string().as_str(), sliding.scaling.is_some()), ("10000", false));
    let ignored = |note: &&posproof_encoding::model::Note| note.kind == NoteKind::Ignored;
    let keys: Vec<&str> = model.notes.iter().filter(ignored).map(|note| note.key.as_str()).collect();
    assert!(keys.contains(&"rope_scaling.rope_theta"), "{keys:?}");
}

/// Hunyuan's α under the name of dynamic scaling multiplies the base by α^(d/(d − 2)) at every length.
#[test]
fn a_fixed_alpha_is_the_ntk_aware_rule() {
    let parameters = r#"{"type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}"#;
    for family in ["hunyuan_v1_dense", "hunyuan_v1_moe"] {
        let model = read(&format!(
            r#"{{"model_type": "{family}", "head_dim": 128, "rope_theta": 10000.0, "rope_scaling": {parameters}}}"#
        ));
        let rotation = model.kinds[0].rotation.as_ref().unwrap();
        let scaling = rotation.convention.scaling.as_ref().unwrap();
        assert_eq!(*scaling, Scaling::Ntk { factor: 1000.into() });
        let factor = rotation.values.iter().find(|value| value.field == "scaling.factor").unwrap();
        assert_eq!(factor.origin, Origin::File { keys: vec!["rope_scaling.alpha".into()] });
        let base = 10000.0 * 1000f64.powf(128.0 / 126.0);
        for length in [1, 1 << 20] {
            let convention = rotation.convention.clone().for_length(length);
            let omega = convention.frequencies(64).unwrap();
            let expected = |pair: usize| base.powf(-2.0 * pair as f64 / 128.0);
            assert!(
                omega.iter().enumerate().all(|(k, w)| (w.approximate() / expected(k) - 1.0).abs() < 1e-12),
                "{length}"
            );
        }
    }
}

#[test]
fn code_of_its_own_is_said() {
    let model = read(r#"{"model_type": "llama", "auto_map": {"AutoConfig": "configuration_llama.Own"}}"#);
    assert!(model.notes.iter().any(|note| note.kind == NoteKind::Depends && note.key == "auto_map"), "{model:?}");
}

#[test]
fn switched_off_rotations_are_none() {
    let falcon = read(r#"{"model_type": "falcon", "alibi": true}"#);
    assert!(falcon.kinds.iter().all(|kind| kind.rotation.is_none()));
    assert!(read(r#"{"model_type": "falcon", "alibi": false}"#).kinds[0].rotation.is_some());
}
