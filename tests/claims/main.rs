//! Every claim in every system that decides it, by name; every sabotage; every report.

mod attention;
mod coverage;
mod encoding;
mod literature;
mod phasor;
mod rope;
mod shift;
mod sinusoid;
mod summaries;
mod toeplitz;

use posproof::claim::Form;
use posproof::evidence::settle::{Entry, SystemName, settle};
use posproof::evidence::{Conclusion, Effort, Plan};
use posproof::report::text;

/// Declares the tests of a subject's claims. Each line names a claim, its module, and the systems
/// that decide it: a system that stops deciding it fails, and so does one that starts to.
macro_rules! claim_tests {
    ($($id:literal as $module:ident in $($system:ident)*;)*) => {
        /// The ids tested in this file.
        pub const TESTED: &[&str] = &[$($id),*];
        $(mod $module {
            $(#[test]
            fn $system() {
                $crate::decided_and_sabotage_refuted($id, stringify!($system));
            })*

            #[test]
            fn other_systems_have_nothing_to_say() {
                $crate::decided_by_these_alone($id, &[$(stringify!($system)),*]);
            }

            #[test]
            fn settles_as_reported() {
                $crate::settles_as_reported($id);
            }
        })*
    };
}
pub(crate) use claim_tests;

fn entry(id: &str) -> &'static dyn Entry {
    posproof::claims::all().into_iter().find(|entry| entry.about().id == id).expect("a claim of the list")
}

fn decided_and_sabotage_refuted(id: &str, system: &str) {
    let system: SystemName = system.parse().expect("a system");
    let plan = Plan::new(Effort::Quick, Plan::SEED);
    let tally = entry(id).judge(system, Form::Settled, &plan);
    assert_eq!(tally.refuted, 0, "{id} in {system}: {:?}", tally.refutation.map(|witness| witness.to_string()));
    assert!(tally.held > 0, "{id} in {system}: nothing held, {:?}", tally.unable);
    let sabotaged = entry(id).judge(system, Form::Sabotaged, &plan);
    assert!(sabotaged.refuted > 0, "{id} in {system}: the sabotage ({}) passed", entry(id).about().sabotage);
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
