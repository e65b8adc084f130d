//! Tables of any numbers at all: a report with a finding or a refusal, never a panic.

use crate::corpus::*;
use posproof::conformance::{Expectation, Slice, Subject, check, identify};
use posproof::encoding::convention::{Convention, Layout, Spacing};
use posproof::table::Positions;
use posproof_bound::first::First;
use posproof_schema::validate;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Changes of the numbers of a right table, or numbers in place of them.
#[derive(Clone, Debug)]
enum Wild {
    Everything(Vec<u32>),
    Some(Vec<(prop::sample::Index, u32)>),
    Constant(u32),
    Times(f32),
    Plus(f32),
    Columns(Vec<prop::sample::Index>),
    Rows(Vec<prop::sample::Index>),
}

const ROWS: usize = 40;
const DIM: usize = 8;

fn wild() -> impl Strategy<Value = Wild> {
    let number = || {
        prop_oneof![
            any::<u32>(),
            Just(f32::NAN.to_bits()),
            Just(f32::INFINITY.to_bits()),
            Just(f32::MAX.to_bits()),
            Just(1),
            Just(0)
        ]
    };
    let index = any::<prop::sample::Index>;
    prop_oneof![
        prop::collection::vec(number(), ROWS * DIM).prop_map(Wild::Everything),
        prop::collection::vec((index(), number()), 1..30).prop_map(Wild::Some),
        number().prop_map(Wild::Constant),
        any::<f32>().prop_map(Wild::Times),
        (-2f32..2.0).prop_map(Wild::Plus),
        prop::collection::vec(index(), DIM).prop_map(Wild::Columns),
        prop::collection::vec(index(), ROWS).prop_map(Wild::Rows),
    ]
}

fn apply(table: &mut [f32], wild: &Wild) {
    let count = table.len();
    let before = table.to_vec();
    match wild {
        Wild::Everything(bits) => table.iter_mut().zip(bits).for_each(|(x, bits)| *x = f32::from_bits(*bits)),
        Wild::Some(changes) => changes.iter().for_each(|(at, bits)| table[at.index(count)] = f32::from_bits(*bits)),
        Wild::Constant(bits) => table.fill(f32::from_bits(*bits)),
        Wild::Times(factor) => table.iter_mut().for_each(|x| *x *= factor),
        Wild::Plus(term) => table.iter_mut().for_each(|x| *x += term),
        Wild::Columns(from) => {
            for (i, x) in table.iter_mut().enumerate() {
                *x = before[i / DIM * DIM + from[i % DIM].index(DIM)];
            }
        }
        Wild::Rows(from) => {
            for (i, x) in table.iter_mut().enumerate() {
                *x = before[from[i / DIM].index(ROWS) * DIM + i % DIM];
            }
        }
    }
}

/// A convention with one or another parameter that is not usual.
fn stated(mut convention: Convention, kind: u8) -> Convention {
    match kind {
        1 => convention.position_scale = "-0.001".parse().unwrap(),
        2 => convention.position_offset = "-7.5".parse().unwrap(),
        3 => convention.amplitude = "0".parse().unwrap(),
        4 => convention.frequency_spacing = Spacing::Endpoints,
        5 => convention.base = "1e300".parse().unwrap(),
        6 => convention.amplitude = "-3".parse().unwrap(),
        7 => convention.layout = Layout::Halves,
        _ => {}
    }
    convention
}

#[test]
fn any_numbers_are_judged_or_refused() {
    let right = Convention::rope(DIM);
    let far: Vec<u64> = (0..ROWS as u64).map(|i| i * i * i * 2000 + 5).collect();
    let near: Vec<u64> = (0..ROWS as u64).collect();
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]));
    let input = (wild(), prop::option::of(wild()), 0u8..8, any::<bool>());
    let findings = std::cell::Cell::new(0);
    runner
        .run(&input, |(one, other, kind, distant)| {
            let rows = if distant { &far } else { &near };
            let positions = Positions::list(rows.iter().copied()).unwrap();
            let joined = Program::exact(&right).run(DIM / 2, rows).joined(&right);
            let mut y: Vec<f32> = joined.iter().map(|x| *x as f32).collect();
            let mut x = y.clone();
            apply(&mut y, &one);
            other.iter().for_each(|wild| apply(&mut x, wild));
            let (x, y) = (Slice::new("x", &x, DIM).unwrap(), Slice::new("y", &y, DIM).unwrap());
            let partial = Convention { rotary_dim: Some(4), ..Convention::rope(DIM) };
            let cases = [
                (Subject::Sinusoid(&y), stated(Convention::sinusoid(DIM), kind)),
                (Subject::Rope { cos: Some(&x), sin: Some(&y) }, stated(Convention::rope(DIM), kind)),
                (Subject::Rope { cos: Some(&y), sin: Some(&x) }, stated(Convention::rope(2 * DIM), kind)),
                (Subject::Rope { cos: Some(&y), sin: None }, stated(Convention::rope(2 * DIM), kind)),
                (Subject::Rope { cos: None, sin: Some(&y) }, stated(Convention::rope(2 * DIM), kind)),
                (Subject::Rotation { x: &x, y: &y }, stated(Convention::rope(DIM), kind)),
                (Subject::Rotation { x: &x, y: &y }, stated(partial, kind)),
            ];
            for (subject, convention) in cases {
                match check(subject, &Expectation::new(convention).at(positions.clone())) {
                    Ok(report) => {
                        prop_assert!(report.conforms == report.findings.is_empty(), "{}", report);
                        findings.set(findings.get() + report.findings.len());
                        validate(&serde_json::to_value(&report).unwrap());
                        validate(&serde_json::to_value(First(&report)).unwrap());
                    }
                    // A vector that is not finite cannot be rotated.
                    Err(error) => prop_assert!(matches!(subject, Subject::Rotation { .. }), "{}", error),
                }
                if let Ok(found) = identify(subject, Some(&positions)) {
                    validate(&serde_json::to_value(&found).unwrap());
                }
            }
            Ok(())
        })
        .unwrap();
    assert!(findings.get() > 100, "{} findings: the tables are not wild enough", findings.get());
}
