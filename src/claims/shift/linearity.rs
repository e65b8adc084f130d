//! `shift.linearity`: T(k) PE(t) = PE(t + k).

use crate::bound::{Model, Program, Residuals};
use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Measurement, Size, Source, Survey, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::convention::{Component, Convention};
use crate::encoding::{shift::shift, sinusoid};
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::system::{Decision, Measure};
use crate::number::{Position, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Linearity;

/// The dimension and the length at which every residual is computed.
const DIM: usize = 512;
const LENGTH: u64 = 4096;

/// The length at which the sabotage is refuted: short, because its first residuals are above their bounds.
const SABOTAGED_LENGTH: u64 = 64;

/// Every residual T(k) PE(t) − PE(t + k) for t, k < 4096 at d = 512.
fn every_residual(format: Format, form: Form) -> Survey {
    let system = if format == Format::F64 { "f64" } else { "f32" };
    let measured = Some(Measurement { system, origin: "theorem rounding_shift_residual" });
    let length = if form.is_sabotaged() { SABOTAGED_LENGTH } else { LENGTH };
    let scope = format!("every residual of every pair for all t, k < {length} at d = {DIM}, base 10000");
    let found = Model::new(&Convention::sinusoid(DIM), &Program::rounded(format)).and_then(|model| match form {
        Form::Sabotaged => model.residuals_of_the_wrong_direction(length),
        Form::Settled | Form::AsWritten => model.residuals(length),
    });
    match found {
        Ok(found) => {
            let Residuals { worst, t, k, pair, component, bound, count, above } = found;
            let part = if component == Component::Sin { "sine" } else { "cosine" };
            let finding =
                format!("the largest at t = {t}, k = {k}, {part} of pair {pair}; {above} pairs above their bound");
            let measure = Measure { error: worst, bound: bound.value() };
            let decision = if above == 0 { Decision::Held(measure) } else { Decision::Refuted(measure) };
            Survey { scope, cases: count, decision, finding, measured }
        }
        Err(impossible) => {
            let decision = Decision::Unable(impossible.to_string().into());
            Survey { scope, cases: 0, decision, finding: "nothing computed".to_owned(), measured }
        }
    }
}

impl Claim for Linearity {
    const ABOUT: About = About {
        id: "shift.linearity",
        statement: "T(k) PE(t) = PE(t+k) for every d, all frequencies and all real t and k.",
        written: None,
        sources: &[
            Source { document: Document::LinearRelationships, place: "equations (3) and (6)" },
            Source { document: Document::LectureNotes, place: "Why alternate between sine and cosine" },
            Source { document: Document::PositionalEmbedding, place: "How do we have this?, steps 1 to 5" },
            Source { document: Document::AttentionIsAllYouNeed, place: "section 3.5, \"a linear function of PE_pos\"" },
        ],
        verdict: Verdict::Holds,
        sabotage: "T(−k) for T(k): the shift in the other direction",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        Size::dimensions(kind)
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::bounded()
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("t").position("k")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let (t, k) = (Position::symbol("t"), Position::symbol("k"));
        let offset = if form.is_sabotaged() { -k.clone() } else { k.clone() };
        let shifted = shift(system, &frequencies, &offset).apply(&sinusoid::encode(system, &frequencies, &t));
        equal_entries("component", &shifted, &sinusoid::encode(system, &frequencies, &(t + k)))
    }

    fn work(size: &Size) -> usize {
        8 * size.dim
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        if effort != Effort::Exhaustive {
            return Vec::new();
        }
        [Format::F32, Format::F64].map(|format| every_residual(format, form)).into()
    }
}
