//! Claims about a function of vectors and positions.

use super::ball::Ball;
use super::case::Case;
use super::comparison::{Comparison, Comparisons};
use super::dialogue::Dialogue;
use super::role::Role;
use super::setup::Model;
use super::uniform;
use posproof_bound::running::up;

/// Comparisons of all entries, each with the bound of its pair.
fn entries(
    dialogue: &Dialogue<'_>,
    left: &[Ball],
    right: &[Ball],
    bound: impl Fn(&Model, usize) -> f64,
) -> Comparisons {
    let model = dialogue.model;
    let mut all: Comparisons = Comparison::rows("component", left, right).collect();
    for pair in 0..dialogue.pairs() {
        let bound = bound(model, pair);
        model.slots(pair, true).into_iter().for_each(|slot| all[slot] = all[slot].within(bound));
    }
    all
}

/// A bound summed over the pairs.
fn over_pairs(dialogue: &Dialogue<'_>, bound: impl Fn(usize) -> f64) -> f64 {
    (0..dialogue.pairs()).fold(0.0, |sum, pair| up(sum + bound(pair)))
}

type Matrix = [[Ball; 2]; 2];

fn exact(x: &[f64]) -> Vec<Ball> {
    x.iter().map(|&entry| Ball::exact(entry)).collect()
}

fn product(m: &Matrix, x: [Ball; 2]) -> [Ball; 2] {
    m.map(|[a, b]| a * x[0] + b * x[1])
}

fn transposed(m: &Matrix) -> Matrix {
    [[m[0][0], m[1][0]], [m[0][1], m[1][1]]]
}

/// The matrix of each pair applied to a vector whose pairs stand as those of inputs do, or of outputs.
fn applied(dialogue: &Dialogue<'_>, matrices: &[Matrix], x: &[Ball], of_output: bool) -> Vec<Ball> {
    let mut y = vec![Ball::default(); x.len()];
    for (pair, matrix) in matrices.iter().enumerate() {
        let from = dialogue.model.slots(pair, of_output);
        let turned = product(matrix, from.map(|slot| x[slot]));
        dialogue.model.slots(pair, true).into_iter().zip(turned).for_each(|(slot, entry)| y[slot] = entry);
    }
    y
}

/// The input as the outputs are arranged.
fn arranged(dialogue: &Dialogue<'_>, x: &[f64]) -> Vec<Ball> {
    let one = [[Ball::exact(1.0), Ball::default()], [Ball::default(), Ball::exact(1.0)]];
    applied(dialogue, &vec![one; x.len() / 2], &exact(x), false)
}

/// `rope.rotation` of x at m: counter-clockwise by mθ_i, the convention's own angles.
pub(crate) fn rotation(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (x, m) = (&case.vectors[0], at[0]);
    let turned = dialogue.rotate(Role::Rotate, x, m);
    if dialogue.is_noting() {
        return Vec::new();
    }
    let (t, last) = (dialogue.model.reach(m), dialogue.model.reach(dialogue.model.setup.last));
    let angles: Vec<[Ball; 2]> = (0..dialogue.pairs()).map(|pair| dialogue.model.angle(pair, m)).collect();
    let matrix = |[cos, sin]: &[Ball; 2]| {
        let sin = if sabotaged { -*sin } else { *sin };
        [[*cos, -sin], [sin, *cos]]
    };
    let expected = applied(dialogue, &angles.iter().map(matrix).collect::<Vec<_>>(), &exact(x), false);
    let mut all = Vec::new();
    for pair in 0..dialogue.pairs() {
        let length = dialogue.length(x, pair);
        for slot in dialogue.model.slots(pair, true) {
            let found = dialogue.model.rotated_by_convention(pair, t, length, turned[slot].value);
            let farthest = dialogue.model.rotated_by_convention(pair, last, length, 0.0).radius;
            let bound = up(farthest + expected[slot].radius);
            all.push(Comparison::equal("component", slot, found, expected[slot]).within(bound));
        }
    }
    all
}

/// `rope.inverse` at m: R(θ)ᵀ R(θ) = I, of the matrices that unit vectors show.
pub(crate) fn inverse(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let mut all = Vec::new();
    for (pair, matrix) in dialogue.matrices(Role::Rotate, at[0]).iter().enumerate() {
        let back = if sabotaged { *matrix } else { transposed(matrix) };
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let entry = product(&back, [matrix[0][column], matrix[1][column]])[row];
            let expected = Ball::exact(f64::from(u8::from(row == column)));
            all.push(
                Comparison::equal("R(θ)ᵀR(θ)", pair, entry, expected).within(uniform::inverse(dialogue.model, pair)),
            );
        }
    }
    all
}

/// `rope.composition` at a and b, a ≥ b: R(a) R(b) x = R(a + b) x.
pub(crate) fn composition(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let x = &case.vectors[0];
    let first = dialogue.matrices(Role::Rotate, at[0]);
    let second = dialogue.rotate(Role::Rotate, x, at[1]);
    let both = dialogue.rotate(Role::Rotate, x, if sabotaged { at[0] - at[1] } else { at[0] + at[1] });
    let composed = applied(dialogue, &first, &second, true);
    entries(dialogue, &composed, &both, |model, pair| uniform::composition(model, pair, dialogue.length(x, pair)))
}

/// `rope.relative-position` of q at m and k at n, n ≥ m.
pub(crate) fn relative_position(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (q, k) = (&case.vectors[0], &case.vectors[1]);
    let (query, key) = (dialogue.rotate(Role::Rotate, q, at[0]), dialogue.rotate(Role::Rotate, k, at[1]));
    // qᵀR(−p)k is kᵀR(p)q.
    let [still, moved] = if sabotaged { [k, q] } else { [q, k] };
    let moved = dialogue.rotate(Role::Rotate, moved, at[1] - at[0]);
    let relative = Ball::dot(&arranged(dialogue, still), &moved);
    let of_pair = |pair| uniform::score(dialogue.model, pair, [q, k].map(|x| dialogue.length(x, pair)));
    let bound = over_pairs(dialogue, of_pair);
    vec![Comparison::equal("score", 0, Ball::dot(&query, &key), relative).within(bound)]
}

/// `rope.isometry` of x at m.
pub(crate) fn isometry(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let x = &case.vectors[0];
    let (turned, matrices) = (dialogue.rotate(Role::Rotate, x, at[0]), dialogue.matrices(Role::Rotate, at[0]));
    let signless = |m: &Matrix| [[m[0][0], m[1][0]], [m[1][0], m[0][0]]];
    let mistaken: Vec<Matrix> = matrices.iter().map(signless).collect();
    let turned = if sabotaged { applied(dialogue, &mistaken, &exact(x), false) } else { turned };
    let bound = over_pairs(dialogue, |pair| uniform::isometry(dialogue.model, pair, dialogue.length(x, pair)));
    vec![Comparison::equal("squared norm", 0, Ball::square(&turned), Ball::square(&exact(x))).within(bound)]
}

/// Scalars of which products with entries of vectors are exact in every format, and so is their sum.
const SCALARS: [f64; 2] = [0.5, -1.0];

/// `rope.linear` of x and y at m.
pub(crate) fn linear(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (x, y) = (&case.vectors[0], &case.vectors[1]);
    let [a, b] = SCALARS;
    let combined: Vec<f64> = x.iter().zip(y).map(|(x, y)| a * x + b * y).collect();
    let whole = dialogue.rotate(Role::Rotate, &combined, at[0]);
    let (first, second) = (dialogue.rotate(Role::Rotate, x, at[0]), dialogue.rotate(Role::Rotate, y, at[0]));
    let second = if sabotaged { arranged(dialogue, y) } else { second };
    let [a, b] = SCALARS.map(Ball::exact);
    let parts: Vec<Ball> = first.iter().zip(&second).map(|(x, y)| a * *x + b * *y).collect();
    entries(dialogue, &whole, &parts, |model, pair| {
        let factors = [1.0, SCALARS[0].abs(), SCALARS[1].abs()];
        let lengths = [&combined, x, y].map(|x| dialogue.length(x, pair));
        uniform::combination(model, pair, [0, 1, 2].map(|part| (factors[part], lengths[part])))
    })
}

/// `rope.pair-layout` of x at m: f turns the pairs of the layout that is stated, each by its matrix, and no others.
pub(crate) fn pair_layout(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let x = &case.vectors[0];
    let turned = dialogue.rotate(Role::Rotate, x, at[0]);
    let matrices = dialogue.matrices(Role::Rotate, at[0]);
    let halves = dialogue.model.slots(0, false)[1] != 1;
    let mut expected = applied(dialogue, &matrices, &exact(x), false);
    if sabotaged {
        // The pairs of the other layout, in place.
        let half = x.len() / 2;
        for (pair, matrix) in matrices.iter().enumerate() {
            let slots = if halves { [2 * pair, 2 * pair + 1] } else { [pair, pair + half] };
            let entries = product(matrix, slots.map(|slot| Ball::exact(x[slot])));
            slots.into_iter().zip(entries).for_each(|(slot, entry)| expected[slot] = entry);
        }
    }
    entries(dialogue, &turned, &expected, |model, pair| uniform::layout(model, pair, dialogue.length(x, pair)))
}

/// `phasor.relative-position` of x at m and y at n, m ≥ n: Re[x·y*·e^(i(m−n)θ)], with e^(ipθ) as f turns 1.
pub(crate) fn phasor(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (x, y) = (&case.vectors[0], &case.vectors[1]);
    let (one, other) = (dialogue.rotate(Role::Rotate, x, at[0]), dialogue.rotate(Role::Rotate, y, at[1]));
    let turns = dialogue.matrices(Role::Rotate, at[0] - at[1]);
    let mut all = Vec::new();
    for (pair, turn) in turns.iter().enumerate() {
        let ([a, b], [c, d]) = (dialogue.model.slots(pair, false), dialogue.model.slots(pair, true));
        let number = |v: &[f64]| [Ball::exact(v[a]), Ball::exact(v[b])];
        let ([p, q], [r, s]) = (number(x), number(y));
        // x·y* and the real part of its product with cos + i·sin.
        let (real, imaginary) = (p * r + q * s, q * r - p * s);
        let sin = if sabotaged { -turn[1][0] } else { turn[1][0] };
        let score = one[c] * other[c] + one[d] * other[d];
        let bound = uniform::score(dialogue.model, pair, [x, y].map(|x| dialogue.length(x, pair)));
        let relative = real * turn[0][0] - imaginary * sin;
        all.push(Comparison::equal("Re[x·y*·e^(i(m−n)θ)]", pair, score, relative).within(bound));
    }
    all
}

/// `phasor.rotation-matrix` of x at m: the complex and the real code are one function.
pub(crate) fn rotation_matrix(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let x = &case.vectors[0];
    let multiplied = dialogue.rotate(Role::RotateComplex, x, at[0]);
    let turned = dialogue.rotate(Role::Rotate, x, at[0]);
    let back: Vec<Matrix> = dialogue.matrices(Role::Rotate, at[0]).iter().map(transposed).collect();
    let turned = if sabotaged { applied(dialogue, &back, &exact(x), false) } else { turned };
    entries(dialogue, &multiplied, &turned, |model, pair| uniform::two_programs(model, pair, dialogue.length(x, pair)))
}

/// `phasor.dot-product` of x at m and y at n: the score of rotated vectors is Re Σ z·w* of the complex code's.
pub(crate) fn dot_product(dialogue: &mut Dialogue<'_>, case: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let rotated = |dialogue: &mut Dialogue<'_>, role| {
        let (x, y) = (&case.vectors[0], &case.vectors[1]);
        [dialogue.rotate(role, x, at[0]), dialogue.rotate(role, y, at[1])]
    };
    let ([x, y], [z, w]) = (rotated(dialogue, Role::Rotate), rotated(dialogue, Role::RotateComplex));
    let products = (0..dialogue.pairs()).map(|pair| {
        let [re, im] = dialogue.model.slots(pair, true);
        let cross = z[im] * w[im];
        z[re] * w[re] + if sabotaged { -cross } else { cross }
    });
    let sum = products.fold(Ball::default(), |sum, product| sum + product);
    let bound = over_pairs(dialogue, |pair| {
        uniform::two_scores(dialogue.model, pair, [0, 1].map(|vector| dialogue.length(&case.vectors[vector], pair)))
    });
    vec![Comparison::equal("dot product", 0, Ball::dot(&x, &y), sum).within(bound)]
}
