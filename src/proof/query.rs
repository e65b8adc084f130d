//! What Coq says of a compiled file: the statement and the axioms of each theorem, and the body of
//! each definition.
//!
//! Everything is printed in a context that imports the libraries and nothing of the development:
//! notations of its own cannot change how a statement looks, and each of its names is printed with
//! its module, so that one can see what a statement rests on.

use super::coq::{self, Lacking};
use super::source::{Kind, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// Loaded before anything is asked; not imported, so that axioms are printed with their modules.
const LIBRARIES: &str = "\
From Coq Require Reals ZArith.
From mathcomp Require all_ssreflect fingroup perm matrix.
From Coquelicot Require Coquelicot.
From Flocq Require Core BinarySingleNaN.
";

/// The context in which statements and definitions are printed.
const CONTEXT: &str = "\
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core BinarySingleNaN.
Open Scope R_scope.
Set Printing Width 110.
Set Printing Depth 1000.
";

/// A theorem as Coq knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theorem {
    /// The statement, printed.
    pub statement: String,
    /// The axioms that it depends upon, sorted.
    pub axioms: Vec<String>,
}

/// What Coq says of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// Theorems by name.
    pub theorems: BTreeMap<String, Theorem>,
    /// Definitions by their name with the module: `Encoding.PE`.
    pub definitions: BTreeMap<String, String>,
}

/// Asks Coq about a file whose compiled form lies in `built`. The error is Coq's message.
pub fn ask(source: &Source, built: &Path) -> Result<Result<Answers, String>, Lacking> {
    let lacking = |error: io::Error| Lacking::Io(std::env::temp_dir(), error);
    let scratch = tempfile::tempdir().map_err(lacking)?;
    let module = &source.module;
    let named = |kind| source.declarations.iter().filter(move |d| d.kind == kind).map(|d| d.name.as_str()).enumerate();
    let mut text = format!("{LIBRARIES}Require Posproof.{module}.\n");
    for (place, name) in named(Kind::Theorem) {
        let _ = writeln!(text, "Redirect \"{place}.axioms\" Print Assumptions Posproof.{module}.{name}.");
    }
    text.push_str(CONTEXT);
    for (place, name) in named(Kind::Theorem) {
        let _ = writeln!(text, "Redirect \"{place}.statement\" Check @Posproof.{module}.{name}.");
    }
    for (place, name) in named(Kind::Definition) {
        let _ = writeln!(text, "Redirect \"{place}.definition\" Print Posproof.{module}.{name}.");
    }
    let query = scratch.path().join("query.v");
    fs::write(&query, text).map_err(lacking)?;
    let mut command = coq::command("coqc");
    command.args(["-q", "-w", "none", "-Q"]).arg(built).arg("Posproof").arg(&query).current_dir(scratch.path());
    let output = coq::run(&mut command)?;
    if !output.status.success() {
        return Ok(Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let printed = |place: usize, what: &str| fs::read_to_string(scratch.path().join(format!("{place}.{what}.out")));
    let mut answers = Answers::default();
    for (place, name) in named(Kind::Theorem) {
        let statement = statement(&printed(place, "statement").map_err(lacking)?);
        let axioms = axioms(&printed(place, "axioms").map_err(lacking)?);
        answers.theorems.insert(name.to_owned(), Theorem { statement, axioms });
    }
    for (place, name) in named(Kind::Definition) {
        let body = definition(&printed(place, "definition").map_err(lacking)?);
        answers.definitions.insert(format!("{module}.{name}"), body);
    }
    Ok(Ok(answers))
}

/// The type in "name : type", with the indentation that Coq gives it taken away.
fn statement(printed: &str) -> String {
    let after_name = printed.trim_end().split_once(" : ").map_or(printed, |(_, statement)| statement);
    let lines = after_name.lines().map(|line| line.strip_prefix("       ").unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n")
}

/// The names under "Axioms:". A line that says something else, such as "… is assumed to be
/// guarded", is kept whole, so that it cannot be pinned unseen.
fn axioms(printed: &str) -> Vec<String> {
    let skipped = ["Axioms:", "Closed under the global context"];
    let lines = printed.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with(' '));
    let names = lines.filter(|line| !skipped.contains(line)).map(|line| match line.split_once(" : ") {
        Some((name, _)) => name.to_owned(),
        None => line.to_owned(),
    });
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

/// What `Print` says, without the arguments' scopes and implicitness that follow after an empty line.
fn definition(printed: &str) -> String {
    let body = printed.split("\n\n").next().unwrap_or(printed);
    body.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_coq_prints_is_taken_apart() {
        let printed = "Shift.shift_linearity\n     : forall (h : nat) (t : R),\n       PE h t =\n       PE h t\n";
        assert_eq!(statement(printed), "forall (h : nat) (t : R),\nPE h t =\nPE h t");
        let printed = "Axioms:\nA.b : forall P : Prop, {~ ~ P} + {~ P}\nA.a\n  : forall P : nat -> Prop, P\nf is assumed to be guarded.\n";
        assert_eq!(axioms(printed), ["A.a", "A.b", "f is assumed to be guarded."]);
        assert!(axioms("Closed under the global context\n").is_empty());
        let printed = "PE = \nfun h => h\n     : nat -> nat\n\nArguments PE h%nat_scope\n";
        assert_eq!(definition(printed), "PE = \nfun h => h\n     : nat -> nat".replace("= \n", "=\n"));
    }
}
