//! Files that are no configuration: an error with the key and the place.

use posproof_encoding::model::{Model, Problem, Stated};

fn error(text: &str) -> (Problem, String) {
    match Model::read(text, &Stated::default()) {
        Err(error) => (error.problem, error.key),
        Ok(model) => panic!("{text} is read: {model:?}"),
    }
}

#[test]
fn what_is_wrong_is_named() {
    let llama =
        |more: &str| format!(r#"{{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32{more}}}"#);
    let cases = [
        ("", Problem::Syntax, "the file"),
        ("[]", Problem::Syntax, "the file"),
        ("{}", Problem::UnknownFamily, "model_type"),
        (r#"{"model_type": "no such family"}"#, Problem::UnknownFamily, "model_type"),
        (r#"{"model_type": 3}"#, Problem::WrongValue, "model_type"),
    ];
    for (text, problem, key) in cases {
        assert_eq!(error(text), (problem, key.to_owned()), "{text}");
    }
    let cases = [
        (r#", "rope_theta": 1e400"#, Problem::Syntax, "rope_theta"),
        (r#", "rope_theta": NaN"#, Problem::WrongValue, "rope_theta"),
        (r#", "rope_theta": "10000""#, Problem::WrongValue, "rope_theta"),
        (r#", "rope_theta": true"#, Problem::WrongValue, "rope_theta"),
        (r#", "rope_theta": 1.0, "rope_theta": 2.0"#, Problem::Syntax, "rope_theta"),
        (r#", "head_dim": -128"#, Problem::WrongValue, "head_dim"),
        (r#", "head_dim": 1e30"#, Problem::WrongValue, "head_dim"),
        (r#", "num_hidden_layers": 1e18"#, Problem::WrongValue, "num_hidden_layers"),
        (r#", "num_hidden_layers": 0"#, Problem::WrongValue, "num_hidden_layers"),
        (r#", "rope_scaling": []"#, Problem::WrongValue, "rope_scaling"),
        (r#", "rope_scaling": {"type": "magic"}"#, Problem::NotExpressible, "rope_scaling.type"),
        (r#", "rope_scaling": {"type": "linear", "factor": "2"}"#, Problem::WrongValue, "rope_scaling.factor"),
        (r#", "rope_scaling": {"type": "linear"}"#, Problem::Missing, "rope_scaling.type"),
        (r#", "rope_scaling": {"type": "linear", "rope_type": "yarn"}"#, Problem::Contradiction, "rope_scaling.type"),
        (
            r#", "rope_scaling": {"type": "linear", "factor": 2, "finetuning": true}"#,
            Problem::Unexplained,
            "rope_scaling.finetuning",
        ),
        (
            r#", "rope_theta": 5e5, "rope_parameters": {"rope_theta": 1e4}"#,
            Problem::Contradiction,
            "rope_parameters.rope_theta",
        ),
        (
            r#", "rope_scaling": {"type": "linear", "factor": 2}, "rope_parameters": {"rope_type": "linear", "factor": 4}"#,
            Problem::Contradiction,
            "rope_scaling",
        ),
        (r#", "rope_ratio": 500"#, Problem::Unexplained, "rope_ratio"),
        (r#", "rotary_dim": 64"#, Problem::Unexplained, "rotary_dim"),
        (r#", "alibi": true"#, Problem::Unexplained, "alibi"),
        (r#", "hidden_size": 4096"#, Problem::Syntax, "hidden_size"),
    ];
    for (more, problem, key) in cases {
        assert_eq!(error(&llama(more)), (problem, key.to_owned()), "{more}");
    }
}

/// A mistake is told by what the file states, under the key that states it.
#[test]
fn what_the_file_states_is_what_is_told() {
    let llama =
        |more: &str| format!(r#"{{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, {more}}}"#);
    let yarn = |more: &str| {
        llama(&format!(
            r#""rope_scaling": {{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096, {more}}}"#
        ))
    };
    let cases = [
        (llama(r#""rope_theta": 0.5"#), "rope_theta", "0.5"),
        (llama(r#""head_dim": 1"#), "head_dim", "1"),
        (llama(r#""rope_scaling": {"rope_type": "linear", "factor": -2.0}"#), "rope_scaling.factor", "-2"),
        (yarn(r#""attention_factor": -1.5"#), "rope_scaling.attention_factor", "-1.5"),
        (yarn(r#""beta_fast": 0.5"#), "rope_scaling.beta_fast", "0.5"),
        (
            llama(
                r#""rope_scaling": {"rope_type": "longrope", "short_factor": [1, 2], "long_factor": [1, 2], "factor": 2.0,
                    "original_max_position_embeddings": 4096}"#,
            ),
            "rope_scaling.short_factor",
            "2 numbers",
        ),
        (
            r#"{"model_type": "gpt_neox", "hidden_size": 512, "num_attention_heads": 8, "rotary_pct": 1.5}"#.to_owned(),
            "rotary_pct",
            "1.5, which makes rotary_dim 96",
        ),
        (
            r#"{"model_type": "mixtral", "hidden_size": 4194304, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": null}"#
                .to_owned(),
            "hidden_size, num_attention_heads",
            "hidden_size 4194304 and num_attention_heads 4, which make dim 1048576",
        ),
    ];
    for (text, key, found) in cases {
        let error = Model::read(&text, &Stated::default()).unwrap_err();
        assert_eq!((error.key.as_str(), error.found.as_str()), (key, found), "{error}");
    }
    let stated = Stated { dim: Some(64), ..Stated::default() };
    let error = Model::read(&llama(r#""rope_theta": 10000.0"#), &stated).unwrap_err();
    assert_eq!(error.found, "hidden_size 4096 and num_attention_heads 32, which make dim 128");
    let error = Model::read(&llama(r#""head_dim": 128, "qk_rope_head_dim": 64"#), &Stated::default());
    assert!(error.is_err_and(|error| !error.to_string().contains("file:")));
}

/// Sections of several axes share the rotated pairs.
#[test]
fn sections_add_up_to_the_rotated_pairs() {
    let read = |sections: &str| {
        let text = format!(
            r#"{{"model_type": "qwen2_vl", "text_config": {{"hidden_size": 1024, "num_attention_heads": 8,
                "rope_scaling": {{"type": "mrope", "mrope_section": {sections}}}}}}}"#
        );
        Model::read(&text, &Stated::default())
    };
    assert_eq!(read("[16, 24, 24]").unwrap().kinds[0].rotation.as_ref().unwrap().sections, [16, 24, 24]);
    for wrong in ["[16, 24, 23]", "[16, 24, 25]", "[64, 64, 64]", "[18446744073709551615, 1, 64]"] {
        let error = read(wrong).unwrap_err();
        assert_eq!(error.problem, Problem::Contradiction, "{wrong}: {error}");
        assert_eq!(error.key, "text_config.rope_scaling.mrope_section");
        assert!(error.expected.contains("64, the rotated pairs"), "{error}");
    }
}

/// A width that no head has is refused before anything is made of it: 2^40 frequencies would fill any memory.
#[test]
fn widths_are_bounded() {
    let read = |dim: u64| Model::read(&format!(r#"{{"model_type": "llama", "head_dim": {dim}}}"#), &Stated::default());
    assert!(read(1 << 16).is_ok());
    for dim in [(1 << 16) + 2, 1 << 22, 1 << 40] {
        let error = read(dim).unwrap_err();
        assert_eq!((error.problem, error.key.as_str()), (Problem::WrongValue, "head_dim"));
        assert!(error.found == dim.to_string() && error.expected.contains("65536"), "{error}");
    }
}

#[test]
fn what_a_terminal_obeys_is_not_printed() {
    let escape = "\\u001b[2J\\u009b1m\\u202e";
    for text in [
        format!(r#"{{"model_type": "{escape}"}}"#),
        format!(r#"{{"model_type": "llama", "rope_{escape}_theta": 1}}"#),
        format!(r#"{{"model_type": "llama", "rope_scaling": {{"type": "{escape}"}}}}"#),
        format!(r#"{{"model_type": "gemma3_text", "layer_types": ["{escape}"], "num_hidden_layers": 1}}"#),
        format!(r#"{{"{escape}": 1, "{escape}": 2}}"#),
    ] {
        let told = Model::read(&text, &Stated::default()).unwrap_err().to_string();
        assert!(!told.contains(|c: char| c.is_control() || c == '\u{202e}'), "{told:?}");
        assert!(told.contains("u{1b}"), "{told}");
    }
}

#[test]
fn depth_and_size_are_bounded() {
    for open in ["[", "{\"a\":"] {
        let text = format!("{{\"model_type\": \"llama\", \"x\": {}", open.repeat(1_000_000));
        assert_eq!(error(&text).0, Problem::Syntax);
    }
    let long = format!("{{\"model_type\": \"{}\"}}", "x".repeat(5_000_000));
    assert_eq!(error(&long).0, Problem::Syntax);
}

#[test]
fn a_part_in_a_part_in_a_part_ends() {
    let mut text = "1".to_owned();
    for _ in 0..50 {
        text = format!("{{\"text_config\": {text}}}");
    }
    assert_eq!(error(&text).0, Problem::UnknownFamily);
}

#[test]
fn files_and_folders() {
    let folder = std::env::temp_dir().join(format!("posproof-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let open = || Model::open(&folder, &Stated::default());
    let error = open().unwrap_err();
    assert_eq!((error.problem, error.found.as_str()), (Problem::Unreadable, "a folder without config.json"));
    assert!(error.key == folder.display().to_string() && error.expected.contains("config.json"), "{error}");
    std::fs::create_dir(folder.join("config.json")).unwrap();
    assert_eq!(open().unwrap_err().found, "a folder");
    std::fs::remove_dir(folder.join("config.json")).unwrap();
    std::fs::write(folder.join("config.json"), r#"{"model_type": "llama"}"#).unwrap();
    assert_eq!(open().unwrap().kinds.len(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(open().unwrap_err().problem, Problem::Unreadable);
}
