//! Which positions are considered.

use posproof_numerics::Rational;
use posproof_table::LIMIT;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The integers from `first` up to but not including `end`, between −2^53 and 2^53.
///
/// ```
/// use posproof_check::positions::Domain;
/// assert_eq!(Domain::default().to_string(), "0..1048576");
/// let signed: Domain = "-16..16".parse()?;
/// assert_eq!((signed.first(), signed.end(), signed.len()), (-16, 16, 32));
/// assert!("5..5".parse::<Domain>().is_err());
/// # Ok::<(), posproof_check::positions::InvalidDomain>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Domain {
    first: i64,
    end: i64,
}

/// Why a domain was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("domain '{found}': expected A..B with integers A < B between -2^53 and 2^53, such as 0..1048576")]
pub struct InvalidDomain {
    found: String,
}

/// Far above any context in use.
impl Default for Domain {
    fn default() -> Self {
        Self { first: 0, end: 1 << 20 }
    }
}

impl Domain {
    /// The integers from `first` up to but not including `end`.
    pub fn new(first: i64, end: i64) -> Result<Self, InvalidDomain> {
        let within = |bound: i64| bound.unsigned_abs() <= LIMIT;
        match first < end && within(first) && within(end) {
            true => Ok(Self { first, end }),
            false => Err(InvalidDomain { found: format!("{first}..{end}") }),
        }
    }

    /// The smallest position.
    pub fn first(self) -> i64 {
        self.first
    }

    /// One more than the largest position.
    pub fn end(self) -> i64 {
        self.end
    }

    /// The number of positions.
    pub fn len(self) -> u64 {
        self.end.abs_diff(self.first)
    }

    /// Never: there is at least one position.
    pub fn is_empty(self) -> bool {
        false
    }

    /// True if a position is one of them.
    pub fn contains(self, position: i64) -> bool {
        (self.first..self.end).contains(&position)
    }

    /// The numbers k whose multiples k·step lie in the domain, for a step above 0.
    ///
    /// # Errors
    ///
    /// Where there is none, or they are not between −2^53 and 2^53.
    pub fn multiples(self, step: &Rational) -> Result<Self, InvalidDomain> {
        let number = |bound: i64| (Rational::from(bound) / step.clone()).ceil().to_i64();
        let refused = || InvalidDomain { found: format!("{self}, multiples of {step}") };
        let (first, end) = number(self.first).zip(number(self.end)).ok_or_else(refused)?;
        Self::new(first, end).map_err(|_| refused())
    }

    /// The position with this index.
    pub(super) fn at(self, index: u64) -> i64 {
        // Both are within ±2^54: an index is below the number of positions.
        self.first + index as i64
    }

    /// The largest magnitude of a position.
    pub(super) fn reach(self) -> u64 {
        self.first.unsigned_abs().max((self.end - 1).unsigned_abs())
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.first, self.end)
    }
}

impl FromStr for Domain {
    type Err = InvalidDomain;
    fn from_str(text: &str) -> Result<Self, InvalidDomain> {
        let number = |part: &str| part.trim().replace('_', "").parse::<i64>().ok();
        let ends = text.split_once("..").and_then(|(first, end)| number(first).zip(number(end)));
        let refused = || InvalidDomain { found: text.to_owned() };
        ends.and_then(|(first, end)| Self::new(first, end).ok()).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_a_step_are_counted() {
        let domain: Domain = "-1..3".parse().expect("a domain");
        let of = |p: i64, q: i64| domain.multiples(&Rational::from((p, q))).map(|domain| domain.to_string());
        assert_eq!(of(1, 1), Ok("-1..3".to_owned()));
        // −1, −1/2, …, 5/2; 0 and 2; from −2/3 to 8/3.
        assert_eq!((of(1, 2), of(2, 1), of(1, 3)), (Ok("-2..6".into()), Ok("0..2".into()), Ok("-3..9".into())));
        assert!(domain.multiples(&Rational::from((1, 1i64 << 60))).is_err());
        assert!("1..2".parse::<Domain>().expect("a domain").multiples(&2.into()).is_err());
    }

    #[test]
    fn what_is_no_domain_is_refused() {
        for text in ["", "5", "5..", "..5", "3..2", "a..b", "0..0", "0..9007199254740993", "-9007199254740993..0"] {
            assert!(text.parse::<Domain>().is_err(), "{text}");
        }
        let whole: Domain = "-9007199254740992..9007199254740992".parse().expect("the largest");
        assert_eq!((whole.len(), whole.reach(), whole.at(whole.len() - 1)), (1 << 54, 1 << 53, (1 << 53) - 1));
    }
}
