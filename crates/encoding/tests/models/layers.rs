//! Which layers are of which kind, by the keys of the families that say so.

use posproof_encoding::atlas::Atlas;
use posproof_encoding::convention::Convention;
use posproof_encoding::model::{LayerKind, Model, NoteKind, Problem, Stated};
use serde_json::{Value, json};

fn read(model_type: &str, rest: Value) -> Result<Model, (Problem, String, String)> {
    let mut config = json!({"model_type": model_type});
    for (key, value) in rest.as_object().unwrap() {
        config[key] = value.clone();
    }
    Model::read(&config.to_string(), &Stated::default()).map_err(|error| (error.problem, error.key, error.found))
}

/// The layers of each kind, and whether they rotate.
fn layers(model_type: &str, rest: Value) -> Vec<(String, Vec<usize>, bool)> {
    let told = |kind: LayerKind| (kind.name, kind.layers, kind.rotation.is_some());
    read(model_type, rest).unwrap().kinds.into_iter().map(told).collect()
}

/// Kinds as they are expected.
fn kinds(expected: &[(&str, &[usize], bool)]) -> Vec<(String, Vec<usize>, bool)> {
    expected.iter().map(|&(name, layers, rotates)| (name.to_owned(), layers.to_vec(), rotates)).collect()
}

#[test]
fn layers_that_attend_to_images_do_not_rotate() {
    let every = [0, 1, 2, 4, 5, 7];
    let expected = kinds(&[("rope", &every, true), ("no_rope", &[3, 6], false)]);
    let config = json!({"num_hidden_layers": 8, "cross_attention_layers": [3, 6]});
    assert_eq!(layers("mllama_text_model", config.clone()), expected);
    assert_eq!(layers("mllama", json!({"text_config": config})), expected);
    // Where the file has no list, those of Llama 3.2 with 11 billion parameters.
    let all = layers("mllama_text_model", json!({}));
    assert_eq!(all[1], ("no_rope".to_owned(), vec![3, 8, 13, 18, 23, 28, 33, 38], false));
    assert_eq!(layers("mllama_text_model", json!({"cross_attention_layers": []}))[0].1.len(), 40);
    for wrong in [json!([40]), json!([-1]), json!(["3"]), json!(3)] {
        let (problem, key, _) = read("mllama_text_model", json!({"cross_attention_layers": wrong})).unwrap_err();
        assert_eq!((problem, key.as_str()), (Problem::WrongValue, "cross_attention_layers"));
    }
}

#[test]
fn layers_are_told_by_their_numbers() {
    let bamba = layers("bamba", json!({"num_hidden_layers": 6, "attn_layer_indices": [1, 4]}));
    assert_eq!(bamba, kinds(&[("linear_attention", &[0, 2, 3, 5], false), ("full_attention", &[1, 4], true)]));
    let expected = kinds(&[("conv", &[0, 1, 3], false), ("full_attention", &[2, 4], true)]);
    let (count, numbers) = (json!(5), json!([2, 4]));
    let types = json!(["conv", "conv", "full_attention", "conv", "full_attention"]);
    for config in [
        json!({"num_hidden_layers": count, "full_attn_idxs": numbers}),
        json!({"num_hidden_layers": count, "layer_types": types}),
        json!({"num_hidden_layers": count, "full_attn_idxs": numbers, "layer_types": types}),
    ] {
        assert_eq!(layers("lfm2", config), expected);
    }
    let other = json!({"num_hidden_layers": count, "full_attn_idxs": [2, 3], "layer_types": types});
    let (problem, key, found) = read("lfm2", other).unwrap_err();
    assert_eq!((problem, key.as_str()), (Problem::Contradiction, "full_attn_idxs"));
    assert_eq!(found, "layer 3 is full_attention");
}

#[test]
fn layers_are_told_by_a_sequence_or_its_period() {
    let (recurrent, attention) = (("linear_attention", false), ("sliding_attention", true));
    let expected = |one: (&str, bool), first: &[usize], other: (&str, bool), second: &[usize]| {
        kinds(&[(one.0, first, one.1), (other.0, second, other.1)])
    };
    let gemma = |blocks: Value| json!({"num_hidden_layers": 5, "block_types": blocks});
    let found = layers("recurrent_gemma", gemma(json!(["recurrent", "attention"])));
    assert_eq!(found, expected(recurrent, &[0, 2, 4], attention, &[1, 3]));
    let found = layers("recurrent_gemma", gemma(json!(["attention", "recurrent", "recurrent"])));
    assert_eq!(found, expected(attention, &[0, 3], recurrent, &[1, 2, 4]));
    for wrong in [json!(["recurrent", "magic"]), json!([]), json!("recurrent")] {
        assert_eq!(read("recurrent_gemma", gemma(wrong)).unwrap_err().1, "block_types");
    }
    // A list of types is not read there.
    let listed = json!({"num_hidden_layers": 2, "layer_types": ["sliding_attention", "linear_attention"]});
    assert_eq!(read("recurrent_gemma", listed).unwrap_err().1, "layer_types");
    let found = layers("bailing_hybrid", json!({"num_hidden_layers": 5, "layer_group_size": 2}));
    assert_eq!(found, expected(recurrent, &[0, 2, 4], ("full_attention", true), &[1, 3]));
    let found = layers("modernbert", json!({"num_hidden_layers": 5, "global_attn_every_n_layers": 2}));
    assert_eq!(found, expected(("full_attention", true), &[0, 2, 4], attention, &[1, 3]));
}

#[test]
fn layers_with_windows_rotate_as_the_others() {
    let types = json!(["full_attention", "sliding_attention", "full_attention", "sliding_attention"]);
    let base = json!({"num_hidden_layers": 4, "use_sliding_window": true, "sliding_window": 1024});
    for family in ["qwen2", "qwen3", "qwen2_5_vl_text"] {
        let mut config = base.clone();
        config["layer_types"] = types.clone();
        let found = layers(family, config);
        assert_eq!(
            found,
            kinds(&[("full_attention", &[0, 2], true), ("sliding_attention", &[1, 3], true)]),
            "{family}"
        );
        let mut config = base.clone();
        config["max_window_layers"] = 3.into();
        let found = layers(family, config.clone());
        assert_eq!(
            found,
            kinds(&[("full_attention", &[0, 1, 2], true), ("sliding_attention", &[3], true)]),
            "{family}"
        );
        for (key, off) in [("use_sliding_window", json!(false)), ("sliding_window", json!(null))] {
            let mut config = config.clone();
            config[key] = off;
            assert_eq!(layers(family, config), kinds(&[("full_attention", &[0, 1, 2, 3], true)]), "{family}, {key}");
        }
    }
    for (key, wrong) in [("use_sliding_window", json!(1)), ("max_window_layers", json!("3"))] {
        let mut config = base.clone();
        config[key] = wrong;
        assert_eq!(read("qwen3", config).unwrap_err().1, key);
    }
    let model = read("qwen3", json!({"num_hidden_layers": 4, "layer_types": types})).unwrap();
    assert!(model.kinds[0].same_as(&model.kinds[1]) && model.kind(None, None).is_ok());
}

/// A key that changes the layers in a way that was not found out is refused, unless the file lists the types of all layers.
#[test]
fn what_changes_the_layers_otherwise_needs_a_list() {
    let types = json!(["sliding_attention", "full_attention"]);
    for (family, key, default, other) in [
        ("qwen2_moe", "use_sliding_window", json!(false), json!(true)),
        ("cohere2_moe", "first_k_dense_replace", json!(null), json!(1)),
    ] {
        assert!(read(family, json!({"num_hidden_layers": 2, key: default})).is_ok(), "{family}");
        let (problem, found, _) = read(family, json!({"num_hidden_layers": 2, key: other})).unwrap_err();
        assert_eq!((problem, found.as_str()), (Problem::Unexplained, key));
        let listed = layers(family, json!({"num_hidden_layers": 2, key: other, "layer_types": types}));
        assert_eq!(listed.len(), 2, "{listed:?}");
    }
}

/// Keys that no row explains are refused, and what was changed without effect is said.
#[test]
fn no_key_about_layers_is_passed_over() {
    for (key, value) in [
        ("attn_layer_indices", json!([1, 2])),
        ("full_attn_idxs", json!([1, 2])),
        ("cross_attention_layers", json!([1])),
        ("block_types", json!(["recurrent", "attention"])),
        ("attn_layer_period", json!(2)),
        ("layer_group_size", json!(2)),
        ("hybrid_override_pattern", json!("M*M*")),
        ("attn_type_list", json!([0, 1])),
    ] {
        let (problem, found, _) = read("llama", json!({key: value})).unwrap_err();
        assert_eq!((problem, found.as_str()), (Problem::Unexplained, key));
        // Nothing is said by null, by an empty list, or by a list of layers that are all alike.
        for nothing in [json!(null), json!([]), json!(["full_attention", "full_attention"])] {
            assert!(read("llama", json!({key: nothing})).is_ok(), "{key}");
        }
    }
    let types = json!(["sliding_attention", "full_attention"]);
    let llama = read("llama", json!({"num_hidden_layers": 2, "layer_types": types})).unwrap();
    let note = llama.notes.iter().find(|note| note.key == "layer_types").unwrap();
    assert_eq!((note.kind, llama.kinds.len()), (NoteKind::Ignored, 1));
    let experts = read("minimax_m2", json!({"num_hidden_layers": 2, "attn_type_list": [1, 1]})).unwrap();
    assert!(experts.notes.iter().any(|note| note.kind == NoteKind::Ignored && note.key == "attn_type_list"));
    // Of a family without a row nothing is known.
    let unknown = json!({"model_type": "internlm2", "head_dim": 64, "rope_theta": 1e4, "layer_types": types});
    let stated = Stated { layout: Some(posproof_encoding::convention::Layout::Halves), ..Stated::default() };
    assert_eq!(Model::read(&unknown.to_string(), &stated).unwrap_err().key, "layer_types");
    // Keys of experts are none of the layers' kinds.
    let experts = json!({"moe_layer_freq": 1, "mlp_layer_types": ["dense"], "num_dense_layers": 2});
    assert!(read("llama", experts).is_ok());
}

/// The default of every family is the same, said or not: where the defaults of the rows are wrong, this is red.
#[test]
fn every_key_about_layers_of_the_atlas_is_read_or_known_to_have_no_effect() {
    let mut read_keys = 0;
    for (name, family) in &Atlas::get().families {
        let layers = &family.layers;
        let numbers = layers.numbers.iter().map(|numbers| &numbers.key);
        let every = layers.every.iter().map(|every| &every.key);
        read_keys += numbers.chain(every).chain(layers.cycle.iter().map(|cycle| &cycle.key)).count();
        for key in &layers.inert {
            let model = read(name, json!({key: ["full_attention"]}));
            let refused = model.err().filter(|(problem, found, _)| *problem == Problem::Unexplained && found == key);
            assert_eq!(refused, None, "{name}");
        }
    }
    assert!(read_keys >= 20, "{read_keys}");
}

/// Each convention once, under the names of the kinds that it is of; layers that do not rotate have none.
#[test]
fn conventions_of_layers_are_told_once() {
    let same = |name: &str| (name.to_owned(), Convention::rope(64));
    let model = |config: Value| read("gemma3_text", config).unwrap();
    let told = |model: &Model| {
        let convention = |kind: &LayerKind| Ok::<_, ()>(kind.rotation.as_ref().unwrap().convention.clone());
        model.conventions(convention).unwrap()
    };
    let two = told(&model(json!({"head_dim": 64, "num_hidden_layers": 12})));
    let bases: Vec<_> = two.iter().map(|(name, convention)| (name.as_str(), convention.base.to_string())).collect();
    assert_eq!(bases, [("sliding_attention", "10000".to_owned()), ("full_attention", "1000000".to_owned())]);
    let mut model = model(json!({"head_dim": 64, "num_hidden_layers": 12}));
    model.kinds.iter_mut().for_each(|kind| kind.rotation.as_mut().unwrap().convention = same("").1);
    assert_eq!(told(&model), [same("sliding_attention, full_attention")]);
    model.kinds[0].rotation = None;
    assert_eq!(told(&model), [same("full_attention")]);
    assert_eq!(model.conventions(|_| Err("refused")), Err("refused"));
}
