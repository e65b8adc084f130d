//! Entries without information are said to be so.

use crate::cache::*;
use posproof_check::{Code, Computed, Expectation, Grade, Rotated, Subject, assert_conforms, check, probe};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// Numbers in [−1, 1) that have nothing to do with the position.
fn noise(seed: u64) -> f32 {
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

/// Far positions in binary32, where noise in a pair would pass: such pairs are named.
#[test]
fn pairs_that_could_be_noise_are_not_judged() {
    let convention = Convention::rope(128);
    let positions = Positions::range(16_775_216..16_776_216).unwrap();
    let frequency = |k: usize| 1.0 / 10_000f32.powf((2 * k) as f32 / 128.0);
    let cache = |name, wrong: &[usize], part: fn((f32, f32)) -> f32| {
        Computed::new(name, &positions, 64, |p, row: &mut [f32]| {
            for (k, x) in row.iter_mut().enumerate() {
                *x = if wrong.contains(&k) { noise(p * 64 + k as u64) } else { part(single(p, frequency(k))) };
            }
        })
    };
    let expectation = Expectation::new(convention).at(positions.clone()).along(posproof_check::Path::Repeated);
    let judge = |wrong: &[usize]| {
        let (cos, sin) = (cache("cos", wrong, |z| z.0), cache("sin", wrong, |z| z.1));
        check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap()
    };
    let right = judge(&[]);
    let silent = right.information.pairs.clone();
    assert!(silent.len() > 5 && silent.len() < 64, "{right}");
    // Noise in all of them passes as it must, and in any other pair it does not.
    let replaced = judge(&silent);
    assert_eq!((replaced.statistics.exceeding, &replaced.information), (0, &right.information), "{replaced}");
    assert!(replaced.to_string().contains("not judged: pairs "), "{replaced}");
    let judged = (0..64).filter(|pair| !silent.contains(pair));
    for pair in judged.step_by(9) {
        let report = judge(&[pair]);
        assert!(report.statistics.exceeding > 0, "noise in pair {pair} passes: {report}");
    }
}

#[test]
fn a_subject_that_is_mostly_not_judged_does_not_conform_in_silence() {
    let far = Positions::range(1_000_000..1_001_000).unwrap();
    let cache = |part: fn((f32, f32)) -> f32| {
        Computed::new("cache", &far, PAIRS, |p, row: &mut [f32]| {
            row.iter_mut().enumerate().for_each(|(k, x)| *x = part(single(p, by_pow(k))));
        })
    };
    let (cos, sin) = (cache(|z| z.0), cache(|z| z.1));
    let expected = || Expectation::new(convention()).at(far.clone());
    let expectation = expected().computed_in(Format::Bf16);
    let report = judge(&cos, &sin, &expectation);
    assert_eq!((report.grade, report.first_code()), (Grade::NotJudged, Some(Code::NotJudged)), "{report}");
    assert!(2 * report.information.uninformative > report.entries && !report.conforms);
    let panic = std::panic::catch_unwind(|| {
        assert_conforms(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation);
    });
    assert!(panic.is_err());
    // The same entries say much in binary32, and nothing is withheld.
    let report = judge(&cos, &sin, &expected());
    assert!(report.conforms && report.information.uninformative == 0, "{report}");
}

#[test]
fn vectors_that_are_zero_say_nothing_about_a_rotation() {
    let positions = probe::positions(1000).unwrap();
    let zero = Computed::new("x", &positions, DIM, |_, _: &mut [f32]| {});
    let expectation = Expectation::new(convention()).at(positions.clone());
    let report = check(Subject::Rotation { x: &zero, y: &zero }, &expectation).unwrap();
    assert_eq!((report.grade, report.information.uninformative), (Grade::NotJudged, report.entries), "{report}");
    assert_eq!((report.information.rows, report.information.pairs.len()), (Some(positions.len() as u64), PAIRS));
    // They are 0 at any angle: no error of an angle is the reason.
    let text = report.to_string();
    assert!(report.information.zeros == Some(report.entries) && text.contains("a vector that is 0 is 0"), "{text}");
    assert!(!text.contains("error of the angle"), "{text}");
    // One pair that is 0 in every row.
    let rotate = |p: u64, v: &mut [f32]| {
        for (k, pair) in v.chunks_exact_mut(2).enumerate() {
            let (cos, sin) = single(p, by_pow(k));
            (pair[0], pair[1]) = (pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos);
        }
    };
    let rotated = Rotated::new(&positions, DIM, |p, v: &mut [f32]| rotate(p, v));
    let report = check(rotated.subject(), &expectation).unwrap();
    assert!(report.conforms && report.information == Default::default(), "{report}");
    let x = Computed::new("x", &positions, DIM, |p, v: &mut [f32]| {
        v.iter_mut().enumerate().for_each(|(j, x)| *x = if j / 2 == 7 { 0.0 } else { noise(p * 64 + j as u64) });
    });
    let mut row = 0;
    let y = Computed::new("y", &positions, DIM, |p, v: &mut [f32]| {
        v.copy_from_slice(&x.entries()[row * DIM..][..DIM]);
        row += 1;
        rotate(p, v);
    });
    let report = check(Subject::Rotation { x: &x, y: &y }, &expectation).unwrap();
    assert_eq!((report.conforms, report.information.pairs), (true, vec![7]));
}

/// As on several axes: a program that counts in f16 has infinity there.
#[test]
fn positions_that_a_format_does_not_hold_are_refused() {
    let judged = |last: u64, compute| {
        let positions = Positions::list([0, last]).unwrap();
        let cache = |part: fn((f32, f32)) -> f32| {
            Computed::new("cache", &positions, PAIRS, |p, row: &mut [f32]| {
                row.iter_mut().enumerate().for_each(|(k, x)| *x = part(single(p, by_pow(k))));
            })
        };
        let (cos, sin) = (cache(|z| z.0), cache(|z| z.1));
        let expectation = Expectation::new(convention()).at(positions.clone()).computed_in(compute);
        check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).map_err(|error| error.to_string())
    };
    assert!(judged(65_504, Format::F16).is_ok() && judged(65_505, Format::Bf16).is_ok());
    let refused = judged(65_505, Format::F16).unwrap_err();
    assert!(refused.contains("which f16 holds; found 6.5505e4"), "{refused}");
}
