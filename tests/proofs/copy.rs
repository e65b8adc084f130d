//! The development copied to a place where it can be spoilt, with the compiled files of the true one so
//! that only what changes is compiled.

use super::{proofs, prove};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub struct Copy {
    place: tempfile::TempDir,
}

impl Copy {
    pub fn new() -> Self {
        Self::of(&proofs(), &built())
    }

    /// A copy of this copy.
    pub fn again(&self) -> Self {
        Self::of(&self.proofs(), &self.path("build"))
    }

    fn of(sources: &Path, build: &Path) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        let copy = Self { place };
        copy_files(sources, &copy.proofs());
        copy_files(&sources.join("audit"), &copy.proofs().join("audit"));
        copy_files(build, &copy.path("build"));
        copy
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub fn proofs(&self) -> PathBuf {
        self.path("proofs")
    }

    /// Replaces a text that stands in a file exactly once.
    pub fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.proofs().join(file);
        let text = fs::read_to_string(&path).expect("a source");
        assert_eq!(text.matches(old).count(), 1, "{file} has '{old}' once");
        fs::write(path, text.replace(old, new)).expect("a source");
    }

    /// The document of `prove` on this copy, and its exit status.
    pub fn prove(&self, ids: &[&str]) -> (i32, Value) {
        let (status, out, err) = self.prove_with(&[&["--json"], ids].concat(), &[]);
        let document = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        posproof_schema::validate(&document);
        (status, document)
    }

    /// `prove` on this copy: exit status, standard output, standard error.
    pub fn prove_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String, String) {
        let [proofs, build] = [self.proofs(), self.path("build")].map(|path| path.to_str().expect("UTF-8").to_owned());
        let arguments = [&["--proofs", &proofs, "--build", &build], arguments].concat();
        prove(&arguments, &self.path("cache"), environment)
    }

    /// `prove` must be red, with such findings, each a code against a subject.
    pub fn is_red(&self, expected: &[(&str, &str)]) {
        let (status, document) = self.prove(&[]);
        assert_eq!((status, &document["passed"]), (1, &Value::from(false)), "{document}");
        let findings = document["findings"].as_array().expect("findings");
        for (code, subject) in expected {
            let found = findings.iter().any(|finding| finding["code"] == *code && finding["subject"] == *subject);
            assert!(found, "no finding {code} against {subject}: {findings:#?}");
        }
    }
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
}

/// The compiled files of the true development, which must pass first. Built once, where `prove` keeps
/// them for the user, so that they need not be built again.
pub fn built() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let output = Command::cargo_bin("posproof").expect("the binary").arg("prove").output().expect("prove runs");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        posproof::proof::memory::build_directory(&proofs())
    };
    BUILT.get_or_init(build).clone()
}
