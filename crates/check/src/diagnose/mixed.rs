//! One matrix on top of a rotation: y = Q·R(p)x with the same Q in every row. A diagonal one is a weight of each entry.

use super::super::Invalid;
use super::super::faults::{Cause, ENTRY_GAINS, ONE_MATRIX, ProductsCause};
use super::super::subject::Subject;
use super::hypothesis::{Context, Named};
#[cfg(feature = "axes")]
use super::normalised::PairEntries;
use super::normalised::normalised;
use super::program::Stages;
use posproof_bound::Allowance;
use posproof_numerics::format::Format;

/// Entries of the matrix at most, and products for all rows.
const WIDEST: usize = 256;
const PRODUCTS: usize = 1 << 32;

/// The rotation as it should be of a vector in a table and a row: the rotated vector, and the length of the bounds of its entries.
pub type Turning<'a> = &'a mut dyn FnMut((usize, usize), &[f64]) -> Result<(Vec<f64>, f64), Invalid>;

/// The norm of a judgement of one axis.
pub fn norm_of_one_axis(context: &Context<'_>) -> Result<Option<Named>, Invalid> {
    let (right, wiring) = (HonestRotation::new(context), &context.reading.wiring);
    let pairs = (&wiring.read[..], &wiring.write[..]);
    normalised(context.subject, (context.storage, pairs), &mut |place, x| Ok(right.of(x, place)))
}

/// The matrix of a judgement of one axis.
pub fn matrix_of_one_axis(context: &Context<'_>) -> Result<Option<Named>, Invalid> {
    let right = HonestRotation::new(context);
    let pairs = &context.reading.wiring.write;
    matrix(context.subject, (context.storage, pairs), &mut |place, x| Ok(right.of(x, place)))
}

/// Fate of the vectors of every table and row beside their rotation: a norm, or one matrix.
#[cfg(feature = "axes")]
pub fn normalised_or_mixed(
    subject: Subject<'_>,
    (storage, pairs): (Format, PairEntries<'_>),
    right: Turning<'_>,
) -> Result<Option<Named>, Invalid> {
    match normalised(subject, (storage, pairs), right)? {
        None => matrix(subject, (storage, pairs.1), right),
        norm => Ok(norm),
    }
}

/// The matrix that makes y of the rotated vectors, whose pairs are given, if every row of every table has it: measured on a part of them,
/// compared with all.
fn matrix(
    subject: Subject<'_>,
    (storage, pairs): (Format, &[(usize, usize)]),
    right: Turning<'_>,
) -> Result<Option<Named>, Invalid> {
    let Subject::Rotation { x, y } = subject else { return Ok(None) };
    let (width, rows, tables) = (x.width(), x.rows(), x.slabs());
    if width > WIDEST
        || rows * tables < 4 * width
        || rows.saturating_mul(tables).saturating_mul(width * width) > PRODUCTS
    {
        return Ok(None);
    }
    // Four times as many rows as the matrix has columns: the first of all tables, whose angles have the smallest errors.
    let chosen = 0..(4 * width).div_ceil(tables).min(rows);
    let (mut all_z, mut all_y) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (Vec::new(), Vec::new());
    let mut largest = 0f64;
    for (table, row) in (0..tables).flat_map(|table| chosen.clone().map(move |row| (table, row))) {
        x.read(table, row..row + 1, &mut from)?;
        y.read(table, row..row + 1, &mut to)?;
        let (z, open) = right((table, row), &from)?;
        largest = largest.max(open / length(&z).max(f64::MIN_POSITIVE));
        all_z.push(z);
        all_y.push(to.clone());
    }
    let Some(matrix) = least_squares(&all_z, &all_y) else { return Ok(None) };
    // Bounds of narrow formats allow for a little of anything. Without the matrix, four times as much is left at least; with it no more
    // than roundings and a quarter of the bounds, in the mean.
    let left = |row: &dyn Fn(&[f64], usize) -> f64| -> f64 {
        let squares = |(z, y): (&Vec<f64>, &Vec<f64>)| (0..width).map(|j| (row(z, j) - y[j]).powi(2)).sum::<f64>();
        all_z.iter().zip(&all_y).map(squares).sum()
    };
    let unit = storage.unit_roundoff();
    let with = left(&|z, j| dot(&matrix[j * width..][..width], z));
    let roundings = (8.0 * unit + largest / 4.0).powi(2) * all_y.iter().flatten().map(|y| y * y).sum::<f64>();
    if 16.0 * with > left(&|z, j| z[j]) || with > roundings {
        return Ok(None);
    }
    for table in 0..tables {
        for row in 0..rows {
            x.read(table, row..row + 1, &mut from)?;
            y.read(table, row..row + 1, &mut to)?;
            let (z, open) = right((table, row), &from)?;
            // The rotated vector's own error, a sum of products, and the error of the measured matrix.
            let limit = 2.0 * open + ((8.0 + 2.0 * (width as f64).sqrt()) * unit + 2.0 * largest) * length(&z);
            let fits = |j: usize| (dot(&matrix[j * width..][..width], &z) - to[j]).abs() <= limit;
            if !(0..width).all(fits) {
                return Ok(None);
            }
        }
    }
    // Roundings of as many rows leave no more off the diagonal.
    let near = 2.0 * largest + 8.0 * unit;
    let entries = || (0..width).flat_map(|i| (0..width).map(move |j| (i, j)));
    if entries().all(|(i, j)| i == j || matrix[i * width + j].abs() <= near) {
        let gain = |j: usize| matrix[j * width + j];
        let entries = pairs.iter().map(|&(first, second)| [gain(first), gain(second)]).collect();
        return Ok(Some((&ENTRY_GAINS, Cause::Products(ProductsCause::Gains { entries }))));
    }
    let product = |i: usize, j: usize| dot(&matrix[i * width..][..width], &matrix[j * width..][..width]);
    let off = |i: usize, j: usize| (product(i, j) - f64::from(i == j)).abs();
    let orthogonal = (0..width).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| off(i, j)).fold(0.0, f64::max);
    let even = matrix.iter().all(|entry| (entry.abs() * (width as f64).sqrt() - 1.0).abs() < 0.01);
    let cause = ProductsCause::Matrix { orthogonal, even };
    Ok(Some((&ONE_MATRIX, Cause::Products(cause))))
}

/// An honest program, which rotates vectors.
struct HonestRotation<'a> {
    stages: Stages,
    allowance: Allowance,
    context: &'a Context<'a>,
}

impl<'a> HonestRotation<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        let allowance = context.allowance(&context.expected, &context.omega);
        Self { stages: context.honest(), allowance, context }
    }

    /// The rotated vector of a table and a row, and the length of the bounds of its entries.
    fn of(&self, x: &[f64], (table, row): (usize, usize)) -> (Vec<f64>, f64) {
        let Self { stages, allowance, context } = self;
        let position = context.positions.get(row).unwrap_or_default();
        let wiring = &context.reading.wiring;
        let (mut z, mut open) = (x.to_vec(), 0.0);
        for (pair, (&(a, b), &(to_a, to_b))) in wiring.read.iter().zip(&wiring.write).enumerate() {
            let angle = stages.angle(table, position, pair, 0);
            let (cos, sin) =
                (stages.gain * core_math::cos(angle), stages.gain * stages.law.sense() * core_math::sin(angle));
            (z[to_a], z[to_b]) = (x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos);
            let limit = allowance.rotated(pair, stages.law.reach(position as f64), x[a].hypot(x[b]));
            open += 2.0 * limit * limit;
        }
        (z, f64::sqrt(open))
    }
}

pub fn length(z: &[f64]) -> f64 {
    dot(z, z).sqrt()
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The matrix Q, row by row, for which Q·z is nearest to y; none where the vectors z do not span the space.
fn least_squares(z: &[Vec<f64>], y: &[Vec<f64>]) -> Option<Vec<f64>> {
    let width = z.first()?.len();
    // Normal equations: G·Qᵀ = Zᵀ·Y.
    let mut gram = vec![0.0; width * width];
    let mut right = vec![0.0; width * width];
    for (z, y) in z.iter().zip(y) {
        for (i, zi) in z.iter().enumerate() {
            for (j, (zj, yj)) in z.iter().zip(y).enumerate() {
                gram[i * width + j] += zi * zj;
                right[i * width + j] += zi * yj;
            }
        }
    }
    // G = L·Lᵀ.
    for i in 0..width {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| gram[i * width + k] * gram[j * width + k]).sum();
            let rest = gram[i * width + j] - known;
            if i == j {
                if rest <= 1e-9 * gram[i * width + i].abs() {
                    return None;
                }
                gram[i * width + i] = rest.sqrt();
            } else {
                gram[i * width + j] = rest / gram[j * width + j];
            }
        }
    }
    let mut matrix = vec![0.0; width * width];
    for column in 0..width {
        let mut solved = vec![0.0; width];
        for i in 0..width {
            let known: f64 = (0..i).map(|k| gram[i * width + k] * solved[k]).sum();
            solved[i] = (right[i * width + column] - known) / gram[i * width + i];
        }
        for i in (0..width).rev() {
            let known: f64 = (i + 1..width).map(|k| gram[k * width + i] * solved[k]).sum();
            solved[i] = (solved[i] - known) / gram[i * width + i];
        }
        matrix[column * width..][..width].copy_from_slice(&solved);
    }
    Some(matrix)
}
