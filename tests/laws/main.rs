//! The laws of the number systems, by quickcheck under a fixed seed.

mod campaign;
mod enclosure;
mod exact;
mod expression;
mod format;
mod interval;
mod linear;
mod running;

use quickcheck::{Gen, QuickCheck};

/// Printed with every failure by quickcheck's own report of the arguments; change it to look elsewhere.
const SEED: u64 = 20_170_612;

/// A run of `tests` cases under the fixed seed, none of which may be discarded.
fn check(tests: u64) -> QuickCheck {
    println!("quickcheck seed {SEED}, {tests} cases");
    QuickCheck::new().rng(Gen::from_size_and_seed(64, SEED)).tests(tests).max_tests(tests).min_tests_passed(tests)
}
