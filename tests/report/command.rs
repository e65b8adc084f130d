//! The files of a report, and what stands in its way.

use super::{CLAIMS, report, shared};
use posproof::report::pages::configuration::bound_command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// All files below a directory.
fn files(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => {
                    let name = entry.path().strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                    found.insert(name, fs::read_to_string(entry.path()).unwrap());
                }
            }
        }
    }
    found
}

#[test]
fn a_report_has_a_page_for_everything_and_the_same_bytes_each_time() {
    let first = files(&shared().join("report"));
    for claim in CLAIMS {
        let page = &first[&format!("claims/{claim}.md")];
        assert!(page.contains(&format!("posproof show {claim} --effort quick --seed 1")), "{page}");
        assert!(first["index.html"].contains(claim));
    }
    for name in ["index.md", "subjects/shift.md", "bounds/llama-3.md", "figures/errors.md", "report.json"] {
        assert!(first.contains_key(name), "{name}");
    }
    let place = tempfile::tempdir().unwrap();
    let again = place.path().join("elsewhere");
    assert!(report(&again, &[]).status.success());
    for (name, text) in files(&again) {
        assert!(first.get(&name) == Some(&text), "{name} differs");
    }
}

#[test]
fn the_json_holds_what_was_verified_and_the_bounds() {
    let text = fs::read_to_string(shared().join("report/report.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    posproof_schema::validate(&document);
    assert_eq!(document["schema"], "posproof.report/1");
    assert_eq!(document["verification"]["schema"], "posproof.verify/1");
    assert_eq!(document["verification"]["tally"]["claims"], CLAIMS.len());
    let configurations = document["configurations"].as_array().unwrap();
    assert_eq!(configurations.len(), posproof::bound::configurations().len());
    for configuration in configurations {
        assert_eq!(configuration["study"]["schema"], "posproof.bound/1");
        for found in configuration["findings"].as_array().unwrap() {
            let number = |value: &Value| value.as_str().unwrap().parse::<f64>().unwrap();
            assert_eq!(found["above"], 0, "{found}");
            assert!(number(&found["error"][0]) <= number(&found["instance"]), "{found}");
            assert!(found["comparisons"].as_u64().unwrap() > 0, "{found}");
        }
    }
    let listed: Vec<&str> = document["files"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let written = files(&shared().join("report"));
    assert_eq!(listed, written.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_commands_that_repeat_a_configuration_say_what_it_is() {
    let text = fs::read_to_string(shared().join("report/report.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    for configuration in document["configurations"].as_array().unwrap() {
        let command = configuration["command"].as_str().unwrap().replace("--worst", "--pairs 1");
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let output = assert_cmd::Command::cargo_bin("posproof").unwrap().args(words).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["convention"], configuration["convention"], "{command}");
    }
}

#[test]
fn news_comes_first_theorems_and_documents_are_told() {
    let pages = files(&shared().join("report"));
    let index = &pages["index.html"];
    // The claims of this report are right in their documents, but for one.
    let errors = CLAIMS.iter().filter(|id| {
        let claim = posproof::claims::all().into_iter().find(|claim| claim.about().id == **id);
        claim.is_some_and(|claim| posproof::report::news::is_error(claim.about()))
    });
    assert_eq!(errors.count(), 1);
    assert!(index.contains("<h1 id=\"summary-heading\">1 error found in 1 document</h1>"), "the headline");
    assert!(pages["index.md"].starts_with("# 1 error found in 1 document\n"));
    assert!(index.find("class=\"story\"") < index.find("class=\"tiles\""), "news before counts");
    let page = &pages["claims/shift.linearity.md"];
    assert!(page.contains("## In Coq: the claim") && page.contains("Encoding.PE h omega (t + k)"), "{page}");
    for document in posproof::bibliography::Document::ALL {
        assert!(index.contains(&format!("id=\"document.{}\"", document.record().key)));
    }
    assert!(index.contains("href=\"https://timodenk.com/blog/linear-relationships"), "the address that the notes give");
}

#[test]
fn links_between_markdown_pages_lead_somewhere() {
    let pages = files(&shared().join("report"));
    let mut followed = 0;
    for (name, text) in pages.iter().filter(|(name, _)| name.ends_with(".md")) {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = match link.strip_prefix("../") {
                Some(rest) => rest.to_owned(),
                None if folder.is_empty() => link.to_owned(),
                None => format!("{folder}/{link}"),
            };
            assert!(pages.contains_key(&target), "{name}: {link}");
            followed += 1;
        }
    }
    assert!(followed > 2 * CLAIMS.len(), "{followed}");
}

#[test]
fn markdown_is_read_as_it_is_meant() {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    let mut tables = 0;
    for (name, text) in files(&shared().join("report")).iter().filter(|(name, _)| name.ends_with(".md")) {
        let rules = text.lines().filter(|line| line.starts_with("| ---")).count();
        let mut found = 0;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Table(_)) => found += 1,
                Event::Html(markup) | Event::InlineHtml(markup) => panic!("{name}: {markup}"),
                _ => {}
            }
        }
        assert_eq!(found, rules, "{name}: every table is read as one");
        tables += found;
    }
    assert!(tables > 20, "{tables}");
    let page = fs::read_to_string(shared().join("report/claims/shift.linearity.md")).unwrap();
    let mut words = String::new();
    for event in Parser::new(&page) {
        if let Event::Text(part) | Event::Code(part) = event {
            words += &part;
        }
    }
    let claim = posproof::claims::all().into_iter().find(|claim| claim.about().id == "shift.linearity").unwrap();
    assert!(words.contains(claim.about().statement), "{words}");
}

#[test]
fn the_page_asks_nothing_of_the_network() {
    let page = fs::read_to_string(shared().join("report/index.html")).unwrap();
    for attribute in ["src=\"", "href=\"", "url(", "@import"] {
        for (before, rest) in page.match_indices(attribute).map(|(at, _)| page.split_at(at)) {
            let rest = &rest[attribute.len()..];
            // A link asks for nothing until it is followed.
            let link = before.ends_with("<a ") && rest.starts_with("https://");
            let own = rest.starts_with('#') || rest.starts_with("data:");
            assert!(own || link, "{attribute}{}", &rest[..40.min(rest.len())]);
        }
    }
}

#[test]
fn a_directory_that_is_no_report_is_left_alone_before_any_work() {
    let place = tempfile::tempdir().unwrap();
    let precious = place.path().join("thesis.tex");
    fs::write(&precious, "x").unwrap();
    let output = report(place.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("--force") && message.contains("not a former report"), "{message}");
    assert_eq!(fs::read_to_string(&precious).unwrap(), "x");
    let output = report(Path::new("."), &["--force"]);
    assert_eq!(output.status.code(), Some(2), "the current directory is never replaced");
    let output = report(&precious.join("below-a-file"), &[]);
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Where no directory can be made, as in /proc, which is so for root too.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_fails_before_any_work() {
    for out in ["/proc/posproof", "/proc/posproof/deep/down"] {
        let start = std::time::Instant::now();
        let (out, err, status) = run(&["report", "shift", "--effort", "exhaustive", "--out", out]);
        assert!(status == Some(4) && out.is_empty() && err.starts_with("posproof: /proc: "), "{status:?} {err}");
        // The work takes minutes.
        assert!(start.elapsed() < std::time::Duration::from_secs(20));
    }
}

/// Output of a command, and its exit status.
fn run(words: &[&str]) -> (String, String, Option<i32>) {
    let output = assert_cmd::Command::cargo_bin("posproof").unwrap().args(words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn show_tells_the_theorem_and_the_documents() {
    let (page, _, status) = run(&["show", "shift.base-1000", "--effort", "quick"]);
    assert_eq!(status, Some(0), "{page}");
    for part in [
        "In Coq: shift_base_1000 (the claim, proofs/Shift.v)",
        "In Coq: shift_base_1000_as_written_false (refutes the claim as written, proofs/Shift.v)",
        "axioms: sig_forall_dec, sig_not_dec, classic, functional_extensionality_dep",
        "title: Transformer - positional embedding (its heading)",
        "author: not given",
        "posproof cite shift.base-1000",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn cite_prints_what_a_bibliography_takes() {
    let bounds = posproof::bound::configurations().into_iter().map(|configuration| {
        let longest = configuration.lengths.iter().max().unwrap();
        (format!("bound.{}", configuration.name), bound_command(&configuration, *longest).unwrap())
    });
    let others = [
        ("bound.llama-3", "posproof bound rope --dim 128 --base 500000 --positions 0..131072 --dtype f32"),
        ("table.transformer", "posproof table sinusoid --dim 512 --base 10000 --positions 0..131072 --dtype f32"),
        ("toeplitz.printed-values", "posproof show toeplitz.printed-values --effort standard --seed 1\n"),
    ];
    for (id, command) in bounds.chain(others.map(|(id, command)| (id.to_owned(), command.to_owned()))) {
        let (text, _, status) = run(&["cite", &id]);
        assert_eq!(status, Some(0), "{id}");
        assert!(text.contains(&format!("@misc{{posproof:{id},")), "{text}");
        assert!(text.contains(&format!("% Repeat with: {command}")) && text.starts_with('%'), "{text}");
        let documents = if id == "toeplitz.printed-values" { 1 } else { 0 };
        assert_eq!(text.matches("@misc{").count(), 1 + documents, "the finding and its document: {text}");
    }
    for (mistaken, near) in [("shift.linearty", "shift.linearity"), ("bound.lama-3", "bound.llama-3")] {
        let (_, message, status) = run(&["cite", mistaken]);
        assert_eq!(status, Some(2));
        assert!(message.contains(near), "{message}");
    }
}

/// Formulas in Unicode are for the comment above an entry, which BibTeX passes over.
#[test]
fn entries_have_a_year_and_no_mathematics_in_unicode() {
    let mut ids: Vec<String> = posproof::claims::all().iter().map(|entry| entry.about().id.to_owned()).collect();
    // One of each subject, and every configuration.
    ids.dedup_by(|a, b| a.split('.').next() == b.split('.').next());
    for configuration in posproof::bound::configurations() {
        ids.extend([format!("bound.{}", configuration.name), format!("table.{}", configuration.name)]);
    }
    for id in ids {
        let (text, _, _) = run(&["cite", &id]);
        let entries: String =
            text.lines().filter(|line| !line.starts_with('%')).map(|line| format!("{line}\n")).collect();
        let (own, documents) = entries.split_once("\n\n").unwrap_or((&entries, ""));
        assert!(own.is_ascii() && own.contains("\n  year = {20") && !own.contains("\\textasciicircum"), "{own}");
        // Names and titles of others have letters and quotation marks.
        let strange = documents.chars().find(|c| !c.is_ascii() && !c.is_alphabetic() && !"’“”–".contains(*c));
        assert_eq!(strange, None, "{documents}");
    }
}
