//! `interpolation.taylor-form`: two signs in an expansion.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Number, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct TaylorForm;

/// c_0 + c_1·s + c_2·s² with the real variables `c`.
fn value<N: Number>(c: &[N; 3], s: &N) -> N {
    c[0].clone() + c[1].clone() * s.clone() + c[2].clone() * s.clone() * s.clone()
}

impl Claim for TaylorForm {
    const ABOUT: About = About {
        id: "interpolation.taylor-form",
        statement: "The expansions begin a(s_1) = a(s) + a′(s)·(s_1 − s) + …, and the same for s_2: for s_1 < s < s_2 and every function a that is twice differentiable from s_1 to s_2 they end with a′′(ξ_1)·(s_1 − s)²/2 and a′′(ξ_2)·(s_2 − s)²/2, ξ_1 and ξ_2 on either side of s. So the remainder of linear interpolation is (s − s_1)(s − s_2)/(2(s_2 − s_1)) times a′′(ξ_1)·(s − s_1) + a′′(ξ_2)·(s_2 − s), and for one ξ between s_1 and s_2 it is a′′(ξ)·(s − s_1)(s − s_2)/2.",
        written: Some("a(s_1) = a(s) + a′(s)·(s − s_1) + a′′·(s − s_1)²/2, and the same for s_2."),
        sources: &[Source { document: Document::PositionInterpolation, place: "appendix A, equations (9) to (11)" }],
        verdict: Verdict::Corrected,
        sabotage: "the printed signs",
        remark: Some(
            "The slip is harmless: equation (11) is right. Quadratic functions are compared, whose second derivative is constant.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
            .reals("c", 3, 1.0)
            .reals_in("s1", 1, 0.0, 1.0)
            .reals_in("s", 1, 1.25, 2.0)
            .reals_in("s2", 1, 2.25, 3.0)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        // As written the expansions are put to a(s) = s between 0 and 2, for which nothing is small.
        let (c, [s1, s, s2]) = match form {
            Form::AsWritten => ([0, 1, 0].map(|c| system.integer(c)), [0, 1, 2].map(|s| system.integer(s))),
            _ => ([0, 1, 2].map(|index| system.real("c", index)), ["s1", "s", "s2"].map(|name| system.real(name, 0))),
        };
        let two = system.integer(2);
        let slope = c[1].clone() + two.clone() * c[2].clone() * s.clone();
        let mut all = Vec::new();
        for (what, end) in [("value at s_1 and its expansion", &s1), ("value at s_2 and its expansion", &s2)] {
            let step = end.clone() - s.clone();
            let first = if form == Form::Settled { step.clone() } else { -step.clone() };
            let expanded = value(&c, &s) + slope.clone() * first + c[2].clone() * step.clone() * step;
            all.push(Comparison::new(what, Relation::Equal(value(&c, end), expanded)));
        }
        if form == Form::Settled {
            let (below, above) = (s.clone() - s1.clone(), s2.clone() - s.clone());
            let width = s2.clone() - s1.clone();
            let linear = (value(&c, &s1) * above.clone() + value(&c, &s2) * below.clone()) / width;
            let remainder = -(c[2].clone() * below * above);
            all.push(Comparison::new("remainder", Relation::Equal(value(&c, &s) - linear, remainder)));
        }
        Ok(all)
    }
}
