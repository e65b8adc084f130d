//! Faults that leave the most open: parts of vectors, buffers, and what nothing explains.

use super::super::{
    Code, EntryFault, Fault, FaultyProgram, FrequencyFault, Injection, PlacementFault, Promised, Thread, Vectors,
};
use super::alternatives::*;
use super::frequencies::HEAD_FOR_ROTARY;
use super::promised::*;
use super::rows;
use posproof_encoding::convention::Convention;

rows! {
    ATTENTION_TWICE: Fault {
        name: "attention-factor-twice",
        code: Code::Amplitude,
        cause: "the attention factor is applied twice",
        advice: "apply it once, to cosines and sines",
        threads: &[
            Thread {
                name: "sgl-project/sglang#33558",
                says: "the configuration's final factor is multiplied by the formula's: squared",
            },
            Thread {
                name: "NVIDIA/TensorRT-LLM#16379",
                says: "the configuration's final factor goes through the formula a second time",
            },
        ],
        cases: &[FaultyProgram::new(
            "yarn with the factor squared",
            Promised::Stated(yarn_16),
            // The square of 0.1·ln 16 + 1 to four decimals.
            Injection::Convention(|c| with_attention_factor(c, fraction(16_314, 10_000))),
        )],
        vectors: Some(Vectors {
            place: 63,
            description: "YaRN's attention factor is applied twice.",
            effect: "Entries too large by 37 %.",
            promised: yarn_vectors,
            injection: Injection::Convention(|c| with_attention_factor(c, fraction(187_385, 100_000))),
        }),
        alternatives: &[],
    };
    ATTENTION_MISSING: Fault {
        name: "yarn-attention-factor",
        code: Code::Amplitude,
        cause: "the attention factor of the scaling rule is missing",
        advice: "multiply cosines and sines by it",
        threads: &[Thread {
            name: "turboderp-org/exllamav3#259",
            says: "YaRN's attention factor collapses to 1 for some configurations",
        }],
        cases: &[FaultyProgram::new(
            "yarn without attention factor",
            Promised::Stated(yarn_16),
            Injection::Convention(|c| with_attention_factor(c, 1.into())),
        )],
        vectors: Some(Vectors {
            place: 22,
            description: "YaRN without its attention factor.",
            effect: "Entries too small by 27 %.",
            promised: yarn_vectors,
            injection: Injection::Convention(|c| with_attention_factor(c, 1.into())),
        }),
        alternatives: &[],
    };
    AMPLITUDE: Fault {
        name: "amplitude",
        code: Code::Amplitude,
        cause: "a factor is missing, or applied once too often",
        advice: "compare what multiplies cosines and sines with --amplitude",
        threads: &[Thread {
            name: "vllm-project/vllm#46280",
            says: "the stated attention factor is not forwarded: another one is computed",
        }],
        cases: &[FaultyProgram::new("amplitude", Promised::Any, Injection::Convention(|c| with_amplitude(c, fraction(5, 4))))],
        vectors: Some(Vectors {
            place: 64,
            description: "Every entry multiplied by 5/4.",
            effect: "Vectors become longer by a quarter.",
            promised: rope,
            injection: Injection::Convention(|c| with_amplitude(c, fraction(5, 4))),
        }),
        alternatives: &[],
    };
    AT_REST: Fault {
        name: "pairs-at-rest",
        code: Code::PartialRotary,
        cause: "a partial rotary factor is applied that was not stated",
        advice: "state --rotary-dim, or rotate all dimensions",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    OTHER_PART: Fault {
        name: "other-part",
        code: Code::PartialRotary,
        cause: "the partial rotary factor is ignored or wrong",
        advice: "read partial_rotary_factor, whose default differs from family to family",
        threads: &[
            Thread {
                name: "AI-Hypercomputer/maxtext#4616",
                says: "partial_rotary_factor is ignored where use_mrope is true: the whole head is rotated",
            },
            Thread {
                name: "jagmarques/nexusquant#12",
                says: "the whole head was rotated where a quarter should be",
            },
        ],
        cases: &[
            FaultyProgram::new(
                "only half is rotated",
                Promised::Stated(|| Convention::rope(64)),
                Injection::Convention(|c| Convention { rotary_dim: Some(c.dim / 2), ..c.clone() }),
            ),
            FaultyProgram::new(
                "partial rotary ignored",
                Promised::Stated(half_rotated),
                Injection::Convention(|c| Convention { rotary_dim: None, ..c.clone() }),
            ),
        ],
        vectors: Some(Vectors {
            place: 65,
            description: "Half of the head is rotated where all of it is asked for.",
            effect: "Late pairs stand still, and others turn too slowly.",
            promised: rope,
            injection: Injection::Convention(|c| Convention { rotary_dim: Some(c.dim / 2), ..c.clone() }),
        }),
        alternatives: &[],
    };
    OTHER_PART_AND_DENOMINATOR: Fault {
        name: "other-part-and-denominator",
        code: Code::PartialRotary,
        cause: "with the frequencies of another denominator",
        advice: "compare rotary_dim and what the exponents are divided by",
        threads: &[],
        cases: &[FaultyProgram::new("half rotated by the frequencies of the whole", Promised::Stated(|| Convention::rope(64)), Injection::Convention(|c| Convention { rotary_dim: Some(c.dim / 2), frequency_dim: Some(c.dim), ..c.clone() }))],
        vectors: Some(Vectors {
            place: 83,
            description: "Half of the head is rotated, by the frequencies of all of it.",
            effect: "Late pairs stand still.",
            promised: rope,
            injection: Injection::Convention(|c| Convention { rotary_dim: Some(c.dim / 2), frequency_dim: Some(c.dim), ..c.clone() }),
        }),
        alternatives: &[],
    };
    WHOLE_VECTOR: Fault {
        name: "halves-of-the-whole-vector",
        code: Code::PartialRotary,
        cause: "the pairs are (k, k + dim/2), not (k, k + rotary_dim/2): the halves are those of the whole vector",
        advice: "split the rotated part, not the head",
        threads: &[
            HEAD_FOR_ROTARY,
            Thread {
                name: "apple/coreai-models#66",
                says: "one library pairs inside the rotated part, the other across the whole head",
            },
        ],
        cases: &[FaultyProgram::new(
            "wrong pairs",
            Promised::Stated(half_rotated_halves),
            Injection::Places(PlacementFault::WholeVector),
        )],
        vectors: Some(Vectors {
            place: 66,
            description: "Pairs (k, k + 4) where those of the rotated half, (k, k + 2), are asked for.",
            effect: "Two entries are wrong, and two others are rotated that should stay.",
            promised: || Convention { rotary_dim: Some(4), ..rotation() },
            injection: Injection::Places(PlacementFault::WholeVector),
        }),
        alternatives: &[],
    };
    OTHER_RULE: Fault {
        name: "other-rule",
        code: Code::FrequencyScaling,
        cause: "a ramp that is shifted or reversed, other bands or other factors",
        advice: "compare the parameters of rope_scaling one by one with those of the program",
        threads: &[
            Thread {
                name: "keras-team/keras-hub#2981",
                says: "`truncate` defaulted to false and the correction range was clamped to half the dimension",
            },
            Thread { name: "swiss-ai/Megatron-LM#80", says: "the factor is always the default, 8" },
        ],
        cases: &[
            FaultyProgram::new("llama3 unstated", Promised::Stated(unscaled), Injection::Convention(|_| llama3())),
            FaultyProgram::new(
                "yarn ramp shifted",
                Promised::Stated(yarn_16),
                Injection::Convention(|_| yarn_between(&unscaled(), 16, (20, 2))),
            ),
            FaultyProgram::new("yarn ramp reversed", Promised::Stated(yarn_16), Injection::Frequencies(FrequencyFault::Mirrored)),
        ],
        vectors: Some(Vectors {
            place: 67,
            description: "YaRN's ramp in reverse.",
            effect: "Fast pairs are slowed down, and slow ones are not.",
            promised: yarn_vectors,
            injection: Injection::Frequencies(FrequencyFault::Mirrored),
        }),
        alternatives: &[],
    };
    IN_PLACE: Fault {
        name: "aliasing",
        code: Code::NotARotation,
        cause: "the second entry of each pair is computed from the first one's result: the rotation works in place and overwrites its input",
        advice: "read both entries before either is written",
        threads: &[Thread {
            name: "flagos-ai/FlagGems#5142",
            says: "in place, one half of a pair may be computed from the other's result",
        }],
        cases: &[FaultyProgram::new("aliased", Promised::Rotation, Injection::Places(PlacementFault::InPlace))],
        vectors: Some(Vectors {
            place: 27,
            description: "Rotation in place: the second entry is computed from the first one's new value.",
            effect: "Not a rotation.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::InPlace),
        }),
        alternatives: &[],
    };
    DIFFERENT_CACHES: Fault {
        name: "different-caches",
        code: Code::NotARotation,
        cause: "the entries are no cosines and sines of one angle; an uninitialised buffer, or two different caches",
        advice: "compare where the two arrays come from",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    NO_COMMON_ANGLE: Fault {
        name: "no-common-angle",
        code: Code::NotARotation,
        cause: "the entries are no cosines and sines of one angle per pair",
        advice: "take one exponent for both entries of a pair",
        threads: &[Thread {
            name: "SamLynnEvans/Transformer#25",
            says: "the cosine is given the exponent 2(i + 1)/d where the paper has that of the sine",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    SCALED_PART: Fault {
        name: "scaled-part",
        code: Code::NotARotation,
        cause: "the products of a rotation do not have one amplitude and the right signs",
        advice: "compare the sign and the factor of each product: y1 = x1·cos − x2·sin, y2 = x1·sin + x2·cos",
        threads: &[],
        cases: &[FaultyProgram::new("wrong sign of a product", Promised::Rotation, Injection::Places(PlacementFault::WrongSign))],
        vectors: Some(Vectors {
            place: 68,
            description: "x₁·cos + x₂·sin in place of x₁·cos − x₂·sin.",
            effect: "Not a rotation.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::WrongSign),
        }),
        alternatives: &[],
    };
    ZERO: Fault {
        name: "zero-table",
        code: Code::NotARotation,
        cause: "the buffer was never initialised or never written",
        advice: "compute buffers again after a model is made without memory (meta device, to_empty)",
        threads: &[Thread {
            name: "huggingface/transformers#45902",
            says: "inv_freq is read from uninitialised memory after to_empty",
        }],
        cases: &[FaultyProgram::new("zero", Promised::Any, Injection::Entries(EntryFault::Zero))],
        vectors: Some(Vectors {
            place: 10,
            description: "Buffers that were never filled.",
            effect: "All entries are 0: queries and keys vanish.",
            promised: rope,
            injection: Injection::Entries(EntryFault::Zero),
        }),
        alternatives: &[],
    };
    NOT_FINITE: Fault {
        name: "not-finite",
        code: Code::NotFinite,
        cause: "an overflow (f16 ends at 65504), or a buffer that was never written",
        advice: "compute angles in f32, and buffers again after a model is made without memory",
        threads: &[Thread {
            name: "huggingface/transformers#48932",
            says: "values of buffers such as inv_freq are replaced by uninitialised memory, which gives NaN now and then",
        }],
        cases: &[FaultyProgram::new("not finite", Promised::Sinusoid, Injection::Entries(EntryFault::NotANumber(20, 2)))],
        vectors: Some(Vectors {
            place: 69,
            description: "One entry is not a number.",
            effect: "Every score of that row is none.",
            promised: rope,
            injection: Injection::Entries(EntryFault::NotANumber(257, 1)),
        }),
        alternatives: &[],
    };
    MIXTURE: Fault {
        name: "mixed-duplication",
        code: Code::Duplication,
        cause: "the two entries of a pair turn by different angles",
        advice: "duplicate the cache as the rotation reads it: halves for (k, k + dim/2), each value twice for (2k, 2k + 1)",
        threads: &[Thread {
            name: "facebookresearch/vjepa2#15",
            says: "frequencies are repeated in halves where neighbouring entries form the pairs",
        }],
        cases: &[FaultyProgram::new("other duplication", Promised::Rotation, Injection::Places(PlacementFault::OtherDuplication))],
        vectors: Some(Vectors {
            place: 70,
            description: "Pairs (k, k + 4) rotated by a cache that repeats each column.",
            effect: "The two entries of a pair turn by different angles.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::OtherDuplication),
        }),
        alternatives: &[],
    };
    SOFTMAX_SCALE: Fault {
        name: "softmax-scale",
        code: Code::SoftmaxScale,
        cause: "the scale of the attention scores is applied before the comparison",
        advice: "compare before queries are scaled, or state --amplitude",
        threads: &[],
        cases: &[FaultyProgram::new("softmax scale", Promised::Rotation, Injection::Convention(with_softmax_scale))],
        vectors: Some(Vectors {
            place: 84,
            description: "Queries are multiplied by the scale of the scores, 1/√8.",
            effect: "Scores of queries that are scaled again are too small.",
            promised: rotation,
            injection: Injection::Convention(with_softmax_scale),
        }),
        alternatives: &[],
    };
    NO_ROTATION: Fault {
        name: "no-rotation",
        code: Code::NoRotation,
        cause: "the vectors are not rotated: y is x",
        advice: "look for the call that is missing, or a layer without rotation",
        threads: &[
            Thread {
                name: "kvcache-ai/sglang#31",
                says: "rotated keys are written to the cache alone: the first pass has rotated queries and keys that are not",
            },
            Thread {
                name: "pytorch/executorch#19627",
                says: "inv_freq is zeroed with the other meta buffers: cosines are 1 and sines 0 at every position",
            },
        ],
        cases: &[FaultyProgram::new("not rotated", Promised::Rotation, Injection::Positions(|_| 0.0))],
        vectors: Some(Vectors {
            place: 71,
            description: "The rotation is not called.",
            effect: "Queries and keys carry no position.",
            promised: rotation,
            injection: Injection::Positions(|_| 0.0),
        }),
        alternatives: &[],
    };
    AXES_EXCHANGED: Fault {
        name: "axes-exchanged",
        code: Code::Shape,
        cause: "the axes of the array are exchanged: positions are not the last dimension but one",
        advice: "transpose it to [..., positions, dim]",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    LOCAL: Fault {
        name: "local",
        code: Code::Local,
        cause: "one part of the entries departs from what the rest follows",
        advice: "look for what treats this part differently: the edge of a block, a head, memory that was overwritten",
        threads: &[],
        cases: &[FaultyProgram::new("one wrong entry", Promised::Sinusoid, Injection::Entries(EntryFault::Wrong(20, 2)))],
        vectors: Some(Vectors {
            place: 72,
            description: "One cosine is wrong by 1/2.",
            effect: "One entry is wrong, and all others right.",
            promised: rope,
            injection: Injection::Entries(EntryFault::Wrong(257, 1)),
        }),
        alternatives: &[],
    };
    UNEXPLAINED: Fault {
        name: "unexplained",
        code: Code::Unexplained,
        cause: "neither the stated convention nor a known fault explains what is there",
        advice: "compare the measured frequencies with the expected ones",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}
