//! The tests of a claim by its id in any spelling, and the last line of a run: what was validated.

use crate::Tested;
use libtest_mimic::{Arguments, Trial};
use posproof::claim::theorem_name;
use posproof::evidence::settle::SystemName;
use posproof_numerics::decimal::counted;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

/// The tests of one claim: one for each system that decides it, one for those that do not, one for its report.
pub fn trials(claim: &'static Tested) -> Vec<Trial> {
    let Tested { id, systems } = *claim;
    let name = |test: &str| format!("{}::{test}", theorem_name(id).replacen('_', "::", 1));
    let mut all: Vec<Trial> = Vec::new();
    for &system in systems {
        all.push(Trial::test(name(system), move || {
            crate::decided_and_sabotage_refuted(id, system);
            Ok(())
        }));
    }
    all.push(Trial::test(name("other_systems_have_nothing_to_say"), move || {
        crate::decided_by_these_alone(id, systems);
        Ok(())
    }));
    all.push(Trial::test(name("settles_as_reported"), move || {
        crate::settles_as_reported(id);
        Ok(())
    }));
    all
}

/// `shift.linearity`, `shift::linearity` and the theorem's name `shift_linearity` are one spelling.
fn spelling(name: &str) -> String {
    name.replace("::", "_").replace(['.', '-'], "_")
}

/// Leaves of the tests those whose name holds the filter in some spelling of it.
pub fn keep_named(arguments: &mut Arguments, all: &mut Vec<Trial>) {
    if arguments.exact {
        return;
    }
    if let Some(filter) = arguments.filter.take() {
        all.retain(|trial| spelling(trial.name()).contains(&spelling(&filter)));
    }
}

/// Claims, systems and comparisons of the tests that passed.
static VALIDATED: Mutex<(BTreeSet<&str>, BTreeSet<SystemName>, u64)> =
    Mutex::new((BTreeSet::new(), BTreeSet::new(), 0));

/// Counts the comparisons of one claim in one system: those that held, and those of the sabotage that were refuted.
pub fn count(id: &'static str, system: SystemName, comparisons: u64) {
    let mut validated = VALIDATED.lock().expect("no test ends while it counts");
    validated.0.insert(id);
    validated.1.insert(system);
    validated.2 += comparisons;
}

/// One line: what the tests that passed validated, and where the report is; none where no claim was tested.
pub fn validated() -> Option<String> {
    let (claims, systems, comparisons) = &*VALIDATED.lock().expect("no test ends while it counts");
    let proofs: usize = claims.iter().map(|id| crate::entry(id).about().theorems().len()).sum();
    let line = || {
        format!(
            "validated: {} in {}, {}, every sabotage refuted; {}, for `posproof prove` to check; report: reports/",
            counted(claims.len() as u64, "claim"),
            counted(systems.len() as u64, "system"),
            counted(*comparisons, "comparison"),
            counted(proofs as u64, "Coq theorem")
        )
    };
    (!claims.is_empty()).then(line)
}

pub fn an_id_in_any_spelling_names_the_tests_of_its_claim() {
    for filter in ["shift.linearity", "shift_linearity", "shift::linearity", "rope.relative-position::f32"] {
        let mut arguments = Arguments { filter: Some(filter.to_owned()), ..Arguments::default() };
        let mut all: Vec<Trial> = crate::tested().flat_map(trials).collect();
        keep_named(&mut arguments, &mut all);
        let expected = if filter.ends_with("f32") { 1 } else { SystemName::ALL.len() + 2 };
        assert_eq!(all.len(), expected, "{filter}");
        assert!(all.iter().all(|trial| spelling(trial.name()).contains(&spelling(filter))));
    }
}

/// A function marked as a test here would never run: this binary has a main function of its own.
pub fn every_test_of_this_folder_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims");
    let main = std::fs::read_to_string(folder.join("main.rs")).expect("the sources");
    let marked = concat!("#[", "test]");
    for file in std::fs::read_dir(&folder).expect("the sources") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a source");
        assert!(!text.contains(marked), "marked as a test, which nobody runs");
    }
    for file in ["bounds.rs", "coverage.rs", "summaries.rs", "harness.rs"] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a source");
        for name in text.lines().filter_map(|line| line.strip_prefix("pub fn ")?.strip_suffix("() {")) {
            assert!(main.contains(name), "{file}: {name} is not run");
        }
    }
}
