//! Scaling rules that are missing, doubled or replaced.

use super::super::{Alternative, Code, EntryFault, Fault, FaultyProgram, Injection, Promised, Thread, Vectors};
use super::alternatives::*;
use super::promised::*;
use super::rows;
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;

pub(super) const GEMMA: Thread = Thread {
    name: "lablup/mlxcel#1340",
    says: "the linear factor 8 of Gemma 3 is parsed and never read: positions are 8 times too large",
};

rows! {
    LINEAR_MISSING: Fault {
        name: "linear-factor",
        code: Code::FrequencyScaling,
        cause: "the linear scaling of the frequencies is missing",
        advice: "divide positions or frequencies by the factor",
        threads: &[
            GEMMA,
            Thread { name: "Blaizzy/mlx-vlm#1709", says: "the linear factor 8 of Gemma 3 never reaches the rotation" },
        ],
        cases: &[FaultyProgram::new("linear missing", Promised::Stated(linear), Injection::Convention(plain))],
        vectors: Some(Vectors {
            place: 20,
            description: "The factor of linear scaling is missing.",
            effect: "Positions are not compressed.",
            promised: linear_vectors,
            injection: Injection::Convention(plain),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| missing(c, "linear").into_iter().collect(),
            sentence: is_missing,
        }],
    };
    LLAMA3_MISSING: Fault {
        name: "llama3-bands",
        code: Code::FrequencyScaling,
        cause: "the llama3 scaling of the frequencies is missing",
        advice: "apply the bands of rope_scaling to the inverse frequencies",
        threads: &[
            Thread {
                name: "ggml-org/llama.cpp#8676",
                says: "conversion and inference are given the factors of Llama 3.1, which they lacked",
            },
            Thread { name: "felafax/felafax#59", says: "the scaling of Llama 3.1's frequencies is not implemented" },
        ],
        cases: &[FaultyProgram::new("llama3 missing", Promised::Stated(llama3), Injection::Convention(plain))],
        vectors: Some(Vectors {
            place: 23,
            description: "The bands of llama3 scaling forgotten.",
            effect: "Slow pairs turn eight times too fast.",
            promised: llama3_vectors,
            injection: Injection::Convention(plain),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| missing(c, "llama3").into_iter().collect(),
            sentence: is_missing,
        }],
    };
    YARN_MISSING: Fault {
        name: "yarn-missing",
        code: Code::FrequencyScaling,
        cause: "the yarn scaling of the frequencies is missing",
        advice: "apply the ramp of rope_scaling to the inverse frequencies",
        threads: &[Thread {
            name: "sgl-project/sglang#26187",
            says: "YaRN stands under rope_parameters, and rope_scaling is read: the rule is dropped in silence",
        }],
        // Without its attention factor, too: either is a right answer.
        cases: &[FaultyProgram::new("yarn missing", Promised::Stated(yarn_16), Injection::Convention(plain))
            .also(&[Code::Amplitude])],
        vectors: Some(Vectors {
            place: 73,
            description: "YaRN is not applied.",
            effect: "Slow pairs turn up to 40 times too fast.",
            promised: yarn_vectors,
            injection: Injection::Convention(plain),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| missing(c, "yarn").into_iter().collect(),
            sentence: is_missing,
        }],
    };
    RULE_MISSING: Fault {
        name: "rule-missing",
        code: Code::FrequencyScaling,
        cause: "the scaling of the frequencies is missing",
        advice: "apply rope_scaling to the inverse frequencies",
        threads: &[Thread {
            name: "Blaizzy/mlx-vlm#1710",
            says: "ten models read rope_scaling and build a rotation without it",
        }],
        cases: &[
            FaultyProgram::new("ntk missing", Promised::Stated(ntk), Injection::Convention(plain)),
            FaultyProgram::new("dynamic missing", Promised::Stated(dynamic), Injection::Convention(plain)),
            FaultyProgram::new("longrope missing", Promised::Stated(long), Injection::Convention(plain)),
        ],
        vectors: Some(Vectors {
            place: 74,
            description: "NTK-aware scaling is not applied.",
            effect: "Slow pairs turn up to 4 times too fast.",
            promised: ntk_vectors,
            injection: Injection::Convention(plain),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| {
                let rules = ["ntk", "dynamic", "longrope", "proportional"];
                rules.iter().filter_map(|name| missing(c, name)).collect()
            },
            sentence: is_missing,
        }],
    };
    PER_TOKEN: Fault {
        name: "dynamic-per-token",
        code: Code::FrequencyScaling,
        cause: "cached rows keep the base of the length that they were computed at",
        advice: "compute every row again when the sequence has grown, or state the length at which the base stays",
        threads: &[Thread {
            name: "huggingface/transformers#25104",
            says: "cached keys keep the base of the length at which they were rotated, and new ones have another",
        }],
        cases: &[FaultyProgram::new(
            "dynamic for each token",
            Promised::Stated(dynamic),
            Injection::Entries(EntryFault::PerToken),
        )],
        vectors: Some(Vectors {
            place: 81,
            description: "Every row has the base of a sequence that ends with it.",
            effect: "Cached rows and new ones have different frequencies.",
            promised: dynamic_vectors,
            injection: Injection::Entries(EntryFault::PerToken),
        }),
        alternatives: &[],
    };
    LINEAR_TWICE: Fault {
        name: "linear-factor-twice",
        code: Code::FrequencyScaling,
        cause: "the linear factor is applied twice",
        advice: "divide positions or frequencies by it, not both",
        threads: &[],
        cases: &[FaultyProgram::new("linear doubled", Promised::Stated(linear), Injection::Convention(|c| linearly(c, 64.into())))],
        vectors: Some(Vectors {
            place: 75,
            description: "The linear factor is applied twice.",
            effect: "Every angle is a quarter of what it should be.",
            promised: linear_vectors,
            injection: Injection::Convention(|c| linearly(c, 16.into())),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| linear_factor(c).map(|factor| linearly(c, square(&factor))).into_iter().collect(),
            sentence: |c, _| format!("the linear factor {} is applied twice", factor_text(c)),
        }],
    };
    LINEAR_INVERSE: Fault {
        name: "linear-factor-inverse",
        code: Code::FrequencyScaling,
        cause: "the frequencies are multiplied by the linear factor instead of divided",
        advice: "divide by it",
        threads: &[],
        cases: &[FaultyProgram::new("linear inverse", Promised::Stated(linear), Injection::Convention(|c| linearly(c, fraction(1, 8))))],
        vectors: Some(Vectors {
            place: 76,
            description: "Frequencies multiplied by the linear factor.",
            effect: "Every angle is 16 times what it should be.",
            promised: linear_vectors,
            injection: Injection::Convention(|c| linearly(c, fraction(1, 4))),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| linear_factor(c).map(|factor| linearly(c, reciprocal(&factor))).into_iter().collect(),
            sentence: |c, _| format!("the frequencies are multiplied by {} instead of divided", factor_text(c)),
        }],
    };
    UNIFORM_DIVISION: Fault {
        name: "ntk-as-linear",
        code: Code::FrequencyScaling,
        cause: "the frequencies are divided uniformly (linear scaling) where another rule is stated",
        advice: "apply the rule pair by pair: fast pairs stay as they are",
        threads: &[Thread {
            name: "keras-team/keras-hub",
            says: "version 0.32.0 divides all positions by the factor of its rule `dynamic` (measured)",
        }],
        cases: &[
            FaultyProgram::new("ntk as a uniform division", Promised::Stated(ntk), Injection::Convention(uniform)),
            FaultyProgram::new("dynamic as a uniform division", Promised::Stated(dynamic), Injection::Convention(uniform)),
            FaultyProgram::new("llama3 as linear", Promised::Stated(llama3), Injection::Convention(uniform)),
        ],
        vectors: Some(Vectors {
            place: 21,
            description: "NTK scaling done as a division of all frequencies.",
            effect: "Fast pairs are slowed down, too.",
            promised: ntk_vectors,
            injection: Injection::Convention(uniform),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| stretching_factor(c).map(|factor| linearly(c, factor)).into_iter().collect(),
            sentence: |c, _| {
                let (factor, rule) = (factor_text(c), rule(c));
                format!("the frequencies are divided uniformly by {factor} (linear scaling) instead of {rule} scaling")
            },
        }],
    };
    NTK_INSTEAD: Fault {
        name: "ntk-instead",
        code: Code::FrequencyScaling,
        cause: "NTK-aware scaling in place of the stated rule",
        advice: "apply the rule that rope_type names",
        threads: &[],
        cases: &[FaultyProgram::new("ntk for yarn", Promised::Stated(yarn_16), Injection::Convention(ntk_by_factor))
            .also(&[Code::Amplitude])],
        vectors: Some(Vectors {
            place: 77,
            description: "NTK-aware scaling where YaRN is asked for.",
            effect: "Pairs in the middle turn too fast, and entries are too small by 27 %.",
            promised: yarn_vectors,
            injection: Injection::Convention(ntk_by_factor),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| ntk_instead(c).into_iter().collect(),
            sentence: |c, _| format!("the rule is not {} but NTK-aware scaling by {}", rule(c), factor_text(c)),
        }],
    };
    LONGROPE_SWITCHED: Fault {
        name: "longrope-switched",
        code: Code::FrequencyScaling,
        cause: "LongRoPE's short and long factors are mixed up",
        advice: "choose them by the length of the sequence, not by that of the cache",
        threads: &[Thread {
            name: "ggml-org/llama.cpp#24823",
            says: "the factors are chosen by the size of the allocated context, so that short prompts get the long ones",
        }],
        cases: &[
            FaultyProgram::new("longrope short for long", Promised::Stated(long), Injection::Convention(other_factors)),
            FaultyProgram::new(
                "longrope long for short",
                Promised::Stated(|| other_factors(&long())),
                Injection::Convention(other_factors),
            ),
        ],
        vectors: Some(Vectors {
            place: 24,
            description: "LongRoPE's short factors for a long sequence.",
            effect: "Slow pairs turn up to 28 times too fast.",
            promised: long_vectors,
            injection: Injection::Convention(other_factors),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| switched(c).into_iter().collect(),
            sentence: |c, _| {
                let (used, right) = if is_long(c) { ("short", "long") } else { ("long", "short") };
                format!("the {used} factors are used where the {right} ones belong")
            },
        }],
    };
    YARN_ENDS: Fault {
        name: "yarn-truncate",
        code: Code::FrequencyScaling,
        cause: "the ends of YaRN's ramp are rounded to whole dimensions, or not, against `truncate`",
        advice: "read `truncate`, which is true where it is left out",
        threads: &[Thread {
            name: "keras-team/keras-hub#2981",
            says: "`truncate` defaulted to false and the correction range was clamped to half the dimension",
        }],
        cases: &[FaultyProgram::new("yarn ramp not rounded", Promised::Stated(yarn_16), Injection::Convention(with_other_ends))],
        vectors: Some(Vectors {
            place: 78,
            description: "The ends of YaRN's ramp are not rounded.",
            effect: "Pairs of the ramp turn at other speeds.",
            promised: yarn_vectors,
            injection: Injection::Convention(with_other_ends),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| other_ends(c).into_iter().collect(),
            sentence: |c, _| {
                let how = if is_truncated(c) { "not rounded" } else { "rounded" };
                format!("the ends of YaRN's ramp are {how} to whole dimensions")
            },
        }],
    };
    ORIGINAL_LENGTH: Fault {
        name: "original-length",
        code: Code::FrequencyScaling,
        cause: "the rule is computed for another original length",
        advice: "read original_max_position_embeddings, not max_position_embeddings",
        threads: &[Thread {
            name: "NVIDIA/Megatron-LM#1418",
            says: "the maximum of training is taken for the original length, by which YaRN finds its ramp",
        }],
        cases: &[FaultyProgram::new("original length 8192", Promised::Stated(yarn_16), Injection::Convention(of_8192))],
        vectors: Some(Vectors {
            place: 79,
            description: "YaRN for an original length of 8192 where 4096 is stated.",
            effect: "Pairs of the ramp turn too slowly.",
            promised: yarn_vectors,
            injection: Injection::Convention(of_8192),
        }),
        alternatives: &[Alternative::Convention {
            // From 2048 to 131072.
            made: |c| (11..18).filter_map(|power| with_original_length(c, 1 << power)).collect(),
            sentence: |c, found| {
                let original = original_length(found).unwrap_or_default();
                format!("the {} scaling takes {original} for original_max_position_embeddings", rule(c))
            },
        }],
    };
    NTK_UNSTATED: Fault {
        name: "ntk-unstated",
        code: Code::FrequencyScaling,
        cause: "the base is stretched by NTK-aware scaling, which was not stated",
        advice: "state --scaling ntk and its factor, or compute without it",
        threads: &[],
        cases: &[FaultyProgram::new("ntk unstated", Promised::Stated(unscaled), Injection::Convention(|c| with(c, Scaling::Ntk { factor: 4.into() })))],
        vectors: Some(Vectors {
            place: 80,
            description: "NTK-aware scaling by 4, which is not stated.",
            effect: "Slow pairs turn up to 4 times too slowly.",
            promised: rope,
            injection: Injection::Convention(|c| with(c, Scaling::Ntk { factor: 4.into() })),
        }),
        alternatives: &[],
    };
}

/// NTK-aware scaling by the rule's factor.
fn ntk_by_factor(convention: &Convention) -> Convention {
    ntk_instead(convention).unwrap_or_else(|| convention.clone())
}

fn with_other_ends(convention: &Convention) -> Convention {
    other_ends(convention).unwrap_or_else(|| convention.clone())
}

fn of_8192(convention: &Convention) -> Convention {
    with_original_length(convention, 8192).unwrap_or_else(|| convention.clone())
}

fn ntk_instead(convention: &Convention) -> Option<Convention> {
    let other = rule(convention) != "ntk";
    let factor = factor(convention).filter(|factor| other && *factor.value() > 1)?;
    Some(with(convention, Scaling::Ntk { factor }))
}

fn other_factors(convention: &Convention) -> Convention {
    switched(convention).unwrap_or_else(|| convention.clone())
}
