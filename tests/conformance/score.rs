//! How many faults were noticed, named and located.

use posproof::conformance::Report;

#[derive(Default)]
pub struct Score {
    tried: usize,
    named: usize,
    /// Faults that start at a position, and those whose position was named.
    starting: usize,
    located: usize,
    complaints: Vec<String>,
}

impl Score {
    pub fn add(&mut self, label: &str, codes: &[&str], report: &Report) {
        self.tried += 1;
        assert!(!report.conforms, "not noticed: {label}\n{report}");
        assert!(!report.findings.is_empty(), "without a finding: {label}\n{report}");
        let first = report.first_code().unwrap_or("");
        if codes.contains(&first) {
            self.named += 1;
        } else {
            self.complaints.push(format!("{label}: expected {codes:?}, found {first}: {}", report.findings[0].message));
        }
    }

    /// The same for a fault that starts at a position.
    pub fn add_from(&mut self, label: &str, (codes, from): (&[&str], Option<u64>), report: &Report) {
        self.add(label, codes, report);
        let Some(from) = from else { return };
        self.starting += 1;
        if report.findings[0].detail["from"] == from {
            self.located += 1;
        } else {
            self.complaints.push(format!("{label}: expected to start at {from}: {}", report.findings[0].message));
        }
    }

    pub fn settle(self) {
        let Self { tried, named, starting, located, complaints } = self;
        println!("{named} of {tried} named by the first finding; {located} of {starting} located");
        complaints.iter().for_each(|complaint| println!("{complaint}"));
        assert!(tried > 0 && named * 100 >= tried * 95, "{named} of {tried} named:\n{}", complaints.join("\n"));
        assert!(located * 100 >= starting * 95, "{located} of {starting} located:\n{}", complaints.join("\n"));
    }
}
