//! Claims about `sinusoid`.

use super::claim_tests;

claim_tests! {
    "sinusoid.definition" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.bounded" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.sine-only" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.wavelengths" in interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.pair-period" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.periodic-component" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.no-integer-cycle" in interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.real-cycle" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.separation" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.neighbours" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.any-base" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.extrapolation" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.fourier" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
