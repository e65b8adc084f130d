//! Certificates of claims.

use super::LAST;
use crate::claim::{Case, Form};
use crate::evidence::Entry;
use crate::number::Relation;
use crate::number::format::Format;
use crate::number::linear::Uniform;
use std::collections::BTreeSet;

/// The first orders of a claim's equalities in f32 at its smallest size as a file for Coq: of each name the first one that has
/// roundings, with the lemmas once; none where no equality has a first order that is a polynomial.
pub fn certificate(entry: &dyn Entry) -> Option<String> {
    let instance = entry.linear();
    let size = entry.bounded_sizes().into_iter().min()?;
    let system = Uniform::new(&instance.inputs(&size), LAST[0], Format::F32);
    let cases = super::cases(size, &instance.inputs(&size))?;
    let (mut text, mut named) = (String::new(), BTreeSet::new());
    let id: String = entry.about().id.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    for case in cases.iter().chain(std::iter::once(&Case::of_size(size)).filter(|_| cases.is_empty())) {
        for comparison in instance.comparisons(&system, case, Form::Settled).unwrap_or_default() {
            let Relation::Equal(left, right) = &comparison.relation else { continue };
            if named.contains(comparison.what) {
                continue;
            }
            let name = format!("{id}_{}", named.len());
            if let Some(found) = system.certificate(&name, left, right) {
                named.insert(comparison.what);
                let lemmas =
                    if text.is_empty() { 0 } else { found.find("(* x0").or(found.find("\nTheorem")).unwrap_or(0) };
                text += &format!("(* {}, {size}, positions to {}: {} *)\n", entry.about().id, LAST[0], comparison.what);
                text += &found[lemmas..];
            }
        }
    }
    (!text.is_empty()).then_some(text)
}
