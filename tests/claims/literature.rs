//! Claims of the second ledger.

use super::claim_tests;

claim_tests! {
    "decay.abel-identity" as abel_identity in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "decay.abel-bound" as abel_bound in interval256 mp256 mp113 f64 f32 f16 bf16;
    "decay.monotone" as monotone in interval256 mp256 mp113 f64 f32;
    "decay.limit" as limit in interval256 mp256 mp113 f64 f32;
    "interpolation.log-inequality" as log_inequality in interval256 mp256 mp113 f64 f32 f16 bf16;
    "interpolation.error-bound" as error_bound in interval256 mp256 mp113 f64 f32 f16 bf16;
    "interpolation.taylor-form" as taylor_form in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "interpolation.six-hundred" as six_hundred in interval256 mp256 mp113 f64 f32;
    "interpolation.sum-exceeds-d" as sum_exceeds_d in interval256 mp256 mp113 f64 f32;
    "ntk.endpoints" as endpoints in interval256 mp256 mp113 f64 f32 f16 bf16;
    "ntk.effective-scale" as effective_scale in interval256 mp256 mp113 f64 f32 f16;
    "ntk.longrope-exponent" as longrope_exponent in interval256 mp256 mp113 f64 f32 f16 bf16;
    "ntk.dynamic-cache" as dynamic_cache in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "yarn.length-scaling" as length_scaling in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "yarn.temperature-value" as temperature_value in interval256 mp256 mp113 f64 f32;
    "yarn.ratio-base" as ratio_base in interval256 mp256 mp113 f64 f32 f16;
    "yarn.ramp" as ramp in interval256 mp256 mp113 f64 f32 f16;
    "yarn.closer" as closer in interval256 mp256 mp113 f64 f32 f16 bf16;
    "longrope.start-tokens" as start_tokens in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "base.minimum" as minimum in interval256 mp256 mp113 f64 f32;
    "base.upward-closed" as upward_closed in interval256 mp256 mp113 f64 f32;
    "base.power-law" as power_law in interval256 mp256 mp113 f64 f32;
    "base.released-models" as released_models in interval256 mp256 mp113 f64 f32;
    "base.larger-is-longer" as larger_is_longer in interval256 mp256 mp113 f64;
    "base.partial-rotation" as partial_rotation in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "base.six-percent" as six_percent in interval256 mp256 mp113 f64 f32;
    "base.similarity-limit" as similarity_limit in interval256 mp256 mp113 f64 f32 f16 bf16;
    "heads.units" as units in interval256 mp256 mp113 f64 f32 f16 bf16;
    "heads.diagonal" as diagonal in interval256 mp256 mp113 f64 f32;
    "heads.nope-diagonal" as nope_diagonal in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "precision.base-wall" as base_wall in interval256 mp256 mp113 f64 f32;
    "precision.aliasing-limit" as aliasing_limit in interval256 mp256 mp113 f64 f32;
    "precision.bf16-growth" as bf16_growth in exact interval256 mp256 mp113 f64 f32;
    "precision.nope-inverse" as nope_inverse in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "uniqueness.rope-2d" as rope_2d in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "uniqueness.bilinear-form" as bilinear_form in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "uniqueness.linear-attention" as linear_attention in interval256 mp256 mp113 f64 f32 f16 bf16;
    "uniqueness.complex" as complex in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "uniqueness.complex-mean" as complex_mean in exact interval256 mp256 mp113 f64 f32;
    "uniqueness.monotone-stationary" as monotone_stationary in interval256 mp256 mp113 f64 f32;
    "uniqueness.affine-relative" as affine_relative in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "multiaxis.axial-separable" as axial_separable in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "alibi.slopes" as slopes in exact interval256 mp256 mp113 f64 f32 f16 bf16;
    "alibi.recency" as recency in exact interval256 mp256 mp113 f64 f32 f16 bf16;
}
