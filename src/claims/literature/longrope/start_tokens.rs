//! `longrope.start-tokens`: positions that collide where scaling begins.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct StartTokens;

/// The first positions, which keep their angles, and the scale of the rest.
const KEPT: i64 = 256;
const SCALE: i64 = 2;

/// The angle at a position over the frequency: the position where it is kept, position/s where it is scaled.
fn place<S: System>(system: &S, position: i64, kept: i64) -> S::Number {
    match position < kept {
        true => system.integer(position),
        false => system.rational(&Rational::from((position, SCALE))),
    }
}

impl Claim for StartTokens {
    const ABOUT: About = About {
        id: "longrope.start-tokens",
        statement: "Leaving the first n positions unscaled and interpolating the rest by s = 2 gives positions m and 2m one rotation in every pair, for n/2 ≤ m < n: 128 collisions for n = 256, and position n is turned by less than n − 1.",
        written: Some("Leaving the first positions unscaled is good for the model."),
        sources: &[Source { document: Document::LongRope, place: "finding 2, equation (3) and Table 2" }],
        verdict: Verdict::Empirical,
        sabotage: "n = 1, where nothing collides",
        remark: Some(
            "What it does to a model is experience. The core is that order and relative position are lost at the seam when the scale is that of plain interpolation. By equation (3) n positions are left unscaled; the text says n − 1.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size { dim: 0, tokens: KEPT as usize, base: 0 }]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().choice("m", KEPT as usize / 2..=KEPT as usize - 1)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        if form == Form::AsWritten {
            return Ok(Vec::new());
        }
        let m = case.choice("m")? as i64;
        let kept = if form.is_sabotaged() { 1 } else { KEPT };
        let at = |position| place(system, position, kept);
        Ok(vec![
            Comparison::new("angles of m and 2m over the frequency", Relation::Equal(at(m), at(SCALE * m))),
            Comparison::new("angles of n and n − 1 over the frequency", Relation::Less(at(KEPT), at(KEPT - 1))),
        ])
    }
}
