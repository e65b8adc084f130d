//! The second ledger: what papers claim of RoPE and other positional encodings.

use crate::evidence::Entry;

pub mod alibi;
pub mod attention;
pub mod base;
pub mod decay;
mod finite_laws;
pub mod heads;
pub mod interpolation;
pub mod longrope;
pub mod multiaxis;
pub mod ntk;
pub mod precision;
pub mod uniqueness;
pub mod yarn;

/// All claims of the literature, in the order of the ledger.
pub fn all() -> Vec<&'static dyn Entry> {
    [
        decay::CLAIMS,
        interpolation::CLAIMS,
        ntk::CLAIMS,
        yarn::CLAIMS,
        longrope::CLAIMS,
        base::CLAIMS,
        heads::CLAIMS,
        precision::CLAIMS,
        uniqueness::CLAIMS,
        multiaxis::CLAIMS,
        alibi::CLAIMS,
        attention::CLAIMS,
    ]
    .concat()
}
