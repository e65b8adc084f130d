//! Implementations, right and wrong, in ordinary floating-point arithmetic.

use posproof_check::faults::{CosinesAndSines, EncodingProgram, PairRotation, turn};
use posproof_check::{Expectation, Invalid, Report, Slice, Subject, check};
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_numerics::format::Format;
use posproof_table::{Element, Positions, in_format};

/// Program of an implementation, step by step, in binary64; each step can be made wrong.
pub type Program<'a> = EncodingProgram<'a, f64>;

pub fn frequencies(convention: &Convention) -> Vec<f64> {
    convention.frequencies(80).expect("a valid convention").iter().map(|omega| omega.approximate()).collect()
}

/// Arrays made of cosines and sines.
pub trait Phasors {
    /// The joined table of a convention's arrangement.
    fn joined(&self, convention: &Convention) -> Vec<f64>;
    fn apart(&self) -> (Vec<f64>, Vec<f64>);
    /// x rotated, pair by pair.
    fn rotate(&self, x: &[f64], dim: usize, read: &[(usize, usize)], write: &[(usize, usize)]) -> Vec<f64>;
}

impl Phasors for CosinesAndSines<f64> {
    fn joined(&self, convention: &Convention) -> Vec<f64> {
        let mut out = vec![0.0; 2 * self.entries.len()];
        for (row, pairs) in out.chunks_exact_mut(2 * self.width).zip(self.entries.chunks_exact(self.width)) {
            for (k, (c, s)) in pairs.iter().enumerate() {
                row[convention.column(k, Component::Cos)] = *c;
                row[convention.column(k, Component::Sin)] = *s;
            }
        }
        out
    }

    fn apart(&self) -> (Vec<f64>, Vec<f64>) {
        self.entries.iter().copied().unzip()
    }

    fn rotate(&self, x: &[f64], dim: usize, read: &[(usize, usize)], write: &[(usize, usize)]) -> Vec<f64> {
        let how = PairRotation { write: write.to_vec(), ..PairRotation::new(read.to_vec()) };
        turn(self, x, dim, &how)
    }
}

pub fn wiring(layout: Layout, pairs: usize) -> Vec<(usize, usize)> {
    (0..pairs).map(|k| if layout == Layout::Halves { (k, k + pairs) } else { (2 * k, 2 * k + 1) }).collect()
}

/// Vectors to rotate.
pub fn vectors(count: usize, format: Format) -> Vec<f64> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    (0..count).map(|_| format.round(0.25 + next())).collect()
}

/// 0 to 299, then numbers near powers of two and others up to a last one.
pub fn sparse(last: u64) -> Vec<u64> {
    let mut all: Vec<u64> = (0..300).collect();
    all.extend((9..17).flat_map(|i| [(1 << i) - 1, 1 << i, (1 << i) + 1, (1 << i) + (1 << (i - 1)) + 1]));
    all.extend((0..40).map(|i| 300 + i * (last - 300) / 40));
    all.push(last);
    all.sort_unstable();
    all.dedup();
    all.retain(|&p| p <= last);
    all
}

pub fn expectation(convention: &Convention, positions: &[u64]) -> Expectation {
    Expectation::new(convention.clone()).at(Positions::list(positions.iter().copied()).expect("positions"))
}

fn typed<T: Element>(values: &[f64]) -> Vec<T> {
    values.iter().map(|x| T::from_exact(T::FORMAT.round(*x))).collect()
}

pub fn judge_table(format: Format, table: &[f64], width: usize, expectation: &Expectation) -> Result<Report, Invalid> {
    fn judge<T: Element>(table: &[f64], width: usize, expectation: &Expectation) -> Result<Report, Invalid> {
        check(Subject::Sinusoid(&Slice::new("table", &typed::<T>(table), width)?), expectation)
    }
    in_format!(format, T => judge::<T>(table, width, expectation))
}

pub fn judge_cache(
    format: Format,
    (cos, sin): (&[f64], &[f64]),
    width: usize,
    expectation: &Expectation,
) -> Result<Report, Invalid> {
    fn judge<T: Element>(cos: &[f64], sin: &[f64], width: usize, expectation: &Expectation) -> Result<Report, Invalid> {
        let (cos, sin) = (typed::<T>(cos), typed::<T>(sin));
        let (cos, sin) = (Slice::new("cos", &cos, width)?, Slice::new("sin", &sin, width)?);
        check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, expectation)
    }
    in_format!(format, T => judge::<T>(cos, sin, width, expectation))
}

pub fn judge_rotation(
    format: Format,
    (x, y): (&[f64], &[f64]),
    width: usize,
    expectation: &Expectation,
) -> Result<Report, Invalid> {
    fn judge<T: Element>(x: &[f64], y: &[f64], width: usize, expectation: &Expectation) -> Result<Report, Invalid> {
        let (x, y) = (typed::<T>(x), typed::<T>(y));
        let (x, y) = (Slice::new("x", &x, width)?, Slice::new("y", &y, width)?);
        check(Subject::Rotation { x: &x, y: &y }, expectation)
    }
    in_format!(format, T => judge::<T>(x, y, width, expectation))
}
