//! Settling a claim: cases, the judge, evidence and what it settles.

pub mod displacement;
mod entry;
pub mod judge;
mod kinds;
pub mod order;
pub mod sample;
pub mod settle;
pub mod systems;
pub mod uniform;
pub mod witness;

pub use crate::claim::Effort;
pub use displacement::Displacement;
pub use entry::Entry;
pub use judge::{Instance, Judgement, Refutation};
pub use kinds::{EnclosedStatus, Evidence, ExactStatus, FloatStatus, FormalStatus, RUNNING_ERROR};
pub use order::in_order;
pub use sample::Plan;
pub use settle::{Conclusion, Settlement};
pub use systems::SystemName;
pub use uniform::UniformBound;
pub use witness::Witness;
