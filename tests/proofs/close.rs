//! Bounds beside the formulas of their theorems, as Coq evaluates them: at least that, and at most 1 + 10⁻⁹ times it.

use super::certificates::accepted;
use super::formulas::FORMULAS;
use std::fmt::Write;
use std::fs;

/// Cases, (bound, formula) as terms of which the bound is a `Scaled`, under a name.
pub type Named = (String, Vec<String>);

/// Coq finds every bound close to its formula, by definitions that follow [`FORMULAS`]; and the first of each name not,
/// where it is a millionth larger or smaller.
pub fn settle(definitions: &str, all: &[Named]) {
    let mut text = format!("{FORMULAS}\n{definitions}");
    let mut state = |name: String, computed: String, answer: bool| {
        let _ =
            write!(text, "\nLemma {name} : {computed} = {answer}.\nProof. vm_cast_no_check (eq_refl {answer}). Qed.\n");
    };
    for (name, cases) in all {
        assert!(cases.len() >= 50, "{name}: {}", cases.len());
        state(format!("cases_{name}"), format!("forallb close [\n  {}]", cases.join(";\n  ")), true);
        let significand = cases[0].split(' ').nth(1).expect("a significand");
        let figure: u64 = significand.parse().expect("an integer");
        for (how, other) in [("larger", figure + figure / 1_000_000), ("smaller", figure - figure / 1_000_000)] {
            let edited = cases[0].replacen(significand, &other.to_string(), 1);
            state(format!("{how}_{name}"), format!("close {edited}"), false);
        }
    }
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("Cases.v");
    fs::write(&file, &text).expect("a file");
    let (good, said) = accepted(&file);
    assert!(good, "{said}");
}
