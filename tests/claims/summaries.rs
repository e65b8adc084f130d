//! One summary a subject: for each of its claims and each system the cases, the worst error and its bound.

use posproof::claim::Form;
use posproof::evidence::settle::{Counts, Entry, SystemName};
use posproof::evidence::{Effort, Evidence, Plan};
use posproof::report::decimal::{ratio, rounded_up};
use posproof::report::text::VACUOUS;
use std::fmt::Write;

/// Evidence of systems and surveys for a claim. Bounds for all inputs, which a summary leaves out, would take six times as long.
struct Sampled {
    id: &'static str,
    evidence: Vec<Evidence>,
    counts: Counts,
}

impl Sampled {
    fn new(entry: &dyn Entry, plan: &Plan) -> Self {
        let mut sampled = Self { id: entry.about().id, evidence: Vec::new(), counts: Counts::default() };
        for system in SystemName::ALL {
            if entry.concerns(system) {
                let judgement = entry.judge(system, Form::Settled, plan);
                sampled.counts += Counts::from(&judgement);
                sampled.evidence.push(Evidence::of_system(entry, system, &judgement));
            }
            let is_certified = system == SystemName::Interval256;
            for survey in is_certified.then(|| entry.surveys(plan.effort, Form::Settled)).into_iter().flatten() {
                sampled.counts += Counts::from(&survey);
                sampled.evidence.push(Evidence::survey(&survey));
            }
        }
        sampled
    }
}

/// One line for each piece of evidence, in columns.
fn summary(subject: &str, sampled: &[Sampled], plan: &Plan) -> String {
    let claims = sampled.len();
    let comparisons: u64 = sampled.iter().map(|claim| claim.counts.held).sum();
    let unable: u64 = sampled.iter().map(|claim| claim.counts.unable).sum();
    let mut text = format!(
        "{subject}: {claims} claims, {comparisons} comparisons held, {unable} unable · effort {}, seed {}\n\n",
        plan.effort.name(),
        plan.seed
    );
    let _ = writeln!(
        text,
        "{:<34} {:<12} {:<13} {:>12} {:>14} {:>10} {:>8}",
        "claim", "system", "status", "cases", "worst error", "bound", "ratio"
    );
    for Sampled { id, evidence, .. } in sampled {
        for evidence in evidence {
            let _ = match evidence {
                Evidence::Formal { .. } | Evidence::Uniform(_) | Evidence::Displacement(_) => Ok(()),
                Evidence::Exact { status, cases, .. } => {
                    writeln!(text, "{id:<34} {:<12} {:<13} {cases:>12}", "exact", status.name())
                }
                Evidence::Enclosed { system, status, cases, widest, .. } => {
                    writeln!(
                        text,
                        "{id:<34} {system:<12} {:<13} {cases:>12} {:>14}",
                        status.name(),
                        rounded_up(*widest)
                    )
                }
                Evidence::Float { system, status, cases, worst_error, bound, vacuous, .. } => {
                    let (ratio, bound) = (ratio(*worst_error, *bound), rounded_up(*bound));
                    writeln!(
                        text,
                        "{id:<34} {system:<12} {:<13} {cases:>12} {worst_error:>14.5e} {bound:>10} {ratio:>8}",
                        if *vacuous { VACUOUS } else { status.name() }
                    )
                }
            };
        }
    }
    text
}

pub fn every_subject_has_its_summary() {
    let plan = Plan::new(Effort::Quick, Plan::SEED);
    let mut subjects: Vec<&str> = posproof::claims::all().iter().map(|entry| entry.about().subject()).collect();
    // Both ledgers speak of attention.
    subjects.sort_unstable();
    subjects.dedup();
    assert_eq!(subjects.len(), 18);
    for subject in subjects {
        let entries = posproof::claims::all().into_iter().filter(|entry| entry.about().subject() == subject);
        let sampled: Vec<Sampled> = entries.map(|entry| Sampled::new(entry, &plan)).collect();
        let mut settings = super::report_settings();
        settings.set_snapshot_path("../../reports/subjects");
        settings.set_description(format!(
            "posproof verify {subject} --effort quick: worst errors (for enclosures: the widest) beside their bounds"
        ));
        settings.bind(|| insta::assert_snapshot!(subject, summary(subject, &sampled, &plan)));
    }
}
