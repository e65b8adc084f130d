//! `posproof man`: manual pages, from the definitions of the arguments.

use super::{Failure, Outcome, print};
use clap::{Args, Command};
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// Arguments of `man`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ManArguments {
    /// Write posproof.1 and a page for each command, such as posproof-check-rope.1, into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  posproof man | man -l -
  posproof man --out ~/.local/share/man/man1";

/// Runs the verb, for a command.
pub fn run(arguments: &ManArguments, command: Command) -> Result<Outcome, Failure> {
    match &arguments.out {
        Some(directory) => write(command, directory)?,
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page).map_err(|error| Failure::Environment(error.to_string()))?;
            print(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Outcome::Good)
}

fn write(command: Command, directory: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::Environment(format!("cannot write manual pages to {}: {error}", directory.display()))
    };
    std::fs::create_dir_all(directory).map_err(failed)?;
    clap_mangen::generate_to(command, directory).map_err(failed)
}
