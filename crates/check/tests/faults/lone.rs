//! One entry that is wrong among right ones, at every kind of row: none is excused because the path to judge by was chosen on
//! its row.

use crate::corpus::sparse;
use crate::everywhere::{cases, faulty, named, names};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::faults::EncodingProgram;
use posproof_check::{Cause, Code, Grade, Report, Status};
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_encoding::model::scaling_rule;
use posproof_numerics::format::Format;

/// The number of a format that is nearest to x from outside: as far from `exact` as x, or farther.
fn outside(format: Format, x: f64, exact: f64) -> f64 {
    let nearest = format.round(x);
    if (nearest - exact).abs() >= (x - exact).abs() {
        return nearest;
    }
    let step = (1.5 * x.abs() * 2.0 * format.unit_roundoff()).max(format.min_positive());
    format.round(x + step.copysign(x - exact))
}

/// Frequencies of each path in binary32, by the path's name.
fn programs(promised: &Convention) -> Vec<(&'static str, EncodingProgram<'static, f64>)> {
    let base = promised.base.value().to_f64();
    let (dim, pairs) = (promised.dim as f64, promised.pairs());
    let ratio = base.powf(-2.0 / dim) as f32;
    let repeated: Vec<f32> = std::iter::successors(Some(1f32), |omega| Some(omega * ratio)).take(pairs).collect();
    let by_pow = move |k: usize| f64::from(1.0 / ((base as f32).powf(2.0 * k as f32 / dim as f32)));
    let single = || EncodingProgram::<f64>::single(promised);
    let mut all = vec![("rounded", single())];
    if promised.scaling.is_none() {
        all.push(("pow", EncodingProgram { frequency: Box::new(by_pow), ..single() }));
        let repeated = move |k: usize| f64::from(repeated[k]);
        all.push(("repeated", EncodingProgram { frequency: Box::new(repeated), ..single() }));
    }
    all
}

/// Conventions, with the kinds of subject that they have.
fn conventions() -> Vec<Convention> {
    let llama3 = r#"{"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}"#;
    let base = || 500_000.into();
    vec![
        Convention { base: base(), ..Convention::rope(64) },
        Convention { base: base(), scaling: Some(scaling_rule(llama3).expect("a rule")), ..Convention::rope(64) },
        Convention { amplitude: "1.1".parse().expect("a number"), ..Convention::rope(32) },
        Convention { position_offset: 2.into(), ..Convention::sinusoid(64) },
    ]
}

/// Makes one entry wrong by so many bounds of the path by which the right subject is judged.
fn damaged(right: &Specimen, judged: &Report, place: (usize, usize, usize), times: f64) -> Option<Specimen> {
    let (array, row, column) = place;
    let at = row * right.width() + column;
    let expected = right.expected_along(judged.path)[array][at];
    let format = right.setting.format;
    let sign = if expected.exact > 0.0 { -1.0 } else { 1.0 };
    let wrong = outside(format, expected.exact + sign * times * expected.bound, expected.exact);
    // Where a bound is as large as the entries, nothing can be wrong.
    ((wrong - expected.exact).abs() > 1.4 * expected.bound && wrong.abs() < 4.0).then(|| {
        let mut specimen = right.clone();
        specimen.judged[array][at] = wrong;
        specimen
    })
}

/// True if the report tells this one entry.
fn assert_told(label: &str, report: &Report, row: usize) {
    assert_eq!((report.statistics.exceeding, report.grade), (1, Grade::Wrong), "{label}\n{report}");
    assert_eq!(report.first_code(), Some(Code::Local), "{label}\n{report}");
    let region = report.findings[0].region.as_ref().expect("a place");
    assert_eq!((region.rows.first, region.rows.last), (row, row), "{label}\n{report}");
}

#[test]
fn a_lone_entry_is_refused_whatever_its_row() {
    let (mut judged, mut subjects) = (0, 0);
    for (number, promised) in conventions().into_iter().enumerate() {
        for (name, program) in programs(&promised) {
            for format in [Format::F32, Format::Bf16, Format::F16] {
                let positions = sparse(131_071);
                let pairs = program.run(promised.pairs(), &positions);
                for kind in Kind::ALL.into_iter().filter(|kind| kind.has(&promised)) {
                    let setting = Setting { name: "sparse to 131071", positions: positions.clone(), format, heads: 1 };
                    let how = Specimen::turned(&promised);
                    let right = Specimen::new(kind, &promised, &setting, &pairs, &how);
                    let before = right.check();
                    assert!(before.conforms, "{name} {format} {kind:?}\n{before}");
                    let last = positions.len() - 1;
                    subjects += 1;
                    let rows = [0, 1, 2, 23, 50, 255, 301, last - 1, last].into_iter().enumerate();
                    // A third of the rows for each subject, by turns.
                    for (turn, row) in rows.skip(subjects % 3).step_by(3) {
                        let columns = right.width();
                        let column = (7 * turn + 3 * number) % columns;
                        let array = turn % right.judged.len();
                        // The bound of a rotation leaves 1.5 times the error of its cosine and sine, and roundings besides: in the
                        // last rows, one number for a slow frequency may explain as much.
                        let least = if kind == Kind::Rotation { 4.0 } else { 1.5 };
                        let times = if (subjects + turn) % 3 == 0 { 40.0 } else { least };
                        let Some(wrong) = damaged(&right, &before, (array, row, column), times) else { continue };
                        let label = format!("{name}, {format}, {kind:?}, row {row}, {times} bounds");
                        assert_told(&label, &wrong.check(), row);
                        judged += 1;
                    }
                }
            }
        }
    }
    assert!(judged > 150, "{judged} cases");
}

/// Half a cache has half of the votes.
#[test]
fn a_lone_entry_is_refused_in_half_a_cache() {
    let promised = Convention { base: 500_000.into(), ..Convention::rope(64) };
    let setting = Setting { name: "sparse to 131071", positions: sparse(131_071), format: Format::F32, heads: 1 };
    let right = Specimen::right(Kind::Cache, &promised, &setting);
    let mut judged = 0;
    for (array, part) in [Component::Cos, Component::Sin].into_iter().enumerate() {
        let before = right.check_half(part);
        assert!(before.conforms, "{before}");
        for row in [1, 2, 50, 300, setting.positions.len() - 1] {
            let Some(wrong) = damaged(&right, &before, (array, row, 9), 1.5) else { continue };
            assert_told(&format!("{part:?} alone, row {row}"), &wrong.check_half(part), row);
            judged += 1;
        }
    }
    assert!(judged > 6, "{judged} cases");
}

/// A cache of real length: rows around powers of two are those of a sample, 70001 is none.
#[test]
fn a_lone_entry_is_refused_in_a_long_cache() {
    let promised = Convention { base: 500_000.into(), ..Convention::rope(16) };
    let setting = Setting { name: "131072 rows", positions: (0..131_072).collect(), format: Format::F32, heads: 1 };
    let right = Specimen::right(Kind::Cache, &promised, &setting);
    let before = right.check();
    assert!(before.conforms, "{before}");
    for row in [0, 2049, 65_537, 70_001, 131_071] {
        let wrong = damaged(&right, &before, (0, row, 5), 1.5).expect("a bound below 1");
        assert_told(&format!("row {row}"), &wrong.check(), row);
    }
}

/// Noise in a block of rows and pairs, whose rows are those of a short table: nothing is within a bound by its path.
#[test]
fn a_block_of_noise_is_refused_in_a_short_table() {
    let promised = Convention { base: "1.5".parse().expect("a number"), ..Convention::rope(254) };
    let setting = Setting { name: "55 rows", positions: (0..55).collect(), format: Format::F32, heads: 1 };
    let right = Specimen::right(Kind::Cache, &promised, &setting);
    for first in [0, 20, 58] {
        let mut wrong = right.clone();
        for (index, number) in posproof_check::probe::vectors(Format::F32, 55 * 69).enumerate() {
            let (row, pair) = (index / 69, first + index % 69);
            wrong.judged[index % 2][row * 127 + pair] = number;
        }
        let report = wrong.check();
        assert!(!report.conforms && report.statistics.exceeding > 3000, "{report}");
    }
}

/// Every other pair rounded to bfloat16: those are no frequencies' entries.
#[test]
fn pairs_that_were_rounded_are_refused() {
    let promised = Convention { base: 500_000.into(), ..Convention::rope(64) };
    for (name, positions) in [("sparse to 131071", sparse(131_071)), ("from 100000", (100_000..100_300).collect())] {
        let setting = Setting { name, positions, format: Format::F32, heads: 1 };
        let mut wrong = Specimen::right(Kind::Cache, &promised, &setting);
        for array in &mut wrong.judged {
            array.iter_mut().skip(1).step_by(2).for_each(|entry| *entry = Format::Bf16.round(*entry));
        }
        let report = wrong.check();
        assert!(!report.conforms, "{name}\n{report}");
    }
}

/// Conventions that are not the promised one.
fn others(promised: &Convention) -> Vec<(&'static str, Convention)> {
    vec![
        ("amplitude", Convention { amplitude: "1.1".parse().expect("a number"), ..promised.clone() }),
        ("base", Convention { base: 10_001.into(), ..promised.clone() }),
        ("offset", Convention { position_offset: 1.into(), ..promised.clone() }),
        ("frequencies", Convention { frequency_origin: 1, ..promised.clone() }),
    ]
}

/// A right cache or rotation of many rows, held to another convention.
fn held(kind: Kind, promised: &Convention, other: &Convention) -> Specimen {
    let setting = Setting { name: "late rows", positions: (0..30_000).collect(), format: Format::F32, heads: 1 };
    let mut specimen = Specimen::right(kind, other, &setting);
    specimen.promised = promised.clone();
    specimen
}

/// Makes an entry of row 29 000 wrong, and asks for two findings: the second is that entry.
fn is_told_beside(mut specimen: Specimen, off: f64, name: &str) -> Specimen {
    let at = 29_000 * specimen.width() + 2;
    specimen.judged[0][at] = f64::from((specimen.judged[0][at] + off) as f32);
    let report = specimen.check();
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
    assert_eq!((report.grade, codes.last()), (Grade::Wrong, Some(&Code::Local)), "{name}\n{report}");
    let region = report.findings.last().and_then(|finding| finding.region.as_ref()).expect("a place");
    assert_eq!((region.rows.first, region.rows.last), (29_000, 29_000), "{name}\n{report}");
    let explained: u64 = report.findings.iter().map(|finding| finding.explains.entries).sum();
    assert!(codes.len() == 2 && explained <= report.statistics.exceeding, "{name}\n{report}");
    specimen
}

/// Less than the widest bound at a late position, and beyond that of the frequencies that are there; and more than any bound.
const OFF: [f64; 2] = [0.008, 0.5];

#[test]
fn a_lone_entry_beside_another_convention_is_told_too() {
    for kind in [Kind::Cache, Kind::Rotation] {
        let promised = kind.convention(32);
        for (number, (name, other)) in others(&promised).into_iter().enumerate() {
            let off = OFF[(number + usize::from(kind == Kind::Cache)) % 2];
            let name = format!("{kind:?} {name} {off}");
            let specimen = is_told_beside(held(kind, &promised, &other), off, &name);
            // Asked without a convention, the answer is the same.
            let found = specimen.identify();
            let told = found.findings.iter().any(|finding| finding.code() == Code::Local);
            assert!(told && found.convention == Some(other), "{name}\n{found}");
        }
    }
}

#[test]
fn a_lone_entry_of_exchanged_arrays_is_told_too() {
    let promised = Kind::Cache.convention(32);
    for off in OFF {
        let mut specimen = held(Kind::Cache, &promised, &promised);
        specimen.judged.swap(0, 1);
        let specimen = is_told_beside(specimen, off, "exchanged");
        let report = specimen.check();
        assert_eq!(report.first_code(), Some(Code::Order), "{report}");
        let region = report.findings[1].region.as_ref().expect("a place");
        // The first array holds sines.
        assert_eq!(region.component, Some(Component::Sin), "{report}");
    }
}

/// A wrong entry before the rows that a fault begins with hides neither.
#[test]
fn a_wrong_entry_hides_no_fault_of_later_rows() {
    let names_of = ["clamped at 255", "wrapped at 512", "offset from 256"];
    let positions: Vec<u64> = (0..700).collect();
    for (kind, (fault, case)) in Kind::ALL
        .into_iter()
        .flat_map(|kind| cases().filter(|(_, case)| names_of.contains(&case.name)).map(move |of| (kind, of)))
    {
        let setting = Setting { name: "700 rows", positions: positions.clone(), format: Format::F32, heads: 1 };
        let mut specimen = faulty(kind, case, &kind.convention(64), &setting);
        let alone = specimen.check();
        let width = specimen.width();
        specimen.judged[0][100 * width + 3] += 0.25;
        let report = specimen.check();
        let first = report.first_code();
        assert!(first.is_some_and(|first| names(first, (fault, case), &positions)), "{kind:?}: {report}");
        assert_eq!(report.statistics.exceeding, alone.statistics.exceeding + 1, "{kind:?}: {report}");
        let told: Vec<(Code, u64)> =
            report.findings.iter().map(|finding| (finding.code(), finding.explains.entries)).collect();
        assert_eq!(
            told,
            [(alone.first_code().expect("a code"), alone.statistics.exceeding), (Code::Local, 1)],
            "{report}"
        );
    }
}

/// A fault of the products of all vectors, beside one entry that departs by itself.
#[test]
fn products_are_told_beside_one_entry() {
    let promised = Convention { layout: Layout::Halves, ..Convention::rope(64) };
    let setting = Setting { name: "3000 rows", positions: (0..3000).collect(), format: Format::F32, heads: 1 };
    for name in ["half written", "wrong sign of a product", "weighted", "aliased", "other duplication", "not rotated"] {
        for format in [Format::F32, Format::Bf16] {
            let (fault, case) = named(name);
            let mut specimen = faulty(Kind::Rotation, case, &promised, &Setting { format, ..setting.clone() });
            specimen.judged[0][1777 * 64 + 5] += 3.0;
            let report = specimen.check();
            let told: Vec<(Code, Status)> = report.findings.iter().map(|found| (found.code(), found.status)).collect();
            let expected = [(fault.code, Status::Confirmed), (Code::Local, Status::Confirmed)];
            assert_eq!(told, expected, "{name}, {format}: {report}");
            let Cause::Apart { entries, .. } = report.findings[1].cause else { panic!("{report}") };
            assert_eq!(entries, 1, "{name}, {format}: {report}");
        }
    }
}
