//! The numbers of the figures, apart from how they are drawn.
//!
//! They are the same on every run and every platform: entries come from certified tables and enclosures,
//! errors from the bound model, whose functions are correctly rounded.

pub mod bases;
pub mod digits;
pub mod encoding;
pub mod errors;
pub mod wavelengths;

use crate::bound::Impossible;
use crate::table::{InvalidPositions, InvalidTable};

/// Why a figure cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// A table cannot be made.
    #[error(transparent)]
    Table(#[from] InvalidTable),
    /// Positions are not what they should be.
    #[error(transparent)]
    Positions(#[from] InvalidPositions),
    /// A bound is not defined.
    #[error(transparent)]
    Bound(#[from] Impossible),
    /// A frequency or an entry cannot be enclosed.
    #[error("{0} cannot be enclosed")]
    Enclosure(String),
    /// Data that the program carries cannot be read.
    #[error("data of a figure: {0}")]
    Data(serde_json::Error),
    /// An image cannot be written.
    #[error("image: {0}")]
    Image(#[from] png::EncodingError),
}
