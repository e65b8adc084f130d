//! Rows at positions of another rule, or of none: what is said of them is what was done.

use crate::corpus::frequencies;
use crate::told::{cache, only, right, stored};
use posproof_check::faults::PositionRule;
use posproof_check::{Cause, Code, Report, Status};
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

#[test]
fn positions_by_a_rule_and_by_none() {
    let convention = Convention::rope(128);
    let omega = frequencies(&convention);
    let entry = right(&omega);
    let at = |position: &dyn Fn(f64) -> f64| cache(&convention, 4096, &|p, k| entry(position(p as f64), k));

    // Positions beyond a window that count on more slowly.
    for (slower, plus) in [(0.25, 768.0), (1.0 / 3.0, 1024.0 * (1.0 - 1.0 / 3.0))] {
        let report = at(&|p| if p < 1024.0 { p } else { 1024.0 + slower * (p - 1024.0) });
        let rule = Cause::Positions(PositionRule::Affine { from: Some(1025), by: slower, plus });
        assert_eq!(only(&report), (Code::Positions, Status::Confirmed, &rule), "{report}");
    }

    // A position is said as it was found.
    let report = at(&|_| std::f64::consts::PI);
    assert!(report.to_string().contains("every row is that of position 3.14159"), "{report}");

    // Numbers of one byte with a sign.
    let report = at(&|p| (p + 128.0) % 256.0 - 128.0);
    let rule = Cause::Positions(PositionRule::Restarts { runs: 17, first: -128.0, second: 128 });
    assert_eq!(only(&report), (Code::Positions, Status::Confirmed, &rule), "{report}");

    // Multiples of a quarter, without a rule, and no multiples of anything.
    let quarters = |p: f64| p + ((p * 7919.0) % 5.0 - 2.0) / 4.0;
    for (position, near) in [(&quarters as &dyn Fn(f64) -> f64, 0.0), (&f64::ln_1p, 1e-6)] {
        let report = at(position);
        let (Code::Positions, Status::Confirmed, Cause::Earlier { rows, .. }) = only(&report) else {
            panic!("{report}")
        };
        assert!(rows.iter().all(|(p, found)| (position(*p) - found).abs() <= near), "{report}");
    }
}

/// Fractions in formats that hold few digits, and fractions and a line beyond a window beside one wrong entry.
#[test]
fn positions_by_a_rule_and_by_none_are_told_in_narrow_formats_and_beside_an_entry() {
    let convention = Convention::rope(128);
    let omega = frequencies(&convention);
    let entry = right(&omega);
    let (wrong, fractions) = ((700usize, 5), |p: f64| p.ln_1p() * 100.0);
    for format in [Format::F32, Format::F16, Format::Bf16] {
        for beside in [false, true] {
            let of = |p: usize, k: usize| {
                let (cos, sin) = entry(fractions(p as f64), k);
                (format.round(if beside && (p, k) == wrong { 0.3 } else { cos }), format.round(sin))
            };
            let report = stored(&convention, 2048, format, &of);
            let Cause::Earlier { rows, .. } = &report.findings[0].cause else { panic!("{report}") };
            let near = |(p, found): &(f64, f64)| {
                (fractions(*p) - found).abs() <= format.unit_roundoff() + 4.0 * Format::F32.unit_roundoff() * found
            };
            assert!(rows.iter().all(near), "{report}");
            apart(&report, beside.then_some((wrong.0 as u64, wrong.1)));
        }
    }
    let report = cache(&convention, 2048, &|p, k| {
        let slower = if p < 1024 { p as f64 } else { 1024.0 + 0.25 * (p as f64 - 1024.0) };
        let (cos, sin) = entry(slower, k);
        (if (p, k) == (1500, 5) { 0.3 } else { cos }, sin)
    });
    let rule = Cause::Positions(PositionRule::Affine { from: Some(1025), by: 0.25, plus: 768.0 });
    assert_eq!(report.findings[0].cause, rule, "{report}");
    apart(&report, Some((1500, 5)));
}

/// One finding of positions that explains everything, but for one entry that is said where it is.
fn apart(report: &Report, entry: Option<(u64, usize)>) {
    let [positions, others @ ..] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((positions.code(), positions.status), (Code::Positions, Status::Confirmed), "{report}");
    let place = |finding: &posproof_check::Finding| {
        let region = finding.region.as_ref().unwrap();
        assert_eq!((finding.code(), finding.status), (Code::Local, Status::Confirmed), "{report}");
        (region.positions.unwrap(), region.pairs.unwrap().first, finding.explains.entries)
    };
    let told: Vec<_> = others.iter().map(place).collect();
    assert_eq!(told, Vec::from_iter(entry.map(|(p, pair)| ([p, p], pair, 1))), "{report}");
}

#[test]
fn positions_that_are_scaled_and_shifted() {
    let convention = Convention::rope(128);
    let omega = frequencies(&convention);
    let entry = right(&omega);
    for (by, plus) in [((1, 3), 0.5), ((1, 4), 1.0), ((1, 4095), 0.0)] {
        let times = f64::from(by.0) / f64::from(by.1);
        let report = cache(&convention, 4096, &|p, k| entry((p as f64 + plus) * times, k));
        let explained = |finding: &posproof_check::Finding| finding.explains.entries == finding.explains.of;
        assert!(report.findings.iter().all(explained), "{report}");
        let found = report.found.as_ref().unwrap_or_else(|| panic!("{report}"));
        let factor = (f64::from(by.1) / f64::from(by.0)).to_string();
        let asked = Some(Scaling::Linear { factor: factor.parse().unwrap() });
        assert_eq!((&found.scaling, found.position_offset.value().to_f64()), (&asked, plus), "{report}");
    }
}
