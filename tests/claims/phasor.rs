//! Claims about `phasor`.

use super::claim_tests;

claim_tests! {
    "phasor.polar" as polar in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.dot-product" as dot_product in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.growth" as growth in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.relative-position" as relative_position in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.rotation-matrix" as rotation_matrix in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "phasor.shift-operator" as shift_operator in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
