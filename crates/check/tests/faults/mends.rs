//! A report's statement in place of the given one: under it the subject conforms.

use crate::corpus::sparse;
use crate::everywhere::{faulty, named};
use crate::specimen::{Kind, Setting};
use posproof_check::{Code, Expectation, Status};
use posproof_encoding::convention::{Convention, Direction, Layout};
use posproof_numerics::format::Format;

#[test]
fn what_is_said_to_mend_does() {
    let setting = Setting { name: "sparse to 5000", positions: sparse(5000), format: Format::F32, heads: 1 };
    let cases = [
        "base 1000000",
        "base 10001",
        "offset 17",
        "amplitude",
        "direction",
        "half angles",
        "positions in bf16",
        "frequencies in bf16",
        "cast to bf16 and back",
        "read and written differently",
    ];
    let mut mended = 0;
    for kind in Kind::ALL {
        for name in cases {
            let of_vectors = name == "read and written differently";
            let of_entries = name == "cast to bf16 and back";
            if (kind == Kind::Rotation && of_entries) || (kind != Kind::Rotation && of_vectors) {
                continue;
            }
            let promised = Convention { layout: Layout::Interleaved, ..kind.convention(64) };
            let specimen = faulty(kind, named(name).1, &promised, &setting);
            let report = specimen.check();
            let mend = report.mend.as_ref().unwrap_or_else(|| panic!("{name}, {kind:?}: nothing mends\n{report}"));
            let again = specimen.judge(&mend.expectation(&specimen.expectation()));
            assert!(again.conforms, "{name}, {kind:?}: {mend}\n{again}");
            assert!(report.findings.iter().all(|finding| finding.status == Status::Confirmed), "{name}\n{report}");
            mended += 1;
        }
    }
    assert!(mended > 20, "{mended}");
}

#[test]
fn one_wrong_entry_is_local_and_nothing_mends_it() {
    let setting = Setting { name: "1000 rows", positions: (0..1000).collect(), format: Format::F32, heads: 1 };
    for kind in Kind::ALL {
        let promised = kind.convention(64);
        let mut specimen = faulty(kind, named("direction").1, &promised, &setting);
        let right = Convention { direction: Direction::Clockwise, ..promised };
        specimen.judged[0][32 * 500 + 3] += 0.5;
        let report = specimen.judge(&Expectation { convention: right.clone(), ..specimen.expectation() });
        let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
        assert_eq!((codes, report.mend.is_none()), (vec![Code::Local], true), "{kind:?}\n{report}");
        assert_eq!((report.findings[0].explains.entries, report.statistics.exceeding), (1, 1), "{report}");
        assert_eq!(report.found, Some(right.clone()), "{report}");
    }
}
