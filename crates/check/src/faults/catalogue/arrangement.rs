//! The right numbers in the wrong places, or with the wrong sign.

use super::super::{Code, EntryFault, Fault, FaultyProgram, Injection, PlacementFault, Promised, Thread, Vectors};
use super::promised::{rope, rotation, sinusoid};
use super::rows;
use posproof_encoding::convention::{Convention, Direction};

rows! {
    LAYOUT: Fault {
        name: "layout",
        code: Code::Layout,
        cause: "the two conventions are confused",
        advice: "rotate the pairs that the weights were trained with, or permute the weights of query and key",
        threads: &[
            Thread {
                name: "huggingface/transformers#25199",
                says: "transformers pairs the halves of a head, Meta's Llama neighbouring entries; the converted weights are permuted",
            },
            Thread {
                name: "tensorflow/tensorflow#37191",
                says: "the tutorial's table has sines and cosines one after the other where the paper interleaves them",
            },
            Thread {
                name: "huggingface/nanotron#427",
                says: "the converters ignore whether the model interleaves its pairs",
            },
            Thread {
                name: "huggingface/diffusers#3981",
                says: "sines and cosines are concatenated where the paper interleaves them",
            },
            Thread {
                name: "rasbt/LLMs-from-scratch#747",
                says: "a rotation of halves is given Meta's weights, whose queries and keys have to be permuted for it",
            },
        ],
        cases: &[FaultyProgram::new("other layout", Promised::Rotation, Injection::Places(PlacementFault::OtherLayout))],
        vectors: Some(Vectors {
            place: 25,
            description: "Neighbouring entries rotated where the two halves form the pairs.",
            effect: "Scores no longer depend on distances alone, with weights made for the other layout.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::OtherLayout),
        }),
        alternatives: &[],
    };
    READ_AND_WRITTEN: Fault {
        name: "read-and-written",
        code: Code::Layout,
        cause: "pairs are read in one layout and written in the other",
        advice: "write each pair where it was read",
        threads: &[Thread {
            name: "huggingface/transformers#25199",
            says: "transformers pairs the halves of a head, Meta's Llama neighbouring entries; the converted weights are permuted",
        }],
        cases: &[FaultyProgram::new("read and written differently", Promised::Rotation, Injection::Places(PlacementFault::WrittenInOtherLayout))],
        vectors: Some(Vectors {
            place: 30,
            description: "Pairs read as halves and written as neighbours.",
            effect: "The right numbers in the wrong entries.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::WrittenInOtherLayout),
        }),
        alternatives: &[],
    };
    ORDER: Fault {
        name: "order",
        code: Code::Order,
        cause: "sines and cosines are exchanged within every pair",
        advice: "exchange them, or state the order",
        threads: &[
            Thread {
                name: "flashinfer-ai/flashinfer#3819",
                says: "the halves of sines and cosines of a timestep embedding are swapped",
            },
            Thread {
                name: "huggingface/diffusers#1369",
                says: "the Flax module has one order of sines and cosines where the models ask for the other",
            },
        ],
        cases: &[FaultyProgram::new("order", Promised::Sinusoid, Injection::Entries(EntryFault::Exchanged))],
        vectors: Some(Vectors {
            place: 16,
            description: "Cosines where the sines belong, and the reverse.",
            effect: "Every pair is mirrored.",
            promised: sinusoid,
            injection: Injection::Entries(EntryFault::Exchanged),
        }),
        alternatives: &[],
    };
    EXCHANGED_ARRAYS: Fault {
        name: "exchanged-arrays",
        code: Code::Order,
        cause: "cosines and sines are exchanged: the two arrays are swapped",
        advice: "pass the cosines as cosines",
        threads: &[],
        cases: &[FaultyProgram::new("arrays exchanged", Promised::Stated(rope), Injection::Entries(EntryFault::Exchanged))],
        vectors: Some(Vectors {
            place: 31,
            description: "Sines passed as cosines, and cosines as sines.",
            effect: "Every pair is mirrored.",
            promised: rope,
            injection: Injection::Entries(EntryFault::Exchanged),
        }),
        alternatives: &[],
    };
    DIRECTION: Fault {
        name: "direction",
        code: Code::Direction,
        cause: "the rotation goes in the other direction: every sine has the wrong sign",
        advice: "negate the sines, or state the direction: with weights of its own a model works with either",
        threads: &[Thread {
            name: "karpathy/nanochat#489",
            says: "the rotation is the transpose of the textbook's: the other direction, kept because models were trained with it",
        }],
        cases: &[FaultyProgram::new("direction", Promised::Any, Injection::Convention(clockwise))],
        vectors: Some(Vectors {
            place: 26,
            description: "Rotation in the other direction.",
            effect: "Self-consistent, and wrong with weights trained the right way round.",
            promised: rotation,
            injection: Injection::Convention(clockwise),
        }),
        alternatives: &[],
    };
    PARITY_OF_ROWS: Fault {
        name: "parity-of-rows",
        code: Code::Order,
        cause: "sine and cosine alternate from row to row instead of from column to column: the parity is taken of the position",
        advice: "index the last dimension: pe[:, 0::2] and pe[:, 1::2]",
        threads: &[Thread {
            name: "gmongaras/Diffusion_models_from_scratch#10",
            says: "embeddings[::2] and embeddings[1::2] take the sine of even rows and the cosine of odd ones",
        }],
        cases: &[FaultyProgram::new("parity over rows", Promised::Sinusoid, Injection::Entries(EntryFault::ParityOfRows))],
        vectors: Some(Vectors {
            place: 9,
            description: "Sine and cosine alternate over rows instead of columns.",
            effect: "Even rows are all sines, odd rows all cosines.",
            promised: sinusoid,
            injection: Injection::Entries(EntryFault::ParityOfRows),
        }),
        alternatives: &[],
    };
    COSINE_EXPONENT: Fault {
        name: "cosine-exponent",
        code: Code::FrequencySpacing,
        cause: "the cosines have exponents of their own",
        advice: "take one exponent for both entries of a pair",
        threads: &[Thread {
            name: "SamLynnEvans/Transformer#25",
            says: "the cosine is given the exponent 2(i + 1)/d where the paper has that of the sine",
        }],
        cases: &[FaultyProgram::new("own exponents", Promised::Sinusoid, Injection::Entries(EntryFault::OwnExponents(2)))],
        vectors: Some(Vectors {
            place: 17,
            description: "The cosine takes the exponent (2k + 1)/dim of its own column.",
            effect: "The two entries of a pair no longer lie on the unit circle.",
            promised: sinusoid,
            injection: Injection::Entries(EntryFault::OwnExponents(1)),
        }),
        alternatives: &[],
    };
}

fn clockwise(convention: &Convention) -> Convention {
    Convention { direction: Direction::Clockwise, ..convention.clone() }
}
