//! Right frequencies at wrong positions.

use super::super::{Code, Fault, FaultyProgram, Injection, Promised, Thread, Vectors};
use super::alternatives::{fraction, linearly};
use super::promised::*;
use super::rows;
use super::rules::GEMMA;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;

const PAST_THE_CACHE: Thread = Thread {
    name: "pegainfer-project/pegainfer#220",
    says: "contexts of 40960 are admitted to a cache of 4096 positions, which is read beyond its end",
};
pub(super) const DECODED_WITHOUT_DELTA: Thread = Thread {
    name: "Blaizzy/mlx-vlm#1619",
    says: "decoding loses what the prefill adds to positions, so that every later row is off by a constant",
};

rows! {
    CONSTANT_ROWS: Fault {
        name: "constant-rows",
        code: Code::StalePositions,
        cause: "the position does not advance, or the table is indexed by something else",
        advice: "index by the position: by the dimension of the sequence, past the tokens that are cached",
        threads: &[
            Thread {
                name: "AkiRusProd/numpy-transformer#1",
                says: "the table is sliced by the batch, so that every position of an example has the same row",
            },
            Thread {
                name: "Blaizzy/mlx-vlm#1983",
                says: "every decoded token is given position 0, whatever the cache holds",
            },
        ],
        cases: &[FaultyProgram::new("stale", Promised::Any, Injection::Positions(|_| 7.0))],
        vectors: Some(Vectors {
            place: 8,
            description: "The encoding is indexed by the batch, not by the position.",
            effect: "Every row is row 0.",
            promised: sinusoid,
            injection: Injection::Positions(|_| 0.0),
        }),
        alternatives: &[],
    };
    TABLE_NUMBERS: Fault {
        name: "table-numbers",
        code: Code::StalePositions,
        cause: "positions are counted along the batch, not along the sequence",
        advice: "count the dimension of the sequence, and broadcast along the others",
        threads: &[Thread {
            name: "cmu-l3/anlp-fall2025-code#1",
            says: "positions are counted along the batch, so that all tokens of a sequence have the same encoding",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    FIRST_POSITION: Fault {
        name: "first-position",
        code: Code::PositionOffset,
        cause: "the first position is off",
        advice: "start at the position that the weights were trained with, or state --position-offset",
        threads: &[Thread {
            name: "facebookresearch/fairseq#1177",
            says: "positions begin at padding_idx + 1, so that the first is not taken for padding",
        }],
        cases: &[
            FaultyProgram::new("offset 1", Promised::Any, Injection::Convention(|c| offset(c, 1))),
            FaultyProgram::new("offset 17", Promised::Any, Injection::Convention(|c| offset(c, 17))),
        ],
        vectors: Some(Vectors {
            place: 50,
            description: "Positions counted from 1.",
            effect: "Every row is its neighbour.",
            promised: sinusoid,
            injection: Injection::Convention(|c| offset(c, 1)),
        }),
        alternatives: &[],
    };
    APPLIED_TWICE: Fault {
        name: "applied-twice",
        code: Code::PositionScale,
        cause: "the rotation is applied twice, or positions are doubled",
        advice: "rotate query and key once, by their own positions",
        threads: &[Thread {
            name: "ml-explore/mlx-lm#1545",
            says: "positions are multiplied by a hard-coded 2 wherever scaling is not linear",
        }],
        cases: &[FaultyProgram::new("applied twice", Promised::Any, Injection::Convention(|c| scaled(c, 2.into())))],
        vectors: Some(Vectors {
            place: 28,
            description: "The rotation is applied twice.",
            effect: "Angles are doubled.",
            promised: rotation,
            injection: Injection::Convention(|c| scaled(c, 2.into())),
        }),
        alternatives: &[],
    };
    ANGLES_SCALED: Fault {
        name: "angles-scaled",
        code: Code::PositionScale,
        cause: "a factor is missing or applied once too often",
        advice: "compare what multiplies positions with --angle-scale",
        threads: &[Thread {
            name: "tensorflow/models#10945",
            says: "inverse timescales are multiplied by min_timescale where they should be divided by it",
        }],
        cases: &[FaultyProgram::new("half angles", Promised::Any, Injection::Convention(|c| scaled(c, fraction(1, 2))))
            .also(&[Code::FrequencyScaling])],
        vectors: Some(Vectors {
            place: 51,
            description: "Positions divided by 2.",
            effect: "Every angle is half of what it should be.",
            promised: rope,
            injection: Injection::Convention(|c| scaled(c, fraction(1, 2))),
        }),
        alternatives: &[],
    };
    FREQUENCIES_SCALED: Fault {
        name: "frequencies-scaled",
        code: Code::FrequencyScaling,
        cause: "a factor is missing or applied once too often",
        advice: "compare the factor of rope_scaling with what positions or frequencies are divided by",
        threads: &[GEMMA],
        cases: &[FaultyProgram::new(
            "linear unstated",
            Promised::Stated(unscaled),
            Injection::Convention(|c| linearly(c, 8.into())),
        )],
        vectors: Some(Vectors {
            place: 52,
            description: "Frequencies divided by 8, which is not stated.",
            effect: "Every angle is an eighth of what it should be.",
            promised: rope,
            injection: Injection::Convention(|c| linearly(c, 8.into())),
        }),
        alternatives: &[],
    };
    UNROTATED_ROWS: Fault {
        name: "unrotated-rows",
        code: Code::ClampedPositions,
        cause: "they lie past the end of a cache",
        advice: "make the cache as long as the longest context, or refuse positions beyond it",
        threads: &[Thread {
            name: "microsoft/onnxruntime#28205",
            says: "the operator returns, with the vectors as they are, where position ids are out of bounds",
        }],
        cases: &[
            FaultyProgram::new("unrotated from 2048", Promised::Any, Injection::Positions(|p| if p < 2048 { p as f64 } else { 0.0 }))
                .from(2048),
        ],
        vectors: Some(Vectors {
            place: 29,
            description: "Rows past the end of a cache of 1024 rows are left as they are.",
            effect: "Late queries and keys carry no position.",
            promised: rotation,
            injection: Injection::Positions(|p| if p < 1024 { p as f64 } else { 0.0 }),
        }),
        alternatives: &[],
    };
    CLAMPED_POSITIONS: Fault {
        name: "clamped-positions",
        code: Code::ClampedPositions,
        cause: "positions are clamped to the end of a cache",
        advice: "make the cache as long as the longest context, or refuse positions beyond it",
        threads: &[
            PAST_THE_CACHE,
            Thread {
                name: "karpathy/nanochat#514",
                says: "prompts outgrow a cache of a fixed length, which an assertion refuses; #612 makes the cache grow",
            },
        ],
        cases: &[
            FaultyProgram::new("clamped at 255", Promised::Any, Injection::Positions(|p| p.min(255) as f64)).from(256),
            FaultyProgram::new("clamped at 4095", Promised::Any, Injection::Positions(|p| p.min(4095) as f64)).from(4096),
        ],
        vectors: Some(Vectors {
            place: 7,
            description: "Positions past the end of a cache of 4096 rows use its last row.",
            effect: "All rows from 4096 on are the same.",
            promised: rope,
            injection: Injection::Positions(|p| p.min(4095) as f64),
        }),
        alternatives: &[],
    };
    WRAPPED_POSITIONS: Fault {
        name: "wrapped-positions",
        code: Code::ClampedPositions,
        cause: "they wrap around the end of a cache, or begin anew in sequences of one length",
        advice: "make the cache as long as the longest context, or refuse positions beyond it",
        threads: &[PAST_THE_CACHE],
        cases: &[
            FaultyProgram::new("wrapped at 512", Promised::Any, Injection::Positions(|p| (p % 512) as f64)).from(512),
            FaultyProgram::new("wrapped at 4096", Promised::Any, Injection::Positions(|p| (p % 4096) as f64)).from(4096),
        ],
        vectors: Some(Vectors {
            place: 53,
            description: "Positions wrap around the end of a cache of 4096 rows.",
            effect: "Rows from 4096 on repeat earlier ones.",
            promised: rope,
            injection: Injection::Positions(|p| (p % 4096) as f64),
        }),
        alternatives: &[],
    };
    LATER_OFFSET: Fault {
        name: "position-offset",
        code: Code::PositionOffset,
        cause: "the offset of a later step is wrong",
        advice: "compare the positions of the prefill with those of decoding",
        threads: &[
            DECODED_WITHOUT_DELTA,
            Thread {
                name: "RobertCsordas/moeut#6",
                says: "the offset of queries is taken before the cached keys are counted",
            },
            Thread {
                name: "Blaizzy/mlx-vlm#1621",
                says: "later chunks of a long prompt are given positions from 0 on again, and decoding loses the offset",
            },
        ],
        cases: &[
            FaultyProgram::new("offset from 256", Promised::Any, Injection::Positions(|p| late(p, 256, 1))).from(256),
            FaultyProgram::new("offset from 4096", Promised::Any, Injection::Positions(|p| late(p, 4096, -3))).from(4096),
        ],
        vectors: Some(Vectors {
            place: 6,
            description: "From position 2048 on, decoding is one position ahead.",
            effect: "The prefill is right; every later row is its neighbour.",
            promised: rope,
            injection: Injection::Positions(|p| late(p, 2048, 1)),
        }),
        alternatives: &[],
    };
    POSITION_RULE: Fault {
        name: "position-rule",
        code: Code::Positions,
        cause: "positions follow another rule than the stated one",
        advice: "state the positions that are meant with --positions",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    COUNTED_TABLES: Fault {
        name: "counted-tables",
        code: Code::PositionOffset,
        cause: "tables are counted as rows: the first alone is right",
        advice: "count the positions of every head and every sequence anew",
        threads: &[Thread {
            name: "elixir-nx/emlx#121",
            says: "the kernel counts heads as rows where heads are last but one",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    RESTARTED: Fault {
        name: "restarted",
        code: Code::Positions,
        cause: "positions begin anew within a sequence: they are reset twice, or by another boundary",
        advice: "reset the positions at the beginning of every sequence, and only there",
        threads: &[],
        // Where few rows stand, other rules explain them.
        cases: &[FaultyProgram::new("restarted at 100 and at 300", Promised::Any, Injection::Positions(restarted))
            .also(&[Code::PositionOffset, Code::StalePositions, Code::ClampedPositions])],
        vectors: Some(Vectors {
            place: 54,
            description: "Positions begin anew at 257 and at 4097.",
            effect: "Rows repeat earlier ones.",
            promised: rope,
            injection: Injection::Positions(|p| (p - if p < 257 { 0 } else if p < 4097 { 257 } else { 4097 }) as f64),
        }),
        alternatives: &[],
    };
    ROW_SHIFT: Fault {
        name: "row-shift",
        code: Code::RowShift,
        cause: "the rows are rolled, or prefix rows (a class token, registers) are counted on one side only",
        advice: "number the rows behind the prefix from the first one that has a position",
        threads: &[Thread {
            name: "huggingface/pytorch-image-models#2478",
            says: "the row of the class token is put behind the others, and the token stands before them",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    CHUNKS_EXCHANGED: Fault {
        name: "chunks-exchanged",
        code: Code::Positions,
        cause: "rows have each other's positions: the order of the chunks of context parallelism, or of merged patches",
        advice: "give every row the position of the token that it holds: rank r of R holds the chunks r and 2R − 1 − r",
        threads: &[Thread {
            name: "modelscope/ms-swift#10071",
            says: "shards that are contiguous are put together in the zigzag order of other shards",
        }],
        cases: &[FaultyProgram::new("chunks exchanged", Promised::Any, Injection::Positions(|p| (p ^ 64) as f64)).also(&[Code::StalePositions])],
        vectors: Some(Vectors {
            place: 55,
            description: "Neighbouring chunks of 64 rows exchanged.",
            effect: "Every row is that of another chunk.",
            promised: rope,
            injection: Injection::Positions(|p| (p ^ 64) as f64),
        }),
        alternatives: &[],
    };
    EARLIER_POSITIONS: Fault {
        name: "stale-positions",
        code: Code::StalePositions,
        cause: "rows of an earlier call are reused, or the positions are computed wrongly",
        advice: "compare the positions that reach the encoding; key a cache by everything that its rows depend on: offset, length, base and format",
        threads: &[Thread {
            name: "lucidrains/rotary-embedding-torch#11",
            says: "the cache's key leaves out the offset, so that another offset returns the first one's rows",
        }],
        cases: &[FaultyProgram::new(
            "positions of an earlier call from 1024",
            Promised::Any,
            Injection::Positions(|p| if p < 1024 { p as f64 } else { ((p * 7919) % 1000) as f64 }),
        )
        .from(1024)],
        vectors: Some(Vectors {
            place: 56,
            description: "Rows of an earlier call from 2048 on.",
            effect: "Late rows have positions of no pattern.",
            promised: rope,
            injection: Injection::Positions(|p| if p < 2048 { p as f64 } else { ((p * 7919) % 1000) as f64 }),
        }),
        alternatives: &[],
    };
}

fn offset(convention: &Convention, by: i64) -> Convention {
    Convention { position_offset: by.into(), ..convention.clone() }
}

fn scaled(convention: &Convention, position_scale: Real) -> Convention {
    Convention { position_scale, ..convention.clone() }
}

/// Positions that begin anew at 100 and at 300.
fn restarted(position: u64) -> f64 {
    let start = if position < 100 {
        0
    } else if position < 300 {
        100
    } else {
        300
    };
    (position - start) as f64
}

/// The position, from one on so many further.
fn late(position: u64, from: u64, by: i64) -> f64 {
    let by = if position < from { 0 } else { by };
    position as f64 + by as f64
}
