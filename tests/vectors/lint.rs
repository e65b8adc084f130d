//! Promises that every file must keep, checked without the generator.

use crate::format::{Bits, FILES, Group, SCHEMA, Test, Value, Vectors, Verdict};
use posproof::encoding::convention::{Component, Convention};
use posproof::encoding::frequency::Entries;
use posproof::number::format::Format;
use posproof::number::mpfr;
use posproof_check::faults::catalogue;
use posproof_numerics::Interval;
use posproof_numerics::narrow::Narrow;
use rug::Float;
use rug::float::Round;
use std::collections::BTreeSet;

/// The number that hexadecimal digits stand for.
fn number(format: Format, digits: &str) -> f64 {
    assert_eq!(digits.len(), 2 * format.bytes(), "{digits}: {format} has {} hex digits", 2 * format.bytes());
    assert_eq!(digits, digits.to_lowercase());
    let bits = u64::from_str_radix(digits, 16).expect("hexadecimal digits");
    match format {
        Format::F64 => f64::from_bits(bits),
        Format::F32 => f64::from(f32::from_bits(bits as u32)),
        Format::F16 => half::f16::from_bits(bits as u16).to_f64(),
        Format::Bf16 => half::bf16::from_bits(bits as u16).to_f64(),
        Format::E4m3 => Narrow::E4m3.decode(bits as u8),
        Format::E5m2 => Narrow::E5m2.decode(bits as u8),
    }
}

/// Enclosure and bits agree: both ends round to the number in every format, or, where the exact value is a
/// number of the format, they enclose it.
fn lint_value(value: &Value, place: &str) {
    let end = |text: &str, round| Float::with_val_round(200, Float::parse(text).expect("a decimal"), round).0;
    let (lower, upper) = (end(&value.lower, Round::Down), end(&value.upper, Round::Up));
    assert!(lower <= upper, "{place}: the enclosure is empty");
    let all =
        [(Format::F64, &value.f64), (Format::F32, &value.f32), (Format::F16, &value.f16), (Format::Bf16, &value.bf16)];
    for (format, digits) in all {
        let found = number(format, digits);
        assert_eq!(format.bits(found), *digits, "{place}: {format} bits that are not canonical");
        let (low, high) = (mpfr::round(format, &lower), mpfr::round(format, &upper));
        assert!(
            low <= found && found <= high,
            "{place}: {digits} is not the rounding in {format} of [{lower}, {upper}]"
        );
        assert!(low == high || lower == upper, "{place}: the enclosure is too wide to decide {format}");
    }
}

/// Error that the cosine and the sine of an honest binary32 program may have: u + 20·u·t·ω, and 2·u where ω = 1 makes the angle
/// exact.
fn allowed(entries: &Entries, position: u64, pair: usize) -> f64 {
    let omega = entries.frequency(pair, 64).expect("a valid pair").approximate();
    let growth = if omega == 1.0 { 1.0 } else { 20.0 * position as f64 * omega };
    Format::F32.unit_roundoff() * (1.0 + growth)
}

/// |cos or sin found − exact| in units of what is allowed.
fn excess(entries: &Entries, position: u64, pair: usize, cos: &Bits, sin: &Bits) -> f64 {
    let error = |bits: &Bits, component| {
        if !number(Format::F32, &bits.f32).is_finite() {
            return f64::INFINITY;
        }
        let exact = entries.enclose(position, pair, component, 100).expect("a valid entry");
        (exact - Interval::exactly(number(Format::F32, &bits.f32))).abs().approximate()
    };
    error(cos, Component::Cos).max(error(sin, Component::Sin)) / allowed(entries, position, pair)
}

/// Error of y beside x rotated as the convention says, in units of what is allowed, pair by pair: two cosines and sines, each times
/// the length of the pair, and the roundings of products and sums.
fn rotation_excess(convention: &Convention, position: u64, x: &[String], y: &[String]) -> f64 {
    let entries = Entries::new(convention);
    let value = |texts: &[String], i: usize| number(Format::F32, &texts[i]);
    let excesses = (0..convention.pairs()).map(|pair| {
        let (first, second) = (pair, pair + convention.pairs());
        let part = |component| entries.enclose(position, pair, component, 100).expect("an entry").approximate();
        let (cos, sin) = (part(Component::Cos), part(Component::Sin));
        let (a, b) = (value(x, first), value(x, second));
        let error = (a * cos - b * sin - value(y, first)).abs().max((a * sin + b * cos - value(y, second)).abs());
        error / (a.hypot(b) * (2.0 * allowed(&entries, position, pair) + 4.0 * Format::F32.unit_roundoff()))
    });
    excesses.fold(0.0, f64::max)
}

fn lint_group(group: &Group, vectors: &Vectors) {
    let place = &group.name;
    assert_eq!(group.convention.validate(), Ok(()), "{place}");
    assert!(!group.tests.is_empty() && !group.flags.is_empty(), "{place} has no tests or no flags");
    for flag in &group.flags {
        assert!(vectors.notes.contains_key(flag), "{place}: flag {flag} has no note");
    }
    let entries = Entries::new(&group.convention);
    let mut worst: f64 = 0.0;
    for test in &group.tests {
        let place = format!("{place}, test {}", test.id());
        match (group.result, test) {
            (Verdict::Valid, Test::Entry { pair, cos, sin, .. }) => {
                assert!(*pair < group.convention.pairs(), "{place}: no pair {pair}");
                lint_value(cos, &place);
                lint_value(sin, &place);
            }
            (Verdict::Invalid, Test::Wrong { position, pair, cos, sin, .. }) => {
                worst = worst.max(excess(&entries, *position, *pair, cos, sin));
            }
            (Verdict::Invalid, Test::Rotation { position, x, y, .. }) => {
                worst = worst.max(rotation_excess(&group.convention, *position, x, y));
            }
            (result, _) => panic!("{place}: a test of this kind in a group that is {result:?}"),
        }
    }
    if group.result == Verdict::Invalid {
        assert!(worst > 2.0, "{place}: within {worst} of what an honest program computes: the vectors show no fault");
    }
}

#[test]
fn ids_counts_flags_and_values_are_in_order() {
    let mut next = 1;
    let mut names = BTreeSet::new();
    for file in FILES {
        let vectors = Vectors::load(file);
        assert_eq!(vectors.schema, SCHEMA, "{file}");
        let tests = vectors.groups.iter().flat_map(|group| &group.tests);
        for test in tests.clone() {
            assert_eq!(test.id(), next, "{file}: ids are consecutive over all files");
            next += 1;
        }
        assert_eq!(tests.count(), vectors.number_of_tests, "{file}");
        let used: BTreeSet<&String> = vectors.groups.iter().flat_map(|group| &group.flags).collect();
        assert_eq!(used, vectors.notes.keys().collect(), "{file}: notes and flags differ");
        for group in &vectors.groups {
            assert!(names.insert(group.name.clone()), "two groups are called {}", group.name);
            lint_group(group, &vectors);
        }
    }
}

/// The classes of the conventions page, each by the flags that cover it.
const CLASSES: [&[&str]; 24] = [
    &["low-precision-frequencies"],
    &["low-precision-positions"],
    &["low-precision-angles"],
    &["low-precision-storage"],
    &["layout"],
    &["direction"],
    &["other-base"],
    &["reciprocal-frequencies", "integer-division"],
    &["position-offset"],
    &["clamped-positions", "unrotated-rows"],
    &["partial-rotary"],
    &["linear-factor"],
    &["ntk-as-linear"],
    &["yarn-attention-factor"],
    &["llama3-bands"],
    &["longrope-switched"],
    &["zero-table"],
    &["fast-math"],
    &["frequency-spacing"],
    &["order"],
    &["cosine-exponent", "exponent-doubled"],
    &["timescale-multiplied"],
    &["parity-of-rows", "constant-rows"],
    &["applied-twice", "aliasing"],
];

#[test]
fn every_class_of_faults_has_its_negative_vectors() {
    let found: BTreeSet<String> = Vectors::load("negative.json").notes.into_keys().collect();
    let listed: BTreeSet<String> = CLASSES.iter().flat_map(|class| class.iter().map(|&flag| flag.to_owned())).collect();
    assert_eq!(listed.difference(&found).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// A vector of another row is none of one row.
const OF_SEVERAL_ROWS: &str = "cross-wired";

#[test]
fn every_fault_that_a_program_has_is_shown_by_vectors() {
    for fault in catalogue().filter(|fault| fault.name != OF_SEVERAL_ROWS) {
        let (cases, vectors) = (!fault.cases.is_empty(), fault.vectors.is_some());
        assert_eq!(cases, vectors, "{}: programs with the fault, and vectors", fault.name);
    }
}
