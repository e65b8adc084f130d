//! The digits that stored entries show of a base.

use posproof_check::{Confidence, Slice, Subject, identify};
use posproof_encoding::convention::{Convention, Spacing};
use posproof_encoding::real::Real;

const PAIRS: usize = 32;

/// An interleaved table of correctly rounded entries in bf16.
fn table(rows: usize, convention: &Convention) -> Vec<half::bf16> {
    let step = if convention.frequency_spacing == Spacing::Paper { PAIRS } else { PAIRS - 1 } as f64;
    let omega = |k: usize| convention.base.value().to_f64().powf(-(k as f64) / step);
    let of = |i: usize| {
        let angle = (i / (2 * PAIRS)) as f64 * omega(i % (2 * PAIRS) / 2);
        half::bf16::from_f64(if i.is_multiple_of(2) { angle.sin() } else { angle.cos() })
    };
    (0..2 * PAIRS * rows).map(of).collect()
}

/// A base of end points is one without them, in other digits. The one with fewer is told, and the roundings of 64 rows show six of them.
#[test]
fn few_rows_in_bf16_show_a_base() {
    for (rows, base, spacing) in [
        (64, 123_456i64, Spacing::Paper),
        (700, 123_456, Spacing::Paper),
        (64, 41_829, Spacing::Paper),
        (64, 10_000, Spacing::Paper),
        (64, 10_000, Spacing::Endpoints),
        (700, 30_000, Spacing::Endpoints),
    ] {
        let convention =
            Convention { base: base.into(), frequency_spacing: spacing, ..Convention::sinusoid(2 * PAIRS) };
        let entries = table(rows, &convention);
        let slice = Slice::new("table", &entries, 2 * PAIRS).unwrap();
        let found = identify(Subject::Sinusoid(&slice), None).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{rows} {base}: {found}");
        let told = found.convention.as_ref().map(|found| (found.base.clone(), found.frequency_spacing));
        assert_eq!(told, Some((Real::from(base), spacing)), "{rows} {base}: {found}");
    }
}
