//! Entries that are not finite beside others that are wrong: each kind is counted and placed without the other.

use crate::everywhere::{faulty, named};
use crate::local::specimens;
use crate::region::regions;
use crate::sentences::is_smallest;
use crate::specimen::{Entry, Specimen};
use posproof_check::{Cause, Code, Finding, Report, Status};

/// Entries beyond their bounds: those that are not finite, and the others.
fn parts(specimen: &Specimen, report: &Report) -> [Vec<Entry>; 2] {
    let beyond = specimen.exceeding(report).beyond;
    let (finite, strange) = beyond.into_iter().partition(|entry| specimen.value(entry).is_finite());
    [strange, finite]
}

/// False statements of a report on the one or on the other.
fn false_of(specimen: &Specimen, report: &Report) -> Option<String> {
    let [strange, finite] = parts(specimen, report);
    let of = (strange.len() + finite.len()) as u64;
    let is_false = |finding: &Finding| {
        let part = if finding.code() == Code::NotFinite { &strange } else { &finite };
        let (count, explains) = (part.len() as u64, finding.explains);
        let stated = match &finding.cause {
            Cause::NotFinite { count, .. } | Cause::Apart { entries: count, .. } => *count,
            _ => explains.entries,
        };
        let placed = finding.region.as_ref().is_some_and(|region| is_smallest(specimen, region, part));
        explains.of != of
            || explains.entries > count
            || stated != explains.entries
            || explains.entries == count && !placed
    };
    report.findings.iter().find(|finding| is_false(finding)).map(ToString::to_string)
}

/// Local faults of every shape, with an entry before or after them that is not finite.
#[test]
fn local_faults_are_placed_without_what_is_not_finite() {
    let mut judged = 0;
    for (number, (label, right)) in specimens().into_iter().enumerate() {
        let rows = right.setting.positions.len();
        // A half of the regions for each subject, by turns.
        for (place, (shape, region)) in regions(&right, number).into_iter().enumerate().skip(number % 2).step_by(2) {
            let mut specimen = right.clone();
            specimen.overwrite(&region, 1.625);
            let outside = |entry: &&Entry| {
                let edge = if place / 2 % 2 == 0 { rows - 1 } else { 0 };
                entry.place.row == edge && !region.contains(&entry.place)
            };
            let Some(strange) = specimen.entries().iter().find(outside).copied() else { continue };
            specimen.judged[strange.array][strange.index] = if place % 3 == 0 { f64::INFINITY } else { f64::NAN };
            let report = specimen.check();
            let codes: Vec<Code> = report.findings.iter().map(Finding::code).collect();
            assert_eq!(codes.first(), Some(&Code::NotFinite), "{shape}, {label}\n{report}");
            assert!(codes.len() > 1, "{shape}, {label}\n{report}");
            assert_eq!(false_of(&specimen, &report), None, "{shape}, {label}\n{report}");
            judged += 1;
        }
    }
    assert!(judged > 60, "{judged} cases");
}

/// Other conventions are found as without such an entry, in the rows that they are found in then.
#[test]
fn other_faults_are_found_beside_what_is_not_finite() {
    for (label, right) in specimens() {
        for name in ["base 1000000", "offset 17"] {
            let specimen = faulty(right.kind, named(name).1, &right.promised, &right.setting);
            let mut strange = specimen.clone();
            strange.judged[0][0] = f64::NAN;
            let (report, alone) = (strange.check(), specimen.check());
            let [first, others @ ..] = &report.findings[..] else { panic!("{name}, {label}\n{report}") };
            assert_eq!((first.code(), first.status), (Code::NotFinite, Status::Confirmed), "{name}, {label}\n{report}");
            let codes = |findings: &[Finding]| findings.iter().map(Finding::code).collect::<Vec<_>>();
            assert_eq!(codes(others), codes(&alone.findings), "{name}, {label}\n{report}\n{alone}");
            assert_eq!(false_of(&strange, &report), None, "{name}, {label}\n{report}");
        }
    }
}
