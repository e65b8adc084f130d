//! Claims about `shift`.

use super::claim_tests;

claim_tests! {
    "shift.addition-theorems" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.linearity" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.block-structure" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.rate" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.unique" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.group" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.needs-both" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.rotary-transpose" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.base-1000" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
