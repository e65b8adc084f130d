//! The rows themselves: names, numbers, citations, and the table of the documentation.

use posproof_check::Code;
use posproof_check::faults::{Fault, catalogue, catalogue_by_subject};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn names_are_unique_and_codes_are_used() {
    let names: BTreeSet<&str> = catalogue().map(|fault| fault.name).collect();
    assert_eq!(names.len(), catalogue().count());
    for code in Code::ALL {
        assert!(catalogue().any(|fault| fault.code == code), "no fault is {code}");
    }
    let cases: Vec<&str> = catalogue().flat_map(|fault| fault.cases).map(|case| case.name).collect();
    assert_eq!(cases.iter().collect::<BTreeSet<_>>().len(), cases.len(), "two cases of one name: {cases:?}");
}

#[test]
fn the_schema_lists_every_code() {
    let text = std::fs::read_to_string(repository("schemas/posproof.check-1.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    let listed = schema["$defs"]["finding"]["properties"]["code"]["enum"].as_array().expect("codes");
    for code in Code::ALL {
        assert!(listed.iter().any(|listed| listed == code.name()), "the schema lacks {code}");
        assert_eq!(serde_json::to_value(code).unwrap(), code.to_string());
    }
}

#[test]
fn citations_name_a_thread_and_say_what_is_in_it() {
    let mut said: BTreeMap<&str, &str> = BTreeMap::new();
    for fault in catalogue() {
        for thread in fault.threads {
            let (repository, number) = thread.name.split_once('#').unwrap_or((thread.name, "1"));
            assert_eq!(repository.split('/').count(), 2, "{}: owner/repository", thread.name);
            assert!(number.parse::<u32>().is_ok(), "{}: a number", thread.name);
            assert!(thread.says.len() > 20, "{} of {} says nothing", thread.name, fault.name);
            let before = said.insert(thread.name, thread.says);
            assert!(before.is_none_or(|before| before == thread.says), "{} says two things", thread.name);
        }
    }
    assert!(said.len() > 30, "{} threads", said.len());
}

#[test]
fn negative_vectors_are_numbered_in_the_order_of_their_file() {
    let mut places: Vec<usize> = catalogue().filter_map(|fault| fault.vectors.as_ref()).map(|v| v.place).collect();
    places.sort_unstable();
    assert_eq!(places, (1..=places.len()).collect::<Vec<_>>());
}

/// A row of a table of the documentation.
fn row(fault: &Fault) -> String {
    let thread =
        |thread: &posproof_check::faults::Thread| format!("[{}]({}): {}", thread.name, thread.address(), thread.says);
    let threads: Vec<String> = fault.threads.iter().map(thread).collect();
    let cells = [format!("`{}`", fault.code), fault.cause.to_owned(), fault.advice.to_owned(), threads.join("; ")];
    format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// The tables of findings, one for each subject: rows by code, in the order of the codes.
fn tables() -> String {
    let table = |(subject, faults): (&str, Vec<&Fault>)| {
        let mut lines =
            vec![format!("Of {subject}:\n\n| code | cause | what to do | seen in |\n| --- | --- | --- | --- |")];
        for code in Code::ALL {
            lines.extend(faults.iter().filter(|fault| fault.code == code).map(|fault| row(fault)));
        }
        lines.join("\n")
    };
    catalogue_by_subject().map(table).join("\n\n")
}

/// Where the tables stand in the page.
const MARKS: (&str, &str) = ("<!-- faults: begin -->\n", "\n<!-- faults: end -->");

#[test]
fn the_page_shows_the_catalogue() {
    let path = repository("docs/findings.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(MARKS.0).expect("the beginning of the table");
    let (shown, after) = rest.split_once(MARKS.1).expect("the end of the table");
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{}{}{}{after}", MARKS.0, tables(), MARKS.1)).unwrap();
        return;
    }
    assert!(shown == tables(), "docs/findings.md differs from the catalogue; accept it with POSPROOF_WRITE_DOCS=1");
}
