//! The positions of rows, from honest implementations at positions that are known, and from rows of which nothing is known.

mod axes;
mod hostile;
mod million;
mod specimen;

use half::{bf16, f16};
use posproof_check::positions::{Domain, Located, Pattern, Query, decode};
use posproof_check::{Half, Slice, Subject};
use posproof_encoding::convention::{Convention, Direction, Layout};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_table::{E4m3, E5m2};
use specimen::{Binary32, Numbers, cache, of_cache, of_rotation, sound};

const END: i64 = 1 << 20;

fn rope(dim: usize, base: i64) -> Convention {
    Convention { base: base.into(), ..Convention::rope(dim) }
}

#[test]
fn random_rows_in_binary32_are_all_certified() {
    let mut numbers = Numbers(1);
    for base in [10_000, 500_000] {
        let query = Query::new(rope(128, base));
        let positions = numbers.positions(10_000, 0, END);
        assert_eq!(sound(&of_cache::<f32>(&query, &positions), &positions), positions.len(), "cache, base {base}");
        assert_eq!(
            sound(&of_rotation::<f32>(&query, &positions, &mut numbers), &positions),
            positions.len(),
            "rotation, base {base}"
        );
    }
}

#[test]
fn every_format_is_sound() {
    let mut numbers = Numbers(3);
    for base in [10_000, 500_000] {
        let query = Query::new(rope(128, base));
        let positions = numbers.positions(1500, 0, END);
        let caches = [
            of_cache::<f64>(&query, &positions),
            of_cache::<f32>(&query, &positions),
            of_cache::<f16>(&query, &positions),
            of_cache::<bf16>(&query, &positions),
            of_rotation::<f32>(&query, &positions, &mut numbers),
            of_rotation::<f16>(&query, &positions, &mut numbers),
            of_rotation::<bf16>(&query, &positions, &mut numbers),
            of_cache::<E4m3>(&query, &positions),
            of_cache::<E5m2>(&query, &positions),
            of_rotation::<E4m3>(&query, &positions, &mut numbers),
            of_rotation::<E5m2>(&query, &positions, &mut numbers),
        ];
        for decoded in caches {
            let certified = sound(&decoded, &positions);
            println!(
                "{} in {}, base {base}: {certified} of {} certified, told apart {}",
                decoded.subject,
                decoded.storage,
                positions.len(),
                decoded.axes[0].told_apart
            );
        }
    }
}

/// In a domain whose positions are told apart, every row is certified; in one that is a little larger, some row is not.
/// An entry that is stored as the largest number may have been any beyond it.
#[test]
fn saturated_entries_are_no_objection() {
    let (query, dim, rows) = (Query::new(rope(64, 10_000)), 64, 200);
    let omega = query.convention.frequencies(80).expect("valid");
    let sign = |i: usize| if i.is_multiple_of(3) { -1.0 } else { 1.0 };
    let number = |i: usize| sign(i) * (150.0 + (i * 7919 % 298) as f64);
    let x: Vec<E4m3> = (0..rows * dim).map(|i| E4m3::from_f64(number(i))).collect();
    let mut y = vec![E4m3::default(); x.len()];
    for row in 0..rows {
        for (k, omega) in omega.iter().enumerate() {
            let (a, b) = (row * dim + 2 * k, row * dim + 2 * k + 1);
            let (sin, cos) = ((3 * row) as f64 * omega.approximate()).sin_cos();
            let (first, second) = (f64::from(x[a]), f64::from(x[b]));
            y[a] = E4m3::from_f64(first * cos - second * sin);
            y[b] = E4m3::from_f64(first * sin + second * cos);
        }
    }
    assert!(y.iter().filter(|entry| f64::from(**entry).abs() == 448.0).count() > 100);
    let (x, y) = (Slice::new("x", &x, dim).unwrap(), Slice::new("y", &y, dim).unwrap());
    let decoded = decode(Subject::Rotation { x: &x, y: &y }, &query).unwrap();
    assert_eq!(decoded.axes[0].counts.unexplained, 0, "{decoded}");
    let wrong = |(row, located): (usize, &Located)| located.position().is_some_and(|found| found != 3 * row as i64);
    assert!(!decoded.axes[0].located.iter().enumerate().any(wrong), "{decoded}");
}

#[test]
fn positions_that_are_told_apart_are_certified() {
    let mut numbers = Numbers(4);
    for (dim, compute) in [(128, Format::F32), (64, Format::Bf16), (8, Format::F32), (4, Format::F32)] {
        let query = Query::new(rope(dim, 10_000)).computed_in(compute);
        let whole = of_rotation::<bf16>(&query, &[0], &mut numbers);
        let apart = whole.axes[0].told_apart;
        println!("dim {dim}, angles in {compute}, rotations in bf16: told apart {apart}");
        assert!(apart.end() > 1 && apart.end() <= END, "{apart}");
        let positions = numbers.positions(1000, 0, apart.end());
        let decoded = of_rotation::<bf16>(&query.clone().within(apart), &positions, &mut numbers);
        assert_eq!(decoded.axes[0].told_apart, apart);
        assert_eq!(sound(&decoded, &positions), positions.len(), "dim {dim}, {compute}");
    }
}

#[test]
fn conventions_of_every_kind() {
    let llama3 = Scaling::Llama3 {
        factor: 8.into(),
        low_freq_factor: 1.into(),
        high_freq_factor: 4.into(),
        original_max_position_embeddings: 8192,
    };
    let yarn: Scaling =
        serde_json::from_str(r#"{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}"#)
            .unwrap();
    let proportional = Scaling::Proportional { partial_rotary_factor: "0.25".parse().unwrap(), factor: 1.into() };
    let plain = rope(64, 10_000);
    let number = |text: &str| text.parse().unwrap();
    let conventions = [
        Convention { scaling: Some(llama3), ..rope(128, 500_000) },
        Convention { scaling: Some(yarn), ..rope(128, 10_000) },
        Convention { scaling: Some(proportional), ..plain.clone() },
        Convention { position_offset: 7.into(), ..plain.clone() },
        Convention { position_offset: number("0.5"), position_scale: number("0.25"), ..plain.clone() },
        Convention { direction: Direction::Clockwise, layout: Layout::Halves, ..plain.clone() },
        Convention { rotary_dim: Some(32), layout: Layout::Halves, ..plain.clone() },
        Convention { layout: Layout::InterleavedToHalves, ..plain.clone() },
        Convention { amplitude: "-1.5".parse().unwrap(), ..plain.clone() },
    ];
    let mut numbers = Numbers(5);
    for convention in conventions {
        for domain in ["0..32768", "-4096..4096"] {
            let query = Query::new(convention.clone()).within(domain.parse().unwrap());
            let positions = numbers.positions(300, query.domain.first(), query.domain.end());
            let caches = [of_cache::<f32>(&query, &positions), of_rotation::<f32>(&query, &positions, &mut numbers)];
            for decoded in caches {
                assert_eq!(sound(&decoded, &positions), positions.len(), "{convention:?} {domain}");
            }
        }
    }
}

/// The convention matters: rows of another one have no position, or none that is right by accident.
#[test]
fn rows_of_another_convention_are_unexplained() {
    let positions = Numbers(6).positions(500, 1, END);
    let [cos, sin] = cache::<f32>(&rope(64, 10_000), &positions);
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let other = [
        rope(64, 10_001),
        Convention { direction: Direction::Clockwise, ..rope(64, 10_000) },
        Convention { amplitude: "1.001".parse().unwrap(), ..rope(64, 10_000) },
    ];
    for convention in other {
        let decoded = decode(subject, &Query::new(convention.clone())).unwrap();
        assert_eq!(decoded.axes[0].counts.unexplained, 500, "{convention:?}");
        assert!(decoded.falls_short());
    }
}

#[test]
fn tables_and_caches_of_every_arrangement() {
    let positions: Vec<i64> = (3..200).chain(0..40).collect();
    let convention = rope(16, 10_000);
    let program = Binary32::of(&convention);
    let rows = |entry: &dyn Fn(i64, usize) -> f32, width: usize| -> Vec<f32> {
        positions.iter().flat_map(|&p| (0..width).map(move |j| (p, j))).map(|(p, j)| entry(p, j)).collect()
    };
    let query = Query::new(convention.clone()).within(Domain::new(0, 4096).unwrap());
    let restarts = Pattern::Runs {
        runs: vec![
            posproof_check::positions::Run { row: 0, rows: 197, position: 3, stride: 1 },
            posproof_check::positions::Run { row: 197, rows: 40, position: 0, stride: 1 },
        ],
    };
    // Of full width: in halves, and each twice.
    for pair in [|j: usize| j % 8, |j: usize| j / 2] {
        let cos = rows(&|p, j| program.at(p, pair(j)).0, 16);
        let sin = rows(&|p, j| program.at(p, pair(j)).1, 16);
        let (cos, sin) = (Slice::new("cos", &cos, 16).unwrap(), Slice::new("sin", &sin, 16).unwrap());
        let decoded = decode(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &query).unwrap();
        assert_eq!(sound(&decoded, &positions), positions.len());
        assert_eq!(decoded.axes[0].patterns[0].pattern, restarts);
    }
    // Side by side.
    let both = rows(&|p, j| if j < 8 { program.at(p, j).0 } else { program.at(p, j - 8).1 }, 16);
    let both = Slice::new("cos_sin_cache", &both, 16).unwrap();
    let [cos, sin] = Half::both(&both).unwrap();
    let decoded = decode(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &query).unwrap();
    assert_eq!(sound(&decoded, &positions), positions.len());
    // A sinusoidal table: sine and cosine in turn.
    let table = rows(&|p, j| if j % 2 == 0 { program.at(p, j / 2).1 } else { program.at(p, j / 2).0 }, 16);
    let table = Slice::new("table", &table, 16).unwrap();
    let query = Query { convention: Convention::sinusoid(16), ..query };
    let decoded = decode(Subject::Sinusoid(&table), &query).unwrap();
    assert_eq!(sound(&decoded, &positions), positions.len());
}

#[test]
fn the_stated_format_decides_the_bound() {
    let positions = Numbers(7).positions(200, 0, 4096);
    let convention = rope(64, 10_000);
    let [cos, sin] = cache::<bf16>(&convention, &positions);
    let wide = |entries: &[bf16]| entries.iter().map(|x| x.to_f32()).collect::<Vec<f32>>();
    let (cos, sin) = (wide(&cos), wide(&sin));
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let query = Query::new(convention).within(Domain::new(0, 4096).unwrap());
    // As numbers of binary32 they are too far off for any position but 0, whose entries every format holds.
    let unexplained = decode(subject, &query).unwrap().axes[0].counts.unexplained;
    assert_eq!(unexplained, positions.iter().filter(|&&p| p != 0).count() as u64);
    let decoded = decode(subject, &query.stored_in(Format::Bf16)).unwrap();
    assert_eq!(sound(&decoded, &positions), positions.len());
}

/// Positions are integers of the domain: a row between two of them, or outside, has none.
#[test]
fn rows_outside_the_domain_are_unexplained() {
    let convention = rope(64, 10_000);
    let query = Query::new(convention.clone()).within(Domain::new(100, 200).unwrap());
    let decoded = of_cache::<f32>(&query, &[99, 100, 199, 200, 1 << 19]);
    let certified = |position| Located::Certified { position };
    assert_eq!(decoded.axes[0].located[1..3], [certified(100), certified(199)]);
    assert_eq!(decoded.axes[0].counts.unexplained, 3);
    let between = Convention { position_offset: "0.5".parse().unwrap(), ..convention };
    let [cos, sin] = cache::<f32>(&between, &[120]);
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let decoded = decode(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &query).unwrap();
    assert_eq!(decoded.axes[0].counts.unexplained, 1);
}
