//! Entries that are wrong in one place, by themselves or besides another fault.

use crate::corpus::*;
use posproof::conformance::{Code, Grade};
use posproof::encoding::convention::Convention;
use posproof::number::format::Format;

#[test]
fn a_damaged_row_is_located() {
    let stated = Convention::sinusoid(64);
    let rows: Vec<u64> = (0..5000).collect();
    let mut table = Program::single(&stated).run(32, &rows).joined(&stated);
    table[64 * 1000..64 * 1003].iter_mut().step_by(3).for_each(|x| *x = 0.3);
    let report = judge_table(Format::F32, &table, 64, &expectation(&stated, &rows)).unwrap();
    assert_eq!((report.grade, report.first_code()), (Grade::Wrong, Some(Code::Local)), "{report}");
    let finding = &report.findings[0];
    let region = finding.region.as_ref().expect("a region");
    assert_eq!((region.rows.first, region.rows.last, region.rows.count), (1000, 1002, 3), "{report}");
    let exceeding = report.statistics.exceeding;
    assert_eq!((finding.explains.entries, finding.explains.of), (exceeding, exceeding), "{report}");
}

#[test]
fn a_damaged_row_is_found_besides_low_precision() {
    let stated = Convention::sinusoid(64);
    let rows: Vec<u64> = (0..5000).collect();
    let omega = frequencies(&stated);
    let program = Program { frequency: Box::new(|k| Format::Bf16.round(omega[k])), ..Program::single(&stated) };
    let mut table = program.run(32, &rows).joined(&stated);
    let degraded = judge_table(Format::F32, &table, 64, &expectation(&stated, &rows)).unwrap();
    assert_eq!((degraded.grade, degraded.findings.len()), (Grade::Degraded, 1), "{degraded}");
    // A row that no sample holds.
    table[64 * 4321 + 5] = 5.0;
    let report = judge_table(Format::F32, &table, 64, &expectation(&stated, &rows)).unwrap();
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
    assert_eq!((report.grade, codes), (Grade::Wrong, vec![Code::LowPrecisionFrequencies, Code::Local]), "{report}");
    let [first, second] = &report.findings[..] else { panic!("{report}") };
    let region = second.region.as_ref().expect("a region");
    assert_eq!((region.positions, region.rows.count, second.explains.entries), (Some([4321, 4321]), 1, 1), "{report}");
    assert_eq!(first.explains.entries + 1, first.explains.of, "{report}");
}
