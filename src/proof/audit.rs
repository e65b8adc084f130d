//! The audit: what Coq says against what is pinned, both ways.

use super::build::{self, Built, Event, Status};
use super::coq::{Coq, Lacking};
use super::coverage::{self, Role, role};
use super::finding::{Code, Finding};
use super::pins::{FilePins, Pins};
use super::query::{Answers, Theorem};
use super::{Development, source::Kind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The axioms that a theorem may depend upon: those of the real numbers, and excluded middle where
/// Flocq or Coquelicot needs it.
pub const ALLOWED_AXIOMS: [&str; 4] = [
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
];

/// One theorem after the audit.
#[derive(Clone, Debug, Serialize)]
pub struct Audited {
    /// Its name.
    pub theorem: String,
    /// The claim that it belongs to; none for rounding theorems.
    pub claim: Option<String>,
    /// What it is to the claim.
    pub role: Role,
    /// The file.
    pub file: String,
    /// Whether it compiles, was re-checked, and is as pinned.
    pub proved: bool,
    /// The axioms that it depends upon.
    pub axioms: Vec<String>,
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The theorems audited.
    pub theorems: Vec<Audited>,
    /// All that is wrong.
    pub findings: Vec<Finding>,
    /// What became of each file.
    pub files: BTreeMap<String, Status>,
    /// What Coq says, in the form of pins, where every file was looked at.
    pub printed: Option<Pins>,
}

/// Audits the theorems named, or all.
pub fn audit(
    coq: &Coq,
    development: &Development,
    selected: Option<&BTreeSet<String>>,
    directory: &Path,
    jobs: usize,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Audit, Lacking> {
    let chosen = |name: &str| selected.is_none_or(|selected| selected.contains(name));
    let with_chosen = development.theorems().filter(|(_, theorem)| chosen(&theorem.name));
    let modules = with_chosen.map(|(source, _)| source.module.clone());
    let wanted = match selected {
        Some(_) => build::closure(development, modules),
        None => development.sources.iter().map(|source| source.module.clone()).collect(),
    };
    let Built { files, answers, findings: mut broken } =
        build::build(coq, development, &wanted, directory, jobs, tell)?;
    let mut findings = static_findings(development);
    broken.sort_by(|a, b| a.subject.cmp(&b.subject));
    findings.extend(broken);
    let (printed, unprintable) = printed(development, &answers, &chosen);
    findings.extend(unprintable);
    let seen = |module: &str| answers.contains_key(module);
    findings.extend(drift(development, &printed, selected.is_none(), &seen, &chosen));
    let theorems = theorems(development, &answers, &files, &findings, &chosen);
    let complete = selected.is_none() && answers.len() == development.sources.len();
    Ok(Audit { theorems, findings, files, printed: complete.then_some(printed) })
}

/// What is wrong with the sources as text: no Coq is needed to see it.
pub fn static_findings(development: &Development) -> Vec<Finding> {
    let claims: Vec<_> = crate::claims::all().into_iter().map(|entry| entry.about()).collect();
    let mut findings = coverage::forbidden(development);
    findings.extend(coverage::findings(development, &claims));
    findings
}

/// The chosen theorems and the definitions that their statements rest on, as pins.
fn printed(
    development: &Development,
    answers: &BTreeMap<String, Answers>,
    chosen: &dyn Fn(&str) -> bool,
) -> (Pins, Vec<Finding>) {
    let mut pins = Pins::default();
    let mut findings = Vec::new();
    let mut unread: Vec<String> = Vec::new();
    for (module, answers) in answers {
        for (name, theorem) in answers.theorems.iter().filter(|(name, _)| chosen(name)) {
            unread.extend(names(development, &theorem.statement));
            pins.files.entry(module.clone()).or_default().theorems.insert(name.clone(), theorem.clone());
        }
    }
    let mut read = BTreeSet::new();
    while let Some(name) = unread.pop() {
        if !read.insert(name.clone()) {
            continue;
        }
        let module = name.split('.').next().unwrap_or_default();
        match find(development, answers.get(module), &name) {
            Found::Body(place, text) => {
                unread.extend(names(development, text));
                let definitions = &mut pins.files.entry(module.to_owned()).or_default().definitions;
                definitions.insert(place.to_owned(), text.to_owned());
            }
            Found::Proof => {}
            Found::Nothing => {
                let message = "a statement rests on it, but it is no definition whose body the audit knows to print";
                findings.push(Finding::new(Code::Definition, &name, Some(format!("{module}.v")), message));
            }
        }
    }
    (pins, findings)
}

enum Found<'a> {
    /// A definition, or the record or inductive type that declares the name, and its text.
    Body(&'a str, &'a str),
    /// A lemma or a theorem: Coq's kernel has checked it, and its proof means nothing.
    Proof,
    Nothing,
}

fn find<'a>(development: &Development, answers: Option<&'a Answers>, name: &str) -> Found<'a> {
    let (module, inner) = name.split_once('.').unwrap_or((name, ""));
    if let Some((place, text)) = answers.and_then(|answers| answers.definitions.get_key_value(name)) {
        return Found::Body(place, text);
    }
    let declared = development.source(module).map_or(&[][..], |source| &source.declarations);
    if declared.iter().any(|declaration| declaration.kind != Kind::Definition && declaration.name == inner) {
        return Found::Proof;
    }
    let last = inner.rsplit('.').next().unwrap_or(inner);
    let declares = |text: &str| {
        ["Record", "Inductive", "CoInductive", "Variant"].iter().any(|keyword| text.starts_with(keyword))
            && words(text).any(|word| word == last)
    };
    let parent = answers.and_then(|answers| answers.definitions.iter().find(|(_, text)| declares(text)));
    parent.map_or(Found::Nothing, |(place, text)| Found::Body(place, text))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '.';
    text.split(move |c| !part(c)).map(|word| word.trim_matches('.'))
}

/// The names of the development in a printed text, each with its module.
fn names(development: &Development, text: &str) -> Vec<String> {
    let ours = |word: &&str| word.split_once('.').is_some_and(|(module, _)| development.source(module).is_some());
    words(text).map(|word| word.strip_prefix("Posproof.").unwrap_or(word)).filter(ours).map(str::to_owned).collect()
}

/// Differences between what is printed and what is pinned.
fn drift(
    development: &Development,
    printed: &Pins,
    complete: bool,
    seen: &dyn Fn(&str) -> bool,
    chosen: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let none = FilePins::default();
    let modules: BTreeSet<&String> = printed.files.keys().chain(development.pins.files.keys()).collect();
    for module in modules {
        let of = |pins: &'_ Pins| pins.files.get(module).cloned().unwrap_or_else(|| none.clone());
        let (now, pinned) = (of(printed), of(&development.pins));
        for (name, theorem) in &now.theorems {
            match pinned.theorems.get(name) {
                None => findings.push(unpinned(name, &theorem.statement, "theorem")),
                Some(pin) => findings.extend(differences(name, theorem, pin)),
            }
            let beyond: Vec<&str> =
                theorem.axioms.iter().map(String::as_str).filter(|axiom| !ALLOWED_AXIOMS.contains(axiom)).collect();
            if !beyond.is_empty() {
                let message = "it depends on axioms that no theorem of this development may use";
                let finding = Finding::new(Code::ForbiddenAxiom, name, None, message);
                findings.push(finding.differing(ALLOWED_AXIOMS.join("\n"), beyond.join("\n")));
            }
        }
        for (name, body) in &now.definitions {
            match pinned.definitions.get(name) {
                None => findings.push(unpinned(name, body, "definition")),
                Some(pin) if pin != body => {
                    let message = "a definition that statements rest on is not the pinned one";
                    findings.push(Finding::new(Code::Definition, name, None, message).differing(pin, body));
                }
                Some(_) => {}
            }
        }
        for (name, pin) in pinned.theorems.iter().filter(|(name, _)| chosen(name)) {
            let declared =
                development.source(module).is_some_and(|source| source.theorems().any(|found| found.name == *name));
            if !declared {
                let message = format!("the theorem is pinned, but {module}.v does not have it any more");
                findings.push(Finding::new(Code::Missing, name, None, message).differing(&pin.statement, "no theorem"));
            }
        }
        let gone = |name: &&String| complete && !now.definitions.contains_key(*name);
        for name in pinned.definitions.keys().filter(gone) {
            // A file that does not compile hides what its statements rest on.
            if development.sources.iter().all(|source| seen(&source.module)) {
                let message = "the definition is pinned, but no statement rests on it any more";
                findings.push(Finding::new(Code::Definition, name, None, message));
            }
        }
    }
    findings
}

fn unpinned(name: &str, found: &str, what: &str) -> Finding {
    let message = format!("the {what} is not pinned");
    Finding::new(Code::Unpinned, name, None, message).differing("a pin", found)
}

fn differences(name: &str, found: &Theorem, pin: &Theorem) -> Vec<Finding> {
    let mut findings = Vec::new();
    if found.statement != pin.statement {
        let finding = Finding::new(Code::Statement, name, None, "the printed statement is not the pinned one");
        findings.push(finding.differing(&pin.statement, &found.statement));
    }
    if found.axioms != pin.axioms {
        let text = |axioms: &[String]| if axioms.is_empty() { "no axioms".to_owned() } else { axioms.join("\n") };
        let finding = Finding::new(Code::Axioms, name, None, "its axioms are not the pinned ones");
        findings.push(finding.differing(text(&pin.axioms), text(&found.axioms)));
    }
    findings
}

/// Each chosen theorem: proved where its file and all that it requires are sound and nothing was
/// found against it or against a definition.
fn theorems(
    development: &Development,
    answers: &BTreeMap<String, Answers>,
    files: &BTreeMap<String, Status>,
    findings: &[Finding],
    chosen: &dyn Fn(&str) -> bool,
) -> Vec<Audited> {
    let sound = |module: &String| matches!(files.get(module), Some(Status::Unchanged | Status::Checked));
    let general = findings.iter().any(|finding| matches!(finding.code, Code::Forbidden | Code::Definition));
    let audited = development.theorems().filter(|(_, theorem)| chosen(&theorem.name)).map(|(source, theorem)| {
        let name = &theorem.name;
        let found = answers.get(&source.module).and_then(|answers| answers.theorems.get(name));
        let (claim, role) = role(name, theorem.doc.as_deref());
        let against = |finding: &Finding| finding.subject == *name || Some(&finding.subject) == claim.as_ref();
        let rests_on = build::closure(development, [source.module.clone()]);
        let proved = found.is_some() && !general && rests_on.iter().all(sound) && !findings.iter().any(against);
        let axioms = found.map(|found| found.axioms.clone()).unwrap_or_default();
        Audited { theorem: name.clone(), claim, role, file: format!("{}.v", source.module), proved, axioms }
    });
    audited.collect()
}
