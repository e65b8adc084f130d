//! Claims about a function of positions.

use super::ball::Ball;
use super::case::Case;
use super::comparison::{Comparison, Comparisons, Relation};
use super::dialogue::{Dialogue, Points};
use super::uniform;
use posproof_encoding::convention::Component;

/// T(k) applied to an encoding: Φ_i(k) = [[cos, sin], [−sin, cos]] on (sin, cos).
fn shifted(by: &Points, row: &Points) -> Points {
    let pairs = || by.cos.iter().zip(&by.sin).zip(row.cos.iter().zip(&row.sin));
    Points {
        sin: pairs().map(|((c, s), (x, y))| *c * *y + *s * *x).collect(),
        cos: pairs().map(|((c, s), (x, y))| *c * *x - *s * *y).collect(),
    }
}

/// e^(−iφ) for e^(iφ).
fn reversed(points: &Points) -> Points {
    Points { cos: points.cos.clone(), sin: points.sin.iter().map(|sin| -*sin).collect() }
}

/// Equality of components, each with its column as index.
fn components(dialogue: &Dialogue<'_>, what: &'static str, left: &Points, right: &Points) -> Comparisons {
    let convention = &dialogue.model.setup.convention;
    let mut all = Vec::new();
    for (component, left, right) in [(Component::Sin, &left.sin, &right.sin), (Component::Cos, &left.cos, &right.cos)] {
        for (pair, (left, right)) in left.iter().zip(right).enumerate() {
            all.push(Comparison::equal(what, convention.column(pair, component), *left, *right));
        }
    }
    all
}

fn dot(one: &Points, other: &Points) -> Ball {
    Ball::dot(&one.row(), &other.row())
}

fn sum(balls: &[Ball]) -> Ball {
    balls.iter().fold(Ball::default(), |sum, ball| sum + *ball)
}

fn number(value: usize) -> Ball {
    Ball::exact(value as f64)
}

/// `sinusoid.bounded` at t.
pub(crate) fn bounded(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let points = dialogue.encode(at[0]);
    let parts = if sabotaged { dialogue.dim() } else { dialogue.pairs() };
    let norm = Comparison::equal("squared norm", 0, Ball::square(&points.row()), number(parts));
    let mut all = vec![norm.within(uniform::norm(dialogue.model))];
    let (one, square) = (Ball::exact(1.0), uniform::square(dialogue.model));
    for (pair, (cos, sin)) in points.cos.iter().zip(&points.sin).enumerate() {
        let certificate = Comparison::equal("1 − x² and the partner's square", pair, one - *cos * *cos, *sin * *sin);
        all.push(certificate.within(square));
        for component in [cos, sin] {
            all.push(Comparison::related("component and 1", pair, Relation::AtMost, *component, one));
            all.push(Comparison::related("−1 and component", pair, Relation::AtMost, -one, *component));
        }
    }
    all
}

/// ‖P(s) − P(t)‖².
fn squared_distance(one: &Points, other: &Points) -> Ball {
    let difference: Vec<Ball> = one.row().iter().zip(other.row()).map(|(x, y)| *x - y).collect();
    Ball::square(&difference)
}

/// Σ 2 − 2·cos.
fn chords(points: &Points) -> Ball {
    let two = Ball::exact(2.0);
    let chords: Vec<Ball> = points.cos.iter().map(|cos| two - two * *cos).collect();
    sum(&chords)
}

/// `sinusoid.neighbours` at t.
pub(crate) fn neighbours(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (here, next) = (dialogue.encode(at[0]), dialogue.encode(at[0] + if sabotaged { 2 } else { 1 }));
    let step = chords(&dialogue.encode(1));
    vec![
        Comparison::equal("squared distance", 0, squared_distance(&next, &here), step)
            .within(uniform::chords(dialogue.model)),
        Comparison::related("0 and squared distance", 0, Relation::Less, Ball::default(), step),
    ]
}

/// `sinusoid.separation` at s and t, s ≥ t.
pub(crate) fn separation(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (s, t) = (dialogue.encode(at[0]), dialogue.encode(at[1]));
    let chords = chords(&dialogue.encode(at[0] - at[1]));
    let chords = if sabotaged { Ball::exact(0.5) * chords } else { chords };
    let one = Comparison::equal("squared distance and its sum", 0, squared_distance(&s, &t), chords);
    vec![one.within(uniform::chords(dialogue.model))]
}

/// Shifted components with their bounds for all positions: the sines of all pairs first, then the cosines.
fn shifted_components(dialogue: &Dialogue<'_>, what: &'static str, left: &Points, right: &Points) -> Comparisons {
    let bounds: Vec<f64> = (0..dialogue.pairs()).map(|pair| uniform::shift(dialogue.model, pair)).collect();
    let all = components(dialogue, what, left, right).into_iter();
    all.zip(bounds.iter().cycle()).map(|(one, bound)| one.within(*bound)).collect()
}

/// `shift.linearity` at t and k.
pub(crate) fn linearity(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (t, k, both) = (dialogue.encode(at[0]), dialogue.encode(at[1]), dialogue.encode(at[0] + at[1]));
    let k = if sabotaged { reversed(&k) } else { k };
    shifted_components(dialogue, "component", &shifted(&k, &t), &both)
}

/// `shift.block-structure` at k, t and u: one block-diagonal matrix for both positions.
pub(crate) fn block_structure(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let k = dialogue.encode(at[0]);
    let k = if sabotaged { reversed(&k) } else { k };
    let mut all = Vec::new();
    for (what, position) in [("component at t", at[1]), ("component at u", at[2])] {
        let (here, there) = (dialogue.encode(position), dialogue.encode(position + at[0]));
        all.extend(shifted_components(dialogue, what, &shifted(&k, &here), &there));
    }
    all
}

/// `shift.group` at j and k, j ≥ k: T(0) = I, T(j) T(k) = T(j + k), det T(k) = 1.
pub(crate) fn group(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (zero, j, k) = (dialogue.encode(0), dialogue.encode(at[0]), dialogue.encode(at[1]));
    let both = dialogue.encode(if sabotaged { at[0] - at[1] } else { at[0] + at[1] });
    let ones = Points { cos: vec![Ball::exact(1.0); k.cos.len()], sin: vec![Ball::default(); k.sin.len()] };
    let (start, square) = (uniform::start(dialogue.model), uniform::square(dialogue.model));
    let at_zero = components(dialogue, "T(0) = I", &zero, &ones).into_iter();
    let mut all: Comparisons = at_zero.map(|one| one.within(start)).collect();
    all.extend(shifted_components(dialogue, "T(j) T(k) = T(j+k)", &shifted(&j, &k), &both));
    for (pair, (cos, sin)) in k.cos.iter().zip(&k.sin).enumerate() {
        let determinant = *cos * *cos + *sin * *sin;
        all.push(Comparison::equal("det of a block of T(k)", pair, determinant, Ball::exact(1.0)).within(square));
    }
    all
}

/// `toeplitz.dot-product` at s and t, s ≥ t.
pub(crate) fn dot_product(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (s, t) = (dialogue.encode(at[0]), dialogue.encode(at[1]));
    let distance = dialogue.encode(if sabotaged { at[0] + at[1] } else { at[0] - at[1] });
    let bound = uniform::dot_product(dialogue.model);
    let one = Comparison::equal("dot product", 0, dot(&s, &t), sum(&distance.cos));
    vec![one.within(bound)]
}

/// `toeplitz.structure` at s, t and k, s ≥ k.
pub(crate) fn structure(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let (s, t) = (dialogue.encode(at[0]), dialogue.encode(at[1]));
    let row = dialogue.encode(if sabotaged { at[0] - at[2] } else { at[0] + at[2] });
    let column = dialogue.encode(at[1] + at[2]);
    let one = Comparison::equal("dot product", 0, dot(&s, &t), dot(&row, &column));
    vec![one.within(uniform::two_dot_products(dialogue.model))]
}

/// `toeplitz.symmetric` at t: that D_st = D_ts holds of any function, so that only the diagonal is asked.
pub(crate) fn symmetric(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let row = dialogue.encode(at[0]);
    let parts = if sabotaged { dialogue.dim() } else { dialogue.pairs() };
    vec![Comparison::equal("D_tt", 0, Ball::square(&row.row()), number(parts)).within(uniform::norm(dialogue.model))]
}

/// `toeplitz.shift-invariance` at s, s′ and their distance to a partner.
pub(crate) fn shift_invariance(dialogue: &mut Dialogue<'_>, _: &Case, at: &[u64], sabotaged: bool) -> Comparisons {
    let [s, other, distance] = [at[0], at[1], at[2]];
    // Positions whose sum, not whose difference, is the same.
    let partners = if sabotaged { [other + distance, s + distance] } else { [s + distance, other + distance] };
    let [product, same] = [[s, partners[0]], [other, partners[1]]].map(|[one, partner]| {
        let (one, partner) = (dialogue.encode(one), dialogue.encode(partner));
        dot(&one, &partner)
    });
    vec![Comparison::equal("dot product", 0, product, same).within(uniform::two_dot_products(dialogue.model))]
}
