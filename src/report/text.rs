//! Plain text: one line a claim, a tally, and the page of a single claim.

use super::decimal::{ratio, rounded_up, short};
use super::json::{SHOWN_DIGITS, Tally};
use super::{displacement, uniform};
use crate::claim::{AS_WRITTEN, About, Ledger};
use crate::evidence::{
    Conclusion, Effort, EnclosedStatus, Evidence, ExactStatus, FloatStatus, FormalStatus, Settlement,
};
use crate::proof::memory::unproved;
use anstyle::{AnsiColor, Style};
use posproof_numerics::decimal::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const GOOD: Style = AnsiColor::Green.on_default();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const STRONG: Style = Style::new().bold();

fn mark(conclusion: &Conclusion) -> (&'static str, Style) {
    match conclusion {
        Conclusion::AsExpected => ("✓", GOOD),
        Conclusion::Inconclusive(_) => ("?", DOUBTFUL),
        Conclusion::FallsShort(_) => ("✗", BAD),
    }
}

/// One line: mark, id, verdict and the strongest evidence of each kind.
pub fn line(settlement: &Settlement) -> String {
    let (sign, style) = mark(&settlement.conclusion);
    let about = settlement.about;
    let mut parts: Vec<String> = Vec::new();
    for evidence in &settlement.evidence {
        match evidence {
            Evidence::Formal { status: FormalStatus::Proved, theorem, .. } => {
                parts.push(if theorem.ends_with(AS_WRITTEN) { "text refuted in Coq" } else { "proved" }.to_owned());
            }
            Evidence::Formal { .. } => {}
            Evidence::Exact { status, cases, .. } => parts.push(match status {
                ExactStatus::Identity => format!("identity in {}", counted(*cases, "case")),
                ExactStatus::Unable => "exact unable".to_owned(),
                ExactStatus::Refuted => "exact refuted".to_owned(),
            }),
            Evidence::Enclosed { status, cases, .. } => {
                parts.push(format!("{} in {}", status.name(), counted(*cases, "enclosure")));
            }
            Evidence::Float { status: FloatStatus::Refuted, system, worst_error, bound, .. } => {
                parts.push(format!("{system} refuted, {} > {}", short(*worst_error), rounded_up(*bound)));
            }
            Evidence::Float { system: "f32", vacuous: true, .. } => parts.push(format!("f32 {VACUOUS}")),
            Evidence::Float { system: "f32", worst_error, bound, witness, .. } => {
                let dim = witness.as_ref().map_or(0, |witness| witness.size.dim);
                let at = if dim == 0 { String::new() } else { format!(" at d = {dim}:") };
                parts.push(format!("f32 samples{at} {} ≤ {}", short(*worst_error), rounded_up(*bound)));
            }
            Evidence::Float { .. } | Evidence::Uniform(_) | Evidence::Displacement(_) => {}
        }
    }
    parts.extend(uniform::words(&settlement.evidence));
    match &settlement.conclusion {
        Conclusion::AsExpected => {}
        Conclusion::Inconclusive(why) | Conclusion::FallsShort(why) => parts.push(why.clone()),
    }
    // Enclosures and surveys may say the same.
    let mut said = BTreeSet::new();
    parts.retain(|part| said.insert(part.clone()));
    format!("{style}{sign}{style:#} {:<34} {:<9} {}", about.id, verdict(settlement), parts.join(" · "))
}

/// The verdict of the ledger; where that is not what was found, what was.
pub fn verdict(settlement: &Settlement) -> String {
    match settlement.conclusion {
        Conclusion::FallsShort(_) if settlement.counts.refuted > 0 => "refuted".to_owned(),
        Conclusion::FallsShort(_) => "unsettled".to_owned(),
        Conclusion::AsExpected | Conclusion::Inconclusive(_) => settlement.about.verdict.to_string(),
    }
}

/// Number of claims that are named beside a reason; `posproof show` tells for each claim.
const NAMED: usize = 3;

/// The tally, for each ledger where there are claims of both, and one sentence for each reason why something could
/// not be decided.
pub fn tally(settlements: &[Settlement], effort: Effort, seed: u64) -> String {
    let of = |ledger| Tally::of(settlements.iter().filter(move |settlement| settlement.about.ledger() == Some(ledger)));
    let tallies = Ledger::ALL.map(|ledger| (format!("{ledger}: "), of(ledger)));
    let both = tallies.iter().all(|(_, tally)| tally.claims > 0)
        && tallies.iter().map(|(_, tally)| tally.claims).sum::<usize>() == settlements.len();
    let tallies = if both { tallies.to_vec() } else { vec![(String::new(), Tally::of(settlements))] };
    let mut text = String::new();
    for (name, Tally { claims, as_expected, held, unable, refuted }) in tallies {
        let _ = writeln!(
            text,
            "{name}{STRONG}{}, {as_expected} as expected{STRONG:#} · comparisons: {held} held, {unable} unable, {refuted} refuted · effort {}, seed {seed}",
            counted(claims as u64, "claim"),
            effort.name()
        );
    }
    let mut reasons: BTreeMap<&str, (u64, BTreeMap<&str, ()>)> = BTreeMap::new();
    for settlement in settlements {
        for (reason, count) in settlement.evidence.iter().flat_map(unable_reasons) {
            let entry = reasons.entry(reason).or_default();
            entry.0 += count;
            entry.1.insert(settlement.about.id, ());
        }
    }
    for (reason, (count, claims)) in reasons {
        let (named, others) =
            (claims.keys().take(NAMED).copied().collect::<Vec<_>>(), claims.len().saturating_sub(NAMED));
        let others = if others == 0 { String::new() } else { format!(" and {} more", counted(others as u64, "claim")) };
        let _ = writeln!(text, "  unable {count}×: {reason} ({}{others})", named.join(", "));
    }
    text
}

fn unable_reasons(evidence: &Evidence) -> Vec<(&str, u64)> {
    match evidence {
        Evidence::Formal { .. } | Evidence::Uniform(_) | Evidence::Displacement(_) => Vec::new(),
        Evidence::Exact { unable, .. } | Evidence::Enclosed { unable, .. } | Evidence::Float { unable, .. } => {
            unable.iter().map(|(reason, count)| (reason.as_str(), *count)).collect()
        }
    }
}

/// The page of one claim: statement, sources, verdict, evidence, bounds, witness, and the command
/// that repeats it.
pub fn page(settlement: &Settlement, effort: Effort, seed: u64) -> String {
    let about = settlement.about;
    let (sign, style) = mark(&settlement.conclusion);
    let mut text = format!("{STRONG}{}{STRONG:#} — {} {style}{sign}{style:#}\n\n", about.id, verdict(settlement));
    let _ = writeln!(text, "Statement\n  {}", about.statement);
    if let Some(written) = about.written {
        let _ = writeln!(text, "\nAs written (false or ambiguous)\n  {written}");
    }
    text.push_str("\nSources\n");
    for source in about.sources {
        let _ = writeln!(text, "  {}: {}", source.document.title(), source.place);
    }
    match &settlement.conclusion {
        Conclusion::AsExpected => text.push_str("\nConclusion\n  as the ledger has it\n"),
        Conclusion::Inconclusive(why) => {
            let _ = writeln!(text, "\nConclusion\n  inconclusive: {why}");
        }
        Conclusion::FallsShort(why) => {
            let _ = writeln!(text, "\nConclusion\n  falls short: {why}");
        }
    }
    let bounds = uniform::table(uniform::rows(&settlement.evidence).map(|row| (None, row)));
    if !bounds.is_empty() {
        let origins = uniform::origins(uniform::rows(&settlement.evidence));
        let lines: String = origins.lines().map(|line| format!("  {line}\n")).collect();
        let _ = write!(text, "\n{}\n{bounds}{lines}", uniform::CAPTION);
        let events = uniform::events(&settlement.evidence);
        if !events.is_empty() {
            let _ = write!(text, "\nRoundings that cost most, f32\n{events}");
        }
    }
    text.push_str("\nEvidence\n");
    settlement.evidence.iter().for_each(|evidence| text.push_str(&evidence_lines(evidence)));
    let origins = settlement.evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Float { origin, .. } => Some(*origin),
        _ => None,
    });
    for origin in origins.collect::<BTreeSet<_>>() {
        let _ = writeln!(text, "  Bounds of the float systems: {origin}.");
    }
    let moved = displacement::table(&settlement.evidence);
    if !moved.is_empty() {
        let _ = writeln!(text, "\n{}\n{moved}", displacement::CAPTION);
    }
    if !settlement.values.is_empty() {
        text.push_str("\nCertified values (decimal, rounded outward)\n");
        for value in &settlement.values {
            let (lower, upper) = value.enclosure.decimal_with(Some(SHOWN_DIGITS));
            let _ = writeln!(text, "  {}\n    lower {lower}\n    upper {upper}", value.name);
        }
    }
    if let Some(witness) = &settlement.witness {
        let by = settlement.written_refuted_by.join(", ");
        let _ = writeln!(text, "\nWitness against the claim as written (refuted by {by})\n  {witness}");
    }
    let caught = if settlement.sabotage.refuted_by.is_empty() { "no system that was run" } else { "" };
    let by = settlement.sabotage.refuted_by.join(", ");
    // Only a system that decides a claim can say anything of its sabotage.
    let asked =
        if settlement.counts.refuted > 0 { "; a system in which nothing of the claim holds is not asked" } else { "" };
    let _ = writeln!(text, "\nSabotage: {}\n  refuted by {caught}{by}{asked}", about.sabotage);
    if !settlement.sabotage.missed_by.is_empty() {
        let _ = writeln!(text, "  NOT refuted by {}", settlement.sabotage.missed_by.join(", "));
    }
    if let Some(remark) = about.remark {
        let _ = writeln!(text, "\nRemark\n  {remark}");
    }
    let theorem = about.theorems().first().map_or_else(|| unproved(about), |theorem| format!("{theorem} (Coq)"));
    let _ = writeln!(text, "\nTheorem\n  {theorem}");
    let _ = writeln!(text, "\nRepeat\n  {}", repeat(about, effort, seed));
    text
}

/// The command that repeats a settlement; for a claim of one's own there is none.
pub fn repeat(about: &About, effort: Effort, seed: u64) -> String {
    let effort = effort.name();
    match about.is_listed() {
        true => format!("posproof show {} --effort {effort} --seed {seed}", about.id),
        false => format!("the program that states the claim, with effort {effort}, seed {seed}"),
    }
}

/// The status of a float system whose bound no result could exceed.
pub const VACUOUS: &str = "vacuous";

/// One piece of evidence, on as many lines as it needs.
fn evidence_lines(evidence: &Evidence) -> String {
    let mut text = String::new();
    let _ = match evidence {
        // In a table of their own.
        Evidence::Uniform(_) | Evidence::Displacement(_) => Ok(()),
        Evidence::Formal { theorem, status, axioms, reason } => {
            let detail = reason.clone().unwrap_or_else(|| format!("axioms: {}", axioms.join(", ")));
            writeln!(text, "  formal       {} — {theorem}: {detail}", status.name())
        }
        Evidence::Exact { status, cases, symbolic, held, .. } => {
            let holding = if *status == ExactStatus::Refuted { " held" } else { "" };
            writeln!(
                text,
                "  exact        {} — {}, {}{holding}, {}",
                status.name(),
                counted(*cases, "case"),
                counted(*held, "comparison"),
                if *symbolic { "for all reals and positions" } else { "of these cases alone" }
            )
        }
        Evidence::Enclosed { system, status, cases, held, widest, survey, witness, .. } => {
            let _ = writeln!(
                text,
                "  {system:<12} {} — {}, {}, widest enclosure {}",
                status.name(),
                counted(*cases, "case"),
                counted(*held, "comparison"),
                rounded_up(*widest)
            );
            if let Some(survey) = survey {
                let _ = writeln!(text, "               {survey}");
            }
            match witness {
                Some(witness) if *status == EnclosedStatus::Refuted => {
                    writeln!(text, "               refuted at {witness}")
                }
                Some(witness) => writeln!(text, "               told apart: {witness}"),
                None => Ok(()),
            }
        }
        Evidence::Float {
            system,
            status,
            cases,
            held,
            worst_error,
            bound,
            largest_share,
            vacuous,
            survey,
            witness,
            ..
        } => {
            let refuted = *status == FloatStatus::Refuted;
            let _ = writeln!(
                text,
                "  {system:<12} {} — {}, {}, {} {} {} bound {}{}",
                if *vacuous { VACUOUS } else { status.name() },
                counted(*cases, "case"),
                if refuted { "the simplest witness that is clear".to_owned() } else { counted(*held, "comparison") },
                if refuted { "error" } else { "worst error" },
                short(*worst_error),
                if refuted { ">" } else { "≤" },
                rounded_up(*bound),
                if refuted {
                    String::new()
                } else {
                    format!(" (ratio {}; largest share {largest_share:.3})", ratio(*worst_error, *bound))
                }
            );
            if let Some(survey) = survey {
                let _ = writeln!(text, "               {survey}");
            }
            match witness {
                Some(witness) => writeln!(text, "               at {witness}"),
                None => Ok(()),
            }
        }
    };
    for (reason, count) in unable_reasons(evidence) {
        let _ = writeln!(text, "               unable {count}×: {reason}");
    }
    text
}

/// The claims under the names of their ledgers: id, verdict and statement, one claim a line.
pub fn ledgers(claims: &[&About]) -> String {
    let mut text = String::new();
    for ledger in Ledger::ALL {
        let own: Vec<&&About> = claims.iter().filter(|about| about.ledger() == Some(ledger)).collect();
        if !own.is_empty() {
            let _ = writeln!(text, "{ledger}: {}", counted(own.len() as u64, "claim"));
        }
        for About { id, verdict, statement, .. } in own {
            let _ = writeln!(text, "{STRONG}{id:<34}{STRONG:#} {verdict:<9} {statement}");
        }
    }
    text
}
