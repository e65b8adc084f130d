#![doc = include_str!("../docs/claims.md")]

pub use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Record, Refusal, Size, Source, SystemKind,
    Verdict, equal_entries,
};
pub use crate::evidence::settle::{SystemName, settle};
pub use crate::evidence::{Conclusion, Effort, Entry, Evidence, Plan, Settlement};
pub use crate::number::{Number, Phase, Position, Relation, System};
pub use crate::report::text::{line, page};
