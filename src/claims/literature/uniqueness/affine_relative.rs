//! `uniqueness.affine-relative`: which functions of the distance a product of positions can be.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct AffineRelative;

/// (w_0 + w_1·n + w_2·m + w_3·nm), bilinear in (1, n) and (1, m), with the positions as real variables and n advanced.
fn bilinear<S: System>(system: &S, steps: i64) -> S::Number {
    let w = |index| system.real("w", index);
    let n = system.real("n", 0) + system.integer(steps);
    let m = system.real("m", 0);
    w(0) + w(1) * n.clone() + w(2) * m.clone() + w(3) * n * m
}

impl Claim for AffineRelative {
    const ABOUT: About = About {
        id: "uniqueness.affine-relative",
        statement: "From absolute positions, q = (1, −n) and k = (m, 1) give ⟨q, k⟩ = m − n, a function of the distance; but every score bilinear in (1, n) and (1, m) has second differences 0 in n, so that the functions f_rel(m − n) that it can be are affine alone.",
        written: None,
        sources: &[Source { document: Document::LengthGeneralization, place: "Theorem 2" }],
        verdict: Verdict::Holds,
        sabotage: "f_rel quadratic",
        remark: Some(
            "The second part goes beyond the theorem, whose f_rel reads as if arbitrary. A function on the integers whose second differences are 0 is affine.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals("w", 4, 1.0).reals("n", 1, 16.0).reals("m", 1, 16.0)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (n, m) = (system.real("n", 0), system.real("m", 0));
        let (one, two) = (system.integer(1), system.integer(2));
        let constructed = one.clone() * m.clone() + -n.clone() * one;
        let value = |steps: i64| match form.is_sabotaged() {
            true => {
                let distance = m.clone() - n.clone() - system.integer(steps);
                distance.clone() * distance
            }
            false => bilinear(system, steps),
        };
        let second = value(2) - two * value(1) + value(0);
        Ok(vec![
            Comparison::new("⟨(1, −n), (m, 1)⟩ and m − n", Relation::Equal(constructed, m - n)),
            Comparison::new("second difference and 0", Relation::Equal(second, system.integer(0))),
        ])
    }
}
