//! Claims about `encoding`.

use super::claim_tests;

claim_tests! {
    "encoding.integer" as integer in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "encoding.fraction" as fraction in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "encoding.digit-cycle" as digit_cycle in exact interval256;
    "encoding.pair-or-sum" as pair_or_sum in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "encoding.disjoint-subspaces" as disjoint_subspaces in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
