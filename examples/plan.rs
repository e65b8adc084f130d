//! Profiling.
use posproof::encoding::convention::Convention;
use posproof::table::{Positions, Table};
use std::time::Instant;
fn main() {
    let dim: usize = std::env::args().nth(1).map_or(128, |x| x.parse().unwrap());
    let p = Positions::range(0..131072).unwrap();
    let c = Convention::sinusoid(dim);
    let mut best = f64::MAX;
    for _ in 0..3000 {
        let t = Instant::now();
        std::hint::black_box(Table::<f32>::new(&c, &p).unwrap());
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("{:.3} ms", best * 1e3);
}
