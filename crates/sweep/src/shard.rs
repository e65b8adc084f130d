//! The K-th of N parts of a sweep.

use crate::InvalidSweep;
use posproof_numerics::decimal::counted;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The K-th of N parts, written `K/N`, with 1 ≤ K ≤ N.
///
/// ```
/// use posproof_sweep::Shard;
/// let shard: Shard = "2/3".parse().unwrap();
/// assert_eq!(shard.tasks(10).unwrap(), 3..6);
/// assert!("0/3".parse::<Shard>().is_err() && "4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The whole.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// All N shards.
    ///
    /// # Errors
    /// N = 0.
    pub fn all(count: usize) -> Result<impl Iterator<Item = Self>, InvalidSweep> {
        Self::new(1, count)?;
        Ok((1..=count).map(move |index| Self { index, count }))
    }

    /// K of N.
    ///
    /// # Errors
    /// N = 0, K = 0 or K > N.
    pub fn new(index: usize, count: usize) -> Result<Self, InvalidSweep> {
        if (1..=count).contains(&index) {
            return Ok(Self { index, count });
        }
        let expected = match count {
            0 => "N of at least 1".to_owned(),
            _ => format!("K of 1 to {count}"),
        };
        Err(InvalidSweep::new("shard", format!("{index}/{count}"), expected))
    }

    /// K, from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// N.
    pub fn count(self) -> usize {
        self.count
    }

    /// Which of a sweep's tasks are its own: from ⌊T·(K−1)/N⌋ to ⌊T·K/N⌋.
    ///
    /// # Errors
    /// More shards than tasks.
    pub fn tasks(self, tasks: usize) -> Result<Range<usize>, InvalidSweep> {
        if self.count > tasks {
            let expected = format!("at most {}, one for each task of this sweep", counted(tasks as u64, "shard"));
            return Err(InvalidSweep::new("shard", self, expected));
        }
        let end = |index: usize| (tasks as u128 * index as u128 / self.count as u128) as usize;
        Ok(end(self.index - 1)..end(self.index))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = InvalidSweep;
    fn from_str(text: &str) -> Result<Self, InvalidSweep> {
        let numbers = text.split_once('/').and_then(|(k, n)| k.parse().ok().zip(n.parse().ok()));
        let (index, count) = numbers
            .ok_or_else(|| InvalidSweep::new("shard", text, "K/N such as 3/8, with K from 1 to N".to_owned()))?;
        Self::new(index, count)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_the_tasks_without_gap_or_overlap() {
        for tasks in [1, 7, 1184] {
            for count in 1..=tasks.min(50) {
                let mut next = 0;
                for shard in Shard::all(count).unwrap() {
                    let range = shard.tasks(tasks).unwrap();
                    assert!(range.start == next && !range.is_empty(), "{shard} of {tasks}");
                    next = range.end;
                }
                assert_eq!(next, tasks);
            }
        }
    }

    #[test]
    fn what_is_no_shard_is_refused_by_name() {
        for (text, part) in [
            ("3/0", "N of at least 1"),
            ("0/3", "K of 1 to 3"),
            ("4/3", "K of 1 to 3"),
            ("1", "K/N"),
            ("1/", "K/N"),
            ("-1/3", "K/N"),
            ("1/3/4", "K/N"),
            ("1/99999999999999999999999", "K/N"),
        ] {
            let message = text.parse::<Shard>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains(text), "{message}");
        }
        assert!(Shard::new(1, 8).unwrap().tasks(7).unwrap_err().to_string().contains("at most 7"));
    }
}
