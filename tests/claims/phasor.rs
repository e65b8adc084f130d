//! Claims about `phasor`.

use super::claim_tests;

claim_tests! {
    "phasor.polar" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.dot-product" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.growth" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.relative-position" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.rotation-matrix" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.shift-operator" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
