//! Faults of the whole: every case of the catalogue at several sizes, in several formats and at positions that are dense,
//! sparse, strided or far from 0.

use crate::agreement::apart;
use crate::corpus::{sparse, wiring};
use crate::score::{Criterion, Score, Share};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::Code;
use posproof_check::faults::{
    EncodingProgram, EntryFault, Fault, FaultyProgram, Injection, PairRotation, Promised, catalogue,
};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;

/// Every case, with its row.
pub fn cases() -> impl Iterator<Item = (&'static Fault, &'static FaultyProgram)> {
    catalogue().flat_map(|fault| fault.cases.iter().map(move |case| (fault, case)))
}

/// The case of a name.
pub fn named(name: &str) -> (&'static Fault, &'static FaultyProgram) {
    cases().find(|(_, case)| case.name == name).unwrap_or_else(|| panic!("no case is called {name}"))
}

/// The longest setting, of which one in so many cases is judged.
const LONG: &str = "131072 rows";
const OF_LONG: usize = 9;

/// Dimensions and settings; formats go round from case to case where several are given.
fn settings() -> Vec<(usize, Vec<Format>, Setting)> {
    let setting = |name, positions: Vec<u64>| Setting { name, positions, format: Format::F32, heads: 1 };
    let strided = |step: u64, rows: u64| (0..rows).map(|i| i * step).collect::<Vec<u64>>();
    let halves = || vec![Format::Bf16, Format::F16];
    vec![
        (8, vec![Format::F32], setting("5 rows", (0..5).collect())),
        (8, vec![Format::F64, Format::F16], setting("300 rows", (0..300).collect())),
        (16, vec![Format::F32], setting("4500 rows", (0..4500).collect())),
        (32, vec![Format::F32], setting("every 16th to 9584", strided(16, 600))),
        (64, halves(), setting("sparse to 5000", sparse(5000))),
        (64, vec![Format::F32, Format::F64], setting("every 37th to 18463", strided(37, 500))),
        (128, vec![Format::F32], setting("sparse to 131071", sparse(131_071))),
        (128, halves(), setting("sparse to 131071", sparse(131_071))),
        (256, vec![Format::F32], setting("120000 to 120199", (120_000..120_200).collect())),
        (512, vec![Format::F32, Format::Bf16], setting("sparse to 9000", sparse(9000))),
        (8, vec![Format::F32], setting(LONG, (0..131_072).collect())),
    ]
}

/// True if the fault can occur in a subject of this kind whatever the convention.
pub fn concerns(kind: Kind, case: &FaultyProgram) -> bool {
    match (&case.promised, kind) {
        // Entries of cosines and sines do not show in vectors one by one.
        (Promised::Any, Kind::Rotation) => {
            !matches!(case.injection, Injection::Entries(entries) if entries != EntryFault::Zero)
        }
        (Promised::Any, _) => true,
        (Promised::Sinusoid, kind) => kind == Kind::Table,
        (Promised::Rotation, kind) => kind == Kind::Rotation,
        _ => false,
    }
}

/// A subject with the fault.
pub fn faulty(kind: Kind, case: &FaultyProgram, promised: &Convention, setting: &Setting) -> Specimen {
    let program: EncodingProgram<'static, f64> = case.injection.program(promised, EncodingProgram::single);
    let right = PairRotation::new(wiring(promised.layout, promised.pairs()));
    let how = if kind == Kind::Rotation { case.injection.turn(promised) } else { right };
    let pairs = program.run(how.read.len(), &setting.positions);
    Specimen::new(kind, promised, setting, &pairs, &how)
}

/// True if a code names the fault. Where no row shows where wrong positions begin, they may be those of one position, or
/// all as many positions off.
pub fn names(code: Code, (fault, case): (&Fault, &FaultyProgram), positions: &[u64]) -> bool {
    let same = |of: &dyn Fn(u64) -> f64| positions.iter().all(|&p| of(p) == of(positions[0]));
    let same_too = match case.injection {
        Injection::Positions(map) if same(&map) => code == Code::StalePositions,
        Injection::Positions(map) if same(&|p| map(p) - p as f64) => code == Code::PositionOffset,
        _ => false,
    };
    code == fault.code || case.also.contains(&code) || same_too
}

/// Judges one subject, and adds it to the sheet.
fn score(score: &mut Score, (fault, case): (&Fault, &FaultyProgram), subject: &str, specimen: &Specimen) {
    let label = format!("{} ({subject}, {})", case.name, specimen.setting.format);
    let report = specimen.check();
    let beyond = specimen.exceeding(&report);
    if beyond.beyond.is_empty() {
        // Whoever accepts every honest program has to accept this.
        assert!(report.conforms || beyond.undecided > 0, "accused of what nobody can see: {label}\n{report}");
        score.leave_out("because every entry is within the bound of honest programs");
        return;
    }
    let counted = report.statistics.exceeding as usize;
    assert!(
        (beyond.beyond.len()..=beyond.beyond.len() + beyond.undecided).contains(&counted),
        "{label}: {} entries are beyond their bounds, {counted} are counted",
        beyond.beyond.len()
    );
    score.add(Criterion::Noticed, &label, !report.conforms, "");
    let first = report.findings.first();
    let code = report.first_code();
    let named = code.is_some_and(|code| names(code, (fault, case), &specimen.setting.positions));
    // The boundary is told to the row where there is one before it.
    let boundary = case.from.filter(|from| {
        let dense = |p: &u64| specimen.setting.positions.binary_search(p).is_ok();
        dense(from) && dense(&(from - 1))
    });
    let from = first.and_then(|finding| finding.cause.from());
    let right = named && (boundary.is_none() || from == boundary);
    let instead = match (code, named) {
        (None, _) => "no finding".to_owned(),
        (Some(code), true) => format!("{code} from {from:?}"),
        (Some(code), false) => code.to_string(),
    };
    score.add(Criterion::FirstRight, &label, right, instead);
    score.add_statements(&label, specimen, &beyond, &report);
    let apart = apart(specimen, &report);
    score.add(Criterion::Agreement, &label, apart.is_none(), apart.unwrap_or_default());
}

/// The cases of any convention, in every setting.
fn of_any_convention(kind: Kind, share: Share) -> Score {
    let mut sheet = Score::new(
        match kind {
            Kind::Table => "global faults of tables",
            Kind::Cache => "global faults of caches",
            Kind::Rotation => "global faults of rotations",
        },
        share,
    );
    for (place, (dim, formats, setting)) in settings().into_iter().enumerate() {
        for (number, (fault, case)) in cases().filter(|(_, case)| concerns(kind, case)).enumerate() {
            if setting.name == LONG && number % OF_LONG != 0 {
                continue;
            }
            if !sheet.takes_next() {
                continue;
            }
            let format = formats[(number + place) % formats.len()];
            let setting = Setting { format, ..setting.clone() };
            let layout = if place % 2 == 0 { Layout::Interleaved } else { Layout::Halves };
            let promised = Convention { layout, ..kind.convention(dim) };
            // Every third setting has positions that are counted from 3.
            let offset = if place % 3 == 2 { 3 } else { 0 };
            let promised = Convention { position_offset: offset.into(), ..promised };
            let subject = format!("dim {dim}, {}, offset {offset}, {layout:?}", setting.name);
            score(&mut sheet, (fault, case), &subject, &faulty(kind, case, &promised, &setting));
        }
    }
    sheet
}

/// One case in so many, in the tests that run always: a number that shares no factor with those of faults and formats.
const SHARE: Share = Share::OneIn(23);

#[test]
fn global_faults_of_tables() {
    of_any_convention(Kind::Table, SHARE).settle(&REQUIRED);
}

#[test]
fn global_faults_of_caches() {
    of_any_convention(Kind::Cache, SHARE).settle(&REQUIRED);
}

#[test]
fn global_faults_of_rotations() {
    of_any_convention(Kind::Rotation, SHARE).settle(&REQUIRED);
}

#[test]
fn global_faults_of_stated_conventions() {
    of_stated_conventions(SHARE).settle(&REQUIRED);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_global_faults"]
fn all_global_faults_of_tables() {
    of_any_convention(Kind::Table, Share::All).settle(&REQUIRED);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_global_faults"]
fn all_global_faults_of_caches() {
    of_any_convention(Kind::Cache, Share::All).settle(&REQUIRED);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_global_faults"]
fn all_global_faults_of_rotations() {
    of_any_convention(Kind::Rotation, Share::All).settle(&REQUIRED);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_global_faults"]
fn all_global_faults_of_stated_conventions() {
    of_stated_conventions(Share::All).settle(&REQUIRED);
}

/// Criteria that have to hold, of all cases or of most; the sheets name the others.
const REQUIRED: [(Criterion, f64); 3] =
    [(Criterion::Noticed, 1.0), (Criterion::FirstRight, 0.97), (Criterion::Placed, 1.0)];

/// The cases of conventions of their own.
fn of_stated_conventions(share: Share) -> Score {
    let mut sheet = Score::new("global faults of stated conventions", share);
    let dense = (4000..4300).chain(131_000..131_072).collect();
    let settings: [(Format, &str, Vec<u64>); 5] = [
        (Format::F32, "sparse to 40000", sparse(40_000)),
        (Format::Bf16, "sparse to 40000", sparse(40_000)),
        (Format::F32, "sparse to 9000", sparse(9000)),
        (Format::F16, "every 64th to 31936", (0..500).map(|i| 64 * i).collect()),
        (Format::F32, "4000 to 4299 and 131000 to 131071", dense),
    ];
    for (fault, case) in cases() {
        let Promised::Stated(promised) = case.promised else { continue };
        let promised = promised();
        // What a part of a vector is rotated by shows in vectors.
        let rotated = promised.rotary_dim.is_some() || fault.code == Code::PartialRotary;
        let kind = if !Kind::Table.has(&promised) { Kind::Cache } else { Kind::Table };
        for (format, name, positions) in &settings {
            let setting = Setting { name, positions: positions.clone(), format: *format, heads: 1 };
            if rotated {
                for layout in [Layout::Interleaved, Layout::Halves] {
                    // Wrong pairs are those of halves.
                    if promised.layout == Layout::Halves && layout != promised.layout {
                        continue;
                    }
                    let promised = Convention { layout, ..promised.clone() };
                    if sheet.takes_next() {
                        let specimen = faulty(Kind::Rotation, case, &promised, &setting);
                        score(&mut sheet, (fault, case), &format!("{name}, {layout:?}"), &specimen);
                    }
                }
            } else if sheet.takes_next() {
                score(&mut sheet, (fault, case), name, &faulty(kind, case, &promised, &setting));
            }
        }
    }
    sheet
}

/// Every kind of fault has its name. Effective positions have one law: an offset of the stated convention leaves the name as it
/// is.
#[test]
fn every_fault_has_its_name_and_the_same_under_an_offset() {
    let setting = Setting { name: "sparse to 5000", positions: sparse(5000), format: Format::F32, heads: 1 };
    let mut compared = 0;
    for kind in [Kind::Table, Kind::Cache] {
        let plain = kind.convention(16);
        let shifted = Convention { position_offset: 3.into(), ..plain.clone() };
        for (fault, case) in cases().filter(|(_, case)| concerns(kind, case)) {
            let [code, again] =
                [&plain, &shifted].map(|promised| faulty(kind, case, promised, &setting).check().first_code());
            assert_eq!(code, again, "{} ({}), {kind:?}", fault.name, case.name);
            let right = code.is_none_or(|code| names(code, (fault, case), &setting.positions));
            assert!(right, "{} ({}), {kind:?}: {code:?}", fault.name, case.name);
            compared += usize::from(code.is_some());
        }
    }
    assert!(compared > 50, "{compared}");
}
