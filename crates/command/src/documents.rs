//! Documents: of the second version, with one schema for one axis and for several, or of the first.

use super::{Failure, print, print_json};
use clap::Args;
use posproof_bound::first::{First, FirstVersion};
use serde::Serialize;
use std::fmt::Display;

/// Options of a document: its version, if one is printed.
#[derive(Args, Clone, Copy, Debug)]
pub struct JsonArguments {
    /// Print one JSON document; --json=2 has one schema of one axis and of several
    #[arg(long, value_name = "1|2", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = clap::value_parser!(u8).range(1..=2))]
    json: Option<u8>,
}

impl JsonArguments {
    /// True if one is asked for.
    pub fn is_asked(self) -> bool {
        self.json.is_some()
    }

    /// Prints an answer as a document, or in words and more of them.
    pub fn say(
        self,
        answer: &(impl FirstVersion + Serialize + Display),
        more: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.is_asked() { self.print(answer) } else { print(&(answer.to_string() + &more())) }
    }

    /// Prints a document, of the version that is asked for.
    pub fn print(self, document: &(impl FirstVersion + Serialize)) -> Result<(), Failure> {
        if self.json != Some(2) {
            return print_json(&First(document));
        }
        // Keys are sorted.
        print_json(&serde_json::to_value(document).map_err(|error| Failure::Environment(error.to_string()))?)
    }
}
