//! The public surface of the crates that others depend on, as listings that a change must accept.
//!
//! Each listing names every public item by the path under which users reach it, with its signature: what is removed or
//! changed breaks somebody's code, what is added is promised from then on. `INSTA_UPDATE=always cargo test --test api`
//! writes the listings anew.

mod circles;
mod licences;
mod listing;
mod source;

use listing::listing;
use source::Module;

const CRATES: [&str; 7] = ["numerics", "encoding", "table", "bound", "check", "property", "sweep"];

/// Dependencies whose types do not appear in any signature, so that they can be replaced.
const HIDDEN: [&str; 8] = ["clap", "proptest", "rug", "serde_json", "nalgebra", "zip", "rayon", "tempfile"];

fn surface(name: &str) -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).join("src");
    listing(&Module::read(&root, &root.join("lib.rs")))
}

#[test]
fn public_items_are_the_listed_ones() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for name in CRATES {
            insta::assert_snapshot!(format!("posproof-{name}"), surface(name).join("\n"));
        }
    });
}

#[test]
fn no_signature_names_a_hidden_dependency() {
    for name in CRATES {
        for item in surface(name) {
            // serde_json's types are imported by these names.
            let words: Vec<&str> = item.split_whitespace().collect();
            assert!(!words.contains(&"Value") && !words.contains(&"Map"), "posproof-{name}: {item} names serde_json");
            // The two families of numbers are wrapped; their names would only come with a path.
            for dependency in HIDDEN.into_iter().chain(["dashu_float", "dashu_int", "dashu_ratio", "dashu_base"]) {
                assert!(!item.contains(&format!("{dependency} ::")), "posproof-{name}: {item} names {dependency}");
                assert!(!item.contains(&format!("{dependency}::")), "posproof-{name}: {item} names {dependency}");
            }
        }
    }
}

#[test]
fn the_listing_sees_what_is_added_removed_and_changed() {
    let of = |text: &str| listing(&Module::parse(text));
    let before = of("pub fn f(x: u32) -> u32 { x } mod inner { pub struct S { pub a: u8, b: u8 } } pub use inner::S;");
    assert_eq!(before, ["fn f (x : u32) -> u32", "struct S { a : u8 , .. }"]);
    assert_ne!(
        before,
        of("pub fn f(x: u64) -> u32 { 0 } mod inner { pub struct S { pub a: u8, b: u8 } } pub use inner::S;")
    );
    assert_eq!(
        of("mod inner { pub fn hidden() {} } fn private() {} #[cfg(test)] pub mod tests { pub fn t() {} }"),
        [""; 0]
    );
    assert_eq!(
        of("pub struct S; impl S { pub fn new() -> Self { S } fn private() {} }"),
        ["fn S :: new () -> Self", "struct S"]
    );
}
