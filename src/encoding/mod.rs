//! Objects of the documents, each written once over every number system, beside the conventions in which software lays
//! it out.

pub mod attention;
pub mod decay;
pub mod determinant;
pub mod distances;
pub mod moments;
pub mod pass;
pub mod phasor;
pub mod rotary;
pub mod shift;
pub mod sinusoid;

pub use posproof_encoding::{Law, Positions, amplitude, atlas, convention, frequency, model, real, scaling};
