//! Programs that are read from a graph of tensor operations, as a tracer of the user's code writes it.
//!
//! Every entry of every output is followed to the inputs: an expression of rounded operations over integers, literals
//! and positions. Where each is the entry of a table as the theorems have it, fl(cos(fl(p·ω′))), the graph says path,
//! formats, base, positions and rule. An operation that is not known, or an entry of another form, is refused by name.

mod arithmetic;
mod call;
mod document;
mod entries;
mod frequencies;
mod indexing;
mod operations;
mod scalars;
mod table;
mod tensors;
mod traced;
mod unread;
mod views;

pub use document::{Argument, Described, Graph, Input, Operation, Role};
pub use traced::{GraphOrigin, Traced};
pub use unread::Unread;

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
