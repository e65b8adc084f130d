//! Faults of the products that make rotated vectors.

use super::super::{Code, EntryFault, Fault, FaultyProgram, Injection, PlacementFault, Promised, Thread, Vectors};
use super::promised::rotation;
use super::rows;

rows! {
    OTHER_COLUMNS: Fault {
        name: "other-columns",
        code: Code::NotARotation,
        cause: "the columns of the cache are read at other places than those of the pair",
        advice: "take cosine and sine of one column, that of the pair",
        threads: &[Thread {
            name: "vllm-project/vllm-ascend#12723",
            says: "sines are read from half of the padded dimension on, in rows whose sines begin at half of the dimension",
        }],
        cases: &[
            FaultyProgram::new("other columns", Promised::Rotation, Injection::Places(PlacementFault::OtherColumns)),
            FaultyProgram::new("sines further on", Promised::Rotation, Injection::Entries(EntryFault::SinesFurther(3))),
        ],
        vectors: Some(Vectors {
            place: 58,
            description: "The second entry of each pair takes cosine and sine of the next pair.",
            effect: "The two entries of a pair turn by different angles.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::OtherColumns),
        }),
        alternatives: &[],
    };
    ENTRY_KEPT: Fault {
        name: "entry-kept",
        code: Code::NotARotation,
        cause: "one half of the rotated vector is written, and the other is left as it was",
        advice: "write both entries of each pair",
        threads: &[],
        cases: &[FaultyProgram::new("half written", Promised::Rotation, Injection::Places(PlacementFault::HalfWritten))],
        vectors: Some(Vectors {
            place: 59,
            description: "The second entry of each pair is left as it was.",
            effect: "Not a rotation.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::HalfWritten),
        }),
        alternatives: &[],
    };
    ENTRY_GAINS: Fault {
        name: "entry-gains",
        code: Code::NotARotation,
        cause: "a weight of each entry is applied after the rotation, as that of a norm",
        advice: "apply the weights of norms before queries and keys are rotated",
        threads: &[],
        cases: &[FaultyProgram::new("weighted", Promised::Rotation, Injection::Places(PlacementFault::Weighted))],
        vectors: Some(Vectors {
            place: 60,
            description: "A weight of each entry, applied behind the rotation.",
            effect: "Lengths change with the direction.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::Weighted),
        }),
        alternatives: &[],
    };
    POWERS_OF_POSITIONS: Fault {
        name: "powers-of-positions",
        code: Code::NotARotation,
        cause: "lengths change with the position, as xPos has it",
        advice: "compare before the powers of xPos are applied, or leave them out",
        threads: &[],
        cases: &[FaultyProgram::new("powers of positions", Promised::Rotation, Injection::Entries(EntryFault::PowersOfPositions))],
        vectors: Some(Vectors {
            place: 61,
            description: "xPos's powers of the position, computed in binary64.",
            effect: "Vectors become shorter with the position.",
            promised: rotation,
            injection: Injection::Entries(EntryFault::PowersOfPositions),
        }),
        alternatives: &[],
    };
    ONE_MATRIX: Fault {
        name: "one-matrix",
        code: Code::NotARotation,
        cause: "the vectors are mixed after the rotation",
        advice: "compare before the transform, or apply it to queries and keys alike",
        threads: &[],
        cases: &[FaultyProgram::new("reflected", Promised::Rotation, Injection::Places(PlacementFault::Reflected))],
        vectors: Some(Vectors {
            place: 62,
            description: "Rotated vectors are reflected at a plane.",
            effect: "Scores of reflected queries and keys stay, and vectors are others.",
            promised: rotation,
            injection: Injection::Places(PlacementFault::Reflected),
        }),
        alternatives: &[],
    };
    REPEATED: Fault {
        name: "repeated-rotation",
        code: Code::Unexplained,
        cause: "rotations one after the other leave that, at least as many, each of which is rounded",
        advice: "rotate from the original vectors, or keep those between in a wider format",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    CROSS_WIRED: Fault {
        name: "cross-wired",
        code: Code::NotARotation,
        cause: "vectors are cross-wired",
        advice: "compare which vector each result is computed from",
        threads: &[Thread {
            name: "hpcaitech/ColossalAI#6428",
            says: "half of the rotated query is computed from the key, and the reverse",
        }],
        cases: &[FaultyProgram::new("cross-wired", Promised::Rotation, Injection::Places(PlacementFault::CrossWired))],
        vectors: None,
        alternatives: &[],
    };
    NORMALISED: Fault {
        name: "normalised",
        code: Code::NotARotation,
        cause: "queries or keys are normalised between x and y, so that y is the rotation of other vectors",
        advice: "give the vectors that go into the rotation, behind a norm of queries and keys, and y as the rotation returns it",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    NOT_OF_X: Fault {
        name: "not-of-x",
        code: Code::NotARotation,
        cause: "y is not x rotated row by row, in any known layout",
        advice: "compare which vector each result is computed from, and by which products",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}
