//! One page of all bounds for all inputs: claim, format, domain, bound, largest error found, ratio.

use posproof::claim::Ledger;
use posproof::evidence::settle::SystemName;
use posproof::evidence::uniform::{APART, EVERY, ORIGIN, UniformBound, bounds};
use posproof::evidence::{Effort, Entry};
use posproof::report::uniform::{CAPTION, origins, table};

/// Rows, and the claims that they are of.
type Rows = Vec<(&'static dyn Entry, Vec<UniformBound>)>;

/// Claims of the documents that have a bound which says something, at least.
const FEWEST_CLAIMS: usize = 55;

/// Those of later claims first: the tests beside this one begin with the first ones, and what both ask for is computed once.
fn all_rows() -> Rows {
    let systems = [SystemName::F32, SystemName::Bf16, SystemName::F16, SystemName::F64];
    let rows = |entry: &'static dyn Entry| {
        let of = |system| bounds(entry, system, Effort::Standard).iter().cloned().collect::<Vec<_>>();
        (entry, systems.into_iter().flat_map(of).collect())
    };
    let mut all: Rows = posproof::claims::all().into_iter().rev().map(rows).collect();
    all.reverse();
    all
}

fn says_something(row: &&UniformBound) -> bool {
    row.bound.is_some() && !row.vacuous
}

/// Claims of the documents with a bound that says something.
fn claims(all: &Rows) -> usize {
    let says = |(entry, rows): &&(&dyn Entry, Vec<UniformBound>)| {
        entry.about().ledger() == Some(Ledger::Documents) && rows.iter().any(|row| says_something(&row))
    };
    all.iter().filter(says).count()
}

/// Claims with a bound that says something, and the middle and largest bound ÷ found in f32 and f64 by origin.
fn summary(all: &Rows) -> String {
    let of_documents = posproof::claims::of(Ledger::Documents).len();
    let mut text =
        format!("Claims of the documents with a bound that says something: {} of {of_documents}.\n", claims(all));
    let of = |origins: &'static [&str]| {
        let rows = all.iter().flat_map(|(_, rows)| rows).filter(says_something);
        rows.filter(move |row| matches!(row.system, "f32" | "f64") && origins.contains(&row.origin))
    };
    for (name, origins) in
        [("all", &[ORIGIN, APART, EVERY][..]), ("unmarked", &[ORIGIN]), ("†", &[APART]), ("‡", &[EVERY])]
    {
        let same = of(origins).filter(|row| row.bound == Some(0.0)).count();
        let unseen = of(origins).filter(|row| row.bound != Some(0.0) && row.found == 0.0).count();
        let ratios = of(origins).filter(|row| row.found > 0.0).filter_map(|row| Some(row.bound? / row.found));
        let mut ratios: Vec<f64> = ratios.collect();
        ratios.sort_by(f64::total_cmp);
        let Some(largest) = ratios.last() else { continue };
        let loose = ratios.iter().filter(|ratio| **ratio > 12.0).count();
        let middle = ratios[ratios.len() / 2];
        text += &format!(
            "f32 and f64, {name}: {} rows, bound ÷ found {middle:.2} in the middle, {largest:.3e} at most, above 12 in {loose}; \
             {unseen} with no error found, {same} with bound 0.\n",
            ratios.len()
        );
    }
    text
}

pub fn every_bound_for_all_inputs_is_above_what_is_found() {
    let all = all_rows();
    let rows = || all.iter().flat_map(|(entry, rows)| rows.iter().map(|row| (Some(entry.about().id), row)));
    for (id, row) in rows() {
        assert!(!row.is_exceeded(), "{id:?}: {row:?}");
    }
    assert!(claims(&all) >= FEWEST_CLAIMS, "{}", summary(&all));
    let mut settings = super::report_settings();
    settings.set_snapshot_path("../../reports/bounds");
    settings.set_description("the bounds for all inputs of every claim that has one, beside the largest errors found");
    let text = format!("{CAPTION}\n\n{}\n{}\n{}", summary(&all), table(rows()), origins(rows().map(|(_, row)| row)));
    settings.bind(|| insta::assert_snapshot!("ledger", text));
}

/// Claims, and the bounds of a Taylor form of each side at d = 2 in f32, as measured: docs/uniform.md says how.
const TAYLOR_FORMS: [(&str, [f64; 2]); 3] = [
    ("shift.linearity", [2.037609e-7, 2.980233e-8]),
    ("toeplitz.dot-product", [2.037609e-7, 2.980233e-8]),
    ("rope.relative-position", [9.431253e-7, 5.371408e-7]),
];

/// Where this bound is the larger one, the page says so.
pub fn bounds_beside_taylor_forms_are_those_of_the_page() {
    let page = include_str!("../../docs/uniform.md");
    for (id, [left, right]) in TAYLOR_FORMS {
        let rows = bounds(crate::entry(id), SystemName::F32, Effort::Standard);
        let is_asked = |row: &&UniformBound| row.size.dim == 2 && row.domain.positions[1] == 4096;
        let bound = rows.iter().find(is_asked).and_then(|row| row.bound).expect("a bound");
        let line = format!(
            "| `{id}` | {left:.3e} | {right:.3e} | {:.3e} | {bound:.3e} | {:.2} |",
            left + right,
            bound / (left + right)
        );
        assert!(page.contains(&line), "{line}");
    }
}
