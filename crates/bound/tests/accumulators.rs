//! Accumulators of matrix units: sums that attain their bounds, and sums that are drawn and climbed, none of which passes
//! them.

use posproof_bound::{Accumulator, Adder, Term, WeightedSum, exact_sum};
use posproof_numerics::format::power_of_two;
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, Format};

const E2M1: Element = Element::Narrow(Narrow::E2m1);

/// Formats of weights and values with the largest of either; of scaled blocks, the largest scale.
const ELEMENTS: [(Element, f64); 5] = [
    (Element::Wide(Format::F16), 256.0),
    (Element::Wide(Format::Bf16), 256.0),
    (Element::Narrow(Narrow::E4m3), 256.0),
    (Element::Narrow(Narrow::E5m2), 256.0),
    (E2M1, 65536.0),
];

/// Sums of every published accumulator: of four formats, or of scaled blocks; flushed after 1, 4 or 64 instructions, or never.
fn sums(terms: u64) -> Vec<WeightedSum> {
    let mut all = Vec::new();
    for accumulator in Accumulator::published() {
        let scaled = accumulator.group > 1;
        for (element, largest) in ELEMENTS.into_iter().filter(|(element, _)| scaled == (*element == E2M1)) {
            for instructions in [Some(1), Some(4), Some(64), None] {
                let flush = instructions.map(|many: u64| many * u64::from(accumulator.keys()));
                let adder = Adder::Truncated(accumulator.clone());
                all.push(WeightedSum { adder, elements: [element; 2], terms, flush, largest: [largest; 2] });
            }
        }
    }
    all
}

#[test]
fn bounds_are_attained_to_a_twelfth() {
    let mut count = 0;
    for terms in [4096, 131_072, 1 << 20] {
        for sum in sums(terms) {
            let found = sum.attained().expect("a sum");
            let case = format!("{} {} {terms} {:?}", sum.adder.name(), sum.elements[0], sum.flush);
            println!("{case}: {:.3e} of {:.3e}", found.error / found.mass, found.bound.value() / found.mass);
            assert!(found.error <= found.bound.value(), "{case}");
            // Terms of scaled blocks are aligned by their scales, which may be larger than they are.
            let scaled = sum.elements[0] == E2M1;
            assert!(scaled || found.ratio() <= 1.08, "{case}: {}", found.ratio());
            assert!(sum.flush.is_some() || found.ratio() <= 3.1, "{case}: {}", found.ratio());
            count += 1;
        }
    }
    assert_eq!(count, 3 * 4 * (7 * 4 + 1));
}

/// The figures that the design of these bounds began with: one sink and 4095 or 131071 keys of 15/16 of a unit.
#[test]
fn the_loss_of_8_bits_on_hopper_is_the_one_that_was_emulated_before() {
    let hopper = Accumulator::named("hopper-fp8").expect("a row");
    let e4m3 = [Element::Narrow(Narrow::E4m3); 2];
    for (keys, computed, exact) in [(4096, 0.6667, 0.9792), (131_072, 0.0588, 0.9412)] {
        let small = Term::product([power_of_two(-5), 1.875 * power_of_two(-1)], e4m3);
        let mut terms = vec![small; keys];
        terms[0] = Term::product([256.0, 1.0], e4m3);
        let weights = 256.0 + (keys - 1) as f64 * power_of_two(-5);
        let (sum, quantum) = exact_sum(&terms, &[]).expect("a sum");
        assert_eq!(hopper.sum(&terms, None), 256.0);
        assert!((256.0 / weights - computed).abs() < 1e-4);
        assert!((sum as f64 * power_of_two(quantum) / weights - exact).abs() < 1e-4);
    }
}
