//! Report; [`document`](super::document) has its JSON.

use super::Invalid;
use super::compare::overflow::Overflow;
use super::duplication::Duplication;
use super::exactness::ComparedEntries;
use super::faults::{Code, Finding};
use super::grid::Grid;
use super::information::Information;
use super::input::InvalidInput;
use super::levels::{Levels, noted};
use super::mend::Mend;
use super::subject::Subject;
use super::totals::{EntryTotals, PartStatistics, Seen};
use super::view::others;
use posproof_bound::{Compute, Libraries, Origin, Path};
use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::Interval;
use posproof_numerics::format::{Format, hex};
use serde::{Serialize, Serializer};
use std::fmt::{self, Write};

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

/// The entry with the largest quotient of error and bound; the first that is not finite, if there is one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstEntry {
    /// Its row.
    pub row: usize,
    /// The coordinates of the row, exactly, one for each axis; none for a row without a position.
    pub coordinates: Option<Vec<String>>,
    /// Its pair; none for an entry that should not be rotated.
    pub pair: Option<usize>,
    /// The axes that turn the pair.
    pub axes: Vec<String>,
    /// Its component.
    pub component: Option<Component>,
    /// The number of the table among the leading dimensions (batch, head).
    pub slab: usize,
    /// The entry, in hexadecimal.
    pub got: String,
    /// The entry.
    #[serde(skip)]
    pub value: f64,
    /// The exact value, rounded down; empty in a row without a position.
    pub lower: String,
    /// The exact value, rounded up.
    pub upper: String,
    /// |entry − reference|.
    pub error: f64,
    /// The same in units in the last place of the exact value, in the format of the entry; none where that is near zero.
    pub ulps: Option<f64>,
    /// The bound for the entry.
    pub bound: f64,
    /// Where the bound comes from.
    pub origin: Origin,
}

/// Digits of an enclosure that is shown.
const DIGITS: usize = 20;

impl WorstEntry {
    /// An entry of a comparison, with the coordinates of its row and the axes that turn it.
    ///
    /// # Errors
    ///
    /// Where the vector that was rotated cannot be read.
    pub(super) fn of(
        comparison: &impl ComparedEntries,
        seen: &Seen,
        (coordinates, axes): (Option<Vec<String>>, Vec<String>),
        origin: Origin,
    ) -> Result<Self, Invalid> {
        let (exact, meaning) = (comparison.enclosed(seen.place)?, comparison.meaning(seen.place));
        let value = exact.as_ref().map(Interval::approximate);
        let (lower, upper) = exact.map_or_else(<(String, String)>::default, |exact| exact.decimal_with(DIGITS));
        // Units in the last place of a number near zero say nothing.
        let unit = value.filter(|value| comparison.is_weighed(*value)).map(|value| comparison.unit(seen.place, value));
        Ok(Self {
            row: seen.place.row,
            coordinates,
            pair: meaning.map(|(pair, _)| pair),
            axes,
            component: meaning.map(|(_, component)| component),
            slab: seen.place.slab,
            got: hex(seen.got),
            value: seen.got,
            lower,
            upper,
            error: seen.error,
            ulps: unit.map(|unit| seen.error / unit),
            bound: seen.bound,
            origin,
        })
    }
}

/// Counts over all entries.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryStatistics {
    /// Correctly rounded entries; none is counted for rotations in binary64, whose reference is
    /// itself computed in binary64: they are judged within-bound at best. Levels are the numbers of no format.
    pub correctly_rounded: Option<u64>,
    /// Entries beyond their bound.
    pub exceeding: u64,
    /// Entries that are infinite or not a number.
    pub not_finite: u64,
    /// Entries that overflowed to NaN or infinity, as the stored format has it: they are within their bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// Entries −0 where the exact value is 0 or above: neighbours of it, but not its correct rounding, which is +0.
    pub negative_zeros: u64,
    /// The largest error in units in the last place, of entries whose exact values are not below 1/256 of the amplitude.
    pub max_ulps: f64,
    /// The mean of these errors over rows that are finite.
    pub mean_ulps: f64,
}

impl EntryStatistics {
    /// Counts of a whole comparison.
    pub(super) fn of(totals: &EntryTotals, subject: Subject<'_>) -> Self {
        let decided = !totals.undecided && subject.judged().levels().is_none();
        Self {
            correctly_rounded: decided.then_some(totals.entries - totals.incorrect),
            exceeding: totals.exceeding,
            not_finite: totals.not_finite,
            overflow: totals.overflow,
            negative_zeros: totals.negative_zeros,
            max_ulps: totals.max_ulps,
            mean_ulps: totals.sum_ulps / totals.weighed.max(1) as f64,
        }
    }

    /// A line of a report: how many entries are correctly rounded or beyond the bound, and errors in units in the last place.
    pub(super) fn told(&self, compute: Format, storage: Format) -> String {
        let correct = self.correctly_rounded.map_or(String::new(), |count| format!("{count} correctly rounded, "));
        let (exceeding, mean, most) = (self.exceeding, short(self.mean_ulps), short(self.max_ulps));
        let beyond = format!("{exceeding} beyond the bound for {compute} arithmetic");
        format!("  {correct}{beyond}; errors in ulp of {storage}: mean {mean}, largest {most}")
    }

    /// A line of a report on entries −0; none where there are none.
    pub(super) fn zeros(&self) -> Option<String> {
        let entries = match self.negative_zeros {
            0 => return None,
            1 => "1 entry is".to_owned(),
            many => format!("{many} entries are"),
        };
        Some(format!("  {entries} −0 where the exact value is 0 or above: faithful, not correctly rounded"))
    }
}

/// Statistics of one pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairPart {
    /// The pair.
    pub pair: usize,
    /// The axes that turn it.
    pub axes: Vec<String>,
    /// Its statistics.
    #[serde(flatten)]
    pub part: PartStatistics,
}

impl PairPart {
    /// A pair of the axis of positions.
    pub(super) fn of_one_axis(pair: usize, part: PartStatistics) -> Self {
        Self { pair, axes: vec![POSITION.to_owned()], part }
    }
}

/// Statistics of the positions of a decade.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecadePart {
    /// Its first position.
    pub first: u64,
    /// Its last position.
    pub last: u64,
    /// Its statistics.
    #[serde(flatten)]
    pub part: PartStatistics,
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

/// The judgement of a table, a cache or a rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// `posproof.check/2`.
    pub schema: &'static str,
    /// `sinusoid`, `rope`, `rotation` or `frequencies`.
    pub subject: &'static str,
    /// The grade.
    pub grade: Grade,
    /// True if the grade is one of the first three.
    pub conforms: bool,
    /// The convention that was stated.
    pub expected: Convention,
    /// The convention that the entries follow, where that is known.
    pub found: Option<Convention>,
    /// Number of entries that were compared: all of them.
    pub entries: u64,
    /// The worst entry; none where no entry is finite.
    pub worst: Option<WorstEntry>,
    /// Findings, the most important first.
    pub findings: Vec<Finding>,
    /// Convention under which the subject conforms, if anything near the stated one.
    pub mend: Option<Mend>,
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
    /// Arrangement of a cache's columns, by pairs; none where its values do not show it, and for what is no cache.
    pub duplication: Option<Duplication>,
    /// Share of the subject that says something about the implementation.
    pub information: Information,
    /// Counts.
    pub statistics: EntryStatistics,
    /// Pair by pair.
    pub pairs: Vec<PairPart>,
    /// Decade by decade of positions.
    pub decades: Vec<DecadePart>,
}

impl Report {
    /// Format in which the bound assumes angles.
    pub(super) fn computes(&self) -> Compute {
        Compute { format: self.compute, libraries: self.libraries }
    }

    /// The code of the first finding.
    pub fn first_code(&self) -> Option<Code> {
        self.findings.first().map(Finding::code)
    }
}

impl fmt::Display for Report {
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
            let place = match (worst.pair, worst.component) {
                (Some(pair), Some(Component::Cos)) => format!("pair {pair}, cos"),
                (Some(pair), Some(Component::Sin)) => format!("pair {pair}, sin"),
                (Some(pair), None) => format!("the frequency of pair {pair}"),
                _ => "an entry that is not rotated".into(),
            };
            writeln!(
                f,
                "  worst: position {}, {place}: error {:.3e}, bound {:.3e} ({}); got {:.9e} ({}), exact value in [{}, {}]",
                worst.coordinates.iter().flatten().next().map_or("none", String::as_str),
                worst.error,
                worst.bound,
                worst.origin,
                worst.value,
                worst.got,
                worst.lower,
                worst.upper
            )?;
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

/// A number with three decimals, or three digits if it is large.
fn short(x: f64) -> String {
    if x.abs() < 1e4 { format!("{x:.3}") } else { format!("{x:.3e}") }
}

/// True if no accuracy was stated: the JSON is without them.
pub(super) fn are_usual(libraries: &Libraries) -> bool {
    *libraries == Libraries::default()
}

/// A path by its name, or `any`.
pub(super) fn any_or_one<S: Serializer>(path: &Option<Path>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(path.map_or("any", Path::name))
}
