//! Frequencies of conventions, and whether two conventions have the same.

use posproof_bound::Allowance;
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

/// Exactness of a file's numbers: taken as they are, or perhaps rounded to f32 on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// Decimals, as written.
    Exact,
    /// Numbers of f32, and what a program made of them in f32.
    Single,
}

/// Enclosures are narrower than any two configurations differ.
const BITS: u32 = 128;

/// Error of the divisor of ω_k, a quotient of two frequencies that were computed in f32, which divides a third.
const COMPUTED: f64 = 3.0;

/// The lengths of sequences that a rule tells apart; one, which does not matter, for the others.
pub fn lengths(convention: &Convention) -> Vec<u64> {
    match &convention.scaling {
        Some(
            Scaling::Dynamic { original_max_position_embeddings: length, .. }
            | Scaling::Longrope { original_max_position_embeddings: length, .. },
        ) => vec![*length, length.saturating_mul(4)],
        _ => vec![1],
    }
}

/// ω_k in binary64, each next to the exact value; `None` for a convention that defines none.
pub fn frequencies(convention: &Convention) -> Option<Vec<f64>> {
    let enclosed = convention.frequencies(BITS)?;
    Some(enclosed.iter().map(|omega| omega.approximate()).collect())
}

/// Distance of an honest program's frequencies in f32 from the exact ones, at most, pair by pair, along any path:
/// [`Allowance`]'s slopes, with those 3/2 units more by which a frequency near the next power of two may be stored.
pub fn allowances(convention: &Convention, omega: &[f64]) -> Vec<f64> {
    let allowance = Allowance::new(convention, omega, 1, (Format::F32, None), Format::F64);
    let unit = Format::F32.unit_roundoff();
    omega.iter().enumerate().map(|(pair, omega)| allowance.slope(pair) + 1.5 * unit * omega).collect()
}

/// True if two conventions have the same frequencies at every length; `None` where one of them defines none.
pub fn same(expected: &Convention, found: &Convention, exactness: Exactness) -> Option<bool> {
    let lengths = [lengths(expected), lengths(found)].concat();
    for length in lengths {
        let (one, other) = (expected.clone().for_length(length), found.clone().for_length(length));
        let agree = match exactness {
            Exactness::Exact => {
                let (one, other) = (one.frequencies(BITS)?, other.frequencies(BITS)?);
                one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| !a.is_separate_from(b))
            }
            Exactness::Single => {
                let (a, b) = (frequencies(&one)?, frequencies(&other)?);
                let allowed = allowances(&one, &a);
                a.len() == b.len() && a.iter().zip(&b).zip(&allowed).all(|((a, b), d)| (a - b).abs() <= COMPUTED * d)
            }
        };
        if !agree {
            return Some(false);
        }
    }
    Some(true)
}

/// A pair with a frequency that is not the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The pair.
    pub pair: usize,
    /// ω_k as it is to be.
    pub expected: f64,
    /// Value found.
    pub found: f64,
}

impl Departure {
    /// The one pair of so many that departs.
    pub fn alone(self, pairs: usize) -> String {
        let Self { pair, expected, found } = self;
        format!("one of {pairs} frequencies differs: pair {pair} is to have {expected}, and has {found}")
    }
}

/// The pairs of a convention from whose frequencies a list, of the same length, departs by more than so many allowances.
pub fn departures(convention: &Convention, values: &[f64], slack: f64) -> Option<Vec<Departure>> {
    let omega = frequencies(convention).filter(|omega| omega.len() == values.len())?;
    let allowed = allowances(convention, &omega);
    let all = omega.into_iter().zip(values).zip(allowed).enumerate();
    // What is no number is within no allowance.
    let near = |omega: f64, value: f64, allowed: f64| (value - omega).abs() <= slack * allowed;
    let departs = all.filter(|(_, ((omega, value), allowed))| !near(*omega, **value, *allowed));
    Some(departs.map(|(pair, ((expected, &found), _))| Departure { pair, expected, found }).collect())
}

/// The pair of a convention from which a list of another departs alone, at every length, as programs in f32 have them.
pub fn alone(expected: &Convention, found: &Convention) -> Option<Departure> {
    let lengths = [lengths(expected), lengths(found)].concat();
    let at = |length: u64| {
        let values = frequencies(&found.clone().for_length(length))?;
        departures(&expected.clone().for_length(length), &values, COMPUTED)
    };
    let every: Vec<Departure> = lengths.into_iter().map(at).collect::<Option<Vec<_>>>()?.concat();
    let first = *every.first()?;
    every.iter().all(|departure| departure.pair == first.pair).then_some(first)
}

/// The pair whose frequencies differ most, as a quotient found/expected.
pub fn furthest(expected: &Convention, found: &Convention) -> Option<(usize, f64)> {
    let length = lengths(expected).into_iter().max()?;
    let one = frequencies(&expected.clone().for_length(length))?;
    let other = frequencies(&found.clone().for_length(length))?;
    let quotients = one.iter().zip(&other).map(|(a, b)| b / a).enumerate().filter(|(_, q)| q.is_finite() && *q > 0.0);
    quotients.max_by(|(_, a), (_, b)| a.ln().abs().total_cmp(&b.ln().abs()))
}
