//! `check` and `identify` find the same: the convention of a faulty subject, told to one of them and not to the other.

use crate::corpus::{frequencies, sparse};
use crate::everywhere::{faulty, named};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::faults::Promised;
use posproof_check::{Cause, Confidence, Expectation, Finding, Identification, Report};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::{Rational, format::Format};

/// Differences of what `check` reports and what `identify` says; nothing where they agree.
pub fn apart(specimen: &Specimen, report: &Report) -> Option<&'static str> {
    let identified = specimen.identify();
    let ours = report.found.as_ref().map(|found| Found { convention: found, findings: &report.findings });
    let theirs = identified.convention.as_ref().or(identified.measured_law.as_ref().filter(|_| ours.is_some()));
    let theirs = theirs.map(|found| Found { convention: found, findings: &identified.findings });
    match (ours, theirs) {
        (None, None) => None,
        (Some(one), Some(other)) if alike(specimen, &one, &other, &identified) => None,
        (Some(Found { convention: Convention { scaling: Some(Scaling::Longrope { .. }), .. }, .. }), None) => {
            Some("only check finds one, whose factors, one for each pair, are stated to it")
        }
        (Some(_), None) => Some("only check finds one"),
        (None, _) => Some("only identify finds one"),
        (Some(_), Some(other)) if other.explains(specimen) => {
            Some("two conventions, and every entry is within its bound under that of identify as well")
        }
        (Some(_), Some(_)) => Some("two conventions"),
    }
}

/// A convention, and what is wrong with the entries that follow it.
struct Found<'a> {
    convention: &'a Convention,
    findings: &'a [Finding],
}

impl Found<'_> {
    /// Factors of the frequencies in each row, where every row is that of a position of its own.
    fn counts(&self, rows: usize) -> Option<Vec<(f64, f64)>> {
        let law = Law::new(self.convention);
        self.findings.iter().find_map(|finding| match &finding.cause {
            Cause::Earlier { rows: all, .. } if all.len() == rows => {
                Some(all.iter().map(|&(position, found)| (position, law.count(found))).collect())
            }
            _ => None,
        })
    }

    /// Radians per position of each pair.
    fn rates(&self) -> Vec<f64> {
        let step = Law::new(self.convention).step().to_f64();
        frequencies(self.convention).into_iter().map(|omega| omega * step).collect()
    }

    fn explains(&self, specimen: &Specimen) -> bool {
        specimen.judge(&Expectation::new(self.convention.clone()).at(specimen.positions())).conforms
    }
}

/// True if two conventions give a subject the same entries, but for what findings say of each. Where every row is that of a
/// position of its own, nothing but the sums of these and the offset shows. Frequencies that `identify` has measured, a factor
/// for each pair, are those of `check` if they are as near as it says that they are, and explain every entry.
fn alike(specimen: &Specimen, ours: &Found<'_>, theirs: &Found<'_>, identified: &Identification) -> bool {
    // Of the same numbers written in two ways, a few roundings of binary64; binary32 entries show no 1e-12.
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
    let (one, other) = (ours.convention, theirs.convention);
    let measured = identified.convention.is_none();
    let error = |pair: usize| if measured { identified.measured()[pair].error } else { 0.0 };
    let gain = |convention: &Convention| convention.gain().enclose(64).approximate();
    let arranged = specimen.kind == Kind::Cache || (one.layout, one.order) == (other.layout, other.order);
    let rows = specimen.setting.positions.len();
    let counted = match (ours.counts(rows), theirs.counts(rows)) {
        (None, None) => one.position_offset == other.position_offset,
        (ours, theirs) => ours == theirs,
    };
    let (a, b) = (ours.rates(), theirs.rates());
    arranged
        && counted
        && a.len() == b.len()
        && a.iter().zip(&b).enumerate().all(|(pair, (a, b))| near(*a, *b) || (a - b).abs() <= error(pair))
        && near(gain(one), gain(other))
        && (!measured || theirs.explains(specimen))
}

/// A case of the catalogue in binary32.
fn specimen(name: &str, kind: Kind, promised: &Convention, positions: Vec<u64>) -> Specimen {
    let setting = Setting { name: "", positions, format: Format::F32, heads: 1 };
    faulty(kind, named(name).1, promised, &setting)
}

/// Bounds far from 0 are wide; rows of positions of their own show no offset; and numbers may be written in two ways.
#[test]
fn one_of_several_statements_of_the_same_entries_is_found_by_both() {
    let at_three = |kind: Kind, dim| Convention { position_offset: 3.into(), ..kind.convention(dim) };
    let far = |rows: u64| (120_000..120_000 + rows).collect::<Vec<u64>>();
    let cases = [
        ("positions of an earlier call from 1024", Kind::Cache, 64, far(50)),
        ("own exponents", Kind::Table, 16, (0..300).collect()),
        ("base 75000.5", Kind::Table, 256, far(200)),
    ];
    for (name, kind, dim, positions) in cases {
        let specimen = specimen(name, kind, &at_three(kind, dim), positions);
        let report = specimen.check();
        assert!(report.found.is_some(), "{name}\n{report}");
        assert_eq!(apart(&specimen, &report), None, "{name}\n{report}\n{}", specimen.identify());
    }
}

/// Factors of each pair are stated to `check`; `identify` measures them, and establishes nothing by them: whole ones in any format, and
/// others of more digits in binary32.
#[test]
fn factors_of_each_pair_are_measured_and_never_established() {
    let name = "longrope long for short";
    let Promised::Stated(promised) = named(name).1.promised else { panic!("{name} has a convention of its own") };
    let (promised, mut other) = (promised(), promised());
    let Some(Scaling::Longrope { long_factor, .. }) = &mut other.scaling else { panic!("{other:?}") };
    let factor = |k: u64| Real::from(Rational::from((10_000 + 1377 * k + 11 * k * k, 10_000)));
    *long_factor = (0..long_factor.len() as u64).map(factor).collect();
    let cases = [
        (&promised, 9000, Format::F32),
        (&promised, 40_000, Format::Bf16),
        (&promised, 40_000, Format::F16),
        (&other, 9000, Format::F32),
    ];
    for (promised, last, format) in cases {
        let setting = Setting { name: "", positions: sparse(last), format, heads: 1 };
        let specimen = faulty(Kind::Cache, named(name).1, promised, &setting);
        let (mut report, identified) = (specimen.check(), specimen.identify());
        assert_eq!((identified.confidence, &identified.convention), (Confidence::Unexplained, &None), "{identified}");
        let law = identified.measured_law.as_ref().unwrap_or_else(|| panic!("{format}: {identified}"));
        assert!(matches!(law.scaling, Some(Scaling::Longrope { .. })), "{identified}");
        assert_eq!(apart(&specimen, &report), None, "{format}: {report}\n{identified}");
        // Frequencies that are off by more than they may be are others.
        report.found = report.found.map(|found| Convention { base: 500_100.into(), ..found });
        assert!(apart(&specimen, &report).is_some());
    }
}
