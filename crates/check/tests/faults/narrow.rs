//! Caches, tables and rotations computed in bf16 or f16 throughout: degraded, with the causes that they have.

use crate::corpus::{judge_cache, judge_rotation, judge_table, vectors};
use posproof_check::faults::PrecisionCause;
use posproof_check::{Cause, Code, Expectation, Grade, Report};
use posproof_encoding::convention::{Convention, Encoding, Layout};
use posproof_numerics::format::Format;

/// Ways to compute frequencies, every step rounded.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// 1/base**x.
    Reciprocal,
    /// exp(i·(−ln base/dim)).
    Exponential,
}

/// Cosines and sines of a program in a format throughout.
fn program(format: Format, way: Way, convention: &Convention, rows: usize) -> Vec<(f64, f64)> {
    let round = |x: f64| format.round(x);
    let (base, dim) = (convention.base.value().to_f64(), convention.dim as f64);
    let omega: Vec<f64> = (0..convention.pairs())
        .map(|k| {
            let index = 2.0 * k as f64;
            match way {
                Way::Reciprocal => round(1.0 / round(base.powf(round(index / dim)))),
                Way::Exponential => round(round(index * round(-base.ln() / dim)).exp()),
            }
        })
        .collect();
    let row = |p: usize| omega.iter().map(move |omega| round(p as f64) * omega).collect::<Vec<f64>>();
    (0..rows).flat_map(row).map(round).map(|angle| (angle.cos(), angle.sin())).collect()
}

fn judged(convention: &Convention, stored: Format, both: &[(f64, f64)], entries: Format) -> Report {
    let (cos, sin): (Vec<f64>, Vec<f64>) =
        both.iter().map(|(cos, sin)| (entries.round(*cos), entries.round(*sin))).unzip();
    let expectation = Expectation::new(convention.clone());
    if convention.encoding == Encoding::Rope {
        judge_cache(stored, (&cos, &sin), convention.pairs(), &expectation).unwrap()
    } else {
        let table: Vec<f64> = cos.iter().zip(&sin).flat_map(|(cos, sin)| [*sin, *cos]).collect();
        judge_table(stored, &table, convention.dim, &expectation).unwrap()
    }
}

#[test]
fn what_is_computed_in_a_narrow_format_is_degraded_with_its_causes() {
    let mut cells = 0;
    for format in [Format::Bf16, Format::F16] {
        for stored in [format, Format::F32] {
            for base in [10_000, 500_000, 1_000_000] {
                for rows in [64, 512, 2048] {
                    for way in [Way::Reciprocal, Way::Exponential] {
                        for convention in [Convention::rope(64), Convention::sinusoid(64)] {
                            let convention = Convention { base: base.into(), ..convention };
                            let both = program(format, way, &convention, rows);
                            let report = judged(&convention, stored, &both, format);
                            let label = format!("{format} in {stored}, base {base}, {rows} rows, {way:?}");
                            assert_eq!(report.grade, Grade::Degraded, "{label}\n{report}");
                            let known = [
                                Code::LowPrecisionFrequencies,
                                Code::LowPrecisionAngles,
                                Code::LowPrecisionPositions,
                                Code::LowPrecisionStorage,
                            ];
                            assert!(
                                report.findings.iter().all(|finding| known.contains(&finding.code())),
                                "{label}\n{report}"
                            );
                            let overflows = format == Format::F16 && base > 65_504 && matches!(way, Way::Reciprocal);
                            let said = report.findings.iter().any(|finding| {
                                let overflow = PrecisionCause::Frequencies { format, overflows: None };
                                matches!(finding.cause, Cause::Precision(cause) if cause != overflow)
                            });
                            assert_eq!(said, overflows, "{label}\n{report}");
                            cells += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(cells, 144);
}

/// A cache in bf16 that vectors in f32 are rotated with.
#[test]
fn vectors_that_are_rotated_with_a_narrow_cache_show_it() {
    let convention = Convention { layout: Layout::Halves, ..Convention::rope(64) };
    let (rows, pairs) = (512, 32);
    let x = vectors(rows * 64, Format::F32);
    for format in [Format::Bf16, Format::F16] {
        for throughout in [false, true] {
            let omega = |k: usize| 10_000f64.powf(-(k as f64) / 32.0);
            let both: Vec<(f64, f64)> = match throughout {
                true => program(format, Way::Reciprocal, &convention, rows),
                false => (0..rows * pairs)
                    .map(|i| (i / pairs) as f64 * omega(i % pairs))
                    .map(|a| (a.cos(), a.sin()))
                    .collect(),
            };
            let mut y = x.clone();
            for (p, (y, x)) in y.chunks_exact_mut(64).zip(x.chunks_exact(64)).enumerate() {
                for k in 0..pairs {
                    let (cos, sin) = both[p * pairs + k];
                    let (cos, sin) = (format.round(cos), format.round(sin));
                    (y[k], y[k + pairs]) = (x[k] * cos - x[k + pairs] * sin, x[k] * sin + x[k + pairs] * cos);
                }
            }
            let report = judge_rotation(Format::F32, (&x, &y), 64, &Expectation::new(convention.clone())).unwrap();
            assert_eq!(report.grade, Grade::Degraded, "{format} {throughout}\n{report}");
            let cache: Cause = PrecisionCause::Cache { format }.into();
            assert!(report.findings.iter().any(|finding| finding.cause == cache), "{format} {throughout}\n{report}");
        }
    }
}
