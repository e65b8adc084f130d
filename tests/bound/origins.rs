//! Every theorem that a bound names is one of the Coq development.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn files(folder: &str, extension: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries =
        fs::read_dir(folder).expect("a folder of the repository").map(|entry| entry.expect("an entry").path());
    let wanted = entries.filter(|path| path.extension().is_some_and(|found| found == extension));
    wanted.map(|path| fs::read_to_string(path).expect("text")).collect()
}

#[test]
fn theorems_that_bounds_name_exist() {
    let named = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter(|word| word.starts_with("rounding_")).map(str::to_owned).collect()
    };
    let cited: BTreeSet<String> = files("crates/bound/src", "rs").iter().flat_map(|text| named(text)).collect();
    let declared =
        |line: &str| line.strip_prefix("Theorem ").and_then(|rest| rest.split_whitespace().next().map(str::to_owned));
    let theorems: BTreeSet<String> =
        files("proofs", "v").iter().flat_map(|text| text.lines().filter_map(declared).collect::<Vec<_>>()).collect();
    let missing: Vec<&String> = cited.difference(&theorems).collect();
    assert!(missing.is_empty(), "no theorems: {missing:?}");
    assert!(cited.len() > 20, "{cited:?}");
}
