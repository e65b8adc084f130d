//! One page of all bounds for all inputs: claim, format, domain, bound, largest error found, ratio.

use posproof::evidence::settle::SystemName;
use posproof::evidence::uniform::{APART, EVERY, ORIGIN, UniformBound, bounds};
use posproof::evidence::{Effort, Entry};
use posproof::report::uniform::{CAPTION, origins, table};

fn rows(entry: &dyn Entry) -> Vec<UniformBound> {
    let systems = [SystemName::F32, SystemName::Bf16, SystemName::F16, SystemName::F64];
    systems.into_iter().flat_map(|system| bounds(entry, system, Effort::Standard)).collect()
}

/// Claims with a bound that says something, and the middle and largest bound ÷ found in f32 and f64 by origin.
fn summary(all: &[(&str, Vec<UniformBound>)]) -> String {
    let says = |row: &&UniformBound| row.bound.is_some() && !row.vacuous;
    let claims = all.iter().filter(|(_, rows)| rows.iter().any(|row| says(&row))).count();
    let mut text = format!("Claims with a bound that says something: {claims}.\n");
    let wide = || all.iter().flat_map(|(_, rows)| rows).filter(says).filter(|row| matches!(row.system, "f32" | "f64"));
    for (name, origins) in
        [("all", &[ORIGIN, APART, EVERY][..]), ("unmarked", &[ORIGIN]), ("†", &[APART]), ("‡", &[EVERY])]
    {
        let of = |row: &&UniformBound| origins.contains(&row.origin);
        let mut ratios: Vec<f64> = wide().filter(of).filter_map(|row| Some(row.bound? / row.found)).collect();
        ratios.retain(|ratio| ratio.is_finite());
        ratios.sort_by(f64::total_cmp);
        let Some(largest) = ratios.last() else { continue };
        let loose = ratios.iter().filter(|ratio| **ratio > 12.0).count();
        let middle = ratios[ratios.len() / 2];
        text += &format!(
            "f32 and f64, {name}: {} rows, bound ÷ found {middle:.2} in the middle, {largest:.3e} at most, above 12 in {loose}.\n",
            ratios.len()
        );
    }
    text
}

pub fn every_bound_for_all_inputs_is_above_what_is_found() {
    let all: Vec<(&str, Vec<UniformBound>)> =
        posproof::claims::all().into_iter().map(|entry| (entry.about().id, rows(entry))).collect();
    let rows = || all.iter().flat_map(|(id, rows)| rows.iter().map(|row| (Some(*id), row)));
    for (id, row) in rows() {
        assert!(!row.is_exceeded(), "{id:?}: {row:?}");
    }
    let mut settings = super::report_settings();
    settings.set_snapshot_path("../../reports/bounds");
    settings.set_description("the bounds for all inputs of every claim that has one, beside the largest errors found");
    let text = format!("{CAPTION}\n\n{}\n{}\n{}", summary(&all), table(rows()), origins(rows().map(|(_, row)| row)));
    settings.bind(|| insta::assert_snapshot!("ledger", text));
}
