//! Help, completions and manual pages.

use super::{run, run_in};

/// The help of a command, and that it fits a terminal.
fn help(arguments: &[&str]) -> String {
    let (status, out, err) = run(arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

#[test]
fn without_a_verb_there_is_short_help_with_three_examples() {
    let (status, out, err) = run(&[]);
    assert_eq!((status, err.as_str()), (0, ""));
    for example in ["posproof check rope", "posproof identify sinusoid", "posproof verify"] {
        assert!(out.contains(example), "{example} is missing from:\n{out}");
    }
    assert!(out.lines().count() <= 40, "{out}");
}

/// Help that cannot be shown is no success, and no panic.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in [&["--help"][..], &["-h"], &["--version"], &["check", "rope", "--help"], &[]] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_posproof"));
        let output = command.args(arguments).stdout(full()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {err}");
        assert!(err.starts_with("posproof: cannot write to standard output: "), "{arguments:?}: {err}");
    }
    // What is wrong is wrong, and notes are notes, where nobody can be told either.
    for arguments in
        [&["--no-such-option"][..], &["check", "rope", "--dim", "x"], &["bound", "rope", "--dim", "8", "--base", "1"]]
    {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_posproof"));
        let status = command.args(arguments).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.json");
    std::fs::write(&config, r#"{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}"#).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_posproof"));
    let bound = ["bound", "rope", "--positions", "0..9", "--config"];
    let status = command.args(bound).arg(config).stdout(std::process::Stdio::null()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn long_help_names_the_exit_statuses_and_every_verb() {
    let out = help(&["--help"]);
    let verbs = [
        "verify",
        "list",
        "show",
        "report",
        "bound",
        "check",
        "compare",
        "identify",
        "judge",
        "lint",
        "positions",
        "probe",
        "table",
        "tolerance",
        "sweep",
        "merge",
        "prove",
        "completions",
        "man",
    ];
    for word in verbs.into_iter().chain(["Exit status"]) {
        assert!(out.contains(word), "{word} is missing from:\n{out}");
    }
}

/// As many lines as a terminal of 27 shows without scrolling twice.
const LINES: usize = 54;

#[test]
fn short_help_is_short_grouped_and_has_examples_and_what_is_required() {
    for (subject, required) in [
        ("sinusoid", "--table <ARRAY> --dim <D>"),
        ("rope", "--cos <ARRAY> --sin <ARRAY> --dim <D>"),
        ("rotation", "--x <ARRAY> --y <ARRAY> --dim <D>"),
    ] {
        let out = help(&["check", subject, "-h"]);
        assert!(out.lines().count() <= LINES, "{} lines:\n{out}", out.lines().count());
        let usage = format!("posproof check {subject} {required}");
        for part in [usage.as_str(), "Input (", "Encoding:", "Judging:", "Examples:", "--help"] {
            assert!(out.contains(part), "{part} is missing from:\n{out}");
        }
    }
    for verb in [
        "check",
        "compare",
        "identify",
        "positions",
        "judge",
        "lint",
        "probe",
        "table",
        "tolerance",
        "sweep",
        "merge",
        "bound",
        "verify",
        "report",
        "cite",
        "completions",
        "man",
    ] {
        assert!(help(&[verb, "-h"]).contains("Examples:"), "{verb}");
    }
}

#[test]
fn long_help_has_every_option() {
    let out = help(&["check", "rope", "--help"]);
    for option in ["--position-offset", "--amplitude", "--beta-fast", "--long-factor", "--direction", "--layer-type"] {
        assert!(out.contains(option), "{option} is missing from:\n{out}");
    }
}

/// A sinusoidal table has no rotary options, and refuses them.
#[test]
fn sinusoids_list_no_options_of_rope() {
    for verb in ["check", "probe"] {
        let out = help(&[verb, "sinusoid", "--help"]);
        for option in ["--scaling", "--rotary-dim", "--config", "--layer-type", "--factor", "--beta-fast"] {
            assert!(!out.contains(option), "{verb} sinusoid lists {option}:\n{out}");
        }
    }
    let (status, _, err) = run(&["check", "sinusoid", "--table", "pe.npy", "--dim", "8", "--rotary-dim", "4"]);
    assert!(status == 2 && err.contains("--rotary-dim"), "{err}");
}

#[test]
fn completions_know_every_verb() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = help(&["completions", shell]);
        for word in ["verify", "identify", "tolerance", "completions", "rotary-dim"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let (status, _, err) = run(&["completions", "tcsh"]);
    assert!(status == 2 && err.contains("zsh"), "{err}");
}

#[cfg(unix)]
#[test]
fn the_shell_can_read_its_completions() {
    // From a file: the script is longer than an argument may be.
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("completions");
    std::fs::write(&script, help(&["completions", "bash"])).unwrap();
    let check = std::process::Command::new("bash").arg("-n").arg(&script).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    assert!(help(&["man"]).contains(".TH posproof 1"));
    let folder = tempfile::tempdir().unwrap();
    let (status, _, err) = run_in(folder.path(), &["man", "--out", "share/man1"]);
    assert_eq!(status, 0, "{err}");
    for page in [
        "posproof.1",
        "posproof-verify.1",
        "posproof-check.1",
        "posproof-check-rope.1",
        "posproof-table.1",
        "posproof-tolerance.1",
    ] {
        let text = std::fs::read_to_string(folder.path().join("share/man1").join(page)).expect(page);
        assert!(text.contains(".TH") && text.contains("OPTIONS"), "{page}: {text}");
    }
}
