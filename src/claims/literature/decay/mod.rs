//! `decay`: long-term decay.

crate::claims::claims! {
    abel_identity: AbelIdentity,
    abel_bound: AbelBound,
    monotone: Monotone,
    limit: Limit,
    any_distance: AnyDistance,
    gaussian: Gaussian,
    mask_peak: MaskPeak,
    small_angle: SmallAngle,
}
