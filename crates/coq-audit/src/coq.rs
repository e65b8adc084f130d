//! The Coq tools: whether they are there, and running them.

use super::libraries::Installed;
use super::processes;
use super::rules::Rules;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The tools, found and of the right version.
#[derive(Clone, Debug)]
pub struct Coq {
    /// Their purpose.
    pub rules: &'static Rules,
    /// As `coqc --print-version` says: `8.16.1`.
    pub version: String,
    /// The libraries that are installed.
    pub installed: Installed,
}

/// Parts that the environment lacks.
#[derive(Debug, thiserror::Error)]
pub enum Lacking {
    /// A program is not installed.
    #[error("{0} is not installed, so the proofs cannot be checked; to install Coq {version} and its libraries:\n{install}", version = .1.version, install = .1.install)]
    Program(&'static str, &'static Rules),
    /// Another version.
    #[error("the proofs are checked with Coq {version}, found {0}; to install it:\n{install}", version = .1.version, install = .1.install)]
    Version(String, &'static Rules),
    /// The checker is of another version than the compiler.
    #[error(
        "coqc is of version {compiler}, coqchk of {checker}: both have to be of one installation; to install it:\n{install}", install = .rules.install
    )]
    Checker {
        /// The version of `coqc`.
        compiler: String,
        /// The version of `coqchk`.
        checker: String,
        /// Their purpose.
        rules: &'static Rules,
    },
    /// A library is missing.
    #[error("the Coq library {0} is not installed; to install it:\n{install}", install = .1.install)]
    Library(&'static str, &'static Rules),
    /// The program was told to end.
    #[error("stopped")]
    Stopped,
    /// The system does not let the tools run, or files be written.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
}

impl Coq {
    /// Looks for the tools in the directory that `COQBIN` names, else in `PATH`.
    pub fn find(rules: &'static Rules) -> Result<Self, Lacking> {
        let printed = |tool, argument| match command(tool).arg(argument).stdin(Stdio::null()).output() {
            Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            Ok(_) | Err(_) => Err(Lacking::Program(tool, rules)),
        };
        let version = printed("coqc", "--print-version")?.split_whitespace().next().unwrap_or("none").to_owned();
        if version.strip_prefix(rules.version).is_none_or(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(Lacking::Version(version, rules));
        }
        // "The Coq Proof Checker, version 8.16.1"
        let checker = printed("coqchk", "-v")?.split_whitespace().next_back().unwrap_or("none").to_owned();
        if checker != version {
            return Err(Lacking::Checker { compiler: version, checker, rules });
        }
        let installed = Installed::new(Path::new(printed("coqc", "-where")?.trim()), rules);
        Ok(Self { rules, version, installed })
    }

    /// Missing libraries: asked only where something has to be compiled.
    pub fn libraries(&self, scratch: &Path) -> Result<(), Lacking> {
        let require = |(library, module, _): &(&str, &str, &str)| format!("From {library} Require {module}.\n");
        let together: String = self.rules.needed.iter().map(require).collect();
        if self.accepts(scratch, &together)? {
            return Ok(());
        }
        for library in self.rules.needed {
            if !self.accepts(scratch, &require(library))? {
                return Err(Lacking::Library(library.2, self.rules));
            }
        }
        Ok(())
    }

    fn accepts(&self, scratch: &Path, text: &str) -> Result<bool, Lacking> {
        let path = scratch.join("libraries.v");
        std::fs::write(&path, text).map_err(|error| Lacking::Io(path.clone(), error))?;
        Ok(run(command("coqc").args(["-q", "libraries.v"]).current_dir(scratch))?.status.success())
    }

    /// Compiles a file of a build directory. The inner error is Coq's message.
    pub fn compile(&self, directory: &Path, module: &str) -> Result<Result<(), String>, Lacking> {
        let mut coqc = command("coqc");
        coqc.args(["-q", "-w", "none", "-Q", ".", self.rules.name]).arg(format!("{module}.v")).current_dir(directory);
        let output = run(&mut coqc)?;
        let compiled = directory.join(format!("{module}.vo")).is_file();
        Ok(match output.status.success() {
            true if compiled => Ok(()),
            true => Err(format!("coqc ended well, but wrote no {module}.vo")),
            false => Err(message(&output)),
        })
    }

    /// Has `coqchk` re-check compiled files of a build directory, every definition and every proof in
    /// them, taking the other files that they require as given: each of the development's is re-checked in
    /// its turn, and the libraries are trusted as installed. The inner error is the checker's message.
    pub fn recheck(&self, directory: &Path, modules: &BTreeSet<String>) -> Result<Result<(), String>, Lacking> {
        let mut coqchk = command("coqchk");
        // Computations by `vm_compute`, as CoqInterval makes them, are repeated by the same machine:
        // without it they take hours.
        coqchk.args(["-silent", "-o", "-bytecode-compiler", "yes", "-Q", ".", self.rules.name]);
        for module in modules {
            coqchk.arg("-norec").arg(format!("{}.{module}", self.rules.name));
        }
        let output = run(coqchk.current_dir(directory))?;
        // With -silent it writes the summary to the standard error.
        let summary = message(&output);
        let lacks = UNSAFE.iter().find(|line| !summary.contains(*line));
        Ok(match lacks {
            _ if !output.status.success() => Err(summary),
            Some(line) => Err(format!("its summary lacks '{line}'")),
            None => Ok(()),
        })
    }
}

/// Garbage collection of OCaml, in which Coq is written: a smaller first heap than Coq asks for, which costs less memory to
/// touch, and larger collections less often. With a first heap of 1M words the compiler takes 0.91 of the processor time that
/// it takes with 4M (Heads, PositionBias, PowerLaw, Shift, SimilarityRises, RoundingRope). The checker takes 0.78 of what it
/// takes with its own settings for ten small files, 0.93 and 0.97 where it computes (SimilarityRises, BaseMinimum). Collections
/// at 40 times the live memory in place of 10 are another 0.93 of the compiler (RoundingRope, RoundingBelow), 0.97 of the checker.
pub const COLLECTION: (&str, &str) = ("OCAMLRUNPARAM", "s=1M,o=4000");

/// A command of Coq.
pub fn command(tool: &str) -> Command {
    let program = match std::env::var_os("COQBIN") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder).join(tool).into_os_string(),
        _ => OsString::from(tool),
    };
    let mut command = Command::new(program);
    // Who has chosen for OCaml keeps that.
    if std::env::var_os(COLLECTION.0).is_none() {
        command.env(COLLECTION.0, COLLECTION.1);
    }
    command
}

/// Runs it to its end; [`processes::stop`] ends it before.
pub fn run(command: &mut Command) -> Result<Output, Lacking> {
    let program = PathBuf::from(command.get_program());
    let output = processes::output(command.stdin(Stdio::null())).map_err(|error| Lacking::Io(program, error))?;
    output.ok_or(Lacking::Stopped)
}

/// Assumptions that `coqchk` must report as used by nothing.
const UNSAFE: [&str; 3] = [
    "* Constants/Inductives relying on type-in-type: <none>",
    "* Constants/Inductives relying on unsafe (co)fixpoints: <none>",
    "* Inductives whose positivity is assumed: <none>",
];

/// Words of a tool when it fails.
pub fn message(output: &Output) -> String {
    let text = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    text.join("\n").trim().to_owned()
}
