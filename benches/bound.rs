//! Bounds, exhaustive comparisons, residuals and searches: what each study costs.
//!
//! ```text
//! cargo bench --bench bound
//! ```

use divan::Bencher;
use divan::counter::ItemsCount;
use posproof::bound::{Model, Program, Question, search_complex_product, search_dot};
use posproof::encoding::convention::{Component, Convention};
use posproof::number::format::Format;

fn main() {
    divan::main();
}

const FORMATS: [Format; 4] = [Format::F64, Format::F32, Format::F16, Format::Bf16];

fn llama(format: Format) -> Model {
    let convention = Convention { base: 500000.into(), ..Convention::rope(128) };
    Model::new(&convention, &Program::rounded(format)).expect("possible")
}

/// A priori and instance bounds of every entry of a table, decade by decade: what `posproof bound` prints.
#[divan::bench(args = FORMATS, sample_count = 10)]
fn bounds_of_a_table(bencher: Bencher<'_, '_>, format: Format) {
    let model = llama(format);
    let question = Question {
        positions: 0..60000,
        pairs: (0..64).collect(),
        components: vec![Component::Sin, Component::Cos],
        worst: None,
        error: None,
    };
    bencher.counter(ItemsCount::new(128usize)).bench(|| model.study(question.clone(), || ()).expect("in range"));
}

/// The inverse question for one pair.
#[divan::bench(args = FORMATS, sample_count = 10)]
fn reach(bencher: Bencher<'_, '_>, format: Format) {
    let model = llama(format);
    let rate = model.rate(7).expect("a frequency");
    bencher.bench(|| model.reach(&rate, Component::Cos, 1e-3, 60000).expect("in range"));
}

/// Entries compared with the certified reference, on one thread.
#[divan::bench(args = FORMATS, sample_count = 5)]
fn exact_worst_case(bencher: Bencher<'_, '_>, format: Format) {
    let model = llama(format);
    let rate = model.rate(7).expect("a frequency");
    let range = 0..60000u64;
    bencher
        .counter(ItemsCount::new(2 * 60000usize))
        .bench(|| model.worst(&rate, std::slice::from_ref(&range)).expect("comparable"));
}

/// Every residual of T(k) at d = 512, t, k < 4096: 8.6·10⁹.
#[divan::bench(args = [Format::F32, Format::F64], sample_count = 3, sample_size = 1)]
fn residuals(bencher: Bencher<'_, '_>, format: Format) {
    let model = Model::new(&Convention::sinusoid(512), &Program::rounded(format)).expect("possible");
    bencher.counter(ItemsCount::new(1u64 << 33)).bench(|| model.residuals(4096).expect("in range"));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn search_for_the_worst_dot_product() {
    divan::black_box(search_dot(Format::F32, 8).expect("narrow"));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn search_for_the_worst_complex_product() {
    divan::black_box(search_complex_product(Format::F32).expect("narrow"));
}
