//! `encoding.digit-cycle`: decimal digit i repeats after 10^(i+1) positions, not before.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::system::{Decision, Measure};
use crate::number::{Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct DigitCycle;

/// Digits 0 to 4 are those of the positions that the crate looks at.
const LAST_DIGIT: usize = 4;

/// Digit `index` of t, read from its decimal notation.
fn written_digit(t: u64, index: usize) -> u64 {
    t.to_string().bytes().rev().nth(index).map_or(0, |byte| u64::from(byte - b'0'))
}

/// Digit `index` of t: ⌊t/10^index⌋ mod 10.
fn digit(t: u64, index: usize) -> u64 {
    t / power(index) % 10
}

fn power(index: usize) -> u64 {
    10u64.pow(index as u32)
}

/// The cycle length that a form claims for a digit.
fn cycle(index: usize, form: Form) -> u64 {
    match form {
        Form::Settled => power(index + 1),
        Form::AsWritten => power(index),
        Form::Sabotaged => 10 * (index as u64 + 1),
    }
}

/// A t at which the digit differs from the one `shorter` positions later, for 0 < shorter < 10^(index+1):
/// 0 where that later digit is not 0, else the last t below 10^index that reaches 10^index.
fn difference(shorter: u64, index: usize) -> u64 {
    if digit(shorter, index) == 0 { power(index).saturating_sub(shorter) } else { 0 }
}

impl Claim for DigitCycle {
    const ABOUT: About = About {
        id: "encoding.digit-cycle",
        statement: "The decimal digit i of t has least cycle length 10^(i+1).",
        written: Some("The decimal digit i of t has cycle length 10^i."),
        sources: &[Source {
            document: Document::LectureNotes,
            place: "By way of analogy: \"digit at position i has cycle length of 10^i\", and 10 for position 0",
        }],
        verdict: Verdict::Corrected,
        sabotage: "10·(i+1) for 10^(i+1)",
        remark: Some(
            "A statement about integers: integer arithmetic decides it, and the rounded systems have nothing to add. The document gives the least significant digit, i = 0, a cycle of 10 itself, which 10^i is not.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let positions = |tokens| Size { dim: 0, tokens, base: 0 };
        match kind {
            SystemKind::Formal => vec![positions(200)],
            SystemKind::Enclosed => vec![positions(Inputs::LAST_POSITION as usize + 1)],
            SystemKind::Rounded { .. } => Vec::new(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().choice("i", 0..=LAST_DIGIT).choice("t", 0..=size.tokens - 1)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (index, t) = (case.choice("i")?, case.choice("t")? as u64);
        let number = |digit: u64| system.integer(digit as i64);
        let (now, later) = (digit(t, index), written_digit(t + cycle(index, form), index));
        // A shorter cycle for every t, the same ones over and over.
        let shorter = 1 + t % (power(index + 1) - 1);
        let place = difference(shorter, index);
        let (before, after) = (digit(place, index), written_digit(place + shorter, index));
        Ok(vec![
            Comparison::new("digit i one cycle later", Relation::Equal(number(later), number(now))),
            Comparison::new("digit i after a shorter cycle", Relation::Distinct(number(after), number(before))),
        ])
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let positions = Inputs::LAST_POSITION as u64 + 1;
        let repeats = |index: usize| {
            let cycle = cycle(index, form);
            (0..positions).find(|t| digit(t + cycle, index) != digit(*t, index)).map(|t| (t, cycle))
        };
        let shorter = |index: usize| {
            let cycles = 1..cycle(index, form);
            cycles.clone().find(|p| {
                let t = difference(*p, index);
                digit(t + p, index) == digit(t, index)
            })
        };
        let digits = 0..=LAST_DIGIT;
        let cases = digits.clone().map(|index| positions + cycle(index, form) - 1).sum();
        let measure = Measure { error: 0.0, bound: 0.0 };
        let failure = digits.clone().find_map(|index| {
            let broken = repeats(index).map(|(t, cycle)| format!("digit {index} differs at {t} and {}", t + cycle));
            broken.or_else(|| shorter(index).map(|p| format!("digit {index} may have cycle length {p}")))
        });
        let decision = if failure.is_none() { Decision::Held(measure) } else { Decision::Refuted(measure) };
        let scope =
            format!("digits 0 to {LAST_DIGIT} at all positions below {positions}, and all shorter cycles, in integers");
        let finding = "each repeats after 10^(i+1) positions and after no fewer".to_owned();
        vec![Survey { scope, cases, decision, finding: failure.unwrap_or(finding), measured: None }]
    }

    fn work(_: &Size) -> usize {
        4
    }
}
