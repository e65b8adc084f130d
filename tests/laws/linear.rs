//! The bounds for all inputs: no error that a search finds is above one.

use posproof::claim::{Case, Claim, Form, Inputs, Size, SystemKind};
use posproof::claims::rope::relative_position::RelativePosition;
use posproof::claims::shift::linearity::Linearity;
use posproof::claims::toeplitz::dot_product::DotProduct;
use posproof::number::System;
use posproof::number::float::Float;
use posproof::number::format::Format;
use posproof::number::linear::Uniform;
use posproof::number::running::Rounding;
use posproof::number::system::{Decision, Values};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The bounds of all comparisons over positions up to `last`, or the first that is not held.
fn bounds<C: Claim>(size: Size, last: i64, format: Format, form: Form) -> Result<Vec<f64>, Decision> {
    let system = Uniform::new(&C::inputs(&size), last, format);
    let comparisons = C::comparisons(&system, &Case::of_size(size), form).expect("no refusal");
    let bound = |decision| match decision {
        Decision::Held(measure) => Ok(measure.bound),
        other => Err(other),
    };
    comparisons.iter().map(|comparison| bound(system.decide(&comparison.relation))).collect()
}

/// The errors of all comparisons at one case.
fn errors<C: Claim>(system: &Rounding<Float>, size: Size, values: Values) -> Vec<f64> {
    let mut case = Case::of_size(size);
    case.values = Arc::new(values);
    let at = system.at(&case.values);
    let comparisons = C::comparisons(&at, &case, Form::Settled).expect("no refusal");
    let error = |decision| match decision {
        Decision::Held(measure) => measure.error,
        other => panic!("{other:?}"),
    };
    comparisons.iter().map(|comparison| error(at.decide(&comparison.relation))).collect()
}

struct Searched {
    bound: f64,
    found: f64,
}

/// Positions drawn in the domain, half of them in its last eighth, where binades are widest.
fn search<C: Claim>(size: Size, last: i64, format: Format, cases: usize) -> Searched {
    let bounds = bounds::<C>(size, last, format, Form::Settled).expect("an equality");
    let Inputs { positions, reals, permutations, choices } = C::inputs(&size);
    assert!(permutations.is_empty() && choices.is_empty(), "one bound is for all of them");
    let system = Rounding::<Float>::new(format);
    // Weyl's sequence of the golden ratio, in integers.
    let mut state = 37u64;
    let mut draw = |range: RangeInclusive<i64>| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33;
        range.start() + (mixed % (range.end() - range.start() + 1) as u64) as i64
    };
    let mut found = 0.0f64;
    for case in 0..cases {
        let first = if case % 2 == 0 { 0 } else { last - last / 8 };
        let within = |range: &RangeInclusive<i64>| first.max(*range.start())..=last.min(*range.end());
        let values = positions.iter().map(|(name, range)| (*name, draw(within(range)) as f64)).collect();
        let ends =
            |draw: &mut dyn FnMut(_) -> i64, low: f64, high: f64| low + (high - low) * draw(0..=64) as f64 / 64.0;
        let drawn = reals
            .iter()
            .map(|(name, count, low, high)| (*name, (0..*count).map(|_| ends(&mut draw, *low, *high)).collect()));
        let reals = drawn.collect();
        let values = Values::new(values, reals);
        for (error, bound) in errors::<C>(&system, size, values.clone()).iter().zip(&bounds) {
            assert!(error <= bound, "{format} {size}: {error:e} above {bound:e} at {values:?}");
            found = found.max(*error);
        }
    }
    Searched { bound: bounds.into_iter().fold(0.0, f64::max), found }
}

#[test]
fn no_searched_error_of_the_shift_is_above_its_bound_for_all_positions() {
    for format in [Format::F64, Format::F32] {
        for (dim, cases) in [(2, 1000), (64, 60), (128, 30), (512, 10)] {
            for last in [4095, 131_071] {
                let Searched { bound, found } = search::<Linearity>(Size::dim(dim), last, format, cases);
                println!("{format} d = {dim} N = {last}: bound {bound:e}, found {found:e}, ratio {:.2}", bound / found);
                assert!(found > bound / 4.0, "{format} {dim} {last}: {bound:e} beside {found:e}");
            }
        }
    }
}

fn no_searched_error_is_above_its_bound<C: Claim>(dims: &[usize]) {
    for format in [Format::F64, Format::F32] {
        for dim in dims {
            let Searched { bound, found } = search::<C>(Size::dim(*dim), 4095, format, 200);
            println!(
                "{} {format} d = {dim}: bound {bound:e}, found {found:e}, ratio {:.1}",
                C::ABOUT.id,
                bound / found
            );
            assert!(found > 0.0 && bound.is_finite());
        }
    }
}

#[test]
fn no_searched_error_of_other_equalities_is_above_its_bound() {
    no_searched_error_is_above_its_bound::<RelativePosition>(&[2, 8]);
    no_searched_error_is_above_its_bound::<DotProduct>(&[8, 64]);
}

#[test]
fn the_shift_in_the_other_direction_is_refuted_for_all_positions() {
    let refuted = bounds::<Linearity>(Size::dim(2), 4095, Format::F32, Form::Sabotaged);
    assert!(matches!(refuted, Err(Decision::Refuted(_))), "{refuted:?}");
}

/// Which sizes the ledger has is no matter here: the system takes those of the float systems.
#[test]
fn every_size_of_the_shift_has_a_bound() {
    for size in Linearity::sizes(SystemKind::Rounded { precision: 24 }) {
        assert!(bounds::<Linearity>(size, 131_071, Format::F32, Form::Settled).is_ok(), "{size}");
    }
}

/// With 128 frequencies or more every pair is looked at by the bound too, and beyond 4096 distances are.
#[test]
fn no_pair_of_positions_has_an_error_of_many_angles_above_its_bound() {
    let size = Size::dim(512);
    for format in [Format::F64, Format::F32] {
        let system = Rounding::<Float>::new(format);
        for (last, step) in [(30, 1), (4096, 173), (5000, 211), (131_071, 5333)] {
            let bound = bounds::<DotProduct>(size, last, format, Form::Settled).expect("an equality")[0];
            let mut found = 0.0f64;
            for s in (0..=last).step_by(step) {
                for t in (s % 7..=last).step_by(step + 2) {
                    let values = Values::new([("s", s as f64), ("t", t as f64)].into(), [].into());
                    found = found.max(errors::<DotProduct>(&system, size, values)[0]);
                }
            }
            println!("{format} to {last}: bound {bound:e}, found {found:e}");
            assert!(found <= bound, "{format} to {last}: {found:e} above {bound:e}");
        }
    }
}
