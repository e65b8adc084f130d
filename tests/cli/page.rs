//! `posproof check … --html`: the page, and when it is not written.

use super::{posproof, refused, run_in};
use std::fs;

const CHECK: [&str; 9] = ["check", "rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--dim", "16", "--base"];

/// A folder with a correctly rounded cache.
fn folder(positions: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let table = ["table", "rope", "--dim", "16", "--positions", positions, "--out", "c.npz"];
    let (status, out, err) = run_in(folder.path(), &table);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    folder
}

fn check<'a>(base: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    CHECK.iter().copied().chain([base, "--html", "out.html"]).chain(more.iter().copied()).collect()
}

/// The marks of a class, in all pictures.
fn marks(page: &str, class: &str) -> usize {
    let of = |part: &str| part.split("/>").next().unwrap().matches('M').count();
    page.split(&format!("<path class=\"{class}\" d=\"")).skip(1).map(of).sum()
}

#[test]
fn the_page_shows_what_is_beyond_the_bound() {
    let folder = folder("0..300");
    let (status, out, err) = run_in(folder.path(), &check("10000", &[]));
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<h1>posproof: rope conforms</h1>"), "{page}");
    assert_eq!((marks(&page, "within"), marks(&page, "beyond")), (300 + 8, 0), "rows and pairs");
    // Another base: position 0 and pair 0 are those of every base.
    let (status, _, err) = run_in(folder.path(), &check("20000", &["--force"]));
    assert_eq!((status, err.as_str()), (1, ""));
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("does not conform</h1>") && page.contains("other-base"), "{page}");
    assert_eq!((marks(&page, "within"), marks(&page, "beyond")), (1 + 1, 299 + 7));
    for part in ["<script", "http://", "https://", "<img"] {
        assert!(!page.contains(part), "{part}: a page that asks the network");
    }
}

#[test]
fn a_page_that_exists_is_kept_and_an_input_is_never_replaced() {
    let folder = folder("0..30");
    fs::write(folder.path().join("out.html"), "mine").unwrap();
    let err = refused(folder.path(), &check("10000", &[]));
    assert!(err.contains("out.html") && err.contains("--force"), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("out.html")).unwrap(), "mine");
    let before = fs::read(folder.path().join("c.npz")).unwrap();
    let over = CHECK.iter().copied().chain(["10000", "--html", "c.npz", "--force"]).collect::<Vec<_>>();
    let err = refused(folder.path(), &over);
    assert!(err.contains("would replace"), "{err}");
    assert_eq!(fs::read(folder.path().join("c.npz")).unwrap(), before);
    // An input that cannot be judged leaves no page.
    let (status, ..) = run_in(folder.path(), &[&CHECK[..7], &["18", "--html", "none.html"]].concat());
    assert_eq!((status, folder.path().join("none.html").exists()), (2, false));
}

#[test]
fn axes_and_rows_in_any_order_have_a_page() {
    let folder = folder("0..40");
    let axes = ["check", "rope", "--cos", "c.npz:cos", "--dim", "16", "--axis", "t:0..8", "--positions", "0..40"];
    let output = posproof().current_dir(folder.path()).args(axes).args(["--html", "axes.html"]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{err}");
    let page = fs::read_to_string(folder.path().join("axes.html")).unwrap();
    assert_eq!(marks(&page, "within"), 40 + 8, "{page}");
    assert!(page.contains("<b>Error by position</b>"), "{page}");
    // Packed rows have places of their own.
    let packed = &["--positions", "0..20,0..20", "--verbose"];
    let (status, out, err) = run_in(folder.path(), &check("10000", packed));
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("worst: row ") && out.contains(", position "), "{out}");
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert_eq!((marks(&page, "within"), marks(&page, "beyond")), (20, 20 + 8), "{page}");
    assert!(page.contains("<b>Error by row</b>") && page.contains("<th scope=\"row\">20, 0</th>"), "{page}");
}
