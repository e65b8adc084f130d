#![doc = include_str!("../README.md")]

mod attention;
mod ball;
mod case;
mod catalogue;
mod comparison;
mod dialogue;
mod encode;
mod invalid;
mod probe;
mod report;
mod role;
mod rotate;
mod run;
mod setup;
mod uniform;

pub use catalogue::{PROPERTIES, Property, UNASKED, find, properties};
pub use invalid::Invalid;
pub use probe::{Answer, Array, Batch, Judgement, Probe};
pub use report::{Place, Report, Verdict};
pub use role::Role;
pub use run::{Functions, check};
pub use setup::Setup;
