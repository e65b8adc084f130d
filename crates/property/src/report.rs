//! Results, in words and figures.

use super::role::Role;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;

/// The verdict of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every comparison holds, and the sabotage is refuted at the same tolerances.
    Holds,
    /// Sides are farther apart than they may be.
    Refuted,
    /// Nothing is refuted, but neither is the sabotage: the tolerances are too wide for these answers to say anything.
    NotJudged,
}

/// A comparison and where it was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The name of the comparison.
    pub what: &'static str,
    /// Which of those with this name: a column, a pair, a token.
    pub index: usize,
    /// The sign between the sides.
    pub sign: &'static str,
    /// The positions.
    #[serde(serialize_with = "named")]
    pub positions: Vec<(&'static str, u64)>,
    /// Entries that are not 0, of the first two vectors.
    pub nonzero: Vec<usize>,
    /// The left side.
    pub left: f64,
    /// The right side.
    pub right: f64,
    /// Their distance from the relation.
    pub error: f64,
    /// The largest distance that they may have.
    pub tolerance: f64,
    /// True if the tolerance is the bound for all positions; else it is that of these very inputs.
    pub uniform: bool,
}

/// Positions by their names, in order.
fn named<S: Serializer>(positions: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(positions.iter().copied())
}

impl Place {
    /// Where the tolerance comes from.
    pub fn origin(&self) -> &'static str {
        match self.uniform {
            true => "bound for all positions",
            false => "running error of these inputs",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, index, sign, left, right, error, tolerance, .. } = self;
        write!(f, "{what} [{index}]")?;
        let positions: Vec<String> = self.positions.iter().map(|(name, at)| format!("{name} = {at}")).collect();
        if !positions.is_empty() {
            write!(f, " at {}", positions.join(", "))?;
        }
        let within = if error > tolerance { ">" } else { "≤" };
        write!(f, ": {left:.9e} {sign} {right:.9e}, error {error:.3e} {within} {tolerance:.3e} ({})", self.origin())
    }
}

/// The result of a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The claim.
    pub claim: &'static str,
    /// The functions that were asked.
    pub roles: &'static [Role],
    /// The relation that was compared.
    pub says: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// Comparisons that were decided.
    pub comparisons: u64,
    /// Of these, refuted.
    pub refuted: u64,
    /// Comparisons that could not be decided.
    pub unable: u64,
    /// The names of the comparisons.
    #[serde(skip)]
    pub compared: BTreeSet<&'static str>,
    /// The names of those that are refuted somewhere.
    #[serde(skip)]
    pub refuted_by: BTreeSet<&'static str>,
    /// The comparison with the largest share, error ÷ tolerance.
    pub worst: Option<Place>,
    /// The comparison that fails, on the simplest inputs that were found.
    pub failing: Option<Place>,
    /// The mistake that must be refuted at the same tolerances.
    pub sabotage: &'static str,
    /// True if it was.
    pub sabotage_refuted: bool,
    /// Where.
    pub sabotage_at: Option<Place>,
    /// The precision of computing that the tolerances are of.
    pub compute: Format,
    /// The coarsest format of the answers.
    pub format: Format,
    /// The dimension.
    pub dim: usize,
    /// The last position, where there are positions.
    pub last: Option<u64>,
}

impl Report {
    /// True if the claim holds of the functions.
    pub fn conforms(&self) -> bool {
        self.verdict == Verdict::Holds
    }

    /// The report with the failure that was found on simpler inputs.
    #[must_use]
    pub fn with_simpler(self, simpler: &Self) -> Self {
        Self { failing: simpler.failing.clone().or(self.failing), ..self }
    }

    /// The report as JSON has it (schema `posproof.claim/1`).
    pub fn document(&self) -> impl Serialize + '_ {
        AnswerDocument { schema: "posproof.claim/1", conforms: self.conforms(), report: self }
    }
}

#[derive(Serialize)]
struct AnswerDocument<'a> {
    schema: &'static str,
    conforms: bool,
    #[serde(flatten)]
    report: &'a Report,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let roles: Vec<&str> = self.roles.iter().map(|role| role.name()).collect();
        let verdict = match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Refuted => "refuted",
            Verdict::NotJudged => "not judged",
        };
        writeln!(f, "{}: {verdict}, of {}", self.claim, roles.join(" and "))?;
        writeln!(f, "  {}", self.says)?;
        let Self { comparisons, refuted, unable, .. } = self;
        let undecided = if *unable == 0 { String::new() } else { format!(", {unable} undecided") };
        let positions = self.last.map_or_else(String::new, |last| format!(", positions to {last}"));
        writeln!(
            f,
            "  {comparisons} comparisons, {refuted} refuted{undecided}; dim {}{positions}, computed in {}, answers in {}",
            self.dim, self.compute, self.format
        )?;
        match (&self.failing, &self.worst) {
            (Some(failing), _) => writeln!(f, "  fails: {failing}")?,
            (None, Some(worst)) => writeln!(f, "  nearest to its tolerance: {worst}")?,
            (None, None) => {}
        }
        match &self.sabotage_at {
            Some(at) => writeln!(f, "  sabotage refuted ({}): {at}", self.sabotage),
            None => writeln!(f, "  sabotage NOT refuted at these tolerances: {}", self.sabotage),
        }
    }
}
