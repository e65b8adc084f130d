//! The libraries that compiled files stand on: whether each is the installed one, by its digest.

use super::compiled::{self, Compiled, Unread};
use super::digest;
use super::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Compiled files by their full names, such as `Coq.Reals.Rdefinitions`, each with the digest that Coq knows it by.
pub type Digests = BTreeMap<String, String>;

/// The libraries as they are installed beside Coq.
#[derive(Clone, Debug)]
pub struct Installed {
    folder: PathBuf,
    /// A digest of all compiled files of the libraries that the development may stand on.
    pub digest: String,
}

impl Installed {
    /// The libraries in the folder that `coqc -where` prints.
    pub fn new(folder: &Path, rules: &Rules) -> Self {
        let mut files = BTreeSet::new();
        for library in rules.libraries {
            let mut folders = vec![root(folder, library)];
            while let Some(folder) = folders.pop() {
                for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
                    if path.is_dir() {
                        folders.push(path);
                    } else if path.extension().is_some_and(|extension| extension == "vo") {
                        files.insert(path);
                    }
                }
            }
        }
        let digests = files.iter().flat_map(|path| {
            let found = compiled::digest(path).unwrap_or_else(|error| error.to_string());
            [path.to_string_lossy().into_owned(), found]
        });
        Self { folder: folder.to_owned(), digest: digest(digests) }
    }

    /// Fault of a library that was loaded; none where it is the installed one, or the development's own.
    pub(super) fn objection(&self, rules: &Rules, library: &str, digest: &str) -> Option<String> {
        if own(rules, library).is_some() {
            return None;
        }
        let parts: Vec<&str> = library.split('.').collect();
        if !rules.libraries.contains(&parts[0]) {
            return Some("it was loaded, but is of no library that the proofs stand on".to_owned());
        }
        let path = parts[1..].iter().fold(root(&self.folder, parts[0]), |path, part| path.join(part));
        let path = path.with_added_extension("vo");
        match compiled::digest(&path) {
            Ok(found) if found == digest => None,
            Ok(_) => Some(format!("it was loaded, but is another file than {}", path.display())),
            Err(error) => Some(format!("it was loaded, but is not installed: {}: {error}", path.display())),
        }
    }
}

/// Where the files of a library are: Coq's own lie apart from the others.
fn root(folder: &Path, library: &str) -> PathBuf {
    if library == "Coq" { folder.join("theories") } else { folder.join("user-contrib").join(library) }
}

/// The file of the development that bears this full name.
pub(super) fn own<'a>(rules: &Rules, library: &'a str) -> Option<&'a str> {
    library.strip_prefix(rules.name).and_then(|rest| rest.strip_prefix('.'))
}

/// The files that a compiled file had loaded.
pub fn loaded(bytes: &[u8]) -> Result<Digests, Unread> {
    Compiled::read(bytes)?.loaded()
}
