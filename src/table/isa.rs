//! The vector operations that the kernel is written in, and their portable form.
//!
//! Results do not depend on the instruction set: the kernel accepts an entry only when every value
//! within its error bound rounds alike, and the bound holds for each implementation of this trait.

/// Vectors of eight binary64 (`D`), eight binary32 (`H`) and sixteen binary32 (`S`).
///
/// Arithmetic is IEEE 754 round to nearest without flushing of subnormal numbers. `STREAM` asks for
/// stores that go past the caches where the address allows it.
pub trait Isa: Copy {
    type D: Copy;
    type H: Copy;
    type S: Copy;

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
    /// The bits in which a and b differ, and those of `before`; at first [`Self::none_d`].
    fn differ_d(self, before: Self::D, a: Self::D, b: Self::D) -> Self::D;
    fn none_d(self) -> Self::D;
    fn any_d(self, bits: Self::D) -> bool;
    /// Bit i: whether lane i of a and b differs in any bit.
    fn mask_d(self, a: Self::D, b: Self::D) -> u32;

    /// Each lane rounded to nearest binary32.
    fn narrow(self, a: Self::D) -> Self::H;
    fn store_h<const STREAM: bool>(self, to: &mut [f32; 8], a: Self::H);
    fn store_pairs_h<const STREAM: bool>(self, to: &mut [f32; 16], a: Self::H, b: Self::H);
    fn differ_h(self, before: Self::H, a: Self::H, b: Self::H) -> Self::H;
    fn none_h(self) -> Self::H;
    fn any_h(self, bits: Self::H) -> bool;
    fn mask_h(self, a: Self::H, b: Self::H) -> u32;

    /// Both vectors, one after the other.
    fn join(self, a: Self::H, b: Self::H) -> Self::S;
    /// Whether any lane of a or b has only zeros under the mask `DROPPED`, or is smaller than `limit` in magnitude.
    fn is_doubtful<const DROPPED: u32>(self, a: Self::S, b: Self::S, limit: f32) -> bool;
    /// The neighbour with the smaller magnitude; a NaN for zero.
    fn inward(self, a: Self::S) -> Self::S;
    /// The neighbour with the larger magnitude.
    fn outward(self, a: Self::S) -> Self::S;
    /// Bit i: whether lane i of a and b rounds to different bfloat16 numbers, ties away from zero.
    fn mask_b(self, a: Self::S, b: Self::S) -> u32;
    /// Bit i: whether lane i of a and b rounds to different binary16 numbers.
    fn mask_f(self, a: Self::S, b: Self::S) -> u32;
    /// Stores each lane rounded to nearest bfloat16; ties, which are never accepted, in either direction.
    fn store_b<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::S);
    fn store_pairs_b<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::S, b: Self::S);
    /// Stores each lane rounded to nearest binary16, in the order of [`lane_of_half`]; ties, which are never
    /// accepted, in either direction.
    fn store_f<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::S);
    fn store_pairs_f<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::S, b: Self::S);
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

/// The lane of number i among sixteen that are stored as binary16, and the number of lane i: in this order, two vectors
/// are interleaved without moving numbers across the quarters of a vector.
#[inline(always)]
pub const fn lane_of_half(i: usize) -> usize {
    match i {
        4..8 => i + 4,
        8..12 => i - 4,
        _ => i,
    }
}

#[inline(always)]
fn in_order(a: [f32; 16]) -> [f32; 16] {
    std::array::from_fn(|i| a[lane_of_half(i)])
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

impl Isa for Portable {
    type D = [f64; 8];
    type H = [f32; 8];
    type S = [f32; 16];

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
    fn differ_d(self, before: Self::D, a: Self::D, b: Self::D) -> Self::D {
        std::array::from_fn(|i| f64::from_bits(before[i].to_bits() | (a[i].to_bits() ^ b[i].to_bits())))
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
    fn differ_h(self, before: Self::H, a: Self::H, b: Self::H) -> Self::H {
        std::array::from_fn(|i| f32::from_bits(before[i].to_bits() | (a[i].to_bits() ^ b[i].to_bits())))
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
        mask(a.map(f32::to_bits), b.map(f32::to_bits))
    }
    #[inline(always)]
    fn join(self, a: Self::H, b: Self::H) -> Self::S {
        std::array::from_fn(|i| if i < 8 { a[i] } else { b[i - 8] })
    }
    #[inline(always)]
    fn is_doubtful<const DROPPED: u32>(self, a: Self::S, b: Self::S, limit: f32) -> bool {
        let mut any = false;
        for i in 0..16 {
            any |= (a[i].to_bits() & DROPPED == 0) | (b[i].to_bits() & DROPPED == 0);
            any |= (a[i].abs() < limit) | (b[i].abs() < limit);
        }
        any
    }
    #[inline(always)]
    fn inward(self, a: Self::S) -> Self::S {
        a.map(|a| f32::from_bits(a.to_bits().wrapping_sub(1)))
    }
    #[inline(always)]
    fn outward(self, a: Self::S) -> Self::S {
        a.map(|a| f32::from_bits(a.to_bits().wrapping_add(1)))
    }
    #[inline(always)]
    fn mask_b(self, a: Self::S, b: Self::S) -> u32 {
        mask(a.map(brain_bits), b.map(brain_bits))
    }
    #[inline(always)]
    fn mask_f(self, a: Self::S, b: Self::S) -> u32 {
        mask(a.map(half_bits), b.map(half_bits))
    }
    #[inline(always)]
    fn store_b<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::S) {
        *to = a.map(brain_bits);
    }
    #[inline(always)]
    fn store_pairs_b<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::S, b: Self::S) {
        pairs(to, a.map(brain_bits), b.map(brain_bits));
    }
    #[inline(always)]
    fn store_f<const STREAM: bool>(self, to: &mut [u16; 16], a: Self::S) {
        *to = in_order(a).map(half_bits);
    }
    #[inline(always)]
    fn store_pairs_f<const STREAM: bool>(self, to: &mut [u16; 32], a: Self::S, b: Self::S) {
        pairs(to, in_order(a).map(half_bits), in_order(b).map(half_bits));
    }
}
