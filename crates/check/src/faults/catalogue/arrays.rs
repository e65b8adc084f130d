//! Arrays whose columns, rounding or positions are not as they should be, whatever law their entries follow.

use super::super::{Code, Fault, Thread};
use super::rows;

rows! {
    DUPLICATION: Fault {
        name: "duplication",
        code: Code::Duplication,
        cause: "caches for pairs (k, k + dim/2) repeat halves, those for pairs (2k, 2k + 1) single columns",
        advice: "repeat halves for pairs (k, k + dim/2), and single columns for pairs (2k, 2k + 1), or state --duplication",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    DUPLICATIONS: Fault {
        name: "different-duplications",
        code: Code::Duplication,
        cause: "no rotation takes both as they are",
        advice: "make cosines and sines of one array of angles",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    HALF_AS_MANY: Fault {
        name: "half-as-many-frequencies",
        code: Code::Duplication,
        cause: "the width of a cache with repeated columns is taken for its number of pairs",
        advice: "state the dimensions that are rotated, with --rotary-dim or --dim",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    FREQUENCIES: Fault {
        name: "frequencies",
        code: Code::Unexplained,
        cause: "follow neither the stated convention nor a known fault",
        advice: "compare the frequency that is shown as the worst with the exact one",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    WRONG_LEVELS: Fault {
        name: "levels",
        code: Code::Quantisation,
        cause: "the scale or the zero point is that of another tensor",
        advice: "state the scale and the zero point that the integers were made with",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    ROUNDING_MODE: Fault {
        name: "rounding-mode",
        code: Code::RoundingMode,
        cause: "bits are cut off, or rounded by another rule, where the entries are stored",
        advice: "convert with rounding to nearest, ties to even",
        threads: &[Thread {
            name: "tenstorrent/tt-metal#19882",
            says: "the conversion to bf16 cuts bits off, where that of others rounds to nearest",
        }],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    NOT_JUDGED: Fault {
        name: "not-judged",
        code: Code::NotJudged,
        cause: "at these positions the error of the angle may reach a turn in the precision that is stated, so that the entries say nothing",
        advice: "judge smaller positions, or state a higher precision with --compute or a narrower --path",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    ZERO_VECTORS: Fault {
        name: "zero-vectors",
        code: Code::NotJudged,
        cause: "a vector that is 0 is 0 under every rotation, so that the entries say nothing",
        advice: "rotate vectors other than 0: posproof probe writes some",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}
