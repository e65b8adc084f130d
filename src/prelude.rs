#![doc = include_str!("../docs/claims.md")]

use crate::report::text;

pub use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Record, Refusal, Size, Source, SystemKind,
    Verdict, equal_entries,
};
pub use crate::evidence::settle::{SystemName, settle};
pub use crate::evidence::{Conclusion, Effort, Entry, Evidence, Plan, Settlement};
pub use crate::number::{Number, Phase, Position, Relation, System};

/// One line, as `posproof verify` prints it: mark, id, verdict and the strongest evidence of each kind.
pub fn line(settlement: &Settlement) -> String {
    plain(&text::line(settlement))
}

/// The page of a claim, as `posproof show` prints it.
pub fn page(settlement: &Settlement, effort: Effort, seed: u64) -> String {
    plain(&text::page(settlement, effort, seed))
}

/// The text without the colours of a terminal.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
