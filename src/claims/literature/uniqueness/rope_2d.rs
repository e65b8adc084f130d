//! `uniqueness.rope-2d`: rotations are not the only solution of the equations that RoPE is derived from.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Number, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Rope2d;

/// diag(1, −1)^m x: a reflection at odd m.
fn reflected<N: Number>([first, second]: [N; 2], m: usize) -> [N; 2] {
    [first, if m % 2 == 1 { -second } else { second }]
}

fn vector<S: System>(system: &S, name: &'static str) -> [S::Number; 2] {
    [0, 1].map(|entry| system.real(name, entry))
}

fn dot<N: Number>(x: &[N; 2], y: &[N; 2]) -> N {
    x[0].clone() * y[0].clone() + x[1].clone() * y[1].clone()
}

impl Claim for Rope2d {
    const ABOUT: About = About {
        id: "uniqueness.rope-2d",
        statement: "⟨f_q(x, m), f_k(y, n)⟩ = g(x, y, n − m) with f(x, 0) = x, for all integers m and n, has solutions that are no rotations: the powers of the reflection F = diag(1, −1), f_q = f_k = F^m x, whose determinant is −1 at odd m, and the scalings f_q = ρ^m x, f_k = ρ^(−n) y. With f_q = f_k = f, in every dimension, the solutions are f(x, m) = O^m x with O orthogonal, and no others. Equation (31) as printed, e^(iθ_q + mθ + γ), has the modulus e^(mθ + γ), for θ > 0 beyond every bound.",
        written: Some("The equations lead to f(x, m) = x·e^(imθ): each map x ↦ f(x, m) has determinant 1."),
        sources: &[Source { document: Document::RoFormer, place: "section 3.4.1, equations (20) to (33)" }],
        verdict: Verdict::Corrected,
        sabotage: "F^(n − m + 1) for F^(n − m), and ρ^(−m) for ρ^m: factors that do not cancel",
        remark: Some(
            "Equation (31) should read e^(i(θ_q + mθ + γ)). What is compared are the solutions named, in two dimensions: exponents m and n of F run from 0 to 3; those of ρ = e^a are arbitrary. A corollary has the same of natural m and n alone.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        let vectors =
            Inputs::default().reals_in("x", 2, 0.5, 1.0).reals_in("y", 2, 0.5, 1.0).reals_in("a", 1, 0.25, 0.5);
        vectors.choice("m", 0..=3).choice("n", 0..=3)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (m, n) = (case.choice("m")?, case.choice("n")?);
        if form == Form::AsWritten {
            // The determinant of F^m, from the images of the unit vectors.
            let image = |x: [i64; 2]| reflected(x.map(|entry| system.integer(entry)), m);
            let ([a, c], [b, d]) = (image([1, 0]), image([0, 1]));
            let determinant = a * d - b * c;
            return Ok(vec![Comparison::new(
                "determinant of F^m and 1",
                Relation::Equal(determinant, system.integer(1)),
            )]);
        }
        let (x, y) = (vector(system, "x"), vector(system, "y"));
        let absolute = dot(&reflected(x.clone(), m), &reflected(y.clone(), n));
        // F^(n − m) = F^(n + m), as F² = 1; the sabotage forgets one factor.
        let between = if form.is_sabotaged() { n + m + 1 } else { n + m };
        let relative = dot(&x, &reflected(y.clone(), between));
        let power = |times: i64| (system.real("a", 0) * system.integer(times)).exp();
        let (m, n) = (m as i64, n as i64);
        let first = if form.is_sabotaged() { power(-m) } else { power(m) };
        let plain = dot(&x, &y);
        Ok(vec![
            Comparison::new("⟨F^m x, F^n y⟩ and ⟨x, F^(n−m) y⟩", Relation::Equal(absolute, relative)),
            Comparison::new(
                "⟨ρ^m x, ρ^(−n) y⟩ and ρ^(m−n)·⟨x, y⟩",
                Relation::Equal(first * power(-n) * plain.clone(), power(m - n) * plain),
            ),
        ])
    }
}
