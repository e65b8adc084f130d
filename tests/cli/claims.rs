//! `posproof probe claim` and `check claim`: a claim put to somebody's functions, by files.

use super::{refused, run_in};
use std::fs;
use std::path::Path;

fn probe(folder: &Path, claim: &str, more: &[&str]) -> (i32, String, String) {
    run_in(folder, &[&["probe", "claim", claim, "--dim", "8", "--out", "p.safetensors"], more].concat())
}

fn check(folder: &Path, claim: &str, answers: &str) -> (i32, String, String) {
    run_in(folder, &["check", "claim", claim, "--probe", "p.safetensors", "--answers", answers])
}

/// Answers of the table of an encoding: right, or with another base.
fn table(folder: &Path, base: &str) {
    let table = ["table", "sinusoid", "--dim", "8", "--positions", "p.safetensors:positions", "--base", base];
    let (status, _, err) = run_in(folder, &[&table[..], &["--out", "a.npy", "--force"]].concat());
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn a_claim_holds_is_refuted_or_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let (status, out, err) = probe(folder.path(), "sinusoid.neighbours", &[]);
    assert_eq!((status, err.as_str()), (0, ""));
    for part in ["ask encode for positions [", "write the answer as encoding [", "--answers p-answers.safetensors"] {
        assert!(out.contains(part), "'{part}' is not in: {out}");
    }
    table(folder.path(), "10000");
    let (status, out, err) = check(folder.path(), "sinusoid.neighbours", "a.npy");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("sinusoid.neighbours: holds, of encode\n"), "{out}");
    assert!(out.contains("sabotage refuted (‖PE(t+2) − PE(t)‖² for"), "{out}");

    // The vectors as they were given: no rotation, so that the sabotage holds as well.
    let (status, ..) = probe(folder.path(), "rope.isometry", &["--force"]);
    assert_eq!(status, 0);
    let (status, out, _) = check(folder.path(), "rope.isometry", "p.safetensors:x");
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("not judged") && out.contains("sabotage NOT refuted"), "{out}");
    let (status, ..) = probe(folder.path(), "rope.rotation", &["--force"]);
    assert_eq!(status, 0);
    let (status, out, _) = check(folder.path(), "rope.rotation", "p.safetensors:x");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("rope.rotation: refuted") && out.contains("fails: component ["), "{out}");
}

#[test]
fn what_cannot_be_asked_or_judged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let asked = |claim: &str, more: &[&str]| {
        refused(here, &[&["probe", "claim", claim, "--dim", "8", "--out", "p.safetensors"], more].concat())
    };
    assert!(asked("rope.isometri", &[]).contains("unknown claim 'rope.isometri'"));
    assert!(asked("rope.aliasing", &[]).contains("asks no function"));
    assert!(asked("rope.isometry", &["--role", "encode"]).contains("expected rotate; found encode"));
    assert!(asked("attention.equivariance", &["--role", "layer"]).contains("error: expected the absolute error"));
    assert!(asked("shift.linearity", &["--positions", "0..2"]).contains("positions: expected a last position from 3"));
    assert!(asked("shift.linearity", &["--tokens", "1"]).contains("tokens: expected 2 to 1024"));
    let npy = refused(here, &["probe", "claim", "shift.linearity", "--dim", "8", "--out", "p.npy"]);
    assert!(npy.contains("expected a name that ends in .safetensors"), "{npy}");

    assert_eq!(probe(here, "shift.linearity", &[]).0, 0);
    let judged = |claim: &str, probe: &str, answers: &str| {
        refused(here, &["check", "claim", claim, "--probe", probe, "--answers", answers])
    };
    assert!(judged("shift.group", "p.safetensors", "a.npy").contains("expected a probe of shift.group; found one of"));
    assert!(judged("shift.linearity", "p.safetensors", "p.safetensors").contains("encoding"));
    assert!(judged("shift.linearity", "p.safetensors", "p.safetensors:positions").contains("found integers"));
    let (status, ..) = run_in(here, &["table", "sinusoid", "--dim", "8", "--positions", "0..9", "--out", "a.npy"]);
    assert_eq!(status, 0);
    let shape = judged("shift.linearity", "p.safetensors", "a.npy");
    assert!(shape.contains("shift.linearity: encode (positions [n]) -> [n, d]: expected an array of shape"), "{shape}");
    let (status, ..) =
        run_in(here, &["table", "sinusoid", "--dim", "8", "--positions", "0..9", "--out", "t.safetensors"]);
    assert_eq!(status, 0);
    assert!(judged("shift.linearity", "t.safetensors", "a.npy").contains("expected a file of posproof probe claim"));
    // A probe whose inputs are no longer those that it says.
    let mut bytes = fs::read(here.join("p.safetensors")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(here.join("q.safetensors"), bytes).unwrap();
    let altered = judged("shift.linearity", "q.safetensors", "a.npy");
    assert!(altered.contains("expected the inputs of this version; found others"), "{altered}");
}

#[test]
fn the_bound_of_a_claim_names_the_five_roundings_that_cost_most() {
    let folder = tempfile::tempdir().unwrap();
    let (status, out, err) = run_in(folder.path(), &["bound", "claim", "shift.linearity", "--effort", "quick"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let (_, rest) = out.split_once("\nRoundings that cost most, f32\n").expect("the roundings");
    let lines: Vec<&str> = rest.lines().take_while(|line| !line.is_empty()).collect();
    assert!(lines.iter().any(|line| line.trim_start().starts_with("d = 64, base 10000, component: ")), "{rest}");
    for line in lines {
        let (_, named) = line.rsplit_once(": ").expect("the roundings of a comparison");
        let sizes: Vec<f64> = named
            .split("; ")
            .map(|one| one.rsplit_once(' ').expect("a rounding").1.parse().expect("what it costs"))
            .collect();
        assert_eq!(sizes.len(), 5, "{line}");
        assert!(sizes.is_sorted_by(|one, other| one >= other) && sizes[4] > 0.0, "{line}");
    }
}

#[test]
fn a_claim_has_a_certificate_or_says_why_it_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let certify = |claim: &'static str| ["bound", "claim", claim, "--certificate", "claim.v"];
    let said = refused(folder.path(), &certify("sinusoid.no-integer-cycle"));
    assert!(said.contains("has no equality whose first order is a polynomial in reals, cosines and sines"), "{said}");
    assert!(!folder.path().join("claim.v").exists());
    assert_eq!(run_in(folder.path(), &certify("shift.linearity")).0, 0);
    let text = fs::read_to_string(folder.path().join("claim.v")).unwrap();
    assert!(text.contains("\nTheorem shift_linearity_0 : forall "), "{text}");
    assert!(!text.contains("Admitted") && !text.contains("Axiom"), "{text}");
}
