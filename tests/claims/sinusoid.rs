//! Claims about `sinusoid`.

use super::claim_tests;

claim_tests! {
    "sinusoid.definition" as definition in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.bounded" as bounded in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.sine-only" as sine_only in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.wavelengths" as wavelengths in interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.pair-period" as pair_period in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.periodic-component" as periodic_component in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.no-integer-cycle" as no_integer_cycle in interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.real-cycle" as real_cycle in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.separation" as separation in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.neighbours" as neighbours in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.any-base" as any_base in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.extrapolation" as extrapolation in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "sinusoid.fourier" as fourier in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
