//! The command line: one verb a file.

mod advice;
mod arrays;
mod attention;
mod axes;
mod axial_bound;
mod bound;
mod check;
mod cite;
mod completions;
mod config;
mod identify;
mod input;
mod interruption;
mod lint;
mod list;
mod man;
mod merge;
mod positions;
mod probe;
mod progress;
mod prove;
mod report;
mod restate;
mod scaling;
mod show;
pub mod specification;
mod sweep;
mod table;
mod verify;

use crate::conformance::read::InvalidInput;
use crate::table::arrays::atomic::NotWritten;
use clap::{CommandFactory, Parser, Subcommand};
use progress::progress;
use std::io::Write;
use std::process::ExitCode;

/// Settles the mathematical claims about transformer positional encodings, and judges implementations of them.
#[derive(Debug, Parser)]
#[command(name = "posproof", version, long_about = LONG_ABOUT, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

const LONG_ABOUT: &str = "Settles the mathematical claims that five documents and the literature make about transformer positional encodings: \
exactly, by rigorous enclosure, and in every float format with an error bound beside every measured error. \
And judges implementations of these encodings: tables, rotary caches, rotations.";

macro_rules! examples {
    () => {
        "Examples:
  posproof check rope --cos cache.npz:cos --sin cache.npz:sin --dim 128 --base 500000
                                           is this cache right?
  posproof identify sinusoid --table pe.npy
                                           which convention does this table follow?
  posproof verify                          is the ledger of claims right?"
    };
}

const EXAMPLES: &str = concat!(examples!(), "\n\nposproof VERB --help explains a verb.");

const LONG_EXAMPLES: &str = concat!(
    examples!(),
    "

Exit status: 0 all as it should be, 1 a claim or an implementation falls short, 2 usage or unreadable input, \
3 inconclusive under --strict, 4 the environment lacks something."
);

#[derive(Debug, Subcommand)]
enum Verb {
    /// Check every claim, or those named
    Verify(verify::Arguments),
    /// Print the ledgers of claims as a table
    List(list::Arguments),
    /// Print everything about one claim
    Show(show::Arguments),
    /// Write the report: Markdown, one self-contained HTML page with figures, JSON
    Report(report::Arguments),
    /// Bound the rounding error of an implementation
    Bound(Box<bound::Arguments>),
    /// Judge another implementation's table, cache or rotation
    Check(Box<check::Arguments>),
    /// Say which convention a table, a cache or a rotation follows
    Identify(identify::Arguments),
    /// Say by which position each row of a table, a cache or a rotation was rotated
    Positions(Box<positions::Arguments>),
    /// Say what a model's configuration means, and what contradicts it
    Lint(lint::Arguments),
    /// Write inputs for another implementation to rotate or encode
    Probe(Box<probe::Arguments>),
    /// Write a correctly rounded reference table
    Table(Box<table::Arguments>),
    /// Compute a certified set or an exact worst case in shards
    Sweep(sweep::Arguments),
    /// Join the results of all shards of a sweep
    Merge(merge::Arguments),
    /// Print BibTeX for a claim, a bound or a table, and the command that repeats it
    Cite(cite::Arguments),
    /// Check the Coq development: build, axioms, statements, coqchk
    Prove(prove::Arguments),
    /// Print completions for a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write one for each command
    Man(man::Arguments),
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

impl From<InvalidInput> for Failure {
    fn from(error: InvalidInput) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<NotWritten> for Failure {
    fn from(error: NotWritten) -> Self {
        match error {
            NotWritten::Exists(_) => Self::Usage(error.to_string()),
            NotWritten::Io { .. } => Self::Environment(error.to_string()),
        }
    }
}

/// How a command ended when it could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit status 0.
    Good,
    /// A claim or an implementation falls short: exit status 1.
    FallsShort,
    /// Inconclusive under `--strict`: exit status 3.
    Inconclusive,
}

/// Runs the command line and says with which status to exit.
pub fn run() -> ExitCode {
    interruption::clean_up();
    let cli = Cli::try_parse().unwrap_or_else(|error| advice::with(error).exit());
    let result = match cli.verb {
        Some(Verb::Verify(arguments)) => verify::run(&arguments),
        Some(Verb::List(arguments)) => list::run(&arguments),
        Some(Verb::Show(arguments)) => show::run(&arguments),
        Some(Verb::Report(arguments)) => report::run(&arguments),
        Some(Verb::Bound(arguments)) => bound::run(&arguments),
        Some(Verb::Check(arguments)) => check::run(&arguments),
        Some(Verb::Identify(arguments)) => identify::run(&arguments),
        Some(Verb::Positions(arguments)) => positions::run(&arguments),
        Some(Verb::Lint(arguments)) => lint::run(&arguments),
        Some(Verb::Probe(arguments)) => probe::run(&arguments),
        Some(Verb::Table(arguments)) => table::run(&arguments),
        Some(Verb::Sweep(arguments)) => sweep::run(&arguments),
        Some(Verb::Merge(arguments)) => merge::run(&arguments),
        Some(Verb::Cite(arguments)) => cite::run(&arguments),
        Some(Verb::Prove(arguments)) => prove::run(&arguments),
        Some(Verb::Completions(arguments)) => completions::run(&arguments),
        Some(Verb::Man(arguments)) => man::run(&arguments),
        None => print(&Cli::command().render_help().ansi().to_string()).map(|()| Outcome::Good),
    };
    match result {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::FallsShort) => ExitCode::from(1),
        Ok(Outcome::Inconclusive) => ExitCode::from(3),
        Err(failure) => {
            anstream::eprintln!("posproof: {failure}");
            match failure {
                Failure::Usage(_) => ExitCode::from(2),
                Failure::Environment(_) => ExitCode::from(4),
                Failure::Internal(_) => ExitCode::from(1),
            }
        }
    }
}

/// Writes results to standard output, with colour only on a terminal and without NO_COLOR. A
/// reader that has gone away, such as `head`, is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Environment(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON document to standard output.
fn print_json(document: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document).map_err(|error| Failure::Environment(error.to_string()))?;
    print(&(text + "\n"))
}
