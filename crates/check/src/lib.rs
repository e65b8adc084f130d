#![doc = include_str!("../README.md")]
//!
//! Judging other people's output: does a table, a cache or a rotation follow the convention that
//! it should, how exactly, and if not, what is wrong with it?
//!
//! Every entry is compared with a certified reference ([`posproof_table`]) and with a bound that every
//! honest implementation respects ([`posproof_bound::Allowance`]). Where entries are beyond the bound, the measured
//! phases say why ([`Finding`]).
//!
//! ```
//! use posproof_check::{Expectation, Slice, Subject, check};
//! use posproof_encoding::convention::Convention;
//!
//! // The implementation under test: binary32 throughout.
//! let (rows, dim) = (300, 8);
//! let table: Vec<f32> = (0..rows * dim)
//!     .map(|i| {
//!         let (t, j) = ((i / dim) as f32, i % dim);
//!         let angle = t / 10000f32.powf((j / 2 * 2) as f32 / dim as f32);
//!         if j % 2 == 0 { angle.sin() } else { angle.cos() }
//!     })
//!     .collect();
//! let table = Slice::new("table", &table, dim)?;
//! let report = check(Subject::Sinusoid(&table), &Expectation::new(Convention::sinusoid(dim)))?;
//! assert!(report.conforms, "{report}");
//! # Ok::<(), posproof_check::Invalid>(())
//! ```

#[cfg(feature = "axes")]
pub mod axes;
mod batch;
mod cache;
mod check;
mod circle;
mod compare;
mod compared;
mod computed;
mod departures;
mod deviations;
mod diagnose;
mod differences;
mod document;
mod duplication;
mod exactness;
mod expectation;
mod extent;
pub mod faults;
mod first;
mod frequencies;
mod grid;
mod guess;
mod identify;
mod information;
mod input;
#[cfg(feature = "axes")]
mod joined;
mod judged;
mod kept;
mod levels;
#[cfg(feature = "lint")]
pub mod lint;
mod measure;
mod mend;
mod narrower;
mod outputs;
mod paths;
mod picked;
#[cfg(feature = "positions")]
pub mod positions;
pub mod probe;
mod profile;
mod rates;
#[cfg(feature = "files")]
pub mod read;
mod recognise;
mod reference;
mod report;
#[cfg(feature = "requests")]
pub mod request;
mod rounding;
mod row;
mod sample;
mod sequence;
mod subject;
mod summary;
mod totals;
mod ulp;
mod view;
#[cfg(feature = "files")]
pub mod write;

pub use posproof_bound::Path;

pub use check::{assert_conforms, check};
pub use compare::overflow::Overflow;
pub use computed::{Computed, Rotated};
pub use duplication::Duplication;
pub use expectation::Expectation;
pub use faults::cause::{Cause, Finding};
pub use faults::code::Code;
pub use faults::region::{Explained, Region, Shape, Span, Status};
pub use frequencies::{check_frequencies, identify_frequencies};
#[cfg(feature = "files")]
pub use grid::FloatArray;
pub use grid::{Grid, Slice, leading, note};
pub use identify::identify;
pub use information::Information;
pub use input::InvalidInput;
pub use levels::{Integers, Levels};
pub use mend::{Mend, Restatement};
#[cfg(feature = "axes")]
pub use outputs::compare_axial_outputs;
pub use outputs::{ComparedOutputs, EntryDifference, compare_outputs};
pub use profile::{PairError, Profile, RowError};
pub use recognise::{Confidence, Identification, MeasuredAxis, MeasuredFrequency, Undetermined};
pub use report::{ArrayRead, DecadePart, EntryStatistics, Grade, PairPart, Report, WorstEntry};
pub use subject::Subject;
pub use summary::Summary;
pub use totals::PartStatistics;
pub use view::Half;

use posproof_encoding::convention::InvalidConvention;
use posproof_table::{InvalidPositions, InvalidTable};

/// The examples of the guide are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/dumps.md")]
struct Guide;

/// Why nothing can be judged.
#[derive(Debug, thiserror::Error)]
pub enum Invalid {
    /// An input cannot be used.
    #[error(transparent)]
    Input(#[from] InvalidInput),
    /// The convention defines no table.
    #[error("convention: {0}")]
    Convention(#[from] InvalidConvention),
    /// The positions are not what they should be.
    #[error(transparent)]
    Positions(#[from] InvalidPositions),
    /// The reference cannot be made.
    #[error(transparent)]
    Reference(#[from] InvalidTable),
    /// Positions must increase.
    #[error(
        "positions, row {row}: expected positions that increase from row to row; found {found} after {before}; axes::check_axes judges rows at positions in any order"
    )]
    Order {
        /// The row.
        row: usize,
        /// Its position.
        found: u64,
        /// The position before it.
        before: u64,
    },
    /// The subject and the convention do not go together.
    #[error("{subject}: expected a convention of {expected:?}; found {found:?}; use the constructor of that name")]
    Subject {
        /// Subject of the judgement.
        subject: &'static str,
        /// The encoding that it needs.
        expected: posproof_encoding::convention::Encoding,
        /// The encoding that was stated.
        found: posproof_encoding::convention::Encoding,
    },
}
