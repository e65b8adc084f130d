//! Steps of programs that are left out, or that others take the place of.

use super::super::{
    Alternative, Cause, Code, EntryFault, Fault, FaultyProgram, FrequencyFault, Injection, Promised, Thread, Vectors,
};
use super::promised::{proportional, rope, sinusoid};
use super::rows;
use posproof_encoding::convention::Convention;

/// Frequencies in even steps from 0 on, up to a number.
fn linear(convention: &Convention, end: f64) -> Vec<f64> {
    let step = end / convention.frequency_dim() as f64;
    (0..convention.pairs()).map(|k| 2.0 * convention.frequency_index(k) as f64 * step).collect()
}

rows! {
    LINEAR: Fault {
        name: "linear-frequencies",
        code: Code::FrequencySpacing,
        cause: "the exponential, or the power of the base, is missing",
        advice: "take base^(−2k/dim)",
        threads: &[Thread {
            name: "aharley/pips#30",
            says: "positions are multiplied by 2k·1000/dim, without a power",
        }],
        cases: &[FaultyProgram::new("linear frequencies", Promised::Any, Injection::Frequencies(FrequencyFault::Linear))
            // Conventions of several axes may count frequencies in even steps.
            .also(&[Code::AxisArrangement])],
        vectors: Some(Vectors {
            place: 95,
            description: "2k·ln(base)/dim in place of base^(−2k/dim): the exponential is missing.",
            effect: "The slowest pair turns 67000 times too fast.",
            promised: sinusoid,
            injection: Injection::Frequencies(FrequencyFault::Linear),
        }),
        alternatives: &[
            Alternative::Frequencies { made: |c| Some(linear(c, 1000.0)), cause: |_, found| Cause::Frequencies { found } },
            Alternative::Frequencies {
                made: |c| Some(linear(c, core_math::log(c.base.value().to_f64()))),
                cause: |_, found| Cause::Frequencies { found },
            },
        ],
    };
    INTERPOLATED: Fault {
        name: "interpolated-entries",
        code: Code::LowPrecisionTrigonometry,
        cause: "they are those of a table, and what lies between is interpolated",
        advice: "take a table of more angles, or compute cosines and sines of the angles themselves",
        threads: &[],
        cases: &[FaultyProgram::new("interpolated table", Promised::Any, Injection::Entries(EntryFault::Interpolated(256)))],
        vectors: Some(Vectors {
            place: 96,
            description: "Cosines and sines on the lines between those of 256 angles in a turn.",
            effect: "Entries are wrong by up to (π/256)²/2.",
            promised: rope,
            injection: Injection::Entries(EntryFault::Interpolated(256)),
        }),
        alternatives: &[],
    };
    ONES: Fault {
        name: "sines-padded-with-ones",
        code: Code::NotARotation,
        cause: "they are padded as cosines are",
        advice: "pad cosines with 1 and sines with 0",
        threads: &[Thread {
            name: "vllm-project/vllm#55204",
            says: "cosines and sines of the channels that are not rotated are both padded with 1",
        }, Thread {
            name: "TsinghuaC3I/Fourier-Position-Embedding#6",
            says: "the authors of the encoding mean it: a frequency of 0 at a phase of 45 degrees",
        }],
        cases: &[FaultyProgram::new("sines padded with ones", Promised::Stated(proportional), Injection::Entries(EntryFault::Ones))],
        vectors: Some(Vectors {
            place: 97,
            description: "The sine 1 in pairs that are not to be rotated.",
            effect: "These pairs turn by 45 degrees, and are longer by a factor of √2.",
            promised: proportional,
            injection: Injection::Entries(EntryFault::Ones),
        }),
        alternatives: &[],
    };
}
