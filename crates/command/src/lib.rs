#![doc = include_str!("../README.md")]

mod advice;
mod arrays;
mod attention;
mod axes;
mod axial_bound;
mod bound;
mod certificate;
mod check;
mod check_attention;
mod claim;
pub mod compare;
mod completions;
mod computed;
mod config;
pub mod documents;
pub mod dump;
mod graph;
mod identify;
mod input;
pub mod interruption;
mod judge;
pub mod kernel;
mod libraries;
mod lint;
mod man;
mod merge;
mod outputs;
pub mod page;
mod picture;
mod positions;
mod probe;
mod program;
mod progress;
mod refusal;
mod restate;
mod rows;
mod scaling;
mod specification;
mod sweep;
mod table;
mod text;
mod tolerance;
mod witness;

use clap::{Command, Parser, Subcommand};
use posproof_check::InvalidInput;
use posproof_table::arrays::atomic::NotWritten;
pub use progress::progress;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Bound the rounding error of an implementation
    Bound(Box<bound::BoundArguments>),
    /// Judge another implementation's table, cache or rotation
    Check(Box<check::CheckArguments>),
    /// Say by how much two kernels of attention may differ, and whose fault a difference is
    Compare(Box<compare::CompareArguments>),
    /// Say which convention a table, a cache or a rotation follows
    Identify(Box<identify::IdentifyArguments>),
    /// Say by which position each row of a table, a cache or a rotation was rotated
    Positions(Box<positions::PositionsArguments>),
    /// Say what a model's configuration means, and what contradicts it
    Lint(lint::LintArguments),
    /// Judge a model's folder: its configuration, its weights and conversions of them
    Judge(judge::JudgeArguments),
    /// Write inputs for another implementation to rotate or encode
    Probe(Box<probe::ProbeArguments>),
    /// Write a correctly rounded reference table
    Table(Box<table::TableArguments>),
    /// Certify absolute tolerances for a test of one's own
    Tolerance(Box<tolerance::ToleranceArguments>),
    /// Compute a certified set or an exact worst case in shards
    Sweep(sweep::SweepArguments),
    /// Join the results of all shards of a sweep
    Merge(merge::MergeArguments),
    /// Print completions for a shell
    Completions(completions::CompletionsArguments),
    /// Print the manual page, or write one for each command
    Man(man::ManArguments),
}

impl Verb {
    /// Runs the verb of a whole command.
    ///
    /// # Errors
    ///
    /// Where it cannot do its work.
    pub fn run(&self, whole: fn() -> Command) -> Result<Outcome, Failure> {
        match self {
            Self::Bound(arguments) => bound::run(arguments),
            Self::Check(arguments) => check::run(arguments),
            Self::Compare(arguments) => compare::run(arguments),
            Self::Identify(arguments) => identify::run(arguments),
            Self::Positions(arguments) => positions::run(arguments),
            Self::Lint(arguments) => lint::run(arguments),
            Self::Judge(arguments) => judge::run(arguments),
            Self::Probe(arguments) => probe::run(arguments),
            Self::Table(arguments) => table::run(arguments),
            Self::Tolerance(arguments) => tolerance::run(arguments),
            Self::Sweep(arguments) => sweep::run(arguments),
            Self::Merge(arguments) => merge::run(arguments),
            Self::Completions(arguments) => completions::run(arguments, whole()),
            Self::Man(arguments) => man::run(arguments, whole()),
        }
    }
}

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The arguments or the input cannot be used: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// The environment lacks something: exit status 4.
    #[error("{0}")]
    Environment(String),
    /// A result contradicts itself, so that none is printed: exit status 1.
    #[error("{0}")]
    Internal(String),
}

impl From<posproof_check::Invalid> for Failure {
    fn from(error: posproof_check::Invalid) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<InvalidInput> for Failure {
    fn from(error: InvalidInput) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<NotWritten> for Failure {
    fn from(error: NotWritten) -> Self {
        match error {
            NotWritten::Exists(_) | NotWritten::OneFile(..) => Self::Usage(error.to_string()),
            NotWritten::Io { .. } => Self::Environment(error.to_string()),
        }
    }
}

/// End of a command that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit status 0.
    Good,
    /// A claim or an implementation falls short: exit status 1.
    FallsShort,
    /// Inconclusive under `--strict`: exit status 3.
    Inconclusive,
}

/// Arguments of a command, the name of the program first; or the status to exit with where they ask for help or cannot be
/// used, which is then printed.
///
/// # Errors
///
/// The exit status.
pub fn parsed<C: Parser>(arguments: &[OsString]) -> Result<C, u8> {
    if let Some(problem) = advice::refused(arguments) {
        return Err(status(Err(Failure::Usage(problem))));
    }
    C::try_parse_from(arguments).map_err(|error| {
        let error = advice::with(error, arguments);
        let printed = error.print().and_then(|()| io::stdout().flush());
        match lost(printed) {
            // What cannot be said is wrong all the same.
            Err(failure) if !error.use_stderr() => status(Err(failure)),
            _ => u8::try_from(error.exit_code()).unwrap_or(2),
        }
    })
}

/// The status to exit with. Why a command did not end well is printed.
pub fn status(result: Result<Outcome, Failure>) -> u8 {
    match result {
        Ok(Outcome::Good) => 0,
        Ok(Outcome::FallsShort) => 1,
        Ok(Outcome::Inconclusive) => 3,
        Err(failure) => {
            tell(format_args!("posproof: {failure}"));
            match failure {
                Failure::Usage(_) => 2,
                Failure::Environment(_) => 4,
                Failure::Internal(_) => 1,
            }
        }
    }
}

/// Writes results to standard output, with colour only on a terminal and without NO_COLOR. A
/// reader that has gone away, such as `head`, is no failure.
///
/// # Errors
///
/// Where it cannot be written to.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    lost(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// That standard output could not be written to; but a reader may go away.
fn lost(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Environment(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. Where that cannot be written to, nobody is told.
pub fn tell(line: impl Display) {
    // Macros panic there.
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Writes one JSON document to standard output.
///
/// # Errors
///
/// As of [`print()`].
pub fn print_json(document: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document).map_err(|error| Failure::Environment(error.to_string()))?;
    print(&(text + "\n"))
}
