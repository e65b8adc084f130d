//! The kernel for bf16 and f16: one value in binary64, rounded to binary32 and from there to the format. The
//! argument why that is the correct rounding, where it is accepted, is in [`super::kernel`].

use super::double::Pairs;
use super::formats::Point;
use super::isa::{Isa, lane_of_half};
use super::kernel::{DOUBLE, Kernel, Scale, storage};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

/// Sixteen pairs, in the order of a format's lanes.
type Points = [Point; 2];

/// Sixteen pairs of an anchor.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Anchor {
    points: Points,
    /// e, and −e.
    error: [f64; 8],
    less: [f64; 8],
    /// T.
    least: f32,
    /// Bit i: whether the sine of pair i is 0 at every position.
    still: u32,
}

/// T/P.
const T: f64 = 1.0 / (1 << 20) as f64;

/// Sixteen values in binary64.
type Values<I> = [<I as Isa>::D; 2];

/// Sixteen values, rounded to binary32.
#[inline(always)]
fn narrow<I: Isa>(isa: I, values: Values<I>) -> I::S {
    isa.join(isa.narrow(values[0]), isa.narrow(values[1]))
}

impl Anchor {
    fn new(points: Points, scale: &Scale<'_>) -> Self {
        let error = DOUBLE * scale.gain + scale.factors;
        Self {
            points,
            error: [error; 8],
            less: [-error; 8],
            // A power of two within the range of binary32: exact.
            least: (scale.power * T) as f32,
            still: scale.still.iter().enumerate().map(|(i, &still)| u32::from(still) << i).sum(),
        }
    }

    /// Sines and cosines.
    #[inline(always)]
    fn values<I: Isa>(&self, isa: I, low: &Points) -> (Values<I>, Values<I>) {
        let (s0, c0) = self.points[0].times(isa, &low[0]);
        let (s1, c1) = self.points[1].times(isa, &low[1]);
        ([s0, s1], [c0, c1])
    }

    /// Bit i: whether numbers within e of value i round differently, by `mask`, or might.
    #[inline(always)]
    fn unsettled<I: Isa>(&self, isa: I, value: Values<I>, mask: impl Fn(I::S, I::S) -> u32) -> u32 {
        let end = |shift| narrow(isa, value.map(|value| isa.add_d(value, shift)));
        let (low, high) = (end(isa.load_d(&self.less)), end(isa.load_d(&self.error)));
        // The neighbours beyond both ends: of positive numbers, and of negative ones.
        mask(isa.inward(low), isa.outward(high)) | mask(isa.outward(low), isa.inward(high))
    }
}

fn bits<T>(slice: &mut [T]) -> &mut [u16]
where
    [T]: HalfFloatSliceExt,
{
    slice.reinterpret_cast_mut()
}

/// The loads and stores around the values, which are the same in both formats.
macro_rules! kernel {
    ($format:ident, drops $dropped:literal, lanes $lane:expr,
     stores $store:ident $store_pairs:ident, tests $mask:ident) => {
        impl Kernel for $format {
            type Low = Points;
            type Anchor = Anchor;
            /// The last group's values.
            type Doubt<I: Isa> = (I::S, I::S);
            const EACH: bool = true;
            const TURNS: bool = true;
            storage!($format, 16, u16, bits);

            fn lane(pair: usize) -> usize {
                $lane(pair)
            }

            fn low(pairs: &[Pairs]) -> Points {
                [Point::new(&pairs[0]), Point::new(&pairs[1])]
            }

            fn anchor(pairs: &[Pairs], scale: &Scale<'_>) -> Anchor {
                Anchor::new(Self::low(pairs), scale)
            }

            #[inline(always)]
            fn turn<I: Isa>(isa: I, anchor: &Anchor, low: &Points, out: &mut Anchor) {
                for i in 0..2 {
                    out.points[i].set_product(isa, &anchor.points[i], &low[i]);
                }
            }

            #[inline(always)]
            fn split<I: Isa, const STREAM: bool>(
                isa: I,
                (anchor, low): (&Anchor, &Points),
                sin: &mut Self::Half,
                cos: &mut Self::Half,
                _: (I::S, I::S),
            ) -> (I::S, I::S) {
                let (s, c) = anchor.values(isa, low);
                let (s, c) = (narrow(isa, s), narrow(isa, c));
                isa.$store::<STREAM>(sin, s);
                isa.$store::<STREAM>(cos, c);
                (s, c)
            }

            #[inline(always)]
            fn joined<I: Isa, const COS_FIRST: bool, const STREAM: bool>(
                isa: I,
                (anchor, low): (&Anchor, &Points),
                line: &mut Self::Line,
                _: (I::S, I::S),
            ) -> (I::S, I::S) {
                let (s, c) = anchor.values(isa, low);
                let (s, c) = (narrow(isa, s), narrow(isa, c));
                let (first, second) = if COS_FIRST { (c, s) } else { (s, c) };
                isa.$store_pairs::<STREAM>(line, first, second);
                (s, c)
            }

            #[inline(always)]
            fn certain<I: Isa>(isa: I) -> (I::S, I::S) {
                let none = isa.join(isa.none_h(), isa.none_h());
                (none, none)
            }

            #[inline(always)]
            fn is_doubtful<I: Isa>(isa: I, (s, c): (I::S, I::S), anchor: &Anchor) -> bool {
                isa.is_doubtful::<$dropped>(s, c, anchor.least)
            }

            #[inline(always)]
            fn doubtful<I: Isa>(isa: I, (anchor, low): (&Anchor, &Points)) -> u64 {
                let (s, c) = anchor.values(isa, low);
                let mask = |a, b| isa.$mask(a, b);
                let sine = anchor.unsettled(isa, s, mask) & !anchor.still;
                u64::from(sine) | u64::from(anchor.unsettled(isa, c, mask)) << 32
            }
        }
    };
}

kernel!(f16, drops 0xfff, lanes |pair| pair / 16 * 16 + lane_of_half(pair % 16), stores store_f store_pairs_f, tests mask_f);
kernel!(bf16, drops 0x7fff, lanes |pair| pair, stores store_b store_pairs_b, tests mask_b);
