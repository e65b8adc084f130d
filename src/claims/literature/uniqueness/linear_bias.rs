//! `uniqueness.linear-bias`: a bias linear in the distance is a score by powers of a matrix, and of no orthogonal one.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LinearBias;

/// The largest distance that is compared.
const LONGEST: usize = 8;

impl Claim for LinearBias {
    const ABOUT: About = About {
        id: "uniqueness.linear-bias",
        statement: "A bias −m·s that is linear in the distance s is the score uᵀGˢv of G = (1, 1; 0, 1), u = (1, 0) and v = (0, −m), at every natural s. Of an orthogonal matrix it is not, in any dimension, for m ≠ 0: uᵀOˢv is at most (‖u‖² + ‖v‖²)/2 in modulus at every s.",
        written: None,
        sources: &[Source { document: Document::Alibi, place: "section 3, the bias; beyond it" }],
        verdict: Verdict::Holds,
        sabotage: "the transposed matrix",
        remark: Some(
            "Beyond the paper, which compares its bias with rotations by experience. By uniqueness.linear-recurrence the bias is a score by powers of some matrix; by multiaxis.orthogonal-families rotary encodings are powers of orthogonal ones. Distances from 1 to 8 are compared, and that a rotation keeps the norm, on which the bound rests; the theorem is of all distances and dimensions.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        let inputs = Inputs::default().reals_in("m", 1, 0.125, 0.5).reals_in("v", 2, 0.5, 1.0);
        inputs.reals_in("o", 2, 0.5, 1.0).choice("s", 1..=LONGEST)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let (slope, distance) = (system.real("m", 0), case.choice("s")?);
        let (mut x, mut y) = (system.integer(0), -slope.clone());
        for _ in 0..distance {
            (x, y) = if form.is_sabotaged() { (x.clone(), x + y) } else { (x + y.clone(), y) };
        }
        let bias = -(slope * system.integer(distance as i64));
        let [a, b] = [0, 1].map(|entry| system.real("o", entry));
        let [v, w] = [0, 1].map(|entry| system.real("v", entry));
        let norm = |x: S::Number, y: S::Number| x.clone() * x + y.clone() * y;
        let turned = [a.clone() * v.clone() - b.clone() * w.clone(), b.clone() * v.clone() + a.clone() * w.clone()];
        let [first, second] = turned;
        Ok(vec![
            Comparison::new("score and bias", Relation::Equal(x, bias)),
            Comparison::new(
                "norm of a vector that a multiple of a rotation turned, and the norms multiplied",
                Relation::Equal(norm(first, second), norm(a, b) * norm(v, w)),
            ),
        ])
    }
}
