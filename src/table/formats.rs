//! The kernel in each format: what a group of pairs holds, and how both ends of an entry are computed from
//! it. The error bounds are those of [`super::kernel`].

use super::double::Pairs;
use super::isa::Isa;
use super::kernel::{Kernel, Scale};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

/// 6.3u of the arithmetic.
const DOUBLE: f64 = 6.3 * 1.1102230246251565e-16;
const SINGLE: f64 = 6.3 * 5.960464477539063e-8;

/// 3u and 4u of binary32.
const SINGLE_FUSED: f64 = 3.0 * 5.960464477539063e-8;
const SINGLE_UNFUSED: f64 = 4.0 * 5.960464477539063e-8;

/// Above every error of underflow in binary32, 2^−150 in each of eight roundings, when X ≤ 1.
const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64 / 16384.0;

/// 25·2^−80.
const TAIL: f64 = 25.0 / (1u128 << 80) as f64;

/// The parts of a group for the narrow formats.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Point<T> {
    c: T,
    s: T,
}

/// An anchor's parts, with −e and 2e for the sine and for the cosine.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Bounded<T> {
    point: Point<T>,
    sine: T,
    sine_twice: T,
    cosine: T,
    cosine_twice: T,
}

/// The data of a group for f64: heads and tails.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct HeadTail {
    c_head: [f64; 8],
    c_tail: [f64; 8],
    s_head: [f64; 8],
    s_tail: [f64; 8],
}

/// The anchor's heads and tails, its parts as single numbers, −e and 2e.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct BoundedHeadTail {
    parts: HeadTail,
    c: [f64; 8],
    s: [f64; 8],
    less: [f64; 8],
    twice: [f64; 8],
}

impl HeadTail {
    /// Heads are multiples of 2^−26·power, by adding and subtracting 1.5·2^26·power.
    fn new(pairs: &Pairs, power: f64) -> Self {
        let shift = 1.5 * 67108864.0 * power;
        let head = |x: [f64; 8]| x.map(|x| (x + shift) - shift);
        let (c_head, s_head) = (head(pairs.c), head(pairs.s));
        // high − head is exact: a multiple of high's last place, no larger than half the grid.
        let tail =
            |high: &[f64; 8], low: &[f64; 8], head: &[f64; 8]| std::array::from_fn(|i| (high[i] - head[i]) + low[i]);
        let (c_tail, s_tail) = (tail(&pairs.c, &pairs.c_low, &c_head), tail(&pairs.s, &pairs.s_low, &s_head));
        Self { c_head, c_tail, s_head, s_tail }
    }
}

/// Both ends of the sine and of the cosine.
type Ends<T> = (T, T, T, T);

#[inline(always)]
fn ends_wide<I: Isa>(isa: I, anchor: &Bounded<[f64; 8]>, low: &Point<[f64; 8]>) -> Ends<I::H> {
    let (c1, s1) = (isa.load_d(&anchor.point.c), isa.load_d(&anchor.point.s));
    let (c2, s2) = (isa.load_d(&low.c), isa.load_d(&low.s));
    let sin = isa.fma_d(s1, c2, isa.load_d(&anchor.sine));
    let sin = isa.fma_d(c1, s2, sin);
    let sin_high = isa.add_d(sin, isa.load_d(&anchor.sine_twice));
    let cos = isa.fnma_d(s1, s2, isa.load_d(&anchor.cosine));
    let cos = isa.fma_d(c1, c2, cos);
    let cos_high = isa.add_d(cos, isa.load_d(&anchor.cosine_twice));
    (isa.narrow(sin), isa.narrow(sin_high), isa.narrow(cos), isa.narrow(cos_high))
}

#[inline(always)]
fn ends_single<I: Isa>(isa: I, anchor: &Bounded<[f32; 16]>, low: &Point<[f32; 16]>) -> Ends<I::S> {
    let (c1, s1) = (isa.load_s(&anchor.point.c), isa.load_s(&anchor.point.s));
    let (c2, s2) = (isa.load_s(&low.c), isa.load_s(&low.s));
    let sin = isa.fma_s(s1, c2, isa.load_s(&anchor.sine));
    let sin = isa.fma_s(c1, s2, sin);
    let sin_high = isa.add_s(sin, isa.load_s(&anchor.sine_twice));
    let cos = isa.fnma_s(s1, s2, isa.load_s(&anchor.cosine));
    let cos = isa.fma_s(c1, c2, cos);
    let cos_high = isa.add_s(cos, isa.load_s(&anchor.cosine_twice));
    (sin, sin_high, cos, cos_high)
}

#[inline(always)]
fn ends_bf16<I: Isa>(isa: I, anchor: &Bounded<[f32; 16]>, low: &Point<[f32; 16]>) -> Ends<I::B> {
    let (sin, sin_high, cos, cos_high) = ends_single(isa, anchor, low);
    (isa.bf16(sin), isa.bf16(sin_high), isa.bf16(cos), isa.bf16(cos_high))
}

#[inline(always)]
fn ends_f16<I: Isa>(isa: I, anchor: &Bounded<[f32; 16]>, low: &Point<[f32; 16]>) -> Ends<I::F> {
    let (sin, sin_high, cos, cos_high) = ends_single(isa, anchor, low);
    (isa.f16(sin), isa.f16(sin_high), isa.f16(cos), isa.f16(cos_high))
}

#[inline(always)]
fn ends_head_tail<I: Isa>(isa: I, anchor: &BoundedHeadTail, low: &HeadTail) -> Ends<I::D> {
    let one = &anchor.parts;
    let (ch1, ct1, sh1, st1) =
        (isa.load_d(&one.c_head), isa.load_d(&one.c_tail), isa.load_d(&one.s_head), isa.load_d(&one.s_tail));
    let (ch2, ct2, sh2, st2) =
        (isa.load_d(&low.c_head), isa.load_d(&low.c_tail), isa.load_d(&low.s_head), isa.load_d(&low.s_tail));
    let (c1, s1) = (isa.load_d(&anchor.c), isa.load_d(&anchor.s));
    let (less, twice) = (isa.load_d(&anchor.less), isa.load_d(&anchor.twice));

    let head = isa.fma_d(ch1, sh2, isa.mul_d(sh1, ch2));
    let tail = isa.fma_d(ct1, sh2, isa.fma_d(st1, ch2, less));
    let tail = isa.fma_d(c1, st2, isa.fma_d(s1, ct2, tail));
    let (sin, sin_high) = (isa.add_d(head, tail), isa.add_d(head, isa.add_d(tail, twice)));

    let head = isa.fnma_d(sh1, sh2, isa.mul_d(ch1, ch2));
    let tail = isa.fnma_d(st1, sh2, isa.fma_d(ct1, ch2, less));
    let tail = isa.fnma_d(s1, st2, isa.fma_d(c1, ct2, tail));
    let (cos, cos_high) = (isa.add_d(head, tail), isa.add_d(head, isa.add_d(tail, twice)));
    (sin, sin_high, cos, cos_high)
}

/// A bound rounded up to binary32.
fn up(x: f64) -> f32 {
    if x == 0.0 { 0.0 } else { (x as f32).next_up() }
}

/// The parts of 16 pairs in binary32.
fn single(pairs: &[Pairs]) -> Point<[f32; 16]> {
    let part = |of: &dyn Fn(&Pairs) -> &[f64; 8]| std::array::from_fn(|i| of(&pairs[i / 8])[i % 8] as f32);
    Point { c: part(&|p| &p.c), s: part(&|p| &p.s) }
}

fn single_anchor(pairs: &[Pairs], scale: &Scale<'_>) -> Bounded<[f32; 16]> {
    let allowance = scale.factors + UNDERFLOW * scale.gain.max(1.0);
    let absolute = if scale.fused { SINGLE_FUSED } else { SINGLE_UNFUSED } * scale.power + allowance;
    let sine: [f32; 16] =
        std::array::from_fn(|i| up(scale.sine_error(SINGLE, allowance, pairs[i / 8].s[i % 8], i).min(absolute)));
    let cosine = up(absolute);
    Bounded {
        point: single(pairs),
        sine: sine.map(|e| -e),
        sine_twice: sine.map(|e| 2.0 * e),
        cosine: [-cosine; 16],
        cosine_twice: [2.0 * cosine; 16],
    }
}

fn plain<T>(slice: &mut [T]) -> &mut [T] {
    slice
}

fn bits<T>(slice: &mut [T]) -> &mut [u16]
where
    [T]: HalfFloatSliceExt,
{
    slice.reinterpret_cast_mut()
}

fn low_wide(pairs: &[Pairs]) -> Point<[f64; 8]> {
    Point { c: pairs[0].c, s: pairs[0].s }
}

fn anchor_wide(pairs: &[Pairs], scale: &Scale<'_>) -> Bounded<[f64; 8]> {
    let sine: [f64; 8] = std::array::from_fn(|i| scale.sine_error(DOUBLE, scale.factors, pairs[0].s[i], i));
    let cosine = DOUBLE * scale.gain + scale.factors;
    Bounded {
        point: low_wide(pairs),
        sine: sine.map(|e| -e),
        sine_twice: sine.map(|e| 2.0 * e),
        cosine: [-cosine; 8],
        cosine_twice: [2.0 * cosine; 8],
    }
}

fn low_head_tail(pairs: &[Pairs]) -> HeadTail {
    HeadTail::new(&pairs[0], 1.0)
}

fn anchor_head_tail(pairs: &[Pairs], scale: &Scale<'_>) -> BoundedHeadTail {
    let error = TAIL * scale.power + scale.factors;
    let error = std::array::from_fn(|i| if scale.still[i] && scale.exact { 0.0 } else { error });
    let parts = HeadTail::new(&pairs[0], scale.power);
    BoundedHeadTail { parts, c: pairs[0].c, s: pairs[0].s, less: error.map(|e| -e), twice: error.map(|e: f64| 2.0 * e) }
}

/// The loads and stores around `ends`, which are the same in every format.
macro_rules! kernel {
    ($format:ty, $group:literal, $low:ty, $anchor:ty, ends $ends:ident,
     stores $store:ident $store_pairs:ident, tests $differ:ident $mask:ident, slice $slice:ident, $unit:ty,
     low $make_low:expr, anchor $make_anchor:expr) => {
        impl Kernel for $format {
            const GROUP: usize = $group;
            type Low = $low;
            type Anchor = $anchor;
            type Half = [$unit; $group];
            type Line = [$unit; 2 * $group];

            fn low(pairs: &[Pairs]) -> $low {
                $make_low(pairs)
            }

            fn anchor(pairs: &[Pairs], scale: &Scale<'_>) -> $anchor {
                $make_anchor(pairs, scale)
            }

            #[inline(always)]
            fn halves(slice: &mut [Self]) -> &mut [Self::Half] {
                $slice(slice).as_chunks_mut().0
            }

            #[inline(always)]
            fn lines(slice: &mut [Self]) -> &mut [Self::Line] {
                $slice(slice).as_chunks_mut().0
            }

            fn copy_half(half: &Self::Half, to: &mut [Self]) {
                let count = to.len().min(half.len());
                $slice(&mut to[..count]).copy_from_slice(&half[..count]);
            }

            fn copy_line(line: &Self::Line, to: &mut [Self]) {
                let count = to.len().min(line.len());
                $slice(&mut to[..count]).copy_from_slice(&line[..count]);
            }

            #[inline(always)]
            fn split<I: Isa, const STREAM: bool>(
                isa: I,
                anchor: &$anchor,
                low: &$low,
                sin: &mut Self::Half,
                cos: &mut Self::Half,
            ) -> u64 {
                let (s, s_high, c, c_high) = $ends(isa, anchor, low);
                isa.$store::<STREAM>(sin, s);
                isa.$store::<STREAM>(cos, c);
                if !isa.$differ(s, s_high, c, c_high) {
                    return 0;
                }
                u64::from(isa.$mask(s, s_high)) | u64::from(isa.$mask(c, c_high)) << 32
            }

            #[inline(always)]
            fn joined<I: Isa, const COS_FIRST: bool, const STREAM: bool>(
                isa: I,
                anchor: &$anchor,
                low: &$low,
                line: &mut Self::Line,
            ) -> u64 {
                let (s, s_high, c, c_high) = $ends(isa, anchor, low);
                let (first, second) = if COS_FIRST { (c, s) } else { (s, c) };
                isa.$store_pairs::<STREAM>(line, first, second);
                if !isa.$differ(s, s_high, c, c_high) {
                    return 0;
                }
                u64::from(isa.$mask(s, s_high)) | u64::from(isa.$mask(c, c_high)) << 32
            }
        }
    };
}

kernel!(f32, 8, Point<[f64; 8]>, Bounded<[f64; 8]>, ends ends_wide,
    stores store_h store_pairs_h, tests differ_h mask_h, slice plain, f32, low low_wide, anchor anchor_wide);
kernel!(f64, 8, HeadTail, BoundedHeadTail, ends ends_head_tail,
    stores store_d store_pairs_d, tests differ_d mask_d, slice plain, f64, low low_head_tail, anchor anchor_head_tail);
kernel!(bf16, 16, Point<[f32; 16]>, Bounded<[f32; 16]>, ends ends_bf16,
    stores store_b store_pairs_b, tests differ_b mask_b, slice bits, u16, low single, anchor single_anchor);
kernel!(f16, 16, Point<[f32; 16]>, Bounded<[f32; 16]>, ends ends_f16,
    stores store_f store_pairs_f, tests differ_f mask_f, slice bits, u16, low single, anchor single_anchor);
