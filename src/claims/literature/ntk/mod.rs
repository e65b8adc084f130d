//! `ntk`: frequencies rescaled by a larger base.

crate::claims::claims! {
    endpoints: Endpoints,
    effective_scale: EffectiveScale,
    longrope_exponent: LongropeExponent,
    dynamic_cache: DynamicCache,
}
