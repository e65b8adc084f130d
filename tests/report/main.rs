//! `posproof report`: what it writes, and how the page behaves in a browser.

mod browser;
mod colours;
mod command;
mod escape;
mod explore;
mod judgement;
mod notation;
mod page;
mod sensitivity;

use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Claims that the tests report on: few, to stay fast.
const CLAIMS: [&str; 3] = ["shift.linearity", "shift.base-1000", "toeplitz.dot-product"];

/// Runs `posproof report` on these claims at quick effort.
fn report(out: &Path, more: &[&str]) -> Output {
    let mut command = assert_cmd::Command::cargo_bin("posproof").expect("the binary");
    command.arg("report").args(CLAIMS).args(["--effort", "quick", "--out"]).arg(out).args(more);
    command.env_remove("CLICOLOR_FORCE").output().expect("the command runs")
}

/// A report that the tests share, and do not change.
fn shared() -> &'static Path {
    static REPORT: OnceLock<TempDir> = OnceLock::new();
    REPORT
        .get_or_init(|| {
            let place = TempDir::new().expect("a directory");
            let output = report(&place.path().join("report"), &[]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            place
        })
        .path()
}
