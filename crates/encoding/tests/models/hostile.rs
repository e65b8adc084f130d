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
    assert_eq!(open().unwrap_err().problem, Problem::Unreadable);
    std::fs::write(folder.join("config.json"), r#"{"model_type": "llama"}"#).unwrap();
    assert_eq!(open().unwrap().kinds.len(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(open().unwrap_err().problem, Problem::Unreadable);
}
