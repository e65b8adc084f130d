//! posproof
pub mod number;
