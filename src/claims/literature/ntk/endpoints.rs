//! `ntk.endpoints`: what the changed base does to the first and the last frequency.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Endpoints;

/// s^(−2·index/(dim − 2)), the factor by which b′ = b·s^(d/(d−2)) changes the frequency of that index; in the sabotaged
/// form for b·s^((d−2)/d), s^(−2·index·(dim − 2)/dim²).
fn factor<S: System>(system: &S, scale: u32, dim: usize, index: usize, form: Form) -> S::Number {
    let rate = match form.is_sabotaged() {
        true => Frequency::Power { base: scale, dim: dim * dim, index: index * (dim - 2) },
        false => Frequency::Power { base: scale, dim: dim - 2, index },
    };
    system.angle(&(Position::integer(1) * rate))
}

impl Claim for Endpoints {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "ntk.endpoints",
        statement: "For b′ = b·s^(d/(d−2)) and pairs counted from 0, as in equation (23), the first frequency b^0 is unchanged and the last, of index d/2−1, is divided by s exactly; with pairs counted from 1 to d/2, as in equation (5), the first is changed and the last is divided by s^(d/(d−2)), for s = 8 and d = 128 more than 1/0.968 times s.",
        written: Some(
            "With θ_1 … θ_{d/2} as in equation (5), b′ leaves the first frequency and divides the last by s exactly.",
        ),
        sources: &[Source { document: Document::Yarn, place: "Definition 1, equations (5), (16), (23) and (24)" }],
        verdict: Verdict::Corrected,
        sabotage: "b·s^((d−2)/d) for b·s^(d/(d−2))",
        remark: Some(
            "The released code counts from 0. In the exact system powers of the base are variables, so that it has nothing to say; the original base cancels.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => [128, 64, 8, 4].map(|dim| Size { dim, tokens: 0, base: 0 }).to_vec(),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().choice("s", 2..=40)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (dim, scale) = (case.size.dim, case.choice("s")? as u32);
        let of = |index| factor(system, scale, dim, index, form);
        let (one, divided) = (system.integer(1), system.rational(&Rational::from((1, scale))));
        if form == Form::AsWritten {
            return Ok(vec![
                Comparison::new("factor of the first frequency and 1, counted from 1", Relation::Equal(of(1), one)),
                Comparison::new("factor of the last and 1/s, counted from 1", Relation::Equal(of(dim / 2), divided)),
            ]);
        }
        let mut all = vec![
            Comparison::new("factor of the first frequency and 1", Relation::Equal(of(0), one.clone())),
            Comparison::new("factor of the last and 1/s", Relation::Equal(of(dim / 2 - 1), divided.clone())),
            Comparison::new("factor of the first and 1, counted from 1", Relation::Less(of(1), one)),
            Comparison::new("factor of the last and 1/s, counted from 1", Relation::Less(of(dim / 2), divided.clone())),
        ];
        if dim == 128 {
            let share = system.rational(&Rational::from((968, 8000)));
            let last = factor(system, 8, dim, dim / 2, form);
            all.push(Comparison::new(
                "factor of the last for s = 8, counted from 1, and 0.968/8",
                Relation::Less(last, share),
            ));
        }
        Ok(all)
    }

    fn values() -> Vec<CertifiedValue> {
        let last = factor(&Enclosing::default(), 8, 128, 64, Form::Settled) * Interval::from(8);
        vec![CertifiedValue { name: "last_from_1_times_s", enclosure: last }]
    }
}
