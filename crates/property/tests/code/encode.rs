//! Encodings.

use super::{Code, rounded};
use posproof_encoding::convention::{Convention, Layout, Order};
use posproof_numerics::format::Format;
use posproof_property::{Functions, Setup};

const DIM: usize = 64;

fn stated() -> Setup {
    Setup::new(Convention::sinusoid(DIM))
}

fn in_format(compute: Format, dtype: Format) -> Setup {
    Setup { compute, dtype, ..stated() }
}

/// The frequency of a pair, every operation rounded.
fn power(format: Format, base: f64, pair: usize) -> f64 {
    let fl = rounded(format);
    fl(1.0 / fl(fl(base).powf(fl(2.0 * pair as f64 / DIM as f64))))
}

fn code(
    name: &'static str,
    setup: Setup,
    refused_by: &'static [&'static str],
    entry: impl Fn(u64, usize) -> f64 + Copy + 'static,
) -> Code {
    let functions = move || Functions::new().encode(move |t| (0..DIM).map(|column| entry(t, column)).collect());
    Code { name, setup, functions: Box::new(functions), refused_by }
}

/// The sine in even columns, the cosine in odd ones, of an angle of position and pair.
fn interleaved(angle: impl Fn(u64, usize) -> f64 + Copy) -> impl Fn(u64, usize) -> f64 + Copy {
    move |t, column| {
        let angle = angle(t, column / 2);
        if column % 2 == 0 { angle.sin() } else { angle.cos() }
    }
}

/// An entry of the ordinary encoding with angles and results rounded.
fn ordinary(format: Format) -> impl Fn(u64, usize) -> f64 + Copy + 'static {
    let fl = rounded(format);
    move |t, column| fl(interleaved(|t, pair| fl(fl(t as f64) * power(format, 1e4, pair)))(t, column))
}

pub fn right() -> Vec<Code> {
    let fl = rounded(Format::F32);
    let stored = rounded(Format::Bf16);
    let other = |base: i64| Setup::new(Convention { base: base.into(), ..Convention::sinusoid(DIM) });
    let halves = Convention { layout: Layout::Halves, ..Convention::sinusoid(DIM) };
    let cosines_first = Convention { order: Order::CosSin, ..Convention::sinusoid(DIM) };
    vec![
        code("f32, by pow", stated(), &[], ordinary(Format::F32)),
        code("f64, by pow", in_format(Format::F64, Format::F64), &[], ordinary(Format::F64)),
        code("bf16 throughout", in_format(Format::Bf16, Format::Bf16), &[], ordinary(Format::Bf16)),
        code("f16 throughout", in_format(Format::F16, Format::F16), &[], ordinary(Format::F16)),
        code("f32, stored in bf16", in_format(Format::F32, Format::Bf16), &[], move |t, column| {
            stored(ordinary(Format::F32)(t, column))
        }),
        code("f32, by exp and log", stated(), &[], move |t, column| {
            let rate = fl(fl(1e4f64.ln()) / DIM as f64);
            let frequency = move |pair: usize| fl(fl(-fl(rate * 2.0 * pair as f64)).exp());
            fl(interleaved(|t, pair| fl(t as f64 * frequency(pair)))(t, column))
        }),
        code("f32, positions divided", stated(), &[], move |t, column| {
            let divisor = move |pair: usize| fl(1e4f64.powf(fl(2.0 * pair as f64 / DIM as f64)));
            fl(interleaved(|t, pair| fl(t as f64 / divisor(pair)))(t, column))
        }),
        code("f32, base 500000", other(500_000), &[], move |t, column| {
            fl(interleaved(|t, pair| fl(t as f64 * power(Format::F32, 5e5, pair)))(t, column))
        }),
        code("f64 angles, stored in f32", stated(), &[], move |t, column| {
            fl(interleaved(|t, pair| t as f64 * power(Format::F64, 1e4, pair))(t, column))
        }),
        code("halves", Setup::new(halves), &[], move |t, column| {
            ordinary(Format::F32)(t, column % (DIM / 2) * 2 + column / (DIM / 2))
        }),
        code("cosines first", Setup::new(cosines_first), &[], move |t, column| ordinary(Format::F32)(t, column ^ 1)),
        code("sines of −θ throughout", stated(), &[], move |t, column| {
            fl(interleaved(|t, pair| fl(-(t as f64)) * power(Format::F32, 1e4, pair))(t, column))
        }),
    ]
}

pub fn broken() -> Vec<Code> {
    let fl = rounded(Format::F32);
    let half = rounded(Format::Bf16);
    let angle = move |t: f64, pair: usize| fl(t * power(Format::F32, 1e4, pair));
    vec![
        code("halves not stated", stated(), &[], move |t, column| {
            ordinary(Format::F32)(t, column % (DIM / 2) * 2 + column / (DIM / 2))
        }),
        code("counted from 1", stated(), &[], move |t, column| ordinary(Format::F32)(t + 1, column)),
        code("positions in bf16", stated(), &[], move |t, column| ordinary(Format::F32)(half(t as f64) as u64, column)),
        code("angles in bf16", stated(), &[], move |t, column| {
            fl(interleaved(|t, pair| half(angle(t as f64, pair)))(t, column))
        }),
        code("stored in bf16, not stated", stated(), &[], move |t, column| half(ordinary(Format::F32)(t, column))),
        code("sines alone", stated(), &[], move |t, column| fl(angle(t as f64, column / 2).sin())),
        code("cosine with an exponent of its own", stated(), &[], move |t, column| {
            let exponent = fl(column as f64 / DIM as f64);
            let angle = fl(t as f64 / fl(1e4f64.powf(exponent)));
            fl(if column % 2 == 0 { angle.sin() } else { angle.cos() })
        }),
        code("wrapped at 1024", stated(), &[], move |t, column| ordinary(Format::F32)(t % 1024, column)),
        code("clamped at 2047", stated(), &[], move |t, column| ordinary(Format::F32)(t.min(2047), column)),
        code("amplitude 1.01", stated(), &[], move |t, column| fl(1.01 * ordinary(Format::F32)(t, column))),
        code("one row moved", stated(), &[], move |t, column| {
            ordinary(Format::F32)(if t == 255 { 256 } else { t }, column)
        }),
        code("a sine with the wrong sign in one pair", stated(), &[], move |t, column| {
            let entry = ordinary(Format::F32)(t, column);
            if column == 10 && t > 100 { -entry } else { entry }
        }),
        code(
            "zero row at 0",
            stated(),
            &[],
            move |t, column| if t == 0 { 0.0 } else { ordinary(Format::F32)(t, column) },
        ),
        code("angles grow with the square", stated(), &[], move |t, column| {
            let t = t as f64;
            fl(interleaved(|_, pair| angle(t * t / 4096.0, pair))(0, column))
        }),
    ]
}
