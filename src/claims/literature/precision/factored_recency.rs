//! `precision.factored-recency`: a distance that is a product of rounded positions.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::system::{Decision, Measure};
use crate::number::{Relation, System};
use posproof_numerics::format::Format;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct FactoredRecency;

/// Formats with the last position up to which all distances are exact: 2^p.
const FORMATS: [(Format, u32); 2] = [(Format::Bf16, 1 << 8), (Format::F16, 1 << 11)];

/// ⟨(1, −n), (m, 1)⟩ with the entries, both products and their sum rounded to a format; binary64 has more than twice its digits.
fn factored(format: Format, m: u32, n: u32) -> f64 {
    let [one, first, second] = [1.0, f64::from(m), -f64::from(n)].map(|entry| format.round(entry));
    format.round(format.round(one * first) + format.round(second * one))
}

/// The first positions m and n up to a last one whose score is not their distance.
fn first_wrong(format: Format, last: u32) -> Option<(u32, u32)> {
    (0..=last).flat_map(|m| (0..=m).map(move |n| (m, n))).find(|(m, n)| factored(format, *m, *n) != f64::from(m - n))
}

impl Claim for FactoredRecency {
    const ABOUT: About = About {
        id: "precision.factored-recency",
        statement: "q = (1, −n) and k = (m, 1) give ⟨q, k⟩ = m − n for all real positions. In a format of p bits, entries, products and sum rounded, they do so at all positions up to 2^p, and not at the next: 2^p + 1 and 2^p have the score 0. In bfloat16 that is at position 257, in binary16 at 2049.",
        written: Some("From absolute positions attention can realise the distance m − n, in bfloat16 too."),
        sources: &[Source {
            document: Document::LengthGeneralization,
            place: "Theorem 2, its construction in a format of 8 bits; beyond it",
        }],
        verdict: Verdict::Corrected,
        sabotage: "one position more: 2^p + 1 for 2^p",
        remark: Some(
            "The theorem is of real numbers, and right; uniqueness.affine-relative has it. Beyond it is a format: that of a score as a table or a weight of bfloat16 makes it. The exact system has the positions as real variables; the others compare scores of positions in bfloat16 with the distance, and the survey every pair of positions.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            // Distances up to 256 are numbers of 9 bits.
            SystemKind::Rounded { precision: 0..9 } => Vec::new(),
            _ => vec![Size::default()],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("m", 1, 16.0).reals("n", 1, 16.0).choice("at", 1..=256)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let at = case.choice("at")? as u32;
        let score = |m, n| system.rational(&Rational::from_f64(factored(Format::Bf16, m, n)).unwrap_or_default());
        let distance = |m: u32, n: u32| system.integer(i64::from(m) - i64::from(n));
        if form != Form::Settled {
            let relation = Relation::Equal(score(257, 256), distance(257, 256));
            return Ok(vec![Comparison::new("score of 257 and 256 in bfloat16, and 1", relation)]);
        }
        let (m, n) = (system.real("m", 0), system.real("n", 0));
        let one = system.integer(1);
        let real = one.clone() * m.clone() + -n.clone() * one;
        Ok(vec![
            Comparison::new("⟨(1, −n), (m, 1)⟩ and m − n", Relation::Equal(real, m - n)),
            Comparison::new("score of a position and 1 in bfloat16, and their distance", Relation::Equal(score(at, 1), distance(at, 1))),
            Comparison::new("score of 257 and 256 in bfloat16, and 0", Relation::Equal(score(257, 256), system.integer(0))),
        ])
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let survey = |(format, exact): (Format, u32)| {
            let last = if form == Form::Settled { exact } else { exact + 1 };
            let cases = u64::from(last + 1) * u64::from(last + 2) / 2;
            let measure = Measure { error: 0.0, bound: 0.0 };
            let (decision, finding) = match first_wrong(format, last) {
                None => (Decision::Held(measure), "each score is the distance".to_owned()),
                Some((m, n)) => (
                    Decision::Refuted(measure),
                    format!("the score of {m} and {n} is {}, not {}", factored(format, m, n), m - n),
                ),
            };
            let scope = format!("all positions n ≤ m up to {last}, in {format}");
            Survey { scope, cases, decision, finding, measured: None }
        };
        FORMATS.into_iter().map(survey).collect()
    }
}
