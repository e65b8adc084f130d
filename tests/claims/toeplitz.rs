//! Claims about `toeplitz`.

use super::claim_tests;

claim_tests! {
    "toeplitz.dot-product" as dot_product in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.printed-values" as printed_values in interval256 mp256 mp113 f64 f32;
}
