//! Programs that are read from a graph of tensor operations, as a tracer of the user's code writes it.
//!
//! Every entry of every output is followed to the inputs: an expression of rounded operations over integers, literals
//! and positions. Where each is the entry of a table as the theorems have it, fl(cos(fl(p·ω′))), the graph says path,
//! formats, base, positions and rule. An operation that is not known, or an entry of another form, is refused by name.

mod arithmetic;
mod entries;
mod frequencies;
mod indexing;
mod operations;
mod scalars;
mod table;
mod tensors;
mod views;

use super::entry::Model;
use super::program::{Impossible, Path, Program};
use posproof_encoding::Positions;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// A graph as a tracer writes it (schema `posproof.graph/1`).
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// The schema's name.
    pub schema: String,
    /// The program's name, as its author calls it.
    pub source: String,
    /// The tracer, with its version.
    pub tracer: String,
    /// Arguments of the function, and constants.
    pub inputs: Vec<Input>,
    /// Operations, each after those whose results it takes.
    pub operations: Vec<Operation>,
    /// Results of the function.
    pub outputs: Vec<Argument>,
}

/// An argument of the function, or a constant that it has from elsewhere.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The name by which operations refer to it.
    pub name: String,
    /// Its part in the program.
    pub role: Role,
    /// Format and shape.
    #[serde(flatten)]
    pub kind: Described,
    /// Entries of a constant, row by row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<Argument>>,
}

/// The part of an input in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Positions, any integers.
    Positions,
    /// Vectors whose format and shape matter, and no entry.
    Vectors,
    /// A tensor from outside of the function.
    Constant,
}

/// Format and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Described {
    /// The format, as PyTorch names it: `float32`, `int64`.
    pub dtype: String,
    /// The shape.
    pub shape: Vec<usize>,
}

/// An operation on tensors.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// The name of its result.
    pub name: String,
    /// The operation, as PyTorch names it: `aten.mul.Tensor`.
    pub operation: String,
    /// Arguments in their order.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// Arguments by name.
    #[serde(default)]
    pub keywords: std::collections::BTreeMap<String, Argument>,
    /// Format and shape of each tensor that it returns.
    pub results: Vec<Described>,
}

/// An argument of an operation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Argument {
    /// Left out.
    None(()),
    /// True or false.
    Truth(bool),
    /// An integer of the program's text.
    Whole(i64),
    /// A number of the program's text, in binary64.
    Real(f64),
    /// A word, such as a format or a device.
    Word(String),
    /// Several of them.
    List(Vec<Argument>),
    /// The result of an operation, or an input.
    Result {
        /// Its name.
        value: String,
    },
}

/// A graph that is no program of the theorems: the place, what was found there, what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: found {found}; expected {expected}")]
pub struct Unread {
    /// The operation or the entry.
    pub place: String,
    /// The operation, number or tensor that stands there.
    pub found: String,
    /// The operations, numbers or tensors that a graph may have there.
    pub expected: String,
}

impl Unread {
    fn new(place: impl ToString, found: impl ToString, expected: impl ToString) -> Self {
        Self { place: place.to_string(), found: found.to_string(), expected: expected.to_string() }
    }
}

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

impl Graph {
    /// The name of the schema.
    pub const SCHEMA: &str = "posproof.graph/1";

    /// The program of the theorems that the graph is.
    ///
    /// # Errors
    ///
    /// Where an operation is not known, or where an entry is none of a table as the theorems have it.
    pub fn program(&self) -> Result<Traced, Unread> {
        if self.schema != Self::SCHEMA {
            return Err(Unread::new("schema", format!("'{}'", self.schema), Self::SCHEMA));
        }
        let (scalars, outputs) = operations::run(self)?;
        let table = table::read(&scalars, &outputs)?;
        let rates = frequencies::read(&scalars, &table.frequencies, table.frequency_format())?;
        table.traced(rates, self.operations.len())
    }
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

/// The format of a name of PyTorch's.
fn float(dtype: &str) -> Option<Format> {
    Some(match dtype {
        "float16" => Format::F16,
        "bfloat16" => Format::Bf16,
        "float32" => Format::F32,
        "float64" => Format::F64,
        _ => return None,
    })
}

/// Path, base, rule and computed values of the frequencies of a graph.
struct Rates {
    path: Path,
    format: Format,
    convention: Convention,
    computed: Vec<f64>,
}
