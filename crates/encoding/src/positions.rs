//! Which positions a table has, one row each.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// Positions are below 2^53, so that software that keeps them in binary64 has them exactly.
pub const LIMIT: u64 = 1 << 53;

/// A sequence of positions, as ranges.
///
/// ```
/// use posproof_encoding::Positions;
/// let positions: Positions = "0..4,127,131071".parse().unwrap();
/// assert_eq!(positions.len(), 6);
/// assert_eq!(positions.get(4), Some(127));
/// assert!("5..5".parse::<Positions>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions {
    /// Not empty, and none of them empty.
    ranges: Arc<[Range<u64>]>,
    /// The row that each range begins with, and the number of rows.
    starts: Arc<[usize]>,
    /// The smallest position, and the largest.
    ends: [u64; 2],
}

/// Why positions were not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPositions {
    /// Not a number, a range or a list of them.
    #[error("positions '{0}': expected numbers and ranges such as 0..4096 or 0..64,127,131071")]
    Syntax(String),
    /// A range without a position.
    #[error("positions {0}..{1}: the range is empty; expected an end above its start")]
    Empty(u64, u64),
    /// No position at all.
    #[error("no positions: expected at least one")]
    None,
    /// A position that binary64 cannot count to.
    #[error("position {0}: expected less than 2^53 = 9007199254740992")]
    TooLarge(u64),
}

impl Positions {
    /// The positions of one range.
    pub fn range(range: Range<u64>) -> Result<Self, InvalidPositions> {
        Self::ranges([range])
    }

    /// The positions of several ranges, one after the other, in the order given.
    pub fn ranges(ranges: impl IntoIterator<Item = Range<u64>>) -> Result<Self, InvalidPositions> {
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            if range.is_empty() {
                return Err(InvalidPositions::Empty(range.start, range.end));
            }
            if range.end > LIMIT {
                return Err(InvalidPositions::TooLarge(range.end - 1));
            }
            match joined.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => joined.push(range),
            }
        }
        if joined.is_empty() {
            return Err(InvalidPositions::None);
        }
        Ok(Self::joined(joined))
    }

    /// Positions of ranges, of which none is empty and none begins where the one before ends.
    fn joined(joined: Vec<Range<u64>>) -> Self {
        let mut starts = vec![0usize];
        for range in &joined {
            let rows = starts[starts.len() - 1].saturating_add((range.end - range.start) as usize);
            starts.push(rows);
        }
        let least = joined.iter().map(|range| range.start).fold(LIMIT, u64::min);
        let most = joined.iter().map(|range| range.end - 1).fold(0, u64::max);
        Self { ranges: joined.into(), starts: starts.into(), ends: [least, most] }
    }

    /// Positions one by one, as they come.
    pub fn list(positions: impl IntoIterator<Item = u64>) -> Result<Self, InvalidPositions> {
        Self::ranges(positions.into_iter().map(|p| p..p.saturating_add(1)))
    }

    /// The number of positions; saturates.
    pub fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Never: there is at least one position.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The position of a row.
    pub fn get(&self, row: usize) -> Option<u64> {
        self.run(row).map(|run| run.start)
    }

    /// Every position in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.iter().cloned().flatten()
    }

    /// The ranges as text; the first and last ones and their number where there are many.
    pub fn summary(&self) -> String {
        match &*self.ranges {
            [first, .., last] if self.ranges.len() > 1000 => {
                format!("{}..{},…,{}..{} ({} ranges)", first.start, first.end, last.start, last.end, self.ranges.len())
            }
            _ => self.to_string(),
        }
    }

    /// The smallest position.
    pub fn min(&self) -> u64 {
        self.ends[0]
    }

    /// The largest position.
    pub fn max(&self) -> u64 {
        self.ends[1]
    }

    /// The range from the smallest position to the largest.
    pub fn span(&self) -> Range<u64> {
        self.min()..self.max() + 1
    }

    /// The ranges, one after the other.
    pub fn as_ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// Distinct positions of these, in increasing order.
    ///
    /// ```
    /// use posproof_encoding::Positions;
    /// let positions: Positions = "6..9,0..3,7,2".parse().unwrap();
    /// assert_eq!(positions.distinct().as_ranges(), [0..3, 6..9]);
    /// ```
    pub fn distinct(&self) -> Self {
        let mut sorted = self.ranges.to_vec();
        sorted.sort_unstable_by_key(|range| range.start);
        let mut distinct: Vec<Range<u64>> = Vec::new();
        for range in sorted {
            match distinct.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => distinct.push(range),
            }
        }
        Self::joined(distinct)
    }

    /// The consecutive positions from a row to the end of its range.
    pub fn run(&self, row: usize) -> Option<Range<u64>> {
        if row >= self.len() {
            return None;
        }
        let at = self.starts.partition_point(|&start| start <= row) - 1;
        let range = &self.ranges[at];
        Some(range.start + (row - self.starts[at]) as u64..range.end)
    }
}

impl FromStr for Positions {
    type Err = InvalidPositions;
    fn from_str(text: &str) -> Result<Self, InvalidPositions> {
        let syntax = || InvalidPositions::Syntax(text.to_owned());
        let number = |part: &str| part.trim().replace('_', "").parse::<u64>().map_err(|_| syntax());
        let ranges: Result<Vec<_>, _> = text
            .split(',')
            .map(|part| match part.split_once("..") {
                Some((start, end)) => Ok(number(start)?..number(end)?),
                None => number(part).map(|p| p..p.saturating_add(1)),
            })
            .collect();
        Self::ranges(ranges?)
    }
}

impl fmt::Display for Positions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, range) in self.ranges.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match range.end - range.start {
                1 => write!(f, "{comma}{}", range.start)?,
                _ => write!(f, "{comma}{}..{}", range.start, range.end)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_positions() {
        let positions: Positions = "7, 0..3,3..5, 100".parse().unwrap();
        assert_eq!(positions.to_string(), "7,0..5,100");
        assert_eq!((0..8).map_while(|row| positions.get(row)).collect::<Vec<_>>(), [7, 0, 1, 2, 3, 4, 100]);
        assert_eq!(positions.iter().count(), positions.len());
        assert_eq!((positions.min(), positions.max()), (0, 100));
        assert_eq!(positions.run(2), Some(1..5));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in ["", "a", "1..", "..2", "-1", "1.5", "3..2", "4..4", "9007199254740992", "0..18446744073709551615"]
        {
            assert!(text.parse::<Positions>().is_err(), "{text}");
        }
        assert!("9007199254740991".parse::<Positions>().is_ok());
        assert_eq!(Positions::list([]), Err(InvalidPositions::None));
    }
}
