//! Claims about `rope`.

use super::claim_tests;

claim_tests! {
    "rope.rotation" as rotation in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.inverse" as inverse in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.composition" as composition in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.relative-position" as relative_position in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.isometry" as isometry in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.linear" as linear in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.row-vector" as row_vector in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.aliasing" as aliasing in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "rope.pair-layout" as pair_layout in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
