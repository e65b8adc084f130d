//! The bounds of sums that matrix units truncate, against the formulas of `rounding_accumulator` and
//! `rounding_accumulator_even`, as Coq evaluates them: at least that, and at most 1 + 10⁻⁹ times it.

use super::close::{Compared, settle};
use posproof::bound::{Accumulator, Adder, WeightedSum};
use posproof::number::format::Format;
use posproof_numerics::Element;
use posproof_numerics::narrow::Narrow;

/// The formulas as terms that Coq encloses, with the proofs that they are the theorems'.
pub const ACCUMULATORS: &str = include_str!("Accumulators.v");

/// E₀ of the elements with weights and values up to 256.
fn least(element: Element) -> i32 {
    (element.min_exponent() + 8).max(-125)
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn bounds_of_truncated_sums_are_those_of_the_formulas_of_their_theorems() {
    let mut compared = Compared::new("accumulators");
    compared.function("forallb summed_close".to_owned());
    let elements = [
        Element::Wide(Format::F16),
        Element::Wide(Format::Bf16),
        Element::Narrow(Narrow::E4m3),
        Element::Narrow(Narrow::E5m2),
    ];
    for accumulator in Accumulator::published().into_iter().filter(|row| row.group == 1) {
        for element in elements {
            for instructions in [1u64, 2, 7, 128, 40_000] {
                let (terms, keys) = (instructions * u64::from(accumulator.terms), accumulator.terms);
                let adder = Adder::Truncated(accumulator.clone());
                let sum = WeightedSum { adder, elements: [element; 2], terms, flush: None, largest: [256.0; 2] };
                let bound = sum.bound(1.0);
                let even = accumulator.fraction == accumulator.result;
                let theorem = if even { "theorem rounding_accumulator_even" } else { "theorem rounding_accumulator" };
                assert_eq!(bound.origin().to_string(), theorem);
                // The largest term loses nothing where products have no more bits than are kept.
                let exact = 2 * (element.precision() - 1) <= accumulator.fraction;
                let other = if exact { keys } else { keys + 1 };
                let figures = format!(
                    "({}, {}, {}, {other}, {instructions}, ({}))%Z",
                    accumulator.fraction,
                    accumulator.result,
                    other - 1,
                    least(element),
                );
                compared.bound(bound.value(), &figures);
            }
        }
    }
    settle(ACCUMULATORS, &[compared]);
}
