//! `attention`: permutations.

super::claims! {
    equivariance: Equivariance,
}
