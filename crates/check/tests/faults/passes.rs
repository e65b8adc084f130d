//! Passes over a subject that does not conform: how often all of its rows are read. What is wrong in a long cache is told in a few
//! of them, as most hypotheses are refused by some rows.

use posproof_check::{Code, Expectation, Grid, InvalidInput, Report, Subject, check};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A cache that counts the rows that are read of it.
struct Counted {
    entries: Vec<f64>,
    width: usize,
    read: AtomicUsize,
}

impl Grid for Counted {
    fn name(&self) -> &str {
        "cos"
    }
    fn format(&self) -> Format {
        Format::F32
    }
    fn slabs(&self) -> usize {
        1
    }
    fn rows(&self) -> usize {
        self.entries.len() / self.width
    }
    fn width(&self) -> usize {
        self.width
    }
    fn read(&self, _: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.read.fetch_add(rows.len(), Relaxed);
        out.clear();
        out.extend_from_slice(&self.entries[rows.start * self.width..rows.end * self.width]);
        Ok(())
    }
}

const ROWS: usize = 1 << 15;
const PAIRS: usize = 16;

/// Passes over a cache that conforms, at most: one along the path of its frequencies, what that is taken from, and what the report asks.
const PASSES: f64 = 4.0;

/// Cosines of a base, as binary32 computes them.
fn cosines(base: f64) -> Vec<f64> {
    let omega = |pair: usize| base.powf(-(pair as f64) / PAIRS as f64) as f32;
    let row = |row: usize| (0..PAIRS).map(move |pair| f64::from((row as f32 * omega(pair)).cos()));
    (0..ROWS).flat_map(row).collect()
}

/// The report, and the passes.
fn judged(entries: Vec<f64>) -> (Report, f64) {
    let cos = Counted { entries, width: PAIRS, read: AtomicUsize::new(0) };
    let expectation = Expectation::new(Convention::rope(2 * PAIRS));
    let report = check(Subject::Rope { cos: Some(&cos), sin: None }, &expectation).expect("a judgement");
    (report, cos.read.into_inner() as f64 / ROWS as f64)
}

#[test]
fn a_long_cache_is_read_a_few_times_whatever_is_wrong() {
    let right = cosines(1e4);
    let (mut wrong, mut zeroed) = (right.clone(), right.clone());
    wrong[ROWS / 2 * PAIRS + 5] += 0.5;
    zeroed[ROWS / 2 * PAIRS..][..PAIRS].fill(0.0);
    let mut state = 1u64;
    let noise = right.iter().map(|_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        f64::from(((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0) as f32)
    });
    let noise = noise.collect();
    let (report, passes) = judged(right);
    assert!(report.conforms && passes <= PASSES, "{passes}\n{report}");
    let cases =
        [(wrong, Code::Local), (zeroed, Code::Local), (cosines(10_001.0), Code::OtherBase), (noise, Code::Unexplained)];
    for (entries, code) in cases {
        let (report, passes) = judged(entries);
        assert!(report.first_code() == Some(code) && passes <= 2.0 * PASSES, "{passes}\n{report}");
    }
}
