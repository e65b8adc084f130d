//! Every entry of large tables against 200-bit MPFR. Minutes of work, so these run on request:
//!
//! ```text
//! cargo test --release --test table -- --ignored --nocapture
//! ```

use crate::entries::Random;
use crate::reference::{Reference, round};
use half::{bf16, f16};
use posproof::encoding::convention::Convention;
use posproof::table::{Element, Positions, Table};
use rayon::prelude::*;
use std::time::Instant;

/// The entries of a table, computed in parallel.
fn fill<T: Element>(base: &str, dim: usize, positions: &Positions) -> Vec<T> {
    let convention = Convention { base: base.parse().unwrap(), ..Convention::sinusoid(dim) };
    let table = Table::<T>::new(&convention, positions).unwrap();
    let mut entries = vec![T::default(); positions.len() * dim];
    table.par_fill(0..positions.len(), &mut entries).unwrap();
    entries
}

/// Number of entries that differ from the correct rounding, in f64, f32, f16 and bf16.
fn wrong(base: &str, dim: usize, positions: &Positions) -> [usize; 4] {
    let reference = Reference::new(base, dim as u32, 200);
    let double = fill::<f64>(base, dim, positions);
    let float = fill::<f32>(base, dim, positions);
    let half = fill::<f16>(base, dim, positions);
    let brain = fill::<bf16>(base, dim, positions);
    let rows: Vec<(usize, u64)> = positions.iter().enumerate().collect();
    let count = |(row, position): (usize, u64)| {
        let mut wrong = [0; 4];
        for pair in 0..dim / 2 {
            let (sin, cos) = reference.sin_cos(position, pair);
            for (value, at) in [(sin, row * dim + 2 * pair), (cos, row * dim + 2 * pair + 1)] {
                // MPFR's own conversions round correctly in one step.
                wrong[0] += usize::from(double[at].to_bits() != value.to_f64().to_bits());
                wrong[1] += usize::from(float[at].to_bits() != value.to_f32().to_bits());
                wrong[2] += usize::from(f64::from(half[at]) != round(&value, 11, -14));
                wrong[3] += usize::from(f64::from(brain[at]) != round(&value, 8, -126));
            }
        }
        wrong
    };
    rows.into_par_iter().map(count).reduce(|| [0; 4], |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

#[test]
#[ignore = "8.4 million sines and cosines of 200 bits"]
fn every_entry_of_131072_by_128_is_correct() {
    let start = Instant::now();
    let positions = Positions::range(0..131072).unwrap();
    let wrong = wrong("10000", 128, &positions);
    println!("131072 × 128, base 10000: {wrong:?} wrong of {} each, {:.0?}", 131072 * 128, start.elapsed());
    assert_eq!(wrong, [0; 4]);
}

#[test]
#[ignore = "5.2 million sines and cosines of 200 bits"]
fn ten_million_random_entries_are_correct() {
    let start = Instant::now();
    let mut random = Random(2024);
    let mut entries = 0;
    for base in ["10000", "500000", "1000000", "10000.5", "1234.56789"] {
        for near in [0, 1 << 24, 1 << 31, (1 << 53) - 200_000] {
            let first = near + random.below(100_000);
            let positions = Positions::range(first..first + 4128).unwrap();
            let wrong = wrong(base, 128, &positions);
            assert_eq!(wrong, [0; 4], "base {base}, positions from {first}");
            entries += positions.len() * 128;
        }
    }
    println!("{entries} entries in each format, 0 wrong, {:.0?}", start.elapsed());
    assert!(entries > 10_000_000);
}
