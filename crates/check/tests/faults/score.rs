//! Score sheets: of so many cases of a corpus, which criteria hold of how many, and of which ones not, by name.

use crate::restated;
use crate::sentences::{is_true, kind, misplaced};
use crate::specimen::{Exceeding, Specimen};
use posproof_check::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

/// Criteria of the judgement of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Criterion {
    /// The report does not conform where an entry is beyond its bound.
    Noticed,
    /// The first finding is the fault.
    FirstRight,
    /// The first finding is one of the faults.
    FirstTrue,
    /// Each fault has a finding.
    AllNamed,
    /// A finding's region is that of the fault, with or without entries that happen to be right.
    Located,
    /// No finding's region is larger than the fault.
    NothingGlobal,
    /// Counts and places of findings are those of the entries.
    Placed,
    /// The sentence of the only finding is true of the entries.
    SentenceTrue,
    /// `check` finds the convention that `identify` does.
    Agreement,
    /// The judgement is the same where the convention is stated as one of axes with one axis.
    StatedAsAxis,
    /// The subject conforms under what is to be stated instead.
    Mended,
    /// An honest program conforms.
    Acquitted,
}

impl Criterion {
    fn text(self) -> &'static str {
        match self {
            Self::Noticed => "noticed",
            Self::FirstRight => "first finding right",
            Self::FirstTrue => "first finding true",
            Self::AllNamed => "every fault named",
            Self::Located => "located exactly",
            Self::NothingGlobal => "without a finding beyond the fault",
            Self::Placed => "counts and places true of the entries",
            Self::SentenceTrue => "the only sentence true of the entries",
            Self::StatedAsAxis => "the same judgement of the same stated with one axis",
            Self::Agreement => "check and identify agree in what is found",
            Self::Mended => "conforms under what mends it",
            Self::Acquitted => "honest programs that conform",
        }
    }
}

/// Frequency with which a criterion holds.
#[derive(Default)]
struct Tally {
    cases: usize,
    /// The cases of which it does not hold, and what does.
    exceptions: BTreeSet<String>,
}

impl Tally {
    fn held(&self) -> usize {
        self.cases - self.exceptions.len()
    }
}

/// Which cases of a corpus are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// All of them: minutes.
    All,
    /// One in so many.
    OneIn(usize),
}

/// The sheet of one corpus. It is compared with the one that is kept in `tests/faults/sheets`, in which every exception
/// has its name: what heals turns the test red as what falls ill does. `POSPROOF_WRITE_SCORE` keeps it.
pub struct Score {
    corpus: &'static str,
    share: Share,
    /// Cases that were asked for.
    asked: usize,
    tallies: BTreeMap<Criterion, Tally>,
    /// Cases that say nothing, by the reason.
    left_out: BTreeMap<String, usize>,
}

impl Score {
    pub fn new(corpus: &'static str, share: Share) -> Self {
        Self { corpus, share, asked: 0, tallies: BTreeMap::new(), left_out: BTreeMap::new() }
    }

    /// True if the next case is one of the share.
    pub fn takes_next(&mut self) -> bool {
        self.asked += 1;
        match self.share {
            Share::All => true,
            Share::OneIn(number) => (self.asked - 1).is_multiple_of(number),
        }
    }

    /// True if a criterion holds of a case, and what is the case where it does not.
    pub fn add(&mut self, criterion: Criterion, case: &str, holds: bool, instead: impl std::fmt::Display) {
        let tally = self.tallies.entry(criterion).or_default();
        tally.cases += 1;
        if !holds {
            let instead = instead.to_string();
            let label = if instead.is_empty() { case.to_owned() } else { format!("{case}: {instead}") };
            assert!(tally.exceptions.insert(label), "two cases are called {case}");
        }
    }

    /// True if the findings of a report state what is true of the entries, and what mends the subject does.
    pub fn add_statements(&mut self, case: &str, specimen: &Specimen, beyond: &Exceeding, report: &Report) {
        if let Some(mend) = &report.mend {
            let again = specimen.mended(mend);
            self.add(Criterion::Mended, case, again.conforms, mend);
        }
        let differs = restated::differs(specimen, report);
        self.add(Criterion::StatedAsAxis, case, differs.is_none(), differs.unwrap_or_default());
        let misplaced = misplaced(specimen, beyond, report);
        self.add(Criterion::Placed, case, misplaced.is_none(), misplaced.unwrap_or_default());
        let [finding] = &report.findings[..] else { return };
        let kind = kind(&finding.cause);
        match is_true(specimen, beyond, report) {
            Some(holds) => self.add(Criterion::SentenceTrue, case, holds, kind),
            None => self.leave_out(&format!("sentences of the kind {kind}, which are not computed again")),
        }
    }

    pub fn leave_out(&mut self, reason: &str) {
        *self.left_out.entry(reason.to_owned()).or_default() += 1;
    }

    fn sheet(&self) -> String {
        let mut sheet = format!("{}\n", self.corpus);
        for (reason, count) in &self.left_out {
            writeln!(sheet, "left out, {reason}: {count}").unwrap();
        }
        for (criterion, tally) in &self.tallies {
            writeln!(sheet, "{}: {} of {}", criterion.text(), tally.held(), tally.cases).unwrap();
            let exceptions = tally.exceptions.iter().map(|label| format!("not {}: {label}", criterion.text()));
            exceptions.for_each(|line| writeln!(sheet, "{line}").unwrap());
        }
        sheet
    }

    /// Compares with the sheet that is kept, and the shares with those that are required. What is given to mend a subject mends
    /// it, in every corpus. A part of a corpus is too small for shares: its exceptions have to be those of the whole.
    pub fn settle(&self, required: &[(Criterion, f64)]) {
        let sheets = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/faults/sheets");
        let name = self.corpus.replace(' ', "-");
        let whole = std::fs::read_to_string(sheets.join(format!("{name}.txt"))).unwrap_or_default();
        let known: BTreeSet<&str> = whole.lines().filter(|_| self.share != Share::All).collect();
        let given = self.tallies.contains_key(&Criterion::Mended).then_some(&(Criterion::Mended, 1.0));
        for (criterion, share) in required.iter().chain(given) {
            let tally = &self.tallies[criterion];
            assert!(tally.cases > 0, "nothing was injected");
            let least = share * tally.cases as f64;
            let line = |label: &&String| known.contains(format!("not {}: {label}", criterion.text()).as_str());
            let held = tally.held() + tally.exceptions.iter().filter(line).count();
            assert!(
                held as f64 >= least,
                "{}: {held} of {}, at least {least:.0} are required\n{}",
                criterion.text(),
                tally.cases,
                self.sheet()
            );
        }
        let which = if self.share == Share::All { "" } else { "-share" };
        let path = sheets.join(format!("{name}{which}.txt"));
        let sheet = self.sheet();
        if std::env::var_os("POSPROOF_WRITE_SCORE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &sheet).unwrap();
            return;
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
        let (kept, found) = (lines(&kept), lines(&sheet));
        let list = |mut lines: Vec<&String>| {
            lines.sort();
            lines.into_iter().map(|line| format!("\n    {line}")).collect::<String>()
        };
        assert!(
            kept == found,
            "the score is no longer that of {}; keep it with POSPROOF_WRITE_SCORE=1\nnew:{}\ngone:{}",
            path.display(),
            list(found.difference(&kept).collect()),
            list(kept.difference(&found).collect())
        );
    }
}
