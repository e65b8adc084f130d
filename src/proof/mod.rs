//! The Coq development: locating it, building it, auditing it, remembering what was found.
//!
//! - The **sources** are the files of `proofs/`; every `Theorem` in them is a claim of the ledger
//!   (named by its id), the refutation of a claim as written, or a main rounding theorem.
//! - The **pins** in `proofs/audit/` say, for each theorem, its statement as Coq prints it and the
//!   axioms it depends upon, and the body of each definition that a statement rests on, each with a
//!   hash of the same in full.
//! - An **audit** compiles the sources, asks Coq for all of these, compares both ways, and has the
//!   compiled files re-checked by `coqchk`. Each difference is a **finding**.
//! - What an audit found is **remembered** under a hash of everything that it depends on, so that
//!   `verify` says *proved* only of the very sources that passed.

pub mod audit;
pub mod axioms;
pub mod build;
pub mod closure;
pub mod commands;
pub mod coq;
pub mod coverage;
pub mod drift;
pub mod lexer;
pub mod memory;
pub mod pins;
pub mod query;
mod schedule;
pub mod source;
pub mod step;
pub mod table;
pub mod violation;

use sha2::{Digest, Sha256};
use source::{Declaration, Source};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Which paths editors and `coq_makefile` give to Coq.
pub const PROJECT: &str = "_CoqProject";

/// The sources of the Coq development and the pins beside them.
#[derive(Clone, Debug)]
pub struct Development {
    /// The directory `proofs/`.
    pub directory: PathBuf,
    /// The files, in an order in which each comes after those that it requires.
    pub sources: Vec<Source>,
    /// The pins.
    pub pins: pins::Pins,
    /// For which sources the pinned axioms were printed.
    pub seals: axioms::Seals,
    /// What editors and `coq_makefile` read, where there is one: the text of `_CoqProject`.
    pub project: Option<String>,
}

/// Why the development cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// There is no such directory here.
    #[error(
        "no Coq sources: there is no proofs/Encoding.v in {0} or above; run this in a checkout of posproof, or give --proofs DIR"
    )]
    NotFound(PathBuf),
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A file requires one that does not exist.
    #[error("{file}.v: requires Posproof.{missing}, but there is no {missing}.v beside it")]
    Missing {
        /// The file.
        file: String,
        /// What it requires.
        missing: String,
    },
    /// Files require each other.
    #[error("{0}.v requires itself, directly or through others")]
    Cycle(String),
    /// A pin file is not as this program writes it.
    #[error("{0}")]
    Pins(#[from] pins::Malformed),
}

impl Development {
    /// The directory of the sources: the one given, else `proofs/` in the current directory or
    /// above it, else where this program was built.
    pub fn locate(given: Option<&Path>) -> Result<PathBuf, Unreadable> {
        if let Some(directory) = given {
            return Ok(directory.to_owned());
        }
        let here = std::env::current_dir().map_err(|error| Unreadable::Io(PathBuf::from("."), error))?;
        let built = Path::new(env!("CARGO_MANIFEST_DIR"));
        let candidates = here.ancestors().chain([built]).map(|folder| folder.join("proofs"));
        let found = candidates.into_iter().find(|directory| directory.join("Encoding.v").is_file());
        found.ok_or(Unreadable::NotFound(here))
    }

    /// Reads the sources and the pins in a directory.
    pub fn read(directory: &Path) -> Result<Self, Unreadable> {
        let mut sources = Vec::new();
        for (module, text) in texts(directory, "v")? {
            sources.push(Source::new(&module, &text));
        }
        let pins = pins::Pins::parse(&texts(&directory.join(pins::DIRECTORY), pins::EXTENSION)?)?;
        let project = fs::read_to_string(directory.join(PROJECT)).ok();
        let seals = fs::read_to_string(directory.join(pins::DIRECTORY).join(axioms::FILE)).unwrap_or_default();
        let seals = axioms::Seals::parse(&seals);
        Ok(Self { directory: directory.to_owned(), sources: in_order(sources)?, pins, seals, project })
    }

    /// The theorems, each with the file that it stands in.
    pub fn theorems(&self) -> impl Iterator<Item = (&Source, &Declaration)> {
        self.sources.iter().flat_map(|source| source.theorems.iter().map(move |theorem| (source, theorem)))
    }

    /// The file of a module of the development.
    pub fn source(&self, module: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.module == module)
    }

    /// A hash of all that the outcome of an audit depends on: the sources, the pins, the statements
    /// of the claims that have theorems, the version of this program, and what it asks of Coq.
    pub fn hash(&self) -> String {
        let mut claims = crate::claims::all();
        claims.retain(|entry| !entry.about().theorems().is_empty());
        let pins = self.pins.to_texts();
        let statements = claims.iter().flat_map(|entry| {
            let about = entry.about();
            [about.id, about.statement, about.written.unwrap_or_default()]
        });
        let sources = self.sources.iter().flat_map(|source| [source.module.as_str(), source.text.as_str()]);
        let pins = pins.iter().flat_map(|(module, text)| [module.as_str(), text.as_str()]);
        digest([env!("CARGO_PKG_VERSION"), build::FORMAT].into_iter().chain(sources).chain(pins).chain(statements))
    }
}

/// SHA-256 of a list of texts, each with its length, in hexadecimal.
pub fn digest<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hexadecimal(&hasher.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files of a directory with that extension, by stem. A directory that does not exist has none.
fn texts(directory: &Path, extension: &str) -> Result<BTreeMap<String, String>, Unreadable> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Unreadable::Io(path, error)
    };
    let mut texts = BTreeMap::new();
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && extension != "v" => return Ok(texts),
        entries => entries.map_err(failed(directory))?,
    };
    for entry in entries {
        let path = entry.map_err(failed(directory))?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        // Editors leave files such as `.#Shift.v` about.
        let stem = stem.filter(|stem| stem.starts_with(|first: char| first.is_ascii_alphabetic()));
        if let (Some(stem), true) = (stem, path.extension().is_some_and(|found| found == extension)) {
            texts.insert(stem.to_owned(), fs::read_to_string(&path).map_err(failed(&path))?);
        }
    }
    Ok(texts)
}

/// Each file after those that it requires.
fn in_order(mut sources: Vec<Source>) -> Result<Vec<Source>, Unreadable> {
    for source in &sources {
        let exists = |module: &&String| sources.iter().any(|other| other.module == **module);
        if let Some(missing) = source.requires.iter().find(|module| !exists(module)) {
            return Err(Unreadable::Missing { file: source.module.clone(), missing: missing.clone() });
        }
    }
    let mut ordered: Vec<Source> = Vec::with_capacity(sources.len());
    while !sources.is_empty() {
        let placed = |module: &String| ordered.iter().any(|source| source.module == *module);
        match sources.iter().position(|source| source.requires.iter().all(placed)) {
            Some(place) => ordered.push(sources.remove(place)),
            None => return Err(Unreadable::Cycle(sources[0].module.clone())),
        }
    }
    Ok(ordered)
}
