//! Every case of the catalogue, injected into right programs of every subject that it concerns, is noticed, and named
//! by the first finding but for a list of exceptions.

use crate::corpus::{self, expectation, judge_cache, judge_rotation, judge_table, sparse, vectors};
use crate::score::Score;
use posproof_check::faults::{EncodingProgram, EntryFault, Fault, FaultyProgram, Injection, Promised, catalogue, turn};
use posproof_check::{Code, Grade, Report};
use posproof_encoding::convention::{Component, Convention, Encoding, Layout};
use posproof_numerics::Format;

/// Every case, with its row.
fn cases() -> impl Iterator<Item = (&'static Fault, &'static FaultyProgram)> {
    catalogue().flat_map(|fault| fault.cases.iter().map(move |case| (fault, case)))
}

/// Whether rounding to the storage format hides the fault from anyone.
fn is_hidden((fault, case): (&Fault, &FaultyProgram), format: Format) -> bool {
    let storage = fault.code == Code::LowPrecisionStorage;
    let fine = ["base 10001", "fast-math"].contains(&case.name);
    format.precision() < 24 && (storage || fine)
}

/// Whether the fault changes no row: a boundary beyond the last position, or angles that fast-math still reduces well.
fn is_idle((fault, case): (&Fault, &FaultyProgram), convention: &Convention, rows: &[u64]) -> bool {
    let program = program(case, convention);
    let right = EncodingProgram::<f64>::single(convention);
    let moved = rows.iter().any(|&p| (program.position)(p) != (right.position)(p));
    let timing = matches!(case.injection, Injection::Positions(_));
    timing && !moved || fault.name == "fast-math" && rows.last().is_none_or(|last| *last < 10_000)
}

fn program(case: &FaultyProgram, convention: &Convention) -> EncodingProgram<'static, f64> {
    case.injection.program(convention, EncodingProgram::single)
}

/// The joined table of a convention's arrangement, as a program with the fault computes it.
fn table(case: &FaultyProgram, convention: &Convention, rows: &[u64]) -> Vec<f64> {
    let pairs = program(case, convention).run(convention.pairs(), rows);
    let mut out = vec![0.0; 2 * pairs.entries.len()];
    for (row, entries) in out.chunks_exact_mut(2 * pairs.width).zip(pairs.entries.chunks_exact(pairs.width)) {
        for (k, (cos, sin)) in entries.iter().enumerate() {
            row[convention.column(k, Component::Cos)] = *cos;
            row[convention.column(k, Component::Sin)] = *sin;
        }
    }
    out
}

/// A table or a cache with the fault, judged.
fn judged(case: &FaultyProgram, convention: &Convention, rows: &[u64], format: Format) -> Report {
    let stated = expectation(convention, rows);
    let report = if convention.encoding == Encoding::Sinusoid {
        judge_table(format, &table(case, convention, rows), convention.dim, &stated)
    } else {
        let pairs = program(case, convention).run(convention.pairs(), rows);
        let (cos, sin): (Vec<f64>, Vec<f64>) = pairs.entries.into_iter().unzip();
        judge_cache(format, (&cos, &sin), convention.pairs(), &stated)
    };
    report.expect("a subject that can be judged")
}

/// Vectors turned with the fault, judged.
fn turned(case: &FaultyProgram, convention: &Convention, rows: &[u64], format: Format) -> Report {
    let dim = convention.dim;
    let x = vectors(rows.len() * dim, format);
    let how = case.injection.turn(convention);
    let y = turn(&program(case, convention).run(how.read.len(), rows), &x, dim, &how);
    judge_rotation(format, (&x, &y), dim, &expectation(convention, rows)).expect("a subject that can be judged")
}

/// Whether the fault can occur in a table or a cache of the convention.
fn concerns(case: &FaultyProgram, convention: &Convention) -> bool {
    match case.promised {
        Promised::Any => true,
        Promised::Sinusoid => convention.encoding == Encoding::Sinusoid,
        _ => false,
    }
}

/// Faults that only a cache or a table of a scaling rule shows, at positions up to this one.
const SCALED: u64 = 40_000;

#[test]
fn faults_of_tables_and_caches_are_named() {
    let mut score = Score::default();
    for last in [5000, 131_071] {
        let rows = sparse(last);
        for dim in [64, 128] {
            for convention in [Convention::sinusoid(dim), Convention::rope(dim)] {
                for (fault, case) in cases().filter(|(_, case)| concerns(case, &convention)) {
                    if is_idle((fault, case), &convention, &rows) {
                        continue;
                    }
                    for format in [Format::F32, Format::Bf16, Format::F16] {
                        if !is_hidden((fault, case), format) {
                            let subject = format!("{:?}, dim {dim}, to {last}, {format}", convention.encoding);
                            score.add((fault, case), &subject, &judged(case, &convention, &rows, format));
                        }
                    }
                }
            }
        }
    }
    score.settle(&[], &["exponent doubled: other-base"]);
}

#[test]
fn faults_of_stated_conventions_are_named() {
    let mut score = Score::default();
    let rows = sparse(SCALED);
    for (fault, case) in cases() {
        let Promised::Stated(promised) = case.promised else { continue };
        let convention = promised();
        // What a part of a vector is rotated by shows in vectors.
        let rotation = convention.rotary_dim.is_some() || fault.code == Code::PartialRotary;
        for format in [Format::F32, Format::Bf16] {
            if rotation {
                for layout in [Layout::Interleaved, Layout::Halves] {
                    if layout != convention.layout && convention.layout == Layout::Halves {
                        continue;
                    }
                    let convention = Convention { layout, ..convention.clone() };
                    let report = turned(case, &convention, &sparse(9000), format);
                    score.add((fault, case), &format!("rotation, {layout:?}, {format}"), &report);
                }
            } else {
                score.add((fault, case), &format.to_string(), &judged(case, &convention, &rows, format));
            }
        }
    }
    score.settle(&[], &["only half is rotated: pairs-at-rest"]);
}

#[test]
fn faults_of_rotations_are_named() {
    let mut score = Score::default();
    let rows = sparse(9000);
    for layout in [Layout::Interleaved, Layout::Halves] {
        let convention = Convention { layout, ..Convention::rope(64) };
        for (fault, case) in cases() {
            // Entries of cosines and sines do not show in vectors one by one.
            let of_entries = matches!(case.injection, Injection::Entries(entries) if entries != EntryFault::Zero);
            if !matches!(case.promised, Promised::Any | Promised::Rotation) || of_entries {
                continue;
            }
            for format in [Format::F32, Format::Bf16] {
                if !is_hidden((fault, case), format) {
                    let report = turned(case, &convention, &rows, format);
                    score.add((fault, case), &format!("rotation, {layout:?}, {format}"), &report);
                }
            }
        }
    }
    score.settle(&[], &["aliased: cross-wired", "exponent doubled: other-base"]);
}

#[test]
fn tables_of_noise_and_other_layouts_are_named() {
    let rows = sparse(5000);
    let stated = Convention::sinusoid(64);
    let halves = Convention { layout: Layout::Halves, ..stated.clone() };
    let in_halves = corpus::Program::single(&stated).run(32, &rows).joined(&halves);
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
    let table = corpus::Program::single(&computed).run(32, &rows).joined(&computed);
    let report = judge_table(Format::F32, &table, 64, &expectation(&stated, &rows)).unwrap();
    assert_eq!((report.grade, report.found.as_ref()), (Grade::OtherConvention, Some(&computed)), "{report}");
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
    assert_eq!(codes, [Code::Layout, Code::OtherBase]);
}

/// Effective positions have one law: an offset or a factor of the stated convention leaves the name of a fault as it is.
#[test]
fn faults_have_the_same_name_under_an_offset() {
    let rows = sparse(5000);
    let mut compared = 0;
    for plain in [Convention::sinusoid(64), Convention::rope(64)] {
        let shifted = Convention { position_offset: 3.into(), ..plain.clone() };
        for (fault, case) in cases().filter(|(_, case)| concerns(case, &plain)) {
            let [code, again] =
                [&plain, &shifted].map(|convention| judged(case, convention, &rows, Format::F32).first_code());
            assert_eq!(code, again, "{} ({}), {:?}", fault.name, case.name, plain.encoding);
            compared += usize::from(code.is_some());
        }
    }
    assert!(compared > 50, "{compared}");
}
