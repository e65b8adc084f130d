//! `attention.weighted-sum`: softmax weights average the values.

use super::tokens_of;
use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::attention::{matrix, softmax};
use crate::number::matrix::product;
use crate::number::{Number, Relation, System};
use num_traits::{One, Zero};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct WeightedSum;

/// The places of the least and the greatest of `count` real variables `name[first + i·step]`; none
/// where they have no values, as in the exact system.
fn extremes(case: &Case, name: &'static str, [first, step, count]: [usize; 3]) -> Option<[usize; 2]> {
    let value = |i: &usize| case.values.real(name, first + i * step);
    let places = || (0..count).filter(|i| !value(i).is_nan());
    let order = |a: &usize, b: &usize| value(a).total_cmp(&value(b));
    Some([places().min_by(order)?, places().max_by(order)?])
}

impl Claim for WeightedSum {
    const ABOUT: About = About {
        id: "attention.weighted-sum",
        statement: "With at least one key, softmax weights are positive and sum to 1, so each coordinate of an attention output lies between the least and the greatest of that coordinate among the values.",
        written: None,
        sources: &[
            Source {
                document: Document::LectureNotes,
                place: "Does the positional encoding disappear as data flows through multiple layers?",
            },
            Source { document: Document::SinesAndCosines, place: "Transformers and Self-Attention" },
        ],
        verdict: Verdict::Holds,
        sabotage: "e^(−A): the larger score gets the smaller weight",
        remark: Some(
            "The exact system, which has no order, decides the sum of the weights and their ratios w_j/w_k = e^(A_j − A_k), from which their order follows.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => vec![tokens_of(2, 1), tokens_of(3, 2), tokens_of(4, 2)],
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => {
                vec![tokens_of(2, 1), tokens_of(4, 2), tokens_of(16, 4)]
            }
            SystemKind::Rounded { .. } => vec![tokens_of(2, 1), tokens_of(8, 4), tokens_of(256, 128)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        vec![tokens_of(2, 1), tokens_of(4, 2)]
    }

    fn inputs(size: &Size) -> Inputs {
        let Size { dim, tokens, .. } = *size;
        Inputs::default().reals("A", tokens, 4.0).reals("V", tokens * dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, .. } = case.size;
        let (scores, values) = (matrix(system, "A", 1, tokens), matrix(system, "V", tokens, dim));
        let weights = softmax(&scores.map(|score| if form.is_sabotaged() { -score } else { score }));
        let total = weights.iter().fold(S::Number::zero(), |sum, weight| sum + weight.clone());
        let mut all = vec![Comparison::new("sum of the weights", Relation::Equal(total, S::Number::one()))];
        for token in 0..tokens {
            let (weight, score) = (weights[token].clone(), scores[token].clone());
            let mut compare = |what, relation| all.push(Comparison { what, index: [token, 0], relation });
            compare("weight above 0", Relation::Less(S::Number::zero(), weight.clone()));
            let ratio = (score - scores[0].clone()).exp();
            compare("weight by ratio", Relation::Equal(weight, weights[0].clone() * ratio));
        }
        if let Some([least, greatest]) = extremes(case, "A", [0, 1, tokens]) {
            let relation = Relation::Less(weights[least].clone(), weights[greatest].clone());
            all.push(Comparison::new("weights of the least and the greatest score", relation));
        }
        let output = product(&weights, &values);
        for column in 0..dim {
            if let Some([least, greatest]) = extremes(case, "V", [column, dim, tokens]) {
                let mut compare = |what, relation| all.push(Comparison { what, index: [column, 0], relation });
                let between = output[column].clone();
                compare("least value and output", Relation::AtMost(values[(least, column)].clone(), between.clone()));
                compare("output and greatest value", Relation::AtMost(between, values[(greatest, column)].clone()));
            }
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        size.tokens * (size.dim + 4)
    }
}
