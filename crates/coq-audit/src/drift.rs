//! Differences between what Coq prints and what is pinned.

use super::Development;
use super::closure::Closure;
use super::pins::{DIRECTORY, EXTENSION, FilePins, Kind, Pin, TheoremPin};
use super::violation::{Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};

/// Scope of an audit.
pub struct Scope<'a> {
    /// True if a theorem was chosen.
    pub chosen: &'a dyn Fn(&str) -> bool,
    /// True if all theorems were chosen, and Coq has answered for every file.
    pub complete: bool,
}

/// Differences, both ways: nothing pinned may be gone, nothing there may be unpinned.
pub fn drift(development: &Development, closure: &Closure, scope: &Scope<'_>) -> Vec<Violation> {
    let (printed, pinned) = (&closure.pins.files, &development.pins.files);
    let none = FilePins::default();
    let modules: BTreeSet<&String> = printed.keys().chain(pinned.keys()).collect();
    let mut findings = Vec::new();
    for module in modules {
        let (now, then) = (printed.get(module).unwrap_or(&none), pinned.get(module).unwrap_or(&none));
        let compared = PinComparison {
            module,
            file: pinned.contains_key(module),
            full: &closure.full,
            axioms: development.rules.axioms,
        };
        for (name, theorem) in &now.theorems {
            findings.extend(compared.theorem(name, theorem, then.theorems.get(name)));
        }
        for (name, found) in &now.rests_on {
            findings.extend(compared.rests_on(name, found, then.rests_on.get(name)));
        }
        for (name, found) in &now.recursions {
            findings.extend(compared.recursion(name, found, then.recursions.get(name)));
        }
        for name in then.recursions.keys().filter(|name| scope.complete && !now.recursions.contains_key(*name)) {
            let message = "recursion is pinned, but it has none any more";
            findings.push(Violation::new(ViolationKind::Definition, name, None, message));
        }
        for (name, pin) in then.theorems.iter().filter(|(name, _)| (scope.chosen)(name)) {
            let declared =
                development.source(module).is_some_and(|source| source.theorems.iter().any(|t| t.name == *name));
            if !declared {
                let message = format!("the theorem is pinned, but {module}.v does not have it any more");
                let finding = Violation::new(ViolationKind::Missing, name, None, message);
                findings.push(finding.differing(&pin.statement.readable, "no theorem"));
            }
        }
        // A file that does not compile hides what its statements rest on.
        for (name, (kind, _)) in
            then.rests_on.iter().filter(|(name, _)| scope.complete && !now.rests_on.contains_key(*name))
        {
            let message = format!("the {} is pinned, but no statement rests on it any more", kind.name());
            findings.push(Violation::new(ViolationKind::Definition, name, None, message));
        }
    }
    findings
}

/// The pins of one file against what Coq prints.
struct PinComparison<'a> {
    module: &'a str,
    /// True if there is a file of pins.
    file: bool,
    full: &'a BTreeMap<String, String>,
    /// Those that a theorem may depend upon.
    axioms: &'a [&'a str],
}

impl PinComparison<'_> {
    fn theorem(&self, name: &str, found: &TheoremPin, pin: Option<&TheoremPin>) -> Vec<Violation> {
        let beyond: Vec<&str> =
            found.axioms.iter().map(String::as_str).filter(|axiom| !self.axioms.contains(axiom)).collect();
        let message = "it depends on axioms that no theorem of this development may use";
        let finding = Violation::new(ViolationKind::ForbiddenAxiom, name, None, message);
        let forbidden = (!beyond.is_empty()).then(|| finding.differing(self.axioms.join("\n"), beyond.join("\n")));
        let drifted = match pin {
            None => vec![self.unpinned(name, &found.statement.readable, "theorem")],
            Some(pin) => {
                let statement = self.text(
                    ViolationKind::Statement,
                    name,
                    &found.statement,
                    &pin.statement,
                    "the printed statement is",
                );
                statement.into_iter().chain(axioms(name, &found.axioms, &pin.axioms)).collect()
            }
        };
        drifted.into_iter().chain(forbidden).collect()
    }

    fn rests_on(&self, name: &str, (kind, found): &(Kind, Pin), pin: Option<&(Kind, Pin)>) -> Option<Violation> {
        let what = match kind {
            Kind::Lemma => "the statement of a lemma that statements mention is",
            Kind::Definition => "a definition that statements rest on is",
        };
        match pin {
            None => Some(self.unpinned(name, &found.readable, kind.name())),
            Some((then, _)) if then != kind => {
                let message = format!("it is pinned as a {}, but is a {}", then.name(), kind.name());
                Some(Violation::new(ViolationKind::Definition, name, None, message))
            }
            Some((_, pin)) => self.text(ViolationKind::Definition, name, found, pin, what),
        }
    }

    fn recursion(&self, name: &str, found: &[String], pin: Option<&Vec<String>>) -> Option<Violation> {
        let Some(pin) = pin else { return Some(self.unpinned(name, &found.join("\n"), "recursion in it")) };
        let message = "the recursion in it is not the pinned one";
        let finding = || Violation::new(ViolationKind::Definition, name, None, message);
        (found != pin).then(|| finding().differing(pin.join("\n"), found.join("\n")))
    }

    fn unpinned(&self, name: &str, found: &str, what: &str) -> Violation {
        let why =
            if self.file { String::new() } else { format!(": there is no {DIRECTORY}/{}.{EXTENSION}", self.module) };
        let finding = Violation::new(ViolationKind::Unpinned, name, None, format!("the {what} is not pinned{why}"));
        finding.differing("a pin", found)
    }

    fn text(&self, code: ViolationKind, name: &str, found: &Pin, pin: &Pin, what: &str) -> Option<Violation> {
        let finding = |message| Violation::new(code, name, None, message);
        if found.readable != pin.readable {
            return Some(finding(format!("{what} not the pinned one")).differing(&pin.readable, &found.readable));
        }
        let now = self.full.get(name).map_or("", String::as_str);
        let message = format!("{what} not the pinned one, although it reads the same: in full it differs");
        (found.full != pin.full).then(|| finding(message).differing(&pin.full, format!("{}\n{now}", found.full)))
    }
}

fn axioms(name: &str, found: &[String], pinned: &[String]) -> Option<Violation> {
    let text = |axioms: &[String]| if axioms.is_empty() { "no axioms".to_owned() } else { axioms.join("\n") };
    let finding = Violation::new(ViolationKind::Axioms, name, None, "its axioms are not the pinned ones");
    (found != pinned).then(|| finding.differing(text(pinned), text(found)))
}
