//! Pattern of a sequence of positions, in a sentence that every row of it agrees with.

use serde::Serialize;
use std::fmt::{self, Write};

/// Rows whose positions increase by the same from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The first row.
    pub row: usize,
    /// The number of rows up to the last one, those that were not located included.
    pub rows: usize,
    /// The position of the first row.
    pub position: i64,
    /// Addend of each row.
    pub stride: i64,
}

impl Run {
    /// The position of a row of the run.
    fn at(&self, row: usize) -> i64 {
        self.position.saturating_add(self.stride.saturating_mul(row.saturating_sub(self.row) as i64))
    }

    /// One more than the last row.
    fn end(&self) -> usize {
        self.row + self.rows
    }
}

/// The pattern of the rows whose positions are certified. Rows are counted from 0; rows that are not certified are left out
/// of it, and nothing is said of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "pattern", rename_all = "kebab-case")]
pub enum Pattern {
    /// No row is certified.
    None,
    /// Row i has position i + offset.
    Contiguous {
        /// The offset.
        offset: i64,
    },
    /// All rows have one position.
    Constant {
        /// The position.
        position: i64,
    },
    /// Row i has position first + i·stride.
    Strided {
        /// The position of row 0, if it were located.
        first: i64,
        /// Addend of each row; neither 0 nor 1.
        stride: i64,
    },
    /// Positions count up by one and begin again at certain rows: sequences packed into one.
    Restarts {
        /// The position that all sequences begin with.
        first: i64,
        /// The rows that they begin at.
        rows: Vec<usize>,
    },
    /// Row i has position first + ⌊i/each⌋ mod count: an axis of a grid in raster order.
    Grid {
        /// The position of the first row.
        first: i64,
        /// Rows in a row with one position; at least 2.
        each: usize,
        /// Number of positions before the first one comes again; at least 2.
        count: usize,
    },
    /// Chunks of consecutive positions, which together are all positions of a range, each once, but not in order.
    Exchanged {
        /// The chunks, in the order of the rows.
        chunks: Vec<Run>,
    },
    /// Positions count up by one, and from a row on they stay the same.
    Stays {
        /// Addend of the row before.
        offset: i64,
        /// The first row that has the last position.
        row: usize,
        /// That position.
        position: i64,
    },
    /// A few runs of other kinds: all of them.
    Runs {
        /// The runs.
        runs: Vec<Run>,
    },
    /// More runs than are worth telling.
    Irregular {
        /// Number of these.
        count: usize,
        /// The first ones.
        first: Vec<Run>,
    },
}

/// Runs that are told one by one at most.
const TOLD: usize = 8;

impl Pattern {
    /// The pattern of rows and their positions, by increasing row; `complete` if no row is missing.
    pub(crate) fn of(located: &[(usize, i64)], complete: bool) -> Self {
        if let Some(grid) = grid(located).filter(|_| complete) {
            return grid;
        }
        let runs = runs(located);
        let counts = |run: &Run| run.stride == 1;
        let [first, rest @ ..] = runs.as_slice() else { return Self::None };
        // All positions are within 2^53: sums of a few of them do not overflow.
        let offset = first.position - first.row as i64;
        match rest {
            [] if first.stride == 1 => Self::Contiguous { offset },
            [] if first.stride == 0 => Self::Constant { position: first.position },
            [] => {
                let back = first.stride.saturating_mul(first.row as i64);
                Self::Strided { first: first.position.saturating_sub(back), stride: first.stride }
            }
            [last] if counts(first) && last.stride == 0 => {
                // A sequence that is clamped has its last position already in the last row that counts.
                Self::Stays { offset, row: last.row, position: last.position }
            }
            _ if runs.iter().all(counts) && rest.iter().all(|run| run.position == first.position) => {
                Self::Restarts { first: first.position, rows: runs.iter().map(|run| run.row).collect() }
            }
            _ if complete && runs.iter().all(counts) && tile(&runs) => Self::Exchanged { chunks: runs },
            _ if runs.len() <= TOLD => Self::Runs { runs },
            _ => Self::Irregular { count: runs.len(), first: runs[..TOLD].to_vec() },
        }
    }

    /// The position that the pattern gives to a row; `None` where it says nothing of it.
    pub fn position(&self, row: usize) -> Option<i64> {
        let counted = |offset: i64| (row as i64).checked_add(offset);
        let within = |runs: &[Run]| runs.iter().find(|run| (run.row..run.end()).contains(&row)).map(|run| run.at(row));
        match self {
            Self::None => None,
            Self::Contiguous { offset } => counted(*offset),
            Self::Constant { position } => Some(*position),
            Self::Strided { first, stride } => stride.checked_mul(row as i64)?.checked_add(*first),
            Self::Restarts { first, rows } => {
                let start = rows[..rows.partition_point(|start| *start <= row)].last()?;
                first.checked_add((row - start) as i64)
            }
            Self::Grid { first, each, count } => first.checked_add((row / each % count) as i64),
            Self::Exchanged { chunks } => within(chunks),
            Self::Stays { row: from, position, .. } if row >= *from => Some(*position),
            Self::Stays { offset, .. } => counted(*offset),
            Self::Runs { runs } => within(runs),
            Self::Irregular { first, .. } => within(first),
        }
    }
}

/// The grid that all rows, from row 0 on, are those of, if there is one.
fn grid(located: &[(usize, i64)]) -> Option<Pattern> {
    let (_, first) = *located.first()?;
    let each = located.iter().position(|(_, position)| *position != first)?;
    let again = located.iter().skip(each).step_by(each).position(|(_, position)| *position == first);
    let count = again.map_or_else(|| located.len().div_ceil(each), |more| more + 1);
    let pattern = Pattern::Grid { first, each, count };
    let agrees = |&(row, position): &(usize, i64)| pattern.position(row) == Some(position);
    (each > 1 && count > 1 && located.iter().all(agrees)).then_some(pattern)
}

/// True if runs of consecutive positions are all of a range, each once; they are in another order, or one run would be all.
fn tile(runs: &[Run]) -> bool {
    let mut sorted: Vec<&Run> = runs.iter().collect();
    sorted.sort_by_key(|run| run.position);
    sorted.windows(2).all(|pair| pair[0].at(pair[0].end()) == pair[1].position)
}

/// Addend of each row from one place to another, if it is the same whole number for all.
fn slope((row, position): (usize, i64), (later, next): (usize, i64)) -> Option<i64> {
    let (rows, change) = ((later - row) as i64, next - position);
    (change % rows == 0).then_some(change / rows)
}

/// The runs, as long as they come: two rows make one if their positions are consecutive, any other stride needs three.
fn runs(located: &[(usize, i64)]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut rest = located;
    while let [start, tail @ ..] = rest {
        let stride = match tail {
            [next, ..] if slope(*start, *next) == Some(1) => Some(1),
            [next, after, ..] => slope(*start, *next).filter(|stride| slope(*next, *after) == Some(*stride)),
            [next] => slope(*start, *next).filter(|stride| *stride == 0),
            [] => None,
        };
        let more = stride.map_or(0, |stride| {
            let follows = |place: &&(usize, i64)| {
                let rows = (place.0 - start.0) as i64;
                stride.checked_mul(rows).and_then(|change| start.1.checked_add(change)) == Some(place.1)
            };
            tail.iter().take_while(follows).count()
        });
        let last = rest[more].0;
        runs.push(Run { row: start.0, rows: last - start.0 + 1, position: start.1, stride: stride.unwrap_or(1) });
        rest = &rest[more + 1..];
    }
    runs
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, rows, position, stride } = *self;
        let last = self.at(self.end() - 1);
        match (rows, stride) {
            (1, _) => write!(f, "row {row} has position {position}"),
            (_, 0) => write!(f, "rows {row} to {} have position {position}", self.end() - 1),
            (_, 1) => write!(f, "rows {row} to {} have positions {position} to {last}", self.end() - 1),
            _ => write!(f, "rows {row} to {} have positions {position} to {last} in steps of {stride}", self.end() - 1),
        }
    }
}

/// A few items, and how many more there are.
fn list<T: fmt::Display>(items: &[T], count: usize, between: &str) -> String {
    let mut text = String::new();
    for (i, item) in items.iter().take(TOLD).enumerate() {
        // Writing to a string never fails.
        let _ = write!(text, "{}{item}", if i == 0 { "" } else { between });
    }
    match count.saturating_sub(TOLD.min(items.len())) {
        0 => text,
        more => format!("{text}{between}and {more} more"),
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no row has a certified position"),
            Self::Contiguous { offset: 0 } => f.write_str("row i has position i"),
            Self::Contiguous { offset } => {
                let sign = if *offset < 0 { '-' } else { '+' };
                write!(f, "an offset: row i has position i {sign} {}", offset.unsigned_abs())
            }
            Self::Constant { position } => write!(f, "constant: every row has position {position}"),
            Self::Strided { first, stride } => write!(f, "a stride: row i has position {first} + i*{stride}"),
            Self::Restarts { first, rows } => {
                let starts = list(&rows[1..], rows.len() - 1, ", ");
                let (from, at) = (rows[0], if rows.len() == 2 { "row" } else { "rows" });
                write!(
                    f,
                    "restarts: from row {from} on positions count up from {first}, and begin again at {first} in {at} {starts}"
                )
            }
            Self::Grid { first, each, count } => {
                write!(f, "an axis of a grid: row i has position {first} + (i div {each}) mod {count}")
            }
            Self::Exchanged { chunks } => {
                write!(f, "chunks exchanged: {}", list(chunks, chunks.len(), "; "))
            }
            Self::Stays { offset, row, position } => {
                let before = Self::Contiguous { offset: *offset };
                write!(f, "stale from row {row} on: every row from there has position {position}; before it, {before}")
            }
            Self::Runs { runs } => write!(f, "{} runs: {}", runs.len(), list(runs, runs.len(), "; ")),
            Self::Irregular { count, first } => write!(f, "no pattern, {count} runs: {}", list(first, *count, "; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence and its pattern, whose sentence gives every row its position.
    fn pattern(positions: &[i64]) -> Pattern {
        let located: Vec<(usize, i64)> = positions.iter().copied().enumerate().collect();
        let pattern = Pattern::of(&located, true);
        for (row, position) in located {
            let said = pattern.position(row);
            let silent = matches!(pattern, Pattern::Irregular { .. });
            assert!(said == Some(position) || silent && said.is_none(), "{pattern}: row {row}, {position}");
        }
        pattern
    }

    #[test]
    fn sequences_have_the_patterns_of_their_makers() {
        let count = |range: std::ops::Range<i64>| range.collect::<Vec<_>>();
        let join = |parts: &[std::ops::Range<i64>]| parts.iter().cloned().flatten().collect::<Vec<_>>();
        assert_eq!(pattern(&[]), Pattern::None);
        assert_eq!(pattern(&count(0..50)), Pattern::Contiguous { offset: 0 });
        assert_eq!(pattern(&[7]), Pattern::Contiguous { offset: 7 });
        assert_eq!(pattern(&count(-3..50)), Pattern::Contiguous { offset: -3 });
        assert_eq!(pattern(&[4; 9]), Pattern::Constant { position: 4 });
        assert_eq!(pattern(&[4, 4]), Pattern::Constant { position: 4 });
        assert_eq!(pattern(&[9, 7, 5, 3]), Pattern::Strided { first: 9, stride: -2 });
        assert_eq!(pattern(&join(&[0..5, 0..3, 0..9])), Pattern::Restarts { first: 0, rows: vec![0, 5, 8] });
        assert_eq!(pattern(&[0, 1, 0, 1, 0, 1]), Pattern::Restarts { first: 0, rows: vec![0, 2, 4] });
        assert!(matches!(pattern(&join(&[0..4, 12..16, 4..12])), Pattern::Exchanged { chunks } if chunks.len() == 3));
        let clamped = [count(0..10), vec![9; 5]].concat();
        assert_eq!(pattern(&clamped), Pattern::Stays { offset: 0, row: 10, position: 9 });
        let stale = [count(5..10), vec![0; 5]].concat();
        assert_eq!(pattern(&stale), Pattern::Stays { offset: 5, row: 5, position: 0 });
        assert!(matches!(pattern(&[5, 0, 1, 2, 3]), Pattern::Runs { runs } if runs.len() == 2));
        assert!(matches!(pattern(&join(&[0..4, 6..9])), Pattern::Runs { runs } if runs.len() == 2));
        let raster = |each: usize, count: i64, rows: usize| -> Vec<i64> {
            (0..rows).map(|row| 5 + (row / each) as i64 % count).collect()
        };
        assert_eq!(pattern(&raster(2, 3, 18)), Pattern::Grid { first: 5, each: 2, count: 3 });
        assert_eq!(pattern(&raster(7, 4, 28)), Pattern::Grid { first: 5, each: 7, count: 4 });
        // The last row of a grid may be cut; a row that is doubled makes none.
        assert_eq!(pattern(&raster(4, 9, 10)), Pattern::Grid { first: 5, each: 4, count: 3 });
        assert!(!matches!(pattern(&[0, 0, 1, 2, 3, 4]), Pattern::Grid { .. }));
        let mixed: Vec<i64> = (0..40).map(|i| i * i * 7 % 41).collect();
        assert!(matches!(pattern(&mixed), Pattern::Irregular { .. }));
    }

    #[test]
    fn rows_that_are_not_located_are_passed_over() {
        let some = [(2, 12), (3, 13), (7, 17)];
        assert_eq!(Pattern::of(&some, false), Pattern::Contiguous { offset: 10 });
        // Nobody knows what is between: no claim that the chunks are all there is.
        let chunks = [(0, 4), (1, 5), (4, 0), (5, 1), (6, 2), (7, 3)];
        assert!(matches!(Pattern::of(&chunks, false), Pattern::Runs { .. }));
        assert_eq!(Pattern::of(&[(1, 3), (4, 4), (6, 10)], false).position(4), Some(4));
    }

    #[test]
    fn sentences() {
        let text = |positions: &[i64]| pattern(positions).to_string();
        assert_eq!(text(&[4, 5, 6]), "an offset: row i has position i + 4");
        assert_eq!(
            text(&[0, 1, 2, 0, 1]),
            "restarts: from row 0 on positions count up from 0, and begin again at 0 in row 3"
        );
        assert_eq!(
            text(&[2, 3, 0, 1]),
            "chunks exchanged: rows 0 to 1 have positions 2 to 3; rows 2 to 3 have positions 0 to 1"
        );
        assert_eq!(
            text(&[0, 1, 2, 2, 2]),
            "stale from row 3 on: every row from there has position 2; before it, row i has position i"
        );
    }
}
