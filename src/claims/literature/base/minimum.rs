//! `base.minimum`: which of the printed bases serve their lengths, and which are not the least.

use super::{Service, score, survey_of_base};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::interval::Enclosing;
use crate::number::{Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Minimum;

const DIM: usize = 128;

/// The printed bases that fail for their length 2^k, each with a distance at which B is negative.
const FAILING: [(u32, i64, &str); 7] = [
    (27_000, 4080, "score_27000"),
    (310_000, 14_894, "score_310000"),
    (640_000, 30_929, "score_640000"),
    (7_800_000, 128_915, "score_7800000"),
    (36_000_000, 207_456, "score_36000000"),
    (64_000_000, 511_210, "score_64000000"),
    (510_000_000, 874_868, "score_510000000"),
];

/// Lengths with an integer base that serves them and is below the printed one; from the fourth on at exhaustive effort.
const SERVING: [(u32, u32); 6] = [
    (2048, 11_588),
    (16_384, 231_644),
    (131_072, 4_869_105),
    (262_144, 23_662_398),
    (524_288, 58_496_174),
    (1 << 20, 65_374_956),
];
const QUICKLY: usize = 3;

impl Claim for Minimum {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.minimum",
        statement: "For d = 128, with B(m; b) = Σ_i cos(m·b^(−2i/d)) ≥ 0 wanted for all 0 ≤ m ≤ L: of the eleven printed bases for L = 2^10 … 2^20 seven violate this for their own length, 27000 (L = 4096), 310000 (16384), 640000 (32768), 7.8·10^6 (131072), 3.6·10^7 (262144), 6.4·10^7 (524288) and 5.1·10^8 (1048576); and smaller bases serve L = 2048 (11588 for 16000), 16384 (231644), 131072 (4869105), 262144 (23662398), 524288 (58496174) and 1048576 (65374956).",
        written: Some(
            "The least bases for L = 1k, 2k, 4k, … 1M are 4.3e3, 1.6e4, 2.7e4, 8.4e4, 3.1e5, 6.4e5, 2.1e6, 7.8e6, 3.6e7, 6.4e7 and 5.1e8.",
        ),
        sources: &[Source {
            document: Document::BaseBounds,
            place: "table of least bases (as quoted in a post on it) and Figure 1",
        }],
        verdict: Verdict::Corrected,
        sabotage: "30000 for 27000 at L = 4096; in the surveys, half of each serving base",
        remark: Some(
            "The table was read as quoted in a post on it. k is taken as 1024; with k = 1000 the bases 27000 and 7.8·10^6 are not violated by these witnesses, the other five are. The infima themselves are not established here: that needs a cover of all smaller bases. Lengths from 262144 on are looked at as a whole at exhaustive effort only.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let zero = system.integer(0);
        let relation = |base, distance| {
            let score = score(system, base, DIM, distance);
            if form == Form::AsWritten {
                Relation::AtMost(zero.clone(), score)
            } else {
                Relation::Less(score, zero.clone())
            }
        };
        let all = FAILING.iter().enumerate().map(|(row, (base, distance, _))| {
            let base = if form.is_sabotaged() && row == 0 { 30_000 } else { *base };
            Comparison {
                what: "score under a printed base and 0",
                index: [row, 0],
                relation: relation(base, *distance),
            }
        });
        Ok(all.collect())
    }

    fn work(_: &Size) -> usize {
        2 * FAILING.len() * DIM
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let count = if effort == Effort::Exhaustive { SERVING.len() } else { QUICKLY };
        let serving = SERVING.iter().take(count);
        // The sabotage of a survey is half of the serving base.
        let base = |base: u32| if form.is_sabotaged() { base / 2 } else { base };
        serving.map(|(length, least)| survey_of_base(base(*least), DIM, *length, Service::Whole)).collect()
    }

    fn values() -> Vec<CertifiedValue> {
        let value = |base, distance| score(&Enclosing::default(), base, DIM, distance);
        FAILING.map(|(base, distance, name)| CertifiedValue { name, enclosure: value(base, distance) }).into()
    }
}
