//! Models as their authors publish them, on a small scale, and right conversions of each.

use super::file::{GgufFile, Stored, safetensors, to_neighbours, weights};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Entries of a head, heads, and heads of keys of every model here.
pub const HEAD: usize = 64;
const HEADS: usize = 8;
pub const KEY_HEADS: usize = 2;

/// Entries of a row of queries' and keys' matrices.
const WIDTH: usize = HEAD * HEADS;

fn model(model_type: &str, rest: Value) -> Value {
    let mut config = json!({
        "model_type": model_type, "hidden_size": WIDTH, "num_attention_heads": HEADS, "num_key_value_heads": KEY_HEADS,
        "num_hidden_layers": 2, "max_position_embeddings": 32768
    });
    merge(&mut config, rest);
    config
}

/// Puts the keys of one object into another; null removes a key.
pub fn merge(config: &mut Value, changes: Value) {
    let (Value::Object(config), Value::Object(changes)) = (config, changes) else { panic!("objects") };
    for (key, value) in changes {
        match value {
            Value::Null => drop(config.remove(&key).expect("the key")),
            Value::Object(_) if config.get(&key).is_some_and(Value::is_object) => merge(&mut config[&key], value),
            value => drop(config.insert(key, value)),
        }
    }
}

/// Llama 3.1's rule.
pub fn llama3() -> Value {
    let rule = json!({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192});
    model("llama", json!({"rope_theta": 500000.0, "rope_scaling": rule, "max_position_embeddings": 131072}))
}

/// Qwen2.5 with YaRN, as its documentation has it.
pub fn yarn() -> Value {
    let rule = json!({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768,
        "beta_fast": 32.0, "beta_slow": 1.0});
    model("qwen2", json!({"rope_theta": 1000000.0, "rope_scaling": rule, "max_position_embeddings": 131072}))
}

/// Mistral Nemo, whose heads are narrower than the model divided by their number.
pub fn plain() -> Value {
    model("mistral", json!({"rope_theta": 1000000.0, "head_dim": HEAD, "hidden_size": WIDTH + 128}))
}

/// Llama 2 extended by position interpolation.
pub fn linear() -> Value {
    model("llama", json!({"rope_theta": 10000.0, "rope_scaling": {"type": "linear", "factor": 4.0}}))
}

/// Pythia.
pub fn partial() -> Value {
    model("gpt_neox", json!({"rotary_pct": 0.25, "rotary_emb_base": 10000, "num_key_value_heads": null}))
}

/// Phi 3.
pub fn longrope() -> Value {
    let factors = |last: f64| (0..HEAD / 2).map(|k| 1.0 + last * k as f64 / 32.0).collect::<Vec<f64>>();
    let rule = json!({"type": "longrope", "short_factor": factors(1.0), "long_factor": factors(32.0)});
    model(
        "phi3",
        json!({"rope_theta": 10000.0, "rope_scaling": rule, "max_position_embeddings": 131072,
        "original_max_position_embeddings": 4096}),
    )
}

/// The metadata that every conversion has.
fn converted(architecture: &str, context: u32) -> GgufFile {
    let key = |name: &str| format!("{architecture}.{name}");
    GgufFile::new(architecture)
        .u32(&key("context_length"), context)
        .u32(&key("embedding_length"), WIDTH as u32)
        .u32(&key("attention.head_count"), HEADS as u32)
        .u32(&key("attention.head_count_kv"), KEY_HEADS as u32)
        .u32(&key("attention.key_length"), HEAD as u32)
        .u32(&key("rope.dimension_count"), HEAD as u32)
}

/// The divisors of the frequencies that llama3's rule makes, computed in f32.
pub fn llama3_factors(base: f32, factor: f32, length: f32) -> Vec<f32> {
    let (low, high) = (1f32, 4f32);
    let divisor = |pair: usize| {
        let frequency = 1.0 / base.powf((2 * pair) as f32 / HEAD as f32);
        let turns = length / (std::f32::consts::TAU / frequency);
        match turns {
            turns if turns > high => 1.0,
            turns if turns < low => factor,
            turns => {
                let smooth = (turns - low) / (high - low);
                1.0 / ((1.0 - smooth) / factor + smooth)
            }
        }
    };
    (0..HEAD / 2).map(divisor).collect()
}

/// The conversion of [`llama3`] without its factors.
pub fn llama3_gguf() -> GgufFile {
    converted("llama", 131072).f32("llama.rope.freq_base", 500000.0)
}

/// The same with them.
pub fn scaled_llama3_gguf() -> GgufFile {
    llama3_gguf().vector("rope_freqs.weight", &llama3_factors(500000.0, 8.0, 8192.0))
}

pub fn yarn_gguf() -> GgufFile {
    converted("qwen2", 131072)
        .f32("qwen2.rope.freq_base", 1e6)
        .text("qwen2.rope.scaling.type", "yarn")
        .f32("qwen2.rope.scaling.factor", 4.0)
        .u32("qwen2.rope.scaling.original_context_length", 32768)
}

pub fn plain_gguf() -> GgufFile {
    converted("llama", 32768).f32("llama.rope.freq_base", 1e6)
}

pub fn linear_gguf() -> GgufFile {
    converted("llama", 32768)
        .f32("llama.rope.freq_base", 10000.0)
        .text("llama.rope.scaling.type", "linear")
        .f32("llama.rope.scaling.factor", 4.0)
}

pub fn partial_gguf() -> GgufFile {
    converted("gptneox", 32768).without("rope.dimension_count").u32("gptneox.rope.dimension_count", HEAD as u32 / 4)
}

pub fn longrope_gguf() -> GgufFile {
    let factors = |last: f32| (0..HEAD / 2).map(|k| 1.0 + last * k as f32 / 32.0).collect::<Vec<f32>>();
    // √(1 + ln 32/ln 4096).
    converted("phi3", 131072)
        .f32("phi3.rope.freq_base", 10000.0)
        .text("phi3.rope.scaling.type", "longrope")
        .u32("phi3.rope.scaling.original_context_length", 4096)
        .f32("phi3.rope.scaling.attn_factor", (1.0 + 32f64.ln() / 4096f64.ln()).sqrt() as f32)
        .vector("rope_factors_short.weight", &factors(1.0))
        .vector("rope_factors_long.weight", &factors(32.0))
}

/// The matrices of queries and keys of a layer.
pub struct Matrices {
    pub queries: Vec<Vec<f32>>,
    pub keys: Vec<Vec<f32>>,
}

pub fn matrices() -> Matrices {
    Matrices { queries: weights(HEAD * HEADS, 96, 21), keys: weights(HEAD * KEY_HEADS, 96, 22) }
}

impl Matrices {
    /// In the order that a program needs that pairs neighbours.
    pub fn permuted(&self) -> Self {
        Self { queries: to_neighbours(&self.queries, HEAD), keys: to_neighbours(&self.keys, HEAD) }
    }

    pub fn into_gguf(self, file: GgufFile, stored: Stored) -> GgufFile {
        file.matrix("blk.0.attn_q.weight", &self.queries, stored).matrix("blk.0.attn_k.weight", &self.keys, stored)
    }

    /// The checkpoint.
    pub fn checkpoint(&self, folder: &Path) -> PathBuf {
        let tensor = |name, rows: &Vec<Vec<f32>>| (name, vec![rows.len(), rows[0].len()], rows.concat(), Stored::Bf16);
        let (queries, keys) = ("model.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.k_proj.weight");
        safetensors(folder, "model.safetensors", &[tensor(queries, &self.queries), tensor(keys, &self.keys)])
    }
}

/// The frequencies of a base over the whole head, computed in f32, each divided.
pub fn frequencies(base: f32, divisors: impl Fn(usize) -> f32) -> Vec<f32> {
    (0..HEAD / 2).map(|k| 1.0 / base.powf((2 * k) as f32 / HEAD as f32) / divisors(k)).collect()
}
