//! `uniqueness.plane`: in two dimensions relative encodings are rotations, or come back after two positions.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Number, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Plane;

/// A matrix of two rows, row by row, times a vector.
fn apply<N: Number>([a, b, c, d]: &[N; 4], [x, y]: &[N; 2]) -> [N; 2] {
    [a.clone() * x.clone() + b.clone() * y.clone(), c.clone() * x.clone() + d.clone() * y.clone()]
}

fn determinant<N: Number>([a, b, c, d]: &[N; 4]) -> N {
    a.clone() * d.clone() - b.clone() * c.clone()
}

impl Claim for Plane {
    const ABOUT: About = About {
        id: "uniqueness.plane",
        statement: "In two dimensions a relative encoding f_q = f_k = f with f(x, 0) = x, for which ⟨f(x, m), f(y, n)⟩ = g(x, y, n − m) for all integers m and n, is f(x, m) = R(mθ)x for some θ, or it comes back after two positions, f(x, m + 2) = f(x, m), and f(·, 1) has the determinant −1.",
        written: None,
        sources: &[Source {
            document: Document::RoFormer,
            place: "section 3.4.1, the equations that a relative encoding obeys; beyond it",
        }],
        verdict: Verdict::Holds,
        sabotage: "a rotation in the place of a reflection",
        remark: Some(
            "Beyond RoFormer, which derives rotations: uniqueness.rope-2d shows that its equations have other solutions, and this that in the plane there are no others but reflections. Compared are the matrices (a² − b², ∓2ab; 2ab, ±(a² − b²)), which are a² + b² times a rotation and a reflection, any of each.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals_in("a", 2, 0.5, 1.0).reals_in("x", 2, 0.5, 1.0)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let [a, b] = [0, 1].map(|entry| system.real("a", entry));
        let x = [0, 1].map(|entry| system.real("x", entry));
        let (norm, cosine) = (a.clone() * a.clone() + b.clone() * b.clone(), a.clone() * a.clone() - b.clone() * b.clone());
        let sine = system.integer(2) * a * b;
        let rotation = [cosine.clone(), -sine.clone(), sine.clone(), cosine.clone()];
        let reflection = [cosine.clone(), sine.clone(), sine, -cosine];
        let square = norm.clone() * norm;
        let twice = if form.is_sabotaged() { &rotation } else { &reflection };
        let back = apply(twice, &apply(twice, &x)).into_iter().zip(x).enumerate().map(|(i, (back, x))| Comparison {
            what: "entry after two positions, and at the first",
            index: [i, 0],
            relation: Relation::Equal(back, square.clone() * x),
        });
        let determinants = [
            Comparison::new("determinant of a rotation", Relation::Equal(determinant(&rotation), square.clone())),
            Comparison::new("determinant of a reflection", Relation::Equal(determinant(&reflection), -square.clone())),
        ];
        Ok(back.chain(determinants).collect())
    }
}
