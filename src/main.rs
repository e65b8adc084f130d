//! The command-line tool: see the library for what it does.

fn main() -> std::process::ExitCode {
    posproof::cli::run()
}
