//! Repetition of the columns in a cache of full width.

use super::faults::is_most;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// Arrangements of a cache's columns, by pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Duplication {
    /// One column for each pair: [c₀ c₁ …].
    None,
    /// The columns of all pairs, and all of them again, for pairs (k, k + dim/2): [c₀ c₁ … c₀ c₁ …].
    Halves,
    /// The column of each pair twice, for pairs (2k, 2k + 1): [c₀ c₀ c₁ c₁ …].
    Repeated,
}

impl Duplication {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Halves, Self::Repeated];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Halves => "halves",
            Self::Repeated => "repeated",
        }
    }

    /// Meaning of the columns, by pairs: those that stand for one pair each repeat none.
    pub(super) fn columns(self) -> &'static str {
        if self == Self::None { "slots" } else { self.name() }
    }

    /// The two columns that hold the same value, of each of `width`/2 values.
    fn twins(self, width: usize) -> impl Fn(usize) -> (usize, usize) {
        move |k| match self {
            Self::Repeated => (2 * k, 2 * k + 1),
            Self::None | Self::Halves => (k, k + width / 2),
        }
    }

    /// Repetition of values in rows of `width` columns, if there is one: as most values of these rows have it. Columns that
    /// hold what the next ones hold too, as slow cosines and zeros do, tell nothing. `None` where most values are not
    /// repeated, or where as many are in either way, as in a row of position 0.
    pub(super) fn of(rows: &[f64], width: usize) -> Option<Self> {
        if width == 0 || !width.is_multiple_of(2) {
            return None;
        }
        let [halves, repeated] = [Self::Halves, Self::Repeated].map(|way| {
            let twins = way.twins(width);
            let (mut equal, mut telling) = (0u64, 0);
            for row in rows.chunks_exact(width) {
                let constant = |at: usize| {
                    let next = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                    next.filter(|next| *next < width && row[*next] == row[at]).count()
                };
                for (a, b) in (0..width / 2).map(&twins) {
                    let same = row[a] == row[b];
                    // Neighbours that are twins are no run by themselves.
                    let run = constant(a) + constant(b) > if same && b == a + 1 { 2 } else { 0 };
                    if !run {
                        telling += 1;
                        equal += u64::from(same);
                    }
                }
            }
            if is_most(equal, telling) { equal } else { 0 }
        });
        match halves.cmp(&repeated) {
            std::cmp::Ordering::Greater => Some(Self::Halves),
            std::cmp::Ordering::Less => Some(Self::Repeated),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// True for the first column of two that hold one value.
    pub(super) fn is_first(self, column: usize, width: usize) -> bool {
        match self {
            Self::Repeated => column.is_multiple_of(2),
            Self::None | Self::Halves => column < width / 2,
        }
    }

    /// The arrangement of rows of `width` columns that hold every value beside its negative.
    pub(super) fn opposite(rows: &[f64], width: usize) -> Option<Self> {
        if width == 0 || !width.is_multiple_of(2) || rows.iter().all(|entry| *entry == 0.0) {
            return None;
        }
        [Self::Halves, Self::Repeated].into_iter().find(|way| {
            let twins = way.twins(width);
            rows.chunks_exact(width).all(|row| (0..width / 2).map(&twins).all(|(a, b)| row[a] == -row[b]))
        })
    }

    /// True if every value of these rows is repeated so.
    pub(super) fn holds(self, rows: &[f64], width: usize) -> bool {
        let twins = self.twins(width);
        width.is_multiple_of(2)
            && rows.chunks_exact(width).all(|row| (0..width / 2).map(&twins).all(|(a, b)| row[a] == row[b]))
    }

    /// The way in which these rows repeat every value, if they do.
    pub(super) fn throughout(rows: &[f64], width: usize) -> Option<Self> {
        Self::of(rows, width).filter(|way| way.holds(rows, width))
    }
}

impl fmt::Display for Duplication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Duplication {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|way| way.name() == name);
        let names = Self::ALL.into_iter().map(Self::name);
        known.ok_or_else(|| posproof_encoding::suggestion::unknown("duplication", name, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_values_decide() {
        assert_eq!(Duplication::of(&[1.0, 2.0, 1.0, 2.0], 4), Some(Duplication::Halves));
        assert_eq!(Duplication::of(&[1.0, 1.0, 2.0, 2.0], 4), Some(Duplication::Repeated));
        // Position 0 shows nothing, and neither do values that all differ or rows of an odd width.
        assert_eq!(Duplication::of(&[1.0, 1.0, 1.0, 1.0], 4), None);
        assert_eq!(Duplication::of(&[1.0, 2.0, 3.0, 4.0], 4), None);
        assert_eq!(Duplication::of(&[1.0, 1.0, 1.0], 3), None);
        // One wrong value of twelve.
        let rows = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 5.0];
        assert_eq!(Duplication::of(&rows, 6), Some(Duplication::Repeated));
        assert_eq!(Duplication::throughout(&rows, 6), None);
        assert_eq!(Duplication::throughout(&[1.0, 1.0, 2.0, 2.0], 4), Some(Duplication::Repeated));
        for way in Duplication::ALL {
            assert_eq!(way.name().parse(), Ok(way));
        }
    }
}
