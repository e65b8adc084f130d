//! Judging and identifying tables of any numbers at all: a report or a refusal, never a panic.
#![no_main]

use posproof_check::{Expectation, Slice, Subject, check, identify};
use posproof_encoding::convention::{Convention, Layout};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (first, second) = numbers.split_at(numbers.len() / 16 * 8);
    let second = &second[..first.len()];
    let (Ok(x), Ok(y)) = (Slice::new("x", first, 8), Slice::new("y", second, 8)) else { return };
    let halves = Convention { layout: Layout::Halves, ..Convention::rope(8) };
    let cases = [
        (Subject::Sinusoid(&x), Convention::sinusoid(8)),
        (Subject::Rope { cos: Some(&x), sin: Some(&y) }, Convention::rope(16)),
        (Subject::Rope { cos: Some(&x), sin: None }, Convention::rope(16)),
        (Subject::Rope { cos: None, sin: Some(&y) }, Convention::rope(8)),
        (Subject::Rotation { x: &x, y: &y }, halves),
    ];
    for (subject, convention) in cases {
        if let Ok(report) = check(subject, &Expectation::new(convention)) {
            assert!(report.conforms || !report.findings.is_empty(), "{report}");
        }
        let _ = identify(subject, None);
    }
});
