//! The vector operations that the kernel is written in, and their portable form.
//!
//! Results do not depend on the instruction set: the kernel accepts an entry only when every value
//! within its error bound rounds alike, and the bound holds for each implementation of this trait.

/// Vectors of eight binary64 (`D`), eight binary32 (`H`), sixteen binary32 (`S`), and sixteen
/// values rounded to bfloat16 (`B`) and binary16 (`F`).
///
/// Arithmetic is IEEE 754 round to nearest without flushing of subnormal numbers. `STREAM` asks for
/// stores that go past the caches where the address allows it.
pub trait Isa: Copy {
    type D: Copy;
    type H: Copy;
    type S: Copy;
    type B: Copy;
    type F: Copy;

    fn load_d(self, from: &[f64; 8]) -> Self::D;
    fn add_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn sub_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn mul_d(self, a: Self::D, b: Self::D) -> Self::D;
    /// a·b + c with one rounding or two.
    fn fma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// c − a·b with one rounding or two.
    fn fnma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// The rounded product p and its rounding error a·b − p, exact unless p is below 2^−968.
    fn two_prod(self, a: Self::D, b: Self::D) -> (Self::D, Self::D);
    fn store_d<const STREAM: bool>(self, to: &mut [f64; 8], a: Self::D);
    fn store_pairs_d<const STREAM: bool>(self, to: &mut [f64; 16], a: Self::D, b: Self::D);
    /// Whether a and b, or c and d, differ in any bit.
    fn differ_d(self, a: Self::D, b: Self::D, c: Self::D, d: Self::D) -> bool;
    /// Bit i: whether lane i of a and b differs in any bit.
    fn mask_d(self, a: Self::D, b: Self::D) -> u32;

    /// Each lane rounded to nearest binary32.
    fn narrow(self, a: Self::D) -> Self::H;
    fn store_h<const STREAM: bool>(self, to: &mut [f32; 8], a: Self::H);
    fn store_pairs_h<const STREAM: bool>(self, to: &mut [f32; 16], a: Self::H, b: Self::H);
    fn differ_h(self, a: Self::H, b: Self::H, c: Self::H, d: Self::H) -> bool;
    fn mask_h(self, a: Self::H, b: Self::H) -> u32;

    fn load_s(self, from: &[f32; 16]) -> Self::S;
    fn add_s(self, a: Self::S, b: Self::S) -> Self::S;
    fn sub_s(self, a: Self::S, b: Self::S) -> Self::S;
    fn mul_s(self, a: Self::S, b: Self::S) -> Self::S;
    fn fma_s(self, a: Self::S, b: Self::S, c: Self::S) -> Self::S;
    fn fnma_s(self, a: Self::S, b: Self::S, c: Self::S) -> Self::S;

    /// Each lane rounded to nearest bfloat16, ties away from zero (a tie is never accepted).
    fn bf16(self, a: Self::S) -> Self::B;
    fn store_b<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::B);
    fn store_pairs_b<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::B, b: Self::B);
    fn differ_b(self, a: Self::B, b: Self::B, c: Self::B, d: Self::B) -> bool;
    fn mask_b(self, a: Self::B, b: Self::B) -> u32;

    /// Each lane rounded to nearest binary16, ties in either direction (a tie is never accepted).
    fn f16(self, a: Self::S) -> Self::F;
    fn store_f<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::F);
    fn store_pairs_f<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::F, b: Self::F);
    fn differ_f(self, a: Self::F, b: Self::F, c: Self::F, d: Self::F) -> bool;
    fn mask_f(self, a: Self::F, b: Self::F) -> u32;
}

/// Plain Rust, which the compiler vectorises for the target's baseline.
#[derive(Clone, Copy)]
pub struct Portable;

/// a op b, lane by lane.
#[inline(always)]
fn lanes<T: Copy, U: Copy, const N: usize>(a: [T; N], b: [T; N], op: impl Fn(T, T) -> U) -> [U; N] {
    std::array::from_fn(|i| op(a[i], b[i]))
}

#[inline(always)]
fn pairs<T: Copy, const N: usize>(to: &mut [T], a: [T; N], b: [T; N]) {
    for i in 0..N {
        to[2 * i] = a[i];
        to[2 * i + 1] = b[i];
    }
}

#[inline(always)]
fn differ<const N: usize>(a: [u32; N], b: [u32; N], c: [u32; N], d: [u32; N]) -> bool {
    let mut any = 0;
    for i in 0..N {
        any |= (a[i] ^ b[i]) | (c[i] ^ d[i]);
    }
    any != 0
}

#[inline(always)]
fn mask<T: PartialEq, const N: usize>(a: [T; N], b: [T; N]) -> u32 {
    (0..N).map(|i| u32::from(a[i] != b[i]) << i).sum()
}

/// Veltkamp's splitting: a = high + low with 26 bits each, exact below 2^996 (Dekker 1971).
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    let c = 134217729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

#[inline(always)]
fn product_error(a: f64, b: f64, p: f64) -> f64 {
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    ((ah * bh - p) + ah * bl + al * bh) + al * bl
}

/// Rounds a binary32 number to binary16 by integer arithmetic; ties away from zero.
#[inline(always)]
fn half_bits(a: f32) -> u32 {
    let sign = (a.to_bits() >> 16) & 0x8000;
    let magnitude = a.abs();
    // Adding 1/2 rounds to multiples of 2^−24, the spacing of subnormal numbers.
    let subnormal = (magnitude + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let normal = (magnitude.to_bits().wrapping_add(0x1000) >> 13).wrapping_sub(112 << 10).min(0x7c00);
    sign | if magnitude < 6.103_515_6e-5 { subnormal } else { normal }
}

impl Isa for Portable {
    type D = [f64; 8];
    type H = [f32; 8];
    type S = [f32; 16];
    type B = [u32; 16];
    type F = [u32; 16];

    #[inline(always)]
    fn load_d(self, from: &[f64; 8]) -> Self::D {
        *from
    }
    #[inline(always)]
    fn add_d(self, a: Self::D, b: Self::D) -> Self::D {
        lanes(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub_d(self, a: Self::D, b: Self::D) -> Self::D {
        lanes(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul_d(self, a: Self::D, b: Self::D) -> Self::D {
        lanes(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn fma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.add_d(self.mul_d(a, b), c)
    }
    #[inline(always)]
    fn fnma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.sub_d(c, self.mul_d(a, b))
    }
    #[inline(always)]
    fn two_prod(self, a: Self::D, b: Self::D) -> (Self::D, Self::D) {
        let p = self.mul_d(a, b);
        (p, std::array::from_fn(|i| product_error(a[i], b[i], p[i])))
    }
    #[inline(always)]
    fn store_d<const STREAM: bool>(self, to: &mut [f64; 8], a: Self::D) {
        *to = a;
    }
    #[inline(always)]
    fn store_pairs_d<const STREAM: bool>(self, to: &mut [f64; 16], a: Self::D, b: Self::D) {
        pairs(to, a, b);
    }
    #[inline(always)]
    fn differ_d(self, a: Self::D, b: Self::D, c: Self::D, d: Self::D) -> bool {
        let mut any = 0;
        for i in 0..8 {
            any |= (a[i].to_bits() ^ b[i].to_bits()) | (c[i].to_bits() ^ d[i].to_bits());
        }
        any != 0
    }
    #[inline(always)]
    fn mask_d(self, a: Self::D, b: Self::D) -> u32 {
        mask(a.map(f64::to_bits), b.map(f64::to_bits))
    }
    #[inline(always)]
    fn narrow(self, a: Self::D) -> Self::H {
        a.map(|a| a as f32)
    }
    #[inline(always)]
    fn store_h<const STREAM: bool>(self, to: &mut [f32; 8], a: Self::H) {
        *to = a;
    }
    #[inline(always)]
    fn store_pairs_h<const STREAM: bool>(self, to: &mut [f32; 16], a: Self::H, b: Self::H) {
        pairs(to, a, b);
    }
    #[inline(always)]
    fn differ_h(self, a: Self::H, b: Self::H, c: Self::H, d: Self::H) -> bool {
        differ(a.map(f32::to_bits), b.map(f32::to_bits), c.map(f32::to_bits), d.map(f32::to_bits))
    }
    #[inline(always)]
    fn mask_h(self, a: Self::H, b: Self::H) -> u32 {
        mask(a.map(f32::to_bits), b.map(f32::to_bits))
    }
    #[inline(always)]
    fn load_s(self, from: &[f32; 16]) -> Self::S {
        *from
    }
    #[inline(always)]
    fn add_s(self, a: Self::S, b: Self::S) -> Self::S {
        lanes(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub_s(self, a: Self::S, b: Self::S) -> Self::S {
        lanes(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul_s(self, a: Self::S, b: Self::S) -> Self::S {
        lanes(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn fma_s(self, a: Self::S, b: Self::S, c: Self::S) -> Self::S {
        self.add_s(self.mul_s(a, b), c)
    }
    #[inline(always)]
    fn fnma_s(self, a: Self::S, b: Self::S, c: Self::S) -> Self::S {
        self.sub_s(c, self.mul_s(a, b))
    }
    #[inline(always)]
    fn bf16(self, a: Self::S) -> Self::B {
        a.map(|a| a.to_bits().wrapping_add(0x8000) >> 16)
    }
    #[inline(always)]
    fn store_b<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::B) {
        *to = a.map(|a| a as u16);
    }
    #[inline(always)]
    fn store_pairs_b<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::B, b: Self::B) {
        pairs(to, a.map(|a| a as u16), b.map(|b| b as u16));
    }
    #[inline(always)]
    fn differ_b(self, a: Self::B, b: Self::B, c: Self::B, d: Self::B) -> bool {
        differ(a, b, c, d)
    }
    #[inline(always)]
    fn mask_b(self, a: Self::B, b: Self::B) -> u32 {
        mask(a, b)
    }
    #[inline(always)]
    fn f16(self, a: Self::S) -> Self::F {
        a.map(half_bits)
    }
    #[inline(always)]
    fn store_f<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::F) {
        *to = a.map(|a| a as u16);
    }
    #[inline(always)]
    fn store_pairs_f<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::F, b: Self::F) {
        pairs(to, a.map(|a| a as u16), b.map(|b| b as u16));
    }
    #[inline(always)]
    fn differ_f(self, a: Self::F, b: Self::F, c: Self::F, d: Self::F) -> bool {
        differ(a, b, c, d)
    }
    #[inline(always)]
    fn mask_f(self, a: Self::F, b: Self::F) -> u32 {
        mask(a, b)
    }
}
