//! The kernel for f64 and f32: what a group of pairs holds, and how both ends of an entry are computed from
//! it. The error bounds are those of [`super::kernel`].

use super::double::Pairs;
use super::isa::Isa;
use super::kernel::{DOUBLE, Kernel, Scale, storage};

/// 25·2^−80.
const TAIL: f64 = 25.0 / (1u128 << 80) as f64;

/// Eight pairs: cosines and sines.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Point {
    c: [f64; 8],
    s: [f64; 8],
}

impl Point {
    pub fn new(pairs: &Pairs) -> Self {
        Self { c: pairs.c, s: pairs.s }
    }

    /// Both parts of the product, sine first: fl(c₁s₂ + fl(s₁c₂ + sine)) and fl(c₁c₂ − fl(s₁s₂ − cosine)).
    #[inline(always)]
    pub fn product<I: Isa>(&self, isa: I, low: &Point, (sine, cosine): (I::D, I::D)) -> (I::D, I::D) {
        let (c1, s1) = (isa.load_d(&self.c), isa.load_d(&self.s));
        let (c2, s2) = (isa.load_d(&low.c), isa.load_d(&low.s));
        let sin = isa.fma_d(c1, s2, isa.fma_d(s1, c2, sine));
        let cos = isa.fma_d(c1, c2, isa.fnma_d(s1, s2, cosine));
        (sin, cos)
    }

    /// The product, without an end's shift.
    #[inline(always)]
    pub fn times<I: Isa>(&self, isa: I, low: &Point) -> (I::D, I::D) {
        let (c1, s1) = (isa.load_d(&self.c), isa.load_d(&self.s));
        let (c2, s2) = (isa.load_d(&low.c), isa.load_d(&low.s));
        (isa.fma_d(c1, s2, isa.mul_d(s1, c2)), isa.fnma_d(s1, s2, isa.mul_d(c1, c2)))
    }

    /// Self becomes anchor·low.
    #[inline(always)]
    pub fn set_product<I: Isa>(&mut self, isa: I, anchor: &Point, low: &Point) {
        let (sin, cos) = anchor.times(isa, low);
        isa.store_d::<false>(&mut self.s, sin);
        isa.store_d::<false>(&mut self.c, cos);
    }
}

/// An anchor's parts, with −e and 2e for the sine and for the cosine.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Bounded {
    point: Point,
    sine: [f64; 8],
    sine_twice: [f64; 8],
    cosine: [f64; 8],
    cosine_twice: [f64; 8],
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
fn ends_single<I: Isa>(isa: I, anchor: &Bounded, low: &Point) -> Ends<I::H> {
    let shift = (isa.load_d(&anchor.sine), isa.load_d(&anchor.cosine));
    let (sin, cos) = anchor.point.product(isa, low, shift);
    let sin_high = isa.add_d(sin, isa.load_d(&anchor.sine_twice));
    let cos_high = isa.add_d(cos, isa.load_d(&anchor.cosine_twice));
    (isa.narrow(sin), isa.narrow(sin_high), isa.narrow(cos), isa.narrow(cos_high))
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

fn low_single(pairs: &[Pairs]) -> Point {
    Point::new(&pairs[0])
}

fn anchor_single(pairs: &[Pairs], scale: &Scale<'_>) -> Bounded {
    let sine: [f64; 8] = std::array::from_fn(|i| scale.sine_error(pairs[0].s[i], i));
    let cosine = DOUBLE * scale.gain + scale.factors;
    Bounded {
        point: Point::new(&pairs[0]),
        sine: sine.map(|e| -e),
        sine_twice: sine.map(|e| 2.0 * e),
        cosine: [-cosine; 8],
        cosine_twice: [2.0 * cosine; 8],
    }
}

#[inline(always)]
fn turn_single<I: Isa>(isa: I, anchor: &Bounded, low: &Point, out: &mut Bounded) {
    out.point.set_product(isa, &anchor.point, low);
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

/// No anchor is turned: the fine rows are all rows below it.
fn turn_head_tail<I: Isa>(_: I, anchor: &BoundedHeadTail, _: &HeadTail, out: &mut BoundedHeadTail) {
    *out = *anchor;
}

fn plain<T>(slice: &mut [T]) -> &mut [T] {
    slice
}

/// The loads and stores around `ends`, which are the same in both formats.
macro_rules! kernel {
    ($format:ident, $vector:ident, $low:ty, $anchor:ty, ends $ends:ident, stores $store:ident $store_pairs:ident,
     tests $none:ident $differ:ident $any:ident $mask:ident, turns $turns:literal by $turn:ident,
     low $make_low:ident, anchor $make_anchor:ident) => {
        impl Kernel for $format {
            type Low = $low;
            type Anchor = $anchor;
            /// The bits in which both ends of any entry differ.
            type Doubt<I: Isa> = I::$vector;
            const EACH: bool = false;
            const TURNS: bool = $turns;
            storage!($format, 8, $format, plain);

            fn low(pairs: &[Pairs]) -> $low {
                $make_low(pairs)
            }

            fn anchor(pairs: &[Pairs], scale: &Scale<'_>) -> $anchor {
                $make_anchor(pairs, scale)
            }

            #[inline(always)]
            fn turn<I: Isa>(isa: I, anchor: &$anchor, low: &$low, out: &mut $anchor) {
                $turn(isa, anchor, low, out);
            }

            #[inline(always)]
            fn split<I: Isa, const STREAM: bool>(
                isa: I,
                (anchor, low): (&$anchor, &$low),
                sin: &mut Self::Half,
                cos: &mut Self::Half,
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
                line: &mut Self::Line,
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
            fn is_doubtful<I: Isa>(isa: I, doubt: I::$vector, _: &$anchor) -> bool {
                isa.$any(doubt)
            }

            #[inline(always)]
            fn doubtful<I: Isa>(isa: I, (anchor, low): (&$anchor, &$low)) -> u64 {
                let (s, s_high, c, c_high) = $ends(isa, anchor, low);
                u64::from(isa.$mask(s, s_high)) | u64::from(isa.$mask(c, c_high)) << 32
            }
        }
    };
}

kernel!(f32, H, Point, Bounded, ends ends_single, stores store_h store_pairs_h, tests none_h differ_h any_h mask_h,
    turns true by turn_single, low low_single, anchor anchor_single);
kernel!(f64, D, HeadTail, BoundedHeadTail, ends ends_head_tail, stores store_d store_pairs_d,
    tests none_d differ_d any_d mask_d, turns false by turn_head_tail, low low_head_tail, anchor anchor_head_tail);
