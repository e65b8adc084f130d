//! Part of a claim that is stated in Coq.
//!
//! Every claim of the documents has its theorem and, where a document is wrong, the refutation of its
//! text. Of the literature these have; the audit compares the lists with the sources, both ways.

use super::{About, Verdict};
use crate::bibliography::Ledger;

/// The suffix of refutations.
pub const AS_WRITTEN: &str = "_as_written_false";

/// Claims of the literature whose statement is a theorem.
const WHOLE: &[&str] = &[
    "alibi.recency",
    "alibi.slopes",
    "attention.score-variance",
    "base.expectation",
    "base.integral-limit",
    "base.larger-is-longer",
    "base.partial-rotation",
    "base.power-law",
    "base.released-models",
    "base.similarity-bound",
    "base.similarity-limit",
    "base.six-percent",
    "base.upward-closed",
    "decay.abel-bound",
    "decay.abel-identity",
    "decay.any-distance",
    "decay.gaussian",
    "decay.limit",
    "decay.mask-peak",
    "decay.monotone",
    "decay.small-angle",
    "heads.constant-input",
    "heads.diagonal",
    "heads.irrational-turn",
    "heads.nope-diagonal",
    "heads.semantic",
    "heads.units",
    "interpolation.error-bound",
    "interpolation.log-inequality",
    "interpolation.six-hundred",
    "interpolation.sum-exceeds-d",
    "interpolation.taylor-form",
    "interpolation.universal",
    "longrope.start-tokens",
    "multiaxis.axial-separable",
    "multiaxis.basis",
    "multiaxis.orthogonal-families",
    "ntk.dynamic-cache",
    "ntk.effective-scale",
    "ntk.endpoints",
    "ntk.longrope-exponent",
    "precision.aliasing-limit",
    "precision.base-wall",
    "precision.bf16-growth",
    "precision.factored-recency",
    "precision.nope-inverse",
    "precision.retention-powers",
    "uniqueness.affine-relative",
    "uniqueness.bilinear-form",
    "uniqueness.circular-roll",
    "uniqueness.complex",
    "uniqueness.complex-mean",
    "uniqueness.linear-attention",
    "uniqueness.linear-bias",
    "uniqueness.linear-recurrence",
    "uniqueness.monotone-stationary",
    "uniqueness.plane",
    "uniqueness.rope-2d",
    "yarn.closer",
    "yarn.length-scaling",
    "yarn.ramp",
    "yarn.ratio-base",
    "yarn.temperature-value",
];

/// Claims of the literature whose text as written is refuted by a theorem, and whose statement, with its
/// figures, is not one.
const REFUTED_ONLY: &[&str] = &["base.minimum"];

/// Claims of the literature of which a part alone is stated, by corollaries: the rest, with its figures, is a matter
/// of more distances and bases than are computed in Coq.
const IN_PART: &[(&str, &[&str])] =
    &[("base.minimum", &["base_minimum_printed", "base_minimum_infima"]), ("base.safe-from", &["base_safe_from_tail"])];

impl About {
    /// True of its id and of its theorems' names, in any spelling: capital letters do not matter, nor what separates words.
    ///
    /// ```
    /// use posproof::{claims, evidence::Entry};
    /// let about = claims::all()[0].about();
    /// let spelt = about.id.to_uppercase().replace('.', "::").replace('-', "_");
    /// assert!(about.is_called(&spelt) && !about.is_called(about.subject()));
    /// ```
    pub fn is_called(&self, name: &str) -> bool {
        let name = spelling(name);
        spelling(self.id) == name || self.theorems().iter().any(|theorem| spelling(theorem) == name)
    }

    /// The corollaries that state a part of a claim which has no theorem of the whole.
    pub fn parts(&self) -> &'static [&'static str] {
        let listed = self.is_listed();
        IN_PART.iter().find(|(id, _)| listed && *id == self.id).map_or(&[], |(_, corollaries)| corollaries)
    }

    /// The theorems that it has in Coq, none for a claim of one's own: of its statement, and the refutation of its text as written.
    pub fn theorems(&self) -> Vec<String> {
        let Some(ledger) = self.ledger() else { return Vec::new() };
        let settled = ledger == Ledger::Documents || WHOLE.contains(&self.id);
        let refuted = settled || REFUTED_ONLY.contains(&self.id);
        // What a document says of experience can be neither proved nor refuted.
        let refutable = self.written.is_some() && self.verdict != Verdict::Empirical;
        let name = theorem_name(self.id);
        let refutation = (refuted && refutable).then(|| format!("{name}{AS_WRITTEN}"));
        settled.then_some(name).into_iter().chain(refutation).collect()
    }
}

/// The name of the Coq theorem of the claim with that id.
pub fn theorem_name(id: &str) -> String {
    id.replace(['.', '-'], "_")
}

/// A name in lower case, with one mark between its words.
fn spelling(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_lowercase()
}
