//! `precision.bf16-growth`: rounded tables err by as much at every position.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::interval::Interval;
use crate::number::system::{Decision, Measure};
use crate::number::{Number, Relation, System};
use rug::Rational;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Bf16Growth;

/// The positions that the claim looks at, by their powers of two.
const POWERS: usize = 17;

/// (2√2 + 2u)·u for u = 2^−8, rounded up: the bound on |c² + s² − 1| for a cosine and a sine each rounded to bfloat16.
fn bound() -> Interval {
    let unit = Interval::exactly(0.00390625);
    Interval::from(2) * unit.clone() * (Interval::from(2).sqrt() + unit)
}

static BOUND: LazyLock<Rational> = LazyLock::new(|| bound().upper().to_rational().unwrap_or_default());

/// cos m and sin m, each correctly rounded to bfloat16.
fn table_row(position: u32) -> [f64; 2] {
    let (sine, cosine) = core_math::sincos(f64::from(position));
    [cosine, sine].map(|entry| Format::Bf16.round(entry))
}

/// |c² + s² − 1| for the rounded entries, exactly: a square of 8 bits has 16.
fn defect(position: u32) -> Rational {
    let [cosine, sine] = table_row(position).map(|entry| Rational::from_f64(entry).unwrap_or_default());
    (Rational::from(&cosine * &cosine) + Rational::from(&sine * &sine) - 1u32).abs()
}

/// The largest defect below a length.
fn largest(length: u32) -> (Rational, u32) {
    (0..length).map(|m| (defect(m), m)).max_by(|(a, m), (b, n)| a.cmp(b).then(n.cmp(m))).unwrap_or_default()
}

/// The largest defects below these lengths, in units of 2^−16.
const LARGEST: [(u32, u32); 2] = [(1024, 344), (8192, 351)];

impl Claim for Bf16Growth {
    const ABOUT: About = About {
        id: "precision.bf16-growth",
        statement: "A rotary table rounded to bfloat16 from good angles breaks the relative property already at position 1, where c² + s² = 65269/65536, and at distance 0 errs by at most (2√2·u + 2u²)·‖q‖·‖k‖ < 0.01108·‖q‖·‖k‖, u = 2^(−8), at every position: for θ = 1 and q = k = e_1 the largest defect is 344/65536 below position 1024 and 351/65536 below 8192.",
        written: Some(
            "bfloat16 breaks the relative property, and the defect grows with the context length: at position 131072 it has passed 0.01108.",
        ),
        sources: &[Source { document: Document::BFloat16Breaks, place: "abstract" }],
        verdict: Verdict::Corrected,
        sabotage: "the largest defect half as large, half of the largest defect, 172/65536 for 344/65536 and 175/65536 for 351/65536",
        remark: Some(
            "The paper was read in its abstract only, which does not say what is rounded. Positions or angles in bfloat16 do err more and more, which is not computed here: those are other code paths. That growth would have passed the bound at position 131072 is our reading of the abstract. That the bound holds of all q and k at every position is two roundings of relative size u; corollaries in Coq have less, 0.006, and the defect at position 1. The largest defects are those of the survey, which looks at all positions below 8192.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size::default()],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().choice("power", 0..=POWERS)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let defect = system.rational(&defect(1 << case.choice("power")?));
        let bound = system.rational(&BOUND);
        Ok(match form {
            Form::AsWritten => {
                let last = system.rational(&self::defect(1 << POWERS));
                vec![Comparison::new("the bound and the defect at position 131072", Relation::Less(bound, last))]
            }
            Form::Sabotaged => {
                let first = system.rational(&Rational::from((172, 65_536)));
                let at_1 = system.rational(&self::defect(1));
                vec![Comparison::new("defect at position 1 and 172/65536", Relation::AtMost(at_1, first))]
            }
            Form::Settled => {
                let stated = system.rational(&Rational::from((65_536 - 65_269, 65_536)));
                let at_1 = system.rational(&self::defect(1));
                vec![
                    Comparison::new("defect at position 1", Relation::Equal(at_1, stated)),
                    Comparison::new("defect and bound", Relation::AtMost(defect, bound)),
                ]
            }
        })
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let of = |(length, units): (u32, u32)| {
            let units = if form.is_sabotaged() { units / 2 } else { units };
            let (found, position) = largest(length);
            let measure = Measure { error: 0.0, bound: 0.0 };
            let decision = match found == Rational::from((units, 65_536)) && found <= *BOUND {
                true => Decision::Held(measure),
                false => Decision::Refuted(measure),
            };
            let scope = format!("all positions below {length}, entries rounded to bfloat16, squares exact");
            let finding = format!("the largest |c² + s² − 1| is {found}, first at {position}");
            Survey { scope, cases: length.into(), decision, finding, measured: None }
        };
        LARGEST.map(of).into()
    }

    fn values() -> Vec<CertifiedValue> {
        vec![CertifiedValue { name: "bound", enclosure: bound() }]
    }
}
