//! Claims about `attention`.

use super::claim_tests;

claim_tests! {
    "attention.equivariance" as equivariance in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
