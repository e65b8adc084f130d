//! Settles the mathematical claims about transformer positional encodings.
//!
//! Five documents on transformer positional encodings (sinusoidal encoding and its linear shift
//! T(k), Toeplitz dot products, RoPE, permutation equivariance of attention, complex exponentials)
//! make some sixty mathematical claims, and papers on RoPE make more: there are two ledgers. Each claim is
//! encoded here once, as a property over an arbitrary [number system](number), and evaluated in exact normal
//! forms, rigorous intervals, MPFR and the float formats, with a rigorous rounding-error bound beside every
//! measured error.
//!
//! ```
//! use posproof::evidence::{Conclusion, Effort, Plan, settle::{SystemName, settle}};
//!
//! let claim = posproof::claims::all().into_iter().find(|c| c.about().id == "shift.linearity").unwrap();
//! let settlement = settle(claim, &SystemName::ALL, &Plan::new(Effort::Quick, 1), &|| ());
//! assert_eq!(settlement.conclusion, Conclusion::AsExpected);
//! ```
//!
//! Data flows one way: [`number`] → [`encoding`] → [`claims`] (in the vocabulary of [`claim`]) →
//! [`evidence`] → [`report`] → [`cli`]. The Coq proofs are audited by the crate `posproof-coq-audit`; [`proof`] says which
//! theorem belongs to which claim.
//!
//! Parts that other programs depend on are crates of their own, which need neither GMP nor MPFR and are re-exported
//! here: `posproof-numerics` and `posproof-encoding` (in [`number`] and [`encoding`]), [`table`], [`bound`],
//! [`check`](conformance), [`property`] and [`sweep`].

pub mod bibliography;
pub mod claim;
pub mod claims;
pub mod cli;
pub mod encoding;
pub mod evidence;
pub mod number;
pub mod prelude;
pub mod proof;
pub mod report;

pub use posproof_bound as bound;
pub use posproof_check as conformance;
pub use posproof_property as property;

#[cfg(doctest)]
#[doc = include_str!("../docs/claims-as-checks.md")]
mod claims_as_checks {}
pub use posproof_sweep as sweep;
pub use posproof_table as table;
