//! One claim, one file, one line in the list, one line of tests, one report.

use std::collections::BTreeSet;
use std::path::Path;

fn listed() -> BTreeSet<String> {
    posproof::claims::all().iter().map(|entry| entry.about().id.to_owned()).collect()
}

fn stems(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a directory entry").path());
    let files = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    files.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect()
}

#[test]
fn every_claim_has_its_file_and_every_file_its_claim() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/claims");
    let mut files = BTreeSet::new();
    for subject in listed().iter().map(|id| id.split('.').next().expect("a subject").to_owned()) {
        let modules = stems(&folder.join(&subject), "rs");
        files.extend(modules.iter().filter(|m| *m != "mod").map(|m| format!("{subject}.{}", m.replace('_', "-"))));
    }
    assert_eq!(files, listed());
}

#[test]
fn every_claim_has_its_tests_and_every_test_its_claim() {
    use super::{attention, encoding, phasor, rope, shift, sinusoid, toeplitz};
    let tested = [
        sinusoid::TESTED,
        shift::TESTED,
        toeplitz::TESTED,
        rope::TESTED,
        phasor::TESTED,
        attention::TESTED,
        encoding::TESTED,
    ]
    .concat();
    assert_eq!(tested.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>(), listed());
}

#[test]
fn every_claim_has_its_report_and_every_report_its_claim() {
    assert_eq!(stems(&Path::new(env!("CARGO_MANIFEST_DIR")).join("reports"), "snap"), listed());
}
