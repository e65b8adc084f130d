//! Rows of a cache that are read at other places, tables that are interpolated, powers and zeros that are left out.

use crate::corpus::frequencies;
use crate::heads::rotation;
use crate::told::{cache, only, right};
use posproof_check::faults::{CacheRead, PartCause, PrecisionCause, ProductsCause};
use posproof_check::{Cause, Code, Grade, Report, Status};
use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::scaling::Scaling;
use std::f64::consts::{PI, TAU};

const ROWS: usize = 1024;

/// Reports on a rotation and on a cache whose cosines and sines stand in the columns `at` of rows of so many numbers.
fn read(dim: usize, row: &dyn Fn(usize) -> Vec<f64>, at: &dyn Fn(usize) -> [Option<usize>; 2]) -> [Report; 2] {
    let convention = Convention { layout: Layout::Halves, ..Convention::rope(dim) };
    let pairs = dim / 2;
    let rows: Vec<f64> = (0..ROWS + 2).flat_map(row).collect();
    let entry = |p: usize, k: usize| {
        let [cos, sin] = at(k).map(|column| column.map_or(0.0, |column| rows[p * dim + column]));
        (cos, sin)
    };
    let turned = rotation(&convention, [2, ROWS, dim], &|_, p, x| {
        let turn = |k: usize| {
            let (cos, sin) = entry(p, k);
            (x[k] * cos - x[k + pairs] * sin, x[k + pairs] * cos + x[k] * sin)
        };
        let (first, second): (Vec<f64>, Vec<f64>) = (0..pairs).map(turn).unzip();
        [first, second].concat()
    });
    [turned, cache(&convention, ROWS, &entry)]
}

/// The bug of kernels whose blocks are powers of two, that of kernels which take the head's dimension for that of the rotation, and rows
/// of one order read as those of the other.
#[test]
fn rows_of_a_cache_that_are_read_at_other_places() {
    for dim in [32, 96, 192] {
        let pairs = dim / 2;
        let omega = frequencies(&Convention::rope(dim));
        let entry = right(&omega);
        let all = |p: usize| (0..pairs).map(|k| entry(p as f64, k)).collect::<Vec<(f64, f64)>>();
        let halves = |p: usize| {
            let (cosines, sines): (Vec<f64>, Vec<f64>) = all(p).into_iter().unzip();
            [cosines, sines].concat()
        };
        let alternating = |p: usize| all(p).into_iter().flat_map(|(cos, sin)| [cos, sin]).collect::<Vec<f64>>();
        let padded = (dim.next_power_of_two() / 2).max(pairs + 1);
        let is = |reports: [Report; 2], expected: CacheRead| {
            for report in reports {
                let (code, status, cause) = only(&report);
                assert_eq!(
                    (code, status, report.grade),
                    (Code::NotARotation, Status::Confirmed, Grade::Wrong),
                    "{report}"
                );
                assert_eq!(*cause, ProductsCause::Read(expected).into(), "{report}");
            }
        };
        for column in [padded, dim, pairs - 1, 0] {
            is(read(dim, &halves, &|k| [Some(k), Some(column + k)]), CacheRead::SinesFrom(column));
        }
        let masked = |k: usize| [Some(k), Some(padded + k).filter(|column| *column < dim)];
        is(read(dim, &halves, &masked), CacheRead::SinesUpToTheEnd(padded));
        is(read(dim, &halves, &|k| [Some(2 * k), Some(2 * k + 1)]), CacheRead::Alternating);
        is(read(dim, &alternating, &|k| [Some(k), Some(pairs + k)]), CacheRead::Halves);
    }
}

#[test]
fn tables_that_are_interpolated() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    for parts in [64u32, 256, 360, 777, 1024, 2048] {
        let step = TAU / f64::from(parts);
        let report = cache(&convention, ROWS, &|p, k| {
            let at = p as f64 * omega[k] / step;
            let (one, next, share) = (at.floor() * step, (at.floor() + 1.0) * step, at.fract());
            let between = |of: fn(f64) -> f64| (1.0 - share) * of(one) + share * of(next);
            (between(f64::cos), between(f64::sin))
        });
        let (code, status, cause) = only(&report);
        assert_eq!(
            (code, status, report.grade),
            (Code::LowPrecisionTrigonometry, Status::Confirmed, Grade::Degraded),
            "{report}"
        );
        assert_eq!(*cause, PrecisionCause::Interpolated { parts }.into(), "{report}");
    }
}

#[test]
fn angles_that_are_reduced_with_few_digits_of_pi() {
    let convention = Convention::rope(64);
    let omega = frequencies(&convention);
    let decimals = |parts: f64| (PI * parts).round() / parts;
    for (pi, by, single) in
        [(decimals(1e2), 2.0, false), (22.0 / 7.0, 2.0, true), (decimals(1e4), 0.5, false), (decimals(1e5), 1.0, true)]
    {
        let taken = if single { f64::from((by * pi) as f32) } else { by * pi };
        for round in [f64::floor, f64::round] {
            let report = cache(&convention, 4 * ROWS, &|p, k| {
                let angle = p as f64 * omega[k];
                let angle = angle + round(angle / taken) * (by * PI - taken);
                (angle.cos(), angle.sin())
            });
            let (code, status, cause) = only(&report);
            assert_eq!(
                (code, status, report.grade),
                (Code::LowPrecisionTrigonometry, Status::Confirmed, Grade::Degraded),
                "{report}"
            );
            assert_eq!(*cause, PrecisionCause::Reduced { pi }.into(), "{report}");
        }
    }
}

#[test]
fn frequencies_without_a_power() {
    let convention = Convention::rope(64);
    for end in [1000f64, 10_000f64.ln()] {
        let report = cache(&convention, ROWS, &|p, k| {
            let angle = p as f64 * (2.0 * k as f64 * end / 64.0);
            (angle.cos(), angle.sin())
        });
        assert!(
            matches!(only(&report), (Code::FrequencySpacing, Status::Confirmed, Cause::Frequencies { .. })),
            "{report}"
        );
        assert!(report.to_string().contains("the power of the base, is missing"), "{report}");
    }
}

#[test]
fn sines_of_pairs_at_rest_that_are_padded_with_ones() {
    let scaling = Scaling::Proportional { partial_rotary_factor: "0.25".parse().unwrap(), factor: 1.into() };
    let convention = Convention { scaling: Some(scaling), ..Convention::rope(64) };
    let omega = frequencies(&convention);
    let report = cache(&convention, ROWS, &|p, k| {
        let angle = p as f64 * omega[k];
        (angle.cos(), if k < 8 { angle.sin() } else { 1.0 })
    });
    let (code, status, cause) = only(&report);
    assert_eq!(
        (code, status, cause),
        (Code::NotARotation, Status::Confirmed, &PartCause::Ones { pairs: 24 }.into()),
        "{report}"
    );
}
