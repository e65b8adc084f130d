//! Claims about `attention`.

use super::claim_tests;

claim_tests! {
    "attention.permutation-matrix" as permutation_matrix in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.projections" as projections in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.scores" as scores in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.softmax" as softmax in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.equivariance" as equivariance in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.single-query" as single_query in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.invariance" as invariance in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.position-blind" as position_blind in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.encoding-breaks-symmetry" as encoding_breaks_symmetry in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.weighted-sum" as weighted_sum in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "attention.skip-connection" as skip_connection in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
