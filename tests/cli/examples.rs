//! The examples are what they say.

use super::{posproof, run, run_in};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// Compiles the program with one text of it replaced, and judges the arrays that it writes.
fn dumped([from, to]: [&str; 2]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let source = fs::read_to_string(example("dump_cache.c")).unwrap();
    assert!(source.contains(from), "{from}");
    fs::write(folder.path().join("dump.c"), source.replacen(from, to, 1)).unwrap();
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compile = ["-O2", "-Wall", "-Wextra", "-Werror", "dump.c", "-o", "dump", "-lm"];
    let compiled = Command::new(cc).current_dir(folder.path()).args(compile).output().expect("a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert!(Command::new(folder.path().join("dump")).current_dir(folder.path()).status().unwrap().success());
    let check = ["check", "rope", "--cos", "cos.npy", "--sin", "sin.npy", "--dim", "64", "--base", "10000"];
    let (status, out, err) = run_in(folder.path(), &check);
    (status, out + &err)
}

#[test]
fn the_dump_of_a_c_program_conforms_and_a_mistake_in_it_is_named() {
    let (status, told) = dumped(["fill();\n    if", "fill();\n    if"]);
    assert_eq!(status, 0, "{told}");
    let (status, told) = dumped(["-(float)pair / PAIRS", "-2.0f * (float)pair / PAIRS"]);
    assert_eq!(status, 1, "{told}");
    let (status, told) = dumped(["powf(10000.0f", "powf(20000.0f"]);
    assert!(status == 1 && told.contains("other-base"), "{told}");
}

/// Commands of the workflow are commands, with options that exist.
#[test]
fn the_workflow_calls_commands_that_exist() {
    let text = fs::read_to_string(example("workflow.yml")).unwrap();
    let commands: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("run: posproof ")).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        let output = posproof().current_dir(tempfile::tempdir().unwrap().path()).args(&words).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        // The files are not here; the options are.
        assert!(
            output.status.code() == Some(2) && ["model", "cache.npz"].iter().any(|file| err.contains(file)),
            "{command}: {err}"
        );
    }
    for script in ["scripts/setup", ".pre-commit-hooks.yaml"] {
        assert!(text.contains(script) && Path::new(env!("CARGO_MANIFEST_DIR")).join(script).exists(), "{script}");
    }
}

#[test]
fn names_are_known_in_any_spelling() {
    let expected = run(&["show", "shift.linearity", "--effort", "quick", "--systems", "exact"]);
    assert_eq!(expected.0, 0, "{}", expected.2);
    for spelling in ["shift_linearity", "Shift.Linearity", "shift::linearity", "SHIFT_LINEARITY"] {
        assert_eq!(run(&["show", spelling, "--effort", "quick", "--systems", "exact"]), expected, "{spelling}");
    }
    let cited = run(&["cite", "toeplitz.dot-product"]);
    assert_eq!(run(&["cite", "toeplitz_dot_product"]), cited);
    assert_eq!(run(&["cite", "Toeplitz_Dot_Produc"]).0, 2);
}

/// GMP's build takes m4, and says so after a minute, in hundreds of lines.
#[cfg(unix)]
#[test]
fn a_missing_m4_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/coq-audit/build.rs");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-o"]).arg(folder.path().join("build")).arg(script);
    assert!(rustc.status().unwrap().success());
    let said = |path: &Path| {
        let output = Command::new(folder.path().join("build")).env("PATH", path).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let warnings: Vec<String> =
        said(folder.path()).lines().filter(|line| line.starts_with("cargo::warning=")).map(str::to_owned).collect();
    assert!(warnings.len() == 1 && warnings[0].contains("scripts/setup"), "{warnings:?}");
    fs::write(folder.path().join("m4"), "").unwrap();
    assert!(!said(folder.path()).contains("warning"));
}
