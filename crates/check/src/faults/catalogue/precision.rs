//! The right convention at too low a precision.

use super::super::{Code, EntryFault, Fault, FaultyProgram, FrequencyFault, Injection, Promised, Thread, Vectors};
use super::promised::{rope, rotation};
use super::rows;
use posproof_numerics::format::Format;

const WHOLE_ANGLE: &[Thread] = &[
    Thread {
        name: "EleutherAI/gpt-neox#1003",
        says: "cosines and sines are computed in the model's precision throughout",
    },
    Thread {
        name: "huggingface/transformers#25681",
        says: "casting the model to fp16 or bf16 leaves wrong cosines and sines in the cache",
    },
    Thread {
        name: "huggingface/candle#3520",
        says: "inverse frequencies and positions are both cast to bf16 before they are multiplied",
    },
];

rows! {
    LOW_PRECISION_STORAGE: Fault {
        name: "low-precision-storage",
        code: Code::LowPrecisionStorage,
        cause: "the entries were cast to a narrower format and back",
        advice: "keep cosines and sines in f32, or state --dtype",
        threads: &[Thread {
            name: "KellerJordan/modded-nanogpt#39",
            says: "cosines and sines are cast to bf16, which costs relative positions their precision",
        }],
        cases: &[
            FaultyProgram::new("cast to bf16 and back", Promised::Any, Injection::Entries(EntryFault::Rounded(Format::Bf16))),
            FaultyProgram::new("cast to f16 and back", Promised::Any, Injection::Entries(EntryFault::Rounded(Format::F16))),
        ],
        vectors: Some(Vectors {
            place: 4,
            description: "A table cast to bfloat16.",
            effect: "Entries wrong by up to 0.2 %.",
            promised: rope,
            injection: Injection::Entries(EntryFault::Rounded(Format::Bf16)),
        }),
        alternatives: &[],
    };
    LOW_PRECISION_CACHE: Fault {
        name: "low-precision-cache",
        code: Code::LowPrecisionStorage,
        cause: "cosines and sines are rounded to a narrow format before vectors are rotated with them",
        advice: "keep cosines and sines in f32 where vectors are",
        threads: &[Thread {
            name: "KellerJordan/modded-nanogpt#39",
            says: "cosines and sines are cast to bf16, which costs relative positions their precision",
        }],
        cases: &[FaultyProgram::new("cache in bf16", Promised::Rotation, Injection::Entries(EntryFault::Rounded(Format::Bf16)))],
        vectors: Some(Vectors {
            place: 57,
            description: "Vectors rotated with cosines and sines in bfloat16.",
            effect: "Entries wrong by up to 0.4 % of the vector's length.",
            promised: rotation,
            injection: Injection::Entries(EntryFault::Rounded(Format::Bf16)),
        }),
        alternatives: &[],
    };
    STORED_NARROWLY: Fault {
        name: "stored-narrowly",
        code: Code::LowPrecisionStorage,
        cause: "the entries are stored in a narrower format than stated",
        advice: "store them as stated",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    LOW_PRECISION_FREQUENCIES: Fault {
        name: "low-precision-frequencies",
        code: Code::LowPrecisionFrequencies,
        cause: "a cast of the model takes the inverse frequencies along",
        advice: "keep inv_freq in f32 when the model is cast",
        threads: &[
            Thread { name: "huggingface/transformers#29496", says: "new caches are made from an inv_freq that is bf16" },
            Thread { name: "NVIDIA/Megatron-LM#744", says: "casting the model casts inv_freq" },
            Thread {
                name: "Modalities/modalities#462",
                says: "inverse frequencies were cast to the activations' format before the multiplication",
            },
            Thread {
                name: "sgl-project/sglang-jax#1472",
                says: "inverse frequencies are converted to bf16 before the phase is computed",
            },
        ],
        cases: &[
            FaultyProgram::new("frequencies in bf16", Promised::Any, Injection::Frequencies(FrequencyFault::Rounded(Format::Bf16))),
            FaultyProgram::new("frequencies in f16", Promised::Any, Injection::Frequencies(FrequencyFault::Rounded(Format::F16))),
        ],
        vectors: Some(Vectors {
            place: 1,
            description: "Inverse frequencies rounded to bfloat16.",
            effect: "Angles wrong by up to 0.4 %: radians at position 257.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Rounded(Format::Bf16)),
        }),
        alternatives: &[],
    };
    OTHER_PATH: Fault {
        name: "other-path",
        code: Code::LowPrecisionFrequencies,
        cause: "the frequencies are computed along another path than stated, with more rounding errors",
        advice: "compute them along the stated path, or state another --path",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    LOW_PRECISION_POSITIONS: Fault {
        name: "low-precision-positions",
        code: Code::LowPrecisionPositions,
        cause: "positions are counted in the format of the model",
        advice: "keep them in int32 or f32",
        threads: &[
            Thread { name: "pytorch/pytorch#137774", says: "arange in bf16 repeats and skips numbers above 256" },
            Thread { name: "NVIDIA/Megatron-LM#535", says: "fp16 takes the fraction of positions, so that late tokens share one" },
            Thread { name: "pytorch/pytorch#81926", says: "arange in fp16 gives even numbers only above 2048" },
            Thread {
                name: "nkalyanv99/UNI-D2#6",
                says: "positions inherit the format of inv_freq: in bf16 they alias above 256",
            },
        ],
        cases: &[
            FaultyProgram::new("positions in bf16", Promised::Any, Injection::Positions(|p| Format::Bf16.round(p as f64))),
            FaultyProgram::new("positions in f16", Promised::Any, Injection::Positions(|p| finite(Format::F16, p as f64))),
        ],
        vectors: Some(Vectors {
            place: 2,
            description: "Positions rounded to bfloat16, which cannot hold integers above 256.",
            effect: "Neighbouring rows coincide from 257 on.",
            promised: rope,
            injection: Injection::Positions(|p| Format::Bf16.round(p as f64)),
        }),
        alternatives: &[],
    };
    LOW_PRECISION_ANGLES: Fault {
        name: "low-precision-angles",
        code: Code::LowPrecisionAngles,
        cause: "the product of position and frequency is rounded to the format of the model",
        advice: "multiply in f32 and cast cosines and sines only",
        threads: WHOLE_ANGLE,
        cases: &[
            FaultyProgram::new("angles in bf16", Promised::Any, Injection::Angles(Format::Bf16)),
            FaultyProgram::new("all in bf16", Promised::Any, Injection::Everything(Format::Bf16)),
            // f16 ends at 65504: angles beyond it are infinite, and that is found first.
            FaultyProgram::new("angles in f16", Promised::Any, Injection::Angles(Format::F16)).also(&[Code::NotFinite]),
            FaultyProgram::new("all in f16", Promised::Any, Injection::Everything(Format::F16)).also(&[Code::NotFinite]),
        ],
        vectors: Some(Vectors {
            place: 3,
            description: "Angles rounded to bfloat16 before sine and cosine.",
            effect: "Angles wrong by up to 0.4 %.",
            promised: rope,
            injection: Injection::Angles(Format::Bf16),
        }),
        alternatives: &[],
    };
    FAST_MATH: Fault {
        name: "fast-math",
        code: Code::LowPrecisionTrigonometry,
        cause: "a fast approximation of sin and cos without accurate range reduction",
        advice: "compile without fast-math",
        threads: &[Thread {
            name: "kekzl/imp#1316",
            says: "fast intrinsics on unreduced angles drift to 1e-2 at position 131071",
        }],
        cases: &[FaultyProgram::new("fast-math", Promised::Any, Injection::Entries(EntryFault::FastMath))],
        vectors: Some(Vectors {
            place: 5,
            description: "Sine and cosine of a binary32 angle that was reduced with a binary32 2π.",
            effect: "The error of the reduction grows with the number of turns.",
            promised: rope,
            injection: Injection::Entries(EntryFault::FastMath),
        }),
        alternatives: &[],
    };
    INACCURATE_ANGLES: Fault {
        name: "inaccurate-angles",
        code: Code::LowPrecisionAngles,
        cause: "a lower precision is used on the way (f32 explains errors near 6e-8)",
        advice: "look for a conversion between the frequencies and the sines",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}

/// Rounded, or the largest number of the format where that is infinite.
fn finite(format: Format, x: f64) -> f64 {
    format.round(x).min(format.max_finite())
}
