//! Conventions of one axis, stated as conventions of axes: the judgement is the same.

use crate::specimen::Specimen;
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Code, Finding, Report, Status};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Axis, Coordinates};
use posproof_numerics::Rational;

/// The law of what a specimen promises, and its positions, one a row.
fn stated(specimen: &Specimen) -> (AxialLaw, Coordinates) {
    let positions = &specimen.setting.positions;
    let last = positions.iter().copied().max().unwrap_or(0);
    let convention = specimen.promised.clone().for_length(last + 1);
    let pairs = format!("0..{}", convention.pairs()).parse().expect("slots");
    let convention = AxialConvention { axes: vec![Axis::new("t", pairs)], ..AxialConvention::from(&convention) };
    let rows: Vec<_> = positions.iter().map(|&position| Some(vec![Rational::from(position as i64)])).collect();
    let law = convention.law(|name| Err(format!("{name} is not stored"))).expect("a convention");
    (law, Coordinates::exact(&rows, 1).expect("rows"))
}

/// The judgement of a specimen whose convention is stated with one axis.
pub fn restated(specimen: &Specimen) -> AxialReport {
    let (law, coordinates) = stated(specimen);
    specimen.with(|subject| check_axes(subject, &AxialExpectation::new(&law, &coordinates))).expect("a judgement")
}

/// The difference of the two judgements; none where grade, findings, their counts and the worst error are the same. Findings are compared where
/// the first statement has explained the entries: the second may explain more.
pub fn differs(specimen: &Specimen, report: &Report) -> Option<String> {
    let other = restated(specimen);
    let told = |findings: &[Finding]| -> Vec<(Code, Status, u64)> {
        findings.iter().map(|finding| (finding.code(), finding.status, finding.explains.entries)).collect()
    };
    if other.grade.conforms() != report.conforms || other.statistics.exceeding != report.statistics.exceeding {
        return Some(format!("{:?}, {} beyond the bound", other.grade, other.statistics.exceeding));
    }
    if report.findings.first().is_some_and(|finding| finding.status == Status::Unexplained) {
        return None;
    }
    let alike = other.grade == report.grade
        && told(&other.findings) == told(&report.findings)
        && other.mend.is_some() == report.mend.is_some()
        && other.worst.as_ref().map(|worst| worst.error.to_bits())
            == report.worst.as_ref().map(|worst| worst.error.to_bits());
    (!alike).then(|| format!("{:?} {:?}", other.grade, told(&other.findings)))
}
