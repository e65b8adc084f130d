#![doc = include_str!("../README.md")]

pub mod cache;
pub mod decimal;
mod float;
pub mod format;
mod interval;
mod operations;
mod rational;
pub mod rounding;
mod trigonometry;

pub use float::{Float, Round};
pub use format::Format;
pub use interval::Interval;
pub use rational::Rational;
