//! `multiaxis.axial-separable`: axial frequencies cannot prefer a diagonal.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Frequency, Phase, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AxialSeparable;

/// The score of q and k on one pair whose angle is a phase: Re(h·e^(iφ)), with h = conj(q)·k from the reals of that name.
fn pair<S: System>(system: &S, name: &'static str, phase: &Phase) -> S::Number {
    let point = system.cis(phase);
    system.real(name, 0) * point.re - system.real(name, 1) * point.im
}

/// The score at an offset (x, y) with one frequency for each axis and, in the sabotaged form, one for both on top.
fn axial<S: System>(system: &S, [x, y]: [Position; 2], form: Form) -> S::Number {
    let along =
        pair(system, "h", &(x.clone() * Frequency::Free("u"))) + pair(system, "g", &(y.clone() * Frequency::Free("v")));
    match form.is_sabotaged() {
        true => along + pair(system, "h", &((x - y) * Frequency::Free("u"))),
        false => along,
    }
}

impl Claim for AxialSeparable {
    const ABOUT: About = About {
        id: "multiaxis.axial-separable",
        statement: "With frequencies that each belong to one axis every score obeys a(x, y) + a(x′, y′) = a(x, y′) + a(x′, y), for all q, k and frequencies: offsets (0, 0) and (1, 1) cannot both score above (0, 1) and (1, 0). A pair that turns with x − y can: cos(x − y) is 1 on the diagonal and cos 1 off it.",
        written: None,
        sources: &[Source {
            document: Document::CompassRope,
            place: "abstract: axial frequencies cannot model the diagonal direction, mixed ones can",
        }],
        verdict: Verdict::Holds,
        sabotage: "a pair that turns with x − y among the axial ones",
        remark: Some("The paper was read in its abstract only. One pair for each axis is compared; more pairs add."),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        let heads = Inputs::default()
            .reals("h", 2, 1.0)
            .reals("g", 2, 1.0)
            .reals_in("u", 1, 0.25, 1.0)
            .reals_in("v", 1, 0.25, 1.0);
        ["x", "y", "s", "t"].into_iter().fold(heads, |inputs, name| inputs.position_in(name, 0..=31))
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let at = |x, y| axial(system, [x, y].map(Position::symbol), form);
        let relation = Relation::Equal(at("x", "y") + at("s", "t"), at("x", "t") + at("s", "y"));
        let mut all = vec![Comparison::new("scores at opposite corners", relation)];
        if form == Form::Settled {
            let unit = Frequency::Power { base: 10_000, dim: 2, index: 0 };
            let mixed = |offset: i64| system.cis(&(Position::integer(offset) * unit.clone())).re;
            all.push(Comparison::new("mixed pair off the diagonal and on it", Relation::Distinct(mixed(1), mixed(0))));
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        16
    }
}
