//! Claims about `encoding`.

use super::claim_tests;

claim_tests! {
    "encoding.integer" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "encoding.fraction" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "encoding.digit-cycle" in exact interval256;
    "encoding.pair-or-sum" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "encoding.disjoint-subspaces" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
