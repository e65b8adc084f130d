//! `yarn.ratio-base`: the wavelengths of equation (13) have the original base.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Phase, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RatioBase;

const LENGTH: i64 = 4096;
const BASE: u32 = 10_000;
const DIM: usize = 128;
const SCALE: u32 = 16;

/// The ratios at which pairs change class: interpolated below, untouched above.
const ALPHA: i64 = 1;
const BETA: i64 = 32;

/// The pairs that equation (17) puts in another class: below β for above, or below α for above.
const BELOW_BETA: std::ops::RangeInclusive<usize> = 17..=20;
const BELOW_ALPHA: std::ops::RangeInclusive<usize> = 35..=45;

/// L·θ_i/2π, the ratio of L to the wavelength of a pair.
fn ratio<S: System>(system: &S, pair: usize) -> S::Number {
    let rate = Frequency::Power { base: BASE, dim: DIM, index: pair };
    system.angle(&(Position::integer(LENGTH) * rate)) / system.angle(&Phase::turns(1, 1))
}

/// The same with b′ = b·s^(d/(d−2)) for b.
fn printed<S: System>(system: &S, pair: usize) -> S::Number {
    let slowed = Frequency::Power { base: SCALE, dim: DIM - 2, index: pair };
    ratio(system, pair) * system.angle(&(Position::integer(1) * slowed))
}

impl Claim for RatioBase {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "yarn.ratio-base",
        statement: "The ratio r = L/λ_i of a trained length to a wavelength has the original base, r = L/(2π·b^(2i/D)), as equation (13) defines λ_i; with b′ = b·s^(D/(D−2)) in its place, at L = 4096, b = 10000, D = 128, s = 16, pair 45 has 0.1385… for 1.0038…, and the 15 pairs 17 to 20 and 35 to 45 fall in another class (α = 1, β = 32).",
        written: Some("r = L/λ_i = L/(2π·b′^(2i/D))."),
        sources: &[Source { document: Document::Yarn, place: "equation (17) against equation (13)" }],
        verdict: Verdict::Refuted,
        sabotage: "b′ in place of b",
        remark: Some("The released code has the original base."),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..11 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: BASE }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        if form == Form::AsWritten {
            let relation = Relation::Equal(ratio(system, 45), printed(system, 45));
            return Ok(vec![Comparison { what: "ratio of pair", index: [45, 0], relation }]);
        }
        let mut all = Vec::new();
        for (pairs, limit) in [(BELOW_BETA, BETA), (BELOW_ALPHA, ALPHA)] {
            for pair in pairs {
                let limit = system.integer(limit);
                let own = if form.is_sabotaged() { printed(system, pair) } else { ratio(system, pair) };
                let index = [pair, 0];
                all.push(Comparison {
                    what: "class limit and ratio of pair",
                    index,
                    relation: Relation::Less(limit.clone(), own),
                });
                all.push(Comparison {
                    what: "ratio with b′ and class limit",
                    index,
                    relation: Relation::Less(printed(system, pair), limit),
                });
            }
        }
        // The pairs beside these keep their class.
        let kept =
            [(16, BETA), (34, ALPHA)].map(|(pair, limit)| Relation::Less(system.integer(limit), printed(system, pair)));
        all.extend(kept.map(|relation| Comparison::new("class limit and ratio with b′", relation)));
        let kept =
            [(21, BETA), (46, ALPHA)].map(|(pair, limit)| Relation::Less(ratio(system, pair), system.integer(limit)));
        all.extend(kept.map(|relation| Comparison::new("ratio of pair and class limit", relation)));
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        200
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        vec![
            CertifiedValue { name: "ratio_45", enclosure: ratio(&system, 45) },
            CertifiedValue { name: "printed_45", enclosure: printed(&system, 45) },
        ]
    }
}
