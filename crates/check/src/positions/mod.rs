//! By which position each row of a table, a cache or a rotation really was rotated: the inverse of the encoding.
//!
//! An honest implementation that encodes the position p leaves every pair of a row within a rigorous bound of the exact one
//! ([`posproof_bound::Allowance`]). Positions for which some pair is farther away than that are *excluded*, by integer
//! arithmetic and outward roundings; a row of which one position of the [`Domain`] is left is [`Located::Certified`]. That no
//! other can be, needs that the implementation is honest, and that the position is one of the domain; nothing else.
//!
//! Of an encoding of several axes each axis is decoded by itself, from the slots that it claims ([`decode_axes`]).
//!
//! A format's own limit, whatever the rows hold, is [`DecodedAxis::told_apart`].
//!
//! ```
//! use posproof_check::positions::{Located, Pattern, Query, decode};
//! use posproof_check::{Slice, Subject};
//! use posproof_encoding::convention::Convention;
//!
//! // A cache in binary32 that starts at position 4000.
//! let angle = |i: usize| (4000 + i / 8) as f64 * 10000f64.powf(-((i % 8) as f64) / 8.0);
//! let cos: Vec<f32> = (0..800).map(|i| angle(i).cos() as f32).collect();
//! let sin: Vec<f32> = (0..800).map(|i| angle(i).sin() as f32).collect();
//! let (cos, sin) = (Slice::new("cos", &cos, 8)?, Slice::new("sin", &sin, 8)?);
//!
//! let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
//! let decoded = decode(subject, &Query::new(Convention::rope(16)))?;
//! assert_eq!(decoded.axes[0].located[99], Located::Certified { position: 4099 });
//! assert_eq!(decoded.axes[0].patterns[0].pattern, Pattern::Contiguous { offset: 4000 });
//! # Ok::<(), posproof_check::Invalid>(())
//! ```

mod axes;
mod axes_report;
mod bounds;
mod clock;
mod compare;
mod decode;
mod decoder;
mod domain;
mod euclid;
mod pattern;
mod phase;
mod reach;
mod report;
mod resolution;
mod sieve;
mod slots;
#[cfg(feature = "files")]
pub mod write;

pub use axes::{AxialQuery, decode_axes};
pub use axes_report::DecodedAxes;
pub use compare::{Comparison, RowDifference};
pub use decode::decode;
pub use domain::{Domain, InvalidDomain};
pub use pattern::{Pattern, Run};
pub(crate) use report::as_text;
pub use report::{Counts, Decoded, DecodedAxis, OpenRow, TablePattern};

use posproof_bound::Path;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::Serialize;
use std::ops::RangeInclusive;

/// Question on positions.
#[derive(Clone, Debug)]
pub struct Query {
    /// The convention that the rows follow.
    pub convention: Convention,
    /// The positions that they may have.
    pub domain: Domain,
    /// The precision that the implementation computes its angles in.
    pub compute: Format,
    /// Path of its frequencies; any if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have, whatever format holds them; that of the arrays if none is given.
    pub storage: Option<Format>,
}

impl Query {
    /// The convention at any position from 0 to 2^20 − 1, computed in binary32 along any path.
    pub fn new(convention: Convention) -> Self {
        Self { convention, domain: Domain::default(), compute: Format::F32, path: None, storage: None }
    }

    /// The same for another domain.
    pub fn within(self, domain: Domain) -> Self {
        Self { domain, ..self }
    }

    /// The same for another precision of the computation.
    pub fn computed_in(self, compute: Format) -> Self {
        Self { compute, ..self }
    }

    /// The same for entries that should have a format, whatever format holds them.
    pub fn stored_in(self, storage: Format) -> Self {
        Self { storage: Some(storage), ..self }
    }

    /// The same for one path only.
    pub fn along(self, path: Path) -> Self {
        Self { path: Some(path), ..self }
    }
}

/// Knowledge of the position of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Located {
    /// One position of the domain is not excluded, and every other one is.
    Certified {
        /// The position.
        position: i64,
    },
    /// Several positions of the domain are not excluded.
    Ambiguous(Box<Candidates>),
    /// Every position of the domain is excluded.
    Unexplained(Contradiction),
    /// All entries, or all of the vector, are 0: nothing shows by what it was rotated.
    Null,
    /// Some entries are infinite or not a number.
    NotFinite,
}

impl Located {
    /// The position, if it is certified.
    pub fn position(&self) -> Option<i64> {
        if let Self::Certified { position } = self { Some(*position) } else { None }
    }
}

/// The positions that are not excluded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidates {
    /// Their number.
    pub count: u64,
    /// True if each was tested by itself; if not, these are what slow pairs alone leave.
    pub tested: bool,
    /// Consecutive ones, increasing: the first [`Candidates::LISTED`].
    pub ranges: Vec<RangeInclusive<i64>>,
}

impl Candidates {
    /// Ranges that are listed at most.
    pub const LISTED: usize = 16;

    /// True if a position is one of those that are listed; `None` where it is beyond the last one listed and others are not.
    pub fn contains(&self, position: i64) -> Option<bool> {
        let listed: u64 = self.ranges.iter().map(|range| range.end().abs_diff(*range.start()) + 1).sum();
        let beyond = self.ranges.last().is_none_or(|last| position > *last.end());
        match beyond && listed < self.count {
            true => None,
            false => Some(self.ranges.iter().any(|range| range.contains(&position))),
        }
    }
}

/// Why no position explains a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Contradiction {
    /// A pair is longer or shorter than a rotation, with the amplitude of the convention, can make it.
    Length {
        /// The pair: the first one.
        pair: usize,
    },
    /// No position has the angles of all pairs.
    Angles,
}
