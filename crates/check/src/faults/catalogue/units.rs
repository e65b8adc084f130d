//! Units of angles that are taken for others, and entries that are lost by chance.

use super::super::{
    Alternative, Cause, Code, EntryFault, Fault, FaultyProgram, FrequencyFault, Injection, Promised, Vectors,
};
use super::numbers::times;
use super::promised::*;
use super::rows;
use std::f64::consts::PI;

rows! {
    HALF_TURNS: Fault {
        name: "angles-in-half-turns",
        code: Code::PositionScale,
        cause: "every angle is π times what it should be: angles in half turns are taken for radians",
        advice: "compare what positions and frequencies are multiplied by",
        threads: &[],
        cases: &[FaultyProgram::new("angles in half turns", Promised::Any, Injection::Frequencies(FrequencyFault::Times(PI)))],
        vectors: Some(Vectors {
            place: 91,
            description: "Angles in half turns taken for radians.",
            effect: "Every angle is π times what it should be.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Times(PI)),
        }),
        alternatives: &[Alternative::Frequencies { made: |c| times(c, PI), cause: |_, found| Cause::Frequencies { found } }],
    };
    OVER_DEGREES: Fault {
        name: "angles-over-degrees",
        code: Code::PositionScale,
        cause: "every angle is π/180 times what it should be: angles in radians are taken for degrees",
        advice: "compare what positions and frequencies are multiplied by",
        threads: &[],
        cases: &[FaultyProgram::new("radians as degrees", Promised::Any, Injection::Frequencies(FrequencyFault::Times(PI / 180.0)))],
        vectors: Some(Vectors {
            place: 88,
            description: "Angles in radians taken for degrees.",
            effect: "Every angle is π/180 times what it should be.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Times(PI / 180.0)),
        }),
        alternatives: &[Alternative::Frequencies { made: |c| times(c, PI / 180.0), cause: |_, found| Cause::Frequencies { found } }],
    };
    TIMES_DEGREES: Fault {
        name: "angles-in-degrees",
        code: Code::PositionScale,
        cause: "every angle is 180/π times what it should be: angles in degrees are taken for radians",
        advice: "compare what positions and frequencies are multiplied by",
        threads: &[],
        cases: &[FaultyProgram::new("degrees as radians", Promised::Any, Injection::Frequencies(FrequencyFault::Times(180.0 / PI)))],
        vectors: Some(Vectors {
            place: 89,
            description: "Angles in degrees taken for radians.",
            effect: "Every angle is 180/π times what it should be.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Times(180.0 / PI)),
        }),
        alternatives: &[Alternative::Frequencies { made: |c| times(c, 180.0 / PI), cause: |_, found| Cause::Frequencies { found } }],
    };
    DROPOUT: Fault {
        name: "dropout",
        code: Code::NotARotation,
        cause: "active dropout leaves entries so",
        advice: "call eval() on the module first",
        threads: &[],
        cases: &[FaultyProgram::new("dropout", Promised::Sinusoid, Injection::Entries(EntryFault::Dropped))],
        vectors: Some(Vectors {
            place: 90,
            description: "Dropout of one entry in ten.",
            effect: "Some entries are zero, and the others 10/9 times what they should be.",
            promised: sinusoid,
            injection: Injection::Entries(EntryFault::Dropped),
        }),
        alternatives: &[],
    };
}
