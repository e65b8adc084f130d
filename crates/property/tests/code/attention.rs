//! Attention and layers.

use super::{Code, rounded};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_property::{Functions, Setup};

const DIM: usize = 16;

fn stated() -> Setup {
    Setup::new(Convention::rope(DIM))
}

fn in_format(compute: Format, dtype: Format) -> Setup {
    Setup { compute, dtype, ..stated() }
}

/// A kind of attention.
#[derive(Clone, Copy)]
struct Variant {
    format: Format,
    output: Format,
    backwards: bool,
    shifted: bool,
    along_columns: bool,
    scale: f64,
    /// Forbidden: key j for query i.
    masked: fn(usize, usize) -> bool,
    /// A term that is added to the score of query i and key j.
    bias: fn(usize, usize) -> f64,
    heads: usize,
    dropped: bool,
    normalised: bool,
    sharpened: f64,
}

const ORDINARY: Variant = Variant {
    format: Format::F32,
    output: Format::F32,
    backwards: false,
    shifted: true,
    along_columns: false,
    scale: 0.25,
    masked: |_, _| false,
    bias: |_, _| 0.0,
    heads: 1,
    dropped: false,
    normalised: true,
    sharpened: 1.0,
};

/// A sum in the format, in one of two orders.
fn sum(variant: Variant, terms: impl DoubleEndedIterator<Item = f64>) -> f64 {
    let fl = rounded(variant.format);
    let add = |sum, term| fl(sum + term);
    if variant.backwards { terms.rev().fold(0.0, add) } else { terms.fold(0.0, add) }
}

fn attend(variant: Variant, [q, k, v]: [&[f64]; 3]) -> Vec<f64> {
    let (fl, out) = (rounded(variant.format), rounded(variant.output));
    let (queries, keys, width) = (q.len() / DIM, k.len() / DIM, DIM / variant.heads);
    let mut output = vec![0.0; q.len()];
    for head in 0..variant.heads {
        let columns = head * width..(head + 1) * width;
        let score = |i: usize, j: usize| {
            let products = columns.clone().map(|c| fl(q[i * DIM + c] * k[j * DIM + c]));
            let scaled = fl(sum(variant, products) * variant.scale);
            if (variant.masked)(i, j) { f64::NEG_INFINITY } else { fl(scaled + (variant.bias)(i, j)) }
        };
        let mut weights: Vec<Vec<f64>> = (0..queries).map(|i| (0..keys).map(|j| score(i, j)).collect()).collect();
        for row in &mut weights {
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shift = if variant.shifted { largest } else { 0.0 };
            row.iter_mut().for_each(|score| *score = fl((variant.sharpened * fl(*score - shift)).exp()));
        }
        let totals: Vec<f64> = match variant.along_columns {
            true => (0..keys).map(|j| sum(variant, (0..queries).map(|i| weights[i][j]))).collect(),
            false => weights.iter().map(|row| sum(variant, row.iter().copied())).collect(),
        };
        for i in 0..queries {
            for j in 0..keys {
                let total = totals[if variant.along_columns { j } else { i }];
                weights[i][j] = if variant.normalised { fl(weights[i][j] / total) } else { weights[i][j] };
                if variant.dropped && (i + 3 * j) % 5 == 0 {
                    weights[i][j] = 0.0;
                }
            }
            for column in columns.clone() {
                let products = (0..keys).map(|j| fl(weights[i][j] * v[j * DIM + column]));
                output[i * DIM + column] = out(sum(variant, products));
            }
        }
    }
    output
}

fn code(name: &'static str, setup: Setup, refused_by: &'static [&'static str], variant: Variant) -> Code {
    let functions = move || Functions::new().attention(move |parts| attend(variant, parts));
    Code { name, setup, functions: Box::new(functions), refused_by }
}

/// A layer whose weights are the identity.
fn layer(
    name: &'static str,
    refused_by: &'static [&'static str],
    of: impl Fn(&[f64]) -> Vec<f64> + Copy + 'static,
) -> Code {
    let setup = Setup { error: Some(1e-4), ..stated() };
    Code { name, setup, functions: Box::new(move || Functions::new().layer(of)), refused_by }
}

/// Rows with their positions added.
fn placed(x: &[f64]) -> Vec<f64> {
    x.iter().enumerate().map(|(at, x)| x + ((at / DIM) as f64 + (at % DIM) as f64).sin()).collect()
}

pub fn right() -> Vec<Code> {
    let (bf16, f32) = (Format::Bf16, Format::F32);
    vec![
        code("f32", stated(), &[], ORDINARY),
        code("f32, sums backwards", stated(), &[], Variant { backwards: true, ..ORDINARY }),
        code("f32, scores not shifted", stated(), &[], Variant { shifted: false, ..ORDINARY }),
        code(
            "f64",
            in_format(Format::F64, Format::F64),
            &[],
            Variant { format: Format::F64, output: Format::F64, ..ORDINARY },
        ),
        code("f32, output in bf16", in_format(f32, bf16), &[], Variant { output: bf16, ..ORDINARY }),
        code("f32, output in f16", in_format(f32, Format::F16), &[], Variant { output: Format::F16, ..ORDINARY }),
        code(
            "f16 throughout",
            in_format(Format::F16, Format::F16),
            &[],
            Variant { format: Format::F16, output: Format::F16, ..ORDINARY },
        ),
        layer("a layer", &["attention.encoding-breaks-symmetry"], |x| attend(ORDINARY, [x, x, x])),
        layer("a layer with a skip connection", &["attention.encoding-breaks-symmetry"], |x| {
            attend(ORDINARY, [x, x, x]).iter().zip(x).map(|(y, x)| y + x).collect()
        }),
    ]
}

pub fn broken() -> Vec<Code> {
    vec![
        code("softmax along columns", stated(), &[], Variant { along_columns: true, ..ORDINARY }),
        code("a causal mask", stated(), &[], Variant { masked: |i, j| j > i, ..ORDINARY }),
        code("a mask that lets one key through", stated(), &[], Variant { masked: |i, j| i == 0 && j > 1, ..ORDINARY }),
        code("a bias of the distance", stated(), &[], Variant { bias: |i, j| 0.01 * i.abs_diff(j) as f64, ..ORDINARY }),
        code("sums in f16, f32 stated", stated(), &[], Variant { format: Format::F16, ..ORDINARY }),
        code("dropout left on", stated(), &[], Variant { dropped: true, ..ORDINARY }),
        code("not divided by √d", stated(), &[], Variant { scale: 1.0, ..ORDINARY }),
        code("divided by d", stated(), &[], Variant { scale: 1.0 / 16.0, ..ORDINARY }),
        code("four heads for one", stated(), &[], Variant { heads: 4, ..ORDINARY }),
        code("weights not normalised", stated(), &[], Variant { normalised: false, ..ORDINARY }),
        code("e^(−A)", stated(), &[], Variant { sharpened: -1.0, ..ORDINARY }),
        layer("a layer with positions", &["attention.equivariance"], |x| {
            let x = placed(x);
            attend(ORDINARY, [&x, &x, &x])
        }),
        layer("a layer that looks at the first token alone", &[], |x| {
            x.chunks(DIM)
                .flat_map(|row| row.iter().zip(&x[..DIM]).map(|(x, first)| x + first).collect::<Vec<_>>())
                .collect()
        }),
    ]
}
