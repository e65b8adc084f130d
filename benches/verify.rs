//! Claims settled per second.

use posproof::claims;
use posproof::evidence::settle::{SystemName, settle};
use posproof::evidence::{Effort, Plan};

fn main() {
    divan::main();
}

#[divan::bench(args = [Effort::Quick, Effort::Standard], sample_count = 3, sample_size = 1)]
fn whole_ledger(bencher: divan::Bencher<'_, '_>, effort: Effort) {
    let entries = claims::all();
    let plan = Plan::new(effort, Plan::SEED);
    bencher
        .counter(divan::counter::ItemsCount::new(entries.len()))
        .bench(|| entries.iter().map(|entry| settle(*entry, &SystemName::ALL, &plan, &|| ()).counts.held).sum::<u64>());
}

#[divan::bench(args = SystemName::ALL, sample_count = 3, sample_size = 1)]
fn whole_ledger_in(bencher: divan::Bencher<'_, '_>, system: SystemName) {
    let entries = claims::all();
    let plan = Plan::new(Effort::Quick, Plan::SEED);
    bencher
        .counter(divan::counter::ItemsCount::new(entries.len()))
        .bench(|| entries.iter().map(|entry| settle(*entry, &[system], &plan, &|| ()).counts.held).sum::<u64>());
}
