//! Subjects of any shape are judged or refused: nothing underflows, overflows or panics.

use posproof_check::{Computed, Expectation, Grid, Invalid, InvalidInput, Rotated, Slice, Subject, check, identify};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use std::ops::Range;

/// A grid that claims a shape, and holds zeros.
struct Claimed {
    slabs: usize,
    rows: usize,
    width: usize,
}

impl Grid for Claimed {
    fn name(&self) -> &str {
        "claimed"
    }
    fn format(&self) -> Format {
        Format::F32
    }
    fn slabs(&self) -> usize {
        self.slabs
    }
    fn rows(&self) -> usize {
        self.rows
    }
    fn width(&self) -> usize {
        self.width
    }
    fn read(&self, _: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        out.clear();
        out.resize(rows.len() * self.width, 0.0);
        Ok(())
    }
}

fn subjects(grid: &dyn Grid) -> [Subject<'_>; 5] {
    [
        Subject::Sinusoid(grid),
        Subject::Rope { cos: Some(grid), sin: None },
        Subject::Rope { cos: None, sin: Some(grid) },
        Subject::Rope { cos: Some(grid), sin: Some(grid) },
        Subject::Rotation { x: grid, y: grid },
    ]
}

fn judge(subject: Subject<'_>) -> Result<(), Invalid> {
    let convention = match subject {
        Subject::Sinusoid(_) => Convention::sinusoid(2),
        _ => Convention::rope(2),
    };
    check(subject, &Expectation::new(convention)).map(|report| assert!(report.entries > 0))
}

#[test]
fn what_holds_no_entry_is_refused() {
    for (slabs, rows, width) in [(0, 4, 4), (4, 0, 4), (4, 4, 0), (0, 0, 0)] {
        let grid = Claimed { slabs, rows, width };
        for subject in subjects(&grid) {
            for refusal in [identify(subject, None).map(drop).unwrap_err(), judge(subject).unwrap_err()] {
                let text = refusal.to_string();
                assert!(text.contains(&format!("{slabs} tables of {rows} rows with {width} entries")), "{text}");
            }
        }
    }
}

#[test]
fn a_computed_table_without_entries_is_refused() {
    let positions = Positions::range(0..100).unwrap();
    let nothing = Computed::<f32>::new("cos", &positions, 0, |_, _| {});
    let refusal = identify(Subject::Rope { cos: Some(&nothing), sin: None }, Some(&positions)).unwrap_err();
    assert!(refusal.to_string().starts_with("cos"), "{refusal}");
    let rotated = Rotated::<f32>::new(&positions, 0, |_, _| {});
    identify(rotated.subject(), Some(&positions)).unwrap_err();
    // More than any memory.
    let huge = Computed::<f32>::new("cos", &positions, usize::MAX, |_, _| {});
    assert_eq!((huge.rows(), huge.entries().len()), (0, 0));
    identify(Subject::Rope { cos: Some(&huge), sin: None }, Some(&positions)).unwrap_err();
}

#[test]
fn shapes_that_no_memory_holds_are_refused() {
    for (slabs, rows, width) in [(usize::MAX, 4, 4), (4, usize::MAX, 4), (4, 4, usize::MAX), (1, 4, (1 << 25) + 1)] {
        let grid = Claimed { slabs, rows, width };
        for subject in subjects(&grid) {
            identify(subject, None).unwrap_err();
            judge(subject).unwrap_err();
        }
    }
}

#[test]
fn small_shapes_are_judged_or_refused() {
    for rows in 1..4 {
        for width in 1..6 {
            let grid = Claimed { slabs: 2, rows, width };
            for subject in subjects(&grid) {
                drop(identify(subject, None));
                drop(judge(subject));
            }
        }
    }
}

/// Sums of errors are rounded: they are added up in one order, whichever thread ends first.
#[test]
fn a_report_is_the_same_whatever_the_number_of_threads() {
    let (rows, dim) = (60_000, 8);
    let table: Vec<f32> = (0..rows * dim)
        .map(|i| {
            let angle = (i / dim) as f32 / 10001f32.powf((i % dim / 2 * 2) as f32 / dim as f32);
            if i % 2 == 0 { angle.sin() } else { angle.cos() }
        })
        .collect();
    let table = Slice::new("table", &table, dim).unwrap();
    let expectation = Expectation::new(Convention::sinusoid(dim));
    let report = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let report = pool.install(|| check(Subject::Sinusoid(&table), &expectation)).unwrap();
        serde_json::to_string(&report).unwrap()
    };
    let one = report(1);
    assert!((2..8).all(|threads| report(threads) == one));
}
