//! Frequencies of another law, and angles and amplitudes that are multiplied by a number.

use super::super::{
    Alternative, Cause, Code, Fault, FaultyProgram, FrequencyFault, Injection, Promised, Thread, Vectors,
};
use super::alternatives::*;
use super::promised::*;
use super::rows;
use crate::rates::{BASES, exchanged_power, of_all_pairs, omega};
use posproof_encoding::convention::{Convention, Encoding, Spacing};
use posproof_encoding::real::Real;

/// Sentence on programs that do not read the base.
const BASE_IGNORED: &str = "it is ignored or hard-coded";
const READ_THE_BASE: &str = "read rope_theta, whose default differs from family to family";
const BASES_IGNORED: &[Thread] = &[
    Thread { name: "huggingface/candle#3746", says: "Yi's rope_theta of 5000000 is never read: 10000 is hard-coded" },
    Thread { name: "lyogavin/airllm#369", says: "rope_theta does not reach the MLX model, which falls back to 10000" },
    Thread {
        name: "vllm-project/vllm#9503",
        says: "Phi's rope_theta is taken from the configuration, which had not been read",
    },
];

pub(super) const HEAD_FOR_ROTARY: Thread = Thread {
    name: "pie-project/pie#602",
    says: "frequencies theta^(−2i/head_dim) and pairs (i, i + head_dim/2) where those of rotary_dim belong; #603 mends it",
};

rows! {
    WHOLE_DENOMINATOR: Fault {
        name: "partial-rotary",
        code: Code::PartialRotary,
        cause: "the frequencies are computed with the whole dimension as the denominator, not with rotary_dim",
        advice: "divide the exponents by rotary_dim",
        threads: &[HEAD_FOR_ROTARY],
        cases: &[FaultyProgram::new(
            "wrong denominator",
            Promised::Stated(half_rotated),
            Injection::Frequencies(FrequencyFault::WholeDimension),
        )],
        vectors: Some(Vectors {
            place: 19,
            description: "Frequencies over the head's dimension where those over rotary_dim are asked for.",
            effect: "All pairs but the first turn too fast.",
            promised: || Convention { rotary_dim: Some(16), ..rope() },
            injection: Injection::Frequencies(FrequencyFault::WholeDimension),
        }),
        alternatives: &[Alternative::Frequencies {
            made: |c| {
                let partial = c.encoding == Encoding::Rope && c.dim != c.rotated_dim();
                partial.then(|| powers(c, |k| -2.0 * k / c.dim as f64))
            },
            cause: |c, _| Cause::Denominator { expected: c.frequency_dim(), found: c.dim },
        }],
    };
    FREQUENCY_ORIGIN: Fault {
        name: "frequency-origin",
        code: Code::FrequencyOrigin,
        cause: "the frequencies begin with another index: 0 and 1 are confused",
        advice: "count them from 0, or state --frequency-origin",
        threads: &[],
        cases: &[FaultyProgram::new(
            "origin 1",
            Promised::Any,
            Injection::Convention(from_one),
        )],
        vectors: Some(Vectors {
            place: 32,
            description: "Exponents counted from 1.",
            effect: "Every pair has the next one's frequency.",
            promised: sinusoid,
            injection: Injection::Convention(from_one),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| {
                let frequency_origin = 1 - c.frequency_origin.min(1);
                unruled(c).map(|c| Convention { frequency_origin, ..c }).into_iter().collect()
            },
            sentence: |_, _| FREQUENCY_ORIGIN.cause.to_owned(),
        }],
    };
    FREQUENCY_SPACING: Fault {
        name: "frequency-spacing",
        code: Code::FrequencySpacing,
        cause: "the frequencies include the end point 1/base where they should not, or the reverse",
        advice: "decide between dim/2 and dim/2 − 1 in the exponent's denominator, or state --frequency-spacing",
        threads: &[
            Thread {
                name: "tensorflow/tensor2tensor#1423",
                says: "the code divides by the number of timescales less one, the paper does not",
            },
            Thread { name: "hojonathanho/diffusion#15", says: "the exponent is divided by half_dim − 1" },
        ],
        cases: &[FaultyProgram::new("endpoints", Promised::Any, Injection::Convention(endpoints))],
        vectors: Some(Vectors {
            place: 15,
            description: "End-point frequencies in place of the paper's.",
            effect: "Slow pairs are up to a quarter slower.",
            promised: sinusoid,
            injection: Injection::Convention(endpoints),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| unruled(c).map(|c| spaced(&c, other_spacing(&c))).into_iter().collect(),
            sentence: |c, _| match c.frequency_spacing {
                Spacing::Paper => {
                    "the frequencies are base^(−k/(dim/2 − 1)), end points included, not base^(−2k/dim)".to_owned()
                }
                Spacing::Endpoints => {
                    "the frequencies are base^(−2k/dim), not base^(−k/(dim/2 − 1)) with the end points included".to_owned()
                }
            },
        }],
    };
    ANGLE_FACTOR_MISSING: Fault {
        name: "angle-factor-missing",
        code: Code::PositionScale,
        cause: "the factor of the angles is missing",
        advice: "multiply positions by it",
        threads: &[Thread {
            name: "ArchiMickey/Just-a-DiT#9",
            says: "timesteps from 0 to 1 are not rescaled, so that their embeddings hardly differ",
        }],
        cases: &[FaultyProgram::new("angle factor missing", Promised::Stated(fourfold), Injection::Convention(|c| scaled(c, 1.into())))],
        vectors: Some(Vectors {
            place: 33,
            description: "Positions without the factor of the angles.",
            effect: "Every angle is a quarter of what it should be.",
            promised: fourfold,
            injection: Injection::Convention(|c| scaled(c, 1.into())),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| angle_factor(c).map(|_| scaled(c, 1.into())).into_iter().collect(),
            sentence: |c, _| format!("the factor {} of the angles is missing", c.position_scale),
        }],
    };
    ANGLE_FACTOR_TWICE: Fault {
        name: "angle-factor-twice",
        code: Code::PositionScale,
        cause: "the factor of the angles is applied twice",
        advice: "multiply positions by it once",
        threads: &[],
        cases: &[FaultyProgram::new("angle factor twice", Promised::Stated(fourfold), Injection::Convention(|c| scaled(c, 16.into())))],
        vectors: Some(Vectors {
            place: 34,
            description: "Positions multiplied by the factor of the angles twice.",
            effect: "Every angle is four times what it should be.",
            promised: fourfold,
            injection: Injection::Convention(|c| scaled(c, 16.into())),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| angle_factor(c).map(|factor| scaled(c, square(factor))).into_iter().collect(),
            sentence: |c, _| format!("the factor {} of the angles is applied twice", c.position_scale),
        }],
    };
    OTHER_BASE: Fault {
        name: "other-base",
        code: Code::OtherBase,
        cause: BASE_IGNORED,
        advice: READ_THE_BASE,
        threads: BASES_IGNORED,
        cases: &[
            FaultyProgram::new("base 1000000", Promised::Any, Injection::Convention(|c| based(c, 1_000_000.into()))),
            FaultyProgram::new("base 123", Promised::Any, Injection::Convention(|c| based(c, 123.into()))),
            FaultyProgram::new("base 10001", Promised::Any, Injection::Convention(|c| based(c, 10_001.into()))),
            FaultyProgram::new("base 75000.5", Promised::Any, Injection::Convention(|c| based(c, fraction(150_001, 2)))),
        ],
        vectors: Some(Vectors {
            place: 11,
            description: "Base 10000 where 500000 is asked for.",
            effect: "Slow pairs turn up to 46 times too fast.",
            promised: || based(&rope(), 500_000.into()),
            injection: Injection::Convention(|c| based(c, 10_000.into())),
        }),
        alternatives: &[
            Alternative::Convention {
                made: |c| {
                    // The square of the base is an exponent that is doubled.
                    let other = |base: &Real| *base != square(&c.base);
                    BASES.iter().map(|base| Real::from(*base)).filter(other).map(|base| based(c, base)).collect()
                },
                sentence: |c, found| format!("the base is {}, not {}: {BASE_IGNORED}", found.base, c.base),
            },
        ],
    };
    BASE_FOR_RULE: Fault {
        name: "base-for-rule",
        code: Code::FrequencyScaling,
        cause: "base and rule are ignored or hard-coded, and no rule scales the frequencies",
        advice: "apply rope_scaling to the inverse frequencies of the stated base",
        threads: BASES_IGNORED,
        cases: &[FaultyProgram::new("base for rule", Promised::Stated(llama3), Injection::Convention(|c| Convention { base: 10_000.into(), ..plain(c) }))],
        vectors: Some(Vectors {
            place: 35,
            description: "Base 10000 and no rule where Llama 3's base and rule are asked for.",
            effect: "Slow pairs turn hundreds of times too fast.",
            promised: llama3_vectors,
            injection: Injection::Convention(|c| Convention { base: 10_000.into(), ..plain(c) }),
        }),
        alternatives: &[],
    };
    EXPONENT_DOUBLED: Fault {
        name: "exponent-doubled",
        code: Code::OtherBase,
        cause: "the exponent is doubled",
        advice: "the exponent of column i is 2·(i div 2)/dim",
        threads: &[Thread {
            name: "DongjunLee/transformer-tensorflow#6",
            says: "column i takes an exponent of its own where the paper's is 2(i div 2)/d",
        }],
        cases: &[FaultyProgram::new("exponent doubled", Promised::Any, Injection::Frequencies(FrequencyFault::Square))
            .also(&[Code::FrequencySpacing])],
        vectors: Some(Vectors {
            place: 18,
            description: "The exponent 4k/dim in place of 2k/dim.",
            effect: "Slow pairs are up to 10^4 times too slow.",
            promised: sinusoid,
            injection: Injection::Frequencies(FrequencyFault::Square),
        }),
        alternatives: &[Alternative::Convention {
            made: |c| vec![based(c, square(&c.base))],
            sentence: |c, _| format!("the exponent is doubled: the frequencies are those of the base {}²", c.base),
        }],
    };
    RECIPROCAL: Fault {
        name: "reciprocal-frequencies",
        code: Code::FrequencySpacing,
        cause: "the frequencies are reciprocal: positions are multiplied by base^(2k/dim) instead of divided",
        advice: "divide by the power, or negate its exponent",
        threads: &[
            Thread { name: "xlite-dev/LeetCUDA#289", says: "the kernel's theta is wrong; its fix corrects the exponent" },
            Thread { name: "harvardnlp/annotated-transformer#131", says: "positions are multiplied by the power by mistake, where they should be divided" },
        ],
        cases: &[FaultyProgram::new("reciprocal frequencies", Promised::Any, Injection::Frequencies(FrequencyFault::Reciprocal))],
        vectors: Some(Vectors {
            place: 12,
            description: "base^(2k/dim) in place of its reciprocal.",
            effect: "Angles up to 10^8 times too large.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Reciprocal),
        }),
        alternatives: &[Alternative::Frequencies {
            made: |c| Some(powers(c, |k| 2.0 * k / c.frequency_dim() as f64)),
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
    TIMESCALE_MULTIPLIED: Fault {
        name: "timescale-multiplied",
        code: Code::FrequencySpacing,
        cause: "the frequencies are reciprocal: positions are multiplied by the timescales instead of divided",
        advice: "divide by the timescales",
        threads: &[Thread {
            name: "harvardnlp/annotated-transformer#131",
            says: "positions are multiplied by the power by mistake, where they should be divided",
        }],
        cases: &[FaultyProgram::new(
            "timescales multiplied",
            Promised::Stated(|| endpoints(&sinusoid())),
            Injection::Frequencies(FrequencyFault::Reciprocal),
        )],
        vectors: Some(Vectors {
            place: 14,
            description: "Positions multiplied by the timescale instead of divided.",
            effect: "Slow pairs turn fast, fast pairs stay.",
            promised: || endpoints(&sinusoid()),
            injection: Injection::Frequencies(FrequencyFault::Reciprocal),
        }),
        alternatives: &[Alternative::Frequencies {
            made: |c| {
                let omega = omega(c).filter(|_| c.frequency_spacing == Spacing::Endpoints)?;
                Some(omega.iter().map(|omega| 1.0 / omega).collect())
            },
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
    EXCHANGED_POWER: Fault {
        name: "base-and-exponent-exchanged",
        code: Code::FrequencySpacing,
        cause: "base and exponent are exchanged: the frequencies are (2k/dim)^(1/base), nearly all of them 1",
        advice: "raise the base to the power of the index",
        threads: &[Thread { name: "ivanvovk/WaveGrad#12", says: "k^(1e-4) is computed, where (1e-4)^k is meant" }],
        cases: &[FaultyProgram::new("power exchanged", Promised::Any, Injection::Frequencies(FrequencyFault::ExchangedPower))],
        vectors: Some(Vectors {
            place: 36,
            description: "(2k/dim)^(1/base) in place of base^(−2k/dim), computed in binary64.",
            effect: "The first pair stays, and all others turn by nearly one radian a row.",
            promised: sinusoid,
            injection: Injection::Frequencies(FrequencyFault::ExchangedPower),
        }),
        alternatives: &[Alternative::Frequencies {
            made: |c| Some(exchanged_power(c)),
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
    FREQUENCIES_REVERSED: Fault {
        name: "frequencies-reversed",
        code: Code::FrequencySpacing,
        cause: "the frequencies are in reverse order: the first pair has the last one's, and so on",
        advice: "let the exponent grow with the pair's index; the first pair is the fastest",
        threads: &[],
        cases: &[FaultyProgram::new(
            "reversed frequencies",
            Promised::Any,
            Injection::Frequencies(FrequencyFault::Reversed),
        )],
        vectors: Some(Vectors {
            place: 37,
            description: "Frequencies in reverse order.",
            effect: "The first pair is the slowest.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Reversed),
        }),
        alternatives: &[Alternative::Frequencies {
            made: |c| {
                if c.frequency_dim.is_none() {
                    return omega(c).map(|omega| omega.into_iter().rev().collect());
                }
                let reversed: Vec<f64> = of_all_pairs(c)?.into_iter().rev().collect();
                (0..c.pairs()).map(|k| reversed.get(c.pair_of_all(k)).copied()).collect()
            },
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
    INTEGER_DIVISION: Fault {
        name: "integer-division",
        code: Code::FrequencySpacing,
        cause: "all frequencies are 1: an exponent computed in integers is always 0",
        advice: "divide in floating point",
        threads: &[Thread { name: "Kyubyong/transformer#81", says: "the quotient of the two integers is 0" }],
        cases: &[FaultyProgram::new("all frequencies 1", Promised::Any, Injection::Frequencies(FrequencyFault::One))],
        vectors: Some(Vectors {
            place: 13,
            description: "2k/dim divided as integers, so that every exponent is 0.",
            effect: "All frequencies are 1.",
            promised: sinusoid,
            injection: Injection::Frequencies(FrequencyFault::One),
        }),
        alternatives: &[Alternative::Frequencies {
            made: |c| Some(vec![1.0; c.pairs()]),
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
}

/// base^exponent(k) for every pair k.
fn powers(convention: &Convention, exponent: impl Fn(f64) -> f64) -> Vec<f64> {
    let base = convention.base.value().to_f64();
    (0..convention.pairs()).map(|k| base.powf(exponent(convention.pair_of_all(k) as f64))).collect()
}

/// The convention, if no rule scales its frequencies.
fn unruled(convention: &Convention) -> Option<Convention> {
    convention.scaling.is_none().then(|| convention.clone())
}

fn spaced(convention: &Convention, frequency_spacing: Spacing) -> Convention {
    Convention { frequency_spacing, ..convention.clone() }
}

fn other_spacing(convention: &Convention) -> Spacing {
    match convention.frequency_spacing {
        Spacing::Paper => Spacing::Endpoints,
        Spacing::Endpoints => Spacing::Paper,
    }
}

fn endpoints(convention: &Convention) -> Convention {
    spaced(convention, Spacing::Endpoints)
}

fn based(convention: &Convention, base: Real) -> Convention {
    Convention { base, ..convention.clone() }
}

fn from_one(convention: &Convention) -> Convention {
    Convention { frequency_origin: 1, ..convention.clone() }
}

fn scaled(convention: &Convention, position_scale: Real) -> Convention {
    Convention { position_scale, ..convention.clone() }
}

/// Factor of the convention's angles, if there is one.
fn angle_factor(convention: &Convention) -> Option<&Real> {
    Some(&convention.position_scale).filter(|factor| !is_one(factor))
}
