//! `toeplitz`: dot products of encodings.

super::claims! {
    product_identity: ProductIdentity,
    dot_product: DotProduct,
    structure: Structure,
    symmetric: Symmetric,
    printed_values: PrintedValues,
    shift_invariance: ShiftInvariance,
    gram: Gram,
}
