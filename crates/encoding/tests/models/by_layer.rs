//! Values of single layers in a configuration: a base of each, the layers that a rule scales, widths of heads.

use posproof_encoding::model::{Model, NoteKind, Problem, Stated};
use serde_json::{Value, json};

fn read(model_type: &str, rest: Value) -> Result<Model, (Problem, String)> {
    let mut config = json!({"model_type": model_type});
    for (key, value) in rest.as_object().unwrap() {
        config[key] = value.clone();
    }
    Model::read(&config.to_string(), &Stated::default()).map_err(|error| (error.problem, error.key))
}

/// The base, the width of a head, and whether a rule scales; none where there is no rotation.
type Turned = Option<(String, usize, bool)>;

/// The layers of each kind with their rotation.
fn told(model: &Model) -> Vec<(Vec<usize>, Turned)> {
    let rotation = |kind: &posproof_encoding::model::LayerKind| {
        let convention = &kind.rotation.as_ref()?.convention;
        Some((convention.base.to_string(), convention.dim, convention.scaling.is_some()))
    };
    model.kinds.iter().map(|kind| (kind.layers.clone(), rotation(kind))).collect()
}

fn turns(base: &str, dim: usize, scaled: bool) -> Turned {
    Some((base.to_owned(), dim, scaled))
}

#[test]
fn a_list_has_the_base_of_each_layer() {
    let file = |list: Value| json!({"num_hidden_layers": 4, "rope_theta": 10000.0, "layer_rope_theta": list});
    let model = read("granite_swa", file(json!([10000.0, 0, 500000, 10000]))).unwrap();
    let expected =
        vec![(vec![0, 3], turns("10000", 128, false)), (vec![1], None), (vec![2], turns("500000", 128, false))];
    assert_eq!(told(&model), expected);
    assert_eq!(
        told(&read("granite_swa", file(json!([7.0, 7, 7, 7]))).unwrap()),
        [(vec![0, 1, 2, 3], turns("7", 128, false))]
    );
    // Without a list all have the base of the parameters.
    let model = read("granite_swa", json!({"num_hidden_layers": 2, "rope_theta": 5.0})).unwrap();
    assert_eq!(told(&model), [(vec![0, 1], turns("5", 128, false))]);
    for (list, problem) in [
        (json!([10000.0]), Problem::Contradiction),
        (json!([1, 2, 3, "4"]), Problem::WrongValue),
        (json!("10000"), Problem::WrongValue),
    ] {
        assert_eq!(read("granite_swa", file(list)).unwrap_err(), (problem, "layer_rope_theta".into()));
    }
}

/// In Muse the items say which layers rotate; the base is that of the parameters.
#[test]
fn a_list_may_say_only_which_layers_rotate() {
    let file = json!({"num_hidden_layers": 4, "rope_theta": 500000.0, "layer_rope_theta": [9.0, 0, 9.0, 9.0]});
    let model = read("muse_glimmer_text", file).unwrap();
    assert_eq!(told(&model), [(vec![0, 2, 3], turns("500000", 128, false)), (vec![1], None)]);
    // Every fourth layer, counted backwards, does not where the file has no list.
    let model = read("muse_glimmer_text", json!({"num_hidden_layers": 6, "rope_theta": 500000.0})).unwrap();
    assert_eq!(told(&model), [(vec![0, 2, 3, 4], turns("500000", 128, false)), (vec![1, 5], None)]);
}

#[test]
fn a_list_has_the_layers_that_a_rule_scales() {
    let rule = json!({"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0});
    let file = |list: Value| json!({"num_hidden_layers": 3, "rope_parameters": rule, "rope_scaling_layers": list});
    let (scaled, plain) = (turns("10000", 128, true), turns("10000", 128, false));
    let told_of = |list: Value| told(&read("molmo2_text", file(list)).unwrap());
    assert_eq!(told_of(json!([0, 2])), [(vec![0, 2], scaled.clone()), (vec![1], plain.clone())]);
    assert_eq!(told_of(json!([1, 2])), [(vec![0], plain.clone()), (vec![1, 2], scaled.clone())]);
    assert_eq!(told_of(json!([2, 1, 0])), [(vec![0, 1, 2], scaled)]);
    assert_eq!(told_of(json!([])), [(vec![0, 1, 2], plain)]);
    for list in [json!([3]), json!([-1]), json!(["0"]), json!({})] {
        assert_eq!(read("molmo2_text", file(list)).unwrap_err(), (Problem::WrongValue, "rope_scaling_layers".into()));
    }
}

#[test]
fn layers_have_heads_of_their_own() {
    let types = json!(["sliding_attention", "full_attention"]);
    let file =
        |own: Value| json!({"num_hidden_layers": 2, "layer_types": types, "head_dim": 256, "per_layer_config": own});
    let dims = |own: Value| -> Vec<usize> {
        let model = read("gemma4_text", file(own)).unwrap();
        model.kinds.iter().map(|kind| kind.rotation.as_ref().unwrap().convention.dim).collect()
    };
    assert_eq!(dims(json!({"1": {"head_dim": 128}})), [256, 128]);
    assert_eq!(dims(json!({"01": {"head_dim": 128, "num_key_value_heads": 2}})), [256, 128]);
    assert_eq!(dims(json!({"0": {"sliding_window": 8}})), [256, 256]);
    let (two, key) = (json!(["full_attention", "full_attention"]), "per_layer_config.1.head_dim");
    let differing = json!({"num_hidden_layers": 2, "layer_types": two, "per_layer_config": {"0": {"head_dim": 64}, "1": {"head_dim": 32}}});
    assert_eq!(read("gemma4_text", differing).unwrap_err(), (Problem::NotExpressible, key.into()));
    for (own, problem, key) in [
        (json!({"0": {"rope_parameters": {}}}), Problem::Unexplained, "per_layer_config.0.rope_parameters"),
        (json!({"0": {"global_head_dim": 8}}), Problem::Unexplained, "per_layer_config.0.global_head_dim"),
        (json!({"0": 3}), Problem::WrongValue, "per_layer_config.0"),
        (json!({"first": {}}), Problem::WrongValue, "per_layer_config.first"),
        (json!([]), Problem::WrongValue, "per_layer_config"),
        (json!({"1": {"head_dim": -1}}), Problem::WrongValue, "per_layer_config.1.head_dim"),
    ] {
        assert_eq!(read("gemma4_text", file(own)).unwrap_err(), (problem, key.to_owned()));
    }
    // A family whose row does not say what a width of one layer does.
    let llama = json!({"num_hidden_layers": 2, "per_layer_config": {"0": {"head_dim": 64}}});
    assert_eq!(read("llama", llama).unwrap_err(), (Problem::Unexplained, "per_layer_config.0.head_dim".into()));
    assert!(
        read("llama", json!({"num_hidden_layers": 2, "per_layer_config": {"0": {"intermediate_size": 64}}})).is_ok()
    );
}

#[test]
fn a_factor_of_null_is_the_quotient_of_the_lengths() {
    let rule = |factor: Value| json!({"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": 2048, "rope_theta": 1e4});
    let file = |factor: Value| json!({"max_position_embeddings": 16384, "rope_parameters": rule(factor)});
    let [null, eight] = [json!(null), json!(8.0)].map(|factor| read("llama", file(factor)).unwrap());
    assert_eq!(
        null.kinds[0].rotation.as_ref().unwrap().convention,
        eight.kinds[0].rotation.as_ref().unwrap().convention
    );
}

/// A key of another family is read, where it says what was read.
#[test]
fn what_is_said_twice_is_the_same() {
    let file = |width: u64| json!({"hidden_size": 2048, "num_attention_heads": 32, "partial_rotary_factor": 0.5, "rotary_dim": width});
    assert_eq!(told(&read("phi", file(32)).unwrap())[0].1, turns("10000", 64, false));
    assert_eq!(read("phi", file(64)).unwrap_err(), (Problem::Unexplained, "rotary_dim".into()));
    let twice = |base: f64| json!({"rope_theta": 7e5, "rotary_emb_base": base});
    assert!(read("llama", twice(7e5)).is_ok());
    assert_eq!(read("llama", twice(1e4)).unwrap_err(), (Problem::Unexplained, "rotary_emb_base".into()));
}

/// A fraction beside the parameters is one among them where the module takes it so.
#[test]
fn a_fraction_beside_the_parameters_counts_as_the_module_counts_it() {
    let rotated = |rest: Value| {
        let model = read("llama", rest).unwrap();
        let ignored =
            model.notes.iter().any(|note| note.kind == NoteKind::Ignored && note.key == "partial_rotary_factor");
        (model.kinds[0].rotation.as_ref().unwrap().convention.frequency_dim(), ignored)
    };
    let linear = json!({"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4});
    assert_eq!(rotated(json!({"partial_rotary_factor": 0.5})), (128, true));
    assert_eq!(rotated(json!({"partial_rotary_factor": 0.5, "rope_parameters": linear})), (64, false));
    let both = json!({"partial_rotary_factor": 0.5, "rope_parameters": {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 0.25}});
    assert_eq!(read("llama", both).unwrap_err().0, Problem::Contradiction);
}
