//! One claim, one file, one line in the list, one line of tests, one report.

use posproof::claim::Ledger;
use std::collections::BTreeSet;
use std::path::Path;

fn listed() -> BTreeSet<String> {
    Ledger::ALL.into_iter().flat_map(listed_in).collect()
}

fn listed_in(ledger: Ledger) -> BTreeSet<String> {
    posproof::claims::of(ledger).iter().map(|entry| entry.about().id.to_owned()).collect()
}

pub fn ids_are_unique_and_every_claim_is_in_the_ledger_of_its_documents() {
    assert_eq!(listed().len(), posproof::claims::all().len());
    for ledger in Ledger::ALL {
        for entry in posproof::claims::of(ledger) {
            let about = entry.about();
            assert_eq!(about.sources.first().and_then(|source| source.document.ledger()), Some(ledger), "{}", about.id);
            assert_eq!(about.ledger(), Some(ledger));
            // Papers restate claims of the documents; those of the literature are the papers' own.
            let own = about.sources.iter().filter(|source| source.document.ledger() == Some(ledger)).count();
            assert!(ledger == Ledger::Documents || own == about.sources.len(), "{}", about.id);
        }
    }
}

pub fn every_document_is_the_source_of_a_claim() {
    let entries = posproof::claims::all().into_iter();
    let cited: BTreeSet<_> =
        entries.flat_map(|entry| entry.about().sources.iter().map(|source| source.document)).collect();
    assert!(cited.into_iter().eq(posproof::bibliography::Document::ALL));
}

pub fn the_most_surprising_corrections_are_of_errors() {
    for id in posproof::report::news::MOST_SURPRISING {
        assert!(posproof::report::news::is_error(crate::entry(id).about()), "{id}");
    }
}

/// Theorems that the ledgers promise: one for each claim of the documents; of the literature those listed.
pub fn the_theorems_of_a_claim_are_stated_in_the_sources() {
    let theorems = posproof::report::theorem::Theorems::at_hand();
    for entry in posproof::claims::all() {
        let about = entry.about();
        let stated = theorems.of(about).expect("the sources");
        for stated in &stated {
            assert!(!stated.statement.is_empty() && !stated.axioms.iter().any(|axiom| axiom.contains('.')));
        }
        let names: Vec<_> = stated.into_iter().map(|stated| stated.name).collect();
        let parts = about.parts().iter().map(|name| (*name).to_owned());
        assert_eq!(names, about.theorems().into_iter().chain(parts).collect::<Vec<_>>(), "{}", about.id);
        let documents = about.ledger() == Some(Ledger::Documents);
        assert!(!documents || !names.is_empty(), "{}: a claim of the documents without theorem", about.id);
    }
}

fn stems(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a directory entry").path());
    let files = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    files.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect()
}

pub fn every_claim_has_its_file_and_every_file_its_claim() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/claims");
    for (ledger, folder) in [(Ledger::Documents, root.clone()), (Ledger::Literature, root.join("literature"))] {
        let mut files = BTreeSet::new();
        for subject in listed_in(ledger).iter().map(|id| id.split('.').next().expect("a subject").to_owned()) {
            let modules = stems(&folder.join(&subject), "rs");
            files.extend(modules.iter().filter(|m| *m != "mod").map(|m| format!("{subject}.{}", m.replace('_', "-"))));
        }
        assert_eq!(files, listed_in(ledger));
    }
}

pub fn every_claim_has_its_tests_and_every_test_its_claim() {
    assert_eq!(crate::tested().map(|claim| claim.id.to_owned()).collect::<BTreeSet<_>>(), listed());
}

pub fn every_claim_has_its_report_and_every_report_its_claim() {
    assert_eq!(stems(&Path::new(env!("CARGO_MANIFEST_DIR")).join("reports"), "snap"), listed());
}
