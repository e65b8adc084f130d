//! Tables from nothing (positions, dim, base) into a touched buffer, against storing the same bytes and
//! against computing each entry alone.
//!
//! ```text
//! cargo bench --bench table
//! ```
//!
//! Times on a shared machine say little by themselves; `table_ratios` compares within each round.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use half::{bf16, f16};
use posproof::encoding::convention::{Component, Convention};
use posproof::encoding::frequency::Entries;
use posproof::table::{Element, Positions, Table};
use posproof_numerics::rounding;

fn main() {
    divan::main();
}

const LARGE: (u64, usize) = (131072, 128);
const SMALL: (u64, usize) = (4096, 512);

/// A buffer that has been written to.
fn touched<T: Element>((rows, dim): (u64, usize)) -> Vec<T> {
    vec![T::from_exact(1.0); rows as usize * dim + 64]
}

/// The part of it that begins on a cache line.
fn aligned<T>(buffer: &mut [T], (rows, dim): (u64, usize)) -> &mut [T] {
    let skip = buffer.as_ptr().align_offset(64);
    &mut buffer[skip..skip + rows as usize * dim]
}

fn count((rows, dim): (u64, usize)) -> ItemsCount {
    ItemsCount::new(rows as usize * dim)
}

fn certified<T: Element>(bencher: Bencher<'_, '_>, shape: (u64, usize), threads: usize) {
    let mut buffer = touched::<T>(shape);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    bencher.counter(count(shape)).bench_local(|| {
        let positions = Positions::range(0..shape.0).expect("not empty");
        let table = Table::<T>::new(&Convention::sinusoid(shape.1), &positions).expect("valid");
        let out = aligned(&mut buffer, shape);
        let rows = 0..shape.0 as usize;
        let filled = if threads == 1 { table.fill(rows, out) } else { pool.install(|| table.par_fill(rows, out)) };
        filled.expect("a buffer of its size")
    });
}

fn planning<T: Element>(bencher: Bencher<'_, '_>, shape: (u64, usize)) {
    let positions = Positions::range(0..shape.0).expect("not empty");
    bencher.bench_local(|| Table::<T>::new(&Convention::sinusoid(shape.1), &positions).map(|_| ()));
}

fn stored(bencher: Bencher<'_, '_>, shape: (u64, usize), bytes: usize) {
    let mut buffer = vec![1u8; shape.0 as usize * shape.1 * bytes];
    bencher.counter(count(shape)).bench_local(|| black_box(&mut buffer[..]).fill(0));
}

/// Benchmarks of one shape.
macro_rules! shape {
    ($name:ident, $shape:expr) => {
        mod $name {
            use super::*;

            #[divan::bench(types = [f32, f64, bf16, f16])]
            fn certified_one_thread<T: Element>(bencher: Bencher<'_, '_>) {
                certified::<T>(bencher, $shape, 1);
            }

            #[divan::bench(types = [f32, f64, bf16, f16])]
            fn certified_two_threads<T: Element>(bencher: Bencher<'_, '_>) {
                certified::<T>(bencher, $shape, 2);
            }

            #[divan::bench(types = [f32, f64, bf16, f16])]
            fn planning_alone<T: Element>(bencher: Bencher<'_, '_>) {
                planning::<T>(bencher, $shape);
            }

            #[divan::bench(args = [2, 4, 8])]
            fn memset(bencher: Bencher<'_, '_>, bytes: usize) {
                stored(bencher, $shape, bytes);
            }
        }
    };
}

shape!(rows_131072_dim_128, LARGE);
shape!(rows_4096_dim_512, SMALL);

/// Entry by entry, with frequencies and angles as software computes them: 2^16 entries of pair 3.
mod each_entry_alone {
    use super::*;

    const ENTRIES: usize = 1 << 16;

    fn angles() -> Vec<f64> {
        let omega = 10000f64.powf(-6.0 / 128.0);
        (0..ENTRIES).map(|t| t as f64 * omega).collect()
    }

    #[divan::bench]
    fn std_f32(bencher: Bencher<'_, '_>) {
        let (angles, mut out) = (angles(), vec![0f32; ENTRIES]);
        bencher.counter(ItemsCount::new(ENTRIES)).bench_local(|| {
            out.iter_mut().zip(&angles).for_each(|(out, angle)| *out = (*angle as f32).sin());
        });
    }

    #[divan::bench]
    fn std_f64(bencher: Bencher<'_, '_>) {
        let (angles, mut out) = (angles(), vec![0f64; ENTRIES]);
        bencher.counter(ItemsCount::new(ENTRIES)).bench_local(|| {
            out.iter_mut().zip(&angles).for_each(|(out, angle)| *out = angle.sin());
        });
    }

    #[divan::bench]
    fn core_math_f32(bencher: Bencher<'_, '_>) {
        let (angles, mut out) = (angles(), vec![0f32; ENTRIES]);
        bencher.counter(ItemsCount::new(ENTRIES)).bench_local(|| {
            out.iter_mut().zip(&angles).for_each(|(out, angle)| *out = core_math::sinf(*angle as f32));
        });
    }

    #[divan::bench]
    fn core_math_f64(bencher: Bencher<'_, '_>) {
        let (angles, mut out) = (angles(), vec![0f64; ENTRIES]);
        bencher.counter(ItemsCount::new(ENTRIES)).bench_local(|| {
            out.iter_mut().zip(&angles).for_each(|(out, angle)| *out = core_math::sin(*angle));
        });
    }

    /// Enclosures by MPFR at increasing precision until they round to one number (Ziv), exact frequencies included.
    #[divan::bench(types = [f32, f64, bf16, f16])]
    fn mpfr<T: Element>(bencher: Bencher<'_, '_>) {
        let entries = Entries::new(&Convention::sinusoid(128));
        bencher.counter(ItemsCount::new(256usize)).bench_local(|| {
            (1..257)
                .filter_map(|t| rounding::nearest(T::FORMAT, |bits| entries.enclose(t, 3, Component::Sin, bits)))
                .sum::<f64>()
        });
    }
}
