//! Numbers with few digits, tables of few angles, and rows that are made of rows.

use super::super::{Code, EntryFault, Fault, FaultyProgram, FrequencyFault, Injection, Promised, Vectors};
use super::promised::rope;
use super::rows;

rows! {
    ROUNDED_FREQUENCIES: Fault {
        name: "rounded-frequencies",
        code: Code::LowPrecisionFrequencies,
        cause: "they were printed and read again, or are fixed-point numbers",
        advice: "compute them in f32, or print 9 significant digits",
        threads: &[],
        cases: &[FaultyProgram::new(
            "frequencies of four decimals",
            Promised::Any,
            Injection::Frequencies(FrequencyFault::Decimals(4)),
        )],
        vectors: Some(Vectors {
            place: 92,
            description: "Frequencies rounded to four decimals.",
            effect: "Angles of slow pairs are wrong by up to a third.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Decimals(4)),
        }),
        alternatives: &[],
    };
    FIXED_POINT: Fault {
        name: "fixed-point-entries",
        code: Code::LowPrecisionStorage,
        cause: "they are fixed-point numbers, or were printed with few decimals",
        advice: "keep cosines and sines in f32, or state --step",
        threads: &[],
        cases: &[FaultyProgram::new("fixed-point entries", Promised::Any, Injection::Entries(EntryFault::InSteps(127)))],
        vectors: Some(Vectors {
            place: 93,
            description: "Cosines and sines that are multiples of 1/127.",
            effect: "Entries are wrong by up to 1/254.",
            promised: rope,
            injection: Injection::Entries(EntryFault::InSteps(127)),
        }),
        alternatives: &[],
    };
    LOOKED_UP: Fault {
        name: "looked-up-angles",
        code: Code::LowPrecisionTrigonometry,
        cause: "cosines and sines are those of a table that has these angles alone",
        advice: "interpolate between the entries of the table, or compute cosines and sines of the angles themselves",
        threads: &[],
        cases: &[FaultyProgram::new("table of 256 angles", Promised::Any, Injection::Entries(EntryFault::LookedUp(256)))],
        vectors: Some(Vectors {
            place: 94,
            description: "Cosines and sines of the nearest one of 256 angles in a turn.",
            effect: "Entries are wrong by up to π/256.",
            promised: rope,
            injection: Injection::Entries(EntryFault::LookedUp(256)),
        }),
        alternatives: &[],
    };
    SUMMED: Fault {
        name: "summed-rows",
        code: Code::LowPrecisionAngles,
        cause: "the roundings of all rows before add up",
        advice: "multiply the position of each row by the frequencies",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}
