#![doc = include_str!("../README.md")]

mod binary64;
pub mod cache;
pub mod decimal;
mod element;
mod float;
pub mod format;
mod interval;
pub mod narrow;
mod operations;
mod rational;
pub mod rounding;
mod scalar;
#[cfg(feature = "trace")]
pub mod trace;
mod trigonometry;

pub use element::Element;
pub use float::{Float, Round};
pub use interval::Interval;
pub use rational::Rational;
pub use scalar::Scalar;
