//! The reports on configurations that people run: exhaustive, compared with what review accepted.

use posproof::bound::{Finding, Model, Program, configurations, programs};
use posproof::report::survey::page;

/// The longest context of the configurations.
const LENGTH: u64 = 131072;

#[test]
fn no_error_is_above_its_bound_in_a_billion_comparisons() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../reports/bounds");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description("the error bounds of a configuration, accepted by review");
    let (mut comparisons, mut above) = (0, 0);
    let mut summary = String::new();
    for configuration in configurations() {
        let survey = |program: Program| {
            let model = Model::new(&configuration.convention, &program).expect("possible");
            (program, model.survey(LENGTH).expect("comparable"))
        };
        let findings: Vec<(Program, Finding)> = programs(&configuration.convention).into_iter().map(survey).collect();
        let sum = |count: fn(&Finding) -> u64| findings.iter().map(|(_, finding)| count(finding)).sum::<u64>();
        let (here, beyond) = (sum(|finding| finding.comparisons), sum(|finding| finding.above));
        summary += &format!("{}: {here} comparisons, {beyond} above a bound\n", configuration.name);
        (comparisons, above) = (comparisons + here, above + beyond);
        settings.bind(|| insta::assert_snapshot!(configuration.name, page(&configuration, &findings)));
    }
    summary += &format!("together: {comparisons} comparisons, {above} above a bound\n");
    settings.bind(|| insta::assert_snapshot!("summary", summary));
    assert_eq!(above, 0);
    assert!(comparisons >= 1_000_000_000, "{comparisons}");
}
