//! The loaders in `docs/vectors.md` run, each in its language, and count the tests of every file.

use crate::format::{FILES, Vectors, path};
use std::path::Path;
use std::process::Command;

/// The first code block of a language.
fn block(language: &str) -> String {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/vectors.md")).unwrap();
    let (_, rest) = text.split_once(&format!("```{language}\n")).unwrap_or_else(|| panic!("no {language} block"));
    let code = rest.split_once("```").expect("an end of the block").0;
    assert!(code.lines().count() <= 20, "the {language} loader has {} lines", code.lines().count());
    code.to_owned()
}

/// Runs a program on each file of correct values; it prints how many entries it read.
fn run(mut program: impl FnMut(&Path) -> Command) {
    for file in &FILES[..3] {
        let output = program(&path(file)).output().expect("a program that starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
        let expected = 2 * Vectors::load(file).number_of_tests;
        assert_eq!(text.trim(), format!("{expected} entries"), "{file}");
    }
}

fn available(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn the_python_loader_runs() {
    if available("python3") {
        let code = block("python");
        run(|file| {
            let mut command = Command::new("python3");
            command.args(["-c", &code]).arg(file);
            command
        });
    }
}

#[test]
fn the_c_loader_runs() {
    if available("cc") {
        let directory = tempfile::tempdir().unwrap();
        let (source, program) = (directory.path().join("loader.c"), directory.path().join("loader"));
        std::fs::write(&source, block("c")).unwrap();
        let compiled = Command::new("cc").args(["-Wall", "-Werror", "-o"]).arg(&program).arg(&source).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        run(|file| {
            let mut command = Command::new(&program);
            command.arg(file);
            command
        });
    }
}

#[test]
fn the_rust_loader_runs() {
    let code = block("rust");
    assert!(code.contains("fn load("), "the loader is a function");
    for file in &FILES[..3] {
        assert_eq!(documented::load(path(file).to_str().unwrap()).len(), 2 * Vectors::load(file).number_of_tests);
    }
    assert!(include_str!("documented.rs").contains(code.trim()), "tests/vectors/documented.rs differs from the page");
}

#[path = "documented.rs"]
mod documented;
