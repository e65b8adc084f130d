//! What the documents talk about, each written once over every number system.

pub mod attention;
pub mod determinant;
pub mod distances;
pub mod phasor;
pub mod rotary;
pub mod shift;
pub mod sinusoid;
