//! The Coq development in `proofs/`: which theorems belong to which claims, and what an audit of them says of the claims.
//!
//! Building, asking Coq, comparing with the pins and re-checking are `posproof-coq-audit`, which knows nothing of claims.
//! Every `Theorem` is a claim of the ledger (named by its id), the refutation of a claim as written, or a main rounding
//! theorem. What an audit found is **remembered** under a hash of everything that it depends on, so that `verify` says
//! *proved* only of the very sources that passed.

pub mod audit;
pub mod coverage;
pub mod memory;
pub mod table;

use posproof_coq_audit::coq::Coq;
use posproof_coq_audit::{Development, Rules, Unreadable};
use std::io;
use std::path::{Path, PathBuf};

/// Name, libraries and axioms of the development.
pub const RULES: Rules = Rules {
    name: "Posproof",
    version: "8.16",
    libraries: &["Bignums", "Coq", "Coquelicot", "Flocq", "HB", "Interval", "mathcomp"],
    needed: &[
        ("mathcomp", "matrix", "Mathematical Components (algebra)"),
        ("mathcomp", "perm", "Mathematical Components (fingroup)"),
        ("Coquelicot", "Coquelicot", "Coquelicot"),
        ("Flocq", "Core", "Flocq"),
        ("Interval", "Tactic", "CoqInterval"),
    ],
    install: "  Debian, Ubuntu:  sudo apt-get install coq libcoq-coquelicot libcoq-interval libcoq-flocq libcoq-mathcomp-analysis
  elsewhere:       opam install coq.8.16.1 coq-mathcomp-algebra coq-coquelicot coq-flocq coq-interval
  in a checkout:   sh scripts/setup --proofs",
    loaded: "\
From Coq Require Reals ZArith.
From mathcomp Require all_ssreflect fingroup perm matrix.
From Coquelicot Require Coquelicot.
From Flocq Require Core BinarySingleNaN.
",
    context: "\
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core BinarySingleNaN.
Open Scope R_scope.
",
    // Those of the real numbers, and excluded middle where Flocq or Coquelicot needs it.
    axioms: &[
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "Classical_Prop.classic",
        "FunctionalExtensionality.functional_extensionality_dep",
    ],
};

/// Why the development cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// There is none here.
    #[error(
        "no Coq sources: there is no proofs/Encoding.v in {0} or above; run this in a checkout of posproof, or give --proofs DIR"
    )]
    NotFound(PathBuf),
    /// There is none where it was said to be.
    #[error("--proofs {}: {found}; expected the folder of the Coq sources, proofs/ of a checkout of posproof", path.display())]
    NotThere {
        /// The path that was given.
        path: PathBuf,
        /// The version that is there.
        found: &'static str,
    },
    /// The current directory is not known.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A file is not as it should be.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// The directory of the sources: the one given, else `proofs/` in the current directory or
/// above it, else where this program was built.
pub fn locate(given: Option<&Path>) -> Result<PathBuf, Lost> {
    if let Some(directory) = given {
        return match missing(directory) {
            Some(found) => Err(Lost::NotThere { path: directory.to_owned(), found }),
            None => Ok(directory.to_owned()),
        };
    }
    let here = std::env::current_dir().map_err(|error| Lost::Io(PathBuf::from("."), error))?;
    let built = Path::new(env!("CARGO_MANIFEST_DIR"));
    let candidates = here.ancestors().chain([built]).map(|folder| folder.join("proofs"));
    let found = candidates.into_iter().find(|directory| directory.join("Encoding.v").is_file());
    found.ok_or(Lost::NotFound(here))
}

/// Why a path is no directory of Coq sources, if it is none.
fn missing(path: &Path) -> Option<&'static str> {
    if !path.exists() {
        return Some("it does not exist");
    }
    if !path.is_dir() {
        return Some("it is a file");
    }
    let entries = std::fs::read_dir(path).ok()?;
    let sources = entries.flatten().filter(|entry| entry.path().extension().is_some_and(|extension| extension == "v"));
    (sources.count() == 0).then_some("it holds no .v file")
}

/// The development in a directory.
pub fn read(directory: &Path) -> Result<Development, Lost> {
    Ok(Development::read(directory, &RULES)?)
}

/// The development at hand.
pub fn at_hand() -> Result<Development, Lost> {
    read(&locate(None)?)
}

/// A hash of all that the outcome of an audit depends on: the sources, the pins, Coq and the libraries, the statements of
/// the claims that have theorems, and the version of this program.
pub fn hash(development: &Development, coq: &Coq) -> String {
    let mut claims = crate::claims::all();
    claims.retain(|entry| !entry.about().theorems().is_empty());
    let statements = claims.iter().flat_map(|entry| {
        let about = entry.about();
        [about.id, about.statement, about.written.unwrap_or_default()]
    });
    development.hash(coq, [env!("CARGO_PKG_VERSION")].into_iter().chain(statements))
}
