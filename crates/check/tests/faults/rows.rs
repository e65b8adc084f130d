//! Rows of the catalogue that no program has by itself: what arrays, formats and unknown numbers make of a subject. Each is
//! found in one.

use crate::corpus::{Phasors, expectation, frequencies, judge_cache, judge_rotation, judge_table, vectors};
use crate::heads::{Heads, rotation};
use crate::integers::Integers;
use posproof_bound::Path;
use posproof_check::faults::{CosinesAndSines, EncodingProgram, catalogue, catalogue_by_subject};
use posproof_check::{Duplication, Expectation, Levels, Report, Slice, Subject, check, check_frequencies};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use std::collections::BTreeSet;

const DIM: usize = 64;
const PAIRS: usize = DIM / 2;
const ROWS: u64 = 300;

/// Vectors of 64 entries, their pairs in halves.
pub fn halves() -> Convention {
    Convention { layout: Layout::Halves, ..Convention::rope(DIM) }
}

fn positions(rows: u64) -> Vec<u64> {
    (0..rows).collect()
}

/// Cosines and sines of an ordinary program in binary32.
fn right(convention: &Convention, rows: u64) -> CosinesAndSines<f64> {
    EncodingProgram::<f64>::single(convention).run(convention.pairs(), &positions(rows))
}

/// A cache of these cosines and sines in binary32.
fn cache(convention: &Convention, pairs: &CosinesAndSines<f64>) -> Report {
    let (cos, sin) = pairs.apart();
    judge_cache(Format::F32, (&cos, &sin), pairs.width, &Expectation::new(convention.clone())).unwrap()
}

/// A right cache with other numbers in place of its entries.
fn altered(convention: &Convention, entry: impl Fn(usize, (f64, f64)) -> (f64, f64)) -> Report {
    let mut pairs = right(convention, ROWS);
    pairs.entries.iter_mut().enumerate().for_each(|(i, both)| *both = entry(i, *both));
    cache(convention, &pairs)
}

/// Columns of a row, twice: the row repeated, or each column.
fn repeated(entries: &[f64], width: usize, each: bool) -> Vec<f64> {
    let row = |row: &[f64]| -> Vec<f64> {
        if each { row.iter().flat_map(|x| [*x, *x]).collect() } else { [row, row].concat() }
    };
    entries.chunks_exact(width).flat_map(row).collect()
}

/// Numbers from −1 to 1 of no law.
fn noise(count: usize) -> Vec<f64> {
    vectors(count, Format::F32).into_iter().map(|x| x - 0.25).collect()
}

/// Noise of unit length, pair by pair.
fn no_angles(count: usize) -> Vec<(f64, f64)> {
    noise(count).into_iter().map(|x| (1e3 * x).sin_cos()).collect()
}

/// Frequencies of no law.
fn of_frequencies() -> Report {
    let of = |(omega, by): (&f64, f64)| (omega * (1.0 + 0.1 * by)) as f32;
    let omega: Vec<f32> = frequencies(&Convention::rope(DIM)).iter().zip(noise(PAIRS)).map(of).collect();
    let slice = Slice::new("inv_freq", &omega, PAIRS).unwrap();
    check_frequencies(&slice, &Expectation::new(Convention::rope(DIM))).unwrap()
}

/// A cache at integers of 8 bits, whose steps are 3/2 of those that are stated.
fn of_levels() -> Report {
    let (cos, sin) = right(&Convention::rope(DIM), ROWS).apart();
    let levels = Levels::new(1.0 / 127.0, 0.0).unwrap().of_integers(8, true);
    let grid = |entries: Vec<f64>| {
        let entries = entries.into_iter().map(|x| (x * 127.0 / 1.5).round_ties_even()).collect();
        Integers { entries, width: PAIRS, levels }
    };
    let (cos, sin) = (grid(cos), grid(sin));
    check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &Expectation::new(Convention::rope(DIM))).unwrap()
}

/// The vector at a position.
pub fn turned(x: &[f64], position: f64) -> Vec<f64> {
    turned_by(&halves(), x, position)
}

/// The vector at a position, turned by a convention in halves.
pub fn turned_by(convention: &Convention, x: &[f64], position: f64) -> Vec<f64> {
    let omega = frequencies(convention);
    let entry = |j: usize| {
        let (sin, cos) = (position * omega[j % PAIRS]).sin_cos();
        if j < PAIRS { x[j] * cos - x[j + PAIRS] * sin } else { x[j] * cos + x[j - PAIRS] * sin }
    };
    (0..DIM).map(entry).collect()
}

/// Rows of tables, each rotated by the position of its table and row.
fn of_tables(shape: [usize; 3], position: impl Fn(usize, usize) -> f64) -> Report {
    rotation(&halves(), shape, &|table, row, x| turned(x, position(table, row)))
}

/// Tables whose rows are all that of the table's number.
fn of_the_batch() -> Report {
    let convention = Convention::sinusoid(DIM);
    let row = |table: u64| EncodingProgram::<f64>::single(&convention).run(PAIRS, &[table]).joined(&convention);
    let entries = (0..3).flat_map(|table| row(table).repeat(ROWS as usize)).collect();
    let table = Heads { name: "table", entries, shape: [3, ROWS as usize, DIM], format: Format::F32 };
    check(Subject::Sinusoid(&table), &Expectation::new(convention)).unwrap()
}

/// Vectors that are turned back a hundred times, each time rounded to bfloat16.
fn turned_again() -> Report {
    let convention = Convention { position_offset: (-100).into(), ..halves() };
    let (omega, round) = (frequencies(&convention), |x: f64| Format::Bf16.round(x));
    let x = vectors(ROWS as usize * DIM, Format::Bf16);
    let mut y = x.clone();
    for (p, row) in y.chunks_exact_mut(DIM).enumerate() {
        for step in std::iter::once(p as f64).chain([-1.0; 100]) {
            for (k, omega) in omega.iter().enumerate() {
                let ((sin, cos), (a, b)) = ((step * omega).sin_cos(), (row[k], row[k + PAIRS]));
                (row[k], row[k + PAIRS]) = (round(a * cos - b * sin), round(a * sin + b * cos));
            }
        }
    }
    judge_rotation(Format::Bf16, (&x, &y), DIM, &Expectation::new(convention)).unwrap()
}

/// The rows of the catalogue, each with a subject that has the fault.
fn subjects() -> Vec<(&'static str, Report)> {
    let (plain, both) = (Convention::rope(DIM), halves());
    let (cos, sin) = right(&plain, ROWS).apart();
    let wide = |each: [bool; 2], expectation: Expectation| {
        let [cos, sin] = [(&cos, each[0]), (&sin, each[1])].map(|(of, each)| repeated(of, PAIRS, each));
        judge_cache(Format::F32, (&cos, &sin), DIM, &expectation).unwrap()
    };
    let table = |convention: &Convention, entries: &[f64]| {
        judge_table(Format::F32, entries, DIM, &Expectation::new(convention.clone())).unwrap()
    };
    let rotated = |format: Format, y: &dyn Fn(&[f64]) -> Vec<f64>| {
        let x = vectors(ROWS as usize * DIM, format);
        judge_rotation(format, (&x, &y(&x)), DIM, &Expectation::new(both.clone())).unwrap()
    };
    let stored = |format: Format, (cos, sin): (&[f64], &[f64]), expectation: &Expectation| {
        judge_cache(format, (cos, sin), PAIRS, expectation).unwrap()
    };
    let toward_zero = |x: &f64| f64::from(f32::from_bits((*x as f32).to_bits() & 0xffff_0000));
    let far: Vec<u64> = (1_000_000..1_000_300).collect();
    let listed = |position: &dyn Fn(u64) -> f64| {
        let program = EncodingProgram::<f64>::single(&plain);
        let law = EncodingProgram { position: Box::new(position), ..program };
        cache(&plain, &law.run(PAIRS, &positions(ROWS)))
    };
    vec![
        ("frequencies", of_frequencies()),
        ("levels", of_levels()),
        ("rounding-mode", {
            let [cos, sin] = [&cos, &sin].map(|of| of.iter().map(toward_zero).collect::<Vec<f64>>());
            stored(Format::Bf16, (&cos, &sin), &Expectation::new(plain.clone()).along(Path::Rounded))
        }),
        ("not-judged", {
            let (cos, sin) = EncodingProgram::<f64>::single(&plain).run(PAIRS, &far).apart();
            stored(Format::F32, (&cos, &sin), &expectation(&plain, &far).computed_in(Format::Bf16))
        }),
        ("stored-narrowly", {
            let expected = Expectation { storage: Some(Format::F32), ..Expectation::new(plain.clone()) };
            stored(Format::F16, (&cos, &sin), &expected)
        }),
        ("other-path", {
            let by_exp = |k: usize| f64::from((-(2.0 * k as f32 / DIM as f32) * 10_000f32.ln()).exp());
            let program = EncodingProgram { frequency: Box::new(by_exp), ..EncodingProgram::<f64>::single(&plain) };
            let (cos, sin) = program.run(PAIRS, &positions(4096)).apart();
            stored(Format::F32, (&cos, &sin), &Expectation::new(plain.clone()).along(Path::Rounded))
        }),
        ("summed-rows", {
            let (mut angles, omega) = (vec![0f32; PAIRS], frequencies(&plain));
            let mut row = |_| -> Vec<(f64, f64)> {
                let row = angles.iter().map(|angle| f64::from(*angle).sin_cos()).map(|(sin, cos)| (cos, sin)).collect();
                angles.iter_mut().zip(&omega).for_each(|(angle, omega)| *angle += *omega as f32);
                row
            };
            cache(&plain, &CosinesAndSines { width: PAIRS, entries: (0..4096).flat_map(&mut row).collect() })
        }),
        ("inaccurate-angles", {
            let cut = |t: f64, omega: &f64| f64::from(f32::from_bits(((t * omega) as f32).to_bits() & !0x7f));
            let program = EncodingProgram { angle: Box::new(cut), ..EncodingProgram::<f64>::single(&plain) };
            let (cos, sin) = program.run(PAIRS, &positions(4096)).apart();
            stored(Format::F32, (&cos, &sin), &Expectation::new(plain.clone()))
        }),
        ("position-rule", listed(&|p| (p / 3) as f64)),
        ("row-shift", listed(&|p| ((p + ROWS - 1) % ROWS) as f64)),
        ("table-numbers", of_the_batch()),
        ("counted-tables", of_tables([4, ROWS as usize, DIM], |table, row| (table * ROWS as usize + row) as f64)),
        ("axes-exchanged", of_tables([ROWS as usize, 4, DIM], |table, _| table as f64)),
        ("repeated-rotation", turned_again()),
        ("duplication", wide([false; 2], Expectation::new(plain.clone()).duplicated(Duplication::Repeated))),
        ("different-duplications", wide([false, true], Expectation::new(both.clone()))),
        ("half-as-many-frequencies", wide([false; 2], Expectation::new(Convention::rope(2 * DIM)))),
        ("pairs-at-rest", altered(&plain, |i, both| if i % PAIRS < 16 { both } else { (1.0, 0.0) })),
        ("different-caches", {
            let (cos, sin) =
                (noise(ROWS as usize * PAIRS), noise(2 * ROWS as usize * PAIRS).split_off(ROWS as usize * PAIRS));
            judge_cache(Format::F32, (&cos, &sin), PAIRS, &Expectation::new(plain.clone())).unwrap()
        }),
        ("no-common-angle", table(&Convention::sinusoid(DIM), &noise(ROWS as usize * DIM))),
        ("unexplained", cache(&plain, &CosinesAndSines { width: PAIRS, entries: no_angles(ROWS as usize * PAIRS) })),
        ("normalised", {
            let norm = |x: &[f64]| (x.iter().map(|x| x * x).sum::<f64>() / DIM as f64).sqrt();
            rotation(&halves(), [1, ROWS as usize, DIM], &|_, row, x| {
                turned(x, row as f64).into_iter().map(|y| y / norm(x)).collect()
            })
        }),
        ("not-of-x", rotated(Format::F32, &|x| noise(2 * x.len()).split_off(x.len()))),
        ("zero-vectors", {
            let zeros = vec![0.0; ROWS as usize * DIM];
            judge_rotation(Format::F32, (&zeros, &zeros), DIM, &Expectation::new(both.clone())).unwrap()
        }),
    ]
}

#[test]
fn every_row_is_found_in_a_subject() {
    let mut found: BTreeSet<&str> =
        catalogue().filter(|fault| !fault.cases.is_empty()).map(|fault| fault.name).collect();
    for (name, report) in subjects() {
        assert!(report.findings.iter().any(|finding| finding.fault.name == name), "{name}: {report}");
        assert!(found.insert(name), "{name} has a program");
    }
    // Those of several axes have tests of their own.
    let [of_entries, of_arrays, _] = catalogue_by_subject().map(|(_, rows)| rows);
    let all: BTreeSet<&str> = of_entries.iter().chain(&of_arrays).map(|fault| fault.name).collect();
    assert_eq!(all.difference(&found).collect::<Vec<_>>(), Vec::<&&str>::new(), "rows that no subject has");
}
