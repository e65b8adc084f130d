//! Certificates of claims: Coq accepts the first order of each, and refuses a smaller figure.

use super::certificates::accepted;
use posproof::evidence::uniform::certificate;
use std::fs;

/// Claims that have no first order that is a polynomial: comparisons of order, of constants, and with divisions or exponentials.
fn texts() -> Vec<(&'static str, String)> {
    let all = posproof::claims::all().into_iter();
    all.filter_map(|entry| Some((entry.about().id, certificate(entry)?))).collect()
}

#[test]
fn many_claims_have_a_certificate() {
    let texts = texts();
    assert!(texts.len() >= 40, "{}", texts.len());
    for id in ["shift.linearity", "toeplitz.dot-product", "rope.relative-position", "rope.isometry"] {
        assert!(texts.iter().any(|(known, _)| *known == id), "{id}");
    }
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn coq_accepts_the_certificates_of_claims_and_no_smaller_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    for (id, text) in texts() {
        let path = folder.path().join("certificate.v");
        fs::write(&path, &text).expect("a file");
        let (is_accepted, said) = accepted(&path);
        assert!(is_accepted, "{id}: {said}\n{text}");
        let (before, figure) = text.rsplit_once("<= (").expect("a bound");
        fs::write(&path, format!("{before}<= (9 / 10 * {figure}")).expect("a file");
        assert!(!accepted(&path).0, "{id}: a smaller figure is accepted");
    }
}
