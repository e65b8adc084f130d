//! Profiling.
use posproof as _;
use posproof::encoding::convention::Convention;
use posproof::table::{Element, Instructions, Positions, Table};
use std::time::Instant;
fn go<T: Element>(level: Instructions, n: usize, dim: usize, rows: usize) {
    let mut e = vec![T::from_exact(1.0); rows * dim + 64];
    let skip = e.as_ptr().align_offset(64);
    let out = &mut e[skip..skip + rows * dim];
    let table =
        Table::<T>::with_instructions(&Convention::sinusoid(dim), &Positions::range(0..rows as u64).unwrap(), level)
            .unwrap();
    let mut best = f64::MAX;
    let mut st = None;
    let mut cyc = f64::MAX;
    for _ in 0..n {
        let spin = || {
            let t = Instant::now();
            let mut x = 1u64;
            for _ in 0..100000 {
                x = std::hint::black_box(x).wrapping_mul(0x9e3779b97f4a7c15);
            }
            std::hint::black_box(x);
            t.elapsed().as_secs_f64() / 100000.0
        };
        let a = spin();
        let t = Instant::now();
        st = Some(table.fill(0..rows, out).unwrap());
        let e = t.elapsed().as_secs_f64();
        let b = spin();
        best = best.min(e);
        cyc = cyc.min(e / a.min(b));
    }
    let ent0 = (rows * dim) as f64;
    print!("units/line {:.3}  ", cyc / ent0 * 64.0 / size_of::<T>() as f64);
    let ent = (rows * dim) as f64;
    println!(
        "{} {level:?} {rows}x{dim}: fill {:.4} ns/entry, {:.3} ns/line {st:?}",
        T::FORMAT,
        best * 1e9 / ent,
        best * 1e9 / ent * 64.0 / size_of::<T>() as f64
    );
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[2].parse().unwrap();
    let dim: usize = a.get(3).map_or(128, |x| x.parse().unwrap());
    let rows: usize = a.get(4).map_or(131072, |x| x.parse().unwrap());
    for level in Instructions::ALL {
        if a.len() > 5 && a[5] != format!("{level:?}") {
            continue;
        }
        match a[1].as_str() {
            "f32" => go::<f32>(level, n, dim, rows),
            "f64" => go::<f64>(level, n, dim, rows),
            "f16" => go::<half::f16>(level, n, dim, rows),
            "bf16" => go::<half::bf16>(level, n, dim, rows),
            _ => {
                for f in [0, 1, 2, 3] {
                    match f {
                        0 => go::<f32>(level, n, dim, rows),
                        1 => go::<f64>(level, n, dim, rows),
                        2 => go::<half::f16>(level, n, dim, rows),
                        _ => go::<half::bf16>(level, n, dim, rows),
                    }
                }
            }
        }
    }
}
