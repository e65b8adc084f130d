//! Implementations, right and wrong, in ordinary floating-point arithmetic.

use half::{bf16, f16};
use posproof_check::{Expectation, Invalid, Report, Slice, Subject, check};
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_numerics::format::Format;
use posproof_table::{Element, Positions};

/// A cosine and a sine for each row and pair.
pub struct Phasors {
    pub pairs: usize,
    pub entries: Vec<(f64, f64)>,
}

/// What an implementation does, step by step; each step can be made wrong.
pub struct Program<'a> {
    pub frequency: Box<dyn Fn(usize) -> f64 + 'a>,
    pub position: Box<dyn Fn(u64) -> f64 + 'a>,
    pub angle: Box<dyn Fn(f64, f64) -> f64 + 'a>,
    pub entry: Box<dyn Fn(f64) -> (f64, f64) + 'a>,
}

impl<'a> Program<'a> {
    /// A right one, in binary64.
    pub fn exact(convention: &Convention) -> Self {
        let omega = frequencies(convention);
        let gain = convention.gain().enclose(64).approximate();
        let (offset, scale) = (convention.position_offset.value().to_f64(), Law::new(convention).step().to_f64());
        Self {
            frequency: Box::new(move |k| omega[k]),
            position: Box::new(move |p| (p as f64 + offset) * scale),
            angle: Box::new(|t, w| t * w),
            entry: Box::new(move |angle| (gain * angle.cos(), gain * angle.sin())),
        }
    }

    /// A right one, whose frequencies and angles are rounded to binary32.
    pub fn single(convention: &Convention) -> Self {
        let exact = Self::exact(convention);
        let omega = frequencies(convention);
        Self { frequency: Box::new(move |k| single(omega[k])), angle: Box::new(|t, w| single(t * w)), ..exact }
    }

    pub fn run(&self, pairs: usize, positions: &[u64]) -> Phasors {
        let omega: Vec<f64> = (0..pairs).map(&self.frequency).collect();
        let entries = positions.iter().flat_map(|&p| {
            let t = (self.position)(p);
            omega.iter().map(move |&w| (self.entry)((self.angle)(t, w)))
        });
        Phasors { pairs, entries: entries.collect() }
    }
}

pub fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

pub fn frequencies(convention: &Convention) -> Vec<f64> {
    convention.frequencies(80).expect("a valid convention").iter().map(|omega| omega.approximate()).collect()
}

impl Phasors {
    /// The joined table of a convention's arrangement.
    pub fn joined(&self, convention: &Convention) -> Vec<f64> {
        let mut out = vec![0.0; 2 * self.entries.len()];
        for (row, pairs) in out.chunks_exact_mut(2 * self.pairs).zip(self.entries.chunks_exact(self.pairs)) {
            for (k, (c, s)) in pairs.iter().enumerate() {
                row[convention.column(k, Component::Cos)] = *c;
                row[convention.column(k, Component::Sin)] = *s;
            }
        }
        out
    }

    pub fn apart(&self) -> (Vec<f64>, Vec<f64>) {
        self.entries.iter().copied().unzip()
    }

    /// x rotated, pair by pair.
    pub fn rotate(&self, x: &[f64], dim: usize, read: &[(usize, usize)], write: &[(usize, usize)]) -> Vec<f64> {
        let mut out = x.to_vec();
        for ((x, y), pairs) in
            x.chunks_exact(dim).zip(out.chunks_exact_mut(dim)).zip(self.entries.chunks_exact(self.pairs))
        {
            for (((a, b), (to_a, to_b)), (c, s)) in read.iter().zip(write).zip(pairs) {
                y[*to_a] = x[*a] * c - x[*b] * s;
                y[*to_b] = x[*a] * s + x[*b] * c;
            }
        }
        out
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

macro_rules! in_format {
    ($format:expr, $judge:ident, $($argument:expr),*) => {
        match $format {
            Format::F64 => $judge::<f64>($($argument),*),
            Format::F32 => $judge::<f32>($($argument),*),
            Format::F16 => $judge::<f16>($($argument),*),
            Format::Bf16 => $judge::<bf16>($($argument),*),
        }
    };
}

pub fn judge_table(format: Format, table: &[f64], width: usize, expectation: &Expectation) -> Result<Report, Invalid> {
    fn judge<T: Element>(table: &[f64], width: usize, expectation: &Expectation) -> Result<Report, Invalid> {
        check(Subject::Sinusoid(&Slice::new("table", &typed::<T>(table), width)?), expectation)
    }
    in_format!(format, judge, table, width, expectation)
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
    in_format!(format, judge, cos, sin, width, expectation)
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
    in_format!(format, judge, x, y, width, expectation)
}
