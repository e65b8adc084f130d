//! `phasor`: complex exponentials.

super::claims! {
    rotation_matrix: RotationMatrix,
}
