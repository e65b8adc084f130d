//! `posproof bound --graph FILE`: the program is read from a graph of operations.

use super::Failure;
use clap::Args;
use posproof_bound::Impossible;
use posproof_bound::graph::{Graph, GraphOrigin, Traced};
use posproof_encoding::Positions;
use std::fs;
use std::path::PathBuf;

/// Options that state what a graph says: some by their groups.
const STATED: [&str; 18] = [
    "RotaryArguments",
    "ModelArguments",
    "ScalingArguments",
    "AxesArguments",
    "dim",
    "base",
    "layout",
    "position_offset",
    "angle_scale",
    "amplitude",
    "frequency_origin",
    "frequency_spacing",
    "direction",
    "dtype",
    "path",
    "angle",
    "frequency_format",
    "position_format",
];

/// A program that is read and not stated.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Program, read from code")]
pub struct GraphArguments {
    /// Trace this function of PyTorch, and bound what it computes: of (positions), of (x, positions), or of nothing. Comes with
    /// the Python package: `python -m posproof bound --module rope.py:rotary`
    #[arg(long, value_name = "FILE:FUNCTION", conflicts_with = "graph")]
    module: Option<String>,
    /// Read path, formats, positions and frequencies from a graph of operations (schema posproof.graph/1)
    #[arg(long, value_name = "FILE.json", conflicts_with_all = STATED)]
    graph: Option<PathBuf>,
}

/// A program that was read, and its graph.
pub struct Program {
    graph: Graph,
    /// The program.
    pub program: Traced,
}

impl Program {
    /// Where the program was read.
    pub fn origin(&self) -> GraphOrigin {
        self.program.origin(&self.graph)
    }

    /// The positions to bound.
    ///
    /// # Errors
    ///
    /// Where positions were asked for that the graph does not have.
    pub fn positions(&self, asked: Positions, stated: bool) -> Result<Positions, Impossible> {
        self.program.positions(asked, stated)
    }
}

impl GraphArguments {
    /// The program of the graph, if one is given.
    pub fn read(&self) -> Result<Option<Program>, Failure> {
        if self.module.is_some() {
            return Err(self.untraced());
        }
        let Some(path) = &self.graph else { return Ok(None) };
        let refuse = |error: String| Failure::Usage(format!("{}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| refuse(format!("cannot be read: {error}")))?;
        let graph: Graph = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("{error}; expected a graph of the schema {}", Graph::SCHEMA)))?;
        let program = graph.program().map_err(|error| Failure::Usage(format!("{}: {error}", graph.source)))?;
        Ok(Some(Program { graph, program }))
    }

    /// A function is traced by Python alone.
    pub fn untraced(&self) -> Failure {
        let module = self.module.as_deref().unwrap_or("FILE:FUNCTION");
        let get = "tracing takes the Python package and PyTorch";
        Failure::Environment(format!("--module: {get}: python -m posproof bound --module {module}"))
    }
}
