//! The positions that rows were computed for.

use posproof_numerics::format::Format;
use std::sync::Arc;

/// The position that a row was computed for, in place of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// Its own.
    Stated,
    /// This one.
    At(f64),
    /// One so much further.
    Shifted(f64),
    /// Its own, times a number.
    Scaled(f64),
    /// Its own, rounded.
    Rounded(Format),
    /// Its own modulo a number.
    Modulo(f64),
    /// Its own before a position, and from there on another.
    From(u64, Box<Placement>),
    /// One of its own for each of these, in order; its own elsewhere.
    Listed(Arc<Vec<(u64, f64)>>),
    /// Its own times a number, and another added.
    Affine(f64, f64),
    /// Its own divided by a whole number, rounded down.
    Divided(u64),
    /// The number of its table, counted in runs of `run`, modulo a period.
    Table { run: usize, period: usize },
    /// One so much further for every table before, these counted as for [`Self::Table`].
    Counted { run: usize, period: usize, by: f64 },
    /// Of positions 0, 1, …, so many in all: that of the row so many before, counted around.
    Rolled { by: usize, of: usize },
}

impl Placement {
    /// That position.
    pub fn of(&self, slab: usize, position: u64) -> f64 {
        let own = position as f64;
        match self {
            Self::Stated => own,
            Self::At(position) => *position,
            Self::Shifted(by) => own + by,
            Self::Scaled(by) => own * by,
            // Counters end at the largest number, where what is stored is a number at all.
            Self::Rounded(format) => format.round(own).min(format.max_finite()),
            Self::Listed(rows) => rows
                .binary_search_by_key(&position, |row| row.0)
                .map_or(own, |at| rows.get(at).map_or(own, |row| row.1)),
            Self::Modulo(modulus) => own % modulus,
            Self::Affine(by, plus) => by * own + plus,
            Self::Divided(by) => (position / by) as f64,
            Self::From(from, then) => {
                if position < *from {
                    own
                } else {
                    then.of(slab, position)
                }
            }
            Self::Table { run, period } => (slab / run % period) as f64,
            Self::Counted { run, period, by } => own + by * (slab / run % period) as f64,
            Self::Rolled { by, of } => (own + (of - by) as f64) % *of as f64,
        }
    }
}
