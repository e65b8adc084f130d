//! One page of all bounds for all inputs: claim, format, domain, bound, largest error found, ratio.

use posproof::evidence::settle::SystemName;
use posproof::evidence::uniform::{ORIGIN, UniformBound, bounds};
use posproof::evidence::{Effort, Entry};
use posproof::report::uniform::{CAPTION, table};

fn rows(entry: &dyn Entry) -> Vec<UniformBound> {
    let systems = [SystemName::F32, SystemName::Bf16, SystemName::F16, SystemName::F64];
    systems.into_iter().flat_map(|system| bounds(entry, system, Effort::Standard)).collect()
}

pub fn every_bound_for_all_inputs_is_above_what_is_found() {
    let all: Vec<(&str, Vec<UniformBound>)> =
        posproof::claims::all().into_iter().map(|entry| (entry.about().id, rows(entry))).collect();
    let rows = || all.iter().flat_map(|(id, rows)| rows.iter().map(|row| (Some(*id), row)));
    for (id, row) in rows() {
        assert!(!row.is_exceeded(), "{id:?}: {row:?}");
        assert!(row.vacuous || row.found > 0.0, "{id:?}: nothing was found, {row:?}");
    }
    let mut settings = super::report_settings();
    settings.set_snapshot_path("../../reports/bounds");
    settings.set_description("the bounds for all inputs of every claim that has one, beside the largest errors found");
    let text = format!("{CAPTION}\n\n{}\nOrigin: {ORIGIN}.\n", table(rows()));
    settings.bind(|| insta::assert_snapshot!("ledger", text));
}
