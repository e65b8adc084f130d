//! What is wrong with entries that are beyond their bounds.
//!
//! Each explanation is tested before it is given: the sampled entries must be what it predicts,
//! within the bound of the stated compute precision. Simple explanations come first: another
//! arrangement, another amplitude, another convention, other positions, lower precision; then
//! frequencies are measured.

mod explain;
pub(super) mod hypotheses;
pub(super) mod law;
pub(super) mod precision;
pub(super) mod timing;

use super::check::{Expectation, omega};
use super::compare::TableComparison;
use super::faults::{
    BEYOND, Cause, Code, DIRECTION, EXCHANGED_ARRAYS, Entry, Finding, LAYOUT, NOT_FINITE, ORDER, READ_AND_WRITTEN, ZERO,
};
use super::sample::{Phasors, Sample, choose};
use super::subject::{Subject, Wiring, pairs_of};
use super::totals::{EntryTotals, GridPlace};
use super::{Grade, Invalid};
use explain::explain;
pub(super) use explain::{Explanation, matches};
pub(super) use hypotheses::BASES;
pub(super) use law::candidates;
use posproof_bound::{Allowance, Path};
use posproof_encoding::convention::{Convention, Direction, Layout, Order};
use posproof_numerics::format::Format;
use posproof_table::Positions;
pub(super) use timing::Placed;

/// What is to be explained.
pub(super) struct Symptoms<'a> {
    pub subject: Subject<'a>,
    pub expectation: &'a Expectation,
    pub convention: &'a Convention,
    pub positions: &'a Positions,
    pub tally: &'a EntryTotals,
}

/// The result.
pub(super) struct Diagnosis {
    pub findings: Vec<Finding>,
    pub found: Option<Convention>,
    pub grade: Grade,
}

/// What the hypotheses are tested with.
pub(super) struct Context<'a> {
    pub expected: &'a Convention,
    pub omega: Vec<f64>,
    pub compute: (Format, Option<Path>),
    pub storage: Format,
    pub last: u64,
    /// The first position with an entry beyond its bound, if that is not the first position.
    pub boundary: Option<u64>,
    /// Sampled entries of the subject, all of them.
    pub values: Vec<f64>,
}

impl Context<'_> {
    pub fn allowance(&self, convention: &Convention, omega: &[f64]) -> Allowance {
        Allowance::new(convention, omega, self.last, self.compute, self.storage)
    }

    /// Bounds the error of a phase at short distances.
    pub fn noise(&self, phasors: &Phasors) -> f64 {
        let loosen = if phasors.rotation { 10.0 } else { 1.0 };
        loosen * 1.5 * (self.storage.unit_roundoff() + 8.0 * self.compute.0.unit_roundoff())
    }
}

/// How the entries may be arranged, with the findings that this implies.
struct Arrangement {
    convention: Convention,
    wiring: Option<Wiring>,
    findings: Vec<Finding>,
}

pub(super) fn diagnose(case: &Symptoms<'_>) -> Result<Diagnosis, Invalid> {
    let Symptoms { subject, convention, positions, tally, .. } = case;
    let mut findings = Vec::new();
    if let Some(place) = tally.first_not_finite {
        let (count, entries) = (tally.not_finite, tally.entries);
        findings.push(Finding::new(&NOT_FINITE, Cause::NotFinite { count, entries, first: entry(positions, place) }));
    }
    let wrong = |findings| Ok(Diagnosis { findings, found: None, grade: Grade::Wrong });
    if tally.exceeding == tally.not_finite {
        return wrong(findings);
    }
    let first = tally.first_exceeding;
    let (slab, interest) = first.map_or((0, None), |place| (place.slab, Some(place.row)));
    let sample = Sample::read(*subject, slab, &choose(positions.len(), interest), positions)?;
    let values: Vec<f64> = sample.values().collect();
    if values.is_empty() {
        // No row is finite throughout: that is what is wrong with it.
        return wrong(findings);
    }
    if values.iter().all(|x| *x == 0.0) {
        findings.push(Finding::new(&ZERO, Cause::Zero { rows: sample.rows.len() }));
        return wrong(findings);
    }
    let boundary = interest.filter(|&row| row > 0).and_then(|row| positions.get(row));
    let context = Context {
        expected: convention,
        omega: omega(convention).unwrap_or_default(),
        compute: (case.expectation.compute, case.expectation.path),
        storage: subject.format(),
        last: positions.max(),
        boundary,
        values,
    };
    let arrangements = arrangements(*subject, convention);
    let cache = matches!(subject, Subject::Rope { .. });
    let read = |arrangement: &Arrangement| {
        let mut phasors = sample.phasors(&arrangement.convention, arrangement.wiring.as_ref())?;
        if cache && arrangement.convention.order != convention.order {
            std::mem::swap(&mut phasors.cos, &mut phasors.sin);
        }
        // From here on every rotation is counter-clockwise.
        if arrangement.convention.direction == Direction::Clockwise {
            phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
        }
        Some(phasors)
    };
    let sampled: Vec<Option<Phasors>> = arrangements.iter().map(read).collect();
    let mut explanation = None;
    // First an arrangement that needs nothing else, then everything else in each arrangement.
    for simple in [true, false] {
        for (arrangement, phasors) in arrangements.iter().zip(&sampled) {
            let Some(phasors) = phasors else { continue };
            let context = Context {
                expected: &arrangement.convention,
                omega: context.omega.clone(),
                values: context.values.clone(),
                ..context
            };
            // Something is wrong: as stated, and nothing else, explains nothing.
            let found = if simple && arrangement.findings.is_empty() {
                None
            } else if simple {
                matches(&context, phasors, &arrangement.convention)
                    .then(|| Explanation::exactly(&arrangement.convention))
            } else {
                explain(&context, phasors)
            };
            if let Some(mut found) = found {
                found.findings.splice(0..0, arrangement.findings.iter().cloned());
                let crossed = arrangement.wiring.as_ref().is_some_and(|wiring| wiring.read != wiring.write);
                if crossed || cache && arrangement.convention.order != convention.order {
                    // No convention says this: the arrays themselves are exchanged.
                    found.found = None;
                }
                explanation = explanation.or(Some(found));
                break;
            }
        }
        if explanation.is_some() {
            break;
        }
    }
    if explanation.is_none() {
        explanation = hypotheses::partial(&context, &sample, *subject);
    }
    let Some(explanation) = explanation else {
        let last = tally.last_exceeding.and_then(|place| positions.get(place.row)).unwrap_or_default();
        let beyond = (tally.exceeding - tally.not_finite, last);
        findings.push(explain::unexplained(&context, &sample, sampled[0].as_ref(), *subject, beyond));
        return wrong(findings);
    };
    findings.extend(explanation.findings);
    if explanation.degraded {
        let beyond = beyond_degraded(case, &context, findings.last())?;
        findings.extend(beyond);
        let explained = findings.iter().all(|finding| ![Code::NotFinite, Code::Unexplained].contains(&finding.code()));
        let grade = if explained { Grade::Degraded } else { Grade::Wrong };
        return Ok(Diagnosis { findings, found: Some((*convention).clone()), grade });
    }
    let Some(found) = explanation.found.filter(|_| tally.not_finite == 0) else { return wrong(findings) };
    // The sample agrees; the name is given if every entry does.
    let frequencies = omega(&found).unwrap_or_default();
    let allowance = context.allowance(&found, &frequencies);
    let all = TableComparison::new(*subject, &found, positions, &allowance)?.run()?;
    let grade = if all.exceeding == 0 { Grade::OtherConvention } else { Grade::Wrong };
    Ok(Diagnosis { findings, found: Some(found), grade })
}

/// Entries that even the precision of a finding does not explain: the sample agrees with it, and here every
/// entry is asked.
fn beyond_degraded(
    case: &Symptoms<'_>,
    context: &Context<'_>,
    last: Option<&Finding>,
) -> Result<Option<Finding>, Invalid> {
    let Some(format) = last.and_then(|finding| finding.cause.format()) else { return Ok(None) };
    let narrower = |stated: Format| if format.precision() < stated.precision() { format } else { stated };
    let computed = (narrower(context.compute.0), None);
    let Symptoms { subject, convention, positions, .. } = *case;
    let allowance = Allowance::new(convention, &context.omega, context.last, computed, narrower(context.storage));
    let all = TableComparison::new(subject, convention, positions, &allowance)?.run()?;
    let Some(place) = all.first_exceeding.filter(|_| all.exceeding > all.not_finite) else { return Ok(None) };
    let entries = all.exceeding - all.not_finite;
    Ok(Some(Finding::new(&BEYOND, Cause::Beyond { format, entries, first: entry(positions, place) })))
}

/// Where an entry stands, by its position.
fn entry(positions: &Positions, place: GridPlace) -> Entry {
    let position = positions.get(place.row).unwrap_or_default();
    Entry { position, slab: place.slab, column: place.column }
}

/// The arrangements that occur: as stated; the other layout, order or direction; for rotations also
/// read in one layout and written in the other.
fn arrangements(subject: Subject<'_>, convention: &Convention) -> Vec<Arrangement> {
    let rotation = matches!(subject, Subject::Rotation { .. });
    let cache = matches!(subject, Subject::Rope { .. });
    let layouts = if cache {
        vec![convention.layout]
    } else {
        other_last(convention.layout, [Layout::Interleaved, Layout::Halves])
    };
    let orders =
        if rotation { vec![convention.order] } else { other_last(convention.order, [Order::SinCos, Order::CosSin]) };
    let directions = other_last(convention.direction, [Direction::CounterClockwise, Direction::Clockwise]);
    let mut all = Vec::new();
    for &layout in &layouts {
        for &direction in &directions {
            for &order in &orders {
                let other = Convention { layout, direction, order, ..convention.clone() };
                let mut findings = Vec::new();
                if layout != convention.layout {
                    findings.push(Finding::new(&LAYOUT, Cause::Layout { expected: convention.layout, found: layout }));
                }
                if order != convention.order {
                    let fault = if cache { &EXCHANGED_ARRAYS } else { &ORDER };
                    findings.push(Finding::new(fault, Cause::Order { expected: convention.order, found: order }));
                }
                if direction != convention.direction {
                    let expected = convention.direction;
                    findings.push(Finding::new(&DIRECTION, Cause::Direction { expected, found: direction }));
                }
                let wiring = rotation.then(|| Wiring::new(&other));
                all.push(Arrangement { convention: other, wiring, findings });
            }
        }
    }
    if rotation {
        for (read, write) in [(Layout::Interleaved, Layout::Halves), (Layout::Halves, Layout::Interleaved)] {
            let wiring =
                Wiring { read: pairs_of(read, convention.pairs()), write: pairs_of(write, convention.pairs()) };
            let cause = Cause::ReadAndWritten { expected: convention.layout, read, written: write };
            let findings = vec![Finding::new(&READ_AND_WRITTEN, cause)];
            all.push(Arrangement { convention: convention.clone(), wiring: Some(wiring), findings });
        }
    }
    all.sort_by_key(|arrangement| arrangement.findings.len());
    all
}

fn other_last<T: PartialEq + Copy>(first: T, both: [T; 2]) -> Vec<T> {
    let mut both = both.to_vec();
    both.sort_by_key(|value| *value != first);
    both
}
