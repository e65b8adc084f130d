//! `toeplitz`: dot products of encodings.

super::claims! {
    dot_product: DotProduct,
    printed_values: PrintedValues,
}
