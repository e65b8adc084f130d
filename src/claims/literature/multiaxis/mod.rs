//! `multiaxis`: several axes.

crate::claims::claims! {
    axial_separable: AxialSeparable,
    basis: Basis,
    orthogonal_families: OrthogonalFamilies,
}
