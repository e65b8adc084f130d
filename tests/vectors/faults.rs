//! Negative vectors: what implementations with a known fault compute, one group for each class of faults
//! seen in public trackers. The faulty formula is evaluated exactly and rounded to f32, so that the fault is
//! all that is wrong.

mod rotations;

use crate::format::{Bits, Group, Note, Test, Verdict};
use crate::generate::{LLAMA3, LONGROPE, YARN, scaled, scaling};
use posproof::encoding::convention::{Convention, Layout, Spacing};
use posproof::number::format::Format;
use posproof::number::mpfr;
use rug::Float;
use rug::ops::Pow;
use std::collections::BTreeMap;

const BITS: u32 = 200;
const POSITIONS: [u64; 7] = [0, 1, 257, 2049, 4097, 65537, 131071];

type Point = (Float, Float);

/// A class of faults: its flag, what goes wrong, what that does, where it was seen, what was promised, and
/// what is delivered.
struct Fault {
    flag: &'static str,
    description: &'static str,
    effect: &'static str,
    links: &'static [&'static str],
    promised: Convention,
    delivered: Delivered,
}

enum Delivered {
    /// (cos, sin) at a position and pair.
    Entries(Box<dyn Fn(u64, usize) -> Point>),
    /// y at a position, from x.
    Rotation(fn(u64, &[f64]) -> Vec<Float>),
}

fn real(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// base^(numerator/denominator).
fn power(base: f64, numerator: i64, denominator: i64) -> Float {
    real(base).pow(real(numerator as f64) / denominator)
}

fn at(angle: Float) -> Point {
    let (sin, cos) = angle.sin_cos(Float::new(BITS));
    (cos, sin)
}

/// The point at position·ω(pair).
fn with(omega: impl Fn(usize) -> Float + 'static) -> Delivered {
    Delivered::Entries(Box::new(move |p, k| at(omega(k) * p)))
}

/// ω_k of base 10000 and dim 64, to which most of the faults are done.
fn omega(k: usize) -> Float {
    power(10000.0, -2 * k as i64, 64)
}

/// The same convention with frequencies of its own.
fn as_if(convention: Convention) -> Delivered {
    let frequencies = convention.frequencies(BITS).expect("a valid convention");
    let gain = mpfr::exactly(&convention.gain().enclose(BITS).midpoint());
    Delivered::Entries(Box::new(move |p, k| {
        let (cos, sin) = at(mpfr::exactly(&frequencies[k].midpoint()) * p);
        (cos * &gain, sin * &gain)
    }))
}

fn entries(point: impl Fn(u64, usize) -> Point + 'static) -> Delivered {
    Delivered::Entries(Box::new(point))
}

fn rope() -> Convention {
    Convention { layout: Layout::Halves, ..Convention::rope(64) }
}

fn faults() -> Vec<Fault> {
    let mut all = precision();
    all.extend(positions());
    all.extend(frequencies());
    all.extend(rules());
    all.extend(rotations::rotations());
    all
}

fn rounded(x: &Float, format: Format) -> Float {
    real(mpfr::round(format, x))
}

fn precision() -> Vec<Fault> {
    vec![
        Fault {
            flag: "low-precision-frequencies",
            description: "Inverse frequencies rounded to bfloat16.",
            effect: "Angles wrong by up to 0.4 %: radians at position 257.",
            links: &[
                "huggingface/transformers/issues/29496",
                "NVIDIA/Megatron-LM/issues/744",
                "Modalities/modalities/issues/462",
                "sgl-project/sglang-jax/issues/1472",
                "huggingface/candle/issues/3520",
                "EleutherAI/gpt-neox/issues/1003",
            ],
            promised: rope(),
            delivered: with(|k| rounded(&omega(k), Format::Bf16)),
        },
        Fault {
            flag: "low-precision-positions",
            description: "Positions rounded to bfloat16, which cannot hold integers above 256.",
            effect: "Neighbouring rows coincide from 257 on.",
            links: &[
                "pytorch/pytorch/issues/137774",
                "pytorch/pytorch/issues/81926",
                "NVIDIA/Megatron-LM/issues/535",
                "nkalyanv99/UNI-D2/issues/6",
            ],
            promised: rope(),
            delivered: entries(|p, k| at(omega(k) * real(Format::Bf16.round(p as f64)))),
        },
        Fault {
            flag: "low-precision-angles",
            description: "Angles rounded to bfloat16 before sine and cosine.",
            effect: "Angles wrong by up to 0.4 %.",
            links: &["EleutherAI/gpt-neox/issues/1003", "huggingface/transformers/issues/25681"],
            promised: rope(),
            delivered: entries(|p, k| at(rounded(&(omega(k) * p), Format::Bf16))),
        },
        Fault {
            flag: "low-precision-storage",
            description: "A table cast to bfloat16.",
            effect: "Entries wrong by up to 0.2 %.",
            links: &["KellerJordan/modded-nanogpt/issues/39"],
            promised: rope(),
            delivered: entries(|p, k| {
                let (cos, sin) = at(omega(k) * p);
                (rounded(&cos, Format::Bf16), rounded(&sin, Format::Bf16))
            }),
        },
        Fault {
            flag: "fast-math",
            description: "Sine and cosine of a binary32 angle that was reduced with a binary32 2π.",
            effect: "The error of the reduction grows with the number of turns.",
            links: &["kekzl/imp/issues/1316"],
            promised: rope(),
            delivered: entries(|p, k| {
                let angle = (omega(k) * p).to_f32();
                let turns = (angle / std::f32::consts::TAU).round();
                at(real(f64::from(angle - turns * std::f32::consts::TAU)))
            }),
        },
    ]
}

fn positions() -> Vec<Fault> {
    vec![
        Fault {
            flag: "position-offset",
            description: "From position 2048 on, decoding is one position ahead.",
            effect: "The prefill is right; every later row is its neighbour.",
            links: &["RobertCsordas/moeut/issues/6", "Blaizzy/mlx-vlm/issues/1621"],
            promised: rope(),
            delivered: entries(|p, k| at(omega(k) * if p < 2048 { p } else { p + 1 })),
        },
        Fault {
            flag: "clamped-positions",
            description: "Positions past the end of a cache of 4096 rows use its last row.",
            effect: "All rows from 4096 on are the same.",
            links: &[
                "karpathy/nanochat/issues/514",
                "turboderp/exllama/issues/101",
                "microsoft/onnxruntime/issues/28205",
            ],
            promised: rope(),
            delivered: entries(|p, k| at(omega(k) * p.min(4095))),
        },
        Fault {
            flag: "constant-rows",
            description: "The encoding is indexed by the batch, not by the position.",
            effect: "Every row is row 0.",
            links: &["gmongaras/Diffusion_models_from_scratch/issues/10", "AkiRusProd/numpy-transformer/issues/1"],
            promised: Convention::sinusoid(64),
            delivered: entries(|_, _| at(real(0.0))),
        },
        Fault {
            flag: "parity-of-rows",
            description: "Sine and cosine alternate over rows instead of columns.",
            effect: "Even rows are all sines, odd rows all cosines.",
            links: &["gmongaras/Diffusion_models_from_scratch/issues/10", "AkiRusProd/numpy-transformer/issues/1"],
            promised: Convention::sinusoid(64),
            delivered: entries(|p, k| {
                let (cos, sin) = at(omega(k) * p);
                if p % 2 == 0 { (sin.clone(), sin) } else { (cos.clone(), cos) }
            }),
        },
        Fault {
            flag: "zero-table",
            description: "Buffers that were never filled.",
            effect: "All entries are 0: queries and keys vanish.",
            links: &["huggingface/transformers/issues/45902", "pytorch/executorch/issues/19627"],
            promised: rope(),
            delivered: entries(|_, _| (real(0.0), real(0.0))),
        },
    ]
}

fn frequencies() -> Vec<Fault> {
    let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..Convention::sinusoid(64) };
    vec![
        Fault {
            flag: "other-base",
            description: "Base 10000 where 500000 is asked for.",
            effect: "Slow pairs turn up to 46 times too fast.",
            links: &["huggingface/candle/issues/3746", "lyogavin/airllm/issues/369", "vllm-project/vllm/issues/9503"],
            promised: Convention { base: 500000.into(), ..rope() },
            delivered: with(omega),
        },
        Fault {
            flag: "reciprocal-frequencies",
            description: "base^(2k/dim) in place of its reciprocal.",
            effect: "Angles up to 10^8 times too large.",
            links: &["xlite-dev/LeetCUDA/issues/289"],
            promised: rope(),
            delivered: with(|k| power(10000.0, 2 * k as i64, 64)),
        },
        Fault {
            flag: "integer-division",
            description: "2k/dim divided as integers, so that every exponent is 0.",
            effect: "All frequencies are 1.",
            links: &["Kyubyong/transformer/issues/81"],
            promised: Convention::sinusoid(64),
            delivered: with(|_| real(1.0)),
        },
        Fault {
            flag: "timescale-multiplied",
            description: "Positions multiplied by the timescale instead of divided.",
            effect: "Slow pairs turn fast, fast pairs stay.",
            links: &["tensorflow/models/issues/10945"],
            promised: endpoints.clone(),
            delivered: with(|k| power(10000.0, k as i64, 31)),
        },
        Fault {
            flag: "frequency-spacing",
            description: "End-point frequencies in place of the paper's.",
            effect: "Slow pairs are up to a quarter slower.",
            links: &["tensorflow/tensor2tensor/issues/1423", "hojonathanho/diffusion/issues/15"],
            promised: Convention::sinusoid(64),
            delivered: as_if(endpoints),
        },
        Fault {
            flag: "order",
            description: "Cosines where the sines belong, and the reverse.",
            effect: "Every pair is mirrored.",
            links: &["tensorflow/tensorflow/issues/37191", "huggingface/diffusers/issues/3981"],
            promised: Convention::sinusoid(64),
            delivered: entries(|p, k| {
                let (cos, sin) = at(omega(k) * p);
                (sin, cos)
            }),
        },
        Fault {
            flag: "cosine-exponent",
            description: "The cosine takes the exponent (2k + 1)/dim of its own column.",
            effect: "The two entries of a pair no longer lie on the unit circle.",
            links: &["SamLynnEvans/Transformer/issues/25"],
            promised: Convention::sinusoid(64),
            delivered: entries(|p, k| (at(power(10000.0, -(2 * k as i64 + 1), 64) * p).0, at(omega(k) * p).1)),
        },
        Fault {
            flag: "exponent-doubled",
            description: "The exponent 4k/dim in place of 2k/dim.",
            effect: "Slow pairs are up to 10^4 times too slow.",
            links: &["DongjunLee/transformer-tensorflow/issues/6"],
            promised: Convention::sinusoid(64),
            delivered: with(|k| power(10000.0, -4 * k as i64, 64)),
        },
        Fault {
            flag: "partial-rotary",
            description: "Frequencies over the head's dimension where those over rotary_dim are asked for.",
            effect: "All pairs but the first turn too fast.",
            links: &[
                "AI-Hypercomputer/maxtext/issues/4616",
                "pie-project/pie/issues/602",
                "apple/coreai-models/issues/66",
            ],
            promised: Convention { rotary_dim: Some(16), ..rope() },
            delivered: with(omega),
        },
    ]
}

fn rules() -> Vec<Fault> {
    let linear = Convention { scaling: scaling(r#"{"rope_type": "linear", "factor": 4}"#), ..rope() };
    let ntk = Convention { scaling: scaling(r#"{"rope_type": "ntk", "factor": 4}"#), ..rope() };
    let longrope = scaled(10000, 16, LONGROPE);
    let short = longrope.clone().for_length(4096);
    let yarn = YARN.replace('}', r#", "attention_factor": 1}"#);
    vec![
        Fault {
            flag: "linear-factor",
            description: "The factor of linear scaling is missing.",
            effect: "Positions are not compressed.",
            links: &["sgl-project/sglang/issues/33558"],
            promised: linear.clone(),
            delivered: with(omega),
        },
        Fault {
            flag: "ntk-as-linear",
            description: "NTK scaling done as a division of all frequencies.",
            effect: "Fast pairs are slowed down, too.",
            links: &["keras-team/keras-hub"],
            promised: ntk,
            delivered: as_if(linear),
        },
        Fault {
            flag: "yarn-attention-factor",
            description: "YaRN without its attention factor.",
            effect: "Entries too small by 27 %.",
            links: &[
                "turboderp-org/exllamav3/issues/259",
                "NVIDIA/TensorRT-LLM/issues/16379",
                "keras-team/keras-hub/issues/2981",
            ],
            promised: scaled(10000, 64, YARN),
            delivered: as_if(scaled(10000, 64, &yarn)),
        },
        Fault {
            flag: "llama3-bands",
            description: "The bands of llama3 scaling forgotten.",
            effect: "Slow pairs turn eight times too fast.",
            links: &["ggml-org/llama.cpp/issues/8676"],
            promised: scaled(500000, 128, LLAMA3),
            delivered: with(|k| power(500000.0, -2 * k as i64, 128)),
        },
        Fault {
            flag: "longrope-switched",
            description: "LongRoPE's short factors for a long sequence.",
            effect: "Slow pairs turn up to 28 times too fast.",
            links: &["ggml-org/llama.cpp/issues/24823"],
            promised: longrope.for_length(131072),
            delivered: as_if(short),
        },
    ]
}

fn bits(x: f64) -> String {
    Format::F32.bits(x)
}

fn group(fault: Fault) -> Group {
    let pairs = fault.promised.pairs();
    let mut chosen = vec![0, 1, pairs / 2, pairs - 1];
    chosen.dedup();
    let round = |x: &Float| bits(mpfr::round(Format::F32, x));
    let tests = match fault.delivered {
        Delivered::Entries(point) => POSITIONS
            .iter()
            .flat_map(|&position| chosen.iter().map(move |&pair| (position, pair)))
            .map(|(position, pair)| {
                let (cos, sin) = point(position, pair);
                Test::Wrong { id: 0, position, pair, cos: Bits { f32: round(&cos) }, sin: Bits { f32: round(&sin) } }
            })
            .collect(),
        Delivered::Rotation(rotate) => {
            let x: Vec<f64> = (1..=8).map(f64::from).collect();
            let test = |&position: &u64| Test::Rotation {
                id: 0,
                position,
                x: x.iter().map(|&x| bits(x)).collect(),
                y: rotate(position, &x).iter().map(round).collect(),
            };
            POSITIONS.iter().map(test).collect()
        }
    };
    Group {
        name: fault.flag.replace('-', " "),
        convention: fault.promised,
        flags: vec![fault.flag.into()],
        result: Verdict::Invalid,
        tests,
    }
}

/// The groups and the notes on their flags.
pub fn all() -> (Vec<Group>, BTreeMap<String, Note>) {
    let note = |fault: &Fault| Note {
        bug_type: "implementation".into(),
        description: fault.description.into(),
        effect: fault.effect.into(),
        links: fault.links.iter().map(|link| format!("https://github.com/{link}")).collect(),
    };
    let all = faults();
    let notes = all.iter().map(|fault| (fault.flag.to_owned(), note(fault))).collect();
    (all.into_iter().map(group).collect(), notes)
}
