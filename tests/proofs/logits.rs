//! The bounds of logits against the formula of `rounding_logit`, as Coq evaluates it: at least that, and at most
//! 1 + 10⁻⁹ times it.

use super::close::{Compared, scaled, settle};
use super::formulas::coq;
use posproof::bound::{Accumulation, Attention, Model, Products, Program};
use posproof::encoding::convention::Convention;
use posproof::number::format::Format;

/// The formula as a term that Coq encloses, with the proof that it is the theorem's.
pub const LOGITS: &str = include_str!("Logits.v");

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn bounds_of_logits_are_those_of_the_formula_of_their_theorem() {
    let mut compared = Compared::new("logits");
    compared.function("forallb close".to_owned());
    for (dim, rotated) in [(128, 64), (64, 16), (32, 16)] {
        let convention = Convention::rope(2 * rotated);
        for table in [Format::Bf16, Format::F16, Format::F32] {
            let model = Model::new(&convention, &Program::rounded(table)).expect("possible");
            let rate = model.rate(0).expect("a frequency");
            let bound = model.pair(&rate, 0..256).expect("in range");
            for products in [Products::Rounded, Products::Exact, Products::Fused] {
                // The last of these so short that every product underflows in binary32.
                for (query, key, softmax) in
                    [(1.0, 1.0, Format::F32), (11.5, 0.25, Format::F64), (2.9948e-22, 2.9948e-22, Format::F32)]
                {
                    let format = if table == Format::F32 { Format::F64 } else { Format::F32 };
                    let scores = Accumulation { format, products };
                    let usual = Attention::usual(table, dim, rotated as u32, 1);
                    let mut attention = Attention { scores, softmax, query, key, ..usual };
                    attention.rotation.fused = products == Products::Fused;
                    let found = attention.logit(bound);
                    assert_eq!(found.origin().to_string(), "theorem rounding_logit");
                    let formula = format!(
                        "logit {} {} {} {} {} {dim} {rotated} {} {} {}",
                        coq(table),
                        attention.rotation.fused,
                        coq(format),
                        how(products),
                        coq(softmax),
                        scaled(bound.value()),
                        scaled(query),
                        scaled(key),
                    );
                    compared.bound(found.value(), &formula);
                }
            }
        }
    }
    settle(LOGITS, &[compared]);
}

fn how(products: Products) -> &'static str {
    match products {
        Products::Rounded => "Rounded",
        Products::Exact => "Exact",
        Products::Fused => "Fused",
    }
}
