//! `base.minimum`: the least bases, certified, and which of the printed ones serve their lengths.

use super::{Failure, Service, cover, failure, survey_of_base};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::System;
use crate::number::system::{Decision, Measure};
use crate::sweep::bases::Base;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Minimum;

const DIM: usize = 128;

/// The printed bases that fail for their length 2^k, each with a distance at which B is negative.
const FAILING: [Failure; 7] = [
    failure!(27000 at 4080),
    failure!(310000 at 14894),
    failure!(640000 at 30929),
    failure!(7800000 at 128915),
    failure!(36000000 at 207456),
    failure!(64000000 at 511210),
    failure!(510000000 at 874868),
];

/// A length with two decimals: no base from 1 to the lower one serves it, and the upper one does.
struct Infimum {
    length: u32,
    ends: [&'static str; 2],
}

/// The lengths 2^10 … 2^17: at quick effort the first two, at standard effort the first [`USUALLY`].
const INFIMA: [Infimum; 8] = [
    Infimum { length: 1 << 10, ends: ["4293.4375", "4293.4376"] },
    Infimum { length: 1 << 11, ends: ["11587.2443", "11587.2444"] },
    Infimum { length: 1 << 12, ends: ["26952.3392", "26952.3393"] },
    Infimum { length: 1 << 13, ends: ["83763.8410", "83763.8411"] },
    Infimum { length: 1 << 14, ends: ["231643.6468", "231643.6469"] },
    Infimum { length: 1 << 15, ends: ["629978.2628", "629978.2629"] },
    Infimum { length: 1 << 16, ends: ["2090179.6740", "2090179.6741"] },
    Infimum { length: 1 << 17, ends: ["4869104.3705", "4869104.3706"] },
];
const USUALLY: usize = 5;

/// Printed bases that serve their length: with k as 1024, and with k as 1000 the two that then do as well.
const SERVING: [(u32, u32); 6] = [
    (1 << 10, 4_300),
    (1 << 11, 16_000),
    (1 << 13, 84_000),
    (1 << 16, 2_100_000),
    (4_000, 27_000),
    (128_000, 7_800_000),
];

/// Longer lengths with a base that serves them and is below the printed one; at exhaustive effort.
const LONGER: [(u32, u32); 3] = [(1 << 18, 23_662_398), (1 << 19, 58_496_174), (1 << 20, 65_374_956)];

/// True if the infimum of the bases that serve a length lies between the ends; in the sabotaged form, that of twice the
/// length.
fn survey_of_infimum(infimum: &Infimum, form: Form) -> Survey {
    let Infimum { length, ends: [lower, upper] } = *infimum;
    let length = if form.is_sabotaged() { 2 * length } else { length };
    let scope =
        format!("all bases from 1 to {upper} and all distances up to {length} at d = {DIM}, by a cover of intervals");
    let measure = Measure { error: 0.0, bound: 0.0 };
    let parsed = [lower, upper].map(str::parse::<Base>);
    let (decision, finding) = match (cover(DIM, length, ["1", upper]), parsed) {
        (Ok(found), [Ok(lower), Ok(upper)]) => {
            let open = found.admissible.iter().chain(&found.undecided).map(|ends| ends[0]).min();
            let serves = found.admissible.last().filter(|ends| ends[1] == upper);
            let between = open.is_some_and(|open| open >= lower) && serves.is_some();
            let refuted = open.map_or("none".to_owned(), |open| format!("all below {open}"));
            let serving = serves.map_or("none".to_owned(), |[from, to]| format!("all from {from} to {to}"));
            let finding = format!("refuted are {refuted}; of the rest {serving} serve it");
            match between {
                true => (Decision::Held(measure), finding),
                false => (Decision::Refuted(measure), finding),
            }
        }
        (Err(error), _) | (_, [Err(error), _] | [_, Err(error)]) => {
            (Decision::Unable(error.into()), "not looked at".into())
        }
    };
    Survey { scope, cases: u64::from(length), decision, finding, measured: None }
}

impl Claim for Minimum {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.minimum",
        statement: "For d = 128, with B(m; b) = Σ_i cos(m·b^(−2i/d)) ≥ 0 wanted for all 0 ≤ m ≤ L, the infimum of the real bases b ≥ 1 that serve L is 4293.4375… for L = 2^10, 11587.2443… for 2^11, 26952.3392… for 2^12, 83763.8410… for 2^13, 231643.6468… for 2^14, 629978.2628… for 2^15, 2090179.6740… for 2^16 and 4869104.3705… for 2^17; 23662398 serves 2^18, 58496174 serves 2^19 and 65374956 serves 2^20. Of the eleven printed bases for L = 2^10 … 2^20 seven violate the criterion for their own length: 27000 (L = 4096), 310000 (16384), 640000 (32768), 7.8·10^6 (131072), 3.6·10^7 (262144), 6.4·10^7 (524288) and 5.1·10^8 (1048576); with k = 1000 five do, as 27000 serves 4000 and 7.8·10^6 serves 128000.",
        written: Some(
            "The least bases for L = 1k, 2k, 4k, … 1M are 4.3e3, 1.6e4, 2.7e4, 8.4e4, 3.1e5, 6.4e5, 2.1e6, 7.8e6, 3.6e7, 6.4e7 and 5.1e8.",
        ),
        sources: &[Source {
            document: Document::BaseBounds,
            place: "table of least bases (as quoted in a post on it) and Figure 1",
        }],
        verdict: Verdict::Corrected,
        sabotage: "30000 for 27000 at L = 4096; in the surveys, the infimum of a length for that of twice the length, and half of each serving base",
        remark: Some(
            "The table was read as quoted in a post on it, which does not say whether 1k is 1000 or 1024: the witnesses of the other five are below 1000·2^k. An infimum is a cover of all smaller real bases by intervals, each with one distance at which B is negative on all of it. Above 2^17 the infima are not established, and bases and lengths are looked at as a whole at exhaustive effort only; infima from 2^15 on too. Of it Coq has the refutation of the claim as written, that the seven printed bases fail, and the infima of the first three lengths between two integers: the other covers have too many intervals.",
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
        // 30000 serves 4096, the length of the first row.
        let serving = |row| (row == 0).then_some(30_000);
        let all = FAILING.iter().enumerate();
        Ok(all.map(|(row, failure)| failure.compared(system, DIM, form, row, serving(row))).collect())
    }

    fn work(_: &Size) -> usize {
        2 * FAILING.len() * DIM
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let (infima, longer) = match effort {
            Effort::Quick => (2, 0),
            Effort::Standard => (USUALLY, 0),
            Effort::Exhaustive => (INFIMA.len(), LONGER.len()),
        };
        // The sabotage of a survey is half of the serving base.
        let base = |base: u32| if form.is_sabotaged() { base / 2 } else { base };
        let serving = SERVING.iter().chain(LONGER.iter().take(longer));
        let serving = serving.map(|(length, serves)| survey_of_base(base(*serves), DIM, *length, Service::Whole));
        INFIMA.iter().take(infima).map(|infimum| survey_of_infimum(infimum, form)).chain(serving).collect()
    }

    fn values() -> Vec<CertifiedValue> {
        FAILING.iter().map(|failure| failure.certified(DIM)).collect()
    }
}
