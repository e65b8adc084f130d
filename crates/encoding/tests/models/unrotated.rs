//! Families that rotate nothing are said to be that, and nothing else is.

use posproof_encoding::atlas::Atlas;
use posproof_encoding::model::{InvalidConfig, Model, NoteKind, Problem, Stated};

fn read(config: &str) -> Result<Model, InvalidConfig> {
    Model::read(config, &Stated::default())
}

/// Means by which a model that rotates nothing tells positions apart.
fn told(model: &Model) -> Option<&str> {
    model.notes.iter().find(|note| note.kind == NoteKind::Unrotated).map(|note| note.message.as_str())
}

#[test]
fn what_stands_in_the_place_of_a_rotation_is_said() {
    for (config, expected) in [
        (r#"{"model_type": "bert", "position_embedding_type": "absolute"}"#, "no rotation: learned positions"),
        (
            r#"{"model_type": "gpt2", "n_layer": 12, "scale_attn_by_inverse_layer_idx": false}"#,
            "no rotation: learned positions",
        ),
        (r#"{"model_type": "whisper"}"#, "no rotation: learned positions, and a sinusoid"),
        (r#"{"model_type": "m2m_100", "max_position_embeddings": 1024}"#, "no rotation: a sinusoid"),
        (r#"{"model_type": "t5"}"#, "no rotation: relative positions in the logits"),
        (
            r#"{"model_type": "mpt", "attn_config": {"alibi": true}}"#,
            "no rotation: a bias that falls with the distance (ALiBi)",
        ),
        (
            r#"{"model_type": "clip", "text_config": {"hidden_size": 512}, "vision_config": {}}"#,
            "no rotation: learned positions",
        ),
        (r#"{"model_type": "mamba"}"#, "no rotation, and no table of positions, in the family's code"),
    ] {
        let model = read(config).unwrap();
        assert_eq!(told(&model), Some(expected), "{config}");
        assert!(model.kinds.iter().all(|kind| kind.rotation.is_none()), "{config}");
    }
}

#[test]
fn a_key_about_rotation_is_no_key_of_such_a_family() {
    for (config, key) in [
        (r#"{"model_type": "bert", "rope_theta": 10000.0}"#, "rope_theta"),
        (r#"{"model_type": "bert", "position_embedding_type": "rotary"}"#, "position_embedding_type"),
        (r#"{"model_type": "gpt2", "alibi": true}"#, "alibi"),
        (r#"{"model_type": "mpt", "attn_config": {"rope": true}}"#, "attn_config.rope"),
        (r#"{"model_type": "clip", "text_config": {"rope_theta": 10000.0}}"#, "text_config.rope_theta"),
    ] {
        let error = read(config).unwrap_err();
        assert_eq!((error.problem, error.key.as_str()), (Problem::Unexplained, key), "{config}");
    }
}

/// A composite rotates where a part of it does, and is not said to be still where nothing is known of a part.
#[test]
fn a_part_that_rotates_is_read() {
    let text = r#"{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}"#;
    for config in [
        format!(r#"{{"model_type": "llava", "text_config": {text}}}"#),
        r#"{"model_type": "llava", "text_config": {"hidden_size": 64, "num_attention_heads": 4}}"#.to_owned(),
        format!(r#"{{"model_type": "encoder-decoder", "encoder": {{"model_type": "bert"}}, "decoder": {text}}}"#),
    ] {
        let model = read(&config).unwrap();
        assert!(told(&model).is_none() && model.kinds[0].rotation.is_some(), "{config}");
        assert_eq!(model.model_type.as_deref(), Some("llama"));
    }
    for config in [
        r#"{"model_type": "llava"}"#,
        r#"{"model_type": "gemma4_assistant"}"#,
        r#"{"model_type": "clip", "text_config": {"model_type": "unheard_of"}}"#,
    ] {
        assert_eq!(read(config).unwrap_err().problem, Problem::UnknownFamily, "{config}");
    }
}

/// No family that was measured to rotate is among them.
#[test]
fn families_rotate_or_do_not() {
    let atlas = Atlas::get();
    assert!(atlas.unrotated.len() > 300);
    for name in atlas.unrotated.keys() {
        assert!(!atlas.families.contains_key(name) && !atlas.refused.contains_key(name), "{name}");
    }
}
