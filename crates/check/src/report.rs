//! Report; [`document`](super::document) has its JSON.

use super::duplication::Duplication;
use super::faults::{Code, Finding};
use super::grid::Grid;
use super::information::Information;
use super::input::InvalidInput;
use super::levels::Levels;
use super::mend::{Mend, Restatement};
use super::subject::Subject;
use super::totals::PartStatistics;
use super::view::{noted, others};
use posproof_bound::{Compute, Libraries, Path};
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::fmt::{self, Write};

mod entries;

pub use entries::{DecadePart, EntryStatistics, PairPart, WorstEntry};

/// Quality of a table, a cache or a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Every entry is the correct rounding of the exact value.
    CorrectlyRounded,
    /// Every entry is one of the two neighbours of the exact value.
    Faithful,
    /// Every entry is within the bound for the stated compute precision.
    WithinBound,
    /// No entry contradicts the convention, but most of them could be anything.
    NotJudged,
    /// The right convention, but outside that bound.
    Degraded,
    /// Within the bound of another convention, which is named.
    OtherConvention,
    /// None of these.
    Wrong,
}

impl Grade {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::CorrectlyRounded => "correctly-rounded",
            Self::Faithful => "faithful",
            Self::WithinBound => "within-bound",
            Self::NotJudged => "not-judged",
            Self::Degraded => "degraded",
            Self::OtherConvention => "other-convention",
            Self::Wrong => "wrong",
        }
    }

    /// True if an implementation with this grade conforms to the stated convention.
    pub fn conforms(self) -> bool {
        matches!(self, Self::CorrectlyRounded | Self::Faithful | Self::WithinBound)
    }
}

/// An array, as it was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArrayRead {
    /// Its name.
    pub name: String,
    /// Number of tables that it holds.
    pub tables: usize,
    /// Rows of a table.
    pub rows: usize,
    /// Entries of a row.
    pub width: usize,
    /// The format that holds its entries.
    pub format: Format,
    /// Entries that are no numbers of the stated format, where that is narrower: they are never correctly rounded.
    pub others: u64,
    /// Making of it that its name does not say: which axis counts positions, which part is meant.
    pub note: Option<String>,
    /// Its integer grid, if its entries are on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
}

impl ArrayRead {
    /// An array, beside the format that its entries should have.
    pub(super) fn of(grid: &dyn Grid, stated: Option<Format>) -> Result<Self, InvalidInput> {
        Ok(Self {
            name: grid.name().to_owned(),
            tables: grid.slabs(),
            rows: grid.rows(),
            width: grid.width(),
            format: grid.format(),
            others: stated.map_or(Ok(0), |stated| others(grid, stated))?,
            note: noted(grid)?,
            levels: grid.levels(),
        })
    }

    /// The arrays of a subject, the vectors of a rotation first.
    pub(super) fn all(subject: Subject<'_>, stated: Option<Format>) -> Result<Vec<Self>, InvalidInput> {
        let x = if let Subject::Rotation { x, .. } = subject { Some((x, None)) } else { None };
        let judged = subject.grids().into_iter().map(|(_, grid)| (grid, stated));
        x.into_iter().chain(judged).map(|(grid, stated)| Self::of(grid, stated)).collect()
    }
}

/// The judgement of a table, a cache or a rotation: of one axis, or of several ([`AxialReport`](crate::axes::AxialReport)).
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M: Restatement = Mend> {
    /// `posproof.check/2`.
    pub schema: &'static str,
    /// `sinusoid`, `rope`, `rotation` or `frequencies`.
    pub subject: &'static str,
    /// The grade.
    pub grade: Grade,
    /// True if the grade is one of the first three.
    pub conforms: bool,
    /// The convention that was stated.
    pub expected: M::Convention,
    /// The convention that the entries follow, where that is known.
    pub found: Option<M::Convention>,
    /// Number of entries that were compared: all of them.
    pub entries: u64,
    /// The worst entry; none where no entry is finite.
    pub worst: Option<WorstEntry>,
    /// Findings, the most important first.
    pub findings: Vec<Finding>,
    /// Statement under which the subject conforms, if anything near the one that was made.
    pub mend: Option<M>,
    /// The precision that the bound assumes.
    pub compute: Format,
    /// The accuracies of functions that the bound assumes, where they are not the usual ones.
    pub libraries: Libraries,
    /// The code path that the bound assumes: the stated one, or else the narrowest that explains the entries; `any` where
    /// none does alone.
    pub path: Option<Path>,
    /// The format of the entries: the stated one, where it is narrower than that of the arrays.
    pub storage: Format,
    /// The arrays, as they were read.
    pub inputs: Vec<ArrayRead>,
    /// Meaning of a cache's columns, by pairs: `slots`, one for each; `halves`, `repeated`, `axis-halves` or `block-halves`. None where
    /// its values do not show it, and for what is no cache.
    pub columns: Option<&'static str>,
    /// True if the convention is a rotation: not where both entries of a pair may turn by angles of their own.
    pub rotation: bool,
    /// Axes along which all rows have one coordinate: nothing tells their frequencies.
    pub undetermined: Vec<String>,
    /// Axes that have the same coordinates in every row, as the tokens of a text have: nothing tells which slots are whose.
    pub alike: Vec<Vec<String>>,
    /// Share of the subject that says something about the implementation.
    pub information: Information,
    /// Counts.
    pub statistics: EntryStatistics,
    /// Pair by pair.
    pub pairs: Vec<PairPart>,
    /// Decade by decade of the positions of one axis.
    pub decades: Vec<DecadePart>,
}

impl<M: Restatement> Report<M> {
    /// Format in which the bound assumes angles.
    pub(super) fn computes(&self) -> Compute {
        Compute { format: self.compute, libraries: self.libraries }
    }

    /// The code of the first finding.
    pub fn first_code(&self) -> Option<Code> {
        self.findings.first().map(Finding::code)
    }

    /// Repetition of a cache's columns; none where its values do not show it, and for what is no cache of one axis.
    pub fn duplication(&self) -> Option<Duplication> {
        match self.columns? {
            "slots" => Some(Duplication::None),
            name => name.parse().ok(),
        }
    }
}

impl<M: Restatement> fmt::Display for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.summary())?;
        writeln!(f)?;
        writeln!(f, "{}", self.statistics.told(self.compute, self.storage))?;
        if let Some(path) = self.path {
            writeln!(f, "  the bound is that of the path '{path}'")?;
        }
        if self.grade == Grade::Faithful && self.statistics.exceeding > 0 {
            writeln!(f, "  every entry neighbours the exact value: those beyond the bound are not rounded to nearest")?;
        }
        if let Some(line) = self.statistics.zeros() {
            writeln!(f, "{line}")?;
        }
        if let Some(worst) = &self.worst {
            writeln!(f, "{worst}")?;
        }
        let mut beyond: Vec<&PairPart> = self.pairs.iter().filter(|pair| pair.part.exceeding > 0).collect();
        beyond.sort_by(|a, b| b.part.max_ratio.total_cmp(&a.part.max_ratio));
        if !beyond.is_empty() {
            let shown = beyond.iter().take(4).map(|pair| format!("{} ({:.3e})", pair.pair, pair.part.max_ratio));
            let shown = shown.collect::<Vec<_>>().join(", ");
            writeln!(
                f,
                "  {} of {} pairs are beyond the bound, the furthest by error/bound: {shown}",
                beyond.len(),
                self.pairs.len()
            )?;
        }
        let mut table = String::new();
        for decade in self.decades.iter().filter(|decade| decade.part.entries > 0) {
            let PartStatistics { max_error, max_ratio, exceeding, .. } = decade.part;
            let range = format!("{}–{}", decade.first, decade.last);
            writeln!(table, "  {range:>15} {max_error:12.3e} {max_ratio:15.3e} {exceeding:10}")?;
        }
        if table.is_empty() {
            return Ok(());
        }
        write!(f, "  {:>15} {:>12} {:>15} {:>10}\n{table}", "positions", "largest error", "error/bound", "beyond")
    }
}

/// True if no accuracy was stated: the JSON is without them.
pub(super) fn are_usual(libraries: &Libraries) -> bool {
    *libraries == Libraries::default()
}

/// A path by its name, or `any`.
pub(super) fn any_or_one<S: Serializer>(path: &Option<Path>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(path.map_or("any", Path::name))
}
