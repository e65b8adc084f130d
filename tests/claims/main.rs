//! Every claim in every system that decides it, by name; every sabotage; every report.

mod attention;
mod bounds;
mod coverage;
mod encoding;
mod harness;
mod literature;
mod phasor;
mod properties;
mod rope;
mod shift;
mod sinusoid;
mod summaries;
mod toeplitz;

use libtest_mimic::{Arguments, Trial};
use posproof::claim::Form;
use posproof::evidence::settle::{Entry, SystemName, settle};
use posproof::evidence::{Conclusion, Effort, Plan};
use posproof::report::text;

/// A claim that is tested, and the systems that decide it: a system that stops deciding it fails, and so does one
/// that starts to.
pub struct Tested {
    /// The id.
    pub id: &'static str,
    /// The systems that decide it.
    pub systems: &'static [&'static str],
}

/// Declares the tests of a subject's claims: each line names a claim and the systems that decide it.
macro_rules! claim_tests {
    ($($id:literal in $($system:ident)*;)*) => {
        /// The claims tested in this file.
        pub const TESTED: &[$crate::Tested] =
            &[$($crate::Tested { id: $id, systems: &[$(stringify!($system)),*] }),*];
    };
}
pub(crate) use claim_tests;

/// All claims that are tested.
fn tested() -> impl Iterator<Item = &'static Tested> {
    let subjects = [
        sinusoid::TESTED,
        shift::TESTED,
        toeplitz::TESTED,
        rope::TESTED,
        phasor::TESTED,
        attention::TESTED,
        encoding::TESTED,
        literature::TESTED,
    ];
    subjects.into_iter().flatten()
}

/// Declares the tests that are not of one claim: functions of a module, under their names.
macro_rules! trials {
    ($module:ident: $($test:ident),* $(,)?) => {
        [$(Trial::test(concat!(stringify!($module), "::", stringify!($test)), || { $module::$test(); Ok(()) })),*]
    };
}

fn main() {
    let mut arguments = Arguments::from_args();
    let mut all: Vec<Trial> = tested().flat_map(harness::trials).collect();
    all.extend(trials!(coverage:
        ids_are_unique_and_every_claim_is_in_the_ledger_of_its_documents,
        every_document_is_the_source_of_a_claim,
        the_most_surprising_corrections_are_of_errors,
        the_theorems_of_a_claim_are_stated_in_the_sources,
        every_claim_has_its_file_and_every_file_its_claim,
        every_claim_has_its_tests_and_every_test_its_claim,
        every_claim_has_its_report_and_every_report_its_claim,
    ));
    all.extend(trials!(summaries: every_subject_has_its_summary));
    all.extend(trials!(bounds:
        every_bound_for_all_inputs_is_above_what_is_found,
        bounds_beside_taylor_forms_are_those_of_the_page,
    ));
    all.extend(trials!(properties:
        every_claim_of_the_documents_asks_a_function_or_is_said_not_to,
        sabotages_are_those_of_the_ledger,
    ));
    all.extend(trials!(harness: an_id_in_any_spelling_names_the_tests_of_its_claim, every_test_of_this_folder_is_run));
    harness::keep_named(&mut arguments, &mut all);
    let conclusion = libtest_mimic::run(&arguments, all);
    if let Some(line) = harness::validated() {
        println!("{line}");
    }
    conclusion.exit();
}

fn entry(id: &str) -> &'static dyn Entry {
    posproof::claims::all().into_iter().find(|entry| entry.about().id == id).expect("a claim of the list")
}

fn decided_and_sabotage_refuted(id: &'static str, system: &str) {
    let system: SystemName = system.parse().expect("a system");
    let plan = Plan::new(Effort::Quick, Plan::SEED);
    let tally = entry(id).judge(system, Form::Settled, &plan);
    assert_eq!(tally.refuted, 0, "{id} in {system}: {:?}", tally.refutation.map(|found| found.witness.to_string()));
    assert!(tally.held > 0, "{id} in {system}: nothing held, {:?}", tally.unable);
    let sabotaged = entry(id).judge(system, Form::Sabotaged, &plan);
    assert!(sabotaged.refuted > 0, "{id} in {system}: the sabotage ({}) passed", entry(id).about().sabotage);
    harness::count(id, system, tally.held + sabotaged.refuted);
}

fn decided_by_these_alone(id: &str, systems: &[&str]) {
    for system in SystemName::ALL {
        assert_eq!(entry(id).concerns(system), systems.contains(&system.name()), "{id}: sizes for {system}");
    }
}

/// The report of the claim, as `posproof show` prints it, against the accepted one in `reports/`.
fn settles_as_reported(id: &str) {
    let plan = Plan::new(Effort::Standard, Plan::SEED);
    let settlement = settle(entry(id), &SystemName::ALL, &plan, &|| ());
    assert_eq!(settlement.conclusion, Conclusion::AsExpected, "{id}");
    let page = text::page(&settlement, plan.effort, plan.seed);
    let mut settings = report_settings();
    settings.set_description(format!("posproof show {id}: the error-bound report, accepted by review"));
    settings.bind(|| insta::assert_snapshot!(id, anstream::adapter::strip_str(&page).to_string()));
}

/// Snapshots lie in `reports/` under their own names.
fn report_settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../reports");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
