//! Profiling.
use posproof as _;
use posproof::encoding::convention::Convention;
use rug::Float;
use std::time::Instant;
fn best(name: &str, mut f: impl FnMut()) {
    let mut b = f64::MAX;
    for _ in 0..1000 {
        let t = Instant::now();
        f();
        b = b.min(t.elapsed().as_secs_f64());
    }
    println!("{name} {:.1} us", b * 1e6);
}
fn main() {
    let c = Convention::sinusoid(128);
    best("frequencies", || {
        std::hint::black_box(c.frequencies(128));
    });
    let fr: Vec<Float> = c.frequencies(128).unwrap().iter().map(|i| i.midpoint()).collect();
    best("midpoints", || {
        let v: Vec<Float> = c.frequencies(128).unwrap().iter().map(|i| i.midpoint()).collect();
        std::hint::black_box(v);
    });
    let fr: Vec<Float> = fr.iter().map(|x| Float::with_val(128, x)).collect();
    best("sin_cos", || {
        for x in &fr {
            std::hint::black_box(x.clone().sin_cos(Float::new(128)));
        }
    });
    let zero = Float::with_val(128, 0);
    best("sin_cos zero", || {
        for _ in 0..64 {
            std::hint::black_box(zero.clone().sin_cos(Float::new(128)));
        }
    });
    best("sqr13", || {
        for x in &fr {
            let mut a = x.clone();
            for _ in 0..13 {
                a *= x;
                a += x;
                a *= x;
                a -= x;
            }
            std::hint::black_box(a);
        }
    });
    best("validate", || {
        c.validate().unwrap();
    });
    best("gain", || {
        std::hint::black_box(c.gain().enclose(128));
    });
}
