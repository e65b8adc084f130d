//! The convention of every correct table is found with no expectation given.

use crate::corpus::*;
use crate::correct::conventions;
use half::bf16;
use posproof::conformance::{Confidence, Expectation, Identification, Slice, Subject, check, identify};
use posproof::encoding::Law;
use posproof::encoding::convention::{Convention, Encoding, Layout};
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;
use posproof::table::{Element, Positions};
use posproof_schema::validate;

fn table<T: Element>(convention: &Convention, rows: &[u64]) -> Identification {
    let positions = Positions::list(rows.iter().copied()).unwrap();
    let phasors = Program::single(convention).run(convention.pairs(), rows);
    let typed = |values: Vec<f64>| -> Vec<T> { values.iter().map(|x| T::from_exact(T::FORMAT.round(*x))).collect() };
    let found = if convention.encoding == Encoding::Sinusoid {
        let table = typed(phasors.joined(convention));
        identify(Subject::Sinusoid(&Slice::new("table", &table, convention.dim).unwrap()), Some(&positions))
    } else {
        let (cos, sin) = phasors.apart();
        let (cos, sin) = (typed(cos), typed(sin));
        let pairs = convention.pairs();
        let (cos, sin) = (Slice::new("cos", &cos, pairs).unwrap(), Slice::new("sin", &sin, pairs).unwrap());
        identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, Some(&positions))
    };
    found.unwrap()
}

/// Positions that tell conventions apart: at least 64, reaching 4096 or beyond.
pub fn samples() -> [(&'static str, Vec<u64>); 3] {
    let dense: Vec<u64> = (0..4097).collect();
    let short: Vec<u64> = (0..48).chain((1..16).map(|i| i * 256 + 40)).chain([4096]).collect();
    assert_eq!(short.len(), 64);
    [("dense", dense), ("64 positions", short), ("sparse", sparse(131_071))]
}

/// The convention that tables and caches at these positions can show: a part of a head shows in rotations, not
/// in caches, which are of the part.
pub fn as_a_table(convention: Convention, rows: &[u64]) -> Convention {
    let dim = convention.frequency_dim();
    let last = rows.last().copied().unwrap_or(0);
    Convention { rotary_dim: None, dim, ..convention }.for_length(last + 1)
}

/// True if two conventions give the same entries, whatever they are called: where a rule does not show in a table (a
/// cache has no layout), it cannot be found.
pub fn same(found: &Convention, right: &Convention) -> bool {
    // 33 · 2⁻²⁴: above the 23.1 roundings of 1/pow at base 500000 (docs/bounds.md: λ(4) + ln 500000 + λ(½) + 1).
    let near = |a: f64, b: f64| (a - b).abs() <= 2e-6 * b.abs();
    let gain = |convention: &Convention| convention.gain().enclose(64).approximate();
    let arranged = right.encoding == Encoding::Rope || (found.layout, found.order) == (right.layout, right.order);
    let step = |convention: &Convention| Law::new(convention).step().to_f64();
    let rates =
        |convention: &Convention| frequencies(convention).into_iter().map(|w| w * step(convention)).collect::<Vec<_>>();
    let (ours, theirs) = (rates(found), rates(right));
    let alike = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(a, b)| near(*a, *b));
    arranged && alike && near(gain(found), gain(right)) && found.position_offset == right.position_offset
}

/// Rules whose parameters do not all show in one table.
pub fn shows(convention: &Convention) -> bool {
    !matches!(convention.scaling, Some(Scaling::Dynamic { .. }))
}

/// Rules with a factor of its own for each pair, which can only be measured: such a convention is never established.
pub fn is_measured(convention: &Convention) -> bool {
    matches!(convention.scaling, Some(Scaling::Longrope { .. }))
}

/// That nothing is established, and every frequency is within the error that is stated for it. The program's are rounded to
/// binary32, and so are its angles.
pub fn check_measured(found: &Identification, convention: &Convention) {
    let answer = (found.confidence, &found.convention, found.remaining.len(), found.findings.len());
    assert_eq!(answer, (Confidence::Unexplained, &None, 0, 0), "{found}");
    let right = frequencies(convention);
    assert_eq!(found.measured().len(), right.len());
    for (measured, right) in found.measured().iter().zip(right) {
        let rounding = 2.0 * right * Format::F32.unit_roundoff();
        assert!((measured.frequency - right).abs() <= measured.error + rounding, "{right}: {found}");
    }
}

#[test]
fn every_correct_table_is_identified() {
    let mut complaints = Vec::new();
    let mut tally = [0usize; 2];
    for (name, rows) in &samples() {
        for convention in conventions() {
            let convention = as_a_table(convention, rows);
            for format in [Format::F64, Format::F32] {
                let found = match format {
                    Format::F64 => table::<f64>(&convention, rows),
                    _ => table::<f32>(&convention, rows),
                };
                validate(&serde_json::to_value(&found).unwrap());
                if is_measured(&convention) {
                    check_measured(&found, &convention);
                    continue;
                }
                let right = found.convention.as_ref().is_some_and(|found| same(found, &convention));
                let arrangement = Convention { layout: Layout::Interleaved, ..convention.clone() };
                let exactly = !shows(&convention)
                    || convention.encoding == Encoding::Sinusoid
                    || found.convention.as_ref().is_some_and(|found| {
                        Convention { layout: Layout::Interleaved, ..found.clone() } == arrangement
                    });
                tally[usize::from(right && exactly)] += 1;
                if !(right && exactly) {
                    complaints
                        .push(format!("{name}, {format}: {}\n   {found}", serde_json::to_string(&convention).unwrap()));
                } else if found.confidence != Confidence::Established && shows(&convention) {
                    println!(
                        "ambiguous: {name}, {format}: {}\n   {found}",
                        serde_json::to_string(&convention).unwrap()
                    );
                }
            }
        }
    }
    println!("{} of {} identified", tally[1], tally[0] + tally[1]);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn rotations_are_identified_with_their_layout() {
    let rows = sparse(9000);
    for layout in [Layout::Interleaved, Layout::Halves] {
        for rotary_dim in [None, Some(32)] {
            let convention = Convention { layout, rotary_dim, base: 500_000.into(), ..Convention::rope(64) };
            let x = vectors(rows.len() * 64, Format::F32);
            let pairs = wiring(layout, convention.pairs());
            let y = Program::single(&convention).run(convention.pairs(), &rows).rotate(&x, 64, &pairs, &pairs);
            let typed = |values: &[f64]| -> Vec<f32> { values.iter().map(|x| *x as f32).collect() };
            let (x, y) = (typed(&x), typed(&y));
            let (x, y) = (Slice::new("x", &x, 64).unwrap(), Slice::new("y", &y, 64).unwrap());
            let positions = Positions::list(rows.iter().copied()).unwrap();
            let found = identify(Subject::Rotation { x: &x, y: &y }, Some(&positions)).unwrap();
            assert_eq!(found.confidence, Confidence::Established, "{found}");
            assert_eq!(found.convention.as_ref(), Some(&convention), "{found}");
        }
    }
}

#[test]
fn what_follows_nothing_is_unexplained() {
    let rows = sparse(5000);
    let noise = vectors(rows.len() * 16, Format::F32).iter().map(|x| *x as f32).collect::<Vec<_>>();
    let positions = Positions::list(rows.iter().copied()).unwrap();
    let found = identify(Subject::Sinusoid(&Slice::new("noise", &noise, 16).unwrap()), Some(&positions)).unwrap();
    assert_eq!((found.confidence, found.convention.as_ref()), (Confidence::Unexplained, None), "{found}");
    validate(&serde_json::to_value(&found).unwrap());
    // Frequencies that no law has, but that can be measured.
    let odd = Convention::rope(8);
    let omega = [1.0, 0.37, 0.0911, 0.0024];
    let program = Program { frequency: Box::new(|k| omega[k]), ..Program::exact(&odd) };
    let (cos, sin) = program.run(4, &rows).apart();
    let (cos, sin) = (Slice::new("cos", &cos, 4).unwrap(), Slice::new("sin", &sin, 4).unwrap());
    let found = identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, Some(&positions)).unwrap();
    for (measured, right) in found.measured().iter().zip(omega) {
        assert!((measured.frequency - right).abs() <= measured.error.max(1e-12), "{found}");
    }
    assert_eq!(found.measured().len(), 4);
}

/// Entries of a few rows leave bases open: those that are named make all of them too, and the next ones do not.
#[test]
fn bases_that_a_short_cache_leaves_open_are_named() {
    let of = |base: i64, dim: usize, rows: u64| {
        let convention = Convention { base: base.into(), ..Convention::rope(dim) };
        (table::<bf16>(&convention, &(0..rows).collect::<Vec<_>>()), convention)
    };
    for base in [10_000, 10_007] {
        let (found, convention) = of(base, 8, 4);
        let [least, most] = found.bases.expect("other bases");
        assert!(least < 10_000 && 10_007 <= most, "{found}");
        assert!(found.to_string().contains(&format!("bases as far as {least} and {most} as well")), "{found}");
        let named = found.convention.as_ref().expect("a convention").base.value().to_f64();
        assert!(least as f64 <= named && named <= most as f64);
        let rows = Positions::range(0..4).unwrap();
        let phasors = Program::single(&convention).run(4, &[0, 1, 2, 3]);
        let rounded = |part: Vec<f64>| part.into_iter().map(bf16::from_f64).collect::<Vec<_>>();
        let (cos, sin) = phasors.apart();
        let (cos, sin) = (rounded(cos), rounded(sin));
        let (cos, sin) = (Slice::new("cos", &cos, 4).unwrap(), Slice::new("sin", &sin, 4).unwrap());
        for (other, within) in [(least, true), (most, true), (least - 1, false), (most + 1, false)] {
            let mut stated =
                Expectation::new(Convention { base: other.into(), ..Convention::rope(8) }).at(rows.clone());
            (stated.compute, stated.path) = (found.compute.expect("a precision"), found.path);
            let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &stated).unwrap();
            assert_eq!(report.statistics.exceeding == 0, within, "{other}: {report}");
        }
    }
    // Enough rows leave none.
    assert_eq!(of(10_000, 64, 4096).0.bases, None);
    // Where the only pair that shows a base departs, no base is established.
    let (found, _) = of(12_000, 4, 3);
    let is_12000 = found.convention.as_ref().is_some_and(|found| found.base == 12_000.into());
    assert!(found.confidence == Confidence::Unexplained || is_12000, "{found}");
}
