//! Caches that programs of these tests make.

use half::bf16;
use posproof_check::{Computed, Expectation, Report, Subject, check, probe};
use posproof_encoding::convention::Convention;
use posproof_table::{Element, Positions};

pub const DIM: usize = 64;
pub const PAIRS: usize = DIM / 2;

pub fn convention() -> Convention {
    Convention { base: 500_000.into(), ..Convention::rope(DIM) }
}

pub fn positions() -> Positions {
    probe::positions(131_071).unwrap()
}

pub fn expected() -> Expectation {
    Expectation::new(convention()).at(positions())
}

/// 1/pow(base, 2k/dim) in binary32.
pub fn by_pow(pair: usize) -> f32 {
    1.0 / 500_000f32.powf((2 * pair) as f32 / DIM as f32)
}

/// Cosine and sine of a binary32 product, as binary32 numbers.
pub fn single(position: u64, frequency: f32) -> (f32, f32) {
    let angle = position as f32 * frequency;
    (angle.cos(), angle.sin())
}

/// Rows that a program writes: the columns of the pairs, as `entry` makes them.
pub fn array<T: Element>(name: &str, width: usize, entry: impl Fn(u64, usize) -> T) -> Computed<T> {
    Computed::new(name, &positions(), width, |position, row: &mut [T]| {
        row.iter_mut().enumerate().for_each(|(column, x)| *x = entry(position, column));
    })
}

pub fn judge<T: Element>(cos: &Computed<T>, sin: &Computed<T>, expectation: &Expectation) -> Report {
    let report = check(Subject::Rope { cos: Some(cos), sin: Some(sin) }, expectation).unwrap();
    assert_eq!(report.conforms, report.findings.is_empty(), "{report}");
    report
}

/// Rounded to bfloat16.
pub fn nearest(x: f32) -> f32 {
    bf16::from_f32(x).to_f32()
}
