//! `uniqueness`: characterisations.

crate::claims::claims! {
    rope_2d: Rope2d,
    bilinear_form: BilinearForm,
    linear_attention: LinearAttention,
    complex: ComplexWitness,
    complex_mean: ComplexMean,
    monotone_stationary: MonotoneStationary,
    affine_relative: AffineRelative,
    circular_roll: CircularRoll,
    linear_recurrence: LinearRecurrence,
    linear_bias: LinearBias,
    plane: Plane,
}
