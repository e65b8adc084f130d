//! The kernel for f64 and f32: what a group of pairs holds, and how both ends of an entry are computed from
//! it. The error bounds are those of [`super::product`].

use super::double::{Pairs, product};
use super::isa::{Arithmetic, Isa, Portable};
use super::kernel::{Kernel, Tile};
use super::plan::Level;
use super::product::{Product, Rows, TurnedAnchor, fill};
use super::scale::{DOUBLE, Scale};
use super::simd::{Available, dispatch};
use posproof_numerics::Scalar;

/// 25·2^−80.
const TAIL: f64 = 25.0 / (1u128 << 80) as f64;

/// Eight pairs: cosines and sines.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Point {
    pub c: [f64; 8],
    pub s: [f64; 8],
}

impl Point {
    pub fn new(pairs: &Pairs) -> Self {
        Self { c: pairs.c, s: pairs.s }
    }

    /// Both parts of the product, sine first: fl(c₁s₂ + fl(s₁c₂ + sine)) and fl(c₁c₂ − fl(s₁s₂ − cosine)).
    #[inline(always)]
    pub fn product<I: Arithmetic>(&self, isa: I, low: &Point, (sine, cosine): (I::D, I::D)) -> (I::D, I::D) {
        let (c1, s1) = (isa.load_d(&self.c), isa.load_d(&self.s));
        let (c2, s2) = (isa.load_d(&low.c), isa.load_d(&low.s));
        let sin = isa.fma_d(c1, s2, isa.fma_d(s1, c2, sine));
        let cos = isa.fma_d(c1, c2, isa.fnma_d(s1, s2, cosine));
        (sin, cos)
    }

    /// Self becomes anchor·row.
    #[inline(always)]
    pub fn set_product<I: Arithmetic>(&mut self, isa: I, anchor: &Pairs, low: &Point) {
        let (c1, s1) = (isa.load_d(&anchor.c), isa.load_d(&anchor.s));
        let (c2, s2) = (isa.load_d(&low.c), isa.load_d(&low.s));
        let (sin, cos) = (isa.fma_d(c1, s2, isa.mul_d(s1, c2)), isa.fnma_d(s1, s2, isa.mul_d(c1, c2)));
        isa.store_d::<false>(&mut self.s, sin);
        isa.store_d::<false>(&mut self.c, cos);
    }
}

/// An anchor's parts, with −e and 2e for the sine and for the cosine.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Bounded {
    pub point: Point,
    pub sine: [f64; 8],
    pub sine_twice: [f64; 8],
    pub cosine: [f64; 8],
    pub cosine_twice: [f64; 8],
}

/// The data of a group for f64: heads and tails.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct HeadTail {
    pub c_head: [f64; 8],
    pub c_tail: [f64; 8],
    pub s_head: [f64; 8],
    pub s_tail: [f64; 8],
}

/// The anchor's heads and tails, its parts as single numbers, −e and 2e.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct BoundedHeadTail {
    pub parts: HeadTail,
    pub c: [f64; 8],
    pub s: [f64; 8],
    pub less: [f64; 8],
    pub twice: [f64; 8],
    /// Number that is added and subtracted to round to the grid.
    pub shift: [f64; 8],
}

/// Adding and subtracting it, times a power of two, rounds to multiples of 2^−26 times that power.
const SHIFT: f64 = 1.5 * 67108864.0;

/// The head and the tail of eight numbers.
#[inline(always)]
pub fn head_tail<I: Arithmetic>(
    isa: I,
    (high, low): (&[f64; 8], &[f64; 8]),
    shift: I::D,
    out: (&mut [f64; 8], &mut [f64; 8]),
) {
    let (high, low) = (isa.load_d(high), isa.load_d(low));
    let head = isa.sub_d(isa.add_d(high, shift), shift);
    isa.store_d::<false>(out.0, head);
    // high − head is exact: a multiple of high's last place, no larger than half the grid.
    isa.store_d::<false>(out.1, isa.add_d(isa.sub_d(high, head), low));
}

impl HeadTail {
    #[inline(always)]
    fn set<I: Arithmetic>(&mut self, isa: I, pairs: &Pairs, shift: &[f64; 8]) {
        let shift = isa.load_d(shift);
        head_tail(isa, (&pairs.c, &pairs.c_low), shift, (&mut self.c_head, &mut self.c_tail));
        head_tail(isa, (&pairs.s, &pairs.s_low), shift, (&mut self.s_head, &mut self.s_tail));
    }

    fn new(pairs: &Pairs, power: f64) -> Self {
        let mut new = Self { c_head: [0.0; 8], c_tail: [0.0; 8], s_head: [0.0; 8], s_tail: [0.0; 8] };
        new.set(Portable, pairs, &[SHIFT * power; 8]);
        new
    }
}

/// Both ends of the sine and of the cosine.
type Ends<T> = (T, T, T, T);

#[inline(always)]
pub fn ends_single<I: Arithmetic>(isa: I, anchor: &Bounded, low: &Point) -> Ends<I::H> {
    let shift = (isa.load_d(&anchor.sine), isa.load_d(&anchor.cosine));
    let (sin, cos) = anchor.point.product(isa, low, shift);
    let sin_high = isa.add_d(sin, isa.load_d(&anchor.sine_twice));
    let cos_high = isa.add_d(cos, isa.load_d(&anchor.cosine_twice));
    (isa.narrow(sin), isa.narrow(sin_high), isa.narrow(cos), isa.narrow(cos_high))
}

#[inline(always)]
pub fn ends_head_tail<I: Arithmetic>(isa: I, anchor: &BoundedHeadTail, low: &HeadTail) -> Ends<I::D> {
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

/// e for the sine of a lane whose s₁ is `s`: 10.8u·M and the rest, with `sines` = max|s₂| + max|s₃|.
pub fn sine_error<T: Scalar>([gain, factors]: [T; 2], s: T, sines: T) -> T {
    let one = |x: f64| T::constant(x);
    one(DOUBLE) * ((s.abs() + gain * sines) * one(1.0 + 1e-9)).min(gain) + factors
}

/// e for a cosine.
pub fn cosine_error<T: Scalar>([gain, factors]: [T; 2]) -> T {
    T::constant(DOUBLE) * gain + factors
}

/// e for heads and tails.
pub fn tail_error<T: Scalar>([power, factors]: [T; 2]) -> T {
    T::constant(TAIL) * power + factors
}

fn anchor_single(pairs: &Pairs, scale: &Scale<'_>, sines: &[f64]) -> Bounded {
    let known = [scale.gain, scale.factors];
    let error = |i: usize| if scale.still[i] { 0.0 } else { sine_error(known, pairs.s[i], sines[i]) };
    let sine: [f64; 8] = std::array::from_fn(error);
    let cosine = cosine_error(known);
    Bounded {
        point: Point::new(pairs),
        sine: sine.map(|e| -e),
        sine_twice: sine.map(|e| 2.0 * e),
        cosine: [-cosine; 8],
        cosine_twice: [2.0 * cosine; 8],
    }
}

#[inline(always)]
fn turn_single<I: Isa>(isa: I, anchor: &Pairs, row: &Point, out: &mut Bounded) {
    out.point.set_product(isa, anchor, row);
}

fn anchor_head_tail(pairs: &Pairs, scale: &Scale<'_>, _: &[f64]) -> BoundedHeadTail {
    let error = tail_error([scale.power, scale.factors]);
    let error = std::array::from_fn(|i| if scale.still[i] && scale.exact { 0.0 } else { error });
    let parts = HeadTail::new(pairs, scale.power);
    BoundedHeadTail {
        parts,
        c: pairs.c,
        s: pairs.s,
        less: error.map(|e| -e),
        twice: error.map(|e: f64| 2.0 * e),
        shift: [SHIFT * scale.power; 8],
    }
}

/// In double-double arithmetic.
#[inline(always)]
fn turn_head_tail<I: Isa>(isa: I, anchor: &Pairs, row: &Pairs, out: &mut BoundedHeadTail) {
    let product = product(isa, anchor, row);
    out.parts.set(isa, &product, &out.shift);
    (out.c, out.s) = (product.c, product.s);
}

/// As many fine rows as the first-level cache holds, where it holds a few.
fn digits(pairs: usize) -> (u32, u32) {
    match pairs {
        0..=64 => (4, 5),
        65..=2048 => (3, 4),
        _ => (3, 2),
    }
}

/// The loads and stores around `ends`, which are the same in both formats.
macro_rules! product {
    ($format:ident, $vector:ident, $low:ty, $anchor:ty, ends $ends:ident, stores $store:ident $store_pairs:ident,
     tests $none:ident $differ:ident $any:ident $mask:ident, turns $coarse:ty, $turn:ident by $make_coarse:expr,
     low $make_low:expr, anchor $make_anchor:ident) => {
        impl Kernel for $format {
            type Rows = Rows<$low, $coarse>;
            type Workspace = TurnedAnchor<$anchor>;
            const SKIPS_STILL: bool = false;

            fn digits(pairs: usize) -> (u32, u32) {
                digits(pairs)
            }

            fn rows(_: Available, fine: &Level, coarse: &Level, groups: usize) -> Rows<$low, $coarse> {
                Rows::new(fine, coarse, groups, ($make_low, $make_coarse))
            }

            #[inline(always)]
            fn fill<I: Isa>(isa: I, tile: Tile<'_, Self>) {
                fill(isa, tile);
            }

            fn fill_by(instructions: Available, tile: Tile<'_, Self>) {
                dispatch(instructions, tile);
            }
        }

        impl Product for $format {
            type Low = $low;
            type Coarse = $coarse;
            type Anchor = $anchor;
            type Doubt<I: Isa> = I::$vector;

            fn anchor(pairs: &Pairs, scale: &Scale<'_>, sines: &[f64]) -> $anchor {
                $make_anchor(pairs, scale, sines)
            }

            #[inline(always)]
            fn turn<I: Isa>(isa: I, anchor: &Pairs, row: &$coarse, out: &mut $anchor) {
                $turn(isa, anchor, row, out);
            }

            #[inline(always)]
            fn split<I: Isa, const STREAM: bool>(
                isa: I,
                (anchor, low): (&$anchor, &$low),
                (sin, cos): (&mut [Self; 8], &mut [Self; 8]),
                doubt: I::$vector,
            ) -> I::$vector {
                let (s, s_high, c, c_high) = $ends(isa, anchor, low);
                isa.$store::<STREAM>(sin, s);
                isa.$store::<STREAM>(cos, c);
                isa.$differ(isa.$differ(doubt, s, s_high), c, c_high)
            }

            #[inline(always)]
            fn joined<I: Isa, const COS_FIRST: bool, const STREAM: bool>(
                isa: I,
                (anchor, low): (&$anchor, &$low),
                line: &mut [Self; 16],
                doubt: I::$vector,
            ) -> I::$vector {
                let (s, s_high, c, c_high) = $ends(isa, anchor, low);
                let (first, second) = if COS_FIRST { (c, s) } else { (s, c) };
                isa.$store_pairs::<STREAM>(line, first, second);
                isa.$differ(isa.$differ(doubt, s, s_high), c, c_high)
            }

            #[inline(always)]
            fn certain<I: Isa>(isa: I) -> I::$vector {
                isa.$none()
            }

            #[inline(always)]
            fn is_doubtful<I: Isa>(isa: I, doubt: I::$vector) -> bool {
                isa.$any(doubt)
            }

            #[inline(always)]
            fn doubtful<I: Isa>(isa: I, (anchor, low): (&$anchor, &$low)) -> u32 {
                let (s, s_high, c, c_high) = $ends(isa, anchor, low);
                isa.$mask(s, s_high) | isa.$mask(c, c_high) << 8
            }
        }
    };
}

product!(f32, H, Point, Bounded, ends ends_single, stores store_h store_pairs_h, tests none_h differ_h any_h mask_h,
    turns Point, turn_single by Point::new, low Point::new, anchor anchor_single);
product!(f64, D, HeadTail, BoundedHeadTail, ends ends_head_tail, stores store_d store_pairs_d,
    tests none_d differ_d any_d mask_d, turns Pairs, turn_head_tail by |pairs: &Pairs| *pairs,
    low |pairs: &Pairs| HeadTail::new(pairs, 1.0), anchor anchor_head_tail);
