//! AVX-512 and AVX2 forms of the kernel's vector operations, and the choice between them.
//!
//! # Contract of the `unsafe` code
//!
//! This is the only file with `unsafe`, and it is needed for two things alone.
//!
//! 1. *Loads and stores through raw pointers.* Each pointer is made, in the same expression, from a
//!    reference to an array of exactly the bytes that the instruction touches, so that it is valid,
//!    in bounds and, for stores, exclusive. Unaligned forms are used; a streaming store, which must
//!    be aligned, is used only after its address has been checked.
//! 2. *Instructions that the processor may lack.* [`Avx512`] and [`Avx2`] are made nowhere but in
//!    [`dispatch`], after `is_x86_feature_detected!` has found every feature that their operations
//!    and the functions `with_avx512` and `with_avx2` enable.
#![allow(unsafe_code)]

use super::isa::{Isa, Portable};

/// Which instructions the kernel uses. Every level gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// The target's baseline.
    Portable,
    /// AVX2 with FMA and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Instructions {
    /// Every level.
    pub const ALL: [Instructions; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The best level that this processor has.
    pub fn detect() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or(Self::Portable)
    }

    /// Whether a product and the addition that follows it are rounded once.
    pub(super) fn fused(self) -> bool {
        self != Self::Portable && self.is_available()
    }

    /// Whether this processor has the instructions.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        let avx2 = || {
            std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("fma")
                && std::arch::is_x86_feature_detected!("f16c")
        };
        match self {
            Self::Portable => true,
            Self::Avx2 => avx2(),
            Self::Avx512 => {
                avx2()
                    && std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// Whether this processor has the instructions.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_available(self) -> bool {
        self == Self::Portable
    }
}

/// A computation written over any instruction set; `run` must be `#[inline(always)]`, so that it is
/// compiled anew for each.
pub trait Work {
    fn run<I: Isa>(self, isa: I);
}

/// Runs the work with the given instructions, or portably where the processor lacks them.
pub fn dispatch<W: Work>(instructions: Instructions, work: W) {
    #[cfg(target_arch = "x86_64")]
    if instructions != Instructions::Portable && instructions.is_available() {
        // SAFETY: is_available has just found the features that the callee enables.
        return unsafe {
            match instructions {
                Instructions::Avx512 => x86::with_avx512(work),
                _ => x86::with_avx2(work),
            }
        };
    }
    let _ = instructions;
    work.run(Portable);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Isa, Work};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")]
    pub fn with_avx512<W: Work>(work: W) {
        work.run(Avx512(()));
        // Streaming stores become visible to other threads in order with what follows.
        _mm_sfence();
    }

    #[target_feature(enable = "avx2,fma,f16c")]
    pub fn with_avx2<W: Work>(work: W) {
        work.run(Avx2(()));
        _mm_sfence();
    }

    #[derive(Clone, Copy)]
    pub struct Avx512(());

    #[derive(Clone, Copy)]
    pub struct Avx2(());

    /// Methods whose body is one expression of intrinsics.
    macro_rules! methods {
        ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty = $body:expr;)*) => {$(
            #[inline(always)]
            fn $name(self, $($argument: $kind),*) -> $result {
                // SAFETY: the type's contract grants the features, and pointers come from references.
                unsafe { $body }
            }
        )*};
    }

    /// Stores of one value to an array of its size, streaming when asked for and aligned.
    macro_rules! stores {
        ($($name:ident(to: $array:ty, $($value:ident: $kind:ty),*) = [$($part:expr),*] by $store:ident, $stream:ident, $unit:ty;)*) => {$(
            #[inline(always)]
            fn $name<const STREAM: bool>(self, to: &mut $array, $($value: $kind),*) {
                let at = to.as_mut_ptr().cast::<$unit>();
                let aligned = (at as usize).is_multiple_of(size_of::<$unit>());
                // SAFETY: the parts fill the array exactly; the streaming form runs only when aligned.
                unsafe {
                    let parts = [$($part),*];
                    for (i, part) in parts.into_iter().enumerate() {
                        if STREAM && aligned { $stream(at.add(i).cast(), part) } else { $store(at.add(i).cast(), part) }
                    }
                }
            }
        )*};
    }

    impl Isa for Avx512 {
        type D = __m512d;
        type H = __m256;
        type S = __m512;
        type B = __m512i;
        type F = __m256i;

        methods! {
            load_d(from: &[f64; 8]) -> __m512d = _mm512_loadu_pd(from.as_ptr());
            add_d(a: __m512d, b: __m512d) -> __m512d = _mm512_add_pd(a, b);
            sub_d(a: __m512d, b: __m512d) -> __m512d = _mm512_sub_pd(a, b);
            mul_d(a: __m512d, b: __m512d) -> __m512d = _mm512_mul_pd(a, b);
            fma_d(a: __m512d, b: __m512d, c: __m512d) -> __m512d = _mm512_fmadd_pd(a, b, c);
            fnma_d(a: __m512d, b: __m512d, c: __m512d) -> __m512d = _mm512_fnmadd_pd(a, b, c);
            two_prod(a: __m512d, b: __m512d) -> (__m512d, __m512d) = {
                let p = _mm512_mul_pd(a, b);
                (p, _mm512_fmsub_pd(a, b, p))
            };
            differ_d(a: __m512d, b: __m512d, c: __m512d, d: __m512d) -> bool = {
                let ab = _mm512_xor_si512(_mm512_castpd_si512(a), _mm512_castpd_si512(b));
                let cd = _mm512_xor_si512(_mm512_castpd_si512(c), _mm512_castpd_si512(d));
                let any = _mm512_or_si512(ab, cd);
                _mm512_test_epi64_mask(any, any) != 0
            };
            mask_d(a: __m512d, b: __m512d) -> u32 =
                u32::from(_mm512_cmpneq_epi64_mask(_mm512_castpd_si512(a), _mm512_castpd_si512(b)));
            narrow(a: __m512d) -> __m256 = _mm512_cvtpd_ps(a);
            differ_h(a: __m256, b: __m256, c: __m256, d: __m256) -> bool = {
                let ab = _mm256_xor_si256(_mm256_castps_si256(a), _mm256_castps_si256(b));
                let cd = _mm256_xor_si256(_mm256_castps_si256(c), _mm256_castps_si256(d));
                let any = _mm256_or_si256(ab, cd);
                _mm256_testz_si256(any, any) == 0
            };
            mask_h(a: __m256, b: __m256) -> u32 =
                u32::from(_mm256_cmpneq_epi32_mask(_mm256_castps_si256(a), _mm256_castps_si256(b)));
            load_s(from: &[f32; 16]) -> __m512 = _mm512_loadu_ps(from.as_ptr());
            add_s(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
            sub_s(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
            mul_s(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
            fma_s(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_ps(a, b, c);
            fnma_s(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fnmadd_ps(a, b, c);
            // The upper half of each lane is the result; the lower half is left as it falls.
            bf16(a: __m512) -> __m512i = _mm512_add_epi32(_mm512_castps_si512(a), _mm512_set1_epi32(0x8000));
            differ_b(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> bool = {
                let any = _mm512_or_si512(_mm512_xor_si512(a, b), _mm512_xor_si512(c, d));
                _mm512_test_epi32_mask(any, _mm512_set1_epi32(0xffff_0000_u32 as i32)) != 0
            };
            mask_b(a: __m512i, b: __m512i) -> u32 =
                u32::from(_mm512_test_epi32_mask(_mm512_xor_si512(a, b), _mm512_set1_epi32(0xffff_0000_u32 as i32)));
            f16(a: __m512) -> __m256i = _mm512_cvtps_ph::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
            differ_f(a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> bool = {
                let any = _mm256_or_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d));
                _mm256_testz_si256(any, any) == 0
            };
            mask_f(a: __m256i, b: __m256i) -> u32 = u32::from(_mm256_cmpneq_epi16_mask(a, b));
        }
        stores! {
            store_d(to: [f64; 8], a: __m512d) = [a] by _mm512_storeu_pd, _mm512_stream_pd, __m512d;
            store_pairs_d(to: [f64; 16], a: __m512d, b: __m512d) = [
                _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b),
                _mm512_permutex2var_pd(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b)
            ] by _mm512_storeu_pd, _mm512_stream_pd, __m512d;
            store_h(to: [f32; 8], a: __m256) = [a] by _mm256_storeu_ps, _mm256_stream_ps, __m256;
            store_pairs_h(to: [f32; 16], a: __m256, b: __m256) = [_mm512_permutex2var_ps(
                _mm512_castps256_ps512(a),
                _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                _mm512_castps256_ps512(b)
            )] by _mm512_storeu_ps, _mm512_stream_ps, __m512;
            store_b(to: [u16; 16], a: __m512i) = [_mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(a))]
                by _mm256_storeu_si256, _mm256_stream_si256, __m256i;
            store_pairs_b(to: [u16; 32], a: __m512i, b: __m512i) =
                [_mm512_mask_blend_epi16(0xaaaa_aaaa, _mm512_srli_epi32::<16>(a), b)]
                by _mm512_storeu_si512, _mm512_stream_si512, __m512i;
            store_f(to: [u16; 16], a: __m256i) = [a] by _mm256_storeu_si256, _mm256_stream_si256, __m256i;
            store_pairs_f(to: [u16; 32], a: __m256i, b: __m256i) = [_mm512_or_si512(
                _mm512_cvtepu16_epi32(a),
                _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(b))
            )] by _mm512_storeu_si512, _mm512_stream_si512, __m512i;
        }
    }

    /// Methods that treat both halves of a wider vector alike.
    macro_rules! halved {
        ($($name:ident($($argument:ident),*) -> $kind:ty = $intrinsic:ident;)*) => {$(
            #[inline(always)]
            fn $name(self, $($argument: $kind),*) -> $kind {
                // SAFETY: the type's contract grants the features.
                unsafe { [$intrinsic($($argument[0]),*), $intrinsic($($argument[1]),*)] }
            }
        )*};
    }

    type D2 = [__m256d; 2];
    type S2 = [__m256; 2];
    type B2 = [__m256i; 2];
    type F2 = [__m128i; 2];

    impl Isa for Avx2 {
        type D = D2;
        type H = __m256;
        type S = S2;
        type B = B2;
        type F = F2;

        halved! {
            add_d(a, b) -> D2 = _mm256_add_pd;
            sub_d(a, b) -> D2 = _mm256_sub_pd;
            mul_d(a, b) -> D2 = _mm256_mul_pd;
            fma_d(a, b, c) -> D2 = _mm256_fmadd_pd;
            fnma_d(a, b, c) -> D2 = _mm256_fnmadd_pd;
            add_s(a, b) -> S2 = _mm256_add_ps;
            sub_s(a, b) -> S2 = _mm256_sub_ps;
            mul_s(a, b) -> S2 = _mm256_mul_ps;
            fma_s(a, b, c) -> S2 = _mm256_fmadd_ps;
            fnma_s(a, b, c) -> S2 = _mm256_fnmadd_ps;
        }
        methods! {
            load_d(from: &[f64; 8]) -> D2 =
                [_mm256_loadu_pd(from.as_ptr()), _mm256_loadu_pd(from[4..].as_ptr())];
            two_prod(a: D2, b: D2) -> (D2, D2) = {
                let p = [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])];
                (p, [_mm256_fmsub_pd(a[0], b[0], p[0]), _mm256_fmsub_pd(a[1], b[1], p[1])])
            };
            differ_d(a: D2, b: D2, c: D2, d: D2) -> bool = {
                let x = |a, b| _mm256_castpd_si256(_mm256_xor_pd(a, b));
                let or = |a, b| _mm256_or_si256(a, b);
                let any = or(or(x(a[0], b[0]), x(a[1], b[1])), or(x(c[0], d[0]), x(c[1], d[1])));
                _mm256_testz_si256(any, any) == 0
            };
            mask_d(a: D2, b: D2) -> u32 = {
                let equal = |i: usize| _mm256_cmpeq_epi64(_mm256_castpd_si256(a[i]), _mm256_castpd_si256(b[i]));
                let low = _mm256_movemask_pd(_mm256_castsi256_pd(equal(0)));
                let high = _mm256_movemask_pd(_mm256_castsi256_pd(equal(1)));
                !(low | high << 4) as u32 & 0xff
            };
            narrow(a: D2) -> __m256 = _mm256_set_m128(_mm256_cvtpd_ps(a[1]), _mm256_cvtpd_ps(a[0]));
            differ_h(a: __m256, b: __m256, c: __m256, d: __m256) -> bool = {
                let any = _mm256_castps_si256(_mm256_or_ps(_mm256_xor_ps(a, b), _mm256_xor_ps(c, d)));
                _mm256_testz_si256(any, any) == 0
            };
            mask_h(a: __m256, b: __m256) -> u32 = {
                let equal = _mm256_cmpeq_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b));
                !_mm256_movemask_ps(_mm256_castsi256_ps(equal)) as u32 & 0xff
            };
            load_s(from: &[f32; 16]) -> S2 =
                [_mm256_loadu_ps(from.as_ptr()), _mm256_loadu_ps(from[8..].as_ptr())];
            bf16(a: S2) -> B2 = {
                let half = _mm256_set1_epi32(0x8000);
                [
                    _mm256_add_epi32(_mm256_castps_si256(a[0]), half),
                    _mm256_add_epi32(_mm256_castps_si256(a[1]), half),
                ]
            };
            differ_b(a: B2, b: B2, c: B2, d: B2) -> bool = {
                let x = |i: usize| _mm256_or_si256(_mm256_xor_si256(a[i], b[i]), _mm256_xor_si256(c[i], d[i]));
                _mm256_testz_si256(_mm256_or_si256(x(0), x(1)), _mm256_set1_epi32(0xffff_0000_u32 as i32)) == 0
            };
            mask_b(a: B2, b: B2) -> u32 = {
                let equal = |i: usize| {
                    let x = _mm256_srli_epi32::<16>(_mm256_xor_si256(a[i], b[i]));
                    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, _mm256_setzero_si256())))
                };
                !(equal(0) | equal(1) << 8) as u32 & 0xffff
            };
            f16(a: S2) -> F2 = [
                _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a[0]),
                _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a[1]),
            ];
            differ_f(a: F2, b: F2, c: F2, d: F2) -> bool = {
                let x = |i: usize| _mm_or_si128(_mm_xor_si128(a[i], b[i]), _mm_xor_si128(c[i], d[i]));
                let any = _mm_or_si128(x(0), x(1));
                _mm_testz_si128(any, any) == 0
            };
            mask_f(a: F2, b: F2) -> u32 = {
                let equal = _mm_packs_epi16(_mm_cmpeq_epi16(a[0], b[0]), _mm_cmpeq_epi16(a[1], b[1]));
                !_mm_movemask_epi8(equal) as u32 & 0xffff
            };
        }
        stores! {
            store_d(to: [f64; 8], a: D2) = [a[0], a[1]] by _mm256_storeu_pd, _mm256_stream_pd, __m256d;
            store_pairs_d(to: [f64; 16], a: D2, b: D2) = [
                _mm256_permute2f128_pd::<0x20>(_mm256_unpacklo_pd(a[0], b[0]), _mm256_unpackhi_pd(a[0], b[0])),
                _mm256_permute2f128_pd::<0x31>(_mm256_unpacklo_pd(a[0], b[0]), _mm256_unpackhi_pd(a[0], b[0])),
                _mm256_permute2f128_pd::<0x20>(_mm256_unpacklo_pd(a[1], b[1]), _mm256_unpackhi_pd(a[1], b[1])),
                _mm256_permute2f128_pd::<0x31>(_mm256_unpacklo_pd(a[1], b[1]), _mm256_unpackhi_pd(a[1], b[1]))
            ] by _mm256_storeu_pd, _mm256_stream_pd, __m256d;
            store_h(to: [f32; 8], a: __m256) = [a] by _mm256_storeu_ps, _mm256_stream_ps, __m256;
            store_pairs_h(to: [f32; 16], a: __m256, b: __m256) = [
                _mm256_permute2f128_ps::<0x20>(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)),
                _mm256_permute2f128_ps::<0x31>(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b))
            ] by _mm256_storeu_ps, _mm256_stream_ps, __m256;
            store_b(to: [u16; 16], a: B2) = [_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(
                _mm256_srli_epi32::<16>(a[0]),
                _mm256_srli_epi32::<16>(a[1])
            ))] by _mm256_storeu_si256, _mm256_stream_si256, __m256i;
            store_pairs_b(to: [u16; 32], a: B2, b: B2) = [
                _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(a[0]), b[0]),
                _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(a[1]), b[1])
            ] by _mm256_storeu_si256, _mm256_stream_si256, __m256i;
            store_f(to: [u16; 16], a: F2) = [a[0], a[1]] by _mm_storeu_si128, _mm_stream_si128, __m128i;
            store_pairs_f(to: [u16; 32], a: F2, b: F2) = [
                _mm_unpacklo_epi16(a[0], b[0]), _mm_unpackhi_epi16(a[0], b[0]),
                _mm_unpacklo_epi16(a[1], b[1]), _mm_unpackhi_epi16(a[1], b[1])
            ] by _mm_storeu_si128, _mm_stream_si128, __m128i;
        }
    }
}
