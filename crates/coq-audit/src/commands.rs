//! The commands that a source may use: those with which one states, defines and proves.
//!
//! A word that is not on the list is a finding, whatever it does, so that an assumption, an unchecked recursion or an
//! option that changes how terms are read or printed has no way in.

use super::lexer::words;
use std::collections::BTreeSet;

/// Commands that a source may use, wherever they stand.
const ALLOWED: &[&str] = &[
    "Arguments",
    "Bind",
    "Canonical",
    "Close",
    "Corollary",
    "Defined",
    "Definition",
    "Delimit",
    "End",
    "Example",
    "Export",
    "Fact",
    "Fixpoint",
    "Hint",
    "Implicit",
    "Import",
    "Inductive",
    "Infix",
    "Instance",
    "Lemma",
    "Ltac",
    "Notation",
    "Open",
    "Proof",
    "Proposition",
    "Qed",
    "Record",
    "Remark",
    "Reserved",
    "Section",
    "Structure",
    "Theorem",
    "Variant",
];

/// Commands that a source may use inside a section; outside, they declare axioms.
const IN_SECTIONS: &[&str] = &["Context", "Hypotheses", "Hypothesis", "Let", "Variable", "Variables"];

/// Options that a source may set: they decide which arguments may be left out and which warnings are
/// shown, never what is checked.
const OPTIONS: &[&str] =
    &["Set Implicit Arguments", "Set Warnings", "Unset Printing Implicit Defensive", "Unset Strict Implicit"];

/// Commands that only load libraries, name their parts or choose how to write them.
const DECLARES_NOTHING: &[&str] =
    &["Bind", "Close", "Delimit", "Export", "From", "Import", "Module", "Notation", "Open", "Set", "Unset"];

/// Commands and tactics that are not allowed, with the reason.
const REASONS: &[(&str, &str)] = &[
    ("Abort", "a proof given up"),
    ("Admit", "a goal left open"),
    ("Admitted", "a proof left open"),
    ("Axiom", "an assumption"),
    ("Axioms", "an assumption"),
    ("Coercion", "it hides what a statement applies"),
    ("Conjecture", "an assumption"),
    ("Conjectures", "an assumption"),
    ("Declare", "an assumption or a plugin"),
    ("Parameter", "an assumption"),
    ("Parameters", "an assumption"),
    ("Primitive", "a primitive of the kernel"),
];

/// Tactics that are not allowed, with the reason.
const TACTICS: &[(&str, &str)] = &[
    ("admit", "a goal left open"),
    ("give_up", "a goal left open"),
    ("native_cast_no_check", "an evaluation by compiled code, which coqchk has not"),
    ("native_compute", "an evaluation by compiled code, which coqchk has not"),
];

/// Attributes that a command may bear.
const ATTRIBUTES: &[&str] = &["export", "global", "local"];

/// Words with no place in a proof, and what is wrong with them.
pub type Refused = (String, &'static str);

/// A sentence without bullets, attributes and modifiers.
pub struct Command<'a> {
    /// Its words, the command first.
    pub words: Vec<&'a str>,
    attributes: Vec<&'a str>,
    text: &'a str,
}

impl<'a> Command<'a> {
    /// Reads a sentence.
    pub fn new(sentence: &'a str) -> Self {
        let mut attributes = Vec::new();
        let mut text = after_focus(sentence);
        while let Some((listed, rest)) = text.strip_prefix("#[").and_then(|rest| rest.split_once(']')) {
            attributes.extend(words(listed));
            text = rest.trim_start();
        }
        let words = words(text).skip_while(|word| ["Local", "Global"].contains(word)).collect();
        Self { words, attributes, text }
    }

    /// Words in the sentence that have no place in a proof.
    pub fn refused(&self, in_section: bool) -> Vec<Refused> {
        let mut refused: Vec<Refused> = Vec::new();
        let attributes = self.attributes.iter().filter(|attribute| !ATTRIBUTES.contains(attribute));
        refused.extend(attributes.map(|word| ((*word).to_owned(), "an attribute that a proof does not need")));
        let tactics = TACTICS.iter().filter(|(word, _)| self.words.contains(word));
        refused.extend(tactics.map(|(word, why)| ((*word).to_owned(), *why)));
        refused.extend(self.refused_command(in_section));
        refused
    }

    /// Commands begin with a capital letter, tactics do not.
    fn refused_command(&self, in_section: bool) -> Option<Refused> {
        let first = *self.words.first()?;
        let using = self.words.get(..2) == Some(&["Proof", "using"]);
        if !first.starts_with(|c: char| c.is_ascii_uppercase()) || (ALLOWED.contains(&first) && !using) {
            return None;
        }
        if IN_SECTIONS.contains(&first) {
            return (!in_section).then(|| (first.to_owned(), "an assumption, outside every section"));
        }
        let refused = |words: usize, why| Some((self.words[..words.min(self.words.len())].join(" "), why));
        match first {
            "Proof" => refused(2, "a section's variables that a proof uses are for Coq to find"),
            "From" if self.words.get(2) == Some(&"Require") => None,
            "Declare" if self.words.get(1) == Some(&"Scope") => None,
            "Module" if self.names_module() => None,
            "Module" => refused(2, "a module that is more than a name for one of a library can hold assumptions"),
            "Set" | "Unset" if OPTIONS.contains(&self.words.join(" ").as_str()) => None,
            "Set" | "Unset" => refused(usize::MAX, "an option that changes what is checked, read or printed"),
            _ => {
                let why = REASONS.iter().find(|(word, _)| *word == first).map(|(_, why)| *why);
                refused(1, why.unwrap_or("a command that a finished source does not need"))
            }
        }
    }

    /// True if it is `Module NAME := EXPRESSION`, without parameters and without a type.
    fn names_module(&self) -> bool {
        let named = self.text.split_once(":=").is_some_and(|(before, _)| !before.contains([':', '(']));
        named && self.words.get(1) != Some(&"Type")
    }

    /// True if it declares something whose meaning or proof the checker has to see.
    pub fn declares(&self) -> bool {
        let first = self.words.first();
        first.is_some_and(|first| {
            first.starts_with(|c: char| c.is_ascii_uppercase()) && !DECLARES_NOTHING.contains(first)
        })
    }
}

/// The names that a file has introduced so far, of which its own `Arguments` may speak: of those of others it says how
/// they look wherever the file is loaded.
#[derive(Default)]
pub struct Names<'a>(BTreeSet<&'a str>);

/// Commands that introduce one name, that which follows.
const NAMING: &[&str] = &[
    "Corollary",
    "Definition",
    "Example",
    "Fact",
    "Fixpoint",
    "Inductive",
    "Lemma",
    "Proposition",
    "Record",
    "Remark",
    "Structure",
    "Theorem",
    "Variant",
];

impl<'a> Names<'a> {
    /// Takes note of a sentence, and refuses one that says how something looks that is not the file's own.
    pub fn refused(&mut self, command: &Command<'a>) -> Option<Refused> {
        match command.words[..] {
            [first, name, ..] if NAMING.contains(&first) => {
                self.0.insert(name);
            }
            // An abbreviation may take a name over.
            ["Notation", name, ..] => {
                self.0.remove(name);
            }
            ["Import" | "Export" | "From" | "Module", ..] => self.0.clear(),
            ["Arguments", name, ..] if !self.0.contains(name) => {
                let why = "how an argument of something is written is for its own file to say, after it and before any import";
                return Some((format!("Arguments {name}"), why));
            }
            _ => {}
        }
        None
    }
}

/// The sentence after bullets, braces and the goals that they select, such as `- `, `2: {` or `all:`.
fn after_focus(sentence: &str) -> &str {
    let mut text = sentence;
    loop {
        text = text.trim_start_matches(|c: char| c.is_whitespace() || "-+*{}".contains(c));
        let selects = |goals: &str| {
            let goals = goals.trim();
            ["all", "par", "!"].contains(&goals)
                || goals.starts_with('[')
                || goals.chars().all(|c| c.is_ascii_digit() || "-, ".contains(c))
        };
        match text.split_once(':') {
            Some((goals, rest)) if !rest.starts_with('=') && selects(goals) => text = rest,
            _ => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(sentence: &str, in_section: bool) -> Vec<String> {
        Command::new(sentence).refused(in_section).into_iter().map(|(words, _)| words).collect()
    }

    #[test]
    fn a_file_says_how_its_own_names_are_written() {
        for (sentences, fine) in [
            (&["Definition own := 0.", "Arguments own {x}."][..], true),
            (&["#[global] Arguments Rpower {_ _}."], false),
            (&["Local Definition Rpower := 0.", "From Coq Require Import Reals.", "Arguments Rpower {_ _}."], false),
            (&["Lemma Rpower : x.", "Notation Rpower := other.", "Global Arguments Rpower {_ _}."], false),
            (&["Let Rpower := 0.", "Arguments Rpower {_ _}."], false),
            (&["Section S.", "Definition own := 0.", "Arguments own {x}.", "Arguments Reals.own {x}."], false),
        ] {
            let mut names = Names::default();
            let refused = sentences.iter().filter_map(|sentence| names.refused(&Command::new(sentence))).count();
            assert_eq!(refused == 0, fine, "{sentences:?}");
        }
    }

    #[test]
    fn only_commands_that_state_define_and_prove_are_allowed() {
        for sentence in [
            "#[global] Instance precision_positive : P.",
            "Local Notation w := (frequency b d i).",
            "- by rewrite /Axiom.",
            "Module I := FloatIntervalFull StdZFloat.",
            "From Own Require Import Shift.",
            "Set Warnings \"    \".",
            "Declare Scope matrix_scope.",
        ] {
            assert_eq!(refused(sentence, false), [""; 0], "{sentence}");
        }
        for (sentence, words) in [
            ("#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.", "bypass_check"),
            ("Unset Guard Checking.", "Unset Guard Checking"),
            ("Local Unset Universe Checking.", "Unset Universe Checking"),
            ("Set Definitional UIP.", "Set Definitional UIP"),
            ("Set Printing Depth 1.", "Set Printing Depth 1"),
            ("Module Type T.", "Module Type"),
            ("Module M (A : T) := F A.", "Module M"),
            ("Module M : T := N.", "Module M"),
            ("Module M.", "Module M"),
            ("Variable y : nat.", "Variable"),
            ("Time Qed.", "Time"),
            ("- admit.", "admit"),
            ("{ native_compute; reflexivity.", "native_compute"),
            ("Proof using Type.", "Proof using"),
            ("Program Definition x : nat := _.", "Program"),
            ("Require Import Own.Shift.", "Require"),
            ("From Shift Extra Dependency \"    \".", "From"),
            ("{ 2-3: { Admitted.", "Admitted"),
            ("[left]: #[local] #[bypass_check(guard)] Definition x := 0.", "bypass_check"),
        ] {
            assert_eq!(refused(sentence, false).first().map(String::as_str), Some(words), "{sentence}");
        }
        assert_eq!(refused("Variable y : nat.", true), [""; 0]);
    }
}
