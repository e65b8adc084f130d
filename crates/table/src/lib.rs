#![doc = include_str!("../README.md")]
//!
//! Correctly rounded tables of sinusoidal encodings and of the cosines and sines of rotary ones.
//!
//! Every entry is the correct rounding (to nearest, ties to even) of the exact real number that a
//! [`Convention`](posproof_encoding::convention::Convention) defines; nothing weakens that. The method:
//!
//! 1. `plan`: enclosures in arbitrary precision ([`posproof_numerics`]) give, for each pair, a few points e^(iφ) to some
//!    106 bits; their powers are small tables of sums of two binary64 numbers.
//! 2. `kernel`: in bf16 and f16 a column follows from two of its entries by the recurrence of sines and cosines; in the others
//!    an entry is a complex product (the shift theorem). Both in fast arithmetic with a proven bound on the error.
//! 3. A rounding test accepts the result when everything within the bound rounds alike.
//! 4. `refine`: what it does not accept is settled by binary64, double-double and at last enclosures
//!    of increasing precision (Ziv's strategy); θ = 0 is exact and is recognised first.
//!
//! *Termination.* With rational parameters and rules other than llama3 and untruncated YaRN, ω is
//! algebraic, so that sin θ and cos θ are transcendental for θ ≠ 0 (Lindemann and Weierstrass); times
//! an algebraic amplitude they are never ties, and step 4 ends. With π in the frequency or a logarithm
//! in the amplitude no theorem says so: an entry within 2^−131072 of a tie would be reported as
//! undecided rather than guessed. None is known.

#[cfg(feature = "arrays")]
pub mod arrays;
#[cfg(feature = "axes")]
mod axes;
mod blocks;
mod columns;
mod double;
mod dtype;
mod eight_bits;
mod element;
mod fill;
mod formats;
mod halves;
mod instructions;
mod isa;
mod kernel;
mod line;
mod plan;
mod product;
mod rates;
mod recurrence;
mod refine;
mod scale;
mod simd;
mod staged;
mod statistics;
mod strip;
mod target;
#[cfg(feature = "trace")]
pub mod trace;
mod vectorized;
#[cfg(feature = "files")]
pub mod write;

#[cfg(feature = "axes")]
pub use axes::AxialTable;
pub use blocks::{Block, Blocks};
pub use dtype::Dtype;
pub use eight_bits::{E4m3, E5m2};
pub use element::{Element, first_infinite};
pub use fill::Table;
pub use half::{bf16, f16};
pub use instructions::Instructions;
pub use posproof_encoding::{InvalidPositions, LIMIT, Positions};
pub use statistics::Statistics;
pub use vectorized::{Loop, vectorized};

use posproof_encoding::convention::InvalidConvention;
#[doc(no_inline)]
pub use posproof_numerics::format::Format;

/// Why a table cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum InvalidTable {
    /// The convention defines no table.
    #[error("convention: {0}")]
    Convention(#[from] InvalidConvention),
    /// The positions are not what they should be.
    #[error(transparent)]
    Positions(#[from] InvalidPositions),
    /// The entries do not fit into the address space.
    #[error(
        "a table of {rows} positions by {width} entries of {bytes} bytes: expected at most {} bytes in all",
        isize::MAX
    )]
    Size {
        /// Rows.
        rows: usize,
        /// Entries in a row.
        width: usize,
        /// Bytes of an entry.
        bytes: usize,
    },
    /// More pairs than are planned for: each takes about a kilobyte while the plan is made.
    #[error("a table of {pairs} pairs: expected at most {limit}, for which planning takes about a gigabyte of memory")]
    Pairs {
        /// The convention's pairs.
        pairs: usize,
        /// The most there may be.
        limit: usize,
    },
    /// Rows beyond the last one were asked for.
    #[error("rows {start}..{end}: the table has {rows} rows")]
    Rows {
        /// The first row asked for.
        start: usize,
        /// One beyond the last.
        end: usize,
        /// The rows that there are.
        rows: usize,
    },
    /// The caller's buffer is too short or too long.
    #[error("the buffer holds {found} entries: expected {expected}")]
    Buffer {
        /// Its entries.
        found: usize,
        /// The entries to be written.
        expected: usize,
    },
    /// An entry that the format does not hold.
    #[error("{place}: the exact value rounds to {entry}; {format} holds numbers up to {}; expected an --amplitude up to that, or another --dtype", format.max_finite())]
    Overflow {
        /// Where it is.
        place: String,
        /// The entry.
        entry: String,
        /// The format.
        format: Format,
    },
    /// Enclosures of the parameters do not get narrow.
    #[error("the convention's frequencies or amplitude cannot be enclosed to the precision needed")]
    Precision,
    /// An entry is nearer to a tie between two numbers than any precision that is tried can tell.
    #[error("position {position}, pair {pair}: the correct rounding is undecided at 131072 bits")]
    Undecided {
        /// The entry's position.
        position: u64,
        /// The entry's pair.
        pair: usize,
    },
    /// The same of an entry of several axes.
    #[error("row {row}, slot {slot}: the correct rounding is undecided at 131072 bits")]
    UndecidedSlot {
        /// The entry's row, or the number of its coordinate among the distinct ones of its axis.
        row: usize,
        /// The entry's slot.
        slot: usize,
    },
    /// Rows with coordinates of another number of axes.
    #[error("positions with {found} coordinates in a row: expected {axes}, one for each axis of the convention")]
    Axes {
        /// The axes of the convention.
        axes: usize,
        /// Those of the positions.
        found: usize,
    },
}

impl InvalidTable {
    /// That an entry is infinite, the correct rounding of what its format does not hold.
    pub fn overflow<T: Element>(place: String, entry: T) -> Self {
        Self::Overflow { place, entry: entry.to_f64().to_string(), format: T::FORMAT }
    }
}
