//! `precision.nope-inverse`: 1/t tells the position, as far as a format holds it.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::system::{Decision, Measure};
use crate::number::{Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct NopeInverse;

/// Each format with the first t for which fl(1/t) = fl(1/(t + 1)).
const FIRST_REPEATS: [(Format, &str, u32); 3] =
    [(Format::Bf16, "bfloat16", 190), (Format::F16, "binary16", 1464), (Format::F32, "binary32", 11_864_338)];

/// Up to here all reciprocals are compared in every system.
const COMPARED: usize = 64;

/// The first t up to a limit whose rounded reciprocal is also that of t + 1.
fn first_repeat(format: Format, limit: u32) -> Option<u32> {
    // In binary64 and then in a format of at most 24 bits: the correctly rounded quotient (Figueroa 1995).
    let reciprocal = |t: u32| format.round(1.0 / f64::from(t));
    (1..=limit).find(|t| reciprocal(*t) == reciprocal(t + 1))
}

impl Claim for NopeInverse {
    const ABOUT: About = About {
        id: "precision.nope-inverse",
        statement: "Uniform causal attention over t tokens writes 1/t, which is decreasing and so tells the position; rounded to a format, 1/t and 1/(t+1) are first equal at t = 190 in bfloat16, 1464 in binary16 and 11864338 in binary32.",
        written: None,
        sources: &[Source {
            document: Document::LengthGeneralization,
            place: "Theorem 1, the absolute position from 1/t",
        }],
        verdict: Verdict::Holds,
        sabotage: "the order reversed; in the survey, the repeat one position too early (t = 189 in bfloat16)",
        remark: Some(
            "The systems compare the reciprocals of neighbours up to 64. Binary32 is looked at by the survey at standard and exhaustive effort. In Coq neighbours are told apart by their distance while t·(t+1) < 2^(2p − 1), and looked at one by one beyond.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().choice("t", 1..=COMPARED)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let t = case.choice("t")? as i64;
        let reciprocal = |t: i64| system.rational(&Rational::from((1, t)));
        let (here, next) = (reciprocal(t), reciprocal(t + 1));
        let relation = if form.is_sabotaged() { Relation::Less(here, next) } else { Relation::Less(next, here) };
        Ok(vec![Comparison::new("1/(t + 1) and 1/t", relation)])
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let count = if effort == Effort::Quick { 2 } else { 3 };
        let of = |(format, name, first): &(Format, &str, u32)| {
            let stated = if form.is_sabotaged() { first - 1 } else { *first };
            let found = first_repeat(*format, *first);
            let measure = Measure { error: 0.0, bound: 0.0 };
            let decision = if found == Some(stated) { Decision::Held(measure) } else { Decision::Refuted(measure) };
            let scope = format!("all reciprocals 1/t for t up to {first}, rounded to {name}");
            let at = found.map_or("nowhere".to_owned(), |t| format!("at t = {t}"));
            let finding = format!("first equal to the next one {at}");
            Survey { scope, cases: u64::from(*first), decision, finding, measured: None }
        };
        FIRST_REPEATS.iter().take(count).map(of).collect()
    }
}
