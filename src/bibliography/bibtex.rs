//! BibTeX.

use super::{Document, NOT_GIVEN};
use std::fmt::Write;

/// Citation of posproof itself; `CITATION.cff` says the same.
pub const AUTHOR: &str = "The posproof developers";

/// The title of posproof in citations.
pub const TITLE: &str = "posproof: the mathematics of transformer positional encodings, settled";

/// The version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The day of that version, in ISO 8601.
pub const RELEASED: &str = "2026-11-22";

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

/// A date in ISO 8601 at the end of words or before a comma, as of `2021-04, version 5` and `ICML 2026`, and the other words.
fn dated(text: &str) -> (Option<&str>, String) {
    let is_date = |word: &&str| {
        let parts: Vec<&str> = word.split('-').collect();
        let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        parts.iter().all(digits) && matches!(lengths[..], [4] | [4, 2] | [4, 2, 2])
    };
    let (first, rest) = text.split_once(", ").unwrap_or((text, ""));
    match first.split(' ').find(is_date) {
        Some(date) if date == first => (Some(date), rest.to_owned()),
        date => (date, text.to_owned()),
    }
}

/// `year`, which BibTeX reads, and `date`, which biblatex does.
fn date_fields(date: &str) -> [(&'static str, String); 2] {
    [("year", date.chars().take(4).collect()), ("date", date.to_owned())]
}

/// The entry of something that posproof found: a title without formulas, and the command that repeats it.
pub fn finding(id: &str, title: &str, command: &str) -> String {
    let [year, date] = date_fields(RELEASED);
    let mut fields = vec![
        // Braces keep the name of a group in one piece.
        ("author", AUTHOR.to_owned()),
        ("title", format!("{title} (posproof {id})")),
        year,
        date,
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
    // Entries without an author are sorted by their key.
    fields.push(record.author.map_or(("key", record.key.to_owned()), |author| ("author", author.text.to_owned())));
    fields.push(("title", record.title.map_or(record.name, |title| title.text).to_owned()));
    let (date, edition) = record.date.map(|date| dated(date.text)).unwrap_or_default();
    fields.extend(date.into_iter().flat_map(date_fields));
    fields.extend(record.address.map(|address| ("howpublished", address.text.to_owned())));
    let absent = record.fields().into_iter().filter(|(_, given)| given.is_none());
    let absent: Vec<&str> = absent.map(|(name, _)| name).collect();
    let by = record.fields().into_iter().filter_map(|(name, given)| Some(format!("{name} from {}", given?.by)));
    let by: Vec<String> =
        by.filter(|by| ![super::HEADING, super::literature::LISTING].iter().any(|usual| by.ends_with(usual))).collect();
    let mut note = vec![record.kind.to_owned()];
    note.extend(Some(edition).filter(|edition| !edition.is_empty()));
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
        assert!(notes.starts_with("@misc{lecture-notes,\n  key = {lecture-notes},\n"), "{notes}");
        assert!(notes.contains("title and author and date and address not given"), "{notes}");
    }

    /// Years that BibTeX sorts by, dates that biblatex reads; what else is said of a date stands in the note.
    #[test]
    fn dates_are_iso_8601() {
        for source in Document::ALL {
            let text = document(source);
            let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("  {name} = {{")));
            assert_eq!(field("year").is_some(), source.record().date.is_some(), "{text}");
            let Some((year, date)) = field("year").zip(field("date")) else { continue };
            assert!(date.starts_with(year.trim_end_matches("},")), "{text}");
            assert!(date.trim_end_matches("},").bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'), "{text}");
        }
        assert!(document(Document::RoFormer).contains("date = {2021-04}"));
        assert!(document(Document::RoFormer).contains("; version 5"));
        assert!(document(Document::CompassRope).contains("year = {2026},\n  date = {2026},"));
    }

    #[test]
    fn findings_name_the_command_that_repeats_them() {
        let text = finding("shift.linearity", "T(k) PE(t) = PE(t+k)", "posproof show shift.linearity");
        assert!(
            text.starts_with("@misc{posproof:shift.linearity,\n  author = {{The posproof developers}},\n"),
            "{text}"
        );
        assert!(text.contains("  year = {2026},\n  date = {2026-11-22},\n"), "{text}");
        assert!(text.contains("Repeat with: posproof show shift.linearity"), "{text}");
        let braces = |c| text.matches(c).count();
        assert_eq!(braces('{'), braces('}'));
    }

    #[test]
    fn the_citation_file_says_the_same() {
        let file = include_str!("../../CITATION.cff");
        for line in [
            format!("title: \"{TITLE}\""),
            format!("date-released: {RELEASED}"),
            format!("version: {VERSION}"),
            format!("- name: \"{AUTHOR}\""),
        ] {
            assert!(file.contains(&line), "CITATION.cff lacks {line}");
        }
        let address = file.lines().find_map(|line| line.strip_prefix("repository-code: "));
        assert_eq!(address.map(|address| address.trim_matches('"')), REPOSITORY, "CITATION.cff and Cargo.toml");
    }
}
