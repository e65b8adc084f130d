//! Statements of a finding are computed again from the entries themselves: how many it explains, where they are, and
//! the program that its figures describe.

use crate::corpus::wiring;
use crate::specimen::{Entry, Exceeding, Place, Specimen};
use posproof_check::faults::{EncodingProgram, EntryFault, FrequencyFault, Injection, PairRotation};
use posproof_check::{Cause, Code, Finding, Region, Report, Status};
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention};
use std::collections::BTreeSet;

/// True if a finding's region has an entry; without a region it is about the whole.
pub fn covers(finding: &Finding, place: &Place) -> bool {
    finding.region.as_ref().is_none_or(|region| has(region, place))
}

fn has(region: &Region, place: &Place) -> bool {
    let pair = match (region.pairs, place.pair) {
        (Some(pairs), Some(pair)) => pairs.contains(pair),
        (pairs, _) => pairs.is_none(),
    };
    region.rows.contains(place.row)
        && region.heads.contains(place.head)
        && pair
        && region.component.is_none_or(|component| component == place.component)
}

/// False counts and places of the findings.
pub fn misplaced(specimen: &Specimen, beyond: &Exceeding, report: &Report) -> Option<String> {
    report.findings.iter().find_map(|finding| {
        let Finding { explains, region, .. } = finding;
        let (exact, unsure) = (beyond.beyond.len() as u64, beyond.undecided as u64);
        if !(exact..=exact + unsure).contains(&explains.of) {
            return Some(format!("of {} entries, not {exact}", explains.of));
        }
        let covered = beyond.beyond.iter().filter(|entry| covers(finding, &entry.place)).count() as u64;
        if explains.entries > covered + unsure {
            return Some(format!("{} entries where there are {covered}", explains.entries));
        }
        // All of them: the region is the smallest that has them.
        if let (true, Some(region)) = (explains.entries == exact && unsure == 0, region)
            && !is_smallest(specimen, region, &beyond.beyond)
        {
            return Some(format!("not the smallest region: {region}"));
        }
        None
    })
}

/// True if a region is the smallest that has these entries.
pub fn is_smallest(specimen: &Specimen, region: &Region, entries: &[Entry]) -> bool {
    let numbers = |of: &dyn Fn(&Place) -> Option<usize>| {
        entries.iter().filter_map(|entry| of(&entry.place)).collect::<BTreeSet<usize>>()
    };
    let ends = |numbers: &BTreeSet<usize>| (numbers.first().copied(), numbers.last().copied(), numbers.len());
    let span = |span: &posproof_check::Span| (Some(span.first), Some(span.last), span.count);
    let (rows, heads) = (numbers(&|place| Some(place.row)), numbers(&|place| Some(place.head)));
    let pairs = numbers(&|place| place.pair);
    let components: BTreeSet<bool> = entries.iter().map(|entry| entry.place.component == Component::Cos).collect();
    ends(&rows) == span(&region.rows)
        && ends(&heads) == span(&region.heads)
        && region.pairs.is_none_or(|region| ends(&pairs) == span(&region))
        && region.component.is_some() == (components.len() == 1 && region.pairs.is_some())
        && Some([region.rows.first, region.rows.last].map(|row| specimen.setting.positions[row])) == region.positions
}

/// The kind of a cause: its name.
pub fn kind(cause: &Cause) -> String {
    format!("{cause:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// True if the only finding's sentence is true of every entry of its region, and elsewhere the entries are right. None where
/// there are several findings, or the sentence describes no program.
pub fn is_true(specimen: &Specimen, beyond: &Exceeding, report: &Report) -> Option<bool> {
    let [finding] = &report.findings[..] else { return None };
    let entries = beyond.beyond.len();
    match &finding.cause {
        Cause::NotFinite { count, entries, first } => {
            let all = specimen.entries();
            let bad: Vec<_> = all.iter().filter(|entry| !specimen.value(entry).is_finite()).collect();
            let position = bad.first().map(|entry| specimen.setting.positions[entry.place.row]);
            let least = bad.iter().map(|entry| specimen.setting.positions[entry.place.row]).min();
            let placed = [position, least].contains(&Some(first.position));
            return Some(*count == bad.len() as u64 && *entries == all.len() as u64 && placed);
        }
        Cause::Apart { entries: stated, others, silent } => {
            let all = specimen.entries().len() as u64;
            let judged = all - report.information.uninformative.min(all - stated);
            return Some(*stated == entries as u64 && *others == judged - stated && *silent == all - judged);
        }
        Cause::Unexplained { entries: stated, first, last, .. } => {
            let rows = beyond.beyond.iter().map(|entry| specimen.setting.positions[entry.place.row]);
            let ends = (rows.clone().min(), rows.max());
            return Some(*stated == entries as u64 && ends == (Some(*first), Some(*last)));
        }
        _ => {}
    }
    let promised =
        specimen.promised.clone().for_length(specimen.setting.positions.iter().max().map_or(0, |last| last + 1));
    // What is rounded to a narrow format may be rounded from a number of binary32 or from the exact one.
    let programs = [EncodingProgram::single, EncodingProgram::exact].map(|right| described(&promised, finding, right));
    let mut any = None;
    for described in programs {
        let (convention, program, how) = described?;
        let holds = specimen.follows(&convention, &program, &how, |place| !finding.confined || covers(finding, place));
        any = Some(any.unwrap_or(false) || holds);
    }
    // A part of the entries is explained: then not all of them need be.
    any.map(|any| any == (finding.status == Status::Confirmed))
}

/// A convention, a program for it and how it turns vectors.
type Described = (Convention, EncodingProgram<'static, f64>, PairRotation);

/// The program that a finding's figures describe.
fn described(
    promised: &Convention,
    finding: &Finding,
    right: fn(&Convention) -> EncodingProgram<'static, f64>,
) -> Option<Described> {
    let how = PairRotation::new(wiring(promised.layout, promised.pairs()));
    let of = |convention: Convention| {
        let how = PairRotation::new(wiring(convention.layout, convention.pairs()));
        Some((convention.clone(), right(&convention), how))
    };
    let step = |injection: Injection| Some((promised.clone(), injection.alter(promised, right(promised)), how.clone()));
    let law = Law::new(promised);
    let at = |map: Box<dyn Fn(f64) -> f64>| {
        let law = law.clone();
        let position = move |p: u64| law.sense() * law.effective(map(p as f64));
        Some((promised.clone(), EncodingProgram { position: Box::new(position), ..right(promised) }, how.clone()))
    };
    let entries = |map: Box<dyn Fn(f64, f64) -> (f64, f64)>| {
        let EncodingProgram { frequency, position, angle, entry } = right(promised);
        let entry = move |angle: &f64, p, k| {
            let (cos, sin) = entry(angle, p, k);
            map(cos, sin)
        };
        Some((promised.clone(), EncodingProgram { frequency, position, angle, entry: Box::new(entry) }, how.clone()))
    };
    let code = finding.code();
    match finding.cause.clone() {
        Cause::Convention { found, .. } => of(*found),
        Cause::Base { found, .. } if code == Code::FrequencyScaling => {
            of(Convention { base: found, scaling: None, ..promised.clone() })
        }
        Cause::Base { found, .. } => of(Convention { base: found, ..promised.clone() }),
        Cause::Layout { found, .. } => of(Convention { layout: found, ..promised.clone() }),
        Cause::ReadAndWritten { read, written, .. } => {
            let pairs = promised.pairs();
            let how = PairRotation { write: wiring(written, pairs), ..PairRotation::new(wiring(read, pairs)) };
            Some((promised.clone(), right(promised), how))
        }
        Cause::InPlace => Some((promised.clone(), right(promised), PairRotation { in_place: true, ..how })),
        Cause::Order { .. } => entries(Box::new(|cos, sin| (sin, cos))),
        Cause::Direction { .. } => entries(Box::new(|cos, sin| (cos, -sin))),
        Cause::Negated => entries(Box::new(|cos, sin| (-cos, -sin))),
        Cause::Zero => entries(Box::new(|_, _| (0.0, 0.0))),
        Cause::Multiplied { by } => entries(Box::new(move |cos, sin| (by * cos, by * sin))),
        Cause::Amplitude { expected, found } => {
            entries(Box::new(move |cos, sin| (cos * found / expected, sin * found / expected)))
        }
        Cause::AlternatingRows => step(Injection::Entries(EntryFault::ParityOfRows)),
        Cause::ReducedInSingle => step(Injection::Entries(EntryFault::FastMath)),
        Cause::PerToken { .. } => step(Injection::Entries(EntryFault::PerToken)),
        Cause::Narrowed { format, .. } => step(Injection::Entries(EntryFault::Rounded(format))),
        Cause::Rounded { format, .. } if code == Code::LowPrecisionFrequencies => {
            step(Injection::Frequencies(FrequencyFault::Rounded(format)))
        }
        Cause::RoundedPositions { format } => at(Box::new(move |p| format.round(p).min(format.max_finite()))),
        Cause::Denominator { found, .. } if found == promised.dim => {
            step(Injection::Frequencies(FrequencyFault::WholeDimension))
        }
        Cause::Frequencies { found } => {
            let frequency = move |k: usize| found.get(k).copied().unwrap_or(0.0);
            Some((promised.clone(), EncodingProgram { frequency: Box::new(frequency), ..right(promised) }, how))
        }
        Cause::QuotientRaised => step(Injection::Entries(EntryFault::QuotientRaised)),
        Cause::PairFrequency { pair, found, .. } => {
            let EncodingProgram { frequency, position, angle, entry } = right(promised);
            let frequency = move |k| if k == pair { found } else { frequency(k) };
            Some((promised.clone(), EncodingProgram { frequency: Box::new(frequency), position, angle, entry }, how))
        }
        Cause::OnePosition { position } => at(Box::new(move |_| position)),
        Cause::Shifted { by } => at(Box::new(move |p| p + by)),
        Cause::ShiftedFrom { from, by } => at(Box::new(move |p| if p < from as f64 { p } else { p + by })),
        // Every angle is 0.
        Cause::Unrotated { from } => {
            let origin = law.position(0.0);
            at(Box::new(move |p| if p < from as f64 { p } else { origin }))
        }
        Cause::Clamped { from, position } => at(Box::new(move |p| if p < from as f64 { p } else { position })),
        Cause::Wrapped { from } => at(Box::new(move |p| p % from as f64)),
        Cause::Scaled { by, .. } => {
            let by = by.value().to_f64();
            let (law, position) = (law.clone(), law.clone());
            at(Box::new(move |p| position.position(by * law.effective(p))))
        }
        _ => None,
    }
}
