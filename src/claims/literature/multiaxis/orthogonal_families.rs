//! `multiaxis.orthogonal-families`: which orthogonal matrices make a score relative.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::rotary::{rotary, vector};
use crate::number::{Frequency, Position, Relation, System};
use nalgebra::DVector;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct OrthogonalFamilies;

const DIM: usize = 4;

/// Frequencies of the two pairs on each axis.
const RATES: [[Frequency; 2]; 2] =
    [[Frequency::Free("u"), Frequency::Free("v")], [Frequency::Free("s"), Frequency::Free("t")]];

/// The entries in another order, which is orthogonal.
fn reordered<N: Clone + nalgebra::Scalar>(x: &DVector<N>) -> DVector<N> {
    DVector::from_fn(DIM, |entry, _| x[(entry + 1) % DIM].clone())
}

/// O_0^(p_0)·O_1^(p_1)·x: rotations of the same pairs, or, in the sabotaged form, of other pairs on the second axis.
fn turned<S: System>(system: &S, [first, second]: &[Position; 2], x: &DVector<S::Number>, other: bool) -> DVector<S::Number> {
    let x = if other { reordered(x) } else { x.clone() };
    let x = rotary(system, &RATES[1], second).apply(&x);
    let x = if other { reordered(&reordered(&reordered(&x))) } else { x };
    rotary(system, &RATES[0], first).apply(&x)
}

impl Claim for OrthogonalFamilies {
    const ABOUT: About = About {
        id: "multiaxis.orthogonal-families",
        statement: "For orthogonal d×d matrices F p, p over the integer points of M axes, the score of x at p and y at q depends on q − p alone, for all x and y, exactly when F p = B·O_0^(p_0)⋯O_(M−1)^(p_(M−1)) for an orthogonal B and orthogonal O_a that commute.",
        written: None,
        sources: &[Source {
            document: Document::RethinkingRope,
            place: "abstract, relativity and reversibility; beyond it",
        }],
        verdict: Verdict::Holds,
        sabotage: "rotations of other pairs on the second axis, which do not commute with those of the first",
        remark: Some(
            "The paper was read in its abstract. Commuting orthogonal matrices are rotations of common planes and reflections, up to one change of basis: so these are RoPE, and reflections, and no other. What is compared is the direction from right to left, for two axes and two pairs with any frequencies, B an exchange of entries; the theorem has both.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size { dim: DIM, tokens: 0, base: 0 }]
    }

    fn inputs(_: &Size) -> Inputs {
        let vectors = Inputs::default().reals("x", DIM, 1.0).reals("y", DIM, 1.0);
        let rates = ["u", "v", "s", "t"];
        let rated = rates.into_iter().fold(vectors, |inputs, name| inputs.reals_in(name, 1, 0.25, 1.0));
        let points = ["p0", "p1", "q0", "q1"];
        points.into_iter().fold(rated, |inputs, name| inputs.position_in(name, 0..=40))
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (x, y) = (vector(system, "x", DIM), vector(system, "y", DIM));
        let [p0, p1, q0, q1] = ["p0", "p1", "q0", "q1"].map(Position::symbol);
        let other = form.is_sabotaged();
        let at = |point: &[Position; 2], x: &DVector<S::Number>| reordered(&turned(system, point, x, other));
        let absolute = at(&[p0.clone(), p1.clone()], &x).dot(&at(&[q0.clone(), q1.clone()], &y));
        let relative = x.dot(&turned(system, &[q0 - p0, q1 - p1], &y, other));
        Ok(vec![Comparison::new("⟨F p x, F q y⟩ and ⟨x, O^(q−p) y⟩", Relation::Equal(absolute, relative))])
    }

    fn work(_: &Size) -> usize {
        64
    }
}
