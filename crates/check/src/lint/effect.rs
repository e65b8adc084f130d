//! Frequencies of conventions, and whether two conventions have the same.

use posproof_bound::Allowance;
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

/// Whether numbers of a file are taken exactly or may have been rounded to f32 on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// Decimals, as written.
    Exact,
    /// Numbers of f32, and what a program made of them in f32.
    Single,
}

/// Enclosures are narrower than any two configurations differ.
const BITS: u32 = 128;

/// What ω_k is divided by is a quotient of two frequencies that were computed in f32, and divides a third.
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

/// How far the frequencies of an honest program in f32 may be from the exact ones, pair by pair, along any path:
/// [`Allowance`]'s slopes, with those 3/2 units more by which a frequency near the next power of two may be stored.
pub fn allowances(convention: &Convention, omega: &[f64]) -> Vec<f64> {
    let allowance = Allowance::new(convention, omega, 1, (Format::F32, None), Format::F64);
    let unit = Format::F32.unit_roundoff();
    omega.iter().enumerate().map(|(pair, omega)| allowance.slope(pair) + 1.5 * unit * omega).collect()
}

/// Whether two conventions have the same frequencies at every length; `None` where one of them defines none.
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

/// The pair whose frequencies differ most, as a quotient found/expected.
pub fn furthest(expected: &Convention, found: &Convention) -> Option<(usize, f64)> {
    let length = lengths(expected).into_iter().max()?;
    let one = frequencies(&expected.clone().for_length(length))?;
    let other = frequencies(&found.clone().for_length(length))?;
    let quotients = one.iter().zip(&other).map(|(a, b)| b / a).enumerate().filter(|(_, q)| q.is_finite() && *q > 0.0);
    quotients.max_by(|(_, a), (_, b)| a.ln().abs().total_cmp(&b.ln().abs()))
}
