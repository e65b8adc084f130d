//! `precision`: floating-point formats.

crate::claims::claims! {
    base_wall: BaseWall,
    aliasing_limit: AliasingLimit,
    bf16_growth: Bf16Growth,
    retention_powers: RetentionPowers,
    nope_inverse: NopeInverse,
    factored_recency: FactoredRecency,
}
