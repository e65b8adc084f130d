//! `heads`: what single heads can do.

crate::claims::claims! {
    units: Units,
    diagonal: Diagonal,
    nope_diagonal: NopeDiagonal,
}
