//! Bounds beside the formulas of their theorems, as Coq evaluates them: at least that, and at most 1 + 10⁻⁹ times it.

use super::certificates::accepted;
use super::formulas::FORMULAS;
use posproof::number::format::Format;
use std::fmt::Write;
use std::fs;

/// Bounds that are compared under a name.
pub struct Compared {
    name: String,
    /// Functions of a bound, or of a list of bounds, and these: each bound with what else the formula needs.
    functions: Vec<(String, Vec<Case>)>,
}

/// A bound's significand, and the case as a term in which that stands for `#`.
struct Case {
    significand: u64,
    term: String,
}

impl Compared {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), functions: Vec::new() }
    }

    /// From here on cases are given to the function `forall cases, function cases`, which says true where all are close.
    pub fn function(&mut self, function: String) {
        self.functions.push((function, Vec::new()));
    }

    /// A bound with what follows it in the case.
    pub fn bound(&mut self, bound: f64, rest: &str) {
        let (significand, exponent) = parts(bound);
        let term = format!("(Scaled # ({exponent}), {rest})");
        self.functions.last_mut().expect("a function").1.push(Case { significand, term });
    }

    fn number(&self) -> usize {
        self.functions.iter().map(|(_, cases)| cases.len()).sum()
    }
}

/// A binary64 number as a significand and an exponent.
fn parts(x: f64) -> (u64, i32) {
    let (bits, exponent) = (x.to_bits() & ((1 << 52) - 1), (x.to_bits() >> 52) as i32);
    if exponent == 0 { (bits, -1074) } else { (bits | 1 << 52, exponent - 1075) }
}

/// A binary64 number as a term.
pub fn scaled(x: f64) -> String {
    let (significand, exponent) = parts(x);
    format!("(Scaled {significand} ({exponent}))")
}

/// The storage of a table of that format as a term of its bound; beyond 1 where values may lie there.
pub fn storage(format: Format, storage: Format, beyond: bool) -> String {
    if storage == format { "Whole 0".into() } else { format!("stored {} {beyond}", super::formulas::coq(storage)) }
}

/// Coq finds every bound close to its formula, by definitions that follow [`FORMULAS`]; and the first of each name not,
/// where it is a millionth larger or smaller.
pub fn settle(definitions: &str, all: &[Compared]) {
    let mut text = format!("{FORMULAS}\n{definitions}");
    let mut state = |name: String, computed: String, answer: bool| {
        let _ =
            write!(text, "\nLemma {name} : {computed} = {answer}.\nProof. vm_cast_no_check (eq_refl {answer}). Qed.\n");
    };
    let with = |case: &Case, significand: u64| case.term.replacen('#', &significand.to_string(), 1);
    for compared in all {
        let name = &compared.name;
        assert!(compared.number() >= 50, "{name}: {}", compared.number());
        let functions = compared.functions.iter().filter(|(_, cases)| !cases.is_empty());
        for (place, (function, cases)) in functions.clone().enumerate() {
            let cases: Vec<String> = cases.iter().map(|case| with(case, case.significand)).collect();
            state(format!("cases_{name}_{place}"), format!("{function} [\n  {}]", cases.join(";\n  ")), true);
        }
        let (function, case) = functions.map(|(function, cases)| (function, &cases[0])).next().expect("a case");
        let figure = case.significand;
        for (how, other) in [("larger", figure + figure / 1_000_000), ("smaller", figure - figure / 1_000_000)] {
            state(format!("{how}_{name}"), format!("{function} [{}]", with(case, other)), false);
        }
    }
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("Cases.v");
    fs::write(&file, &text).expect("a file");
    let (good, said) = accepted(&file);
    assert!(good, "{said}");
}
