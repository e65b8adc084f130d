//! Vectors that are normalised before or after their rotation: y = g·R(p)(w∘x), or y = g·w∘R(p)x, with a number g for each vector and
//! a weight w for each entry. Of x its mean may be taken first, as a layer norm does.

use super::super::Invalid;
use super::super::faults::{NORMALISED, ProductsCause};
use super::super::subject::Subject;
use super::hypothesis::Named;
use super::mixed::{Turning, dot, length};
use posproof_numerics::format::Format;

/// Vectors that are measured: of so many tables, so many rows of each.
const TABLES: usize = 4;
const ROWS: usize = 16;

/// Vectors that tell numbers of their own from weights, at least.
const FEWEST: usize = 8;

/// Roundings of an entry, of its vector's number and of its weight, in units of the format's roundoff.
const ROUNDINGS: f64 = 16.0;

/// Steps of the fit: each one leaves a small part of the error before.
const STEPS: usize = 8;

/// Entries of the pairs as they are read and as they are written.
pub type PairEntries<'a> = (&'a [(usize, usize)], &'a [(usize, usize)]);

/// The norm between x and y, if every vector of every table has it: measured on a part of them, compared with all.
pub fn normalised(
    subject: Subject<'_>,
    (storage, pairs): (Format, PairEntries<'_>),
    right: Turning<'_>,
) -> Result<Option<Named>, Invalid> {
    let Subject::Rotation { x, y } = subject else { return Ok(None) };
    let (width, rows, tables) = (x.width(), x.rows(), x.slabs());
    let limit = ROUNDINGS * storage.unit_roundoff();
    // The largest part of a vector that the bounds of its entries are.
    let mut widest = 0f64;
    let vectors =
        |tables: usize, rows: usize| (0..tables).flat_map(move |table| (0..rows).map(move |row| (table, row)));
    let (mut before, mut turned, mut after, mut back) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let first: Vec<f64> = (0..width).map(|j| f64::from(pairs.0.iter().any(|pair| pair.0 == j))).collect();
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for (table, row) in vectors(tables.min(TABLES), rows.min(ROWS)) {
        x.read(table, row..row + 1, &mut from)?;
        y.read(table, row..row + 1, &mut to)?;
        // (1, 0) becomes (cos θ, sin θ).
        let (circle, _) = right((table, row), &first)?;
        let mut unturned = to.clone();
        for (&(a, b), &(to_a, to_b)) in pairs.0.iter().zip(pairs.1) {
            let (cos, sin) = (circle[to_a], circle[to_b]);
            let square = cos * cos + sin * sin;
            unturned[a] = (cos * to[to_a] + sin * to[to_b]) / square;
            unturned[b] = (cos * to[to_b] - sin * to[to_a]) / square;
        }
        let (z, open) = right((table, row), &from)?;
        widest = widest.max(open / length(&z).max(f64::MIN_POSITIVE));
        turned.push(z);
        before.push(from.clone());
        after.push(to.clone());
        back.push(unturned);
    }
    let less_mean: Vec<Vec<f64>> = before.iter().map(|x| centred(x)).collect();
    let [inside, outside, apart] =
        [(&before, &back), (&turned, &after), (&less_mean, &back)].map(|(x, y)| NormFit::of(x, y));
    let [is_first, is_centred] =
        [inside.left.min(apart.left) <= outside.left, apart.left < inside.left.min(outside.left)];
    let (normal, fit) = match (is_centred, is_first) {
        (true, _) => (less_mean, apart),
        (_, true) => (before, inside),
        _ => (before, outside),
    };
    let NormFit { gains, mut weights, left } = fit;
    let measured = limit + widest;
    // Without them, four times as much is left at least: roundings are no norm.
    let plain = NormFit::without(&turned, &after).left;
    if normal.len() < FEWEST || left.is_nan() || left > measured || 4.0 * left > plain || has_few(&gains, limit / 32.0)
    {
        return Ok(None);
    }
    // Root mean squares of the vectors, times their numbers: the same where these are those of a norm.
    let square_mean = |x: &Vec<f64>| length(x) / (width as f64).sqrt();
    let norms: Vec<f64> = normal.iter().zip(&gains).map(|(x, gain)| square_mean(x) * gain).collect();
    let norm = norms.iter().sum::<f64>() / norms.len() as f64;
    let root_mean_square = norms.iter().all(|one| (one - norm).abs() <= measured * norm.abs());
    if root_mean_square {
        weights.iter_mut().for_each(|weight| *weight *= norm);
    }
    let ends = |all: &mut dyn Iterator<Item = f64>| {
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], one| [one.min(least), one.max(most)])
    };
    let [least, most] = ends(&mut weights.iter().copied());
    let weighted = most - least > 2.0 * measured * most.abs();
    let (mut numbers, mut partner) = ([f64::INFINITY, f64::NEG_INFINITY], (0..width).collect::<Vec<usize>>());
    pairs.1.iter().for_each(|&(a, b)| (partner[a], partner[b]) = (b, a));
    // The least and the largest number of the table.
    let (mut own, mut differ) = ([0.0; 2], false);
    for (table, row) in vectors(tables, rows) {
        x.read(table, row..row + 1, &mut from)?;
        y.read(table, row..row + 1, &mut to)?;
        let weigh = |x: &mut Vec<f64>| x.iter_mut().zip(&weights).for_each(|(x, weight)| *x *= weight);
        if is_centred {
            from = centred(&from);
        }
        if is_first {
            weigh(&mut from);
        }
        let (mut z, open) = right((table, row), &from)?;
        if !is_first {
            weigh(&mut z);
        }
        let gain = dot(&to, &z) / dot(&z, &z);
        // A norm leaves no vector zero, and turns none round.
        if gain <= 0.0 {
            return Ok(None);
        }
        own = if row == 0 { [gain; 2] } else { [gain.min(own[0]), gain.max(own[1])] };
        numbers = [own[0].min(numbers[0]), own[1].max(numbers[1])];
        // That of a vector is the mean of as many as it has entries.
        differ |= own[1] - own[0] > limit / 4.0 * own[1].abs();
        let near =
            |j: usize| (to[j] - gain * z[j]).abs() <= gain.abs() * (2.0 * open + measured * z[j].hypot(z[partner[j]]));
        if !(0..width).all(near) {
            return Ok(None);
        }
    }
    // One number for all vectors of a table is an amplitude.
    if !differ {
        return Ok(None);
    }
    let weights = weighted.then_some([least, most]);
    let cause = ProductsCause::Normalised { numbers, weights, before: is_first, centred: is_centred, root_mean_square };
    Ok(Some((&NORMALISED, cause.into())))
}

/// True if half of the vectors have one number, the mean of as many as it has entries: parts are multiplied, and none is normalised.
fn has_few(gains: &[f64], limit: f64) -> bool {
    let like = |one: &f64| gains.iter().filter(|other| (*other - one).abs() <= limit * one.abs()).count();
    gains.iter().any(|one| 2 * like(one) >= gains.len())
}

/// The vector less the mean of its entries.
fn centred(x: &[f64]) -> Vec<f64> {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    x.iter().map(|x| x - mean).collect()
}

/// Numbers of vectors and weights of entries.
struct NormFit {
    gains: Vec<f64>,
    weights: Vec<f64>,
    /// Part of the vectors that they leave.
    left: f64,
}

impl NormFit {
    /// Those for which g·w∘x is nearest to y, of all vectors.
    fn of(x: &[Vec<f64>], y: &[Vec<f64>]) -> Self {
        let mut weights = vec![1.0; x.first().map_or(0, Vec::len)];
        let mut gains = vec![1.0; x.len()];
        for _ in 0..STEPS {
            for (gain, (x, y)) in gains.iter_mut().zip(x.iter().zip(y)) {
                let weighed: Vec<f64> = x.iter().zip(&weights).map(|(x, weight)| x * weight).collect();
                *gain = dot(y, &weighed) / dot(&weighed, &weighed);
            }
            for (j, weight) in weights.iter_mut().enumerate() {
                let all = || gains.iter().zip(x.iter().zip(y)).map(|(gain, (x, y))| (gain * x[j], y[j]));
                let square: f64 = all().map(|(x, _)| x * x).sum();
                *weight = if square > 0.0 { all().map(|(x, y)| x * y).sum::<f64>() / square } else { 1.0 };
            }
        }
        Self::with(gains, weights, (x, y))
    }

    /// Numbers and weights of 1.
    fn without(x: &[Vec<f64>], y: &[Vec<f64>]) -> Self {
        let weights = vec![1.0; x.first().map_or(0, Vec::len)];
        Self::with(vec![1.0; x.len()], weights, (x, y))
    }

    fn with(gains: Vec<f64>, weights: Vec<f64>, (x, y): (&[Vec<f64>], &[Vec<f64>])) -> Self {
        let off = |(gain, (x, y)): (&f64, (&Vec<f64>, &Vec<f64>))| {
            x.iter().zip(&weights).zip(y).map(|((x, weight), y)| (gain * weight * x - y).powi(2)).sum::<f64>()
        };
        let all: f64 = y.iter().map(|y| dot(y, y)).sum();
        let left = (gains.iter().zip(x.iter().zip(y)).map(off).sum::<f64>() / all).sqrt();
        Self { gains, weights, left }
    }
}
