//! The command line: one verb a file; those that need neither GMP nor MPFR are the crate `posproof-command`.

mod cite;
mod list;
mod prove;
mod report;
mod show;
mod verify;

use clap::{CommandFactory, Parser, Subcommand};
use posproof_command::interruption::clean_up;
use posproof_command::{Failure, Outcome, parsed, print, print_json, progress, status, tell};
use std::ffi::OsString;
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
    Verify(verify::VerifyArguments),
    /// Print the ledgers of claims as a table
    List(list::ListArguments),
    /// Print everything about one claim
    Show(show::ShowArguments),
    /// Write the report: Markdown, one self-contained HTML page with figures, JSON
    Report(report::ReportArguments),
    /// Check the Coq development: build, axioms, statements, recursion, coqchk
    Prove(prove::ProveArguments),
    /// Print BibTeX for a claim, a bound or a table, and the command that repeats it
    Cite(cite::CiteArguments),
    #[command(flatten)]
    Other(posproof_command::Verb),
}

/// `bound claim ID` is `show ID`: bounds of claims need the ledger, and stand on its pages. `--dim` and `--dtype` leave these alone.
fn of_claims(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1..3).is_some_and(|words| words[0] == "bound" && words[1] == "claim") {
        arguments.splice(1..3, ["show".into()]);
    }
    arguments
}

/// Runs the command line and says with which status to exit.
pub fn run() -> ExitCode {
    clean_up(posproof_coq_audit::processes::stop);
    let arguments = of_claims(std::env::args_os().collect());
    let cli: Cli = match parsed(&arguments) {
        Ok(cli) => cli,
        Err(status) => return ExitCode::from(status),
    };
    ExitCode::from(status(match cli.verb {
        Some(Verb::Verify(arguments)) => verify::run(&arguments),
        Some(Verb::List(arguments)) => list::run(&arguments),
        Some(Verb::Show(arguments)) => show::run(&arguments),
        Some(Verb::Report(arguments)) => report::run(&arguments),
        Some(Verb::Prove(arguments)) => prove::run(&arguments),
        Some(Verb::Cite(arguments)) => cite::run(&arguments),
        Some(Verb::Other(verb)) => verb.run(Cli::command),
        None => print(&Cli::command().render_help().ansi().to_string()).map(|()| Outcome::Good),
    }))
}
