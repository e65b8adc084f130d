//! What the documents talk about, each written once over every number system, and the conventions
//! in which software lays it out.

pub mod amplitude;
pub mod attention;
pub mod config;
pub mod convention;
pub mod determinant;
pub mod distances;
pub mod frequency;
pub mod phasor;
pub mod real;
pub mod rotary;
pub mod scaling;
pub mod shift;
pub mod sinusoid;
