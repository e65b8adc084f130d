//! What Coq says of a compiled file: all that it declares, each readable and in full, and the axioms
//! of each theorem.
//!
//! What there is to print is Coq's own list, not this program's reading of the text. Everything is
//! printed in a context that imports the libraries and nothing of the development, and in which
//! every argument of its constants is written out: notations, implicit arguments and scopes of its
//! own cannot change how a statement looks, and each of its names is printed with its module. Beside
//! that stands the term in full (`Set Printing All`), without the libraries' notations, implicit
//! arguments and coercions either.

use super::coq::{self, Lacking};
use super::lexer::collapsed;
use super::source::Source;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
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

/// The context in which everything is printed for readers.
const READABLE: &str = "\
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core BinarySingleNaN.
Open Scope R_scope.
Set Printing Width 110.
Set Printing Depth 1000000.
";

/// What has to be said in it to have everything printed in full.
const IN_FULL: &str = "Set Printing All.\nSet Printing Width 1000000.\n";

/// What printing abridges ends so.
const ABRIDGED: &str = "...";

/// Text as Coq prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// With the libraries' notations.
    pub readable: String,
    /// In full, on one line.
    pub full: String,
}

/// A theorem as Coq knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theorem {
    /// The statement.
    pub statement: Printed,
    /// The axioms that it depends upon, sorted.
    pub axioms: Vec<String>,
}

/// What something declared is, whatever keyword made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nature {
    /// Its type is a proposition: which proof it has means nothing.
    Lemma,
    /// A body, printed with its type.
    Definition,
    /// An inductive type or a record, printed with its constructors or fields.
    Inductive,
    /// Something else than a proof whose body Coq keeps from every statement; its type is printed.
    Opaque,
}

/// Something declared, as Coq prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// What it is.
    pub nature: Nature,
    /// The statement of a lemma, the body and type of a definition.
    pub text: Printed,
}

/// What Coq says of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// What `Theorem` and `Corollary` introduce, by name.
    pub theorems: BTreeMap<String, Theorem>,
    /// All that the file declares, by name with the module: `Encoding.PE`.
    pub constants: BTreeMap<String, Constant>,
    /// Every file that it loads, itself among them, by its full name: `Coq.Reals.Rdefinitions`.
    pub libraries: BTreeSet<String>,
}

/// What Coq lists of a file.
struct Listed {
    /// `Definition`, `Parameter` (of which only the type is known), `Inductive`, `Record` and so on.
    keyword: String,
    name: String,
}

/// Where questions are put, one after another.
struct Session<'a> {
    built: &'a Path,
    scratch: tempfile::TempDir,
}

/// The inner error is Coq's message.
type Answer<T> = Result<Result<T, String>, Lacking>;

/// Asks Coq about a file whose compiled form lies in `built`, beside those of the files that it
/// requires, directly or through others.
pub fn ask(source: &Source, required: &BTreeSet<String>, built: &Path) -> Answer<Answers> {
    let session = Session { built, scratch: tempfile::tempdir().map_err(lacking)? };
    let listed = match session.listed(source, required)? {
        Ok(listed) => listed,
        Err(message) => return Ok(Err(message)),
    };
    let unknown = |name: &str| !listed[&source.module].iter().any(|listed| listed.name == name);
    if let Some(theorem) = source.theorems.iter().find(|theorem| unknown(&theorem.name)) {
        return Ok(Err(format!("Coq does not list the theorem {}", theorem.name)));
    }
    if let Err(message) = session.run(&questions(source, &listed))? {
        return Ok(Err(message));
    }
    match session.answers(source, &listed[&source.module]) {
        Ok(answers) => Ok(Ok(answers)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Err(error.to_string())),
        Err(error) => Err(lacking(error)),
    }
}

fn lacking(error: io::Error) -> Lacking {
    Lacking::Io(std::env::temp_dir(), error)
}

impl Session<'_> {
    fn run(&self, text: &str) -> Answer<()> {
        let query = self.scratch.path().join("query.v");
        fs::write(&query, text).map_err(lacking)?;
        let mut command = coq::command("coqc");
        command.args(["-q", "-w", "none", "-Q"]).arg(self.built).arg("Posproof");
        let output = coq::run(command.arg(&query).current_dir(self.scratch.path()))?;
        Ok(if output.status.success() { Ok(()) } else { Err(coq::message(&output)) })
    }

    fn printed(&self, name: &str) -> io::Result<String> {
        let printed = fs::read_to_string(self.scratch.path().join(format!("{name}.out")))
            .map_err(|error| invalid(format!("coqc ended well, but did not print {name}: {error}")))?;
        if printed.contains(ABRIDGED) {
            Err(invalid(format!("Coq abridges what it prints: {printed}")))
        } else {
            Ok(printed)
        }
    }

    /// What Coq lists of the file and of each that it requires.
    fn listed(&self, source: &Source, required: &BTreeSet<String>) -> Answer<BTreeMap<String, Vec<Listed>>> {
        let modules = || required.iter().chain([&source.module]);
        let mut text = format!("Require Posproof.{}.\nSet Short Module Printing.\n", source.module);
        for module in modules() {
            let _ = writeln!(text, "Redirect \"{module}.list\" Print Module Posproof.{module}.");
        }
        if let Err(message) = self.run(&text)? {
            return Ok(Err(message));
        }
        let listed = modules().map(|module| Ok((module.clone(), list(&self.printed(&format!("{module}.list"))?)?)));
        Ok(listed.collect::<io::Result<_>>().map_err(|error| error.to_string()))
    }

    fn answers(&self, source: &Source, listed: &[Listed]) -> io::Result<Answers> {
        let mut answers = Answers::default();
        for (place, Listed { keyword, name }) in listed.iter().enumerate() {
            let (full_type, sort) = typed(&self.printed(&format!("{place}.type"))?)?;
            let nature = match (keyword.as_str(), sort.as_str()) {
                ("Definition" | "Parameter", "Prop") => Nature::Lemma,
                ("Definition", _) => Nature::Definition,
                ("Parameter", _) => Nature::Opaque,
                _ => Nature::Inductive,
            };
            let text = match nature {
                Nature::Lemma | Nature::Opaque => {
                    Printed { readable: statement(&self.printed(&format!("{place}.checked"))?), full: full_type }
                }
                Nature::Definition | Nature::Inductive => {
                    let readable = body(&self.printed(&format!("{place}.readable"))?);
                    Printed { readable, full: in_full(&body(&self.printed(&format!("{place}.full"))?)) }
                }
            };
            if source.theorems.iter().any(|theorem| theorem.name == *name) {
                let axioms = axioms(&self.printed(&format!("{place}.axioms"))?);
                answers.theorems.insert(name.clone(), Theorem { statement: text.clone(), axioms });
            }
            answers.constants.insert(format!("{}.{name}", source.module), Constant { nature, text });
        }
        let libraries = self.printed("libraries")?;
        answers.libraries = libraries.lines().filter_map(|line| line.strip_prefix("  ")).map(str::to_owned).collect();
        Ok(answers)
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn questions(source: &Source, listed: &BTreeMap<String, Vec<Listed>>) -> String {
    let module = &source.module;
    let own = &listed[module];
    let mut text = format!("{LIBRARIES}Require Posproof.{module}.\nRedirect \"libraries\" Print Libraries.\n");
    for (place, Listed { name, .. }) in own.iter().enumerate() {
        if source.theorems.iter().any(|theorem| theorem.name == *name) {
            let _ = writeln!(text, "Redirect \"{place}.axioms\" Print Assumptions Posproof.{module}.{name}.");
        }
    }
    text.push_str(READABLE);
    for (module, listed) in listed {
        for Listed { name, .. } in listed {
            let _ = writeln!(text, "Arguments Posproof.{module}.{name} : clear implicits.");
            let _ = writeln!(text, "Arguments Posproof.{module}.{name} : clear scopes.");
        }
    }
    let has_body = |listed: &Listed| listed.keyword != "Parameter";
    for (place, listed) in own.iter().enumerate() {
        let name = &listed.name;
        let _ = writeln!(text, "Redirect \"{place}.checked\" Check @Posproof.{module}.{name}.");
        if has_body(listed) {
            let _ = writeln!(text, "Redirect \"{place}.readable\" Print Posproof.{module}.{name}.");
        }
    }
    text.push_str(IN_FULL);
    for (place, listed) in own.iter().enumerate() {
        let name = &listed.name;
        // The type, printed with its own type, which is a sort.
        let its_type = format!("ltac:(let T := type of @Posproof.{module}.{name} in exact T)");
        let _ = writeln!(text, "Redirect \"{place}.type\" Check {its_type}.");
        if has_body(listed) {
            let _ = writeln!(text, "Redirect \"{place}.full\" Print Posproof.{module}.{name}.");
        }
    }
    text
}

/// What Coq calls constants and inductive types in a list; after `with` stands one that is declared together with
/// the one before.
const KEYWORDS: [&str; 9] =
    ["Definition", "Parameter", "Class", "CoInductive", "Inductive", "Record", "Structure", "Variant", "with"];

/// The entries between `Struct` and `End`; modules inside a file are not looked into.
fn list(printed: &str) -> io::Result<Vec<Listed>> {
    let entries = printed.split_once("Struct").and_then(|(_, entries)| entries.rsplit_once("End"));
    let (entries, _) = entries.ok_or_else(|| invalid(format!("no list of declarations in '{printed}'")))?;
    let mut words = entries.split_whitespace().filter(|word| *word != "Type");
    let mut listed = Vec::new();
    while let (Some(keyword), Some(name)) = (words.next(), words.next()) {
        match keyword {
            "Module" => {}
            _ if KEYWORDS.contains(&keyword) => {
                listed.push(Listed { keyword: keyword.to_owned(), name: name.to_owned() })
            }
            _ => return Err(invalid(format!("unknown in a list of declarations: {keyword} {name}"))),
        }
    }
    Ok(listed)
}

/// A type in full and its sort, from "type : sort".
fn typed(printed: &str) -> io::Result<(String, String)> {
    let line = in_full(printed);
    let (full, sort) = line.rsplit_once(" : ").ok_or_else(|| invalid(format!("no type in '{line}'")))?;
    Ok((full.to_owned(), sort.to_owned()))
}

/// One line without `@`, which only says that no argument is left out; in full, none ever is.
fn in_full(printed: &str) -> String {
    collapsed(&printed.replace('@', ""))
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
fn body(printed: &str) -> String {
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
        assert_eq!(body(printed), "PE = \nfun h => h\n     : nat -> nat".replace("= \n", "=\n"));
        let (full, sort) = typed("forall x : nat,\n  @eq nat x (@Pairs.bit x)\n     : Prop\n").expect("typed");
        assert_eq!((full.as_str(), sort.as_str()), ("forall x : nat, eq nat x (Pairs.bit x)", "Prop"));
        let listed = list(
            "\nModule\nSum\n:= Struct\n     Module I\n     Module Type T\n     Inductive order\n     Parameter size\n   End\n",
        );
        let listed = listed.expect("a list");
        let listed: Vec<_> = listed.iter().map(|listed| (listed.keyword.as_str(), listed.name.as_str())).collect();
        assert_eq!(listed, [("Inductive", "order"), ("Parameter", "size")]);
    }
}
