//! Passes over a subject that does not conform: how often all of its rows are read. What is wrong in a long cache is told in a few
//! of them, as most hypotheses are refused by some rows.

use crate::several::{Second, of_two_axes};
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Code, Expectation, Grid, InvalidInput, Subject, check};
use posproof_encoding::axes::Coordinates;
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

/// Cosines of a base, as binary32 computes them, at the positions that each pair of a row turns by.
fn cosines(base: f64, position: impl Fn(usize, usize) -> usize) -> Vec<f64> {
    let omega: Vec<f32> = (0..PAIRS).map(|pair| base.powf(-(pair as f64) / PAIRS as f64) as f32).collect();
    let entry = |at: usize| (position(at / PAIRS, at % PAIRS) as f32 * omega[at % PAIRS]).cos();
    (0..ROWS * PAIRS).map(|at| f64::from(entry(at))).collect()
}

/// Entries of which one is wrong, or a row is zero.
fn damaged(right: &[f64]) -> [Vec<f64>; 2] {
    let [mut wrong, mut zeroed] = [right.to_vec(), right.to_vec()];
    wrong[ROWS / 2 * PAIRS + 5] += 0.5;
    zeroed[ROWS / 2 * PAIRS..][..PAIRS].fill(0.0);
    [wrong, zeroed]
}

fn noise() -> Vec<f64> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        f64::from(((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0) as f32)
    };
    (0..ROWS * PAIRS).map(|_| next()).collect()
}

/// Number of passes that a judgement of some entries takes, which says their first code.
fn passes(entries: Vec<f64>, judge: impl Fn(Subject<'_>) -> Option<Code>) -> (Option<Code>, f64) {
    let cos = Counted { entries, width: PAIRS, read: AtomicUsize::new(0) };
    let code = judge(Subject::Rope { cos: Some(&cos), sin: None });
    (code, cos.read.into_inner() as f64 / ROWS as f64)
}

#[test]
fn a_long_cache_is_read_a_few_times_whatever_is_wrong() {
    let right = cosines(1e4, |row, _| row);
    let [wrong, zeroed] = damaged(&right);
    let expectation = Expectation::new(Convention::rope(2 * PAIRS));
    let cases = [
        (right, None, PASSES),
        (wrong, Some(Code::Local), 2.0 * PASSES),
        (zeroed, Some(Code::Local), 2.0 * PASSES),
        (cosines(10_001.0, |row, _| row), Some(Code::OtherBase), 2.0 * PASSES),
        (noise(), Some(Code::Unexplained), 2.0 * PASSES),
    ];
    for (entries, expected, most) in cases {
        let (code, passes) = passes(entries, |subject| check(subject, &expectation).expect("a judgement").first_code());
        assert!(code == expected && passes <= most, "{expected:?}: {code:?} after {passes} passes");
    }
}

/// Each axis of an image is judged alone, too, and row by row.
#[test]
fn a_large_image_is_read_a_few_times_for_each_axis() {
    const ACROSS: usize = 256;
    let place = |row: usize, pair: usize| if pair < PAIRS / 2 { row / ACROSS } else { row % ACROSS };
    let convention = of_two_axes(&Convention::rope(2 * PAIRS), Second::Section);
    let law = convention.law(|_| Err("none is stored".to_owned())).expect("two axes");
    let all: Vec<f64> = (0..ROWS).flat_map(|row| [(row / ACROSS) as f64, (row % ACROSS) as f64]).collect();
    let coordinates = Coordinates::from_floats(&all, 2).expect("coordinates");
    let right = cosines(1e4, place);
    let [wrong, zeroed] = damaged(&right);
    let cases = [
        (right, None, PASSES),
        (wrong, Some(Code::Local), 4.0 * PASSES),
        (zeroed, Some(Code::Local), 4.0 * PASSES),
        (cosines(10_001.0, place), Some(Code::OtherBase), 4.0 * PASSES),
        (noise(), Some(Code::Unexplained), 4.0 * PASSES),
    ];
    for (entries, expected, most) in cases {
        let expectation = AxialExpectation::new(&law, &coordinates);
        let judge = |subject: Subject<'_>| check_axes(subject, &expectation).expect("a judgement").first_code();
        let (code, passes) = passes(entries, judge);
        assert!(code == expected && passes <= most, "{expected:?}: {code:?} after {passes} passes");
    }
}
