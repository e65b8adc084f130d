//! Statement that an implementation of several axes is judged by.

use crate::Duplication;
use posproof_bound::{Libraries, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;

/// Convention, coordinates and program that an implementation of several axes is held to.
#[derive(Clone, Copy, Debug)]
pub struct AxialExpectation<'a> {
    /// The convention.
    pub law: &'a AxialLaw,
    /// The coordinates of each row, one for each axis.
    pub coordinates: &'a Coordinates,
    /// The precision that it computes its angles in.
    pub compute: Format,
    /// Accuracies of its sines, cosines, exponentials, logarithms and powers.
    pub libraries: Libraries,
    /// Path of its frequencies; the narrowest that explains its entries if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have, whatever format holds them; that of the arrays if none is given.
    pub storage: Option<Format>,
    /// Repetition of the columns in a cache of full width; as found if none is given.
    pub duplication: Option<Duplication>,
}

impl<'a> AxialExpectation<'a> {
    /// The convention at these coordinates, computed in binary32 along any path.
    pub fn new(law: &'a AxialLaw, coordinates: &'a Coordinates) -> Self {
        let (compute, libraries) = (Format::F32, Libraries::default());
        Self { law, coordinates, compute, libraries, path: None, storage: None, duplication: None }
    }
}
