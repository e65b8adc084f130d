//! ad hoc
use half::{bf16, f16};
use posproof::encoding::convention::Convention;
use posproof::table::{Element, Instructions, Positions, Table};
use std::time::Instant;
fn go<T: Element>(n: usize, rows: u64, dim: usize, stream: bool, small: bool) {
    let len = rows as usize * dim;
    let mut buffer = vec![T::from_exact(1.0); len + 64];
    let skip = buffer.as_ptr().align_offset(64);
    let out = &mut buffer[skip..skip + len];
    let convention = Convention::sinusoid(dim);
    let positions = Positions::range(0..rows).unwrap();
    for level in Instructions::ALL
        .into_iter()
        .filter(|l| std::env::var("LEVEL").is_ok_and(|v| v == format!("{l:?}")) || std::env::var("LEVEL").is_err())
    {
        let (mut best, mut plan) = (f64::MAX, f64::MAX);
        let mut st = Default::default();
        for _ in 0..n {
            let t = Instant::now();
            let table = Table::<T>::with_instructions(&convention, &positions, level).unwrap().stream(stream);
            plan = plan.min(t.elapsed().as_secs_f64());
            let t = Instant::now();
            if small {
                for c in 0..rows as usize / 1024 {
                    st = table.fill(c * 1024..c * 1024 + 1024, &mut out[..1024 * dim]).unwrap();
                }
            } else {
                st = table.fill(0..rows as usize, out).unwrap();
            }
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!(
            "{} {level:?} {rows}x{dim} stream {stream} small {small}: fill {:.3} ns plan {:.3} ms {st:?}",
            T::FORMAT,
            best * 1e9 / len as f64,
            plan * 1e3
        );
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = a[2].parse().unwrap();
    let stream = a[3] == "s";
    let small = a[4] == "small";
    match a[1].as_str() {
        "f32" => go::<f32>(n, 131072, 128, stream, small),
        "f64" => go::<f64>(n, 131072, 128, stream, small),
        "bf16" => go::<bf16>(n, 131072, 128, stream, small),
        _ => go::<f16>(n, 131072, 128, stream, small),
    }
}
