//! The command line: output and exit status, for right and for wrong arguments.

mod attention;
mod axes;
mod axes_beside;
mod claims;
mod config;
mod examples;
mod files;
mod graphs;
mod help;
mod judge;
mod ledger;
mod ledgers;
mod libraries;
mod lint;
mod messages;
mod orders;
mod outputs;
mod page;
mod positions;
mod rows;
mod schemas;
mod sweep;
mod tolerance;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn posproof() -> Command {
    let mut command = Command::cargo_bin("posproof").expect("the binary");
    command.env_remove("CLICOLOR_FORCE");
    // What this machine remembers of earlier audits is not the tests' business; nothing is written there.
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-cache"));
    // What hangs ends. The whole ledger takes a minute on a slow machine, and more beside other work.
    command.timeout(std::time::Duration::from_secs(1200));
    command
}

/// Exit status, standard output, standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(Path::new("."), arguments)
}

/// The same in a directory.
fn run_in(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = posproof().current_dir(directory).args(arguments).output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit status"), text(output.stdout), text(output.stderr))
}

/// The document of a command that succeeds.
fn json(arguments: &[&str]) -> Value {
    let (status, out, err) = run(arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&out).expect("one JSON document")
}

/// The message of a refusal: exit status 2, nothing on standard output, no panic.
fn refused(directory: &Path, arguments: &[&str]) -> String {
    let (status, out, err) = run_in(directory, arguments);
    assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
    assert!(!err.contains("panicked") && !err.contains("backtrace"), "{err}");
    err
}
