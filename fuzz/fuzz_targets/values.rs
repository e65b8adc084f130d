//! Judging and identifying tables of any numbers at all: a report or a refusal, never a panic.
#![no_main]

use posproof_check::{
    Duplication, Expectation, Half, Path, Slice, Subject, check, check_frequencies, identify, identify_frequencies,
};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;

// The first byte chooses the question, so that one input takes one answer's time: reports of thousands of entries take a
// tenth of a second where the code is instrumented.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((question, bytes)) = bytes.split_first() else { return };
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (first, second) = numbers.split_at(numbers.len() / 16 * 8);
    let second = &second[..first.len()];
    let (Ok(x), Ok(y)) = (Slice::new("x", first, 8), Slice::new("y", second, 8)) else { return };
    let halves = Convention { layout: Layout::Halves, ..Convention::rope(8) };
    let [left, right] = Half::both(&x).expect("an even width");
    let (subject, convention) = match question % 7 {
        0 => (Subject::Sinusoid(&x), Convention::sinusoid(8)),
        1 => (Subject::Rope { cos: Some(&x), sin: Some(&y) }, Convention::rope(16)),
        2 => (Subject::Rope { cos: Some(&x), sin: None }, Convention::rope(16)),
        3 => (Subject::Rope { cos: None, sin: Some(&y) }, Convention::rope(8)),
        4 => (Subject::Rope { cos: Some(&left), sin: Some(&right) }, Convention::rope(8)),
        5 => (Subject::Rotation { x: &x, y: &y }, halves),
        _ => {
            if let Ok(report) = check_frequencies(&x, &Expectation::new(Convention::rope(16))) {
                assert_eq!(report.conforms, report.findings.is_empty(), "{report}");
            }
            let _ = identify_frequencies(&x);
            return;
        }
    };
    let plain = Expectation::new(convention);
    let expectation = match question / 7 % 4 {
        0 => plain,
        1 => plain.stored_in(Format::Bf16).duplicated(Duplication::Halves),
        2 => plain.computed_in(Format::F64).along(Path::Recurrence),
        _ => {
            let _ = identify(subject, None);
            return;
        }
    };
    if let Ok(report) = check(subject, &expectation) {
        assert_eq!(report.conforms, report.findings.is_empty(), "{report}");
    }
});
