//! The Coq development: what can be seen in its text, and, where Coq is installed, that `prove` passes
//! and that every attack turns it red.
//!
//! The tests that run Coq are ignored by plain `cargo test`, with the reason; `scripts/test` runs them.

mod accumulators;
mod attacks;
mod certificates;
mod claim_certificates;
mod close;
mod copy;
mod dialect;
mod edits;
mod formulas;
mod input;
mod kernels;
mod libraries;
mod logits;
mod narrow;
mod recursions;
mod scaled;

use assert_cmd::Command;
use copy::Copy;
use posproof::claim::Ledger;
use posproof::proof::audit::static_findings;
use posproof::proof::coverage::role;
use posproof::proof::{RULES, table};
use posproof_coq_audit::Development;
use posproof_coq_audit::pins::Pins;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs")
}

fn development() -> Development {
    posproof::proof::read(&proofs()).expect("the Coq sources are readable")
}

/// Every claim has its theorem, and its refutation where it is false as written; every theorem has its
/// claim; the comments are the claims' texts; nothing is left open or assumed.
#[test]
fn claims_and_theorems_are_the_same_and_nothing_is_left_open() {
    let findings: Vec<String> = static_findings(&development()).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn every_theorem_is_pinned_and_every_pin_has_its_theorem() {
    let development = development();
    let theorems: BTreeSet<_> =
        development.theorems().map(|(source, theorem)| (&source.module, &theorem.name)).collect();
    let pins = development.pins.files.iter();
    let pinned: BTreeSet<_> =
        pins.flat_map(|(file, pins)| pins.theorems.keys().map(move |name| (file, name))).collect();
    assert_eq!(theorems, pinned, "after review: posproof prove --accept");
}

/// The rows of a section of the README: the cells between the claim and its theorems, and these.
fn rows(readme: &str, heading: &str) -> BTreeMap<String, (Vec<String>, BTreeSet<String>)> {
    let (_, section) = readme.split_once(heading).expect("the section");
    let section = section.split("\n## ").next().expect("a section");
    let mut rows = BTreeMap::new();
    for row in section.lines().filter(|row| row.starts_with("| ")).skip(2) {
        let row = row.strip_prefix("| ").and_then(|row| row.strip_suffix(" |")).expect("a row");
        let cells: Vec<&str> = row.split(" | ").map(str::trim).collect();
        let [claim, middle @ .., links] = cells.as_slice() else { panic!("{row}") };
        let links = links.split_whitespace().map(str::to_owned).collect();
        let middle = middle.iter().map(|cell| (*cell).to_owned()).collect();
        assert!(rows.insert((*claim).to_owned(), (middle, links)).is_none(), "{claim} has one row");
    }
    rows
}

/// A claim whose theorem is of the whole, and whose row in the ledger has two more figures.
const SAYS_MORE: &str = "base.power-law";

/// Two tables of the README have a row for each claim of a ledger, and each row names the claim's theorem, its refutation
/// where there is one, and its corollaries, as they are pinned. A claim that has corollaries of a part alone says so.
#[test]
fn every_row_of_the_readme_names_the_pinned_theorems_of_its_claim() {
    let readme = fs::read_to_string(proofs().join("README.md")).expect("proofs/README.md");
    let development = development();
    let mut whole = BTreeMap::new();
    for (ledger, heading) in
        [(Ledger::Documents, "## The ledger's every word"), (Ledger::Literature, "## The literature, row by row")]
    {
        let rows = rows(&readme, heading);
        let claims = posproof::claims::of(ledger);
        let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, pins) in &development.pins.files {
            let source = development.source(file).expect("the file");
            for theorem in source.theorems.iter().filter(|theorem| pins.theorems.contains_key(&theorem.name)) {
                if let (Some(id), _) = role(theorem)
                    && claims.iter().any(|claim| claim.about().id == id)
                {
                    expected.entry(id).or_default().insert(format!("[`{}`]({file}.v)", theorem.name));
                }
            }
        }
        let named: BTreeMap<String, BTreeSet<String>> =
            rows.iter().map(|(claim, (_, links))| (claim.clone(), links.clone())).collect();
        assert_eq!(named, expected);
        for claim in &claims {
            let about = claim.about();
            let (cells, _) = &rows[about.id];
            let in_part = cells.get(1).is_some_and(|left| left.starts_with("in part"));
            assert_eq!(in_part, !about.parts().is_empty() || about.id == SAYS_MORE, "{}", about.id);
            *whole.entry(ledger == Ledger::Documents).or_insert(0usize) += usize::from(!in_part);
        }
    }
    let counts = |documents: bool| if documents { Ledger::Documents } else { Ledger::Literature };
    let count = |documents: bool| posproof::claims::of(counts(documents)).len();
    let sentence = format!(
        "So {} of the {} rows of the two ledgers are whole, all {} of the documents and {} of {} of the literature.",
        whole[&true] + whole[&false],
        count(true) + count(false),
        count(true),
        whole[&false],
        count(false)
    );
    assert_eq!(whole[&true], count(true));
    let text = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&sentence), "proofs/README.md: {sentence}");
}

#[test]
fn no_pinned_theorem_rests_on_an_axiom_that_is_not_allowed() {
    let development = development();
    for (name, theorem) in development.pins.files.values().flat_map(|pins| &pins.theorems) {
        let beyond: Vec<_> = theorem.axioms.iter().filter(|axiom| !RULES.axioms.contains(&axiom.as_str())).collect();
        assert!(beyond.is_empty(), "{name}: {beyond:?}");
    }
}

#[test]
fn pin_files_are_as_the_program_writes_them() {
    let pins = development().pins;
    assert_eq!(Pins::parse(&pins.to_texts()).expect("well-formed"), pins);
    for (module, text) in pins.to_texts() {
        let path = proofs().join("audit").join(format!("{module}.pin"));
        assert_eq!(fs::read_to_string(&path).expect("a pin file"), text, "{module}");
    }
}

#[test]
fn the_tables_of_the_readme_are_those_of_the_sources_and_the_pins() {
    let readme = fs::read_to_string(proofs().join("README.md")).expect("proofs/README.md");
    let (_, found) = readme.split_once(table::BEGIN).expect("the line before the tables");
    assert_eq!(found, table::tables(&development()), "posproof prove --accept writes them");
}

/// `prove` as a separate process: exit status, standard output, standard error.
fn prove(arguments: &[&str], cache: &Path, environment: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("posproof").expect("the binary");
    command.arg("prove").args(arguments).env("XDG_CACHE_HOME", cache).envs(environment.iter().copied());
    let output = command.output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit status"), text(output.stdout), text(output.stderr))
}

#[test]
fn without_coq_the_status_is_four_and_the_message_says_how_to_install_it() {
    let empty = tempfile::tempdir().expect("a directory");
    let nowhere = empty.path().to_str().expect("UTF-8");
    let (status, out, err) = prove(&[], empty.path(), &[("PATH", nowhere), ("COQBIN", "")]);
    assert_eq!((status, out.as_str()), (4, ""), "{err}");
    assert!(err.contains("coqc is not installed") && err.contains("apt-get install coq"), "{err}");
}

#[test]
fn unknown_names_and_places_are_usage_errors() {
    let empty = tempfile::tempdir().expect("a directory");
    let (status, _, err) = prove(&["shift.linearty"], empty.path(), &[]);
    assert!(status == 2 && err.contains("shift.linearity"), "{status}: {err}");
    let nowhere = empty.path().join("nowhere");
    let (status, _, err) = prove(&["--proofs", nowhere.to_str().expect("UTF-8")], empty.path(), &[]);
    assert!(status == 2 && err.contains("nowhere"), "{status}: {err}");
    assert_eq!(prove(&["--jobs", "0"], empty.path(), &[]).0, 2);
    assert_eq!(prove(&["--accept", "shift"], empty.path(), &[]).0, 2);
}

/// Without an audit `verify` says so; it never says "proved" unasked.
#[test]
fn verify_says_not_run_where_no_audit_is_remembered() {
    let empty = tempfile::tempdir().expect("a directory");
    let evidence = formal_evidence(empty.path(), &proofs());
    assert_eq!(evidence["status"], "not-run");
    assert!(evidence["reason"].as_str().expect("a reason").contains("posproof prove"), "{evidence}");
}

/// The formal evidence of `verify` for shift.linearity, run beside a directory of proofs.
fn formal_evidence(cache: &Path, proofs: &Path) -> Value {
    let mut command = Command::cargo_bin("posproof").expect("the binary");
    command.args(["verify", "shift.linearity", "--effort", "quick", "--systems", "exact", "--json"]);
    command.env("XDG_CACHE_HOME", cache).current_dir(proofs.parent().expect("a parent"));
    let output = command.output().expect("the command runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    document["claims"][0]["evidence"][0].clone()
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn the_proofs_pass_and_verify_remembers_it() {
    let copy = Copy::new();
    assert_eq!(formal_evidence(&copy.path("cache"), &copy.proofs())["status"], "not-run");
    let (status, document) = copy.prove(&[]);
    assert_eq!((status, &document["schema"]), (0, &Value::from("posproof.prove/1")), "{document}");
    assert!(document["theorems"].as_array().expect("theorems").iter().all(|theorem| theorem["proved"] == true));
    // The build directory is a copy: nothing had to be compiled again.
    let files = document["files"].as_object().expect("files");
    assert!(files.values().all(|status| status == "unchanged"), "{files:?}");
    let evidence = formal_evidence(&copy.path("cache"), &copy.proofs());
    assert_eq!((&evidence["kind"], &evidence["status"]), (&Value::from("formal"), &Value::from("proved")));
    assert!(evidence["axioms"].as_array().is_some_and(|axioms| !axioms.is_empty()), "{evidence}");
    // Any change of the sources, even of a comment, is another development.
    copy.replace("Shift.v", "(** * The linear relation", "(** * A linear relation");
    assert_eq!(formal_evidence(&copy.path("cache"), &copy.proofs())["status"], "not-run");
}

/// The proofs still go through: only the pins and the ledger tell.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn weaker_and_deleted_theorems_are_found_and_cannot_be_accepted_against_the_ledger() {
    let copy = Copy::new();
    let weaker = "Theorem encoding_integer (B : R) (_ : 0 < B) :";
    copy.replace("Alternatives.v", "Theorem encoding_integer (B : R) :", weaker);
    copy.replace("Alternatives.v", "(** encoding.integer:", "(** encoding.integer: For positive B:");
    copy.replace("Alternatives.v", "Theorem encoding_fraction", "Lemma fraction_hides");
    copy.is_red(&[
        ("statement", "encoding_integer"),
        ("header", "encoding_integer"),
        ("missing", "encoding_fraction"),
        ("coverage", "encoding.fraction"),
    ]);
    assert_eq!(formal_evidence(&copy.path("cache"), &copy.proofs())["status"], "failed");
    let pin = || fs::read_to_string(copy.proofs().join("audit/Alternatives.pin")).expect("a pin file");
    let before = pin();
    assert_eq!(copy.prove(&["--accept"]).0, 1);
    assert_eq!(pin(), before, "nothing is accepted while a comment is not the claim's text");
}
