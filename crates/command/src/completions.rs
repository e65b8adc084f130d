//! `posproof completions SHELL`: completions, from the definitions of the arguments.

use super::{Failure, Outcome, print};
use clap::{Args, Command};
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "Examples:
  posproof completions bash > ~/.local/share/bash-completion/completions/posproof
  posproof completions zsh > ~/.zfunc/_posproof
  posproof completions fish > ~/.config/fish/completions/posproof.fish";

/// Runs the verb, for a command.
pub fn run(arguments: &CompletionsArguments, mut command: Command) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "posproof", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Good)
}
