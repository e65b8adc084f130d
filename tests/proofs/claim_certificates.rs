//! Certificates of claims: Coq accepts the first order of each, and refuses a smaller figure. One run of Coq does all, because to load its
//! real numbers takes longer than to accept one.

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
    let path = folder.path().join("certificates.v");
    let (mut all, mut smaller) = ("Require Import Reals Lra.\n".to_owned(), Vec::new());
    for (place, (id, text)) in texts().iter().enumerate() {
        let alone = text.replacen("Require Import Reals Lra.\n", "", 1);
        all += &format!("(* {id} *)\nModule Certificate{place}.\n{alone}");
        // The last theorem with a smaller figure: the tactics that prove it fail.
        let (_, theorem) = alone.rsplit_once("\nTheorem ").expect("a theorem");
        let (statement, proof) = theorem.split_once("\nProof. ").expect("a proof");
        let (_, statement) = statement.split_once(" : ").expect("a statement");
        let (tactics, _) = proof.split_once(". Qed.").expect("tactics");
        let (before, figure) = statement.rsplit_once("<= (").expect("a bound");
        smaller.push(format!("Goal {before}<= (9 / 10 * {figure}\nProof. Fail ({tactics}). Abort.\n"));
        all += &format!("{}End Certificate{place}.\n", smaller[place]);
    }
    fs::write(&path, &all).expect("a file");
    let (is_accepted, said) = accepted(&path);
    assert!(is_accepted, "{said}");
    // Such a line fails where the figure is not too small.
    let first = &smaller[0];
    fs::write(&path, all.replacen(first, &first.replacen("9 / 10 * ", "1 * ", 1), 1)).expect("a file");
    assert!(!accepted(&path).0, "a tactic that succeeds does not fail");
}
