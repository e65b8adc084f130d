//! `heads.nope-diagonal`: without positions equal tokens share the weight.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::attention;
use crate::number::matrix::product;
use crate::number::{Relation, System};
use nalgebra::DMatrix;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct NopeDiagonal;

const DIM: usize = 2;

/// The tokens of the sequence, by the names of their vectors: each occurs twice.
const TOKENS: [&str; 4] = ["x", "y", "x", "y"];

/// The same with four tokens, as the sabotage has it.
const DISTINCT: [&str; 4] = ["x", "y", "z", "w"];

impl Claim for NopeDiagonal {
    const ABOUT: About = About {
        id: "heads.nope-diagonal",
        statement: "A head without positional encoding gives equal tokens equal weights, so that in the sequence x, y, x, y the last row gives its own position, and the one before, at most 1/2 each, for all vectors and weights: it can attend neither to the diagonal nor to the previous token with weight above 1 − ε for ε < 1/2.",
        written: None,
        sources: &[Source { document: Document::RoundAndRound, place: "Proposition 5.2" }],
        verdict: Verdict::Holds,
        sabotage: "four distinct tokens",
        remark: Some(
            "Compared for d = 2. That a half bounds two equal non-negative weights of sum at most 1 is an order, which normal forms do not have: the numeric systems compare it.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size { dim: DIM, tokens: TOKENS.len(), base: 0 }]
    }

    fn inputs(_: &Size) -> Inputs {
        let tokens = DISTINCT.into_iter().fold(Inputs::default(), |inputs, name| inputs.reals(name, DIM, 1.0));
        ["Wq", "Wk", "Wv"].into_iter().fold(tokens, |inputs, name| inputs.reals(name, DIM * DIM, 1.0))
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let names = if form.is_sabotaged() { DISTINCT } else { TOKENS };
        let x = DMatrix::from_fn(names.len(), DIM, |row, column| system.real(names[row], column));
        let head = attention::Head::of_reals(system, DIM);
        // The last row of causal attention is that of attention over the whole sequence.
        let query = product(&x, &head.query).rows(names.len() - 1, 1).into_owned();
        let weights = attention::softmax(&attention::scores(system, &query, &product(&x, &head.key)));
        let weight = |column| weights[(0, column)].clone();
        let half = system.rational(&Rational::from((1, 2)));
        let mut all = vec![
            Comparison::new("weights of the two x", Relation::Equal(weight(0), weight(2))),
            Comparison::new("weights of the two y", Relation::Equal(weight(1), weight(3))),
        ];
        if form == Form::Settled {
            all.push(Comparison::new("weight of the diagonal and 1/2", Relation::AtMost(weight(3), half.clone())));
            all.push(Comparison::new("weight of the previous token and 1/2", Relation::AtMost(weight(2), half)));
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        64
    }
}
