//! The recurrence for bf16 and f16. The error bound, and why what the test accepts is the correct rounding, are in
//! [`super::recurrence`].

use super::double::{Pairs, multiply};
use super::isa::Isa;
use super::kernel::{Kernel, Tile};
use super::line::Line;
use super::plan::Level;
use super::recurrence::{Bounds, Recurrence, STRIP, STRIP_BITS, Values};
use super::simd::{Available, dispatch};
use super::strip::{Workspace, fill};
use bytemuck::must_cast_mut;
use half::{bf16, f16};

/// Sixteen columns, rounded to binary32.
#[inline(always)]
fn narrow<I: Isa>(isa: I, low: I::D, high: I::D) -> I::S {
    isa.join(isa.narrow(low), isa.narrow(high))
}

/// The middle row of every strip under an anchor, and the one before.
fn middle_rows(instructions: Available, fine: &Level, coarse: &Level, groups: usize) -> [Vec<Pairs>; 2] {
    let middle = STRIP as u64 / 2;
    [middle, middle - 1].map(|row| {
        let row = fine.row(row, groups);
        let mut rows = coarse.rows().to_vec();
        for (out, x) in rows.chunks_exact_mut(groups).zip(coarse.rows().chunks_exact(groups)) {
            multiply(instructions, x, row, out);
        }
        rows
    })
}

macro_rules! kernel {
    ($format:ident, drops $dropped:literal, stores $store:ident) => {
        impl Kernel for $format {
            type Rows = [Vec<Pairs>; 2];
            type Workspace = Workspace;
            const SKIPS_STILL: bool = true;

            /// A row of a strip, and strips whose middle rows the second-level cache holds.
            fn digits(pairs: usize) -> (u32, u32) {
                let coarse = match pairs {
                    0..=128 => 5,
                    129..=1024 => 4,
                    1025..=8192 => 3,
                    _ => 2,
                };
                (STRIP_BITS, coarse)
            }

            fn rows(instructions: Available, fine: &Level, coarse: &Level, groups: usize) -> Self::Rows {
                middle_rows(instructions, fine, coarse, groups)
            }

            #[inline(always)]
            fn fill<I: Isa>(isa: I, tile: Tile<'_, Self>) {
                fill(isa, tile);
            }

            fn fill_by(instructions: Available, tile: Tile<'_, Self>) {
                dispatch(instructions, tile);
            }
        }

        impl Recurrence for $format {
            #[inline(always)]
            fn put<I: Isa>(isa: I, values: &Values<I::D>, bounds: &Bounds, line: &mut Line) -> bool {
                let [a, b, c, d] = values.now;
                let (low, high) = (narrow(isa, a, b), narrow(isa, c, d));
                isa.$store(must_cast_mut(line), low, high);
                isa.is_doubtful::<$dropped>(low, high, bounds.least)
            }

            #[inline(always)]
            fn doubts<I: Isa>(isa: I, values: &Values<I::D>, bounds: &Bounds) -> u32 {
                let [a, b, c, d] = values.now;
                let doubts = |low, high| isa.doubts::<$dropped>(narrow(isa, low, high), bounds.least);
                doubts(a, b) | doubts(c, d) << 16
            }
        }
    };
}

kernel!(f16, drops 0xfff, stores store_f);
kernel!(bf16, drops 0x7fff, stores store_b);
