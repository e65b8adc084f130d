//! Claims about `toeplitz`.

use super::claim_tests;

claim_tests! {
    "toeplitz.product-identity" as product_identity in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.dot-product" as dot_product in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.structure" as structure in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.symmetric" as symmetric in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.printed-values" as printed_values in interval256 mp256 mp113 f64 f32;
    "toeplitz.shift-invariance" as shift_invariance in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.gram" as gram in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
