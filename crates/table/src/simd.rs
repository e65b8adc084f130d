//! AVX-512 and AVX2 forms of the kernel's vector operations, and the choice between them.
//!
//! # Contract of the `unsafe` code
//!
//! This is the only file with `unsafe`, and it is needed for two things alone.
//!
//! 1. *Loads and stores through raw pointers.* Each pointer is made, in the same expression, from a
//!    reference to an array of exactly the bytes that the instruction touches, so that it is valid,
//!    in bounds and, for stores, exclusive. Unaligned forms are used, except for loads from a `Line`, whose type is
//!    aligned; a streaming store, which must be aligned, is used only after its address has been checked.
//! 2. *Instructions that the processor may lack.* [`Avx512`] and [`Avx2`] are made nowhere but in
//!    [`dispatch`], from an [`Available`], after `is_x86_feature_detected!` has found every feature that
//!    their operations and the functions `with_avx512` and `with_avx2` enable.
#![allow(unsafe_code)]

pub use super::instructions::Available;
use super::instructions::Instructions;
use super::isa::Portable;
pub use super::isa::Work;

/// Runs the work with the given instructions.
pub fn dispatch<W: Work>(instructions: Available, work: W) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: an Available is made only where is_available has found the features that the callee enables.
    unsafe {
        match instructions.kind() {
            Instructions::Avx512 => return x86::with_avx512(work),
            Instructions::Avx2 => return x86::with_avx2(work),
            Instructions::Portable => {}
        }
    }
    let _ = instructions;
    work.run(Portable);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Work;
    use crate::isa::{Arithmetic, Isa, is_aligned};
    use crate::line::Line;
    use std::arch::x86_64::*;
    use std::hint::black_box;

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")]
    pub fn with_avx512<W: Work>(work: W) {
        work.run(Avx512(()));
        if W::STREAMS {
            _mm_sfence();
        }
    }

    #[target_feature(enable = "avx2,fma,f16c")]
    pub fn with_avx2<W: Work>(work: W) {
        work.run(Avx2(()));
        if W::STREAMS {
            _mm_sfence();
        }
    }

    #[derive(Clone, Copy)]
    pub struct Avx512(());

    #[derive(Clone, Copy)]
    pub struct Avx2(());

    /// x | (y ^ z), as a truth table.
    const OR_XOR: i32 = 0xf6;

    /// Rounded to bfloat16, ties away from zero: the upper half of each lane; the lower half is left as it falls.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn brain_512(a: __m512) -> __m512i {
        _mm512_add_epi32(_mm512_castps_si512(a), _mm512_set1_epi32(0x8000))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn half_512(a: __m512) -> __m256i {
        _mm512_cvtps_ph::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
    }

    /// The upper halves of the lanes of a, then b.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn upper_halves_512(a: __m512i, b: __m512i) -> __m512i {
        // Lane i holds 4i + 1 and 4i + 3.
        let quarters = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let odd =
            _mm512_add_epi32(_mm512_mullo_epi32(quarters, _mm512_set1_epi32(0x4_0004)), _mm512_set1_epi32(0x3_0001));
        _mm512_permutex2var_epi16(a, odd, b)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn brain_256(a: __m256) -> __m256i {
        _mm256_srli_epi32::<16>(_mm256_add_epi32(_mm256_castps_si256(a), _mm256_set1_epi32(0x8000)))
    }

    /// The lanes of a, then b, rounded to bfloat16.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn brains_256(a: __m256, b: __m256) -> __m256i {
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(brain_256(a), brain_256(b)))
    }

    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    fn half_256(a: __m256) -> __m128i {
        _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a)
    }

    /// All ones in lanes with only zeros under the mask.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn zeros_256(a: __m256, mask: __m256i) -> __m256 {
        let bits = _mm256_and_si256(_mm256_castps_si256(a), mask);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(bits, _mm256_setzero_si256()))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn magnitude_256(a: __m256) -> __m256 {
        _mm256_andnot_ps(_mm256_set1_ps(-0.0), a)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn is_doubtful_256(dropped: i32, [a, b, c, d]: [__m256; 4], limit: f32) -> bool {
        let mask = _mm256_set1_epi32(dropped);
        let smaller = _mm256_min_ps(magnitude_256(a), magnitude_256(b));
        let least = _mm256_min_ps(smaller, _mm256_min_ps(magnitude_256(c), magnitude_256(d)));
        let small = _mm256_cmp_ps::<_CMP_LT_OQ>(least, _mm256_set1_ps(limit));
        let ties = _mm256_or_ps(zeros_256(a, mask), zeros_256(b, mask));
        let ties = _mm256_or_ps(ties, _mm256_or_ps(zeros_256(c, mask), zeros_256(d, mask)));
        _mm256_movemask_ps(_mm256_or_ps(small, ties)) != 0
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn doubts_256(dropped: i32, a: __m256, limit: f32) -> u32 {
        let small = _mm256_cmp_ps::<_CMP_LT_OQ>(magnitude_256(a), _mm256_set1_ps(limit));
        _mm256_movemask_ps(_mm256_or_ps(small, zeros_256(a, _mm256_set1_epi32(dropped)))) as u32
    }

    /// Methods whose body is one expression of intrinsics.
    macro_rules! methods {
        ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $body:expr;)*) => {$(
            #[inline(always)]
            fn $name(self, $($argument: $kind),*) $(-> $result)? {
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

    impl Arithmetic for Avx512 {
        type D = __m512d;
        type H = __m256;

        methods! {
            load_d(from: &[f64; 8]) -> __m512d = _mm512_loadu_pd(from.as_ptr());
            add_d(a: __m512d, b: __m512d) -> __m512d = _mm512_add_pd(a, b);
            sub_d(a: __m512d, b: __m512d) -> __m512d = _mm512_sub_pd(a, b);
            mul_d(a: __m512d, b: __m512d) -> __m512d = _mm512_mul_pd(a, b);
            fma_d(a: __m512d, b: __m512d, c: __m512d) -> __m512d = _mm512_fmadd_pd(a, b, c);
            fnma_d(a: __m512d, b: __m512d, c: __m512d) -> __m512d = _mm512_fnmadd_pd(a, b, c);
            fms_d(a: __m512d, b: __m512d, c: __m512d) -> __m512d = _mm512_fmsub_pd(a, b, c);
            two_prod(a: __m512d, b: __m512d) -> (__m512d, __m512d) = {
                let p = _mm512_mul_pd(a, b);
                (p, _mm512_fmsub_pd(a, b, p))
            };
            narrow(a: __m512d) -> __m256 = _mm512_cvtpd_ps(a);
        }
        stores! {
            store_d(to: [f64; 8], a: __m512d) = [a] by _mm512_storeu_pd, _mm512_stream_pd, __m512d;
        }
    }

    impl Isa for Avx512 {
        type S = __m512;

        methods! {
            interleave_d(a: __m512d, b: __m512d) -> (__m512d, __m512d) = (
                _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b),
                _mm512_permutex2var_pd(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b)
            );
            differ_d(before: __m512d, a: __m512d, b: __m512d) -> __m512d = {
                let (a, b) = (_mm512_castpd_si512(a), _mm512_castpd_si512(b));
                _mm512_castsi512_pd(_mm512_ternarylogic_epi64::<OR_XOR>(_mm512_castpd_si512(before), a, b))
            };
            none_d() -> __m512d = _mm512_setzero_pd();
            any_d(bits: __m512d) -> bool =
                _mm512_test_epi64_mask(_mm512_castpd_si512(bits), _mm512_castpd_si512(bits)) != 0;
            mask_d(a: __m512d, b: __m512d) -> u32 =
                u32::from(_mm512_cmpneq_epi64_mask(_mm512_castpd_si512(a), _mm512_castpd_si512(b)));
            differ_h(before: __m256, a: __m256, b: __m256) -> __m256 = {
                let (a, b) = (_mm256_castps_si256(a), _mm256_castps_si256(b));
                _mm256_castsi256_ps(_mm256_ternarylogic_epi32::<OR_XOR>(_mm256_castps_si256(before), a, b))
            };
            none_h() -> __m256 = _mm256_setzero_ps();
            any_h(bits: __m256) -> bool = _mm256_testz_si256(_mm256_castps_si256(bits), _mm256_castps_si256(bits)) == 0;
            mask_h(a: __m256, b: __m256) -> u32 =
                u32::from(_mm256_cmpneq_epi32_mask(_mm256_castps_si256(a), _mm256_castps_si256(b)));
            join(a: __m256, b: __m256) -> __m512 = _mm512_insertf32x8::<1>(_mm512_castps256_ps512(a), b);
            store_b(to: &mut [u16; 32], a: __m512, b: __m512) =
                _mm512_storeu_si512(to.as_mut_ptr().cast(), upper_halves_512(brain_512(a), brain_512(b)));
            store_f(to: &mut [u16; 32], a: __m512, b: __m512) = {
                _mm256_storeu_si256(to.as_mut_ptr().cast(), half_512(a));
                _mm256_storeu_si256(to[16..].as_mut_ptr().cast(), half_512(b));
            };
            stream(to: &mut [u8; 64], from: &Line) = if is_aligned(to) {
                _mm512_stream_si512(to.as_mut_ptr().cast(), _mm512_load_si512(from.0.as_ptr().cast()));
            } else {
                *to = from.0;
            };
        }
        stores! {
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
        }

        #[inline(always)]
        fn doubts<const DROPPED: u32>(self, a: __m512, limit: f32) -> u32 {
            // SAFETY: the type's contract grants the features.
            unsafe {
                // Hidden, so that the compiler does not share its conjunction with is_doubtful, which has none to spare.
                let dropped = _mm512_set1_epi32(black_box(DROPPED as i32));
                let zeros = _mm512_testn_epi32_mask(_mm512_castps_si512(a), dropped);
                u32::from(zeros | _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_abs_ps(a), _mm512_set1_ps(limit)))
            }
        }

        #[inline(always)]
        fn is_doubtful<const DROPPED: u32>(self, a: __m512, b: __m512, limit: f32) -> bool {
            // SAFETY: the type's contract grants the features.
            unsafe {
                let dropped = _mm512_set1_epi32(DROPPED as i32);
                // Table 0b1010: the smaller magnitude of each two lanes.
                let smaller = _mm512_range_ps::<0b1010>(a, b);
                let good = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(smaller, _mm512_set1_ps(limit));
                let good = _mm512_mask_test_epi32_mask(good, _mm512_castps_si512(a), dropped);
                _mm512_mask_test_epi32_mask(good, _mm512_castps_si512(b), dropped) != u16::MAX
            }
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

    impl Arithmetic for Avx2 {
        type D = D2;
        type H = __m256;

        halved! {
            add_d(a, b) -> D2 = _mm256_add_pd;
            sub_d(a, b) -> D2 = _mm256_sub_pd;
            mul_d(a, b) -> D2 = _mm256_mul_pd;
            fma_d(a, b, c) -> D2 = _mm256_fmadd_pd;
            fms_d(a, b, c) -> D2 = _mm256_fmsub_pd;
            fnma_d(a, b, c) -> D2 = _mm256_fnmadd_pd;
        }
        methods! {
            load_d(from: &[f64; 8]) -> D2 =
                [_mm256_loadu_pd(from.as_ptr()), _mm256_loadu_pd(from[4..].as_ptr())];
            two_prod(a: D2, b: D2) -> (D2, D2) = {
                let p = [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])];
                (p, [_mm256_fmsub_pd(a[0], b[0], p[0]), _mm256_fmsub_pd(a[1], b[1], p[1])])
            };
            narrow(a: D2) -> __m256 = _mm256_set_m128(_mm256_cvtpd_ps(a[1]), _mm256_cvtpd_ps(a[0]));
        }
        stores! {
            store_d(to: [f64; 8], a: D2) = [a[0], a[1]] by _mm256_storeu_pd, _mm256_stream_pd, __m256d;
        }
    }

    impl Isa for Avx2 {
        type S = S2;

        methods! {
            interleave_d(a: D2, b: D2) -> (D2, D2) = {
                let part = |i: usize| {
                    let (low, high) = (_mm256_unpacklo_pd(a[i], b[i]), _mm256_unpackhi_pd(a[i], b[i]));
                    [_mm256_permute2f128_pd::<0x20>(low, high), _mm256_permute2f128_pd::<0x31>(low, high)]
                };
                (part(0), part(1))
            };
            differ_d(before: D2, a: D2, b: D2) -> D2 = {
                let or = |i: usize| _mm256_or_pd(before[i], _mm256_xor_pd(a[i], b[i]));
                [or(0), or(1)]
            };
            none_d() -> D2 = [_mm256_setzero_pd(); 2];
            any_d(bits: D2) -> bool = {
                let any = _mm256_castpd_si256(_mm256_or_pd(bits[0], bits[1]));
                _mm256_testz_si256(any, any) == 0
            };
            mask_d(a: D2, b: D2) -> u32 = {
                let equal = |i: usize| _mm256_cmpeq_epi64(_mm256_castpd_si256(a[i]), _mm256_castpd_si256(b[i]));
                let low = _mm256_movemask_pd(_mm256_castsi256_pd(equal(0)));
                let high = _mm256_movemask_pd(_mm256_castsi256_pd(equal(1)));
                !(low | high << 4) as u32 & 0xff
            };
            differ_h(before: __m256, a: __m256, b: __m256) -> __m256 = _mm256_or_ps(before, _mm256_xor_ps(a, b));
            none_h() -> __m256 = _mm256_setzero_ps();
            any_h(bits: __m256) -> bool = _mm256_testz_si256(_mm256_castps_si256(bits), _mm256_castps_si256(bits)) == 0;
            mask_h(a: __m256, b: __m256) -> u32 = {
                let equal = _mm256_cmpeq_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b));
                !_mm256_movemask_ps(_mm256_castsi256_ps(equal)) as u32 & 0xff
            };
            store_b(to: &mut [u16; 32], a: S2, b: S2) = {
                _mm256_storeu_si256(to.as_mut_ptr().cast(), brains_256(a[0], a[1]));
                _mm256_storeu_si256(to[16..].as_mut_ptr().cast(), brains_256(b[0], b[1]));
            };
            store_f(to: &mut [u16; 32], a: S2, b: S2) = {
                for (to, part) in to.as_chunks_mut::<8>().0.iter_mut().zip([a[0], a[1], b[0], b[1]]) {
                    _mm_storeu_si128(to.as_mut_ptr().cast(), half_256(part));
                }
            };
            stream(to: &mut [u8; 64], from: &Line) = if is_aligned(to) {
                for i in [0, 32] {
                    let half = _mm256_load_si256(from.0[i..].as_ptr().cast());
                    _mm256_stream_si256(to[i..].as_mut_ptr().cast(), half);
                }
            } else {
                *to = from.0;
            };
        }
        stores! {
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
        }

        #[inline(always)]
        fn join(self, a: __m256, b: __m256) -> S2 {
            [a, b]
        }

        #[inline(always)]
        fn doubts<const DROPPED: u32>(self, a: S2, limit: f32) -> u32 {
            // SAFETY: the type's contract grants the features.
            unsafe { doubts_256(DROPPED as i32, a[0], limit) | doubts_256(DROPPED as i32, a[1], limit) << 8 }
        }

        #[inline(always)]
        fn is_doubtful<const DROPPED: u32>(self, a: S2, b: S2, limit: f32) -> bool {
            // SAFETY: the type's contract grants the features.
            unsafe { is_doubtful_256(DROPPED as i32, [a[0], a[1], b[0], b[1]], limit) }
        }
    }
}
