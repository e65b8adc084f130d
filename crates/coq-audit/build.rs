//! Says in one line that m4 is missing, before GMP's build says it in hundreds. Of the crates beside that build this one
//! is compiled early, and belongs to the ledger alone: whoever does without GMP does without it.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_here = |folder: PathBuf| folder.join("m4").is_file() || folder.join("m4.exe").is_file();
    if !std::env::split_paths(&path).any(is_here) {
        println!("cargo::warning=m4 is missing, and GMP's build needs it: run `sh scripts/setup`, or install m4");
        // A file that is never there: the next build looks again.
        println!("cargo::rerun-if-changed=m4-is-missing");
    }
}
