//! Every piece of code under every claim of its roles.

use super::{Code, attention, encode, rotate};
use posproof_property::{PROPERTIES, Property, Verdict, check};

/// The claims that ask the functions of some code, and what they say of it.
fn verdicts(code: &Code) -> Vec<(&'static str, Verdict)> {
    let given = (code.functions)().roles();
    let asks = |property: &&Property| {
        property.roles.len() == given.len() && property.roles.iter().all(|role| given.contains(role))
    };
    let verdict = |property: &Property| {
        let report = check(property.claim, &code.setup, (code.functions)()).expect(property.claim);
        (property.claim, report.verdict)
    };
    PROPERTIES.iter().filter(asks).map(verdict).collect()
}

/// One line for each piece of code: its name, the claims that refuse it, and those that say nothing of it.
fn line(code: &Code, found: &[(&'static str, Verdict)]) -> String {
    let of = |wanted: Verdict| {
        let names: Vec<&str> =
            found.iter().filter(|(_, verdict)| *verdict == wanted).map(|(claim, _)| *claim).collect();
        if names.is_empty() { "—".to_owned() } else { names.join(", ") }
    };
    let (refused, unjudged) = (of(Verdict::Refuted), of(Verdict::NotJudged));
    format!("| {} | {} | {refused} | {unjudged} |\n", code.name, found.len())
}

const HEAD: &str = "| code | claims | refuse it | not judged |\n| --- | --- | --- | --- |\n";

/// Pages lie in `reports/code`.
fn page(name: &str, table: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../reports/code");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description("code, the number of claims that it was put to, and what they say of it");
    settings.bind(|| insta::assert_snapshot!(name, table));
}

#[test]
fn right_code_is_accepted_under_every_claim() {
    let all: Vec<Code> = [encode::right(), rotate::right(), attention::right()].into_iter().flatten().collect();
    assert!(all.len() >= 30, "{}", all.len());
    let mut table = HEAD.to_owned();
    for code in &all {
        let found = verdicts(code);
        table += &line(code, &found);
        for (claim, verdict) in found {
            let expected = if code.refused_by.contains(&claim) { Verdict::Refuted } else { Verdict::Holds };
            assert_eq!(verdict, expected, "{} under {claim}", code.name);
        }
    }
    page("right", table);
}

#[test]
fn broken_code_is_refused_by_the_claims_that_say_so() {
    let all: Vec<Code> = [encode::broken(), rotate::broken(), attention::broken()].into_iter().flatten().collect();
    assert!(all.len() >= 40, "{}", all.len());
    let mut table = HEAD.to_owned();
    for code in &all {
        let found = verdicts(code);
        table += &line(code, &found);
        assert!(found.iter().any(|(_, verdict)| *verdict == Verdict::Refuted), "{}: {found:?}", code.name);
    }
    page("broken", table);
}
