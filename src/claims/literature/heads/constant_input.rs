//! `heads.constant-input`: equal tokens without positions teach queries and keys nothing.

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
pub struct ConstantInput;

const DIM: usize = 2;

impl Claim for ConstantInput {
    const ABOUT: About = About {
        id: "heads.constant-input",
        statement: "On equal tokens causal attention without positional encoding gives weight 1/i to each of the i tokens that row i sees, and its output is W_v applied to the token in every row, for all tokens and weights: it depends neither on W_q nor on W_k, whose gradients are 0.",
        written: None,
        sources: &[Source { document: Document::DroppingEmbeddings, place: "Proposition 3.2" }],
        verdict: Verdict::Holds,
        sabotage: "one token that differs from the others",
        remark: Some(
            "Compared for d = 2 and rows of 1 to 4 tokens, with the token and all weights variables. Of every number of tokens and dimension it is the theorem, gradients included. As the outputs are equal again, the same holds of every further layer: a corollary.",
        ),
    };

    /// The number of tokens of a size is i.
    fn sizes(_: SystemKind) -> Vec<Size> {
        [2, 3, 4, 1].map(|tokens| Size { dim: DIM, tokens, base: 0 }).to_vec()
    }

    fn inputs(_: &Size) -> Inputs {
        let tokens = ["x", "y"].into_iter().fold(Inputs::default(), |inputs, name| inputs.reals(name, DIM, 1.0));
        ["Wq", "Wk", "Wv"].into_iter().fold(tokens, |inputs, name| inputs.reals(name, DIM * DIM, 1.0))
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let tokens = case.size.tokens;
        let differing = |row: usize| form.is_sabotaged() && row == 0;
        let x = DMatrix::from_fn(tokens, DIM, |row, column| {
            system.real(if differing(row) && tokens > 1 { "y" } else { "x" }, column)
        });
        let head = attention::Head::of_reals(system, DIM);
        // The last row of causal attention is that of attention over the whole sequence.
        let query = product(&x, &head.query).rows(tokens - 1, 1).into_owned();
        let weights = attention::softmax(&attention::scores(system, &query, &product(&x, &head.key)));
        let output = product(&weights, &product(&x, &head.value));
        let value = product(&x.rows(tokens - 1, 1).into_owned(), &head.value);
        let share = system.rational(&Rational::from((1, tokens as i64)));
        let mut all: Vec<Comparison<S::Number>> = Vec::new();
        for (column, weight) in weights.iter().enumerate() {
            let relation = Relation::Equal(weight.clone(), share.clone());
            all.push(Comparison { what: "weight and 1/i", index: [tokens - 1, column], relation });
        }
        for (column, (found, stated)) in output.iter().zip(value.iter()).enumerate() {
            let relation = Relation::Equal(found.clone(), stated.clone());
            all.push(Comparison { what: "output and W_v of the token", index: [tokens - 1, column], relation });
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        16 * size.tokens
    }
}
