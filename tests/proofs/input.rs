//! Words of `prove` on pins that are missing, stale or edited, and on a Coq that is not the one it needs.

use super::copy::Copy;
use super::{proofs, prove};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const THEOREM: &str = "rope.pair-layout";

/// The copy with something done to its pins, and `prove` of one theorem on it.
fn with_pins(spoil: impl FnOnce(&Path)) -> (i32, String) {
    let copy = Copy::new();
    spoil(&copy.proofs().join("audit"));
    let (status, out, err) = copy.prove_with(&[THEOREM], &[]);
    (status, out + &err)
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn pins_that_are_missing_or_stale_are_findings() {
    let (status, text) = with_pins(|pins| fs::remove_file(pins.join("RotaryLayout.pin")).expect("a file"));
    assert!(status == 1 && text.contains("not pinned: there is no audit/RotaryLayout.pin"), "{status}: {text}");
    let (status, text) = with_pins(|pins| fs::remove_dir_all(pins).expect("a directory"));
    assert!(status == 1 && text.contains("not pinned: there is no audit/Encoding.pin"), "{status}: {text}");
    // A pin of a file that is no more, and none of the file that took its place.
    let (status, text) = with_pins(|pins| {
        fs::rename(pins.join("RotaryLayout.pin"), pins.join("Layouts.pin")).expect("a pin file");
    });
    assert!(status == 1 && text.contains("pinned, but Layouts.v does not have it any more"), "{status}: {text}");
}

#[test]
fn a_pin_file_that_was_edited_is_named_with_the_line() {
    let place = tempfile::tempdir().expect("a directory");
    let copy = place.path().join("proofs");
    fs::create_dir_all(copy.join("audit")).expect("a directory");
    for file in ["Encoding.v", "RealMatrix.v", "Pairs.v"] {
        fs::copy(proofs().join(file), copy.join(file)).expect("a copy");
    }
    let pinned = fs::read_to_string(proofs().join("audit/Encoding.pin")).expect("a pin file");
    for (edited, line) in [
        (format!("theorem none\n{pinned}"), 2),
        (
            pinned.replacen("\nin full\n", "\nin fine\n", 1),
            1 + pinned.lines().position(|line| line == "in full").expect("a hash"),
        ),
        ("\u{0}".to_owned(), 1),
    ] {
        fs::write(copy.join("audit/Encoding.pin"), edited).expect("a pin file");
        let (status, out, err) = prove(&["--proofs", copy.to_str().expect("UTF-8")], place.path(), &[]);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(&format!("audit/Encoding.pin, line {line}:")), "{err}");
    }
}

/// A directory with programs in the place of Coq's.
fn tools(coqc: &str, coqchk: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    for (name, script) in [("coqc", coqc), ("coqchk", coqchk)] {
        let path: PathBuf = place.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script that runs");
    }
    place
}

fn prove_with(tools: &tempfile::TempDir) -> (i32, String, String) {
    let path = format!("{}:/usr/bin:/bin", tools.path().display());
    let cache = tempfile::tempdir().expect("a directory");
    prove(&[THEOREM], cache.path(), &[("PATH", &path), ("COQBIN", "")])
}

const CHECKER: &str = "echo The Coq Proof Checker, version 8.16.1";

#[test]
fn another_version_of_coq_is_named() {
    for (printed, found) in [("9.0.0 4.14.2", "9.0.0"), ("8.160.0", "8.160.0"), ("8.17.1", "8.17.1"), ("", "none")] {
        let (status, out, err) = prove_with(&tools(&format!("echo {printed}"), CHECKER));
        assert_eq!((status, out.as_str()), (4, ""), "{err}");
        assert!(err.contains("checked with Coq 8.16") && err.contains(&format!("found {found}")), "{found}: {err}");
    }
    let (status, _, err) = prove_with(&tools("echo 8.16.1 4.13.1", "echo The Coq Proof Checker, version 8.17.0"));
    assert!(status == 4 && err.contains("coqc is of version 8.16.1, coqchk of 8.17.0"), "{status}: {err}");
    let (status, _, err) = prove_with(&tools("exit 1", CHECKER));
    assert!(status == 4 && err.contains("coqc is not installed"), "{status}: {err}");
}

/// Only `--print-version` answered: nothing is compiled, and what is missing is not taken for proved.
#[test]
fn a_coq_that_does_nothing_proves_nothing() {
    let (status, out, err) = prove_with(&tools("echo 8.16.1 4.13.1", CHECKER));
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("coqc ended well, but wrote no RealMatrix.vo") && out.contains("0 proved"), "{out}");
}

#[test]
fn a_library_that_is_missing_is_named() {
    let coqc = "case \"$1\" in --print-version) echo 8.16.1 4.13.1;; *) ! grep -q Flocq libraries.v;; esac";
    let (status, out, err) = prove_with(&tools(coqc, CHECKER));
    assert_eq!((status, out.as_str()), (4, ""), "{err}");
    assert!(err.contains("the Coq library Flocq is not installed"), "{err}");
}

/// Whoever ends `prove` ends the tools that it started, and what these started.
#[test]
fn a_prove_that_is_terminated_leaves_no_tool_running() {
    let place = tempfile::tempdir().expect("a directory");
    let started = place.path().join("started");
    // The tool itself and a process of its own.
    let coqc = format!(
        "case \"$1\" in --print-version) echo 8.16.1;; -where) echo /nowhere;; *) sleep 600 & echo $$ $! > {0}.part; mv {0}.part {0}; wait;; esac",
        started.display()
    );
    let tools = tools(&coqc, CHECKER);
    let path = format!("{}:/usr/bin:/bin", tools.path().display());
    let mut prove = std::process::Command::new(assert_cmd::cargo::cargo_bin("posproof"))
        .args(["prove", THEOREM])
        .env("PATH", path)
        .env("COQBIN", "")
        .env("XDG_CACHE_HOME", place.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command runs");
    let soon = |holds: &dyn Fn() -> bool| {
        (0..600).any(|_| {
            holds() || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                false
            }
        })
    };
    assert!(soon(&|| started.is_file()), "no tool was started");
    let processes = fs::read_to_string(&started).expect("process ids");
    let signal = |signal: &str, process: &str| {
        let mut kill = std::process::Command::new("kill");
        kill.args([signal, process]).stderr(std::process::Stdio::null()).status().expect("kill runs").success()
    };
    assert!(processes.split_whitespace().all(|process| signal("-0", process)), "{processes}");
    assert!(signal("-TERM", &prove.id().to_string()));
    let status = prove.wait().expect("it ends");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15), "{status}");
    let ended = |process: &str| {
        // A process that ended and for which nobody waits is a zombie.
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    assert!(soon(&|| processes.split_whitespace().all(ended)), "{processes}");
}
