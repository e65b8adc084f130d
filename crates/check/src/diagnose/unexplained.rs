//! Where nothing near the stated convention explains what is wrong: another convention, or what was measured.

use super::super::compare::ComparedScopes;
use super::super::faults::{
    AMPLITUDE, ANGLES_SCALED, Cause, DIFFERENT_CACHES, DIRECTION, Explained, FIRST_POSITION, FREQUENCIES_SCALED,
    FREQUENCY_ORIGIN, FREQUENCY_SPACING, Fault, Finding, LAYOUT, Lengths, NO_COMMON_ANGLE, NOT_OF_X, ORDER, OTHER_BASE,
    OTHER_RULE, ProductsCause, REPEATED, Region, Status, UNEXPLAINED,
};
use super::super::subject::Subject;
use super::super::totals::PartStatistics;
use super::super::{Grade, Invalid};
use super::hypothesis::Named;
use super::sampled::SampledVectors;
use super::search::Search;
use super::symptoms::{Diagnosis, Symptoms};
use super::{gain, measured as law, mixed, readings};
use posproof_encoding::convention::{Convention, Encoding};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;

/// Faults that distinguish one convention from another.
pub fn differences(expected: &Convention, found: &Convention) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    let both = || Cause::Convention { expected: Box::new(expected.clone()), found: Box::new(found.clone()) };
    if expected.layout != found.layout && (expected.encoding == Encoding::Sinusoid || expected.dim == found.dim) {
        all.push((&LAYOUT, Cause::Layout { expected: expected.layout, found: found.layout }));
    }
    if expected.order != found.order {
        all.push((&ORDER, Cause::Order { expected: expected.order, found: found.order }));
    }
    if expected.direction != found.direction {
        all.push((&DIRECTION, Cause::Direction { expected: expected.direction, found: found.direction }));
    }
    if expected.base != found.base {
        let measured = found.base.value().to_f64();
        let cause = Cause::Base { expected: expected.base.clone(), found: found.base.clone(), measured };
        all.push((&OTHER_BASE, cause));
    }
    match (&expected.scaling, &found.scaling) {
        (expected, found) if expected == found => (),
        (None, Some(Scaling::Linear { factor })) => {
            let by = factor.value().clone().recip();
            all.push((&FREQUENCIES_SCALED, Cause::Scaled { ratio: by.to_f64(), by: Real::from(by) }));
        }
        _ => all.push((&OTHER_RULE, both())),
    }
    if expected.frequency_spacing != found.frequency_spacing {
        all.push((&FREQUENCY_SPACING, both()));
    }
    if expected.frequency_origin != found.frequency_origin {
        all.push((&FREQUENCY_ORIGIN, both()));
    }
    if expected.position_offset != found.position_offset {
        let by = found.position_offset.value() - expected.position_offset.value();
        all.push((&FIRST_POSITION, Cause::Shifted { by: by.to_f64() }));
    }
    if expected.position_scale != found.position_scale && !expected.position_scale.is_zero() {
        let by = found.position_scale.value() / expected.position_scale.value();
        all.push((&ANGLES_SCALED, Cause::Scaled { ratio: by.to_f64(), by: Real::from(by) }));
    }
    if expected.amplitude != found.amplitude {
        let value = |convention: &Convention| convention.gain().enclose(64).approximate();
        all.push((&AMPLITUDE, Cause::Amplitude { expected: value(expected), found: value(found) }));
    }
    all
}

/// The convention that the entries follow, with no expectation.
pub fn identified(
    case: &Symptoms<'_>,
    (entries, of): (u64, u64),
    region: &Region,
) -> Result<Option<Diagnosis>, Invalid> {
    let Some(found) = (case.identified)()? else { return Ok(None) };
    let finding = |(fault, cause): Named| Finding {
        fault,
        cause,
        explains: Explained { entries, of },
        region: Some(region.clone()),
        status: Status::Confirmed,
        confined: false,
    };
    let findings: Vec<Finding> = differences(case.convention, &found).into_iter().map(finding).collect();
    let grade = if findings.is_empty() { Grade::Wrong } else { Grade::OtherConvention };
    Ok((!findings.is_empty()).then_some(Diagnosis { findings, found: Some(found), grade }))
}

fn unconfirmed(search: &Search<'_, '_>, (fault, cause): Named, entries: u64) -> Diagnosis {
    let finding = Finding {
        fault,
        cause,
        explains: Explained { entries, of: search.beyond().1 },
        region: Some(search.region.clone()),
        status: Status::Unexplained,
        confined: false,
    };
    Diagnosis { findings: vec![finding], found: None, grade: Grade::Wrong }
}

/// A measurement that explains every entry.
fn of_all(search: &Search<'_, '_>, named: Named) -> Diagnosis {
    let mut diagnosis = unconfirmed(search, named, search.beyond().0);
    diagnosis.findings.iter_mut().for_each(|finding| finding.status = Status::Confirmed);
    diagnosis
}

/// A norm before the rotation, or after it.
pub fn normalised(search: &Search<'_, '_>) -> Result<Option<Diagnosis>, Invalid> {
    Ok(mixed::norm_of_one_axis(search.context)?.map(|named| of_all(search, named)))
}

/// Frequencies of any kind, measured pair by pair: they explain nothing.
pub fn rule(search: &Search<'_, '_>) -> Result<Option<Diagnosis>, Invalid> {
    let at = search.context;
    let Some(phasors) = readings::phasors(at, search.sample) else { return Ok(None) };
    let unit = phasors.divided(at.expected.gain().enclose(64).approximate());
    let Some(estimates) = at.frequencies(&unit) else { return Ok(None) };
    let Some(hypothesis) = law::other_rule(at, &estimates).filter(|rule| at.fits(&unit, rule)) else { return Ok(None) };
    let explained =
        at.compare(&hypothesis, |other| search.case.comparison.explained_by(other, search.everything()))?.explained;
    Ok(hypothesis.named.into_iter().next_back().map(|named| unconfirmed(search, named, explained)))
}

/// Measurements where nothing explains: lengths that vary, or the frequencies that were measured.
pub fn measured(search: &Search<'_, '_>) -> Result<Diagnosis, Invalid> {
    let context = search.context;
    if let Some(named) = mixed::matrix_of_one_axis(context)? {
        return Ok(of_all(search, named));
    }
    let stated = readings::phasors(context, search.sample);
    let [first, _] = search.region.positions.unwrap_or_default();
    let lengths = stated.as_ref().filter(|phasors| phasors.cos.is_some() && phasors.sin.is_some());
    if lengths.is_none_or(|phasors| gain::length(phasors).is_none()) && (lengths.is_some() || stated.is_none()) {
        let (fault, of): (&'static Fault, Lengths) = match context.subject {
            Subject::Rotation { .. } => (&NOT_OF_X, Lengths::Rotation),
            _ if context.expected.encoding == Encoding::Rope => (&DIFFERENT_CACHES, Lengths::Cache),
            _ => (&NO_COMMON_ANGLE, Lengths::Table),
        };
        return Ok(unconfirmed(search, (fault, Cause::Lengths { of, first }), 0));
    }
    let findings = vec![rest(search, search.region, search.beyond().0)];
    Ok(Diagnosis { findings, found: None, grade: Grade::Wrong })
}

/// The measurement of rotations one after the other: every entry is within so many bounds, a few hundred at most, and entries are
/// beyond one in most pairs and decades of positions, alike. Differences with a pattern are no such roundings.
pub fn repeated(search: &Search<'_, '_>) -> Result<Option<Diagnosis>, Invalid> {
    let tally = search.case.tally;
    let rotation = matches!(search.context.subject, Subject::Rotation { .. });
    // What is off by half a vector's length is not off by roundings: a bound has 13/2 of them.
    let unit = 6.5 * search.context.storage.unit_roundoff();
    let few = |ratio: &f64| rotation && *ratio <= 256.0 && *ratio * unit <= 0.5 && tally.not_finite == 0;
    let Some(worst) = tally.worst.map(|worst| worst.ratio()).filter(few) else { return Ok(None) };
    // Few entries do not show their largest error.
    let told = |part: &&PartStatistics| part.entries >= 64;
    let alike = |part: &PartStatistics| part.max_ratio >= (worst / 16.0).max(1.0);
    let most = |parts: &[PartStatistics]| {
        let told: Vec<&PartStatistics> = parts.iter().filter(told).collect();
        told.len() > 1 && 4 * told.iter().filter(|part| alike(part)).count() >= 3 * told.len()
    };
    let cause = ProductsCause::Repeated { times: worst.ceil() as u64 }.into();
    let all = most(&tally.pairs) && most(&tally.decades);
    let systematic = || {
        let vectors = SampledVectors::read(search.context, search.sample)?;
        Ok::<bool, Invalid>(vectors.are_systematic(search.context.expected.layout))
    };
    Ok((all && !systematic()?).then(|| unconfirmed(search, (&REPEATED, cause), 0)))
}

/// Entries that nothing explains, with the frequencies that were measured.
pub fn rest(search: &Search<'_, '_>, region: &Region, entries: u64) -> Finding {
    let context = search.context;
    let frequencies = readings::phasors(context, search.sample).and_then(|phasors| {
        let measured = context.frequencies(&phasors)?;
        Some(law::deviations(context, &measured))
    });
    let [first, last] = region.positions.unwrap_or_default();
    Finding {
        fault: &UNEXPLAINED,
        cause: Cause::Unexplained { entries, first, last, frequencies },
        explains: Explained { entries: 0, of: search.beyond().1 },
        region: Some(region.clone()),
        status: Status::Unexplained,
        confined: false,
    }
}
