//! The page's table of scores: the sheets of whole corpora, as they are kept.

use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A row for each criterion of each sheet; what is left out, and the exceptions, stay in the sheets.
fn table() -> String {
    let sheets = std::fs::read_dir(folder().join("tests/faults/sheets")).expect("the sheets");
    let mut paths: Vec<PathBuf> = sheets.map(|entry| entry.expect("a sheet").path()).collect();
    paths.retain(|path| !path.to_string_lossy().ends_with("-share.txt"));
    paths.sort();
    let mut lines = vec!["| corpus | what | holds of |".to_owned(), "| --- | --- | --- |".to_owned()];
    for path in paths {
        let sheet = std::fs::read_to_string(path).expect("a sheet");
        let mut rows = sheet.lines();
        let corpus = rows.next().expect("the name of the corpus");
        let scores = rows.filter(|row| !row.starts_with("left out, ") && !row.starts_with("not "));
        lines.extend(scores.map(|row| {
            let (criterion, holds) = row.split_once(": ").expect("a criterion and its score");
            format!("| {corpus} | {criterion} | {holds} |")
        }));
    }
    lines.join("\n")
}

/// Where the table stands in the page.
const MARKS: (&str, &str) = ("<!-- scores: begin -->\n", "\n<!-- scores: end -->");

#[test]
fn the_page_shows_the_scores_of_whole_corpora() {
    let path = folder().join("../../docs/findings.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(MARKS.0).expect("the beginning of the table");
    let (shown, after) = rest.split_once(MARKS.1).expect("the end of the table");
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{}{}{}{after}", MARKS.0, table(), MARKS.1)).expect("written");
        return;
    }
    assert!(shown == table(), "docs/findings.md differs from the sheets; accept it with POSPROOF_WRITE_DOCS=1");
}
