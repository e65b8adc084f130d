//! Claims about attention, and about whole layers.

use super::ball::Ball;
use super::case::Case;
use super::comparison::{Comparison, Comparisons, Relation};
use super::dialogue::Dialogue;

type Rows = Vec<Vec<f64>>;

/// q, k and v of a case.
fn parts(case: &Case) -> [&[Vec<f64>]; 3] {
    let tokens = case.vectors.len() / 3;
    [0, 1, 2].map(|part| &case.vectors[part * tokens..(part + 1) * tokens])
}

/// P X: row i becomes row π(i).
fn permuted<T: Clone>(case: &Case, rows: &[T]) -> Vec<T> {
    let mut moved = rows.to_vec();
    case.permutation.iter().zip(rows).for_each(|(&to, row)| moved[to] = row.clone());
    moved
}

fn equal(what: &'static str, left: &[Vec<Ball>], right: &[Vec<Ball>]) -> Comparisons {
    left.iter().zip(right).flat_map(|(left, right)| Comparison::rows(what, left, right)).collect()
}

/// `attention.equivariance`: Attn(P q, P k, P v) = P Attn(q, k, v).
pub(crate) fn equivariance(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let given = parts(case);
    let moved = given.map(|rows| permuted(case, rows));
    let output = dialogue.attend(given);
    let after = dialogue.attend(moved.each_ref().map(Vec::as_slice));
    let before = if sabotaged { output } else { permuted(case, &output) };
    equal("output", &after, &before)
}

/// `attention.single-query`: keys and values shuffled together.
pub(crate) fn single_query(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let [q, k, v] = parts(case);
    let (moved, carried) = (permuted(case, k), permuted(case, v));
    let query = &q[..1];
    let before = dialogue.attend([query, k, v]);
    let after = dialogue.attend([query, &moved, if sabotaged { v } else { &carried }]);
    equal("output", &before, &after)
}

/// Values that show the weights: row j is the j-th unit vector.
fn unit_values(dialogue: &Dialogue<'_>, tokens: usize) -> Rows {
    (0..tokens).map(|row| (0..dialogue.dim()).map(|column| f64::from(u8::from(row == column))).collect()).collect()
}

/// The weights of each query, as the outputs for unit vectors show them.
fn weights(dialogue: &mut Dialogue<'_>, q: &[Vec<f64>], k: &[Vec<f64>]) -> Vec<Vec<Ball>> {
    let values = unit_values(dialogue, k.len());
    let mut outputs = dialogue.attend([q, k, &values]);
    outputs.iter_mut().for_each(|row| row.truncate(k.len()));
    outputs
}

/// q·k/√d of each key, in binary64.
fn scores(query: &[f64], keys: &[Vec<f64>]) -> Vec<f64> {
    let root = (query.len() as f64).sqrt();
    keys.iter().map(|key| query.iter().zip(key).map(|(x, y)| x * y).sum::<f64>() / root).collect()
}

/// e^x for x ≤ 0, with what the score and the exponential here may be off by.
fn exponential(x: f64) -> Ball {
    let value = x.exp();
    Ball { value, radius: value * 1e-12 }
}

/// `attention.scores`: w_j·e^(A_0) = w_0·e^(A_j) with A = q·k/√d.
pub(crate) fn scaled_scores(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let [q, k, _] = parts(case);
    let mut all = Vec::new();
    for (row, weights) in weights(dialogue, q, k).iter().enumerate() {
        let scores = scores(&q[row], k);
        let scores = if sabotaged { permuted(case, &scores) } else { scores };
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<Ball> = scores.iter().map(|score| exponential(score - largest)).collect();
        for (token, (weight, power)) in weights.iter().zip(&powers).enumerate() {
            all.push(Comparison::equal("weight by ratio", token, *weight * powers[0], weights[0] * *power));
        }
    }
    all
}

/// `attention.softmax`: rows of weights sum to 1, and move with the tokens.
pub(crate) fn softmax(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let [q, k, _] = parts(case);
    let (moved_q, moved_k) = (permuted(case, q), permuted(case, k));
    let before = weights(dialogue, q, k);
    let after = weights(dialogue, &moved_q, &moved_k);
    let mut all = Vec::new();
    for row in 0..before.len() {
        let along: Vec<Ball> = match sabotaged {
            true => before.iter().map(|weights| weights[row]).collect(),
            false => before[row].clone(),
        };
        let sum = along.iter().fold(Ball::default(), |sum, weight| sum + *weight);
        all.push(Comparison::equal("sum of the weights", row, sum, Ball::exact(1.0)));
        for (token, weight) in before[row].iter().enumerate() {
            let there = after[case.permutation[row]][case.permutation[token]];
            all.push(Comparison::equal("weight", token, there, *weight));
        }
    }
    all
}

/// The places of the least and the greatest number.
fn extremes(numbers: &[f64]) -> [usize; 2] {
    let by = |a: &usize, b: &usize| numbers[*a].total_cmp(&numbers[*b]);
    let places = || 0..numbers.len();
    [places().min_by(by).unwrap_or(0), places().max_by(by).unwrap_or(0)]
}

/// `attention.weighted-sum`: outputs lie between values, and the larger score has the larger weight.
pub(crate) fn weighted_sum(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let [q, k, v] = parts(case);
    let (outputs, weights) = (dialogue.attend([q, k, v]), weights(dialogue, q, k));
    let mut all = Vec::new();
    for (row, (output, weights)) in outputs.iter().zip(&weights).enumerate() {
        let sum = weights.iter().fold(Ball::default(), |sum, weight| sum + *weight);
        all.push(Comparison::equal("sum of the weights", row, sum, Ball::exact(1.0)));
        for (token, weight) in weights.iter().enumerate() {
            all.push(Comparison::related("0 and weight", token, Relation::AtMost, Ball::default(), *weight));
        }
        let scores = scores(&q[row], k);
        let [least, greatest] = extremes(&scores);
        // Scores as near as this may be computed in either order.
        if scores[greatest] - scores[least] > 1e-9 {
            let [least, greatest] = if sabotaged { [greatest, least] } else { [least, greatest] };
            let what = "weights of the least and the greatest score";
            all.push(Comparison::related(what, row, Relation::Less, weights[least], weights[greatest]));
        }
        for (column, output) in output.iter().enumerate() {
            let values: Vec<f64> = v.iter().map(|row| row[column]).collect();
            let [least, greatest] = extremes(&values).map(|place| Ball::exact(values[place]));
            all.push(Comparison::related("least value and output", column, Relation::AtMost, least, *output));
            all.push(Comparison::related("output and greatest value", column, Relation::AtMost, *output, greatest));
        }
    }
    all
}

/// `attention.equivariance` of a layer: f(P x) = P f(x).
pub(crate) fn layer(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let moved = permuted(case, &case.vectors);
    let (output, after) = (dialogue.layer(&case.vectors), dialogue.layer(&moved));
    let before = if sabotaged { output } else { permuted(case, &output) };
    equal("output", &after, &before)
}

/// `attention.encoding-breaks-symmetry` of a layer with positions: f(P x) ≠ P f(x) somewhere.
pub(crate) fn broken_symmetry(dialogue: &mut Dialogue<'_>, case: &Case, _: &[u64], sabotaged: bool) -> Comparisons {
    let moved = permuted(case, &case.vectors);
    let (output, after) = (dialogue.layer(&case.vectors), dialogue.layer(&moved));
    let before = permuted(case, &output);
    let what = "output, encoding that stays";
    let relation = if sabotaged { Relation::Equal } else { Relation::Distinct };
    equal(what, &after, &before).into_iter().map(|one| Comparison { relation, ..one }).collect()
}
