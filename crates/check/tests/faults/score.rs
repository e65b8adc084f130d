//! Which faults are noticed, named and located, and which of them are not, by name.

use posproof_check::Report;
use posproof_check::faults::{Fault, FaultyProgram};
use std::collections::BTreeSet;

/// What is known to be misnamed: the case with its subject, and the first finding's code. A case that heals is to be
/// taken off the list, one that falls ill is to be mended.
#[derive(Default)]
pub struct Score {
    cases: usize,
    misnamed: BTreeSet<String>,
}

impl Score {
    /// A case of a fault in some subject.
    pub fn add(&mut self, (fault, case): (&Fault, &FaultyProgram), subject: &str, report: &Report) {
        let label = format!("{} ({subject})", case.name);
        self.cases += 1;
        assert!(!report.conforms, "not noticed: {label}\n{report}");
        let first = report.findings.first();
        let finding = first.unwrap_or_else(|| panic!("without a finding: {label}\n{report}"));
        let code = finding.code();
        if code != fault.code && !case.also.contains(&code) {
            self.misnamed.insert(format!("{label}: {code}"));
        } else if case.from.is_some() && finding.cause.from() != case.from {
            self.misnamed.insert(format!("{label}: {code} from {:?}", finding.cause.from()));
        }
    }

    /// Compares with what is known.
    pub fn settle(self, known: &[&str]) {
        let known: BTreeSet<String> = known.iter().map(|label| (*label).to_owned()).collect();
        let list = |labels: &mut dyn Iterator<Item = &String>| {
            labels.map(|label| format!("\n    {label}")).collect::<String>()
        };
        let fallen = list(&mut self.misnamed.difference(&known));
        let healed = list(&mut known.difference(&self.misnamed));
        assert!(self.cases > 0, "nothing was injected");
        println!("{} of {} cases are misnamed", self.misnamed.len(), self.cases);
        assert!(fallen.is_empty(), "misnamed, and not known to be:{fallen}");
        assert!(healed.is_empty(), "known to be misnamed, but named now: take them off the list:{healed}");
    }
}
