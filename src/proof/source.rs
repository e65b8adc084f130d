//! Coq sources as text: what can be known of them without Coq.
//!
//! Comments and strings are told apart from sentences, sentences are found, and from them the
//! files that a file requires, its declarations with the doc comments before them, and words that
//! have no place in a proof.

use std::fmt;

/// One file of the development.
#[derive(Clone, Debug)]
pub struct Source {
    /// The module that the file is: `Shift` for `Shift.v`.
    pub module: String,
    /// The text, as read.
    pub text: String,
    /// The files of the development that it requires, in the order in which it names them.
    pub requires: Vec<String>,
    /// Theorems, lemmas and definitions.
    pub declarations: Vec<Declaration>,
    /// Words that have no place in a proof.
    pub forbidden: Vec<Forbidden>,
}

/// What a sentence declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `Theorem`: a claim, its refutation as written, or a main rounding theorem.
    Theorem,
    /// A proved statement that is no claim: `Lemma`, `Corollary` and the like.
    Lemma,
    /// Something with a meaning: `Definition`, `Fixpoint`, `Record`, `Inductive` and the like.
    Definition,
}

/// A named theorem, lemma or definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What it is.
    pub kind: Kind,
    /// Its name, with the modules inside the file that it stands in.
    pub name: String,
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

/// A word that has no place in a proof, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The words as written.
    pub words: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with them.
    pub why: &'static str,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} ({})", self.line, self.words, self.why)
    }
}

const THEOREMS: &[&str] = &["Theorem"];
const LEMMAS: &[&str] = &["Lemma", "Corollary", "Fact", "Remark", "Proposition", "Property"];
const DEFINITIONS: &[&str] = &[
    "Definition",
    "Fixpoint",
    "CoFixpoint",
    "Inductive",
    "CoInductive",
    "Variant",
    "Record",
    "Structure",
    "Class",
    "Instance",
    "Function",
    "Canonical",
];
const MODIFIERS: &[&str] =
    &["Local", "Global", "Program", "Polymorphic", "Monomorphic", "Cumulative", "NonCumulative", "Private"];

/// Wherever they stand.
const NOWHERE: &[(&str, &str)] = &[
    ("Admitted", "a proof left open"),
    ("admit", "a goal left open"),
    ("give_up", "a goal left open"),
    ("Abort", "a proof given up"),
    ("Axiom", "an assumption"),
    ("Axioms", "an assumption"),
    ("Parameter", "an assumption"),
    ("Parameters", "an assumption"),
    ("Conjecture", "an assumption"),
    ("Conjectures", "an assumption"),
    ("Primitive", "a primitive of the kernel"),
    ("bypass_check", "a check of the kernel switched off"),
    ("Unset Guard", "a check of the kernel switched off"),
    ("Unset Positivity", "a check of the kernel switched off"),
    ("Unset Universe", "a check of the kernel switched off"),
    ("Admit Obligations", "a goal left open"),
    ("Declare Module", "an assumption"),
    ("Declare ML", "a plugin"),
    ("type-in-type", "a check of the kernel switched off"),
];

/// At the start of a sentence outside every section, where they declare axioms.
const IN_SECTIONS: &[&str] = &["Hypothesis", "Hypotheses", "Variable", "Variables", "Context", "Let"];

/// At the start of a sentence: questions, which a finished source does not ask, and commands that
/// read or write elsewhere.
const QUESTIONS: &[&str] = &[
    "Print",
    "Check",
    "Search",
    "SearchPattern",
    "SearchRewrite",
    "About",
    "Locate",
    "Compute",
    "Eval",
    "Show",
    "Inspect",
    "Load",
    "Redirect",
    "Extraction",
    "Fail",
    "Time",
    "Timeout",
    "Cd",
    "Drop",
    "Quit",
    "Add",
];

impl Source {
    /// Reads one file's text.
    pub fn new(module: &str, text: &str) -> Self {
        let Lexed { code, docs } = lex(text);
        let mut source = Self {
            module: module.to_owned(),
            text: text.to_owned(),
            requires: Vec::new(),
            declarations: Vec::new(),
            forbidden: Vec::new(),
        };
        // Sections and modules that are open: the name, and whether it is a section.
        let mut open: Vec<(&str, bool)> = Vec::new();
        for (start, sentence) in sentences(&code) {
            let line = 1 + code[..start].matches('\n').count();
            let words: Vec<&str> = words(sentence);
            source.forbid(&words, line, open.iter().any(|(_, section)| *section));
            let words = without_modifiers(&words);
            match words {
                ["Section", name, ..] => open.push((name, true)),
                ["Module", "Type", name, ..] | ["Module", name, ..] if !sentence.contains(":=") => {
                    open.push((name, false));
                }
                ["End", name, ..] => {
                    if let Some(place) = open.iter().rposition(|(opened, _)| opened == name) {
                        open.truncate(place);
                    }
                }
                ["From", "Posproof", "Require", rest @ ..] => {
                    let modules = rest.iter().filter(|word| !["Import", "Export"].contains(word));
                    source.requires.extend(modules.map(|word| (*word).to_owned()));
                }
                [keyword, name, ..] => {
                    let Some(kind) = kind(keyword) else { continue };
                    let modules = open.iter().filter(|(_, section)| !section).map(|(name, _)| *name);
                    let name = modules.chain([*name]).collect::<Vec<_>>().join(".");
                    let before = docs.iter().rfind(|(end, _)| *end <= start);
                    let doc = before.filter(|(end, _)| code[*end..start].trim().is_empty());
                    source.declarations.push(Declaration { kind, name, line, doc: doc.map(|(_, doc)| doc.clone()) });
                }
                _ => {}
            }
        }
        source
    }

    /// The theorems of the file.
    pub fn theorems(&self) -> impl Iterator<Item = &Declaration> {
        self.declarations.iter().filter(|declaration| declaration.kind == Kind::Theorem)
    }

    fn forbid(&mut self, words: &[&str], line: usize, in_section: bool) {
        let mut found = |words: &str, why| self.forbidden.push(Forbidden { words: words.to_owned(), line, why });
        for (place, word) in words.iter().enumerate() {
            for (bad, why) in NOWHERE {
                let all = match bad.split_once(' ') {
                    Some((first, second)) => *word == first && words.get(place + 1) == Some(&second),
                    None => word == bad,
                };
                if all {
                    found(bad, why);
                }
            }
        }
        if let Some(first) = without_modifiers(words).first() {
            if !in_section && IN_SECTIONS.contains(first) {
                found(first, "an assumption, outside every section");
            }
            if QUESTIONS.contains(first) {
                found(first, "a question or a command that a finished source does not need");
            }
        }
    }
}

fn kind(keyword: &str) -> Option<Kind> {
    let kinds = [(THEOREMS, Kind::Theorem), (LEMMAS, Kind::Lemma), (DEFINITIONS, Kind::Definition)];
    kinds.into_iter().find(|(keywords, _)| keywords.contains(&keyword)).map(|(_, kind)| kind)
}

fn without_modifiers<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let attribute = |word: &&&str| MODIFIERS.contains(word) || ["global", "local", "export", "program"].contains(word);
    let first = words.iter().take_while(attribute).count();
    &words[first..]
}

struct Lexed {
    /// The text with comments and the insides of strings blanked, line by line as it was.
    code: String,
    /// Doc comments, white space collapsed, each with the place in `code` where it ends.
    docs: Vec<(usize, String)>,
}

fn lex(text: &str) -> Lexed {
    let mut code = String::with_capacity(text.len());
    let mut docs = Vec::new();
    let mut comment = String::new();
    let (mut depth, mut in_string) = (0_usize, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let opens = !in_string && rest.starts_with("(*");
        let closes = !in_string && depth > 0 && rest.starts_with("*)");
        let token = if opens || closes { &rest[..2] } else { &rest[..next.len_utf8()] };
        rest = &rest[token.len()..];
        if opens {
            depth += 1;
        }
        // Coq reads strings inside comments too.
        if next == '"' {
            in_string = !in_string;
        }
        if depth > 0 {
            comment.push_str(token);
        }
        let blank = depth > 0 || (in_string && next != '"');
        code.extend(token.chars().map(|c| if blank && c != '\n' { ' ' } else { c }));
        if closes {
            depth -= 1;
            if depth == 0 {
                if let Some(doc) = comment.strip_prefix("(** ").and_then(|doc| doc.strip_suffix("*)")) {
                    docs.push((code.len(), collapsed(doc)));
                }
                comment.clear();
            }
        }
    }
    Lexed { code, docs }
}

/// The text with every run of white space as one space.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sentences and where they start. A sentence ends with a full stop before white space; two full
/// stops belong to a notation, three end a sentence.
fn sentences(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut stops = 0;
    let mut push = |begin: usize, end: usize| {
        let sentence = &code[begin..end];
        let start = begin + sentence.len() - sentence.trim_start().len();
        if start < end {
            found.push((start, code[start..end].trim_end()));
        }
    };
    for (place, c) in code.char_indices() {
        if c.is_whitespace() && (stops == 1 || stops == 3) {
            push(begin, place);
            begin = place;
        }
        stops = if c == '.' { stops + 1 } else { 0 };
    }
    push(begin, code.len());
    found
}

/// Identifiers, dots inside them kept, and `type-in-type` as one word.
fn words(sentence: &str) -> Vec<&str> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '.';
    let words = sentence.split(|c| !part(c)).map(|word| word.trim_matches('.'));
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if sentence.contains("type-in-type") {
        words.push("type-in-type");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"(* A "comment (* in" a comment. Axiom. *)
From Posproof Require Import
  Encoding Pairs.
Section S.
Variable x : nat. (* Parameter *)
(** shift.x: one
    line. *)
#[local] Theorem shift_x : x = x. Proof. by []. Qed.
Notation "[ x .. y ]" := (cons x .. (cons y nil) ..).
End S.
Module M.
Definition one := 1.
End M.
Variable y : nat.
Lemma open : False. Proof. admit. Admitted.
Notation "Axiom" := (0).
"#;

    #[test]
    fn sources_are_read() {
        let source = Source::new("Shift", TEXT);
        assert_eq!(source.requires, ["Encoding", "Pairs"]);
        let names: Vec<_> = source.declarations.iter().map(|d| (d.kind, d.name.as_str(), d.line)).collect();
        let expected = [(Kind::Theorem, "shift_x", 8), (Kind::Definition, "M.one", 12), (Kind::Lemma, "open", 15)];
        assert_eq!(names, expected);
        assert_eq!(source.declarations[0].doc_after("shift.x"), Some("one line."));
        let forbidden: Vec<_> = source.forbidden.iter().map(|f| (f.words.as_str(), f.line)).collect();
        assert_eq!(forbidden, [("Variable", 14), ("admit", 15), ("Admitted", 15)]);
    }
}
