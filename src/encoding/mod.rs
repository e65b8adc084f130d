//! What the documents talk about, each written once over every number system.

pub mod amplitude;
pub mod convention;
pub mod frequency;
pub mod real;
pub mod scaling;
