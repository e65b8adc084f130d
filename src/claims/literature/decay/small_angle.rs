//! `decay.small-angle`: a bound on both sides that increasing rows satisfy too.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::attention;
use crate::number::{Frequency, Number, Position, Relation, System};
use nalgebra::DMatrix;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct SmallAngle;

/// N and δ: with θ ≤ 1/2, (δ + N − 1)·θ ≤ 2 < π.
const TOKENS: i64 = 3;
const DELTA: i64 = 2;

/// cos(φ + xθ) for φ = `multiple`·θ.
fn cosine<S: System>(system: &S, multiple: i64, x: i64) -> S::Number {
    system.cis(&(Position::integer(multiple + x) * Frequency::Free("θ"))).re
}

/// The weights of a row at distances 0, 1, … N − 1, with scores cos(φ + xθ).
fn row<S: System>(system: &S, multiple: i64) -> Vec<S::Number> {
    let scores = DMatrix::from_fn(1, TOKENS as usize, |_, x| cosine(system, multiple, x as i64));
    attention::softmax(&scores).iter().cloned().collect()
}

impl Claim for SmallAngle {
    const ABOUT: About = About {
        id: "decay.small-angle",
        statement: "For d = 2, |φ| ≤ δθ and (δ + N − 1)·θ ≤ π the bounds C·e^(−c·x²θ²) ≤ A ≤ C′·e^(−c′·x²θ²) on the weights of a row of N tokens say nothing of a decay: rows that increase with the distance x satisfy them too, as that of N = 3 tokens with scores cos(φ + xθ), φ = −2θ, for θ from 1/4 to 1/2, C = 1/5, c = c′ = 1 and C′ = e^(9θ²). What holds: cos(φ + xθ) falls with x while φ + xθ goes from 0 to π, and rises while it is negative.",
        written: Some(
            "Under these hypotheses the weights decay with the distance: the weight at distance 1 is at most that at 0.",
        ),
        sources: &[Source { document: Document::PositionBias, place: "Lemma 4.6, \"induces a distance-based decay\"" }],
        verdict: Verdict::Corrected,
        sabotage: "φ = 2θ for φ = −2θ: the row said to rise falls",
        remark: Some(
            "For a fixed N every row whose entries lie between some ε > 0 and 1 satisfies the lemma, with C = ε and C′ = e^(c′N²θ²); one such row is computed, with θ a variable; the witness is at θ = 1/4.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![Size { dim: 2, tokens: TOKENS as usize, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().reals_in("θ", 1, 0.25, 0.5)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let rising = if form.is_sabotaged() { DELTA } else { -DELTA };
        let weights = row(system, rising);
        if form == Form::AsWritten {
            let relation = Relation::AtMost(weights[1].clone(), weights[0].clone());
            return Ok(vec![Comparison::new("weights at distances 1 and 0", relation)]);
        }
        let rate = system.real("θ", 0);
        let square = |x: i64| system.integer(x * x) * rate.clone() * rate.clone();
        let mut all = Vec::new();
        for x in 0..TOKENS {
            let index = [x as usize, 0];
            let mut compared = |what, relation| all.push(Comparison { what, index, relation });
            let weight = &weights[x as usize];
            if let Some(next) = weights.get(x as usize + 1) {
                compared("weight at a distance and at the next", Relation::Less(weight.clone(), next.clone()));
                let falling = [x + 1, x].map(|x| cosine(system, DELTA, x));
                let [next, here] = falling;
                compared("cosine at the next distance and here, φ = 2θ", Relation::Less(next, here));
            }
            let lower = system.rational(&Rational::from((1, 5))) * (-square(x)).exp();
            compared("lower bound and weight", Relation::AtMost(lower, weight.clone()));
            let upper = (square(TOKENS) - square(x)).exp();
            compared("weight and upper bound", Relation::AtMost(weight.clone(), upper));
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        24
    }
}
