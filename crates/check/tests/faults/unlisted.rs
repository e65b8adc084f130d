//! Tables that no fault of the catalogue explains, and those that another convention does.

use crate::corpus::{Phasors, Program, expectation, judge_table, sparse, vectors};
use posproof_check::{Code, Grade};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;

#[test]
fn tables_of_noise_and_other_layouts_are_named() {
    let rows = sparse(5000);
    let stated = Convention::sinusoid(64);
    let halves = Convention { layout: Layout::Halves, ..stated.clone() };
    let in_halves = Program::single(&stated).run(32, &rows).joined(&halves);
    for format in [Format::F32, Format::Bf16] {
        let judge = |table: &[f64]| judge_table(format, table, 64, &expectation(&stated, &rows)).unwrap();
        assert_eq!(judge(&vectors(rows.len() * 64, format)).first_code(), Some(Code::NotARotation));
        assert_eq!(judge(&in_halves).first_code(), Some(Code::Layout));
    }
}

#[test]
fn what_is_found_is_another_convention() {
    let rows = sparse(5000);
    let stated = Convention::sinusoid(64);
    let computed = Convention { base: 500_000.into(), layout: Layout::Halves, ..stated.clone() };
    let table = Program::single(&computed).run(32, &rows).joined(&computed);
    let report = judge_table(Format::F32, &table, 64, &expectation(&stated, &rows)).unwrap();
    assert_eq!((report.grade, report.found.as_ref()), (Grade::OtherConvention, Some(&computed)), "{report}");
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
    assert_eq!(codes, [Code::Layout, Code::OtherBase]);
}
