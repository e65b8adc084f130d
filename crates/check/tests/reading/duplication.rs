//! A cache's repetition of its columns: found, reported and enforced. And the format of its entries.

use crate::cache::*;
use posproof_check::faults::ArrayCause;
use posproof_check::{Cause, Code, Computed, Duplication, Expectation, Grade, Half, Slice, Subject, check, identify};
use posproof_numerics::format::Format;

fn repeated(part: fn((f32, f32)) -> f32) -> Computed<f32> {
    array("repeated", DIM, |p, j| part(single(p, by_pow(j / 2))))
}

fn halves(part: fn((f32, f32)) -> f32) -> Computed<f32> {
    array("halves", DIM, |p, j| part(single(p, by_pow(j % PAIRS))))
}

fn plain(part: fn((f32, f32)) -> f32) -> Computed<f32> {
    array("plain", PAIRS, |p, j| part(single(p, by_pow(j))))
}

#[test]
fn every_duplication_is_found() {
    type Component = fn((f32, f32)) -> f32;
    let (cos, sin): (Component, Component) = (|z| z.0, |z| z.1);
    let all = [
        (Duplication::None, plain(cos), plain(sin)),
        (Duplication::Halves, halves(cos), halves(sin)),
        (Duplication::Repeated, repeated(cos), repeated(sin)),
    ];
    for (found, cos, sin) in &all {
        let report = judge(cos, sin, &expected());
        assert!(report.conforms, "{report}");
        assert_eq!(report.duplication(), Some(*found), "{report}");
        assert_eq!(report.to_string().contains("repeated"), *found != Duplication::None, "{report}");
        for stated in Duplication::ALL {
            let report = judge(cos, sin, &expected().duplicated(stated));
            assert_eq!(report.conforms, stated == *found, "{stated} stated: {report}");
            if stated != *found {
                assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::Duplication)));
                let Cause::Array(ArrayCause::Duplication { stated: s, found: f, .. }) = &report.findings[0].cause
                else {
                    panic!("{report}")
                };
                assert_eq!((*s, *f), (stated, *found));
            }
        }
    }
}

#[test]
fn cosines_and_sines_that_are_repeated_differently_do_not_conform() {
    let report = judge(&halves(|z| z.0), &repeated(|z| z.1), &expected());
    assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::Duplication)), "{report}");
}

#[test]
fn a_wrong_entry_does_not_change_how_columns_are_repeated() {
    let cos = array("cos", DIM, |p, j| if (p, j) == (131_071, 5) { 3.0 } else { single(p, by_pow(j / 2)).0 });
    let report = check(Subject::Rope { cos: Some(&cos), sin: None }, &expected()).unwrap();
    assert_eq!((report.duplication(), report.statistics.exceeding), (Some(Duplication::Repeated), 1), "{report}");
}

/// A width that is both that of a single cache and that of a doubled one: 32 pairs, or 16 pairs twice.
#[test]
fn half_as_many_frequencies_are_named_as_such() {
    for repeated in [false, true] {
        let pair = |j: usize| if repeated { j / 2 } else { j % (PAIRS / 2) };
        let frequency = |k: usize| 1.0 / 500_000f32.powf((2 * k) as f32 / PAIRS as f32);
        let cos = array("cos", PAIRS, |p, j| single(p, frequency(pair(j))).0);
        let sin = array("sin", PAIRS, |p, j| single(p, frequency(pair(j))).1);
        let report = judge(&cos, &sin, &expected());
        assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::Duplication)), "{report}");
        assert!(report.findings[0].to_string().starts_with("the cache holds 16 frequencies, not 32"), "{report}");
        // What was found is what it conforms to.
        let found = report.found.expect("a convention");
        assert_eq!(found.rotary_dim, Some(PAIRS));
        assert!(judge(&cos, &sin, &Expectation::new(found).at(positions())).conforms);
    }
}

#[test]
fn a_cache_of_both_parts_side_by_side_is_read_or_refused_with_advice() {
    let both = array("cos_sin_cache", DIM, |p, j| {
        let (cos, sin) = single(p, by_pow(j % PAIRS));
        if j < PAIRS { cos } else { sin }
    });
    let [cos, sin] = Half::both(&both).unwrap();
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let report = check(subject, &expected()).unwrap();
    assert!(report.conforms, "{report}");
    assert_eq!((report.inputs[0].width, report.inputs[1].note.as_deref()), (PAIRS, Some("second half of the columns")));
    assert_eq!(identify(subject, Some(&positions())).unwrap().convention, Some(convention()));
    let refusal = check(Subject::Rope { cos: Some(&both), sin: None }, &expected()).unwrap_err().to_string();
    assert!(refusal.starts_with("cos_sin_cache") && refusal.contains("--cos-sin-cache"), "{refusal}");
    // A wrong half is seen.
    let refusal = Half::both(&Slice::new("odd", &[1f32; 9], 3).unwrap()).map(drop).unwrap_err();
    assert!(refusal.to_string().contains("an even width"), "{refusal}");
    let swapped = check(Subject::Rope { cos: Some(&sin), sin: Some(&cos) }, &expected()).unwrap();
    assert_eq!(swapped.first_code(), Some(Code::Order), "{swapped}");
}

/// The values of a bfloat16 cache in a binary32 array, as NumPy has to save them.
#[test]
fn entries_are_judged_in_the_format_that_is_stated() {
    let cos = array("cos", PAIRS, |p, j| nearest(single(p, by_pow(j)).0));
    let sin = array("sin", PAIRS, |p, j| nearest(single(p, by_pow(j)).1));
    let report = judge(&cos, &sin, &expected().stored_in(Format::Bf16));
    assert!(report.conforms, "{report}");
    assert_eq!((report.storage, report.inputs[0].format, report.inputs[0].others), (Format::Bf16, Format::F32, 0));
    // The same values, stored as such, have the same report but for that.
    let (narrow, fine) = (half::bf16::from_f32, |p, j| single(p, by_pow(j)));
    let (c, s) = (array("cos", PAIRS, |p, j| narrow(fine(p, j).0)), array("sin", PAIRS, |p, j| narrow(fine(p, j).1)));
    let stored = judge(&c, &s, &expected().stored_in(Format::Bf16));
    assert_eq!((stored.grade, &stored.statistics, &stored.worst), (report.grade, &report.statistics, &report.worst));
    // Without the statement the finding stays.
    assert_eq!(judge(&cos, &sin, &expected()).first_code(), Some(Code::LowPrecisionStorage));
    // Another narrow format does not hold them.
    assert!(!judge(&cos, &sin, &expected().stored_in(Format::F16)).conforms);
    // Entries in a narrower format than stated are a finding as before.
    assert_eq!(judge(&c, &s, &expected().stored_in(Format::F32)).first_code(), Some(Code::LowPrecisionStorage));
}

#[test]
fn entries_that_are_no_numbers_of_the_stated_format_are_counted_and_never_correctly_rounded() {
    let (cos, sin) = (plain(|z| z.0), plain(|z| z.1));
    let report = judge(&cos, &sin, &expected().stored_in(Format::Bf16));
    let others = cos.entries().iter().filter(|x| nearest(**x) != **x).count() as u64;
    assert!(others > 0 && report.inputs[0].others == others, "{report}");
    assert_eq!(report.grade, Grade::WithinBound);
    assert!(report.statistics.correctly_rounded.unwrap() <= report.entries - others - report.inputs[1].others);
    assert!(report.to_string().contains(&format!("cos: {others} entries are no bf16 but f32").replace("cos", "plain")));
}
