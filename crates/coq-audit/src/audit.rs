//! The audit: what Coq says against what is pinned, both ways.

use super::Development;
use super::build::{self, Built, Event, Status};
use super::closure::Closure;
use super::coq::{Coq, Lacking};
use super::drift::{Scope, drift};
use super::libraries::{Digests, Installed, own};
use super::pins::Pins;
use super::query::Answers;
use super::violation::{Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One theorem after the audit.
#[derive(Clone, Debug)]
pub struct Audited {
    /// Its name.
    pub theorem: String,
    /// The module that it stands in.
    pub module: String,
    /// True where it compiles, was re-checked, and is as pinned.
    pub proved: bool,
    /// The axioms that it depends upon.
    pub axioms: Vec<String>,
}

/// Result of an audit, with a `T` for each theorem: [`Audited`], or that and what its user knows of it.
#[derive(Clone, Debug)]
pub struct Audit<T = Audited> {
    /// The theorems audited.
    pub theorems: Vec<T>,
    /// All that is wrong.
    pub findings: Vec<Violation>,
    /// Status of each file, by its module.
    pub files: BTreeMap<String, Status>,
    /// Coq's answers, in the form of pins, where every file was looked at.
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
        Some(_) => development.closure(modules),
        None => development.sources.iter().map(|source| source.module.clone()).collect(),
    };
    let Built { files, answers, findings: mut broken } =
        build::build(coq, development, &wanted, directory, jobs, tell)?;
    let mut findings = development.findings();
    broken.sort_by(|a, b| a.subject.cmp(&b.subject));
    findings.extend(broken);
    findings.extend(foreign(development, &coq.installed, answers.values().map(|answers| &answers.libraries)));
    let mut closure = Closure::of(development, &answers, &chosen);
    findings.append(&mut closure.findings);
    let complete = selected.is_none() && answers.len() == development.sources.len();
    findings.extend(drift(development, &closure, &Scope { chosen: &chosen, complete }));
    let theorems = theorems(development, &answers, &files, &findings, &chosen);
    Ok(Audit { theorems, findings, files, printed: complete.then_some(closure.pins) })
}

/// Files that were loaded, but are neither of the development nor of a library as it is installed, and files of the
/// development that bear the name of a library's: such a name would be printed as the library's.
fn foreign<'a>(
    development: &Development,
    installed: &Installed,
    loaded: impl Iterator<Item = &'a Digests>,
) -> Vec<Violation> {
    let rules = development.rules;
    // One name may have been loaded from several files.
    let loaded: BTreeSet<(&String, &String)> = loaded.flatten().collect();
    let finding = |library: &str, message: String| Violation::new(ViolationKind::Library, library, None, message);
    let mut findings: BTreeMap<(&str, String), Violation> = BTreeMap::new();
    let mut add = |library: &'a str, message: String| {
        findings.entry((library, message.clone())).or_insert_with(|| finding(library, message));
    };
    for (library, digest) in &loaded {
        match own(rules, library) {
            Some(module) if development.source(module).is_some() => {}
            Some(_) => add(library, "it was loaded, but is no file of this development".to_owned()),
            None => {
                let file = library.rsplit('.').next().unwrap_or_default();
                if development.source(file).is_some() {
                    add(library, "a file of this development bears the name of this file of a library".to_owned());
                }
                if let Some(message) = installed.objection(rules, library, digest) {
                    add(library, message);
                }
            }
        }
    }
    findings.into_values().collect()
}

/// Each chosen theorem: proved where its file and all that it requires are sound and nothing was
/// found against it or against a definition.
fn theorems(
    development: &Development,
    answers: &BTreeMap<String, Answers>,
    files: &BTreeMap<String, Status>,
    findings: &[Violation],
    chosen: &dyn Fn(&str) -> bool,
) -> Vec<Audited> {
    let sound = |module: &String| matches!(files.get(module), Some(Status::Unchanged | Status::Checked));
    let general = findings.iter().any(|finding| {
        matches!(
            finding.code,
            ViolationKind::Forbidden
                | ViolationKind::Definition
                | ViolationKind::Hidden
                | ViolationKind::Library
                | ViolationKind::Recursion
        )
    });
    let audited = development.theorems().filter(|(_, theorem)| chosen(&theorem.name)).map(|(source, theorem)| {
        let name = &theorem.name;
        let found = answers.get(&source.module).and_then(|answers| answers.theorems.get(name));
        let against = |finding: &Violation| finding.subject == *name;
        let rests_on = development.closure([source.module.clone()]);
        let proved = found.is_some() && !general && rests_on.iter().all(sound) && !findings.iter().any(against);
        let axioms = found.map(|found| found.axioms.clone()).unwrap_or_default();
        Audited { theorem: name.clone(), module: source.module.clone(), proved, axioms }
    });
    audited.collect()
}
