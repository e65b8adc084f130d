#![doc = include_str!("../README.md")]
//!
//! Rigorous bounds on the rounding errors of implementations, and where they come from.
//!
//! A [`Program`] says along which path an implementation computes an entry and in which formats; a
//! [`Model`] puts it together with a convention. For each pair it has two bounds and the truth:
//!
//! * *a priori* ([`Model::a_priori`]): the theorem of the code path, a formula in t, ω, u and κ that holds
//!   for all libraries that are accurate to κ ulp;
//! * *instance* ([`Model::instance`]): the frequency as computed, with the errors of the angle maximised
//!   exactly over each stretch of positions whose products lie in one binade;
//! * *worst* ([`Model::worst`]): the largest error of the program with correctly rounded functions, by
//!   enumeration against a certified reference, and its witness.
//!
//! ```
//! use posproof_bound::{Model, Path, Program};
//! use posproof_encoding::convention::{Component, Convention};
//! use posproof_numerics::format::Format;
//!
//! let convention = Convention { base: 500000.into(), ..Convention::rope(128) };
//! let program = Program { path: Path::Pow, kappa: 1.0, ..Program::rounded(Format::F32) };
//! let model = Model::new(&convention, &program)?;
//! let rate = model.rate(2)?;                                             // or rate_as, for a frequency of your own
//! let bound = model.instance(&rate, Component::Sin, 0..131072)?;
//! assert!(bound.value() <= model.a_priori(&rate, 0..131072)?.value());
//! println!("{:e}: {}", bound.value(), bound.origin());
//! # Ok::<(), posproof_bound::Impossible>(())
//! ```
//!
//! An [`Allowance`] bounds the entries of an implementation of which nothing is known but the format that it computes in:
//! it decides whether one conforms; a [`Tolerance`](tolerance::Tolerance) is that bound for a test of one's own. A [`FrequencyAllowance`] does so for a vector of frequencies.
//!
//! Quantities computed from tables have bounds made of those of the entries: dot products ([`dot`], [`toeplitz`]),
//! [`rotated_pair`]s, [`score`]s and the defect of [`relative_position`], the residual of the shift ([`shift_residual`]; all of
//! them up to a length: [`Model::residuals`]), [`complex_product`]s, [`Softmax`], [`Attention`] and [`permuted_attention`].
//! Where inputs are real, directed searches ([`search_dot`], [`search_complex_product`], [`Model::search_rotated_pair`],
//! [`Model::search_logit`], [`Model::search_output`]) show how much of a bound is needed. Products of matrices whose entries
//! carry bounds of their own are those of [`running`].
//!
//! A [`Kernel`] is attention as matrix units compute it: stored inputs of few bits, sums that an [`Accumulator`] truncates, softmax
//! tile by tile. [`WeightedSum`] bounds such sums, and [`Kernel::search`] finds rows that err nearly as much.
//!
//! A [`Graph`](graph::Graph) of tensor operations, as a tracer writes it, *is* a program where each of its entries is that of a
//! theorem: [`graph`] reads path, formats and frequencies from it, and refuses what is none.

mod accumulator;
mod allowance;
mod attention;
#[cfg(feature = "axes")]
mod axes;
mod certificate;
mod composite;
mod configuration;
mod directed;
pub mod document;
mod entry;
mod factor;
pub mod first;
mod frequency;
pub mod graph;
mod instance;
mod kernel;
mod lattice;
mod libraries;
mod origin;
mod parts;
mod path;
mod program;
mod quantity;
mod reach;
mod reference;
mod residual;
pub mod running;
mod scaled;
mod steps;
mod study;
mod survey;
pub mod tolerance;
#[cfg(feature = "trace")]
pub mod trace;
mod upward;
mod wave;
mod worst;

pub use accumulator::{Accumulator, Adder, AttainedSum, Term, WeightedSum, exact_sum};
pub use allowance::Allowance;
pub use attention::{Accumulation, Attention, ByKey, Found, Keys, Probable, Products, Softmax, permuted_attention};
#[cfg(feature = "axes")]
pub use axes::{AxialAllowance, AxialBound, AxialExtreme, AxialQuestion, AxialTolerance, SlotBounds};
pub use certificate::Certified;
pub use composite::Composite;
pub use configuration::{Configuration, configurations, programs};
pub use directed::{Attained, search_complex_product, search_dot};
pub use entry::{Model, Rate};
pub use frequency::FrequencyAllowance;
pub use kernel::{AttentionRow, Compared, Kernel, KernelBound, Order, Scales, Searched, Verdict, exact_outputs};
pub use libraries::{Compute, Libraries};
pub use origin::{Bound, Origin};
pub use program::{Impossible, Path, Program};
pub use quantity::{
    Arithmetic, ScorePair, Scoring, Summation, complex_product, dot, dot_of_small_products, relative_position,
    rotated_pair, score, shift_residual, toeplitz,
};
pub use residual::Residuals;
pub use study::{Decade, Guaranteed, Question, Row, Study, Unanswered, decades, distinct};
pub use survey::Enumeration;
pub use worst::{Extreme, WorstCase};
