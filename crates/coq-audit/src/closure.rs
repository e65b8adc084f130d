//! Dependences of the statements: from name to name through everything that the development declares.

use super::Development;
use super::lexer::words;
use super::pins::{Kind, Pin, Pins, TheoremPin};
use super::query::{Answers, Constant, Nature, Printed, Theorem};
use super::source::Source;
use super::violation::{Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};

/// The chosen theorems and all that their statements rest on.
#[derive(Clone, Debug, Default)]
pub struct Closure {
    /// As pins.
    pub pins: Pins,
    /// The texts in full, by name with the module.
    pub full: BTreeMap<String, String>,
    /// Names whose meaning cannot be pinned.
    pub findings: Vec<Violation>,
}

impl Closure {
    /// Follows every name of the development that a chosen theorem's statement, printed in full, mentions.
    pub fn of(development: &Development, answers: &BTreeMap<String, Answers>, chosen: &dyn Fn(&str) -> bool) -> Self {
        let mut closure = Self::default();
        let theorems =
            answers.iter().flat_map(|(module, answers)| answers.theorems.keys().map(move |name| (module, name)));
        let mut unread: Vec<String> =
            theorems.filter(|(_, name)| chosen(name)).map(|(module, name)| format!("{module}.{name}")).collect();
        let mut read = BTreeSet::new();
        while let Some(name) = unread.pop() {
            if !read.insert(name.clone()) {
                continue;
            }
            let (module, inner) = name.split_once('.').unwrap_or((&name, ""));
            if let Some(instance) = development.source(module).filter(|source| source.only_instantiates()) {
                closure.add_instance(instance);
                continue;
            }
            let of_module = answers.get(module);
            if let Some(theorem) = of_module.and_then(|answers| answers.theorems.get(inner)) {
                unread.extend(names(development, &theorem.statement.full));
                closure.add_theorem(module, inner, theorem);
                continue;
            }
            let found = of_module.map(|answers| declaring(answers, &name)).unwrap_or_default();
            if found.is_empty() {
                closure.hidden(module, &name, "Coq does not list it among what the file declares");
            }
            for (place, constant) in found {
                unread.extend(names(development, &constant.text.full));
                closure.add(module, place, constant);
            }
        }
        closure.add_recursions(answers);
        closure
    }

    /// Every recursion in every file: what a proof recurses on is not seen in the statement.
    fn add_recursions(&mut self, answers: &BTreeMap<String, Answers>) {
        for (module, answers) in answers {
            for (name, words) in &answers.recursions.of {
                let pins = self.pins.files.entry(module.clone()).or_default();
                pins.recursions.insert(format!("{module}.{name}"), words.clone());
            }
            for (name, why) in &answers.recursions.refused {
                let message =
                    "its recursion is not structural in the narrow sense, which Coq's kernel is not trusted beyond";
                let place = Some(format!("{module}.v"));
                let finding = Violation::new(ViolationKind::Recursion, &format!("{module}.{name}"), place, message);
                self.findings.push(
                    finding.differing("calls on what a match on the function's own argument bound", why.join("\n")),
                );
            }
        }
    }

    fn add_theorem(&mut self, module: &str, name: &str, theorem: &Theorem) {
        let pin = TheoremPin { statement: Pin::from(&theorem.statement), axioms: theorem.axioms.clone() };
        self.pins.files.entry(module.to_owned()).or_default().theorems.insert(name.to_owned(), pin);
        self.full.insert(name.to_owned(), theorem.statement.full.clone());
    }

    fn add(&mut self, module: &str, name: &str, constant: &Constant) {
        let kind = match constant.nature {
            Nature::Lemma => Kind::Lemma,
            Nature::Definition | Nature::Inductive => Kind::Definition,
            Nature::Opaque => {
                let why =
                    "it ends with Qed, which keeps its body from every statement; what is no proof ends with Defined";
                return self.hidden(module, name, why);
            }
        };
        let pin = (kind, Pin::from(&constant.text));
        self.pins.files.entry(module.to_owned()).or_default().rests_on.insert(name.to_owned(), pin);
        self.full.insert(name.to_owned(), constant.text.full.clone());
    }

    /// Files that a file that only instantiates libraries makes are theirs; which of theirs it takes is its text.
    fn add_instance(&mut self, source: &Source) {
        let text = source.sentences().join("\n");
        let pin = (Kind::Definition, Pin::from(&Printed { readable: text.clone(), full: text.clone() }));
        self.pins.files.entry(source.module.clone()).or_default().rests_on.insert(source.module.clone(), pin);
        self.full.insert(source.module.clone(), text);
    }

    fn hidden(&mut self, module: &str, name: &str, why: &str) {
        let message = format!("a statement rests on it, but {why}");
        self.findings.push(Violation::new(ViolationKind::Hidden, name, Some(format!("{module}.v")), message));
    }
}

/// Declarations of the name; where it is a constructor, the inductive types of the file that have such a word.
fn declaring<'a>(answers: &'a Answers, name: &str) -> Vec<(&'a String, &'a Constant)> {
    if let Some(found) = answers.constants.get_key_value(name) {
        return vec![found];
    }
    // Coq lists all constants and inductive types at the top of a file; only constructors are left.
    let Some((_, constructor)) = name.split_once('.').filter(|(_, inner)| !inner.contains('.')) else {
        return Vec::new();
    };
    let declares = |constant: &Constant| {
        constant.nature == Nature::Inductive && words(&constant.text.full).any(|word| word == constructor)
    };
    answers.constants.iter().filter(|(_, constant)| declares(constant)).collect()
}

/// The names of the development in a printed text, each with its module.
fn names(development: &Development, text: &str) -> Vec<String> {
    let own = |word: &str| word.strip_prefix(development.rules.name)?.strip_prefix('.').map(str::to_owned);
    let of_a_module = |word: &str| word.split_once('.').is_some_and(|(module, _)| development.source(module).is_some());
    words(text).filter_map(|word| own(word).or_else(|| of_a_module(word).then(|| word.to_owned()))).collect()
}
