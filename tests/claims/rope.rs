//! Claims about `rope`.

use super::claim_tests;

claim_tests! {
    "rope.rotation" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.inverse" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.composition" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.relative-position" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.isometry" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.linear" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.row-vector" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.aliasing" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.pair-layout" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
