//! Complex numbers whose parts are unevaluated sums of two binary64 numbers, eight at a time.

use super::isa::{Arithmetic, Isa, Portable};
use super::simd::{Available, Work, dispatch};
use posproof_numerics::{Float, Round};

/// Eight complex numbers c + i·s; each part is high + low with |low| at most half an ulp of high.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairs {
    pub c: [f64; 8],
    pub s: [f64; 8],
    pub c_low: [f64; 8],
    pub s_low: [f64; 8],
}

impl Pairs {
    /// Sets both parts of a lane.
    pub fn hold(&mut self, lane: usize, part: f64) {
        (self.c[lane], self.c_low[lane], self.s[lane], self.s_low[lane]) = (part, 0.0, part, 0.0);
    }
}

/// A number as the sum of two binary64 numbers, high and low, the first the nearest.
pub fn double_word(x: &Float, bits: u32) -> (f64, f64) {
    let high = x.to_f64(Round::Nearest);
    (high, x.sub(&Float::from_f64(high), bits, Round::Nearest).to_f64(Round::Nearest))
}

/// η: the error of each part of [`product`] divided by the sum of the magnitudes of its two terms.
///
/// For the real part a·c − b·d write M = |a·c| + |b·d| and u = 2^−53. The products of the high parts
/// are kept exactly (`two_prod`), and so is their difference (`two_sum`); what is lost is, term by term,
///
/// | what | at most |
/// | --- | --- |
/// | products of two low parts, left out: u² of each term | u²·M |
/// | rounding of high·low and low·high: u·(u·M) each | 2u²·M |
/// | rounding of their sum in each term: u·(2u·M) | 2u²·M |
/// | rounding of the difference of the two terms' sums: u·(2u·M) | 2u²·M |
/// | rounding of the difference of the products' errors: u·(u·M) | u²·M |
/// | rounding of the sum of these two: u·(3u·M) | 3u²·M |
/// | rounding when the error of the difference of products is added: u·(4u·M) | 4u²·M |
///
/// together 15u²·M, below 16u²·M = 2^−102·M with the terms of order u³; the last `two_sum` is exact.
/// The imaginary part a·d + b·c is computed alike.
pub const PRODUCT_ERROR: f64 = 1.0 / (1u128 << 102) as f64;

/// a + b = s + e exactly (Knuth).
#[inline(always)]
pub fn two_sum<I: Arithmetic>(isa: I, a: I::D, b: I::D) -> (I::D, I::D) {
    let s = isa.add_d(a, b);
    let part = isa.sub_d(s, a);
    let rest = isa.sub_d(a, isa.sub_d(s, part));
    (s, isa.add_d(rest, isa.sub_d(b, part)))
}

/// The products, lane by lane.
#[inline(always)]
pub fn product<I: Arithmetic>(isa: I, x: &Pairs, y: &Pairs) -> Pairs {
    let (a, al, b, bl) = (isa.load_d(&x.c), isa.load_d(&x.c_low), isa.load_d(&x.s), isa.load_d(&x.s_low));
    let (c, cl, d, dl) = (isa.load_d(&y.c), isa.load_d(&y.c_low), isa.load_d(&y.s), isa.load_d(&y.s_low));
    let mut out = Pairs::default();

    let (ac, ac_error) = isa.two_prod(a, c);
    let (bd, bd_error) = isa.two_prod(b, d);
    let cross = isa.sub_d(isa.fma_d(a, cl, isa.mul_d(al, c)), isa.fma_d(b, dl, isa.mul_d(bl, d)));
    let (sum, error) = two_difference(isa, ac, bd);
    let low = isa.add_d(isa.add_d(isa.sub_d(ac_error, bd_error), cross), error);
    let (high, low) = two_sum(isa, sum, low);
    isa.store_d::<false>(&mut out.c, high);
    isa.store_d::<false>(&mut out.c_low, low);

    let (ad, ad_error) = isa.two_prod(a, d);
    let (bc, bc_error) = isa.two_prod(b, c);
    let cross = isa.add_d(isa.fma_d(a, dl, isa.mul_d(al, d)), isa.fma_d(b, cl, isa.mul_d(bl, c)));
    let (sum, error) = two_sum(isa, ad, bc);
    let low = isa.add_d(isa.add_d(isa.add_d(ad_error, bc_error), cross), error);
    let (high, low) = two_sum(isa, sum, low);
    isa.store_d::<false>(&mut out.s, high);
    isa.store_d::<false>(&mut out.s_low, low);
    out
}

/// a − b = s + e exactly.
#[inline(always)]
pub fn two_difference<I: Arithmetic>(isa: I, a: I::D, b: I::D) -> (I::D, I::D) {
    let s = isa.sub_d(a, b);
    let part = isa.sub_d(s, a);
    let rest = isa.sub_d(a, isa.sub_d(s, part));
    (s, isa.sub_d(rest, isa.add_d(b, part)))
}

/// One product out of eight, in every lane, without vector instructions.
pub fn single(x: &Pairs, y: &Pairs, lane: usize) -> Pairs {
    let one = |p: &Pairs| Pairs {
        c: [p.c[lane]; 8],
        c_low: [p.c_low[lane]; 8],
        s: [p.s[lane]; 8],
        s_low: [p.s_low[lane]; 8],
    };
    product(Portable, &one(x), &one(y))
}

/// out[i] = x[i]·y[i], by the given instructions.
pub fn multiply(instructions: Available, x: &[Pairs], y: &[Pairs], out: &mut [Pairs]) {
    dispatch(instructions, Multiply { x, y, out });
}

struct Multiply<'a> {
    x: &'a [Pairs],
    y: &'a [Pairs],
    out: &'a mut [Pairs],
}

impl Work for Multiply<'_> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for (out, (x, y)) in self.out.iter_mut().zip(self.x.iter().zip(self.y)) {
            *out = product(isa, x, y);
        }
    }
}

/// Fills rows of `unit.len()` elements: row n + 1 is row n times the unit. Row 0 is given.
pub struct Powers<'a> {
    pub unit: &'a [Pairs],
    pub rows: &'a mut [Pairs],
}

impl Work for Powers<'_> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let width = self.unit.len();
        for at in width..self.rows.len() {
            self.rows[at] = product(isa, &self.rows[at - width], &self.unit[at % width]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::Rational;

    /// The table's own bound holds against 400-bit arithmetic, with large and tiny parts.
    #[test]
    fn products_stay_within_their_bound() {
        let mut state = 0x9e3779b97f4a7c15u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for round in 0..4000 {
            let mut draw = |tiny: bool| {
                let (sin, cos) = (random() * std::f64::consts::TAU).sin_cos();
                let scale = if tiny { 2f64.powi(-(round % 60)) } else { 1.0 };
                let (s, c) = (sin * scale, cos);
                Pairs {
                    c: [c; 8],
                    c_low: [c * 2f64.powi(-54) * random(); 8],
                    s: [s; 8],
                    s_low: [s * 2f64.powi(-54) * random(); 8],
                }
            };
            let (x, y) = (draw(true), draw(true));
            let z = single(&x, &y, 0);
            let number = |x: f64| Rational::from_f64(x).expect("finite");
            let exact = |high: f64, low: f64| number(high) + number(low);
            let (a, b) = (exact(x.c[0], x.c_low[0]), exact(x.s[0], x.s_low[0]));
            let (e, d) = (exact(y.c[0], y.c_low[0]), exact(y.s[0], y.s_low[0]));
            let check = |terms: [Rational; 2], found: Rational| {
                let bound = (terms[0].abs() + terms[1].abs()) * number(PRODUCT_ERROR);
                let [one, two] = terms;
                assert!((one + two - found).abs() <= bound, "round {round}");
            };
            check([&a * &e, -(&b * &d)], exact(z.c[0], z.c_low[0]));
            check([a * d, b * e], exact(z.s[0], z.s_low[0]));
        }
    }
}
