//! Single frequencies that are wrong, and what is said of rules that change nothing.

use super::file::{Stored, safetensors};
use super::models::{self, HEAD, llama3_factors};
use posproof_check::lint::{Difference, Lint, What};
use posproof_check::read::gguf::Gguf;
use posproof_encoding::model::{Model, Stated};
use serde_json::{Value, json};

const PAIRS: usize = HEAD / 2;

fn read(config: &Value) -> Lint {
    let model = Model::read(&config.to_string(), &Stated::default()).expect("the model");
    Lint::new("config.json", model, 1e-2)
}

/// The one difference of a checkpoint's frequencies.
fn checkpoint(config: &Value, values: &[f32]) -> Difference {
    let folder = tempfile::tempdir().unwrap();
    let tensors = [("rotary_emb.inv_freq", vec![values.len()], values.to_vec(), Stored::F32)];
    let mut lint = read(config);
    lint.compare_checkpoint(&safetensors(folder.path(), "model.safetensors", &tensors)).unwrap();
    let [difference] = &lint.against[0].differences[..] else { panic!("{lint}") };
    difference.clone()
}

fn llama3_frequencies() -> Vec<f32> {
    models::frequencies(500000.0, |k| llama3_factors(500000.0, 8.0, 8192.0)[k])
}

#[test]
fn one_wrong_frequency_is_called_one() {
    // In every band of the rule: what lies between the frequency and its eighth is no ramp either.
    for pair in [0, 9, 16, PAIRS - 1] {
        for by in [0.5f32, 0.999, 1.01, 3.0, -1.0, 0.0, f32::NAN, f32::INFINITY] {
            let mut values = llama3_frequencies();
            let right = f64::from(values[pair]);
            values[pair] *= by;
            let difference = checkpoint(&models::llama3(), &values);
            assert_eq!(difference.what, What::Local, "pair {pair} × {by}: {difference:?}");
            let told = format!("one of {PAIRS} frequencies differs: pair {pair} is to have ");
            assert!(difference.message.contains(&told), "{}", difference.message);
            let expected: f64 = difference.expected.parse().unwrap();
            assert!((expected / right - 1.0).abs() < 1e-5, "{difference:?}");
            assert_eq!(difference.found, f64::from(values[pair]).to_string());
        }
    }
}

#[test]
fn one_wrong_divisor_is_called_one() {
    for pair in [3, 20] {
        let mut factors = llama3_factors(500000.0, 8.0, 8192.0);
        factors[pair] *= 1.5;
        let folder = tempfile::tempdir().unwrap();
        let file = models::llama3_gguf().vector("rope_freqs.weight", &factors);
        let mut lint = read(&models::llama3());
        lint.compare_gguf(&Gguf::open(&file.write(folder.path(), "model.gguf")).unwrap()).unwrap();
        let [difference] = &lint.against[0].differences[..] else { panic!("{lint}") };
        assert_eq!(difference.what, What::Local, "{lint}");
        assert!(difference.message.contains(&format!("one of {PAIRS} frequencies differs: pair {pair} ")), "{lint}");
    }
}

/// A ramp rises; frequencies that are wrong here and there are none.
#[test]
fn only_what_rises_is_a_ramp() {
    let other = models::frequencies(500000.0, |k| llama3_factors(500000.0, 8.0, 4096.0)[k]);
    let difference = checkpoint(&models::llama3(), &other);
    assert_eq!(difference.what, What::Scaling, "{difference:?}");
    assert!(difference.message.contains("on another ramp"), "{}", difference.message);
    let mut scattered = llama3_frequencies();
    for pair in [2, 7, 30] {
        scattered[pair] *= 0.7;
    }
    // The last is below its eighth then; without it they are all between.
    for values in [scattered.clone(), [&scattered[..30], &llama3_frequencies()[30..]].concat()] {
        let difference = checkpoint(&models::llama3(), &values);
        assert_eq!(difference.what, What::Unexplained, "{difference:?}");
        let wrong = values.iter().zip(llama3_frequencies()).filter(|(one, other)| **one != *other).count();
        assert!(
            difference.message.contains(&format!("{wrong} of {PAIRS} frequencies differ")),
            "{}",
            difference.message
        );
    }
}

#[test]
fn a_rule_is_in_effect_where_it_changes_a_frequency() {
    let rule = |rule: Value| {
        let mut config = models::linear();
        config["rope_scaling"] = rule;
        read(&config).to_string()
    };
    let idle = "scaling by 1 changes nothing: every frequency is as without it.";
    assert!(rule(json!({"type": "linear", "factor": 1.0})).contains(idle));
    assert!(rule(json!({"type": "linear", "factor": 4.0})).contains("linear scaling by 4 is in effect."));
    // Within the length that the model was trained on, dynamic scaling is none.
    let dynamic = rule(json!({"type": "dynamic", "factor": 2.0}));
    assert!(dynamic.contains("changes nothing (for sequences of 32768)"), "{dynamic}");
    assert!(dynamic.contains("is in effect (for sequences of 131072)"), "{dynamic}");
    let yarn = |more: Value| {
        let mut parameters = json!({"rope_type": "yarn", "factor": 1.0, "original_max_position_embeddings": 4096});
        models::merge(&mut parameters, more);
        rule(parameters)
    };
    assert!(yarn(json!({})).contains("changes nothing"), "{}", yarn(json!({})));
    // The factor on cosines and sines is an effect.
    let gain = yarn(json!({"attention_factor": 1.5}));
    assert!(gain.contains("is in effect") && gain.contains("multiplied by 1.5"), "{gain}");
}
