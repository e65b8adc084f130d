//! Claims about `shift`.

use super::claim_tests;

claim_tests! {
    "shift.linearity" as linearity in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
