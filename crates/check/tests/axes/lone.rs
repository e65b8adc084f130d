//! Entries that are wrong among right ones, on several axes: none is excused by a bound for frequencies that no entry shows.

use crate::families::law_of;
use posproof_bound::AxialAllowance;
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Cause, Code, Grade, Slice, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::{Rational, format::Format};
use serde_json::{Value, json};

/// A program's cache: frequencies by a power in binary32 and angles rounded to it, or everything correctly rounded.
struct Cache {
    law: AxialLaw,
    rows: Coordinates,
    /// Cosines, then sines.
    entries: [Vec<f32>; 2],
}

impl Cache {
    /// The cache by f32 powers of each axis's base: `spread` columns share one range of exponents.
    fn by_power(json: &Value, positions: &[Vec<i64>], omega: impl Fn(usize) -> (usize, f32)) -> Self {
        let law = law_of(json).unwrap();
        let exact: Vec<_> =
            positions.iter().map(|row| Some(row.iter().map(|&x| Rational::from(x)).collect())).collect();
        let rows = Coordinates::exact(&exact, law.axes().len()).unwrap();
        let frequencies: Vec<(usize, f32)> = (0..law.slots()).map(omega).collect();
        let of = |part: fn(f64) -> f64| {
            let angle = |row: &[i64], &(axis, omega): &(usize, f32)| f64::from(row[axis] as f32 * omega);
            positions.iter().flat_map(|row| frequencies.iter().map(move |f| part(angle(row, f)) as f32)).collect()
        };
        let entries = [of(core_math::cos), of(core_math::sin)];
        Self { law, rows, entries }
    }

    /// The bound on a cosine or sine along the path of a report.
    fn bound(&self, report: &AxialReport, (row, slot): (usize, usize)) -> f64 {
        let compute = (Format::F32, report.path);
        let allowance = AxialAllowance::new(&self.law, &self.rows, compute, Format::F32);
        let mut computed = vec![0.0; self.law.slots()];
        allowance.computed(0, |axis| self.rows.place(row, axis), &mut computed);
        allowance.entry(computed[slot], 1.0)
    }

    fn report(&self) -> AxialReport {
        let width = self.law.slots();
        let [cos, sin] = &self.entries;
        let (cos, sin) = (Slice::new("cos", cos, width).unwrap(), Slice::new("sin", sin, width).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        check_axes(subject, &AxialExpectation::new(&self.law, &self.rows)).unwrap()
    }
}

/// The frequencies of one base in binary32.
fn power(base: f32, k: usize, of: usize) -> f32 {
    1.0 / base.powf(k as f32 / of as f32)
}

/// Rows of text under sections, a grid of two axes, and one axis.
fn caches() -> Vec<(&'static str, Cache)> {
    let sections = json!({"encoding": "rope", "dim": 128, "base": 1_000_000, "axes": [
        {"name": "t", "pairs": "0..16", "index": "pairs"},
        {"name": "h", "pairs": "16..40", "index": "pairs"},
        {"name": "w", "pairs": "40..64", "index": "pairs"},
    ]});
    let grid = json!({"encoding": "rope", "dim": 64, "axes": [
        {"name": "h", "pairs": "0..16"}, {"name": "w", "pairs": "16..32"},
    ]});
    let one = json!({"encoding": "rope", "dim": 64, "base": 500_000, "axes": [{"name": "t", "pairs": "0..32"}]});
    let text: Vec<Vec<i64>> = (0..1024).map(|i| vec![8 * i; 3]).collect();
    let patches: Vec<Vec<i64>> = (0..32 * 32).map(|i| vec![3 * (i / 32), 5 * (i % 32)]).collect();
    let positions: Vec<Vec<i64>> = (0..1024).map(|i| vec![128 * i]).collect();
    let axis = |k: usize| {
        if k < 16 {
            0
        } else if k < 40 {
            1
        } else {
            2
        }
    };
    vec![
        ("sections", Cache::by_power(&sections, &text, |k| (axis(k), power(1e6, k, 64)))),
        ("grid", Cache::by_power(&grid, &patches, |k| (k / 16, power(1e4, k % 16, 16)))),
        ("one axis", Cache::by_power(&one, &positions, |k| (0, power(5e5, k, 32)))),
    ]
}

#[test]
fn a_lone_entry_is_refused_on_every_axis() {
    for (name, mut cache) in caches() {
        let honest = cache.report();
        assert!(honest.conforms, "{name}: {honest}");
        let (mut judged, mut counted) = (0, 0);
        let (width, rows) = (cache.law.slots(), cache.rows.rows());
        for row in [1, 2, 300, 501, rows - 1] {
            for (grid, slot) in [(0, 3), (1, width / 2), (0, width - 2)] {
                let least = 1.5 * cache.bound(&honest, (row, slot));
                for off in [3e-3f32, -3e-4].into_iter().filter(|off| f64::from(off.abs()) > least) {
                    let at = row * width + slot;
                    let right = cache.entries[grid][at];
                    cache.entries[grid][at] -= off * right.signum();
                    let report = cache.report();
                    cache.entries[grid][at] = right;
                    let label = format!("{name}, row {row}, slot {slot}, {off}\n{report}");
                    assert_eq!((report.grade, report.statistics.exceeding), (Grade::Wrong, 1), "{label}");
                    assert_eq!(report.findings[0].code(), Code::Local, "{label}");
                    if let Cause::Apart { entries, others, silent } = report.findings[0].cause {
                        assert_eq!(entries + others + silent, report.entries, "{label}");
                        counted += 1;
                    }
                    let region = report.findings[0].region.as_ref().expect("a place");
                    assert_eq!((region.rows.first, region.rows.last), (row, row), "{label}");
                    assert_eq!(region.pairs.map(|pairs| (pairs.first, pairs.last)), Some((slot, slot)), "{label}");
                    judged += 1;
                }
            }
        }
        assert!(judged > 10 && 2 * counted > judged, "{name}: {judged} entries, {counted} told by themselves");
    }
}

/// Columns that a cache has twice are counted twice: both copies of an entry depart, and the others are all others.
#[test]
fn copies_of_an_entry_are_counted() {
    for (name, mut cache) in caches() {
        let (width, rows) = (cache.law.slots(), cache.rows.rows());
        cache.entries[0][501 * width + 3] += 0.5;
        let twice = |part: &[f32]| part.chunks_exact(width).flat_map(|row| [row, row].concat()).collect::<Vec<f32>>();
        let [cos, sin] = [0, 1].map(|part| twice(&cache.entries[part]));
        let [cos, sin] = [("cos", &cos), ("sin", &sin)].map(|(name, part)| Slice::new(name, part, 2 * width).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check_axes(subject, &AxialExpectation::new(&cache.law, &cache.rows)).unwrap();
        let [finding] = &report.findings[..] else { panic!("{name}: {report}") };
        let Cause::Apart { entries, others, silent } = finding.cause else { panic!("{name}: {report}") };
        assert_eq!((entries, entries + others + silent), (2, (4 * width * rows) as u64), "{name}: {report}");
    }
}

/// Entries of two axes are told of each, at its rows; those of the same rows together. All counts are of all entries.
#[test]
fn entries_of_several_axes_are_counted() {
    let (_, cache) = caches().swap_remove(1);
    let (width, half) = (cache.law.slots(), cache.law.slots() / 2);
    let departing = |places: &[(usize, usize)]| {
        let mut cache = Cache {
            entries: cache.entries.clone(),
            rows: cache.rows.clone(),
            law: cache.law.altered(cache.law.convention()).unwrap(),
        };
        places.iter().for_each(|(row, slot)| cache.entries[0][row * width + slot] += 0.3);
        cache.report()
    };
    let apart = |report: &AxialReport| -> Vec<(u64, u64)> {
        let of = |finding: &posproof_check::Finding| match finding.cause {
            Cause::Apart { entries, others, silent } => (entries, others + silent),
            _ => panic!("{report}"),
        };
        report.findings.iter().map(of).collect()
    };
    let all = (2 * width * cache.rows.rows()) as u64;
    let two = departing(&[(500, 5), (600, half + 4)]);
    assert_eq!(apart(&two), [(1, all - 2); 2], "{two}");
    let rows: Vec<(usize, usize)> = (500..503).flat_map(|row| (0..width).map(move |slot| (row, slot))).collect();
    let together = departing(&rows);
    assert_eq!(apart(&together), [(rows.len() as u64, all - rows.len() as u64)], "{together}");
}

/// Rows at the end that are left unrotated are that, and no law of one axis beside entries of another.
#[test]
fn a_tail_that_is_not_rotated_has_one_name() {
    let (_, mut cache) = caches().swap_remove(1);
    let from = 900 * cache.law.slots();
    for (part, entry) in cache.entries.iter_mut().zip([1.0, 0.0]) {
        part[from..].fill(entry);
    }
    let report = cache.report();
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((finding.code(), finding.explains.entries), (Code::NullRow, finding.explains.of), "{report}");
}

/// The larger of two errors does not excuse the smaller.
#[test]
fn two_entries_are_both_counted() {
    for (name, mut cache) in caches() {
        let width = cache.law.slots();
        for (row, slot, off) in [(501, 3, 1e-1), (150, 7, 3e-2)] {
            let entry = &mut cache.entries[0][row * width + slot];
            *entry -= off * entry.signum();
        }
        let report = cache.report();
        assert_eq!((report.grade, report.statistics.exceeding), (Grade::Wrong, 2), "{name}: {report}");
        assert_eq!(report.findings[0].explains.entries, 2, "{name}: {report}");
    }
}

/// A frequency that no path makes is refused on each of several axes, though wide paths have bounds that hold for it: as on one axis.
#[test]
fn a_frequency_of_no_path_is_refused() {
    let sections = json!({ "encoding": "rope", "dim": 128, "layout": "halves", "axes": [
        { "name": "h", "pairs": "0..32", "index": "pairs" }, { "name": "w", "pairs": "32..64", "index": "pairs" }] });
    let law = law_of(&sections).expect("a law");
    let rows: Vec<f64> = (0..96 * 8).flat_map(|row| [f64::from(row / 8), f64::from((row * 5) % 96)]).collect();
    let coordinates = Coordinates::from_floats(&rows, 2).expect("coordinates");
    for (slot, times) in [(20, 1.0), (20, 1.0 + 4e-6), (20, 1.0 + 1e-5), (34, 1.0 + 1e-5)] {
        let omega = |k: usize| 10000f64.powf(-(k as f64) / 64.0) * if k == slot { times } else { 1.0 };
        let entries = |of: fn(f64) -> f64| -> Vec<f32> {
            let row = |row: &[f64]| -> Vec<f32> {
                (0..64).map(|k| of(row[usize::from(k >= 32)] * omega(k)) as f32).collect()
            };
            rows.chunks_exact(2).flat_map(row).collect()
        };
        let (cos, sin) = (entries(f64::cos), entries(f64::sin));
        let (cos, sin) = (Slice::new("cos", &cos, 64).expect("rows"), Slice::new("sin", &sin, 64).expect("rows"));
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check_axes(subject, &AxialExpectation::new(&law, &coordinates)).expect("a judgement");
        assert_eq!(report.conforms, times == 1.0, "slot {slot}, times {times}: {report}");
        if times != 1.0 {
            assert_eq!(report.findings[0].code(), Code::Local, "slot {slot}, times {times}: {report}");
        }
    }
}
