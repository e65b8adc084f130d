//! The command line: one verb a file.

mod arrays;
mod bound;
mod check;
mod identify;
mod list;
mod probe;
mod prove;
mod report;
mod restate;
mod show;
pub mod specification;
mod table;
mod verify;

use clap::{Parser, Subcommand};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Settles the mathematical claims about transformer positional encodings.
#[derive(Debug, Parser)]
#[command(name = "posproof", version, about, long_about = LONG_ABOUT, after_help = EXIT_STATUS)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

const LONG_ABOUT: &str = "Settles the mathematical claims that five documents make about transformer positional encodings: \
exactly, by rigorous enclosure, and in every float format with an error bound beside every measured error. \
Without a verb: verify.";

const EXIT_STATUS: &str = "Exit status: 0 all as it should be, 1 a claim or an implementation falls short, 2 usage or unreadable input, \
3 inconclusive under --strict, 4 the environment lacks something.";

#[derive(Debug, Subcommand)]
enum Verb {
    /// Check every claim, or those named
    Verify(verify::Arguments),
    /// Print the ledger as a table
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
    /// Write inputs for another implementation to rotate or encode
    Probe(Box<probe::Arguments>),
    /// Write a correctly rounded reference table
    Table(Box<table::Arguments>),
    /// Check the Coq development: build, axioms, statements, coqchk
    Prove(prove::Arguments),
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
    let cli = Cli::parse();
    let result = match cli.verb {
        Some(Verb::Verify(arguments)) => verify::run(&arguments),
        Some(Verb::List(arguments)) => list::run(&arguments),
        Some(Verb::Show(arguments)) => show::run(&arguments),
        Some(Verb::Report(arguments)) => report::run(&arguments),
        Some(Verb::Bound(arguments)) => bound::run(&arguments),
        Some(Verb::Check(arguments)) => check::run(&arguments),
        Some(Verb::Identify(arguments)) => identify::run(&arguments),
        Some(Verb::Probe(arguments)) => probe::run(&arguments),
        Some(Verb::Table(arguments)) => table::run(&arguments),
        Some(Verb::Prove(arguments)) => prove::run(&arguments),
        None => verify::run(&verify::Arguments::default()).and_then(|outcome| {
            print("\nBy itself posproof verifies; posproof report writes a report with figures, posproof --help lists the other verbs.\n")?;
            Ok(outcome)
        }),
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

/// A progress bar on standard error if that is a terminal, else nothing.
fn progress(length: usize) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(length as u64);
    match indicatif::ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
