//! How the proofs are written: short, or in named steps, and in one dialect.

use super::development;

/// Lines of a proof, beyond which it has to name its steps.
const LINES: usize = 25;

/// Words by which a proof names a step.
const STEPS: [&str; 8] = ["have", "suff", "set", "pose", "wlog", "assert", "enough", "remember"];

/// Files in the standard library's tactic language, which are still to be put into SSReflect; IntervalTactic.v has
/// no proofs.
const NOT_SSREFLECT: [&str; 12] = [
    "IntervalTactic",
    "PiIrrational",
    "RoundingAngle",
    "RoundingFormat",
    "RoundingFrequency",
    "RoundingIEEE",
    "RoundingModel",
    "RoundingPaths",
    "RoundingPlane",
    "RoundingRope",
    "RoundingScaled",
    "RoundingTable",
];

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

/// Whether some line of a proof begins a step with a name.
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
fn the_files_that_are_not_in_ssreflect_are_these() {
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
