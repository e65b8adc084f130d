//! Which faults are noticed, named and located, and which of them are not, by name.

use posproof_check::Report;
use posproof_check::faults::{Fault, FaultyProgram};
use std::collections::BTreeSet;

/// What is found in place of the fault that was injected.
#[derive(Default)]
pub struct Score {
    cases: usize,
    misnamed: BTreeSet<String>,
    /// By another row of the same code.
    elsewhere: BTreeSet<String>,
}

impl Score {
    /// A program with a fault, judged in some subject.
    pub fn add(&mut self, (fault, program): (&Fault, &FaultyProgram), subject: &str, report: &Report) {
        let label = format!("{} ({subject})", program.name);
        self.cases += 1;
        assert!(!report.conforms, "not noticed: {label}\n{report}");
        let first = report.findings.first();
        let finding = first.unwrap_or_else(|| panic!("without a finding: {label}\n{report}"));
        let code = finding.code();
        if code != fault.code && !program.also.contains(&code) {
            self.misnamed.insert(format!("{label}: {code}"));
        } else if program.from.is_some() && finding.cause.from() != program.from {
            self.misnamed.insert(format!("{label}: {code} from {:?}", finding.cause.from()));
        } else if code == fault.code && finding.fault != fault {
            self.elsewhere.insert(format!("{}: {}", program.name, finding.fault.name));
        }
    }

    /// Compares with what is known: the programs that are misnamed, with their subjects and codes, and those that are
    /// found in another row, with that row. What heals is to be taken off its list; what falls ill is to be mended.
    pub fn settle(self, misnamed: &[&str], elsewhere: &[&str]) {
        assert!(self.cases > 0, "nothing was injected");
        let list = |labels: Vec<&String>| labels.into_iter().map(|label| format!("\n    {label}")).collect::<String>();
        let mut wrong = String::new();
        for (what, found, known) in
            [("misnamed", &self.misnamed, misnamed), ("found in another row", &self.elsewhere, elsewhere)]
        {
            let known: BTreeSet<String> = known.iter().map(|label| (*label).to_owned()).collect();
            let fallen = list(found.difference(&known).collect());
            let healed = list(known.difference(found).collect());
            if !fallen.is_empty() {
                wrong += &format!("\n{what}, and not known to be:{fallen}");
            }
            if !healed.is_empty() {
                wrong += &format!("\nknown to be {what}, but no longer: take off the list:{healed}");
            }
        }
        assert!(wrong.is_empty(), "of {} cases{wrong}", self.cases);
    }
}
