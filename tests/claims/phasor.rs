//! Claims about `phasor`.

use super::claim_tests;

claim_tests! {
    "phasor.rotation-matrix" as rotation_matrix in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
