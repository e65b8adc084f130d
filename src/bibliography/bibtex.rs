//! BibTeX.

use super::{Document, NOT_GIVEN};
use std::fmt::Write;

/// How posproof itself is cited; `CITATION.cff` says the same.
pub const AUTHOR: &str = "The posproof developers";

/// The title of posproof in citations.
pub const TITLE: &str = "posproof: the mathematics of transformer positional encodings, settled";

/// The version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The address of the sources, where `Cargo.toml` states one.
pub const REPOSITORY: Option<&str> =
    if env!("CARGO_PKG_REPOSITORY").is_empty() { None } else { Some(env!("CARGO_PKG_REPOSITORY")) };

/// An entry: kind, key and fields, whose values are plain text. `@misc` is known to every style.
///
/// ```
/// use posproof::bibliography::bibtex::entry;
/// assert_eq!(entry("a", &[("title", "50 % of {x_i}".into())]), "@misc{a,\n  title = {50 \\% of \\{x\\_i\\}},\n}\n");
/// ```
pub fn entry(key: &str, fields: &[(&str, String)]) -> String {
    let mut text = format!("@misc{{{key},\n");
    for (name, value) in fields {
        // An address is not typeset: \url takes it as it is.
        let value = if *name == "howpublished" { format!("\\url{{{value}}}") } else { escaped(value) };
        let _ = writeln!(text, "  {name} = {{{value}}},");
    }
    text + "}\n"
}

/// Text with what TeX takes for markup escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped += "\\textbackslash{}",
            '^' => escaped += "\\textasciicircum{}",
            '~' => escaped += "\\textasciitilde{}",
            '{' | '}' | '%' | '&' | '#' | '$' | '_' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// The entry of something that posproof found: a title, and the command that repeats it.
pub fn finding(id: &str, title: &str, command: &str) -> String {
    let mut fields = vec![
        // Braces keep the name of a group in one piece.
        ("author", AUTHOR.to_owned()),
        ("title", format!("{title} (posproof {id})")),
        ("version", VERSION.to_owned()),
        ("note", format!("{TITLE}, version {VERSION}. Repeat with: {command}")),
    ];
    fields.extend(REPOSITORY.map(|address| ("howpublished", address.to_owned())));
    entry(&format!("posproof:{id}"), &fields).replacen(AUTHOR, &format!("{{{AUTHOR}}}"), 1)
}

/// The entry of a document.
pub fn document(document: Document) -> String {
    let record = document.record();
    let mut fields = Vec::new();
    fields.extend(record.author.map(|author| ("author", author.text.to_owned())));
    fields.push(("title", record.title.map_or(record.name, |title| title.text).to_owned()));
    fields.extend(record.date.map(|date| ("date", date.text.to_owned())));
    fields.extend(record.address.map(|address| ("howpublished", address.text.to_owned())));
    let absent = record.fields().into_iter().filter(|(_, given)| given.is_none());
    let absent: Vec<&str> = absent.map(|(name, _)| name).collect();
    let by = record.fields().into_iter().filter_map(|(name, given)| Some(format!("{name} from {}", given?.by)));
    let by: Vec<String> =
        by.filter(|by| ![super::HEADING, super::literature::LISTING].iter().any(|usual| by.ends_with(usual))).collect();
    let mut note = vec![record.kind.to_owned()];
    note.extend(by);
    if !absent.is_empty() {
        note.push(format!("{} {NOT_GIVEN}", absent.join(" and ")));
    }
    fields.push(("note", note.join("; ")));
    entry(record.key, &fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_say_what_they_give() {
        let post = document(Document::LinearRelationships);
        assert!(post.starts_with("@misc{linear-relationships,\n  author = {Timo},\n"), "{post}");
        assert!(post.contains("howpublished = {\\url{https://timodenk.com/blog/linear-"), "{post}");
        assert!(post.contains("date not given"), "{post}");
        let notes = document(Document::LectureNotes);
        assert!(notes.contains("title and author and date and address not given"), "{notes}");
    }

    #[test]
    fn findings_name_the_command_that_repeats_them() {
        let text = finding("shift.linearity", "T(k) PE(t) = PE(t+k)", "posproof show shift.linearity");
        assert!(
            text.starts_with("@misc{posproof:shift.linearity,\n  author = {{The posproof developers}},\n"),
            "{text}"
        );
        assert!(text.contains("Repeat with: posproof show shift.linearity"), "{text}");
        let braces = |c| text.matches(c).count();
        assert_eq!(braces('{'), braces('}'));
    }

    #[test]
    fn the_citation_file_says_the_same() {
        let file = include_str!("../../CITATION.cff");
        for line in [format!("title: \"{TITLE}\""), format!("version: {VERSION}"), format!("- name: \"{AUTHOR}\"")] {
            assert!(file.contains(&line), "CITATION.cff lacks {line}");
        }
        let address = file.lines().find_map(|line| line.strip_prefix("repository-code: "));
        assert_eq!(address.map(|address| address.trim_matches('"')), REPOSITORY, "CITATION.cff and Cargo.toml");
    }
}
