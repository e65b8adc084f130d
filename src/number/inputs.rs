//! The variables of a statement, each with its domain.

use std::ops::RangeInclusive;

/// The variables of a claim at one size, each with its domain.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Position symbols, with the integers between which they are taken.
    pub positions: Vec<(&'static str, RangeInclusive<i64>)>,
    /// Real variables: name, number, least and greatest value.
    pub reals: Vec<(&'static str, usize, f64, f64)>,
    /// Permutations: name and number of elements.
    pub permutations: Vec<(&'static str, usize)>,
    /// Integers that the claim's code needs to know, such as an index.
    pub choices: Vec<(&'static str, RangeInclusive<usize>)>,
}

impl Inputs {
    /// The largest position of the numeric systems.
    pub const LAST_POSITION: i64 = 131_071;

    /// The ranges of positions, without what is beyond −`last` and `last`; to `last` where they go to
    /// [`LAST_POSITION`](Self::LAST_POSITION).
    pub fn positions_to(&self, last: i64) -> impl Iterator<Item = (&'static str, [i64; 2])> {
        let end = move |end: i64| if end == Self::LAST_POSITION { last } else { end.clamp(-last, last) };
        self.positions.iter().map(move |(name, range)| (*name, [end(*range.start()), end(*range.end())]))
    }

    /// Positions from 0 to 131071.
    pub fn position(mut self, name: &'static str) -> Self {
        self.positions.push((name, 0..=Self::LAST_POSITION));
        self
    }

    /// Positions, or offsets, in a range of integers.
    pub fn position_in(mut self, name: &'static str, range: RangeInclusive<i64>) -> Self {
        self.positions.push((name, range));
        self
    }

    /// `count` reals between −limit and limit.
    pub fn reals(mut self, name: &'static str, count: usize, limit: f64) -> Self {
        self.reals.push((name, count, -limit, limit));
        self
    }

    /// `count` reals between two limits.
    pub fn reals_in(mut self, name: &'static str, count: usize, least: f64, greatest: f64) -> Self {
        self.reals.push((name, count, least, greatest));
        self
    }

    /// A permutation of `count` elements.
    pub fn permutation(mut self, name: &'static str, count: usize) -> Self {
        self.permutations.push((name, count));
        self
    }

    /// An integer known to the claim.
    pub fn choice(mut self, name: &'static str, range: RangeInclusive<usize>) -> Self {
        self.choices.push((name, range));
        self
    }
}
