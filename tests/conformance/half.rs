//! Implementations that compute their angles in binary16, judged with that precision stated.

use crate::corpus::*;
use posproof::bound::Path;
use posproof::conformance::{Code, Expectation, Grade, Report};
use posproof::encoding::convention::Convention;
use posproof::number::format::Format;

/// As far as binary16 counts.
fn rows() -> Vec<u64> {
    sparse(2048)
}

/// Positions, frequencies and angles of one format, each rounded once; entries stored in binary16.
fn judged(convention: &Convention, computed: Format, (stated, path): (Format, Option<Path>)) -> Report {
    let omega = frequencies(convention);
    let program = Program {
        frequency: Box::new(|k| computed.round(omega[k])),
        position: Box::new(|p| computed.round(p as f64)),
        angle: Box::new(|t, w| computed.round(t * w)),
        ..Program::exact(convention)
    };
    let (cos, sin) = program.run(convention.pairs(), &rows()).apart();
    let expectation = Expectation { compute: stated, path, ..expectation(convention, &rows()) };
    judge_cache(Format::F16, (&cos, &sin), convention.pairs(), &expectation).unwrap()
}

#[test]
fn angles_in_binary16_conform_where_that_is_stated() {
    // The slowest of base 500000 are subnormal in binary16.
    for base in [100, 10_000, 500_000] {
        let convention = Convention { base: base.into(), ..Convention::rope(64) };
        let subnormal = frequencies(&convention).iter().any(|omega| *omega < 2f64.powi(-14));
        assert_eq!(subnormal, base == 500_000, "{base}");
        for path in [None, Some(Path::Rounded)] {
            let report = judged(&convention, Format::F16, (Format::F16, path));
            assert_eq!((report.grade, report.first_code()), (Grade::WithinBound, None), "base {base}: {report}");
            // Not what a program computes in binary32, and the finding says why.
            let report = judged(&convention, Format::F16, (Format::F32, path));
            assert_eq!(report.grade, Grade::Degraded, "base {base}: {report}");
            assert!(report.first_code().is_some_and(Code::is_low_precision), "{base}: {report}");
            assert_eq!(report.findings[0].cause.format(), Some(Format::F16), "base {base}: {report}");
        }
        // Angles of bfloat16 do not pass for it.
        let report = judged(&convention, Format::Bf16, (Format::F16, Some(Path::Rounded)));
        assert_eq!(report.grade, Grade::Degraded, "base {base}: {report}");
    }
}

#[test]
fn another_convention_does_not_pass_for_angles_in_binary16() {
    for base in [10_000, 500_000] {
        let right = Convention { base: base.into(), ..Convention::rope(64) };
        let others = [
            Convention { base: (base * 2).into(), ..right.clone() },
            Convention { position_offset: 1.into(), ..right.clone() },
            Convention { frequency_origin: 1, ..right.clone() },
        ];
        for other in others {
            let (cos, sin) = Program::exact(&other).run(32, &rows()).apart();
            let expectation = Expectation { compute: Format::F16, ..expectation(&right, &rows()) };
            let report = judge_cache(Format::F16, (&cos, &sin), 32, &expectation).unwrap();
            assert!(!report.conforms, "{report}");
        }
    }
}
