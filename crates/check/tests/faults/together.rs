//! Two faults at once, of those that can be told apart: one of the frequencies, one of the positions, one of the entries, or a
//! damaged row.

use crate::corpus::{sparse, wiring};
use crate::everywhere::named;
use crate::region::{Region, Rows};
use crate::score::{Criterion, Score, Share};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::faults::{EncodingProgram, Fault, FaultyProgram, PairRotation};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use std::collections::BTreeSet;

type Case = (&'static Fault, &'static FaultyProgram);

const FREQUENCIES: [&str; 4] = ["base 1000000", "endpoints", "origin 1", "frequencies in bf16"];
const POSITIONS: [&str; 5] = ["positions in bf16", "clamped at 255", "wrapped at 512", "offset from 256", "offset 17"];
const ENTRIES: [&str; 4] = ["amplitude", "direction", "order", "cast to bf16 and back"];

/// A subject with both faults.
fn faulty(kind: Kind, promised: &Convention, setting: &Setting, faults: [Case; 2]) -> Specimen {
    let computed = faults.iter().fold(promised.clone(), |convention, (_, case)| case.injection.convention(&convention));
    let right = EncodingProgram::<f64>::single(&computed);
    let program = faults.iter().fold(right, |program, (_, case)| case.injection.alter(&computed, program));
    let how = PairRotation::new(wiring(promised.layout, promised.pairs()));
    Specimen::new(kind, promised, setting, &program.run(promised.pairs(), &setting.positions), &how)
}

/// True if each of two codes' faults is among the codes found.
fn score(sheet: &mut Score, label: &str, specimen: &Specimen, expected: [&BTreeSet<&str>; 2]) {
    let report = specimen.check();
    let found: Vec<&str> = report.findings.iter().map(|finding| finding.code().name()).collect();
    sheet.add(Criterion::Noticed, label, !report.conforms, "");
    let first = found.first().is_some_and(|first| expected.iter().any(|codes| codes.contains(first)));
    sheet.add(Criterion::FirstTrue, label, first, found.first().unwrap_or(&"no finding"));
    sheet.add_statements(label, specimen, &specimen.exceeding(&report), &report);
    let all = expected.iter().all(|codes| found.iter().any(|code| codes.contains(code)));
    sheet.add(Criterion::AllNamed, label, all, found.join(", "));
}

/// The codes under which a fault is known.
fn codes((fault, case): Case) -> BTreeSet<&'static str> {
    case.also.iter().chain([&fault.code]).map(|code| code.name()).collect()
}

#[test]
fn pairs_of_faults() {
    of(Share::OneIn(5)).settle(&REQUIRED);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_pairs_of_faults"]
fn all_pairs_of_faults() {
    of(Share::All).settle(&REQUIRED);
}

/// Criteria that have to hold, of all cases or of most; the sheets name the others.
const REQUIRED: [(Criterion, f64); 4] =
    [(Criterion::Noticed, 1.0), (Criterion::FirstTrue, 1.0), (Criterion::AllNamed, 0.8), (Criterion::Placed, 1.0)];

fn of(share: Share) -> Score {
    let mut sheet = Score::new("pairs of faults", share);
    let setting = Setting { name: "sparse to 5000", positions: sparse(5000), format: Format::F32, heads: 1 };
    let steps = [&FREQUENCIES[..], &POSITIONS, &ENTRIES];
    for kind in Kind::ALL {
        let promised = kind.convention(64);
        let shown = |name: &str| match name {
            "order" => kind == Kind::Table,
            // Entries of cosines and sines do not show in vectors one by one.
            "cast to bf16 and back" => kind != Kind::Rotation,
            _ => true,
        };
        for (place, one) in steps.iter().enumerate() {
            for other in &steps[place + 1..] {
                for (one, other) in one.iter().flat_map(|one| other.iter().map(move |other| (*one, *other))) {
                    if shown(one) && shown(other) && sheet.takes_next() {
                        let pair = [one, other].map(named);
                        let specimen = faulty(kind, &promised, &setting, pair);
                        let expected = pair.map(codes);
                        score(
                            &mut sheet,
                            &format!("{one} and {other} ({kind:?})"),
                            &specimen,
                            [&expected[0], &expected[1]],
                        );
                    }
                }
            }
            // A row beside it whose entries are wrong by themselves.
            for one in one.iter().filter(|one| shown(one)) {
                if !sheet.takes_next() {
                    continue;
                }
                let mut specimen = faulty(kind, &promised, &setting, [named(one), named(one)]);
                let row = setting.positions.len() - 9;
                let region = Region { rows: Some(Rows { from: row, to: row + 1, stride: 1 }), ..Region::default() };
                specimen.overwrite(&region, 5.0);
                let expected = [codes(named(one)), BTreeSet::from(["local"])];
                score(&mut sheet, &format!("{one} and one row ({kind:?})"), &specimen, [&expected[0], &expected[1]]);
            }
        }
    }
    sheet
}
