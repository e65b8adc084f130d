//! Rows of padding, which have positions that no token has.

use super::super::{Code, Fault, FaultyProgram, Injection, Promised, Vectors};
use super::promised::*;
use super::rows;

rows! {
    PADDED_ROWS: Fault {
        name: "padded-rows",
        code: Code::ClampedPositions,
        cause: "these rows are padding, which has one position",
        advice: "judge the rows before them, or state the position of the padding with --positions",
        threads: &[],
        cases: &[FaultyProgram::new("padded from 256", Promised::Any, Injection::Positions(|p| if p < 256 { p as f64 } else { 1.0 })).from(256)],
        vectors: Some(Vectors {
            place: 86,
            description: "Rows from 2048 on are padding, at position 1.",
            effect: "They are all the same; the others are right.",
            promised: rope,
            injection: Injection::Positions(|p| if p < 2048 { p as f64 } else { 1.0 }),
        }),
        alternatives: &[],
    };
    LEFT_PADDED: Fault {
        name: "left-padded",
        code: Code::Positions,
        cause: "the sequence is padded on the left, and positions begin behind the padding",
        advice: "state these positions with --positions, or judge the rows behind the padding by themselves",
        threads: &[],
        // Where few rows stand, other rules explain them.
        cases: &[FaultyProgram::new("padded on the left", Promised::Any, Injection::Positions(behind_padding))
            .also(&[Code::PositionOffset, Code::StalePositions])],
        vectors: Some(Vectors {
            place: 87,
            description: "37 rows of padding at position 1, and positions from 0 on behind them.",
            effect: "Every row has another position than its number.",
            promised: rope,
            injection: Injection::Positions(behind_padding),
        }),
        alternatives: &[],
    };
}

/// Positions behind 37 rows of padding at position 1, as transformers fills them.
fn behind_padding(position: u64) -> f64 {
    if position < 37 { 1.0 } else { (position - 37) as f64 }
}
