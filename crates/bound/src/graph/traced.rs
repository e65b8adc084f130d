//! Programs that were read from graphs.

use super::document::Graph;
use crate::entry::Model;
use crate::program::{Impossible, Program};
use posproof_encoding::Positions;
use posproof_encoding::convention::Convention;
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// The program that a graph was read as.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The convention of its entries, as far as their errors depend on it.
    pub convention: Convention,
    /// Path and formats; κ, which no graph has, is that of correct rounding.
    pub program: Program,
    /// The positions that the graph itself has; none where they are its input.
    pub own_positions: Option<Range<u64>>,
    /// Its own frequencies, with correctly rounded functions.
    pub frequencies: Vec<f64>,
    /// Number of operations that were read.
    pub operations: usize,
    /// Number of entries that were followed to the inputs.
    pub entries: usize,
}

/// The graph that a program was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphOrigin {
    /// The program's name, as its author calls it.
    pub source: String,
    /// The tracer, with its version.
    pub tracer: String,
    /// Number of operations that were read.
    pub operations: usize,
    /// Number of entries that were followed to the inputs.
    pub entries: usize,
}

impl fmt::Display for GraphOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, tracer, operations, entries } = self;
        write!(f, "{source}, traced by {tracer}: {operations} operations, each of {entries} entries read")
    }
}

impl Traced {
    /// Where the program was read.
    pub fn origin(&self, graph: &Graph) -> GraphOrigin {
        let Graph { source, tracer, .. } = graph.clone();
        GraphOrigin { source, tracer, operations: self.operations, entries: self.entries }
    }

    /// The positions to bound: those that the graph has, or of these the ones that were asked for.
    ///
    /// # Errors
    ///
    /// Where positions were asked for that the graph does not have.
    pub fn positions(&self, asked: Positions, stated: bool) -> Result<Positions, Impossible> {
        match &self.own_positions {
            None => Ok(asked),
            Some(own) if own.start <= asked.min() && asked.max() < own.end && stated => Ok(asked),
            Some(own) if stated => {
                let expected = format!("some of {}..{}, which the graph has", own.start, own.end);
                Err(Impossible::new("positions", asked.summary(), expected))
            }
            Some(own) => Positions::range(own.clone()).map_err(|error| Impossible::new("positions", error, "a range")),
        }
    }

    /// The model of the program where sine and cosine are within κ units in the last place.
    ///
    /// # Errors
    ///
    /// Where no bound is defined for such a program.
    pub fn model(&self, kappa: f64) -> Result<Model, Impossible> {
        let model = Model::new(&self.convention, &Program { kappa, ..self.program })?;
        Ok(model.with_frequencies(self.frequencies.clone()))
    }
}
