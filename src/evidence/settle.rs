//! Result that the evidence of all systems settles.

use super::displacement::displacements;
use super::judge::Judgement;
use super::kinds::Evidence;
use super::sample::Plan;
use super::uniform::{self, UniformBound};
use super::witness::Witness;
use crate::claim::{About, CertifiedValue, Form, Refusal, Survey, Verdict};
use crate::number::system::Decision;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::Arc;

pub use super::entry::Entry;
pub use super::systems::SystemName;

/// Agreement of a claim's outcome with the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "conclusion", content = "why", rename_all = "kebab-case")]
pub enum Conclusion {
    /// Held wherever it was decided, its false form refuted, its sabotage caught.
    AsExpected,
    /// Nothing speaks against it, but the systems that were run cannot tell.
    Inconclusive(String),
    /// Something is refuted that should hold, or holds that should be refuted.
    FallsShort(String),
}

/// Outcome of the sabotaged form.
#[derive(Clone, Debug, Serialize)]
pub struct Sabotage {
    /// The mistake.
    pub mistake: &'static str,
    /// The systems that refuted it.
    pub refuted_by: Vec<&'static str>,
    /// The systems that decide the claim and did not.
    pub missed_by: Vec<&'static str>,
}

/// One claim, settled.
#[derive(Clone, Debug)]
pub struct Settlement {
    /// The claim.
    pub about: &'static About,
    /// Agreement of its outcome with the ledger.
    pub conclusion: Conclusion,
    /// The evidence, system by system.
    pub evidence: Vec<Evidence>,
    /// The certified figures.
    pub values: Vec<CertifiedValue>,
    /// Where the claim as written fails.
    pub witness: Option<Witness>,
    /// The systems that refuted the claim as written.
    pub written_refuted_by: Vec<&'static str>,
    /// Outcome of the sabotaged form.
    pub sabotage: Sabotage,
    /// Comparisons over all systems.
    pub counts: Counts,
}

/// Outcome of comparisons, and of the members of surveyed domains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that held.
    pub held: u64,
    /// Those that a system was unable to decide.
    pub unable: u64,
    /// Those that were refuted; one for a survey.
    pub refuted: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.held += other.held;
        self.unable += other.unable;
        self.refuted += other.refuted;
    }
}

impl From<&Judgement> for Counts {
    fn from(judgement: &Judgement) -> Self {
        Self { held: judgement.held, unable: judgement.unable_count(), refuted: judgement.refuted }
    }
}

impl From<&Survey> for Counts {
    fn from(Survey { decision, cases, .. }: &Survey) -> Self {
        let none = Self::default();
        match decision {
            Decision::Held(_) => Self { held: *cases, ..none },
            Decision::Unable(_) => Self { unable: *cases, ..none },
            Decision::Refuted(_) => Self { refuted: 1, ..none },
        }
    }
}

/// Judgements of one system on the forms of a claim.
struct SettledSystem {
    settled: Judgement,
    /// The sabotage; none where the system does not decide the claim.
    sabotaged: Option<Judgement>,
    /// The claim as written, where that differs.
    written: Option<Judgement>,
    /// The bounds for all inputs.
    uniform: Arc<Vec<UniformBound>>,
}

impl SettledSystem {
    fn new(entry: &dyn Entry, system: SystemName, plan: &Plan) -> Self {
        let judge = |form| entry.judge(system, form, plan);
        let settled = judge(Form::Settled);
        let sabotaged = (settled.held > 0).then(|| judge(Form::Sabotaged));
        let written = entry.about().written.map(|_| judge(Form::AsWritten));
        Self { settled, sabotaged, written, uniform: uniform::bounds(entry, system, plan.effort) }
    }
}

/// Settles one claim with the systems given. `step` is called after each system.
pub fn settle(entry: &dyn Entry, systems: &[SystemName], plan: &Plan, step: &(dyn Fn() + Sync)) -> Settlement {
    let about = entry.about();
    let mut evidence = Vec::new();
    let mut counts = Counts::default();
    let mut refused: BTreeMap<Refusal, u64> = BTreeMap::new();
    let mut sabotage = Sabotage { mistake: about.sabotage, refuted_by: Vec::new(), missed_by: Vec::new() };
    let (mut witness, mut written_refuted_by, mut refutation) = (None, Vec::new(), None);
    // Systems differ in how long they take: side by side they keep every thread busy.
    let judged: Vec<Option<SettledSystem>> = systems
        .par_iter()
        .map(|system| {
            let judged = entry.concerns(*system).then(|| SettledSystem::new(entry, *system, plan));
            step();
            judged
        })
        .collect();
    let mut bounds = Vec::new();
    for (&system, judged) in systems.iter().zip(judged) {
        if let Some(SettledSystem { settled: judgement, sabotaged, written, uniform }) = judged {
            bounds.extend(uniform.iter().cloned());
            counts += Counts::from(&judgement);
            for (refusal, count) in [Some(&judgement), sabotaged.as_ref(), written.as_ref()]
                .into_iter()
                .flatten()
                .flat_map(|judgement| &judgement.refused)
            {
                *refused.entry(*refusal).or_insert(0) += count;
            }
            evidence.push(Evidence::of_system(entry, system, &judgement));
            if let Some(found) = judgement.refutation {
                refutation.get_or_insert_with(|| format!("{system} refutes it at {}", found.witness));
            }
            match sabotaged {
                Some(Judgement { refuted: 1.., .. }) => sabotage.refuted_by.push(system.name()),
                Some(_) => sabotage.missed_by.push(system.name()),
                None => {}
            }
            if let Some(written) = written.filter(|written| written.refuted > 0) {
                written_refuted_by.push(system.name());
                // A certified witness is worth more than a formal or a rounded one.
                if witness.is_none() || system == SystemName::Interval256 {
                    witness = written.refutation.map(|found| found.witness);
                }
            }
        }
        if system == SystemName::Interval256 {
            let surveys = entry.surveys(plan.effort, Form::Settled);
            let mistaken = if surveys.is_empty() { Vec::new() } else { entry.surveys(plan.effort, Form::Sabotaged) };
            for (place, survey) in surveys.iter().enumerate() {
                evidence.push(Evidence::survey(survey));
                counts += Counts::from(survey);
                if let Decision::Refuted(_) = survey.decision {
                    refutation.get_or_insert_with(|| format!("{} refutes it: {}", survey.scope, survey.finding));
                }
                let caught = mistaken.get(place).is_some_and(|found| matches!(found.decision, Decision::Refuted(_)));
                match survey.decision {
                    Decision::Held(_) if caught => sabotage.refuted_by.push("survey"),
                    Decision::Held(_) => sabotage.missed_by.push("survey"),
                    _ => {}
                }
            }
        }
    }
    if let Some(exceeded) = bounds.iter().find(|bound| bound.is_exceeded()) {
        let UniformBound { system, size, .. } = exceeded;
        refutation.get_or_insert_with(|| format!("an error of {system} at {size} is above its bound for all inputs"));
    }
    if !bounds.is_empty() && uniform::misses_sabotage(entry) {
        sabotage.missed_by.push("uniform");
    }
    evidence.extend(bounds.into_iter().map(Evidence::Uniform));
    // The accumulators are those of binary32.
    if systems.contains(&SystemName::F32) {
        match displacements(entry.displacement_of()) {
            Ok(moved) => {
                if let Some(exceeded) = moved.iter().find(|moved| moved.is_exceeded()) {
                    refutation
                        .get_or_insert_with(|| format!("a kernel moves further than its bound: {}", exceeded.words()));
                }
                evidence.extend(moved.into_iter().map(Box::new).map(Evidence::Displacement));
            }
            Err(error) => {
                refutation.get_or_insert_with(|| format!("a kernel of the displacements cannot be: {error}"));
            }
        }
    }
    let conclusion = match refused.first_key_value() {
        Some((refusal, count)) => Conclusion::FallsShort(format!("the claim is mistaken at {count} cases: {refusal}")),
        None => conclude(about, refutation, counts, &sabotage, &written_refuted_by),
    };
    let values = entry.values();
    Settlement { about, conclusion, evidence, values, witness, written_refuted_by, sabotage, counts }
}

fn conclude(
    about: &About,
    refutation: Option<String>,
    counts: Counts,
    sabotage: &Sabotage,
    written_refuted_by: &[&str],
) -> Conclusion {
    if let Some(refutation) = refutation {
        return Conclusion::FallsShort(refutation);
    }
    if counts.held == 0 {
        return Conclusion::Inconclusive("no comparison held in any system that was run".to_owned());
    }
    if !sabotage.missed_by.is_empty() {
        let missed = sabotage.missed_by.join(", ");
        return Conclusion::FallsShort(format!("the sabotage ({}) was not refuted by {missed}", sabotage.mistake));
    }
    let needs_witness = matches!(about.verdict, Verdict::Corrected | Verdict::Refuted);
    if needs_witness && written_refuted_by.is_empty() {
        return Conclusion::Inconclusive("no system that was run refutes the claim as written".to_owned());
    }
    Conclusion::AsExpected
}
