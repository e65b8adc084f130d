//! The numbers of the formats of eight and of four bits, as this program decodes them, beside those of Flocq's formats.

use super::certificates::accepted;
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::narrow::Narrow;
use std::fmt::Write;
use std::fs;

/// Numbers of codes as whole numbers, with the proofs that they are the formats'.
const NARROW: &str = include_str!("Narrow.v");

/// A number of few bits as a whole number and a power of two.
fn whole(x: f64) -> (i64, i32) {
    let exponent = exponent_of(x) - 10;
    ((x / power_of_two(exponent)) as i64, exponent)
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn numbers_of_narrow_formats_are_those_of_flocq() {
    let mut text = NARROW.to_owned();
    let mut state = |name: &str, computed: String, answer: bool| {
        let _ =
            write!(text, "\nLemma {name} : {computed} = {answer}.\nProof. vm_cast_no_check (eq_refl {answer}). Qed.\n");
    };
    let mut codes = 0;
    for (format, exponents) in [(Narrow::E4m3, "4 (-9)"), (Narrow::E5m2, "3 (-16)"), (Narrow::E2m1, "2 (-1)")] {
        let fraction = format.precision() - 1;
        let positive = 0..1u32 << (format.bits() - 1);
        let finite = positive.filter(|code| format.decode(*code as u8).is_finite());
        let case = |code: u32| {
            let (n, l) = whole(format.decode(code as u8));
            format!("({}%nat, {}, {n}, ({l}))%Z", code >> fraction, code & ((1 << fraction) - 1))
        };
        let cases: Vec<String> = finite.map(case).collect();
        codes += cases.len();
        let list = cases.join(";\n  ");
        state(&format!("numbers_of_{format}"), format!("forallb (code_is {exponents}) [\n  {list}]"), true);
        // Of another format they are not.
        state(&format!("others_of_{format}"), format!("forallb (code_is 5 (-9)) [\n  {list}]"), false);
    }
    let scale = |code: u8| {
        let (n, l) = whole(Narrow::E8m0.decode(code));
        format!("({code}, {n}, ({l}))%Z")
    };
    let scales: Vec<String> = (0..=254).map(scale).collect();
    state("scales", format!("forallb scale_is [\n  {}]", scales.join(";\n  ")), true);
    state("another_scale", format!("scale_is {}", scale(3).replacen('3', "4", 1)), false);
    // 448 of 480, 57344 of no more, 6 of no more.
    assert_eq!(codes, 127 + 124 + 8);
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("Codes.v");
    fs::write(&file, &text).expect("a file");
    let (good, said) = accepted(&file);
    assert!(good, "{said}");
}
