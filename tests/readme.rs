//! The README's generated parts are what the program generates.

use posproof::claims;
use posproof::report::markdown;

/// The text between `<!-- name -->` and `<!-- end of name -->`.
fn part<'a>(readme: &'a str, name: &str) -> &'a str {
    let (_, rest) =
        readme.split_once(&format!("<!-- {name} -->\n")).unwrap_or_else(|| panic!("README.md lacks <!-- {name} -->"));
    rest.split_once(&format!("<!-- end of {name} -->"))
        .unwrap_or_else(|| panic!("README.md lacks <!-- end of {name} -->"))
        .0
}

fn compare(name: &str, expected: &str) {
    let readme = include_str!("../README.md");
    assert!(
        part(readme, name).trim() == expected.trim(),
        "the part `{name}` of README.md is out of date: replace it by\n\n{}\n\n(posproof list --markdown prints it)",
        expected.trim()
    );
}

#[test]
fn the_ledger_is_up_to_date() {
    let abouts: Vec<_> = claims::all().iter().map(|entry| entry.about()).collect();
    compare("ledger", &markdown::ledger(&abouts));
}

#[test]
fn the_corrections_are_up_to_date() {
    compare("corrections", &markdown::corrections(&claims::all()));
}
