//! Coq sources as text: what can be known of them without Coq.
//!
//! The files that a file requires, its theorems with the doc comments before them, and what has no
//! place in a proof.

use super::commands::{Command, Names};
use super::lexer::{Lexed, collapsed, lex, sentences};
use super::rules::Rules;

/// One file of the development.
#[derive(Clone, Debug)]
pub struct Source {
    /// The module that the file is: `Shift` for `Shift.v`.
    pub module: String,
    /// The text, as read.
    pub text: String,
    /// The files of the development that it requires, in the order in which it names them.
    pub requires: Vec<String>,
    /// Declarations of `Theorem`: claims, their refutations as written, main rounding theorems; and of `Corollary`:
    /// more about a claim than its sentence says.
    pub theorems: Vec<Declaration>,
    /// True if it does more than load libraries and name their parts.
    pub declares: bool,
    /// Words that have no place in a proof.
    pub forbidden: Vec<Forbidden>,
}

/// A named theorem or corollary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// True if it is a corollary.
    pub corollary: bool,
    /// The line that it starts on, from 1.
    pub line: usize,
    /// The doc comment right before it, white space collapsed.
    pub doc: Option<String>,
}

impl Declaration {
    /// The text of the doc comment after `header: `.
    pub fn doc_after(&self, header: &str) -> Option<&str> {
        self.doc.as_deref()?.strip_prefix(header)?.strip_prefix(": ")
    }
}

/// Words that have no place in a proof, and where they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The words as written.
    pub words: String,
    /// The line, from 1.
    pub line: usize,
    /// The mistake in them.
    pub why: &'static str,
}

impl Source {
    /// Reads one file's text.
    pub fn new(rules: &Rules, module: &str, text: &str) -> Self {
        let Lexed { code, docs, open: unfinished } = lex(text);
        let mut source = Self {
            module: module.to_owned(),
            text: text.to_owned(),
            requires: Vec::new(),
            theorems: Vec::new(),
            declares: false,
            forbidden: unreadable(&code, unfinished),
        };
        let mut sections: Vec<&str> = Vec::new();
        let mut names = Names::default();
        for (start, sentence) in sentences(&code) {
            let line = 1 + code[..start].matches('\n').count();
            let command = Command::new(sentence);
            let refused = command.refused(!sections.is_empty()).into_iter().chain(names.refused(&command));
            source.forbidden.extend(refused.map(|(words, why)| Forbidden { words, line, why }));
            source.declares |= command.declares();
            match command.words[..] {
                ["Section", name, ..] => sections.push(name),
                ["End", name, ..] => {
                    if let Some(place) = sections.iter().rposition(|opened| *opened == name) {
                        sections.truncate(place);
                    }
                }
                ["From", name, "Require", ref modules @ ..] if name == rules.name => {
                    let modules = modules.iter().filter(|word| !["Import", "Export"].contains(word));
                    source.requires.extend(modules.map(|word| (*word).to_owned()));
                }
                [keyword @ ("Theorem" | "Corollary"), name, ..] => {
                    let before = docs.iter().rfind(|(end, _)| *end <= start);
                    let doc = before.filter(|(end, _)| code[*end..start].trim().is_empty()).map(|(_, doc)| doc.clone());
                    let corollary = keyword == "Corollary";
                    source.theorems.push(Declaration { name: name.to_owned(), corollary, line, doc });
                }
                _ => {}
            }
        }
        source
    }

    /// True if it declares nothing and requires no file of the development: it only instantiates libraries.
    pub fn only_instantiates(&self) -> bool {
        !self.declares && self.requires.is_empty()
    }

    /// The sentences without comments and the insides of strings, white space collapsed.
    pub fn sentences(&self) -> Vec<String> {
        let code = lex(&self.text).code;
        sentences(&code).into_iter().map(|(_, sentence)| collapsed(sentence)).collect()
    }
}

/// Reason why this program cannot be sure that it reads the code as Coq does.
fn unreadable(code: &str, unfinished: bool) -> Vec<Forbidden> {
    let line_of = |place| 1 + code[..place].matches('\n').count();
    let beyond_ascii = code.char_indices().find(|(_, c)| !c.is_ascii());
    let beyond_ascii = beyond_ascii.map(|(place, c)| Forbidden {
        words: c.to_string(),
        line: line_of(place),
        why: "code is written in ASCII, so that nothing in it looks like something else",
    });
    let unfinished = unfinished.then(|| Forbidden {
        words: "the end of the file".to_owned(),
        line: line_of(code.len()),
        why: "it stands inside a comment or a string",
    });
    beyond_ascii.into_iter().chain(unfinished).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::development::tests::RULES;

    const TEXT: &str = r#"(* A "comment (* in" a comment. Axiom. *)
From Own Require Import
  Encoding Pairs.
Section S.
Variable x : nat. (* Parameter *)
(** shift.x: one
    line. *)
#[local] Theorem shift_x : x = x. Proof. by []. Qed.
Notation "[ x .. y ]" := (cons x .. (cons y nil) ..).
End S.
Definition one := 1.
Variable y : nat.
Lemma open : False. Proof. admit. Admitted.
Notation "Axiom π" := (0).
Definition π := 3.
"#;

    #[test]
    fn sources_are_read() {
        let source = Source::new(&RULES, "Shift", TEXT);
        assert_eq!(source.requires, ["Encoding", "Pairs"]);
        let doc = Some("shift.x: one line.".to_owned());
        assert_eq!(source.theorems, [Declaration { name: "shift_x".to_owned(), corollary: false, line: 8, doc }]);
        assert_eq!(source.theorems[0].doc_after("shift.x"), Some("one line."));
        let forbidden: Vec<_> = source.forbidden.iter().map(|f| (f.words.as_str(), f.line)).collect();
        assert_eq!(forbidden, [("π", 15), ("Variable", 12), ("admit", 13), ("Admitted", 13)]);
        let unfinished = Source::new(&RULES, "Shift", "Definition one := 1. (* no end");
        assert_eq!(unfinished.forbidden.len(), 1);
    }

    #[test]
    fn a_file_that_only_instantiates_libraries_declares_nothing() {
        let instance = "From Coq Require Import ZArith.\nModule I := F G.\nExport I.\nNotation a := b.\n";
        assert!(!Source::new(&RULES, "Instance", instance).declares);
        assert!(Source::new(&RULES, "Instance", &format!("{instance}Canonical c := d.\n")).declares);
    }
}
