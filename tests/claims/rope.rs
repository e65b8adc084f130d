//! Claims about `rope`.

use super::claim_tests;

claim_tests! {
    "rope.relative-position" as relative_position in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
