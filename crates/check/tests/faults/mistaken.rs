//! Causes that were told of entries which have another: what is said must predict the entries.

use crate::corpus::frequencies;
use half::f16;
use posproof_check::faults::ArrayCause;
use posproof_check::{
    Cause, Code, Confidence, Expectation, Grade, Identification, Report, Slice, Status, Subject, Undetermined, check,
    identify,
};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;

const ROWS: usize = 2048;

/// Right cosines and sines of dim 64, at positions times a factor.
fn arrays(factor: f64) -> [Vec<f32>; 2] {
    arrays_at(|p| p * factor)
}

fn arrays_at(position: impl Fn(f64) -> f64) -> [Vec<f32>; 2] {
    let omega = frequencies(&Convention::rope(64));
    let angles = (0..ROWS).flat_map(|p| {
        let t = position(p as f64);
        omega.iter().map(move |omega| t * omega)
    });
    angles.map(|angle| [angle.cos() as f32, angle.sin() as f32]).fold([vec![], vec![]], |[mut cos, mut sin], [c, s]| {
        cos.push(c);
        sin.push(s);
        [cos, sin]
    })
}

fn judged(arrays: &[Vec<f32>; 2], width: usize) -> Report {
    judged_as(arrays, width, &Expectation::new(Convention::rope(64)))
}

fn judged_as([cos, sin]: &[Vec<f32>; 2], width: usize, expectation: &Expectation) -> Report {
    let (cos, sin) = (Slice::new("cos", cos, width).unwrap(), Slice::new("sin", sin, width).unwrap());
    check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, expectation).unwrap()
}

fn identified([cos, sin]: &[Vec<f32>; 2], width: usize) -> Identification {
    let (cos, sin) = (Slice::new("cos", cos, width).unwrap(), Slice::new("sin", sin, width).unwrap());
    identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, None).unwrap()
}

fn codes(report: &Report) -> Vec<Code> {
    report.findings.iter().map(|finding| finding.code()).collect()
}

/// Numbers in [−1, 1] that follow nothing.
fn noise(count: usize) -> Vec<f32> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1 << 23) as f32) - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Factors of several digits are that, not the nearest quotient of small numbers with other faults besides.
#[test]
fn factors_of_several_digits_explain_every_entry() {
    for factor in [0.777_777, std::f64::consts::SQRT_2] {
        let report = judged(&arrays(factor), 32);
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert!(matches!(finding.cause, Cause::Scaled { .. }) && finding.status == Status::Confirmed, "{report}");
        assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
    }
}

/// Two known faults that predict every entry are no fitted factor: counted from 1 and turned backwards, every angle is
/// −10000^(−1/32) times what it should be.
#[test]
fn two_known_faults_are_told_before_a_fitted_factor() {
    let [cos, sin] = arrays(10_000f64.powf(-1.0 / 32.0));
    let report = judged(&[cos, sin.iter().map(|sin| -sin).collect()], 32);
    let found: Vec<Code> = codes(&report);
    assert!(found.contains(&Code::FrequencyOrigin) && found.contains(&Code::Direction), "{report}");
    assert!(report.findings.iter().all(|finding| finding.explains.entries == finding.explains.of), "{report}");
}

/// Cosines that are all multiplied by a number are that; sines that are right are not called wrong.
#[test]
fn a_factor_of_cosines_is_no_lower_accuracy() {
    let [cos, sin] = arrays(1.0);
    let cos = cos.iter().map(|cos| (f64::from(*cos) * (1.0 + 1e-5)) as f32).collect();
    let report = judged(&[cos, sin], 32);
    assert!(!report.findings.iter().any(|finding| matches!(finding.cause, Cause::Inaccurate { .. })), "{report}");
}

/// Zeros beside zeros are no columns that are repeated.
#[test]
fn columns_of_zeros_are_not_repeated() {
    let [cos, sin] = arrays(1.0);
    let wide = |half: &[f32], other: &dyn Fn(f32) -> f32| -> Vec<f32> {
        half.chunks_exact(32).flat_map(|row| row.iter().copied().chain(row.iter().map(|x| other(*x)))).collect()
    };
    let report = judged(&[wide(&cos, &|_| 0.0), wide(&sin, &|sin| sin)], 64);
    assert!(!report.findings.iter().any(|finding| finding.code() == Code::Duplication), "{report}");
}

/// One entry that is 0 leaves the convention of the others known.
#[test]
fn one_zero_does_not_hide_the_convention() {
    let [cos, mut sin] = arrays(1.0);
    sin[900 * 32 + 4] = 0.0;
    let found = identified(&[cos, sin], 32);
    assert!(found.convention.is_some_and(|found| found.base == 10_000.into()), "{:?}", found.findings);
}

/// A column that is no number leaves every row with one: what else is wrong is found beside it.
#[test]
fn a_column_that_is_no_number_hides_no_other_fault() {
    let [mut cos, mut sin] = arrays(1.0);
    cos.chunks_exact_mut(32).for_each(|row| row[3] = f32::NAN);
    let stated = Expectation::new(Convention { base: 500_000.into(), ..Convention::rope(64) });
    let report = judged_as(&[cos.clone(), sin.clone()], 32, &stated);
    assert_eq!(codes(&report), [Code::NotFinite, Code::OtherBase], "{report}");
    let found = identified(&[cos.clone(), sin.clone()], 32);
    assert!(found.convention.as_ref().is_some_and(|found| found.base == 10_000.into()), "{found}");
    sin[900 * 32 + 4] += 0.5;
    let report = judged(&[cos, sin], 32);
    assert_eq!(codes(&report), [Code::NotFinite, Code::Local], "{report}");
    assert_eq!(report.findings[1].explains.entries, 1, "{report}");
}

/// Entries whose last bits were cut off, held in a wider format: the right table, and the format to state.
#[test]
fn numbers_cut_off_to_bf16_and_held_in_f32_are_that() {
    let cut = |part: Vec<f32>| -> Vec<f32> { part.iter().map(|x| f32::from_bits(x.to_bits() & 0xFFFF_0000)).collect() };
    let report = judged(&arrays(1.0).map(cut), 32);
    let [finding] = &report.findings[..] else { panic!("{report}") };
    let Cause::Array(ArrayCause::Rounding { format, stored, .. }) = finding.cause else { panic!("{report}") };
    assert_eq!((report.grade, format, stored), (Grade::Degraded, Format::Bf16, Format::F32), "{report}");
    let mend = report.mend.as_ref().expect("a mend").to_string();
    assert!(mend.contains("--dtype bf16"), "{mend}");
}

/// A narrower format than stated is mended by stating it.
#[test]
fn a_narrower_format_than_stated_has_a_mend() {
    let [cos, sin] = arrays(1.0).map(|part| part.into_iter().map(f16::from_f32).collect::<Vec<_>>());
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let stated = Expectation::new(Convention::rope(64)).stored_in(Format::F32);
    let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &stated).unwrap();
    assert_eq!(codes(&report), [Code::LowPrecisionStorage], "{report}");
    assert!(report.mend.as_ref().is_some_and(|mend| mend.to_string().contains("--dtype f16")), "{report}");
}

/// Every entry with the other sign is the amplitude −1, not a local fault nor another offset.
#[test]
fn a_negated_cache_has_the_amplitude_negated() {
    let report = judged(&arrays(1.0).map(|part| part.into_iter().map(|x| -x).collect()), 32);
    assert_eq!((report.grade, codes(&report)), (Grade::OtherConvention, vec![Code::Amplitude]), "{report}");
    let Cause::Amplitude { found, .. } = report.findings[0].cause else { panic!("{report}") };
    assert_eq!(found, -1.0);
}

/// Positions that are divided hide the frequencies of most rows: what else is wrong is told from the others.
#[test]
fn divided_positions_hide_no_second_cause() {
    for by in [2.0, 8.0] {
        let report = judged(&arrays_at(|p| (p / by).floor() / 4.0), 32);
        assert_eq!(codes(&report), [Code::FrequencyScaling, Code::Positions], "{report}");
        let negated = arrays_at(|p| (p / by).floor()).map(|part| part.into_iter().map(|x| -x).collect());
        let report = judged(&negated, 32);
        assert_eq!(codes(&report), [Code::Amplitude, Code::Positions], "{report}");
    }
}

/// Offsets that are no whole numbers are named with the digits that they have.
#[test]
fn offsets_by_fractions_have_few_digits() {
    for by in [0.25, 0.5, 1.125] {
        let report = judged(&arrays_at(|p| p + by), 32);
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert!(matches!(finding.cause, Cause::Shifted { by: found } if found == by), "{report}");
    }
}

/// One entry of every row, each in another column: no part of the table, and still few of its entries.
#[test]
fn entries_that_depart_here_and_there_are_counted() {
    let [mut cos, sin] = arrays(1.0);
    for (row, entries) in cos.chunks_exact_mut(32).enumerate() {
        entries[row * 7 % 32] = 1.5;
    }
    let report = judged(&[cos, sin], 32);
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((finding.code(), finding.explains.entries), (Code::Local, ROWS as u64), "{report}");
    assert_eq!(report.found, Some(Convention::rope(64)), "{report}");
}

/// Cosines that follow a convention establish nothing about sines that follow none.
#[test]
fn noise_in_a_whole_component_establishes_nothing() {
    let [cos, sin] = arrays(1.0);
    let found = identified(&[cos, noise(sin.len())], 32);
    assert_ne!(found.confidence, Confidence::Established, "{found}");
}

/// One bad column of a cache whose columns are repeated leaves its width known, and its convention.
#[test]
fn a_bad_column_does_not_hide_that_columns_are_repeated() {
    let wide = arrays(1.0).map(|part| part.chunks_exact(32).flat_map(|row| [row, row].concat()).collect::<Vec<f32>>());
    let [mut cos, sin] = wide;
    cos.chunks_exact_mut(64).for_each(|row| row[40] = 0.25);
    let found = identified(&[cos, sin], 64);
    assert!(found.convention.as_ref().is_some_and(|found| found.dim == 64 && found.base == 10_000.into()), "{found}");
}

/// A table of one pair follows every base: the others of its fields are known, and the base is called open.
#[test]
fn a_single_pair_shows_no_base() {
    let table: Vec<f32> = (0..ROWS).flat_map(|p| [(p as f64).sin() as f32, (p as f64).cos() as f32]).collect();
    let found = identify(Subject::Sinusoid(&Slice::new("pe", &table, 2).unwrap()), None).unwrap();
    assert_eq!(
        (found.confidence, &found.undetermined[..]),
        (Confidence::Established, &[Undetermined::Base][..]),
        "{found}"
    );
    let exact: Vec<f32> = arrays(1.0)[0].chunks_exact(32).map(|row| row[0]).collect();
    assert!(table.chunks_exact(2).zip(exact).all(|(row, cos)| row[1] == cos));
}

/// A pair with a frequency of its own and a row that is wrong by itself are two findings, of which the first is no scaling rule.
#[test]
fn one_frequency_is_no_scaling_rule_beside_a_wrong_row() {
    let [mut cos, mut sin] = arrays(1.0);
    for (p, (cos, sin)) in cos.chunks_exact_mut(32).zip(sin.chunks_exact_mut(32)).enumerate() {
        let angle = 0.123 * p as f64;
        (cos[5], sin[5]) = (angle.cos() as f32, angle.sin() as f32);
    }
    cos[100 * 32..101 * 32].fill(0.5);
    let report = judged(&[cos, sin], 32);
    let [first, second] = &report.findings[..] else { panic!("{report}") };
    assert!(matches!(first.cause, Cause::PairFrequency { pair: 5, .. }), "{report}");
    assert!(matches!(second.cause, Cause::Apart { .. }), "{report}");
    assert_eq!(second.region.as_ref().and_then(|region| region.positions), Some([100, 100]), "{report}");
}

/// Cosines that were cast to bf16 and back, beside sines that were not.
#[test]
fn one_component_may_be_narrow() {
    let [cos, sin] = arrays(1.0);
    let cos = cos.into_iter().map(|x| half::bf16::from_f32(x).to_f32()).collect();
    let report = judged(&[cos, sin], 32);
    assert_eq!((report.grade, codes(&report)), (Grade::Degraded, vec![Code::LowPrecisionStorage]), "{report}");
    assert!(report.findings[0].region.as_ref().is_some_and(|region| region.component.is_some()), "{report}");
    assert!(report.mend.as_ref().is_some_and(|mend| mend.to_string().contains("--dtype bf16")), "{report}");
}

/// A row of zeros, as of padding, before rows that are those of the positions before: both are said.
#[test]
fn a_first_row_of_zeros_does_not_hide_a_shift() {
    let [mut cos, mut sin] = arrays_at(|p| p - 1.0);
    cos[..32].fill(0.0);
    sin[..32].fill(0.0);
    let report = judged(&[cos, sin], 32);
    let first = &report.findings[0];
    assert!(matches!(first.cause, Cause::Shifted { by: -1.0 } | Cause::ShiftedFrom { by: -1.0, .. }), "{report}");
    assert!(report.findings.iter().any(|finding| finding.code() == Code::Local), "{report}");
}

/// 8 and √64 are one amplitude.
#[test]
fn an_amplitude_that_is_a_root_of_a_square_is_one() {
    let found = identified(&arrays(1.0).map(|part| part.into_iter().map(|x| 8.0 * x).collect()), 32);
    assert_eq!((found.confidence, found.remaining.len()), (Confidence::Established, 1), "{found}");
}

/// Entries of vectors that are 0 stay 0: they are not left out of the rotation.
#[test]
fn zeros_of_vectors_are_not_unrotated() {
    const DIM: usize = 16;
    let omega = frequencies(&Convention::rope(DIM));
    let mut x = noise(ROWS * DIM);
    x.chunks_exact_mut(DIM).for_each(|row| row[6..8].fill(0.0));
    let mut y = Vec::new();
    for (p, row) in x.chunks_exact(DIM).enumerate() {
        for (pair, omega) in row.chunks_exact(2).zip(&omega) {
            let ((sin, cos), [a, b]) = ((p as f64 * omega).sin_cos(), [f64::from(pair[0]), f64::from(pair[1])]);
            y.extend([(a * cos - b * sin) as f32, (a * sin + b * cos) as f32]);
        }
    }
    let (x, y) = (Slice::new("x", &x, DIM).unwrap(), Slice::new("y", &y, DIM).unwrap());
    let found = identify(Subject::Rotation { x: &x, y: &y }, None).unwrap();
    let convention = found.convention.as_ref().expect("a convention");
    assert_eq!((convention.rotary_dim, &convention.base), (None, &10_000.into()), "{found}");
}
