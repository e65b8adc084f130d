//! Claims about `attention`.

use super::claim_tests;

claim_tests! {
    "attention.permutation-matrix" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.projections" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.scores" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.softmax" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.equivariance" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.single-query" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.invariance" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.position-blind" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.encoding-breaks-symmetry" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.weighted-sum" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.skip-connection" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
