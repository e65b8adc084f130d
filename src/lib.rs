//! posproof
pub mod claim;
pub mod number;
