//! The reports on configurations that people run: exhaustive, compared with what review accepted.

use posproof::bound::{Configuration, Enumeration, Model, Program, configurations, programs};
use posproof::number::format::Format;
use posproof::report::survey::page;
use std::collections::BTreeMap;

pub fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../reports/bounds");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description("the error bounds of a configuration, accepted by review");
    settings
}

/// Every program of a configuration, and the comparisons and excesses over the longest of its lengths.
fn survey(configuration: &Configuration) -> (Vec<(Program, Vec<Enumeration>)>, u64, u64) {
    let survey = |program: Program| {
        let model = Model::new(&configuration.convention, &program).expect("possible");
        (program, model.survey_lengths(configuration.lengths).expect("comparable"))
    };
    let findings: Vec<_> = programs(&configuration.convention).into_iter().map(survey).collect();
    let sum = |count: fn(&Enumeration) -> u64| {
        findings.iter().map(|(_, lengths)| lengths.last().map_or(0, count)).sum::<u64>()
    };
    let (comparisons, above) = (sum(|finding| finding.comparisons), sum(|finding| finding.above));
    (findings, comparisons, above)
}

#[test]
fn no_error_is_above_its_bound_in_a_billion_comparisons() {
    let (mut comparisons, mut above) = (0, 0);
    let mut summary = String::new();
    let mut formats: BTreeMap<Format, (u64, u64)> = BTreeMap::new();
    for configuration in configurations() {
        let (findings, here, beyond) = survey(&configuration);
        summary += &format!("{}: {here} comparisons, {beyond} above a bound\n", configuration.name);
        (comparisons, above) = (comparisons + here, above + beyond);
        for (program, lengths) in &findings {
            let longest = lengths.last().expect("a length");
            let (count, excess) = formats.entry(program.storage).or_default();
            (*count, *excess) = (*count + longest.comparisons, *excess + longest.above);
        }
        settings().bind(|| insta::assert_snapshot!(configuration.name, page(&configuration, &findings)));
    }
    for (format, (count, excess)) in formats {
        summary += &format!("tables in {format}: {count} comparisons, {excess} above a bound\n");
    }
    summary += &format!("together: {comparisons} comparisons, {above} above a bound\n");
    settings().bind(|| insta::assert_snapshot!("summary", summary));
    assert_eq!(above, 0);
    assert!(comparisons >= 1_000_000_000, "{comparisons}");
}

/// The whole context of Qwen 1M, another billion comparisons.
#[test]
#[ignore = "20 s of processor time: cargo test --test bound -- --ignored a_million_positions"]
fn a_million_positions() {
    let qwen = configurations().into_iter().find(|configuration| configuration.name == "qwen-1m");
    let configuration = Configuration { lengths: &[131072, 1_010_000], ..qwen.expect("listed") };
    let (findings, comparisons, above) = survey(&configuration);
    settings().bind(|| insta::assert_snapshot!("qwen-1m-whole", page(&configuration, &findings)));
    assert_eq!(above, 0);
    assert!(comparisons >= 900_000_000, "{comparisons}");
}

/// A bound that is 0.1 % too small would have been noticed: in every configuration, binary32 comes that
/// close to its instance bound.
#[test]
fn the_comparison_would_notice_a_bound_that_is_too_small() {
    for configuration in configurations() {
        let model = Model::new(&configuration.convention, &Program::rounded(Format::F32));
        let finding = model.expect("possible").survey(4096).expect("comparable");
        assert!((0.999..=1.0).contains(&finding.closest), "{}: {}", configuration.name, finding.closest);
    }
}
