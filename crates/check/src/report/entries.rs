//! Entries, pairs and positions of a report.

use crate::Invalid;
use crate::compare::overflow::Overflow;
use crate::exactness::ComparedEntries;
use crate::subject::Subject;
use crate::totals::{EntryTotals, PartStatistics, Seen};
use posproof_bound::Origin;
use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::Component;
use posproof_numerics::Interval;
use posproof_numerics::format::{Format, hex};
use serde::Serialize;
use std::fmt;

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
    /// Error in units in the last place of the exact value, in the format of the entry; none where that is near zero.
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
    pub(crate) fn of(
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

impl fmt::Display for WorstEntry {
    /// A line of a report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, coordinates, pair, axes, component, error, bound, origin, value, got, lower, upper, .. } = self;
        let component = match component {
            Some(Component::Cos) => ", cos",
            Some(Component::Sin) => ", sin",
            None => "",
        };
        let of_one_axis = axes.iter().all(|axis| axis == POSITION);
        // Rows of packed sequences are not known by their positions.
        let at = |position: &str| match *position == row.to_string() {
            true => format!("position {position}"),
            false => format!("row {row}, position {position}"),
        };
        let place = match (coordinates.as_deref(), pair) {
            (Some([position]), Some(pair)) if of_one_axis && component.is_empty() => {
                format!("position {position}, the frequency of pair {pair}")
            }
            (Some([position]), Some(pair)) if of_one_axis => format!("{}, pair {pair}{component}", at(position)),
            (Some([position]), None) => format!("{}, an entry that is not rotated", at(position)),
            (coordinates, pair) => {
                let at = coordinates.map_or("no position".to_owned(), |all| format!("({})", all.join(", ")));
                let axes = axes.join(" and ");
                let entry = pair.map_or("an entry that is not rotated".to_owned(), |slot| {
                    format!("slot {slot} of {axes}{component}")
                });
                format!("row {row} {at}, {entry}")
            }
        };
        write!(f, "  worst: {place}: error {error:.3e}, bound {bound:.3e} ({origin}); got {value:.9e} ({got})")?;
        if lower.is_empty() { Ok(()) } else { write!(f, ", exact value in [{lower}, {upper}]") }
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
    pub(crate) fn of(totals: &EntryTotals, subject: Subject<'_>) -> Self {
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
    pub(crate) fn told(&self, compute: Format, storage: Format) -> String {
        let correct = self.correctly_rounded.map_or(String::new(), |count| format!("{count} correctly rounded, "));
        let (exceeding, mean, most) = (self.exceeding, short(self.mean_ulps), short(self.max_ulps));
        let beyond = format!("{exceeding} beyond the bound for {compute} arithmetic");
        format!("  {correct}{beyond}; errors in ulp of {storage}: mean {mean}, largest {most}")
    }

    /// A line of a report on entries −0; none where there are none.
    pub(crate) fn zeros(&self) -> Option<String> {
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
    pub(crate) fn of_one_axis(pair: usize, part: PartStatistics) -> Self {
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

/// A number with three decimals, or three digits if it is large.
fn short(x: f64) -> String {
    if x.abs() < 1e4 { format!("{x:.3}") } else { format!("{x:.3e}") }
}
