//! Libraries that are not those that are installed, and tools of another version: nothing of them is taken for granted.

use super::copy::Copy;
use posproof::proof::{RULES, hash};
use posproof_coq_audit::compiled::digest;
use posproof_coq_audit::coq::Coq;
use posproof_coq_audit::libraries::Installed;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A library by the name of one that the proofs stand on, in a folder of its own, for `COQPATH`.
fn library(folder: &Path, file: &str, text: &str) {
    let inner = folder.join("Coquelicot");
    fs::create_dir_all(&inner).expect("a directory");
    fs::write(inner.join(file).with_extension("v"), text).expect("a source");
    let mut coqc = Command::new("coqc");
    coqc.args(["-q", "-Q"]).arg(&inner).arg("Coquelicot").arg(inner.join(file).with_extension("v"));
    assert!(coqc.status().expect("coqc runs").success(), "{file}");
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn a_library_beside_the_installed_ones_is_foreign_whatever_its_name() {
    let copy = Copy::new();
    let folder = copy.path("libraries");
    library(&folder, "Evil", "Definition weight (n : nat) : nat := 0.\n");
    copy.replace("Alternatives.v", "Set Implicit Arguments.", "From Coquelicot Require Evil.\nSet Implicit Arguments.");
    let path = folder.to_str().expect("UTF-8");
    let (status, out, err) = copy.prove_with(&["encoding.integer", "--json"], &[("COQPATH", path)]);
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {err}"));
    let findings = document["findings"].as_array().expect("findings");
    let foreign = findings.iter().any(|found| found["code"] == "library" && found["subject"] == "Coquelicot.Evil");
    assert!(status == 1 && foreign, "{status}: {findings:#?}");
    assert!(document["theorems"].as_array().expect("theorems").iter().all(|theorem| theorem["proved"] == false));
}

/// A compiled file says which files it had loaded, by the digests that those files bear.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn a_compiled_file_names_what_it_loaded_by_digest() {
    let place = tempfile::tempdir().expect("a directory");
    library(place.path(), "One", "Definition one := 1.\n");
    library(place.path(), "Two", "From Coquelicot Require Import One.\nDefinition two := one + one.\n");
    let of = |file: &str| place.path().join("Coquelicot").join(file).with_extension("vo");
    let bytes = fs::read(of("Two")).expect("a compiled file");
    let loaded = posproof_coq_audit::libraries::loaded(&bytes).expect("it is read");
    assert_eq!(loaded.get("Coquelicot.One"), Some(&digest(&of("One")).expect("it has a digest")));
    assert!(loaded.contains_key("Coq.Init.Prelude"), "{loaded:?}");
    library(place.path(), "One", "Definition one := 2.\n");
    assert_ne!(loaded.get("Coquelicot.One"), Some(&digest(&of("One")).expect("it has a digest")));
}

/// The end of a compiled file, as Coq 8.16 writes it: one segment, with its digest.
fn compiled_with(digest: [u8; 16]) -> Vec<u8> {
    let mut bytes = b"Coq!".to_vec();
    bytes.extend(81_600_u32.to_be_bytes());
    bytes.extend(16_u64.to_be_bytes());
    bytes.extend(1_u32.to_be_bytes());
    bytes.extend(7_u32.to_be_bytes());
    bytes.extend(b"library");
    bytes.extend([0; 16]);
    bytes.extend(digest);
    bytes
}

/// Kept and remembered answers are of one version of Coq and of these very libraries.
#[test]
fn an_audit_is_remembered_for_one_version_of_coq_and_its_libraries() {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("user-contrib/Coquelicot/Coquelicot.vo");
    fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
    let with = |version: &str, digest: [u8; 16]| {
        fs::write(&file, compiled_with(digest)).expect("a file");
        let installed = Installed::new(place.path(), &RULES);
        hash(&super::development(), &Coq { rules: &RULES, version: version.to_owned(), installed })
    };
    let first = with("8.16.1", [1; 16]);
    assert_eq!(first, with("8.16.1", [1; 16]));
    assert_ne!(first, with("8.16.2", [1; 16]));
    assert_ne!(first, with("8.16.1", [2; 16]));
    fs::rename(&file, file.with_file_name("Other.vo")).expect("a file");
    assert_ne!(
        first,
        hash(
            &super::development(),
            &Coq { rules: &RULES, version: "8.16.1".into(), installed: Installed::new(place.path(), &RULES) }
        )
    );
}
