//! Vectors of frequencies.

use crate::cache::*;
use posproof_check::{
    Cause, Code, Confidence, Expectation, Grade, Path, Slice, Status, check_frequencies, identify_frequencies,
};
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

fn exact(convention: &Convention) -> Vec<f64> {
    convention.frequencies(128).unwrap().iter().map(|omega| omega.approximate()).collect()
}

fn llama3() -> Convention {
    let scaling = Scaling::Llama3 {
        factor: 8.into(),
        low_freq_factor: 1.into(),
        high_freq_factor: 4.into(),
        original_max_position_embeddings: 8192,
    };
    Convention { scaling: Some(scaling), ..convention() }
}

#[test]
fn right_frequencies_have_the_grades_of_the_table() {
    let rounded: Vec<f32> = exact(&convention()).iter().map(|omega| *omega as f32).collect();
    let grade = |vector: &[f32], expectation: &Expectation| {
        let report = check_frequencies(&Slice::new("inv_freq", vector, PAIRS).unwrap(), expectation).unwrap();
        assert_eq!(report.conforms, report.findings.is_empty(), "{report}");
        (report.grade, report.first_code(), report)
    };
    let expected = Expectation::new(convention());
    assert_eq!(grade(&rounded, &expected).0, Grade::CorrectlyRounded);
    let mut next = rounded.clone();
    next[3] = if f64::from(rounded[3]) < exact(&convention())[3] { next[3].next_up() } else { next[3].next_down() };
    assert_eq!(grade(&next, &expected).0, Grade::Faithful);
    let powers: Vec<f32> = (0..PAIRS).map(by_pow).collect();
    assert!(grade(&powers, &expected).0 <= Grade::WithinBound);
    // Fifteen units: a library's pow may be that far off, correct rounding not.
    next[3] = f32::from_bits(rounded[3].to_bits() + 15);
    assert_eq!(grade(&next, &expected).0, Grade::WithinBound);
    let (worst, code, report) = grade(&next, &expected.clone().along(posproof_check::Path::Rounded));
    assert_eq!((worst, code), (Grade::Wrong, Some(Code::Local)), "{report}");
    assert!(matches!(report.findings[0].cause, Cause::PairFrequency { pair: 3, .. }), "{report}");
    let entry = report.worst.expect("a worst entry");
    assert_eq!(
        (entry.pair, entry.component, entry.coordinates.as_deref(), entry.value),
        (Some(3), None, Some(&["1".to_owned()][..]), f64::from(next[3]))
    );
    assert!(entry.error > entry.bound && report.statistics.exceeding == 1);
    // Several vectors at once, one of them wrong.
    let two = [&rounded[..], &next[..]].concat();
    let (.., report) = grade(&two, &expected.along(posproof_check::Path::Rounded));
    assert_eq!((report.entries, report.worst.as_ref().unwrap().slab), (64, 1));
    let Cause::Apart { entries: 1, others: 63, silent: 0 } = report.findings[0].cause else { panic!("{report}") };
    let region = report.findings[0].region.as_ref().unwrap();
    assert_eq!((region.heads.first, region.heads.count, region.pairs.unwrap().first), (1, 1, 3), "{report}");
}

/// Where llama3's two factors are one number, a frequency is that of one side of the step: only a wavelength at the step, which a
/// program may see on either side, is not judged.
#[test]
fn a_step_is_judged_on_both_sides() {
    let step = |turns: posproof_encoding::real::Real| {
        let scaling = Scaling::Llama3 {
            factor: 8.into(),
            low_freq_factor: turns.clone(),
            high_freq_factor: turns,
            original_max_position_embeddings: 8192,
        };
        Convention { scaling: Some(scaling), ..convention() }
    };
    let judge = |vector: &[f32], convention: Convention| {
        let slice = Slice::new("inv_freq", vector, PAIRS).unwrap();
        check_frequencies(&slice, &Expectation::new(convention)).unwrap()
    };
    let single = |convention: &Convention| exact(convention).iter().map(|omega| *omega as f32).collect::<Vec<_>>();
    let sided = step(4.into());
    let right = single(&sided);
    assert!(right[0] == 1.0 && f64::from(right[PAIRS - 1]) < exact(&convention())[PAIRS - 1], "both sides");
    assert_eq!(judge(&right, sided.clone()).grade, Grade::CorrectlyRounded);
    for pair in 0..PAIRS {
        let mut wrong = right.clone();
        wrong[pair] *= 1.001;
        assert!(!judge(&wrong, sided.clone()).conforms, "pair {pair}");
    }
    // The first pair, of wavelength 2π, is at the step of 8192/(2π) turns, which f32 does not tell from this decimal.
    let at = step("1303.79724".parse().unwrap());
    for first in [1.0, 0.125] {
        let mut vector = single(&at);
        vector[0] = first;
        assert!(judge(&vector, at.clone()).conforms, "{first}");
        vector[1] *= 1.001;
        assert!(!judge(&vector, at.clone()).conforms, "{first}");
    }
}

/// Entries that a finding explains are counted in frequencies, not in those of a cache that they would make; those that are no
/// number are a finding of their own.
#[test]
fn findings_count_frequencies() {
    let single = |base: i64| -> Vec<f32> {
        exact(&Convention { base: base.into(), ..convention() }).iter().map(|omega| *omega as f32).collect()
    };
    let judge = |vector: &[f32]| {
        let report =
            check_frequencies(&Slice::new("inv_freq", vector, PAIRS).unwrap(), &Expectation::new(convention()))
                .unwrap();
        for finding in &report.findings {
            assert_eq!(finding.explains.of, report.statistics.exceeding, "{report}");
            assert!(finding.region.as_ref().is_some_and(|region| region.of.rows == 1), "{report}");
        }
        report
    };
    let mut other = single(10_000);
    let report = judge(&other);
    assert_eq!(report.findings[0].explains.entries, report.statistics.exceeding, "{report}");
    other[5] = f32::NAN;
    let report = judge(&other);
    let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
    assert_eq!((report.grade, codes), (Grade::Wrong, vec![Code::NotFinite, Code::OtherBase]), "{report}");
    assert_eq!(report.findings[0].explains.entries, 1, "{report}");
    // What is everywhere is not said to be somewhere.
    let report = judge(&[0.0; PAIRS]);
    assert!(matches!(report.findings[0].cause, Cause::Zero), "{report}");
    let ordered = single(500_000);
    let shuffled: Vec<f32> = (0..PAIRS).map(|k| ordered[7 * k % PAIRS]).collect();
    let report = judge(&shuffled);
    assert_eq!(report.findings[0].fault.name, "frequencies-reordered", "{report}");
    let scattered: Vec<f32> = (0..PAIRS).map(|k| ordered[k] * (1.0 + (37 * k * k % 19) as f32 / 190.0)).collect();
    let report = judge(&scattered);
    assert_eq!(
        (report.first_code(), report.findings[0].status),
        (Some(Code::Unexplained), Status::Unexplained),
        "{report}"
    );
    assert!(!report.to_string().contains("at everywhere"), "{report}");
    // Half of the pairs at rest, in one of two vectors: it explains those of that vector, and nothing of the other.
    let mut still = single(500_000);
    still[PAIRS / 2..].fill(0.0);
    let report = judge(&still);
    assert_eq!(report.first_code(), Some(Code::PartialRotary), "{report}");
    assert_eq!(report.findings[0].explains.entries, PAIRS as u64 / 2, "{report}");
    let report = judge(&[&still[..], &single(10_000)[..]].concat());
    assert_eq!(
        (report.first_code(), report.findings[0].status),
        (Some(Code::PartialRotary), Status::Partial),
        "{report}"
    );
    assert_eq!(report.findings[0].explains.entries, PAIRS as u64 / 2, "{report}");
}

#[test]
fn wrong_frequencies_are_explained_as_those_of_a_cache_are() {
    let judge = |vector: Vec<f32>, expectation: Expectation| {
        check_frequencies(&Slice::new("inv_freq", &vector, PAIRS).unwrap(), &expectation).unwrap()
    };
    let single = |convention: &Convention| exact(convention).iter().map(|omega| *omega as f32).collect::<Vec<_>>();
    let expected = || Expectation::new(convention());
    let narrow: Vec<f32> = single(&convention()).into_iter().map(nearest).collect();
    let report = judge(narrow.clone(), expected());
    assert_eq!((report.grade, report.first_code()), (Grade::Degraded, Some(Code::LowPrecisionFrequencies)), "{report}");
    assert_eq!(judge(narrow, expected().stored_in(Format::Bf16)).grade, Grade::CorrectlyRounded);
    let other = Convention { base: 10_000.into(), ..convention() };
    let report = judge(single(&other), expected());
    assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::OtherBase)), "{report}");
    assert_eq!(report.found, Some(other));
    // Both ways round, with a rule and without.
    let report = judge(single(&convention()), Expectation::new(llama3()));
    assert_eq!((report.first_code(), report.conforms), (Some(Code::FrequencyScaling), false), "{report}");
    assert!(judge(single(&llama3()), Expectation::new(llama3())).conforms);
    assert!(!judge(single(&llama3()), expected()).conforms);
    // YaRN's attention factor belongs to the entries: frequencies do not lack it.
    let yarn = Scaling::Yarn {
        factor: 4.into(),
        original_max_position_embeddings: 4096,
        beta_fast: 32.into(),
        beta_slow: 1.into(),
        truncate: true,
        attention_factor: None,
        mscale: None,
        mscale_all_dim: None,
    };
    let yarn = Convention { scaling: Some(yarn), ..convention() };
    assert_eq!(judge(single(&yarn), Expectation::new(yarn)).grade, Grade::CorrectlyRounded);
}

/// Frequencies of another path than the stated one are those of that path; one that no path makes is not.
#[test]
fn another_path_than_the_stated_one_is_named() {
    let ratio = 500_000f32.powf(-1.0 / PAIRS as f32);
    let mut vector: Vec<f32> = std::iter::successors(Some(1f32), |omega| Some(omega * ratio)).take(PAIRS).collect();
    let judge = |vector: &[f32], path| {
        check_frequencies(&Slice::new("inv_freq", vector, PAIRS).unwrap(), &Expectation::new(convention()).along(path))
            .unwrap()
    };
    let report = judge(&vector, Path::Rounded);
    let [finding] = &report.findings[..] else { panic!("{report}") };
    let Cause::Path { stated, found, .. } = finding.cause else { panic!("{report}") };
    assert_eq!((report.grade, stated, report.found.as_ref()), (Grade::Degraded, Path::Rounded, Some(&convention())));
    assert_eq!(
        (finding.explains.entries, finding.explains.of),
        (report.statistics.exceeding, report.statistics.exceeding)
    );
    assert!(judge(&vector, found).conforms, "{report}");
    vector[PAIRS / 2] *= 1.001;
    let report = judge(&vector, Path::Rounded);
    assert!(report.grade == Grade::Wrong && !matches!(report.findings[0].cause, Cause::Path { .. }), "{report}");
}

#[test]
fn frequencies_are_identified() {
    for convention in [convention(), llama3()] {
        let vector: Vec<f32> = exact(&convention).iter().map(|omega| *omega as f32).collect();
        let found = identify_frequencies(&Slice::new("inv_freq", &vector, PAIRS).unwrap()).unwrap();
        assert_eq!((found.confidence, found.amplitude, found.storage), (Confidence::Established, None, Format::F32));
        assert_eq!(found.convention, Some(convention));
    }
}

#[test]
fn what_is_no_vector_of_frequencies_is_refused_or_judged() {
    let expected = Expectation::new(convention());
    let refusal = check_frequencies(&Slice::new("wide", &[1f32; DIM], DIM).unwrap(), &expected).unwrap_err();
    assert!(refusal.to_string().contains("32 frequencies, one for each pair"), "{refusal}");
    for hostile in [f32::NAN, f32::INFINITY, -0.0, 0.0, f32::MAX, f32::MIN_POSITIVE, 1e-45, -1.0] {
        let vector = [hostile; PAIRS];
        let report = check_frequencies(&Slice::new("hostile", &vector, PAIRS).unwrap(), &expected).unwrap();
        assert!(!report.conforms && !report.findings.is_empty(), "{hostile}: {report}");
        drop(identify_frequencies(&Slice::new("hostile", &vector, PAIRS).unwrap()));
    }
}

#[test]
fn frequencies_in_reverse_order_are_that() {
    let rounded = exact(&convention()).into_iter().rev().map(|omega| omega as f32);
    let vector: Vec<f32> = rounded.collect();
    let report =
        check_frequencies(&Slice::new("inv_freq", &vector, PAIRS).unwrap(), &Expectation::new(convention())).unwrap();
    let finding = &report.findings[0];
    assert_eq!((report.findings.len(), finding.fault.name), (1, "frequencies-reversed"), "{report}");
    assert_eq!((finding.status, finding.explains.of), (Status::Confirmed, PAIRS as u64), "{report}");
}
