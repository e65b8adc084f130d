//! `phasor`: complex exponentials.

super::claims! {
    polar: Polar,
    dot_product: DotProduct,
    growth: Growth,
    relative_position: RelativePosition,
    rotation_matrix: RotationMatrix,
    shift_operator: ShiftOperator,
}
