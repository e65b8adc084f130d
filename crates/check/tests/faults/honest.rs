//! Programs that are right, along every path and in every convention: none is accused.

use crate::corpus::{frequencies, sparse, wiring};
use crate::score::{Criterion, Score, Share};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::faults::{
    ArrayCause, CosinesAndSines, EncodingProgram, PairRotation, Promised, RoundingMode, catalogue,
};
use posproof_check::{Cause, Expectation, Grade};
use posproof_encoding::convention::{Convention, Direction, Layout, Order, Spacing};
use posproof_numerics::format::Format;

/// Sheets and what is added to them.
struct Honest(Score);

impl Honest {
    /// Cosines and sines of a program, as every kind of subject of the convention.
    fn add(
        &mut self,
        label: &str,
        promised: &Convention,
        setting: &Setting,
        pairs: &CosinesAndSines<f64>,
        stated: impl Fn(Expectation) -> Expectation,
    ) {
        for kind in Kind::ALL.into_iter().filter(|kind| kind.has(promised)) {
            let how = PairRotation::new(wiring(promised.layout, promised.pairs()));
            let specimen = Specimen::new(kind, promised, setting, pairs, &how);
            self.judge(label, &specimen, &stated);
        }
    }

    fn judge(&mut self, label: &str, specimen: &Specimen, stated: impl Fn(Expectation) -> Expectation) {
        let Setting { name, format, .. } = specimen.setting;
        let expectation = stated(specimen.expectation());
        let report = specimen.judge(&expectation);
        let compute = expectation.compute;
        let label = format!("{label} ({:?}, {name}, {format}, computed in {compute})", specimen.kind);
        let code = report.first_code().map_or("no finding", |code| code.name());
        self.0.add(Criterion::Acquitted, &label, report.conforms && report.findings.is_empty(), code);
    }
}

impl Honest {
    /// Entries that are rounded by another rule than to nearest conform where each neighbours the exact value. Elsewhere that
    /// rule, which is none of nearest, is all that is said.
    fn directed(&mut self, label: &str, specimen: &Specimen, away: bool) {
        let report = specimen.check();
        let mode = if away { RoundingMode::AwayFromZero } else { RoundingMode::TowardZero };
        let named = match &report.findings[..] {
            [] => report.grade == Grade::Faithful,
            [finding] => {
                let by_rule = matches!(
                    finding.cause,
                    Cause::Array(ArrayCause::Rounding { mode: found, .. }) if found == mode
                );
                by_rule && report.grade == Grade::Degraded && report.found.as_ref() == Some(&specimen.promised)
            }
            _ => false,
        };
        let code = report.first_code().map_or("no finding", |code| code.name());
        self.0.add(Criterion::FirstRight, label, named, code);
        self.0.add_statements(label, specimen, &specimen.exceeding(&report), &report);
    }
}

fn setting(name: &'static str, positions: Vec<u64>, format: Format) -> Setting {
    Setting { name, positions, format, heads: 1 }
}

/// Conventions in use: plain ones, and those that the catalogue's programs promise.
fn conventions() -> Vec<Convention> {
    let paper = Convention::sinusoid(64);
    let mut all = vec![
        Convention { layout: Layout::Halves, frequency_spacing: Spacing::Endpoints, ..paper.clone() },
        Convention { layout: Layout::Halves, order: Order::CosSin, position_scale: 1000.into(), ..paper.clone() },
        Convention { frequency_origin: 1, position_offset: 1.into(), ..paper.clone() },
        Convention { amplitude: "sqrt(2/64)".parse().unwrap(), ..paper.clone() },
        Convention { direction: Direction::Clockwise, position_offset: 2.into(), ..paper.clone() },
        Convention { base: 123.into(), ..Convention::sinusoid(512) },
        paper,
        Convention::rope(8),
    ];
    for case in catalogue().flat_map(|fault| fault.cases) {
        if let Promised::Stated(promised) = case.promised {
            let promised = promised();
            if !all.contains(&promised) {
                all.push(promised);
            }
        }
    }
    all
}

#[test]
fn honest_programs_of_every_convention() {
    // Shares no factor with the numbers of settings, formats and paths.
    of_every_convention(Share::OneIn(5)).settle(&[(Criterion::Acquitted, 1.0)]);
}

#[test]
#[ignore = "half a minute: cargo test --release -p posproof-check --test faults -- --ignored all_honest_programs"]
fn all_honest_programs_of_every_convention() {
    of_every_convention(Share::All).settle(&[(Criterion::Acquitted, 1.0)]);
}

/// Frequencies in binary64, and in binary32.
fn of_every_convention(share: Share) -> Score {
    let mut honest = Honest(Score::new("honest programs of every convention", share));
    for (number, promised) in conventions().into_iter().enumerate() {
        for (name, positions) in [
            ("sparse to 131071", sparse(131_071)),
            ("every 64th to 12736", (0..200).map(|i| 64 * i).collect()),
            ("100000 to 100149", (100_000..100_150).collect()),
        ] {
            for format in Format::ALL {
                let setting = setting(name, positions.clone(), format);
                let exact = EncodingProgram::<f64>::exact(&promised);
                let single = EncodingProgram::<f64>::single(&promised);
                for (path, program) in [("binary64", exact), ("binary32", single)] {
                    if !honest.0.takes_next() {
                        continue;
                    }
                    let pairs = program.run(promised.pairs(), &setting.positions);
                    let rule = promised.scaling.as_ref().map_or("no", |rule| rule.name());
                    let label = format!("{path}, convention {number}, {rule} scaling");
                    honest.add(&label, &promised, &setting, &pairs, |stated| stated);
                }
            }
        }
    }
    honest.0
}

/// So many numbers of binary32 up or down.
fn ulps(x: f32, by: i32) -> f32 {
    let step = |x: f32| if by > 0 { x.next_up() } else { x.next_down() };
    (0..by.abs()).fold(x, |x, _| step(x))
}

/// Frequencies as programs in binary32 compute them, with libraries that are off by so many units in the last place.
fn paths(dim: usize, base: f32) -> Vec<(String, Vec<f32>)> {
    let pairs = dim / 2;
    let exponent = |k: usize| (2 * k) as f32 / dim as f32;
    let mut all = Vec::new();
    for off in [-4, 0, 4] {
        let pow = |x: f32| ulps(f64::from(base).powf(f64::from(x)) as f32, off);
        let one = |k: usize, x: f32| if k == 0 { 1.0 } else { x };
        all.push((format!("1/pow off by {off} ulp"), (0..pairs).map(|k| one(k, 1.0 / pow(exponent(k)))).collect()));
        all.push((format!("pow off by {off} ulp"), (0..pairs).map(|k| one(k, pow(-exponent(k)))).collect()));
        let ratio = pow(-2.0 / dim as f32);
        let repeated = std::iter::successors(Some(1f32), |omega| Some(omega * ratio)).take(pairs).collect();
        all.push((format!("repeated multiplication, pow off by {off} ulp"), repeated));
    }
    for off in [-2, 0, 2] {
        let rate = ulps(f64::from(base).ln() as f32, off) / dim as f32;
        let exp = |x: f32| if x == 0.0 { 1.0 } else { ulps(f64::from(x).exp() as f32, off) };
        all.push((
            format!("exp and log off by {off} ulp"),
            (0..pairs).map(|k| exp(-((2 * k) as f32 * rate))).collect(),
        ));
    }
    all
}

/// Sines and cosines that are off by one unit in the last place, now up and now down.
fn careless(x: f64, p: u64, k: usize) -> f64 {
    f64::from(ulps(x as f32, ((p as usize).wrapping_mul(31) + 17 * k) as i32 % 3 - 1))
}

#[test]
fn honest_paths() {
    let mut honest = Honest(Score::new("honest paths", Share::All));
    for (dim, base) in [(8, 100.0), (64, 10_000.0), (128, 500_000.0), (512, 10_000.0)] {
        for (name, omega) in paths(dim, base) {
            for promised in [Kind::Table, Kind::Cache].map(|kind| kind.convention(dim)) {
                let promised = Convention { base: (base as i64).into(), layout: Layout::Halves, ..promised };
                let omega = omega.clone();
                let program = EncodingProgram::<f64> {
                    frequency: Box::new(move |k| f64::from(omega[k])),
                    entry: Box::new(|angle, p, k| (careless(angle.cos(), p, k), careless(angle.sin(), p, k + 1))),
                    ..EncodingProgram::single(&promised)
                };
                for format in [Format::F32, Format::Bf16] {
                    let setting = setting("sparse to 131071", sparse(131_071), format);
                    let pairs = program.run(dim / 2, &setting.positions);
                    honest.add(&format!("{name}, dim {dim}"), &promised, &setting, &pairs, |stated| stated);
                }
            }
        }
    }
    honest.0.settle(&[(Criterion::Acquitted, 1.0)]);
}

/// cos and sin by angle addition from row to row, in binary64.
fn recurrence(promised: &Convention, rows: u64) -> CosinesAndSines<f64> {
    let omega = frequencies(promised);
    let mut state: Vec<(f64, f64)> = vec![(1.0, 0.0); omega.len()];
    let mut entries = Vec::new();
    for _ in 0..rows {
        entries.extend_from_slice(&state);
        for ((cos, sin), omega) in state.iter_mut().zip(&omega) {
            let (s, c) = omega.sin_cos();
            (*cos, *sin) = (*cos * c - *sin * s, *sin * c + *cos * s);
        }
    }
    CosinesAndSines { width: omega.len(), entries }
}

#[test]
fn honest_recurrences() {
    let mut honest = Honest(Score::new("honest recurrences", Share::All));
    for promised in [Convention::sinusoid(16), Convention::rope(64)] {
        let pairs = recurrence(&promised, 8192);
        for format in Format::ALL {
            for compute in [Format::F64, Format::F32] {
                let setting = setting("8192 rows", (0..8192).collect(), format);
                honest.add("angle addition in binary64", &promised, &setting, &pairs, |stated| {
                    stated.computed_in(compute)
                });
            }
        }
    }
    honest.0.settle(&[(Criterion::Acquitted, 1.0)]);
}

/// The number of the format next to x towards 0, or away from it.
fn directed(format: Format, x: f64, away: bool) -> f64 {
    let nearest = format.round(x);
    if nearest == x || (nearest.abs() > x.abs()) == away {
        return nearest;
    }
    // More than half the distance to its neighbour, and less than one and a half.
    let step = 0.51 * (nearest.abs() * 2.0 * format.unit_roundoff()).max(format.min_positive());
    format.round(nearest + if (x > 0.0) == away { step } else { -step })
}

/// Tables in formats of 16 bits whose entries are not rounded to nearest, and those that are kept in binary32.
#[test]
fn honest_storage() {
    let mut honest = Honest(Score::new("honest storage", Share::All));
    let single = |x: f64| f64::from(x as f32);
    for promised in [Convention::sinusoid(64), Convention::rope(64), Convention::rope(128)] {
        // Vectors are not stored like this.
        let how = PairRotation::new(wiring(promised.layout, promised.pairs()));
        let kind = if Kind::Table.has(&promised) { Kind::Table } else { Kind::Cache };
        for (name, positions) in [("sparse to 5000", sparse(5000)), ("300 rows", (0..300).collect())] {
            let pairs = EncodingProgram::<f64>::single(&promised).run(promised.pairs(), &positions);
            let map = |of: &dyn Fn(f64) -> f64| CosinesAndSines {
                width: pairs.width,
                entries: pairs.entries.iter().map(|(cos, sin)| (of(*cos), of(*sin))).collect(),
            };
            for format in [Format::Bf16, Format::F16] {
                let half = setting(name, positions.clone(), format);
                for (mode, away) in [("truncated", false), ("rounded away from zero", true)] {
                    let stored = map(&|x| directed(format, single(x), away));
                    let specimen = Specimen::new(kind, &promised, &half, &stored, &how);
                    honest.directed(
                        &format!("{mode} (dim {}, {kind:?}, {name}, {format})", promised.dim),
                        &specimen,
                        away,
                    );
                }
                let kept = map(&|x| format.round(single(x)));
                let whole = setting(name, positions.clone(), Format::F32);
                let specimen = Specimen::new(kind, &promised, &whole, &kept, &how);
                let stated = |stated| Expectation { storage: Some(format), ..stated };
                honest.judge(&format!("{format} kept in f32 and stated, dim {}", promised.dim), &specimen, stated);
            }
            let negative = map(&|x| if x == 0.0 { -0.0 } else { single(x) });
            let whole = setting(name, positions.clone(), Format::F32);
            honest.add(&format!("-0 for 0, dim {}", promised.dim), &promised, &whole, &negative, |stated| stated);
        }
    }
    honest.0.settle(&[(Criterion::Acquitted, 1.0)]);
}
