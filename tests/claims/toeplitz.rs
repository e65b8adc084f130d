//! Claims about `toeplitz`.

use super::claim_tests;

claim_tests! {
    "toeplitz.product-identity" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.dot-product" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.structure" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.symmetric" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.printed-values" in interval256 mp256 mp113 f64 f32;
    "toeplitz.shift-invariance" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "toeplitz.gram" in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
