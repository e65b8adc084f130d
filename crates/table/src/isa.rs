//! The vector operations that the kernel is written in, and their portable form.
//!
//! Results do not depend on the instruction set: the kernel accepts an entry only when every value
//! within its error bound rounds alike, and the bound holds for each implementation of this trait.

use super::line::Line;
use posproof_numerics::Scalar;

/// Arithmetic on vectors of eight binary64 (`D`), which can be rounded to eight binary32 (`H`).
///
/// It is IEEE 754 round to nearest without flushing of subnormal numbers. `STREAM` asks for
/// stores that go past the caches where the address allows it.
pub trait Arithmetic: Copy {
    type D: Copy;
    type H: Copy;

    fn load_d(self, from: &[f64; 8]) -> Self::D;
    fn add_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn sub_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn mul_d(self, a: Self::D, b: Self::D) -> Self::D;
    /// a·b + c with one rounding or two.
    fn fma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// a·b − c with one rounding or two.
    fn fms_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// c − a·b with one rounding or two.
    fn fnma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    /// The rounded product p and its rounding error a·b − p, exact unless p is below 2^−968.
    fn two_prod(self, a: Self::D, b: Self::D) -> (Self::D, Self::D);
    /// Each lane rounded to nearest binary32.
    fn narrow(self, a: Self::D) -> Self::H;
    fn store_d<const STREAM: bool>(self, to: &mut [f64; 8], a: Self::D);
}

/// All operations: moves and comparisons of vectors, and sixteen binary32 (`S`).
pub trait Isa: Arithmetic {
    type S: Copy;

    /// Lanes of a and b in turn.
    fn interleave_d(self, a: Self::D, b: Self::D) -> (Self::D, Self::D);
    fn store_pairs_d<const STREAM: bool>(self, to: &mut [f64; 16], a: Self::D, b: Self::D);
    /// The bits in which a and b differ, and those of `before`; at first [`Self::none_d`].
    fn differ_d(self, before: Self::D, a: Self::D, b: Self::D) -> Self::D;
    fn none_d(self) -> Self::D;
    fn any_d(self, bits: Self::D) -> bool;
    /// Bit i: whether lane i of a and b differs in any bit.
    fn mask_d(self, a: Self::D, b: Self::D) -> u32;

    fn store_h<const STREAM: bool>(self, to: &mut [f32; 8], a: Self::H);
    fn store_pairs_h<const STREAM: bool>(self, to: &mut [f32; 16], a: Self::H, b: Self::H);
    fn differ_h(self, before: Self::H, a: Self::H, b: Self::H) -> Self::H;
    fn none_h(self) -> Self::H;
    fn any_h(self, bits: Self::H) -> bool;
    fn mask_h(self, a: Self::H, b: Self::H) -> u32;

    /// Both vectors, one after the other.
    fn join(self, a: Self::H, b: Self::H) -> Self::S;
    /// Bit i: whether lane i has only zeros under the mask `DROPPED`, or is smaller than `limit` in magnitude.
    fn doubts<const DROPPED: u32>(self, a: Self::S, limit: f32) -> u32;
    /// True if any lane of a or b does, or is.
    fn is_doubtful<const DROPPED: u32>(self, a: Self::S, b: Self::S, limit: f32) -> bool;
    /// Stores the lanes of a, then b, rounded to nearest bfloat16; ties, which are never accepted, in either direction.
    fn store_b(self, to: &mut [u16; 32], a: Self::S, b: Self::S);
    /// The same for binary16.
    fn store_f(self, to: &mut [u16; 32], a: Self::S, b: Self::S);

    /// Stores a line past the caches, if the address allows it.
    fn stream(self, to: &mut [u8; 64], from: &Line);
}

/// True if a line may be streamed.
#[cfg(target_arch = "x86_64")]
pub fn is_aligned(to: &[u8; 64]) -> bool {
    (to.as_ptr() as usize).is_multiple_of(64)
}

/// A computation over any instruction set; `run` must be `#[inline(always)]`, so that it is compiled anew for each.
pub trait Work {
    /// True if it may use streaming stores, which have to become visible to other threads in order with what follows.
    const STREAMS: bool = true;
    fn run<I: Isa>(self, isa: I);
}

/// Plain Rust, which the compiler vectorises for the target's baseline.
#[derive(Clone, Copy)]
pub struct Portable;

/// Eight lanes from their numbers. Spelled out, because `std::array::from_fn` becomes a call for each lane where a package is
/// compiled in several units, and takes forty times as long.
#[inline(always)]
fn eight<T>(of: impl Fn(usize) -> T) -> [T; 8] {
    [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)]
}

#[inline(always)]
fn pairs<T: Copy, const N: usize>(to: &mut [T], a: [T; N], b: [T; N]) {
    for i in 0..N {
        to[2 * i] = a[i];
        to[2 * i + 1] = b[i];
    }
}

#[inline(always)]
fn mask<T: Copy, U: PartialEq, const N: usize>(a: [T; N], b: [T; N], bits: impl Fn(T) -> U) -> u32 {
    (0..N).fold(0, |mask, i| mask | u32::from(bits(a[i]) != bits(b[i])) << i)
}

/// Veltkamp's splitting: a = high + low with 26 bits each, exact below 2^996 (Dekker 1971).
#[inline(always)]
fn split<T: Scalar>(a: T) -> (T, T) {
    let c = T::constant(134217729.0) * a;
    let high = c - (c - a);
    (high, a - high)
}

/// a·b − p for the rounded product p.
#[inline(always)]
pub fn product_error<T: Scalar>(a: T, b: T, p: T) -> T {
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    ((ah * bh - p) + ah * bl + al * bh) + al * bl
}

/// Rounds a binary32 number to bfloat16; ties away from zero.
#[inline(always)]
fn brain_bits(a: f32) -> u16 {
    (a.to_bits().wrapping_add(0x8000) >> 16) as u16
}

/// Rounds a binary32 number to binary16 by integer arithmetic; ties away from zero. A NaN gives infinity.
#[inline(always)]
fn half_bits(a: f32) -> u16 {
    let sign = (a.to_bits() >> 16) & 0x8000;
    let magnitude = a.abs();
    // Adding 1/2 rounds to multiples of 2^−24, the spacing of subnormal numbers.
    let subnormal = (magnitude + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let normal = (magnitude.to_bits().wrapping_add(0x1000) >> 13).wrapping_sub(112 << 10).min(0x7c00);
    (sign | if magnitude < 6.103_515_6e-5 { subnormal } else { normal }) as u16
}

#[inline(always)]
fn rounded(to: &mut [u16; 32], a: [f32; 16], b: [f32; 16], bits: impl Fn(f32) -> u16) {
    for i in 0..16 {
        to[i] = bits(a[i]);
        to[16 + i] = bits(b[i]);
    }
}

/// True if a number has only zeros under the mask `dropped`, or is smaller than `limit` in magnitude.
#[inline(always)]
fn doubtful(a: f32, dropped: u32, limit: f32) -> bool {
    (a.to_bits() & dropped == 0) | (a.abs() < limit)
}

impl Arithmetic for Portable {
    type D = [f64; 8];
    type H = [f32; 8];

    #[inline(always)]
    fn load_d(self, from: &[f64; 8]) -> Self::D {
        *from
    }
    #[inline(always)]
    fn add_d(self, a: Self::D, b: Self::D) -> Self::D {
        eight(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub_d(self, a: Self::D, b: Self::D) -> Self::D {
        eight(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul_d(self, a: Self::D, b: Self::D) -> Self::D {
        eight(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn fma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.add_d(self.mul_d(a, b), c)
    }
    #[inline(always)]
    fn fms_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.sub_d(self.mul_d(a, b), c)
    }
    #[inline(always)]
    fn fnma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.sub_d(c, self.mul_d(a, b))
    }
    #[inline(always)]
    fn two_prod(self, a: Self::D, b: Self::D) -> (Self::D, Self::D) {
        let p = self.mul_d(a, b);
        (p, eight(|i| product_error(a[i], b[i], p[i])))
    }
    #[inline(always)]
    fn narrow(self, a: Self::D) -> Self::H {
        eight(|i| a[i] as f32)
    }
    #[inline(always)]
    fn store_d<const STREAM: bool>(self, to: &mut [f64; 8], a: Self::D) {
        *to = a;
    }
}

impl Isa for Portable {
    type S = [f32; 16];

    #[inline(always)]
    fn interleave_d(self, a: Self::D, b: Self::D) -> (Self::D, Self::D) {
        let part = |from: usize| eight(|i| if i.is_multiple_of(2) { a[from + i / 2] } else { b[from + i / 2] });
        (part(0), part(4))
    }
    #[inline(always)]
    fn store_pairs_d<const STREAM: bool>(self, to: &mut [f64; 16], a: Self::D, b: Self::D) {
        pairs(to, a, b);
    }
    #[inline(always)]
    fn differ_d(self, before: Self::D, a: Self::D, b: Self::D) -> Self::D {
        eight(|i| f64::from_bits(before[i].to_bits() | (a[i].to_bits() ^ b[i].to_bits())))
    }
    #[inline(always)]
    fn none_d(self) -> Self::D {
        [0.0; 8]
    }
    #[inline(always)]
    fn any_d(self, bits: Self::D) -> bool {
        bits.iter().fold(0, |any, x| any | x.to_bits()) != 0
    }
    #[inline(always)]
    fn mask_d(self, a: Self::D, b: Self::D) -> u32 {
        mask(a, b, f64::to_bits)
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
    fn differ_h(self, before: Self::H, a: Self::H, b: Self::H) -> Self::H {
        eight(|i| f32::from_bits(before[i].to_bits() | (a[i].to_bits() ^ b[i].to_bits())))
    }
    #[inline(always)]
    fn none_h(self) -> Self::H {
        [0.0; 8]
    }
    #[inline(always)]
    fn any_h(self, bits: Self::H) -> bool {
        bits.iter().fold(0, |any, x| any | x.to_bits()) != 0
    }
    #[inline(always)]
    fn mask_h(self, a: Self::H, b: Self::H) -> u32 {
        mask(a, b, f32::to_bits)
    }
    #[inline(always)]
    fn join(self, a: Self::H, b: Self::H) -> Self::S {
        let mut joined = [0.0; 16];
        let (low, high) = joined.split_at_mut(8);
        low.copy_from_slice(&a);
        high.copy_from_slice(&b);
        joined
    }
    #[inline(always)]
    fn doubts<const DROPPED: u32>(self, a: Self::S, limit: f32) -> u32 {
        (0..16).fold(0, |mask, i| mask | u32::from(doubtful(a[i], DROPPED, limit)) << i)
    }
    #[inline(always)]
    fn is_doubtful<const DROPPED: u32>(self, a: Self::S, b: Self::S, limit: f32) -> bool {
        (0..16).fold(false, |any, i| any | doubtful(a[i], DROPPED, limit) | doubtful(b[i], DROPPED, limit))
    }
    #[inline(always)]
    fn store_b(self, to: &mut [u16; 32], a: Self::S, b: Self::S) {
        rounded(to, a, b, brain_bits);
    }
    #[inline(always)]
    fn store_f(self, to: &mut [u16; 32], a: Self::S, b: Self::S) {
        rounded(to, a, b, half_bits);
    }
    #[inline(always)]
    fn stream(self, to: &mut [u8; 64], from: &Line) {
        *to = from.0;
    }
}
