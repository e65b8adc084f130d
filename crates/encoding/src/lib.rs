#![doc = include_str!("../README.md")]

pub mod amplitude;
pub mod arguments;
#[cfg(feature = "models")]
pub mod atlas;
pub mod axes;
pub mod convention;
pub mod frequency;
mod law;
#[cfg(feature = "models")]
pub mod model;
mod piecewise;
mod positions;
mod printable;
pub mod real;
#[cfg(feature = "models")]
pub mod request;
pub mod scaling;
pub mod suggestion;

pub use law::Law;
pub use positions::{InvalidPositions, LIMIT, Positions};
pub use printable::printable;
