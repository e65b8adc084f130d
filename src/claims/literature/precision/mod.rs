//! `precision`: floating-point formats.

crate::claims::claims! {
    base_wall: BaseWall,
    bf16_growth: Bf16Growth,
    nope_inverse: NopeInverse,
}
