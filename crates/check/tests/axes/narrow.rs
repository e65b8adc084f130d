//! Mistakes in caches and rotations of narrow formats: they have the names that they have in binary32.

use crate::families::law_of;
use crate::faults::{FAMILIES, MistakenFamily, mistaken};
use posproof_check::axes::{AxialExpectation, AxialIdentification, AxialReport, check_axes, identify_axes};
use posproof_check::{Slice, Status, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use posproof_table::{AxialTable, Element, in_format};
use serde_json::json;

/// The kind of subject.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Made {
    Cache,
    Rotation,
}

/// Cosines and sines in binary64.
fn exact(law: &AxialLaw, rows: &Coordinates) -> [Vec<f64>; 2] {
    let entries = rows.rows() * law.slots();
    let (mut cos, mut sin) = (vec![0.0; entries], vec![0.0; entries]);
    AxialTable::<f64>::new(law, rows).unwrap().fill(0, 0..rows.rows(), &mut cos, &mut sin).unwrap();
    [cos, sin]
}

/// Numbers of a format.
fn typed<T: Element>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&value| T::from_exact(T::FORMAT.round(value))).collect()
}

/// The subject that one law makes in a format: a cache, or vectors rotated by the cache with each product rounded.
fn made<T: Element, R>(kind: Made, (law, rows): (&AxialLaw, &Coordinates), ask: impl FnOnce(Subject<'_>) -> R) -> R {
    let round = |value: f64| T::FORMAT.round(value);
    let [cos, sin] = exact(law, rows).map(|part| part.into_iter().map(round).collect::<Vec<f64>>());
    if kind == Made::Cache {
        let (cos, sin) = (typed::<T>(&cos), typed::<T>(&sin));
        let [cos, sin] =
            [("cos", &cos), ("sin", &sin)].map(|(name, part)| Slice::new(name, part, law.slots()).unwrap());
        return ask(Subject::Rope { cos: Some(&cos), sin: Some(&sin) });
    }
    let dim = law.convention().dim;
    let hash = |i: u32| (i ^ (i >> 15)).wrapping_mul(0x2c1b_3c6d) ^ (i.wrapping_mul(0x297a_2d39) >> 12);
    let x: Vec<f64> = (0..(rows.rows() * dim) as u32).map(|i| round(f64::from(hash(i) >> 20) / 1024.0 - 2.0)).collect();
    let mut y = x.clone();
    for (row, (x, y)) in x.chunks_exact(dim).zip(y.chunks_exact_mut(dim)).enumerate() {
        let of = |part: &[f64], slot: usize| part[row * law.slots() + slot];
        for turn in law.turns() {
            let (a, b) = turn.read;
            y[turn.write.0] = round(round(x[a] * of(&cos, turn.slots.0)) - round(x[b] * of(&sin, turn.sines.0)));
            y[turn.write.1] = round(round(x[b] * of(&cos, turn.slots.1)) + round(x[a] * of(&sin, turn.sines.1)));
        }
    }
    let (x, y) = (typed::<T>(&x), typed::<T>(&y));
    let [x, y] = [("x", &x), ("y", &y)].map(|(name, part)| Slice::new(name, part, dim).unwrap());
    ask(Subject::Rotation { x: &x, y: &y })
}

#[test]
fn mistakes_have_their_names_in_narrow_formats() {
    let (mut noticed, mut named) = (0, Vec::new());
    for MistakenFamily { name, mistake, codes, stated, made } in mistaken(&FAMILIES) {
        // Caches in the one, and vectors in both.
        for (kind, format) in
            [(Made::Cache, Format::Bf16), (Made::Rotation, Format::Bf16), (Made::Rotation, Format::F16)]
        {
            if kind == Made::Rotation && stated.0.convention().encoding != Encoding::Rope {
                continue;
            }
            let of = |subject: Subject<'_>| check_axes(subject, &AxialExpectation::new(&stated.0, &stated.1)).unwrap();
            let report = in_format!(format, T => self::made::<T, AxialReport>(kind, (&made.0, &made.1), of));
            // The same entries, as far as the format shows.
            if report.conforms {
                continue;
            }
            noticed += 1;
            let finding = &report.findings[0];
            let explained = finding.status == Status::Confirmed && finding.explains.entries == finding.explains.of;
            if !codes.contains(&finding.code()) || !explained {
                named.push(format!("{name}: {mistake}, {kind:?} in {format}: {report}"));
            }
        }
    }
    assert!(named.is_empty(), "{} of {noticed} under another name:\n{}", named.len(), named.join("\n"));
    assert!(noticed >= 300, "{noticed}");
}

/// A grid on which slow slots turn by less than a unit of roundoff. What is established leaves no entry of them open.
#[test]
fn slow_slots_of_narrow_formats_go_on_with_their_axes() {
    let rows: Vec<f64> = (0..900).flat_map(|row| [f64::from(row / 30), f64::from(row % 30)]).collect();
    let rows = Coordinates::from_floats(&rows, 2).unwrap();
    let names = ["h".to_owned(), "w".to_owned()];
    for (base, known) in [(100, true), (10_000, true), (123_456, false)] {
        let law = law_of(&json!({ "encoding": "rope", "dim": 64, "base": base, "layout": "halves",
            "axes": [{ "name": "h", "pairs": "0..16" }, { "name": "w", "pairs": "16..32" }] }))
        .unwrap();
        for format in [Format::F16, Format::Bf16] {
            let of = |subject: Subject<'_>| identify_axes(subject, &rows, &names).unwrap();
            let found = in_format!(format, T => made::<T, AxialIdentification>(Made::Rotation, (&law, &rows), of));
            let Some(convention) = &found.convention else {
                assert!(!known, "{base} in {format}: {found}");
                continue;
            };
            // Entries of half of the rows are none that depart by themselves.
            assert!(found.findings.is_empty(), "{base} in {format}: {found}");
            if known {
                assert_eq!(convention.axes[0].pairs.to_string(), "0..16", "{base} in {format}: {found}");
                assert_eq!(convention.parameters.base, Some(base.into()), "{base} in {format}: {found}");
            }
        }
    }
}
