//! The command that the wheel brings: the verbs that need neither the ledger of claims nor GMP, MPFR or Coq.

use clap::{Args, CommandFactory, Parser, Subcommand};
use posproof_command::interruption::clean_up;
use posproof_command::{Failure, Outcome, parsed, print, status};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Judges implementations of sinusoidal and rotary positional encodings, and makes correctly rounded references.
#[derive(Debug, Parser)]
#[command(name = "posproof", version, after_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

const AFTER: &str = "Examples:
  posproof check rope --cos cache.npz:cos --sin cache.npz:sin --dim 128 --base 500000
                                           is this cache right?
  posproof identify sinusoid --table pe.npy
                                           which convention does this table follow?
  posproof table rope --dim 128 --positions 0..4096 --out cache.npz
                                           what would be right?

Exit status: 0 all as it should be, 1 an implementation falls short, 2 usage or unreadable input, \
3 inconclusive under --strict, 4 the environment lacks something.";

#[derive(Debug, Subcommand)]
enum Verb {
    #[command(flatten)]
    Here(posproof_command::Verb),
    #[command(flatten)]
    Elsewhere(Elsewhere),
}

/// The verbs that the package has besides.
#[derive(Debug, Subcommand)]
enum Elsewhere {
    /// Check every claim: comes with the Rust package
    #[command(disable_help_flag = true)]
    Verify(OtherVerb),
    /// Print the ledgers of claims: comes with the Rust package
    #[command(disable_help_flag = true)]
    List(OtherVerb),
    /// Print everything about one claim: comes with the Rust package
    #[command(disable_help_flag = true)]
    Show(OtherVerb),
    /// Write the report: comes with the Rust package
    #[command(disable_help_flag = true)]
    Report(OtherVerb),
    /// Check the Coq development: comes with the Rust package
    #[command(disable_help_flag = true)]
    Prove(OtherVerb),
    /// Print BibTeX: comes with the Rust package
    #[command(disable_help_flag = true)]
    Cite(OtherVerb),
}

/// Arguments of a verb that is not here.
#[derive(Args, Debug)]
struct OtherVerb {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    given: Vec<OsString>,
}

impl Elsewhere {
    fn name(&self) -> &'static str {
        match self {
            Self::Verify(_) => "verify",
            Self::List(_) => "list",
            Self::Show(_) => "show",
            Self::Report(_) => "report",
            Self::Prove(_) => "prove",
            Self::Cite(_) => "cite",
        }
    }

    fn missing(&self) -> Failure {
        let get = "this command comes with the Rust package: in a checkout, cargo install --path . --locked";
        Failure::Environment(format!("{}: {get}", self.name()))
    }
}

/// Runs the command and says with which status to exit. Where nothing else runs in this process (`alone`), a signal ends it as
/// it does every command: no file is left half-written.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>, alone: bool) -> u8 {
    py.detach(|| {
        if alone {
            clean_up(|| ());
        }
        let program = std::iter::once(OsString::from("posproof"));
        let arguments: Vec<OsString> = program.chain(arguments).collect();
        let cli: Cli = match parsed(&arguments) {
            Ok(cli) => cli,
            Err(status) => return status,
        };
        status(match cli.verb {
            Some(Verb::Here(verb)) => verb.run(Cli::command),
            Some(Verb::Elsewhere(verb)) => Err(verb.missing()),
            None => print(&Cli::command().render_help().ansi().to_string()).map(|()| Outcome::Good),
        })
    })
}
