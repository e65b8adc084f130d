//! Entries on integer grids: rotated or computed, then quantised.

use crate::integers::Integers;
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Code, Expectation, Levels, Slice, Subject, check};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_encoding::convention::{Convention, Direction, Layout};
use posproof_numerics::format::Format;

const DIM: usize = 64;

/// Numbers, quantised to integers of 8 bits and to what is beyond them.
fn quantised(numbers: &[f64], width: usize, step: f64) -> Integers {
    let entries = numbers.iter().map(|x| (x / step).round_ties_even().clamp(-128.0, 127.0)).collect();
    Integers { entries, width, levels: Levels::new(step, 0.0).unwrap().of_integers(8, true) }
}

/// Cosines and sines in binary32, and vectors rotated by them in bfloat16.
fn program(rows: usize) -> (Vec<(f64, f64)>, Vec<f64>, Vec<f64>) {
    let pairs = DIM / 2;
    let omega: Vec<f32> = (0..pairs).map(|k| 10000f32.powf(-(2.0 * k as f32) / DIM as f32)).collect();
    let angles = (0..rows).flat_map(|t| omega.iter().map(move |omega| f64::from(t as f32 * omega)).collect::<Vec<_>>());
    let both: Vec<(f64, f64)> = angles.map(|angle| (angle.cos(), angle.sin())).collect();
    let x: Vec<f64> = posproof_check::probe::vectors(Format::Bf16, rows * DIM).collect();
    let round = |x: f64| Format::Bf16.round(x);
    let mut y = vec![0.0; x.len()];
    for row in 0..rows {
        for k in 0..pairs {
            let ((c, s), a, b) = (both[row * pairs + k], row * DIM + k, row * DIM + k + pairs);
            let (c, s) = (round(c), round(s));
            y[a] = round(round(x[a] * c) - round(x[b] * s));
            y[b] = round(round(x[b] * c) + round(x[a] * s));
        }
    }
    (both, x, y)
}

/// A step that holds all numbers, and one beyond whose largest number some lie.
#[test]
fn what_is_quantised_conforms_and_a_step_more_does_not() {
    let rows = 300;
    let (both, x, y) = program(rows);
    let convention = Convention { layout: Layout::Halves, ..Convention::rope(DIM) };
    let expectation = Expectation::new(convention.clone());
    let x = Slice::new("x", &x, DIM).unwrap();
    for step in [2.2 / 127.0, 1.0 / 127.0] {
        let cos: Vec<f64> = both.iter().map(|(c, _)| *c).collect();
        let sin: Vec<f64> = both.iter().map(|(_, s)| *s).collect();
        let (cos, sin) = (quantised(&cos, DIM / 2, step), quantised(&sin, DIM / 2, step));
        let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
        assert!(report.conforms, "{report}");
        let mut rotated = quantised(&y, DIM, step);
        let judged = |y: &Integers| {
            let plain = check(Subject::Rotation { x: &x, y }, &expectation).unwrap();
            let law = AxialConvention::from(&convention).law(|name| Err(format!("{name} is not stored"))).unwrap();
            // Rows in another order are judged as those of one axis.
            let positions: Vec<f64> = (0..rows).map(|row| row as f64).collect();
            let coordinates = Coordinates::from_floats(&positions, 1).unwrap();
            let axial = check_axes(Subject::Rotation { x: &x, y }, &AxialExpectation::new(&law, &coordinates)).unwrap();
            assert_eq!((plain.conforms, plain.statistics.exceeding), (axial.conforms, axial.statistics.exceeding));
            let read = "read: integers: integers, steps of";
            assert!(plain.to_string().contains(read) && axial.to_string().contains(read), "{axial}");
            plain
        };
        let report = judged(&rotated);
        assert!(report.conforms, "{report}");
        let at = (4321..).find(|at| rotated.entries[*at].abs() < 100.0).unwrap();
        // The rotation itself is allowed what one in bfloat16 is.
        rotated.entries[at] += if step > 0.01 { 4.0 } else { 8.0 };
        let report = judged(&rotated);
        assert_eq!((report.statistics.exceeding, report.first_code()), (1, Some(Code::Local)), "{report}");
    }
}

/// Where the format before is known to be wide, two steps are too many.
#[test]
fn what_is_quantised_from_binary32_is_judged_as_that() {
    let (both, ..) = program(300);
    let cos: Vec<f64> = both.iter().map(|(c, _)| *c).collect();
    let mut cos = quantised(&cos, DIM / 2, 1.0 / 127.0);
    cos.levels = cos.levels.after(Format::F32);
    let judged = |cos: &Integers| {
        check(Subject::Rope { cos: Some(cos), sin: None }, &Expectation::new(Convention::rope(DIM))).unwrap()
    };
    let report = judged(&cos);
    assert!(report.conforms && report.statistics.correctly_rounded.is_none(), "{report}");
    cos.entries[1234] += 2.0;
    let report = judged(&cos);
    assert_eq!((report.statistics.exceeding, report.first_code()), (1, Some(Code::Local)), "{report}");
}

/// Faults of a cache of 8 bits have their names.
#[test]
fn faults_on_a_grid_are_named() {
    let (both, ..) = program(600);
    let parts = |of: fn(&(f64, f64)) -> f64| -> Vec<f64> { both.iter().map(of).collect() };
    let (cos, sin) = (parts(|(c, _)| *c), parts(|(_, s)| *s));
    let (cos, sin) = (quantised(&cos, DIM / 2, 1.0 / 127.0), quantised(&sin, DIM / 2, 1.0 / 127.0));
    let judged = |convention: Convention| {
        check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &Expectation::new(convention)).unwrap()
    };
    let right = Convention::rope(DIM);
    assert!(judged(right.clone()).conforms);
    for (stated, code) in [
        (Convention { base: 500_000.into(), ..right.clone() }, Code::OtherBase),
        (Convention { base: 1_000_000.into(), ..right.clone() }, Code::OtherBase),
        (Convention { position_offset: 1.into(), ..right.clone() }, Code::PositionOffset),
        (Convention { direction: Direction::Clockwise, ..right.clone() }, Code::Direction),
    ] {
        let report = judged(stated);
        assert_eq!(report.first_code(), Some(code), "{report}");
        assert!(report.mend.is_some(), "{report}");
    }
}
