//! Style of the proofs: short, or in named steps, and in one dialect.

use super::development;

/// Lines of a proof, beyond which it has to name its steps.
const LINES: usize = 25;

/// Words by which a proof names a step.
const STEPS: [&str; 8] = ["have", "suff", "set", "pose", "wlog", "assert", "enough", "remember"];

/// The file that is not in SSReflect: it has no proofs.
const NOT_SSREFLECT: [&str; 1] = ["IntervalTactic"];

/// The proofs of a source: the number of the line after `Proof.`, and their lines.
fn proofs(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut found: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        if open && !line.trim_start().starts_with("Qed.") {
            found.last_mut().expect("an open proof").1.push(line);
        }
        if line.starts_with("Proof.") && !line.ends_with("Qed.") {
            found.push((number + 2, Vec::new()));
            open = true;
        }
        open &= !line.trim_end().ends_with("Qed.");
    }
    found
}

/// True if some line of a proof begins a step with a name.
fn names_a_step(lines: &[&str]) -> bool {
    let words = lines.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.into_iter().any(|word| STEPS.contains(&word))
}

#[test]
fn a_long_proof_names_its_steps() {
    let development = development();
    let mut counted = 0;
    for source in &development.sources {
        for (line, lines) in proofs(&source.text) {
            counted += 1;
            let module = &source.module;
            assert!(
                lines.len() <= LINES || names_a_step(&lines),
                "{module}.v, line {line}: {} lines without a named step",
                lines.len()
            );
        }
    }
    assert!(counted > development.sources.len(), "only {counted} proofs were found");
    let steps: Vec<&str> = vec!["apply: Rle_trans."; LINES + 1];
    assert!(!names_a_step(&steps));
}

#[test]
fn the_file_that_is_not_in_ssreflect_is_this() {
    let development = development();
    let mut plain: Vec<&str> = Vec::new();
    for source in &development.sources {
        let imports = source.text.lines().filter(|line| line.starts_with("From mathcomp Require Import"));
        if imports.into_iter().all(|line| !line.contains("ssreflect")) {
            plain.push(&source.module);
        }
    }
    plain.sort_unstable();
    assert_eq!(plain, NOT_SSREFLECT);
}

/// Old names of lemmas in `Coq.Arith` that Rocq 9 does not have any more.
const OLD_NAMES: [&str; 40] = [
    "plus_comm",
    "plus_assoc",
    "plus_0_r",
    "plus_n_Sm",
    "mult_comm",
    "mult_assoc",
    "mult_1_l",
    "mult_1_r",
    "mult_0_r",
    "mult_plus_distr_l",
    "mult_plus_distr_r",
    "le_trans",
    "lt_trans",
    "le_lt_trans",
    "lt_le_trans",
    "le_antisym",
    "lt_irrefl",
    "le_not_lt",
    "lt_not_le",
    "lt_le_weak",
    "lt_n_Sm_le",
    "le_lt_n_Sm",
    "lt_le_S",
    "lt_n_S",
    "lt_S_n",
    "lt_0_Sn",
    "lt_n_Sn",
    "le_lt_or_eq",
    "le_or_lt",
    "lt_eq_lt_dec",
    "plus_le_compat",
    "plus_lt_compat",
    "mult_le_compat",
    "minus_n_n",
    "minus_n_O",
    "minus_plus",
    "le_plus_minus",
    "le_plus_l",
    "le_plus_r",
    "gt_le_S",
];

/// Files of Coq's library that Rocq 9 does not have any more, with the tactics that stood in them.
const OLD_FILES: [&str; 13] =
    ["Omega", "Romega", "ROmega", "Fourier", "NPeano", "Even", "Div2", "Le", "Lt", "Plus", "Mult", "Minus", "Gt"];

/// Words of a text that Rocq 9 would not know: unqualified old names, and files required from Coq's library.
fn removed(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_alphanumeric() || "_'.".contains(c);
    let names = text.split(|c| !word(c)).map(|name| name.trim_end_matches('.')).filter(|name| OLD_NAMES.contains(name));
    let required = text.lines().filter(|line| line.contains("Require") && !line.contains("mathcomp"));
    let files = required.flat_map(|line| line.split([' ', '.'])).filter(|file| OLD_FILES.contains(file));
    names.chain(files).collect()
}

/// That this is not enough to compile there is said in proofs/README.md.
#[test]
fn no_source_uses_what_rocq_9_has_removed() {
    for source in &development().sources {
        assert_eq!(removed(&source.text), Vec::<&str>::new(), "{}.v", source.module);
    }
    assert_eq!(
        removed("From Coq Require Import Omega Lia.\nProof. rewrite plus_comm Nat.mult_comm. omega."),
        ["plus_comm", "Omega"]
    );
}
