//! Kernels of programs and of the reference, with their traces.

use super::steps::{Llama3, accumulated, angle, blended, multiplied, rotated, shares, shifted, stored, summed, turned};
use posproof_numerics::trace::{Kernel, Traced};
use posproof_numerics::{Scalar, format::Format};

/// Formats of operations that binary64 makes as they would.
const EACH: &[&[Format]] = &[&[Format::F32], &[Format::F16], &[Format::Bf16], &[Format::F64]];

/// Formats, the second of which holds the numbers of the first.
const HELD: &[&[Format]] = &[
    &[Format::Bf16, Format::F32],
    &[Format::F16, Format::F32],
    &[Format::F32, Format::F64],
    &[Format::F16, Format::F64],
];

/// Formats of sines and cosines, and of tables.
const STORED: &[&[Format]] = &[
    &[Format::F32, Format::Bf16],
    &[Format::F32, Format::F16],
    &[Format::F64, Format::F32],
    &[Format::F64, Format::Bf16],
];

macro_rules! kernels {
    ($($name:ident $text:literal [$($format:literal)*] $choices:expr, $inputs:expr, |$formats:ident, $x:ident| $body:expr;)*) => {
        $(
            struct $name;

            impl Kernel for $name {
                const NAME: &'static str = $text;
                const FORMATS: &'static [&'static str] = &[$($format),*];
                const CHOICES: &'static [&'static [Format]] = $choices;
                const INPUTS: &'static [&'static str] = $inputs;
                fn run<T: Scalar>($formats: &[Format], $x: &[T]) -> Vec<T> {
                    $body
                }
            }
        )*

        /// All kernels of this crate; `None` where one has not one trace for all its formats.
        pub fn kernels() -> Option<Vec<Traced>> {
            [$(Traced::new::<$name>()),*].into_iter().collect()
        }
    };
}

kernels! {
    Rotated "rotated_pair" ["F"] EACH, &["x", "y", "c", "s"], |f, x| rotated(f[0], [x[0], x[1]], [x[2], x[3]]).to_vec();
    Accumulated "dot_step" ["F"] EACH, &["sum", "x", "y"], |f, x| vec![accumulated(f[0], x[0], [x[1], x[2]])];
    Summed "dot_of_four" ["F"] EACH, &["x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3"],
        |f, x| vec![summed(f[0], x[..4].iter().zip(&x[4..]).map(|(x, y)| [*x, *y]))];
    Scaled "scaled_score" ["S"] EACH, &["scale", "score"], |f, x| vec![multiplied(f[0], x[0], x[1])];
    Shifted "shifted_score" ["S"] EACH, &["score", "largest"], |f, x| vec![shifted(f[0], x[0], x[1])];
    Shares "softmax_of_four" ["S" "W"] STORED, &["e0", "e1", "e2", "e3"], |f, x| shares([f[0], f[1]], x);
    Angle "table_angle" ["P" "T"] HELD, &["t", "w"], |f, x| vec![angle([f[0], f[1]], x[0], x[1])];
    Stored "stored_wave" ["T" "S"] STORED, &["wave"], |f, x| vec![stored([f[0], f[1]], None, x[0])];
    Amplified "stored_amplified" ["T" "S"] STORED, &["gain", "wave"],
        |f, x| vec![stored([f[0], f[1]], Some(x[0]), x[1])];
    Blended "llama3" ["W"] &[&[Format::F32], &[Format::Bf16], &[Format::F64]],
        &["factor", "low", "range", "length", "turn", "w"], |f, x| {
            let figures = Llama3 { factor: x[0], low: x[1], range: x[2], length: x[3], turn: x[4] };
            blended(f[0], figures, x[5]).to_vec()
        };
    Turned "reference_turn" [] &[&[]], &["ch", "cl", "sh", "sl", "c", "c_low", "s", "s_low"],
        |_formats, x| turned([x[0], x[1]], [x[2], x[3]], [x[4], x[5]], [x[6], x[7]]).concat();
}
