//! Entries of 8 bits: right ones conform, whatever computed them; wrong ones are refused and named.

use crate::corpus::{frequencies, judge_cache, judge_rotation, judge_table, sparse, vectors, wiring};
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Code, Expectation, Grade, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use posproof_table::Positions;
use serde_json::json;

const NARROW: [Format; 2] = [Format::E4m3, Format::E5m2];

/// Cosines and sines of a program in binary32, rounded on the way to a format, for each position and pair.
fn phasors(convention: &Convention, positions: &[u64], way: Format) -> Vec<(f64, f64)> {
    let omega: Vec<f32> = frequencies(convention).iter().map(|omega| *omega as f32).collect();
    let gain = convention.gain().enclose(64).approximate();
    let entry = |p: u64, omega: f32| {
        let angle = f64::from(p as f32 * omega);
        (way.round(gain * angle.cos()), way.round(gain * angle.sin()))
    };
    positions.iter().flat_map(|p| omega.iter().map(move |omega| entry(*p, *omega))).collect()
}

fn stated(convention: &Convention, positions: &[u64]) -> Expectation {
    Expectation::new(convention.clone()).at(Positions::list(positions.iter().copied()).expect("positions"))
}

/// y in a format, from products and sums in another.
fn rotated(x: &[f64], both: &[(f64, f64)], convention: &Convention, (way, stored): (Format, Format)) -> Vec<f64> {
    let (dim, pairs) = (convention.dim, convention.pairs());
    let mut y = vec![0.0; x.len()];
    for (row, (x, y)) in x.chunks_exact(dim).zip(y.chunks_exact_mut(dim)).enumerate() {
        for (k, (a, b)) in wiring(convention.layout, pairs).into_iter().enumerate() {
            let (c, s) = both[row * pairs + k];
            y[a] = stored.round(way.round(way.round(x[a] * c) - way.round(x[b] * s)));
            y[b] = stored.round(way.round(way.round(x[b] * c) + way.round(x[a] * s)));
        }
    }
    y
}

#[test]
fn what_is_right_conforms_whatever_computed_it() {
    let positions = sparse(131_071);
    for stored in NARROW {
        for way in [Format::F32, Format::F16, Format::Bf16] {
            for amplitude in ["1", "1.3", "300"] {
                for layout in [Layout::Interleaved, Layout::Halves] {
                    let convention = Convention {
                        layout,
                        amplitude: serde_json::from_value(amplitude.into()).expect("an amplitude"),
                        ..Convention::rope(64)
                    };
                    let both = phasors(&convention, &positions, way);
                    let label = format!("{stored} by way of {way}, {convention:?}");
                    let (cos, sin): (Vec<f64>, Vec<f64>) =
                        both.iter().map(|(c, s)| (stored.round(*c), stored.round(*s))).unzip();
                    for held in [stored, Format::Bf16, Format::F32] {
                        let expectation = stated(&convention, &positions).stored_in(stored);
                        let report = judge_cache(held, (&cos, &sin), 32, &expectation).unwrap();
                        assert!(report.conforms, "{label}\n{report}");
                        assert_eq!(report.storage, stored);
                    }
                    let x = vectors(positions.len() * 64, stored);
                    let y = rotated(&x, &both, &convention, (way, stored));
                    let report = judge_rotation(stored, (&x, &y), 64, &stated(&convention, &positions)).unwrap();
                    assert!(report.conforms, "{label}\n{report}");
                }
            }
        }
    }
}

/// All pairs of numbers of a format, at positions where sines are small, large and of either sign. What exceeds the largest
/// number is stored as that.
#[test]
fn all_pairs_of_numbers_are_judged() {
    for stored in NARROW {
        let narrow = stored.narrow().expect("8 bits");
        let all: Vec<f64> = (0..=u8::MAX).map(|code| narrow.decode(code)).filter(|x| x.is_finite()).collect();
        let convention = Convention::rope(2);
        for position in [0u64, 1, 3, 22, 1000] {
            let x: Vec<f64> = all.iter().flat_map(|a| all.iter().flat_map(|b| [*a, *b])).collect();
            let rows = x.len() / 2;
            let both = phasors(&convention, &vec![position; rows], Format::F32);
            let mut y = rotated(&x, &both, &convention, (Format::F32, stored));
            let law = AxialConvention::from(&convention).law(|name| Err(format!("{name} is not stored"))).unwrap();
            let coordinates = Coordinates::from_floats(&vec![position as f64; rows], 1).unwrap();
            let judged = |y: &[f64]| {
                let expectation =
                    AxialExpectation { storage: Some(stored), ..AxialExpectation::new(&law, &coordinates) };
                let [x, y] = [&x, y].map(|entries| Slice::new("v", entries, 2).unwrap());
                check_axes(Subject::Rotation { x: &x, y: &y }, &expectation).unwrap()
            };
            let report = judged(&y);
            assert!(report.conforms, "{stored} at {position}\n{report}");
            // One entry a step further than rounding explains, where it is most of its pair.
            let most = |at: &usize| {
                let length = x[*at].hypot(x[at ^ 1]);
                (2.0..200.0).contains(&y[*at].abs()) && y[*at].abs() > 0.7 * length
            };
            let at = (y.len() / 3..).find(most).expect("one");
            y[at] = stored.round(y[at] + 6.1 * stored.half_ulp(y[at]).copysign(y[at]));
            let report = judged(&y);
            assert_eq!((report.statistics.exceeding, report.conforms), (1, false), "{stored} at {position}\n{report}");
        }
    }
}

#[test]
fn faults_are_named_in_eight_bits_too() {
    let convention = Convention::rope(128);
    let positions: Vec<u64> = (0..2048).collect();
    let other = Convention { base: 500_000.into(), ..convention.clone() };
    for stored in NARROW {
        let judged = |made: &Convention, positions: &[u64], shift: u64| {
            let moved: Vec<u64> = positions.iter().map(|p| p + shift).collect();
            let both = phasors(made, &moved, Format::F32);
            let (cos, sin): (Vec<f64>, Vec<f64>) =
                both.iter().map(|(c, s)| (stored.round(*c), stored.round(*s))).unzip();
            judge_cache(stored, (&cos, &sin), 64, &stated(&convention, positions)).unwrap()
        };
        let report = judged(&other, &positions, 0);
        assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::OtherBase)), "{report}");
        let report = judged(&convention, &positions, 1);
        assert_eq!(report.first_code(), Some(Code::PositionOffset), "{report}");
        // Rounded to the format, and read as if it had been more.
        let both = phasors(&convention, &positions, Format::F32);
        let (cos, sin): (Vec<f64>, Vec<f64>) = both.iter().map(|(c, s)| (stored.round(*c), stored.round(*s))).unzip();
        let report = judge_cache(Format::F32, (&cos, &sin), 64, &stated(&convention, &positions)).unwrap();
        assert_eq!((report.grade, report.first_code()), (Grade::Degraded, Some(Code::LowPrecisionStorage)), "{report}");
        assert!(report.to_string().contains(stored.name()), "{report}");
    }
}

/// A factor that a rounding of each entry hides, and one of many digits as YaRN has: named alone, with a mend, in formats of 8 and 16 bits.
#[test]
fn a_small_amplitude_is_one_finding() {
    let positions: Vec<u64> = (0..2048).collect();
    let cases = [
        (Format::E5m2, &["0.9", "1.0717734625362931"][..]),
        (Format::E4m3, &["1.05", "0.9", "1.0717734625362931"]),
        (Format::Bf16, &["1.003", "1.005", "0.997", "1.0717734625362931"]),
        (Format::F16, &["1.0004", "1.0717734625362931"]),
    ];
    let convention = Convention::rope(128);
    let mut refused = 0;
    for (stored, amplitudes) in cases {
        for amplitude in amplitudes {
            let made = Convention { amplitude: amplitude.parse().expect("a number"), ..convention.clone() };
            let both = phasors(&made, &positions, Format::F32);
            let rounded = both.iter().map(|(c, s)| (stored.round(*c), stored.round(*s)));
            let (cos, sin): (Vec<f64>, Vec<f64>) = rounded.unzip();
            let x = vectors(positions.len() * 128, stored);
            let y = rotated(&x, &both, &made, (Format::F32, stored));
            let expectation = stated(&convention, &positions);
            let cache = judge_cache(stored, (&cos, &sin), 64, &expectation).unwrap();
            let rotation = judge_rotation(stored, (&x, &y), 128, &expectation).unwrap();
            // One entry beside it is a finding of its own, but where two bits of a mantissa hide most of the factor.
            if stored != Format::E5m2 {
                let mut damaged = cos.clone();
                damaged[64 * 1500 + 40] -= 0.5;
                let report = judge_cache(stored, (&damaged, &sin), 64, &expectation).unwrap();
                let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
                assert_eq!(codes, [Code::Amplitude, Code::Local], "{stored} × {amplitude}\n{report}");
                assert_eq!(report.findings[1].explains.entries, 1, "{report}");
            }
            // The bound of a rotation is wider, and holds a smaller factor.
            refused += u32::from(!rotation.conforms);
            for report in [Some(cache), Some(rotation).filter(|report| !report.conforms)].into_iter().flatten() {
                let label = format!("{stored} × {amplitude}\n{report}");
                assert_eq!(
                    (report.grade, report.first_code()),
                    (Grade::OtherConvention, Some(Code::Amplitude)),
                    "{label}"
                );
                assert_eq!((report.findings.len(), report.mend.is_some()), (1, true), "{label}");
            }
        }
    }
    assert!(refused > 0, "rotations of no amplitude were refused");
}

/// A correctly rounded table is that, and a neighbour in place of an entry is refused.
#[test]
fn tables_are_graded() {
    let convention = Convention::sinusoid(16);
    for stored in NARROW {
        let positions: Vec<u64> = (0..512).collect();
        let both = phasors(&convention, &positions, Format::F64);
        let mut table: Vec<f64> = both.iter().flat_map(|(c, s)| [stored.round(*s), stored.round(*c)]).collect();
        let report = judge_table(stored, &table, 16, &Expectation::new(convention.clone())).unwrap();
        assert!(report.grade <= Grade::Faithful, "{report}");
        table[16 * 300 + 2] += 4.0 * stored.half_ulp(table[16 * 300 + 2]);
        let report = judge_table(stored, &table, 16, &Expectation::new(convention.clone())).unwrap();
        assert_eq!((report.grade, report.first_code()), (Grade::Wrong, Some(Code::Local)), "{report}");
    }
}

/// Two axes have the same allowance, and a step more is one too many.
#[test]
fn two_axes_are_judged_in_eight_bits() {
    let convention = json!({ "encoding": "rope", "dim": 64, "base": 10000, "layout": "halves",
        "axes": [{ "name": "h", "pairs": "0..16" }, { "name": "w", "pairs": "16..32" }] });
    let convention: AxialConvention = serde_json::from_value(convention).unwrap();
    let law = convention.law(|name| Err(format!("{name} is not stored"))).unwrap();
    let rows: Vec<[f64; 2]> = (0..400).map(|row| [f64::from(row / 20), f64::from(row % 20)]).collect();
    let coordinates = Coordinates::from_floats(rows.as_flattened(), 2).unwrap();
    let (pairs, plain) = (32, Convention { layout: Layout::Halves, ..Convention::rope(64) });
    let omega = frequencies(&Convention::rope(32));
    let angle = |row: &[f64; 2], slot: usize| (row[slot / 16] as f32 * omega[slot % 16] as f32) as f64;
    let both: Vec<(f64, f64)> = rows
        .iter()
        .flat_map(|row| (0..pairs).map(|slot| angle(row, slot)).collect::<Vec<_>>())
        .map(|angle| (Format::Bf16.round(angle.cos()), Format::Bf16.round(angle.sin())))
        .collect();
    for stored in NARROW {
        let x = vectors(rows.len() * 64, stored);
        let y = rotated(&x, &both, &plain, (Format::Bf16, stored));
        let cos: Vec<f64> = both.iter().map(|(c, _)| stored.round(*c)).collect();
        let sin: Vec<f64> = both.iter().map(|(_, s)| stored.round(*s)).collect();
        let judged = |y: &[f64], cos: &[f64]| {
            let expectation = AxialExpectation { storage: Some(stored), ..AxialExpectation::new(&law, &coordinates) };
            let [x, y] = [&x, y].map(|entries| Slice::new("v", entries, 64).unwrap());
            let [cos, sin] = [cos, &sin].map(|entries| Slice::new("c", entries, 32).unwrap());
            let rotation = check_axes(Subject::Rotation { x: &x, y: &y }, &expectation).unwrap();
            let cache = check_axes(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
            [rotation, cache]
        };
        for report in judged(&y, &cos) {
            assert!(report.conforms, "{stored}\n{report}");
        }
        let (mut moved, mut other) = (y.clone(), cos.clone());
        let at = (5000..).find(|at| y[*at].abs() > 0.5 && y[*at].abs() < 1.5).expect("one");
        moved[at] += 8.0 * stored.half_ulp(y[at]);
        let entry = (5000..).find(|at| cos[*at].abs() > 0.5 && cos[*at].abs() < 0.9).expect("one");
        other[entry] -= 4.0 * stored.half_ulp(cos[entry]).copysign(cos[entry]);
        for report in judged(&moved, &other) {
            assert_eq!((report.statistics.exceeding, report.conforms), (1, false), "{stored}\n{report}");
        }
    }
}
