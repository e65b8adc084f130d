//! Judging and identifying tables of any numbers at all: a report or a refusal, never a panic.
#![no_main]

use posproof_check::{
    Duplication, Expectation, Half, Path, Slice, Subject, check, check_frequencies, identify, identify_frequencies,
};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (first, second) = numbers.split_at(numbers.len() / 16 * 8);
    let second = &second[..first.len()];
    let (Ok(x), Ok(y)) = (Slice::new("x", first, 8), Slice::new("y", second, 8)) else { return };
    let halves = Convention { layout: Layout::Halves, ..Convention::rope(8) };
    let [left, right] = Half::both(&x).expect("an even width");
    let cases = [
        (Subject::Sinusoid(&x), Convention::sinusoid(8)),
        (Subject::Rope { cos: Some(&x), sin: Some(&y) }, Convention::rope(16)),
        (Subject::Rope { cos: Some(&x), sin: None }, Convention::rope(16)),
        (Subject::Rope { cos: None, sin: Some(&y) }, Convention::rope(8)),
        (Subject::Rope { cos: Some(&left), sin: Some(&right) }, Convention::rope(8)),
        (Subject::Rotation { x: &x, y: &y }, halves),
    ];
    for (subject, convention) in cases {
        let plain = Expectation::new(convention);
        let narrow = plain.clone().stored_in(Format::Bf16).duplicated(Duplication::Halves);
        let precise = plain.clone().computed_in(Format::F64).along(Path::Recurrence);
        for expectation in [plain, narrow, precise] {
            if let Ok(report) = check(subject, &expectation) {
                assert_eq!(report.conforms, report.findings.is_empty(), "{report}");
            }
        }
        let _ = identify(subject, None);
    }
    if let Ok(report) = check_frequencies(&x, &Expectation::new(Convention::rope(16))) {
        assert_eq!(report.conforms, report.findings.is_empty(), "{report}");
    }
    let _ = identify_frequencies(&x);
});
