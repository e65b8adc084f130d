//! The pages for people: their sentences are short, their links lead somewhere, their counts are the ledger's.

use posproof::claim::Ledger;
use posproof::claims;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Pages whose sentences are held to the rules of CONTRIBUTING.md.
const SHORT: &[&str] =
    &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/stability.md"];

/// Pages that programs write, whole or nearly so: their words are the ledger's, the atlas's, or those of a sheet.
const GENERATED: &[&str] = &["atlas", "findings", "ledger", "literature", "models", "scores"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Pages in `docs/`, by name.
fn guides() -> Vec<String> {
    let names = fs::read_dir(root().join("docs")).expect("docs/").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| format!("docs/{}", name.to_string_lossy())).collect();
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    names
}

/// Sentences of paragraphs and list items, as words; code blocks, tables and headings have none.
fn sentences(text: &str) -> Vec<Vec<String>> {
    let (mut sentences, mut prose, mut hidden) = (Vec::new(), String::new(), 0);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_) | Tag::Heading { .. }) => hidden += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Table | TagEnd::Heading(_)) => hidden -= 1,
            Event::Text(text) | Event::Code(text) if hidden == 0 => prose.push_str(&text),
            Event::SoftBreak | Event::HardBreak => prose.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                let mut words = Vec::new();
                for word in prose.split_whitespace() {
                    words.push(word.to_owned());
                    if word.trim_end_matches(['"', ')', '*']).ends_with(['.', '?', '!']) {
                        sentences.push(std::mem::take(&mut words));
                    }
                }
                if words.len() > 1 {
                    sentences.push(words);
                }
                prose.clear();
            }
            _ => {}
        }
    }
    sentences
}

/// Number of words in each sentence, sorted.
fn lengths(text: &str) -> Vec<usize> {
    let mut lengths: Vec<usize> = sentences(text).iter().map(Vec::len).collect();
    lengths.sort_unstable();
    lengths
}

#[test]
fn sentences_are_short() {
    for name in SHORT {
        let text = page(name);
        let lengths = lengths(&text);
        let median = lengths.get(lengths.len() / 2).copied().expect("sentences");
        assert!(median <= 16, "{name}: the median sentence has {median} words; at most 16");
        let long: Vec<String> =
            sentences(&text).iter().filter(|words| words.len() > 30).map(|words| words.join(" ")).collect();
        assert!(long.is_empty(), "{name}: sentences of more than 30 words: {long:#?}");
        for words in sentences(&text) {
            let opening = words.first().expect("a word");
            let asks = words.last().is_some_and(|word| word.ends_with('?'));
            assert!(asks || !["What", "Whether", "Who"].contains(&opening.as_str()), "{name}: {}", words.join(" "));
        }
    }
}

#[test]
fn the_readme_is_short() {
    let lines = page("README.md").lines().count();
    assert!(lines <= 150, "README.md has {lines} lines; at most 150");
}

/// A guide answers one question on a page that is read at a sitting.
#[test]
fn guides_are_read_at_a_sitting() {
    let generated: Vec<String> = GENERATED.iter().map(|name| format!("docs/{name}.md")).collect();
    for name in guides().iter().filter(|name| !generated.contains(name)) {
        let text = page(name);
        let lines = text.lines().count();
        assert!(lines <= 250, "{name} has {lines} lines; at most 250");
        let lengths = lengths(&text);
        let at = |share: usize| lengths.get(lengths.len() * share / 100).copied().unwrap_or(0);
        assert!(at(50) <= 16, "{name}: the median sentence has {} words; at most 16", at(50));
        assert!(at(90) <= 25, "{name}: one sentence of ten has {} words or more; at most 25", at(90));
        for words in sentences(&text) {
            let asks = words.last().is_some_and(|word| word.ends_with('?'));
            let opening = words.first().expect("a word");
            assert!(asks || !["What", "Whether", "Who"].contains(&opening.as_str()), "{name}: {}", words.join(" "));
        }
    }
}

/// The measures of every guide: a change for the worse is seen in the snapshot.
#[test]
fn the_measures_of_the_guides() {
    let mut table = format!("{:24}{:>10}{:>8}{:>8}{:>14}\n", "page", "sentences", "median", "90 %", "semicolons, ‰");
    for name in guides() {
        let text = page(&name);
        let lengths = lengths(&text);
        let words: usize = lengths.iter().sum();
        let at = |share: usize| lengths.get(lengths.len() * share / 100).copied().unwrap_or(0);
        let semicolons = sentences(&text).iter().flatten().filter(|word| word.ends_with(';')).count();
        let rate = (1000 * semicolons).checked_div(words).unwrap_or(0);
        table += &format!("{name:24}{:>10}{:>8}{:>8}{rate:>14}\n", lengths.len(), at(50), at(90));
    }
    insta::assert_snapshot!("guides", table);
}

/// Texts of the doc comments in a folder's Rust sources, each with its file.
fn comments(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(comments(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut text = String::new();
            for line in source.lines().chain([""]) {
                match line.trim_start().strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
                    Some(comment) => text += &format!("{}\n", comment.strip_prefix(' ').unwrap_or(comment)),
                    None if text.is_empty() => {}
                    None => found.push((path.clone(), std::mem::take(&mut text))),
                }
            }
        }
    }
    found
}

/// Ceilings of the doc comments of a room, to be lowered: words of the median, of nine sentences of ten, and sentences of
/// more than 30 words in a thousand.
const COMMENTS: [usize; 3] = [13, 26, 64];

#[test]
fn doc_comments_are_short() {
    let rooms = fs::read_dir(root().join("crates")).expect("crates/").map(|entry| entry.expect("an entry").path());
    let folders = rooms.map(|room| room.join("src")).chain(["src", "tests"].map(|name| root().join(name)));
    for folder in folders {
        let mut lengths = Vec::new();
        for (path, text) in comments(&folder) {
            let sentences = sentences(&text);
            if let Some(first) = sentences.first().filter(|words| words.last().is_some_and(|word| word.ends_with('.')))
            {
                let opens = ["What", "Whether", "Who", "How"].contains(&first[0].as_str());
                assert!(!opens, "{}: {}: open with the noun", path.display(), first.join(" "));
            }
            lengths.extend(sentences.iter().map(Vec::len));
        }
        lengths.sort_unstable();
        let at = |share: usize| lengths.get(lengths.len() * share / 100).copied().unwrap_or(0);
        let long = lengths.iter().filter(|words| **words > 30).count();
        let found = [at(50), at(90), (1000 * long).checked_div(lengths.len()).unwrap_or(0)];
        let exceeds = found.iter().zip(COMMENTS).any(|(found, most)| *found > most);
        assert!(!exceeds, "{}: {found:?}, at most {COMMENTS:?}", folder.display());
    }
}

/// Rust sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let of = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let mut paths: Vec<PathBuf> = entries.flat_map(|entry| of(entry.expect("an entry").path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths
}

/// The name of the type that a line at the margin declares.
fn declared(line: &str) -> Option<&str> {
    let visible = line.strip_prefix("pub").map_or(line, |rest| match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(") ").map_or(rest, |(_, rest)| rest),
        None => rest.trim_start(),
    });
    let name = ["struct ", "enum ", "trait ", "type ", "union "].iter().find_map(|kind| visible.strip_prefix(kind))?;
    name.split(|letter: char| !letter.is_alphanumeric()).next().filter(|name| !name.is_empty())
}

/// A type's name means one thing in a crate. Claims are named by their ids.
#[test]
fn a_name_of_a_type_means_one_thing() {
    let rooms = fs::read_dir(root().join("crates")).expect("crates/").map(|entry| entry.expect("an entry").path());
    let (mut twice, claims) = (Vec::new(), root().join("src/claims"));
    for folder in rooms.map(|room| room.join("src")).chain([root().join("src")]) {
        let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        for path in sources(&folder).into_iter().filter(|path| !path.starts_with(&claims)) {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for name in text.lines().filter_map(declared) {
                places.entry(name.to_owned()).or_default().insert(path.clone());
            }
        }
        assert!(!places.is_empty(), "{}: no type was found", folder.display());
        places.retain(|_, files| files.len() > 1);
        twice.extend(places);
    }
    assert!(twice.is_empty(), "{twice:#?}");
}

/// Every link to a file, and every file named in code, is there.
#[test]
fn names_of_files_lead_somewhere() {
    let guides = guides();
    for name in SHORT.iter().copied().chain(guides.iter().map(String::as_str)) {
        let text = page(name);
        let folder = Path::new(name).parent().expect("a folder");
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
            let target = dest_url.split('#').next().expect("a part");
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            assert!(root().join(folder).join(target).exists(), "{name} links to {target}, which is not there");
        }
    }
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        for event in Parser::new_ext(&page(name), Options::ENABLE_TABLES) {
            let Event::Code(code) = event else { continue };
            let is_path = code.contains('/') && !code.contains([' ', '=', '…', '*']) && code.to_uppercase() != *code;
            let is_path = is_path && !code.contains("SUBJECT");
            assert!(!is_path || found(&code), "{name} names {code}, which is not there");
        }
    }
}

/// A path from the root, or from the room of the judge, as ARCHITECTURE.md shortens it.
fn found(path: &str) -> bool {
    ["", "crates", "crates/check/src"].iter().any(|folder| root().join(folder).join(path).exists())
}

/// Rooms that a room may touch, as its row of ARCHITECTURE.md names them.
fn named(page: &str, room: &str) -> BTreeSet<String> {
    let row = page.lines().find(|line| line.starts_with(&format!("| `crates/{room}` |")));
    let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for crates/{room}"));
    let last = row.trim_end_matches('|').rsplit('|').next().expect("a column").trim();
    if last == "nothing of ours" { BTreeSet::new() } else { last.split(", ").map(str::to_owned).collect() }
}

/// The manifests depend on the rooms that the page names, and on those that these touch: no more, and no fewer.
#[test]
fn rooms_touch_what_the_page_says() {
    let page = page("ARCHITECTURE.md");
    for room in fs::read_dir(root().join("crates")).expect("crates/") {
        let room = room.expect("a room").file_name().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(root().join("crates").join(&room).join("Cargo.toml")).expect("a manifest");
        let dependencies = manifest.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next());
        let names = dependencies.unwrap_or_default().lines().filter_map(|line| line.strip_prefix("posproof-"));
        let used: BTreeSet<String> =
            names.map(|line| line.split([' ', '.']).next().unwrap_or(line).to_owned()).collect();
        let named_here = named(&page, &room);
        let (mut allowed, mut open) = (BTreeSet::new(), Vec::from_iter(named_here.clone()));
        while let Some(next) = open.pop() {
            if allowed.insert(next.clone()) {
                open.extend(named(&page, &next));
            }
        }
        assert!(named_here.is_subset(&used), "crates/{room}: the page names {named_here:?}, the manifest {used:?}");
        assert!(used.is_subset(&allowed), "crates/{room} depends on {used:?}: the page allows {allowed:?}");
    }
}

#[test]
fn the_readme_counts_the_claims() {
    let text = page("README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let count = |ledger| claims::of(ledger).len();
    let sentence = format!(
        "Five documents make {} claims about positional encodings, and papers on RoPE make {} more.",
        count(Ledger::Documents),
        count(Ledger::Literature)
    );
    assert!(text.contains(&sentence), "README.md should say: {sentence}");
}
