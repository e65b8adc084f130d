//! References of a comparison: the certified table of a convention, or what a program would have written.

use super::Invalid;
use super::subject::{Wiring, joined};
use posproof_encoding::convention::{Component, Convention};
use posproof_table::{Positions, Table};
use std::sync::Arc;

/// A reading of the entries of a subject.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    /// Layout, order and direction; and everything else that decides the entries.
    pub convention: Convention,
    /// The entries of vectors that form the pairs, for a rotation.
    pub wiring: Wiring,
    /// True if the cosines of a cache are given as sines, and the reverse.
    pub exchanged: bool,
}

impl Reading {
    /// As a convention says.
    pub fn new(convention: &Convention) -> Self {
        Self { convention: convention.clone(), wiring: Wiring::new(convention), exchanged: false }
    }

    /// Component that a grid of a cache holds.
    pub fn component(&self, component: Option<Component>) -> Option<Component> {
        let other = |component| if component == Component::Cos { Component::Sin } else { Component::Cos };
        if self.exchanged { component.map(other) } else { component }
    }
}

/// Rows of cosines and sines that a hypothesis predicts.
pub(super) trait Program: Sync {
    /// The joined row [cos…, sin…] of a table's row, clockwise where the convention is, with numbers next to a tie rounded in
    /// one of the ways.
    fn row(&self, slab: usize, row: usize, position: u64, way: usize, out: &mut [f64]);
    /// True if two rows of a table, of these positions, are the same.
    fn repeats(&self, slab: usize, rows: [usize; 2], positions: [u64; 2]) -> bool;
    /// Number of ways.
    fn ways(&self) -> usize;
    /// The magnitude of the sum of position and offset that the program rounds; that of the row's position if none is given.
    fn reach(&self, _slab: usize, _row: usize, _position: u64) -> Option<f64> {
        None
    }
    /// Error of the row, computed in binary64, in each pair, at most, and what the hypothesis leaves open there, beyond the
    /// bound; the last number is for entries that are not rotated.
    fn slack(&self, position: u64, out: &mut [f64]);
}

/// Reference of a comparison.
pub(super) enum Reference<'a> {
    /// The correctly rounded binary64 numbers of the convention.
    Certified(Arc<Table<f64>>),
    /// Entries that a program would have written.
    Program(&'a dyn Program),
}

/// The certified table of a convention; a sinusoid's is arranged as its rows are.
pub(super) fn certified(
    convention: &Convention,
    positions: &Positions,
    sinusoid: bool,
) -> Result<Arc<Table<f64>>, Invalid> {
    let arranged = if sinusoid { convention.clone() } else { joined(convention) };
    Ok(Arc::new(Table::new(&arranged, positions)?))
}

impl<'a> Reference<'a> {
    /// The certified table, as of [`certified`].
    pub fn certified(convention: &Convention, positions: &Positions, sinusoid: bool) -> Result<Self, Invalid> {
        Ok(Self::Certified(certified(convention, positions, sinusoid)?))
    }

    /// The program, if it is one.
    pub fn program(&self) -> Option<&'a dyn Program> {
        match self {
            Self::Program(program) => Some(*program),
            Self::Certified(_) => None,
        }
    }
}
