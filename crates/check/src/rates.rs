//! The frequencies of a convention in binary64.

use posproof_encoding::convention::Convention;

/// Each rounded to nearest; zero for pairs at rest. `None` for a convention that defines none.
pub fn omega(convention: &Convention) -> Option<Vec<f64>> {
    let frequencies = convention.frequencies(64)?;
    Some(frequencies.iter().map(|omega| omega.approximate()).collect())
}

/// Bases in use.
pub const BASES: [i64; 16] = [
    10_000,
    500_000,
    1_000_000,
    1_000,
    100,
    100_000,
    5_000,
    25_000,
    50_000,
    150_000,
    160_000,
    200_000,
    5_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
];
