//! A compiled file by Coq: all that it declares, each readable and in full.
//!
//! The list of names to print is Coq's own, not this program's reading of the text. Everything is printed in a context
//! that imports the libraries and nothing of the development, and in which every argument of its constants is written
//! out: notations, implicit arguments and scopes of its own cannot change how a statement looks, and each of its names
//! is printed with its module. Beside that stands the term in full (`Set Printing All`), without the libraries'
//! notations, implicit arguments and coercions either.

use super::compiled::Unread;
use super::coq::{self, Coq, Lacking};
use super::lexer::collapsed;
use super::libraries::{self, Digests};
use super::recursion::Recursions;
use super::source::Source;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// Changed whenever what is asked of Coq, or how it is asked, changes.
pub const FORMAT: &str = "5";

/// Layout of everything that is printed for readers.
const LAYOUT: &str = "Set Printing Width 110.\nSet Printing Depth 1000000.\n";

/// Option that has everything printed in full.
const IN_FULL: &str = "Set Printing All.\nSet Printing Width 1000000.\n";

/// End of an abridged printing.
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

/// Nature of a declaration, whatever keyword made it.
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
    /// Its nature.
    pub nature: Nature,
    /// The statement of a lemma, the body and type of a definition.
    pub text: Printed,
}

/// Coq's answers on one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// Declarations of `Theorem` and `Corollary`, by name.
    pub theorems: BTreeMap<String, Theorem>,
    /// All that the file declares, by name with the module: `Encoding.PE`.
    pub constants: BTreeMap<String, Constant>,
    /// Every file that was loaded when it was compiled.
    pub libraries: Digests,
    /// The recursive functions in what it declares, proofs included.
    pub recursions: Recursions,
}

/// Coq's list of a file.
#[derive(Clone, Debug)]
pub struct Listed {
    /// `Definition`, `Parameter` (of which only the type is known), `Inductive`, `Record` and so on.
    keyword: String,
    name: String,
}

/// Coq's list of each file, by module.
pub type Lists = BTreeMap<String, Vec<Listed>>;

/// The axioms of theorems, by module and name.
pub type Axioms = BTreeMap<(String, String), Vec<String>>;

/// Where questions are put, one after another.
pub struct Session<'a> {
    coq: &'a Coq,
    built: &'a Path,
    scratch: tempfile::TempDir,
}

/// The inner error is Coq's message.
pub type Answer<T> = Result<Result<T, String>, Lacking>;

/// Asks Coq about files whose compiled forms lie in `built`, beside those of the files that they require, directly or
/// through others; `lists` holds what Coq lists of all these, `axioms` those of their theorems. Files are asked about
/// together because what each of them loads is nearly the same.
pub fn ask(
    coq: &Coq,
    sources: &[&Source],
    lists: &Lists,
    axioms: &Axioms,
    built: &Path,
) -> Answer<BTreeMap<String, Answers>> {
    let session = Session::new(coq, built)?;
    let listed = |source: &Source| lists.get(&source.module).map_or(&[][..], Vec::as_slice);
    for source in sources {
        let unknown = |name: &str| !listed(source).iter().any(|listed| listed.name == name);
        if let Some(theorem) = source.theorems.iter().find(|theorem| unknown(&theorem.name)) {
            return Ok(Err(format!("Coq does not list the theorem {}", theorem.name)));
        }
    }
    let own: Vec<_> = sources.iter().map(|source| (source.module.as_str(), listed(source))).collect();
    let answered = session.run(&session.questions(&own, lists))?;
    Ok(answered.and_then(|()| {
        let foreign = session.foreign()?;
        if let (Some(library), true) = (foreign.keys().next(), sources.len() > 1) {
            // Which of the files loads it is seen by asking about each.
            return Err(format!("{library} is not installed"));
        }
        let of = |source: &&Source| {
            let mut answers = session.answers(source, listed(source), axioms)?;
            answers.libraries.extend(foreign.clone());
            Ok((source.module.clone(), answers))
        };
        sources.iter().map(of).collect()
    }))
}

/// Coq's lists of these files.
pub fn lists(coq: &Coq, modules: &BTreeSet<String>, built: &Path) -> Answer<Lists> {
    let session = Session::new(coq, built)?;
    let own = coq.rules.name;
    let required: String = modules.iter().map(|module| format!("Require {own}.{module}.\n")).collect();
    let mut text = format!("{required}Set Short Module Printing.\n");
    for module in modules {
        let _ = writeln!(text, "Redirect \"{module}.list\" Print Module {own}.{module}.");
    }
    let answered = session.run(&text)?;
    let of = |module: &String| Ok((module.clone(), list(&session.printed(&format!("{module}.list"))?)?));
    Ok(answered.and_then(|()| modules.iter().map(of).collect()))
}

fn lacking(error: io::Error) -> Lacking {
    Lacking::Io(std::env::temp_dir(), error)
}

impl<'a> Session<'a> {
    /// Questions about compiled files in a directory.
    pub fn new(coq: &'a Coq, built: &'a Path) -> Result<Self, Lacking> {
        Ok(Self { coq, built, scratch: tempfile::tempdir().map_err(lacking)? })
    }

    /// The sentences that load the libraries and what bears the development's name.
    pub fn loading<'m>(&self, modules: impl IntoIterator<Item = &'m str>) -> String {
        let own = self.coq.rules.name;
        let required = modules.into_iter().map(|module| format!("Require {own}.{module}.\n"));
        [self.coq.rules.loaded.to_owned()].into_iter().chain(required).collect()
    }

    /// The full name of what a file of the development declares.
    pub fn named(&self, module: &str, name: &str) -> String {
        format!("{}.{module}.{name}", self.coq.rules.name)
    }

    /// Has Coq read a text.
    pub fn run(&self, text: &str) -> Answer<()> {
        let query = self.scratch.path().join("query.v");
        fs::write(&query, text).map_err(lacking)?;
        let mut command = coq::command("coqc");
        command.args(["-q", "-w", "none", "-Q"]).arg(self.built).arg(self.coq.rules.name);
        let output = coq::run(command.arg(&query).current_dir(self.scratch.path()))?;
        Ok(if output.status.success() { Ok(()) } else { Err(coq::message(&output)) })
    }

    /// The libraries that it loaded for that and that are not those that are installed.
    fn foreign(&self) -> Result<Digests, String> {
        let mut loaded = read(&self.scratch.path().join("query.vo"), libraries::loaded)?;
        loaded.retain(|library, digest| self.coq.installed.objection(self.coq.rules, library, digest).is_some());
        Ok(loaded)
    }

    /// Text that it was redirected to print under a name.
    pub fn printed(&self, name: &str) -> Result<String, String> {
        let printed = fs::read_to_string(self.scratch.path().join(format!("{name}.out")))
            .map_err(|error| format!("coqc ended well, but did not print {name}: {error}"))?;
        if printed.contains(ABRIDGED) { Err(format!("Coq abridges what it prints: {printed}")) } else { Ok(printed) }
    }

    fn answers(&self, source: &Source, listed: &[Listed], axioms: &Axioms) -> Result<Answers, String> {
        let mut answers = Answers::default();
        for (place, Listed { keyword, name }) in listed.iter().enumerate() {
            let printed = |what: &str| self.printed(&format!("{}.{place}.{what}", source.module));
            let (full_type, sort) = typed(&printed("type")?)?;
            let nature = match (keyword.as_str(), sort.as_str()) {
                ("Definition" | "Parameter", "Prop") => Nature::Lemma,
                ("Definition", _) => Nature::Definition,
                ("Parameter", _) => Nature::Opaque,
                _ => Nature::Inductive,
            };
            let text = match nature {
                Nature::Lemma | Nature::Opaque => {
                    Printed { readable: statement(&printed("checked")?), full: full_type }
                }
                Nature::Definition | Nature::Inductive => {
                    let readable = body(&printed("readable")?);
                    Printed { readable, full: in_full(&body(&printed("full")?)) }
                }
            };
            if source.theorems.iter().any(|theorem| theorem.name == *name) {
                let axioms = axioms.get(&(source.module.clone(), name.clone()));
                let axioms = axioms.ok_or_else(|| format!("the axioms of {name} were not asked for"))?.clone();
                answers.theorems.insert(name.clone(), Theorem { statement: text.clone(), axioms });
            }
            answers.constants.insert(format!("{}.{name}", source.module), Constant { nature, text });
        }
        let compiled = self.built.join(format!("{}.vo", source.module));
        answers.libraries = read(&compiled, libraries::loaded)?;
        answers.recursions = read(&compiled, Recursions::of)?;
        Ok(answers)
    }

    /// Asks about what each of `own` declares, where all of `seen` can be loaded with them.
    fn questions(&self, own: &[(&str, &[Listed])], seen: &Lists) -> String {
        let mut text = self.loading(seen.keys().map(String::as_str));
        text += self.coq.rules.context;
        text += LAYOUT;
        for (module, listed) in seen {
            for Listed { name, .. } in listed {
                let name = self.named(module, name);
                let _ = writeln!(text, "Arguments {name} : clear implicits.\nArguments {name} : clear scopes.");
            }
        }
        let each = || {
            own.iter().flat_map(|(module, listed)| listed.iter().enumerate().map(move |(place, l)| (module, place, l)))
        };
        let has_body = |listed: &Listed| listed.keyword != "Parameter";
        for (module, place, listed) in each() {
            let name = self.named(module, &listed.name);
            let _ = writeln!(text, "Redirect \"{module}.{place}.checked\" Check @{name}.");
            if has_body(listed) {
                let _ = writeln!(text, "Redirect \"{module}.{place}.readable\" Print {name}.");
            }
        }
        text.push_str(IN_FULL);
        for (module, place, listed) in each() {
            let name = self.named(module, &listed.name);
            // The type, printed with its own type, which is a sort.
            let its_type = format!("ltac:(let T := type of @{name} in exact T)");
            let _ = writeln!(text, "Redirect \"{module}.{place}.type\" Check {its_type}.");
            if has_body(listed) {
                let _ = writeln!(text, "Redirect \"{module}.{place}.full\" Print {name}.");
            }
        }
        text
    }
}

/// Reads a compiled file.
fn read<T>(path: &Path, reader: impl Fn(&[u8]) -> Result<T, Unread>) -> Result<T, String> {
    fs::read(path)
        .map_err(Unread::from)
        .and_then(|bytes| reader(&bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Coq's words for constants and inductive types in a list; after `with` stands one that is declared together with the
/// one before.
const KEYWORDS: [&str; 9] =
    ["Definition", "Parameter", "Class", "CoInductive", "Inductive", "Record", "Structure", "Variant", "with"];

/// The entries between `Struct` and `End`; modules inside a file are not looked into.
fn list(printed: &str) -> Result<Vec<Listed>, String> {
    let entries = printed.split_once("Struct").and_then(|(_, entries)| entries.rsplit_once("End"));
    let (entries, _) = entries.ok_or_else(|| format!("no list of declarations in '{printed}'"))?;
    let mut words = entries.split_whitespace().filter(|word| *word != "Type");
    let mut listed = Vec::new();
    while let (Some(keyword), Some(name)) = (words.next(), words.next()) {
        match keyword {
            "Module" => {}
            _ if KEYWORDS.contains(&keyword) => {
                listed.push(Listed { keyword: keyword.to_owned(), name: name.to_owned() })
            }
            _ => return Err(format!("unknown in a list of declarations: {keyword} {name}")),
        }
    }
    Ok(listed)
}

/// A type in full and its sort, from "type : sort".
fn typed(printed: &str) -> Result<(String, String), String> {
    let line = in_full(printed);
    let (full, sort) = line.rsplit_once(" : ").ok_or_else(|| format!("no type in '{line}'"))?;
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

/// Text of `Print`, without the arguments' scopes and implicitness that follow after an empty line.
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
