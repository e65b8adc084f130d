//! Graphs as a tracer writes them.

use serde::{Deserialize, Serialize};

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
