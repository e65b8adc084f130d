//! The traces of kernels as `proofs/RoundingTraces.v` has them: `POSPROOF_WRITE_TRACES=1` writes that file.

mod bits;

use posproof_numerics::trace::Traced;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the file begins, and where it ends.
const HEAD: &str = include_str!("head.v");
const FOOT: &str = "\nEnd Traces.\n";

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs")
}

fn kernels() -> Vec<Traced> {
    let table = posproof_table::trace::kernels().expect("one trace for each kernel");
    let bound = posproof_bound::trace::kernels().expect("one trace for each kernel");
    bound.into_iter().chain(table).collect()
}

#[test]
fn the_traces_are_those_that_theorems_speak_of() {
    let kernels = kernels();
    let names: BTreeSet<&str> = kernels.iter().map(|kernel| kernel.trace.name()).collect();
    assert_eq!(names.len(), kernels.len(), "names are different");
    let texts: Vec<String> = kernels.iter().map(|kernel| kernel.trace.text()).collect();
    let text = format!("{HEAD}\n{}{FOOT}", texts.join("\n"));
    let path = proofs().join("RoundingTraces.v");
    if std::env::var_os("POSPROOF_WRITE_TRACES").is_some() {
        std::fs::write(&path, &text).expect("the file is written");
    }
    let found = std::fs::read_to_string(&path).expect("proofs/RoundingTraces.v");
    assert_eq!(
        found, text,
        "a kernel has changed: POSPROOF_WRITE_TRACES=1 writes its trace, and prove tells whether its theorem holds"
    );
}
