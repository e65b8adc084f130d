//! Rotations.

use super::{Code, rounded};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use posproof_property::{Functions, Setup};

const DIM: usize = 64;
const HALF: usize = DIM / 2;

fn stated() -> Setup {
    Setup::new(Convention::rope(DIM))
}

fn in_format(compute: Format, dtype: Format) -> Setup {
    Setup { compute, dtype, ..stated() }
}

fn halves() -> Setup {
    Setup::new(Convention { layout: Layout::Halves, ..Convention::rope(DIM) })
}

fn frequency(pair: usize) -> f64 {
    let fl = rounded(Format::F32);
    fl(1.0 / fl(1e4f64.powf(2.0 * pair as f64 / DIM as f64)))
}

fn angle(m: u64, pair: usize) -> f64 {
    rounded(Format::F32)(m as f64 * frequency(pair))
}

fn slots(layout: Layout, pair: usize) -> [usize; 2] {
    if layout == Layout::Interleaved { [2 * pair, 2 * pair + 1] } else { [pair, pair + HALF] }
}

/// Every pair of a layout turned by the cosine and the sine of an angle, products and sums rounded.
fn turned(x: &[f64], layout: Layout, format: Format, angle: impl Fn(usize) -> f64) -> Vec<f64> {
    let fl = rounded(format);
    let mut y = x.to_vec();
    for pair in 0..HALF {
        let ([a, b], (cos, sin)) = (slots(layout, pair), (fl(angle(pair).cos()), fl(angle(pair).sin())));
        y[a] = fl(fl(x[a] * cos) - fl(x[b] * sin));
        y[b] = fl(fl(x[a] * sin) + fl(x[b] * cos));
    }
    y
}

fn ordinary(x: &[f64], m: u64) -> Vec<f64> {
    turned(x, Layout::Interleaved, Format::F32, |pair| angle(m, pair))
}

/// A rotation by complex numbers, the parts in another order.
fn complex(x: &[f64], m: u64) -> Vec<f64> {
    let fl = rounded(Format::F32);
    let mut y = x.to_vec();
    for pair in 0..HALF {
        let ([a, b], angle) = (slots(Layout::Interleaved, pair), angle(m, pair));
        let (cos, sin) = (fl(angle.cos()), fl(angle.sin()));
        y[a] = fl(x[a].mul_add(cos, -fl(x[b] * sin)));
        y[b] = fl(x[b].mul_add(cos, fl(x[a] * sin)));
    }
    y
}

type Rotation = fn(&[f64], u64) -> Vec<f64>;

fn code(name: &'static str, setup: Setup, refused_by: &'static [&'static str], rotate: Rotation) -> Code {
    Code { name, setup, functions: Box::new(move || Functions::new().rotate(rotate)), refused_by }
}

fn both(name: &'static str, refused_by: &'static [&'static str], complex: Rotation) -> Code {
    let functions = move || Functions::new().rotate(ordinary).rotate_complex(complex);
    Code { name, setup: stated(), functions: Box::new(functions), refused_by }
}

pub fn right() -> Vec<Code> {
    vec![
        code("f32", stated(), &[], ordinary),
        code("f64", in_format(Format::F64, Format::F64), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::F64, |pair| m as f64 / 1e4f64.powf(2.0 * pair as f64 / DIM as f64))
        }),
        code("halves", halves(), &[], |x, m| turned(x, Layout::Halves, Format::F32, |pair| angle(m, pair))),
        code("f32 angles, bf16 vectors", in_format(Format::F32, Format::Bf16), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::Bf16, |pair| angle(m, pair))
        }),
        code("f32, cast to bf16", in_format(Format::F32, Format::Bf16), &[], |x, m| {
            ordinary(x, m).into_iter().map(rounded(Format::Bf16)).collect()
        }),
        code("f32, cast to f16", in_format(Format::F32, Format::F16), &[], |x, m| {
            ordinary(x, m).into_iter().map(rounded(Format::F16)).collect()
        }),
        code("fused", stated(), &[], complex),
        code("clockwise", stated(), &["rope.rotation"], |x, m| {
            turned(x, Layout::Interleaved, Format::F32, |pair| -angle(m, pair))
        }),
        code("f64 angles, f32 vectors", stated(), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::F32, |pair| m as f64 / 1e4f64.powf(2.0 * pair as f64 / DIM as f64))
        }),
        both("f32 and complex", &[], complex),
    ]
}

pub fn broken() -> Vec<Code> {
    vec![
        code("halves not stated", stated(), &[], |x, m| turned(x, Layout::Halves, Format::F32, |pair| angle(m, pair))),
        code("the minus sign forgotten", stated(), &[], |x, m| {
            let fl = rounded(Format::F32);
            let mut y = x.to_vec();
            for pair in 0..HALF {
                let ([a, b], (cos, sin)) =
                    (slots(Layout::Interleaved, pair), (angle(m, pair).cos(), angle(m, pair).sin()));
                y[a] = fl(x[a] * cos + x[b] * sin);
                y[b] = fl(x[a] * sin + x[b] * cos);
            }
            y
        }),
        code("base 500000, not stated", stated(), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::F32, |pair| m as f64 / 5e5f64.powf(2.0 * pair as f64 / DIM as f64))
        }),
        code("positions in bf16", stated(), &[], |x, m| ordinary(x, rounded(Format::Bf16)(m as f64) as u64)),
        code("counted from 1", stated(), &[], |x, m| ordinary(x, m + 1)),
        code("half of the pairs rotated", stated(), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::F32, |pair| if pair < HALF / 2 { angle(m, pair) } else { 0.0 })
        }),
        code("scaled by 1.1", stated(), &[], |x, m| {
            ordinary(x, m).into_iter().map(|y| rounded(Format::F32)(1.1 * y)).collect()
        }),
        code("normalised", stated(), &[], |x, m| {
            let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            ordinary(x, m).into_iter().map(|y| rounded(Format::F32)(y / norm)).collect()
        }),
        code("clipped at 1", stated(), &[], |x, m| ordinary(x, m).into_iter().map(|y| y.clamp(-1.0, 1.0)).collect()),
        code("clamped at 1023", stated(), &[], |x, m| ordinary(x, m.min(1023))),
        code("not rotated", stated(), &[], |x, _| x.to_vec()),
        code("computed in bf16, f32 stated", stated(), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::Bf16, |pair| angle(m, pair))
        }),
        code("a bias added", stated(), &[], |x, m| ordinary(x, m).into_iter().map(|y| y + 0.01).collect()),
        code("angles in f16", stated(), &[], |x, m| {
            turned(x, Layout::Interleaved, Format::F32, |pair| rounded(Format::F16)(angle(m, pair)))
        }),
        both("complex with other pairs", &[], |x, m| turned(x, Layout::Halves, Format::F32, |pair| angle(m, pair))),
        both("complex conjugated", &[], |x, m| turned(x, Layout::Interleaved, Format::F32, |pair| -angle(m, pair))),
        both("complex one position late", &[], |x, m| ordinary(x, m + 1)),
    ]
}
