//! Claims about `shift`.

use super::claim_tests;

claim_tests! {
    "shift.addition-theorems" as addition_theorems in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.linearity" as linearity in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.block-structure" as block_structure in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.rate" as rate in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.unique" as unique in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.group" as group in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.needs-both" as needs_both in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.rotary-transpose" as rotary_transpose in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "shift.base-1000" as base_1000 in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
