//! Tables against `memset` of the same bytes, one after the other in every round, so that both see
//! the machine in the same state. Prints medians and their ratio.
//!
//! ```text
//! cargo bench --bench table_ratios [-- ROUNDS]
//! ```

use half::{bf16, f16};
use posproof::encoding::convention::Convention;
use posproof::table::{Element, Instructions, Positions, Table};
use std::hint::black_box;
use std::time::Instant;

const SHAPES: [(u64, usize); 2] = [(131072, 128), (4096, 512)];

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The part of a buffer that begins on a cache line.
fn aligned<T>(buffer: &mut [T], len: usize) -> &mut [T] {
    let skip = buffer.as_ptr().align_offset(64);
    &mut buffer[skip..skip + len]
}

fn compare<T: Element>(rounds: usize) {
    for (rows, dim) in SHAPES {
        let len = rows as usize * dim;
        let mut buffer = vec![T::from_exact(1.0); len + 64];
        let out = aligned(&mut buffer, len);
        let convention = Convention::sinusoid(dim);
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); 3 + Instructions::ALL.len()];
        for _ in 0..rounds {
            times[0].push(seconds(|| black_box(&mut *out).fill(black_box(T::default()))));
            let positions = Positions::range(0..rows).expect("not empty");
            times[1].push(seconds(|| {
                let table = Table::<T>::new(&convention, &positions).expect("a valid table");
                table.par_fill(0..rows as usize, out).expect("a buffer of its size");
            }));
            times[2].push(seconds(|| {
                black_box(Table::<T>::new(&convention, &positions).expect("a valid table"));
            }));
            for (i, level) in Instructions::ALL.into_iter().enumerate() {
                if level.is_available() {
                    times[3 + i].push(seconds(|| {
                        let table =
                            Table::<T>::with_instructions(&convention, &positions, level).expect("a valid table");
                        table.fill(0..rows as usize, out).expect("a buffer of its size");
                    }));
                }
            }
        }
        let each = 1e9 / len as f64;
        let memset = median(times[0].clone());
        let best = times[0].iter().copied().fold(f64::MAX, f64::min);
        println!("{} {rows} × {dim}: memset {:.3} ns per entry (best {:.3})", T::FORMAT, memset * each, best * each);
        println!("    planning {:.3} ms", median(times[2].clone()) * 1e3);
        let line = |name: &str, times: &[f64]| {
            let (median, least) = (median(times.to_vec()), times.iter().copied().fold(f64::MAX, f64::min));
            println!(
                "    {name:<22} {:.3} ns per entry (best {:.3}), {:.2} × memset (best by best {:.2})",
                median * each,
                least * each,
                median / memset,
                least / best
            );
        };
        line(&format!("{} threads", rayon::current_num_threads()), &times[1]);
        for (i, level) in Instructions::ALL.into_iter().enumerate().filter(|(i, _)| !times[3 + i].is_empty()) {
            line(&format!("one thread, {level:?}"), &times[3 + i]);
        }
    }
}

fn main() {
    let rounds = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(11);
    compare::<f32>(rounds);
    compare::<f64>(rounds);
    compare::<bf16>(rounds);
    compare::<f16>(rounds);
}
