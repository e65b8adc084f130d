//! Faults of a part: one entry, row, column, pair or head, a block or a stride of rows, from 1.5 times the bound to gross.

use crate::corpus::sparse;
use crate::region::{Region, regions};
use crate::score::{Criterion, Score, Share};
use crate::sentences::covers;
use crate::several::{Order, in_order};
use crate::specimen::{Entry, Kind, Setting, Specimen};
use posproof_check::{Code, Finding, probe};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use std::collections::BTreeSet;

/// Sizes of entries' errors.
#[derive(Clone, Copy, Debug)]
enum Size {
    /// So many times the bound, one way or the other.
    Bounds(f64),
    /// Other numbers, of magnitude 1/2 to 3/2.
    Gross,
    /// Zeros, where zero is not within the bound.
    Zero,
    /// No numbers.
    NotANumber,
}

const SIZES: [Size; 7] = [
    Size::Bounds(1.5),
    Size::Bounds(3.0),
    Size::Bounds(30.0),
    Size::Bounds(3000.0),
    Size::Gross,
    Size::Zero,
    Size::NotANumber,
];

/// The neighbour of a number of a format that lies further up or down.
fn beyond(format: Format, x: f64, up: bool) -> f64 {
    let nearest = format.round(x);
    if (up && nearest >= x) || (!up && nearest <= x) {
        return nearest;
    }
    // A unit in the last place and a half is enough to round to the next number.
    let step = (1.5 * x.abs() * 2.0 * format.unit_roundoff()).max(format.min_positive());
    format.round(if up { x + step } else { x - step })
}

/// Makes the entries of a region wrong; how many are.
fn damage(specimen: &mut Specimen, region: &Region, size: Size) -> usize {
    let (expected, format) = (specimen.expected(), specimen.setting.format);
    let entries: Vec<_> = specimen.entries().into_iter().filter(|entry| region.contains(&entry.place)).collect();
    let mut damaged = 0;
    for (entry, number) in entries.iter().zip(probe::vectors(format, entries.len())) {
        let right = expected[entry.array][entry.index];
        let wrong = match size {
            Size::Bounds(times) => beyond(format, right.exact + number.signum() * times * right.bound, number > 0.0),
            Size::Gross => number,
            Size::Zero => 0.0,
            Size::NotANumber => f64::NAN,
        };
        // What happens to be right stays as it is.
        if wrong.is_nan() || (wrong - right.exact).abs() > 1.4 * right.bound {
            specimen.judged[entry.array][entry.index] = wrong;
            damaged += 1;
        }
    }
    damaged
}

/// Subjects to damage, with their names.
pub fn specimens() -> Vec<(String, Specimen)> {
    let settings = [
        (64, Format::F32, 1, "sparse to 5000", sparse(5000)),
        (32, Format::Bf16, 1, "400 rows", (0..400).collect()),
        (128, Format::F32, 1, "every 16th to 4784", (0..300).map(|i| 16 * i).collect()),
        (64, Format::F16, 2, "100000 to 100199", (100_000..100_200).collect()),
        (16, Format::F64, 4, "150 rows", (0..150).collect()),
    ];
    let mut all = Vec::new();
    for (place, (dim, format, heads, name, positions)) in settings.into_iter().enumerate() {
        for kind in Kind::ALL {
            let layout = if place % 2 == 0 { Layout::Halves } else { Layout::Interleaved };
            let promised = Convention { layout, ..kind.convention(dim) };
            let setting = Setting { name, positions: positions.clone(), format, heads };
            let label = format!("{kind:?}, dim {dim}, {name}, {heads} heads, {format}");
            all.push((label, Specimen::right(kind, &promised, &setting)));
        }
    }
    all
}

#[test]
fn local_faults() {
    // Shares no factor with the numbers of shapes and sizes.
    of(Share::OneIn(23)).settle(&REQUIRED);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_local_faults"]
fn all_local_faults() {
    of(Share::All).settle(&REQUIRED);
}

/// Criteria that have to hold, of all cases or of most; the sheets name the others.
const REQUIRED: [(Criterion, f64); 4] =
    [(Criterion::Noticed, 1.0), (Criterion::Located, 0.95), (Criterion::NothingGlobal, 1.0), (Criterion::Placed, 1.0)];

fn of(share: Share) -> Score {
    let mut sheet = Score::new("local faults", share);
    let mut number = 0;
    for (label, right) in specimens() {
        assert!(right.check().conforms, "{label}");
        for size in SIZES {
            for (shape, region) in regions(&right, number) {
                number += 1;
                if !sheet.takes_next() {
                    continue;
                }
                let mut specimen = right.clone();
                let damaged = damage(&mut specimen, &region, size);
                if damaged == 0 {
                    sheet.leave_out("because every entry of the region is within 1.4 bounds");
                    continue;
                }
                let label = format!("{shape}, {size:?} ({label})");
                let report = specimen.check();
                sheet.add(Criterion::Noticed, &label, !report.conforms, "");
                assert_eq!(report.statistics.exceeding, damaged as u64, "{label}\n{report}");
                let beyond = specimen.exceeding(&report);
                let exceeding: BTreeSet<(usize, usize)> =
                    beyond.beyond.iter().map(|entry| (entry.array, entry.index)).collect();
                let all = specimen.entries();
                let named = |finding: &Finding| -> Vec<&Entry> {
                    all.iter().filter(|entry| covers(finding, &entry.place)).collect()
                };
                let inside = |finding: &Finding| named(finding).iter().all(|entry| region.contains(&entry.place));
                let exact = report.findings.first().is_some_and(|finding| {
                    let named = named(finding).iter().map(|entry| (entry.array, entry.index)).collect();
                    inside(finding) && exceeding.is_subset(&named)
                });
                let found = |finding: &Finding| format!("{} at {}", finding.code(), place(finding));
                let first = report.findings.first().map_or("no finding".to_owned(), found);
                sheet.add(Criterion::Located, &label, exact, first);
                let larger = report.findings.iter().find(|finding| !inside(finding));
                sheet.add(Criterion::NothingGlobal, &label, larger.is_none(), larger.map_or(String::new(), found));
                sheet.add_statements(&label, &specimen, &beyond, &report);
            }
        }
    }
    sheet
}

/// Where a finding is.
fn place(finding: &Finding) -> String {
    finding.region.as_ref().map_or("no place".to_owned(), ToString::to_string)
}

/// Entries that depart by themselves are told as that in whatever order the rows stand. Zeros are also those of rows without a position.
#[test]
fn local_faults_of_rows_in_another_order() {
    let (mut number, mut compared) = (0, 0);
    for (label, right) in specimens() {
        for size in SIZES {
            for (shape, region) in regions(&right, number) {
                number += 1;
                let mut specimen = right.clone();
                if number % 29 != 0 || damage(&mut specimen, &region, size) == 0 {
                    continue;
                }
                let order = if number % 2 == 0 { Order::Falling } else { Order::InTurn };
                let (one, other) = (specimen.check(), in_order(&specimen, order));
                let codes = [one.first_code(), other.first_code()];
                let null = matches!(size, Size::Zero) && codes[1] == Some(Code::NullRow);
                assert!(codes[0] == codes[1] || null, "{shape}, {size:?} ({label}, {order:?})\n{one}\n{other}");
                assert_eq!(one.statistics.exceeding, other.statistics.exceeding, "{shape}, {size:?} ({label})");
                compared += 1;
            }
        }
    }
    assert!(compared >= 25, "{compared}");
}
