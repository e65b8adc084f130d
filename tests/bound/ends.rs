//! The ends of what can be computed: angles near the smallest and the largest numbers, entries that overflow, values
//! beyond 1, exact zeros.

use posproof::bound::{Model, Program};
use posproof::encoding::convention::{Component, Convention};
use posproof::number::format::Format;
use std::ops::Range;

fn scaled(dim: usize, scale: &str) -> Convention {
    Convention { position_scale: scale.parse().expect("a real number"), ..Convention::rope(dim) }
}

/// The instance bound and the worst error, with what is left open about it, and its position.
fn both(
    convention: &Convention,
    program: &Program,
    pair: usize,
    component: Component,
    positions: Range<u64>,
) -> (f64, f64, u64) {
    let model = Model::new(convention, program).expect("possible");
    let rate = model.rate(pair).expect("a frequency");
    let bound = model.instance(&rate, component, positions.clone()).expect("in range").value();
    let a_priori = model.a_priori(&rate, positions.clone()).expect("in range").value();
    let worst = model.worst(&rate, &[positions]).expect("comparable").remove(0);
    let worst = worst.of(component);
    let label = format!("{convention:?} {program:?} {component:?}: {:e}, bound {bound:e}", worst.above);
    assert!(worst.above <= bound && worst.above <= a_priori, "{label}");
    (bound, worst.error, worst.position)
}

#[test]
fn bounds_hold_where_the_errors_are_below_the_smallest_normal_number() {
    let double = Program::rounded(Format::F64);
    for exponent in [-280, -287, -288, -289, -292, -300, -307, -310, -318] {
        let convention = scaled(2, &format!("1e{exponent}"));
        both(&convention, &double, 0, Component::Cos, 0..4);
        for positions in [0..100, 960..1000] {
            both(&convention, &double, 0, Component::Sin, positions);
        }
    }
    let steep = Convention {
        base: format!("1{}", "0".repeat(300)).parse().expect("a real number"),
        frequency_origin: 1,
        ..Convention::sinusoid(4)
    };
    for positions in [0..100, 1000..1100] {
        both(&steep, &double, 1, Component::Sin, positions);
    }
    for angle in [Format::F32, Format::F16, Format::Bf16] {
        for scale in ["1e-3", "1e-6", "1e-30", "1e-38", "1e-44"] {
            let Ok(model) = Model::new(&scaled(2, scale), &Program::rounded(angle)) else { continue };
            if model.rate(0).is_ok() {
                both(&scaled(2, scale), &Program::rounded(angle), 0, Component::Sin, 0..300);
            }
        }
    }
}

#[test]
fn the_worst_case_is_exact_where_all_errors_are_tiny() {
    let convention = Convention { base: "1e26".parse().expect("a real number"), ..Convention::rope(4) };
    let double = Program::rounded(Format::F64);
    let (_, worst, position) = both(&convention, &double, 1, Component::Sin, 65536..65700);
    assert_eq!((format!("{worst:.4e}").as_str(), position), ("6.5013e-25", 65684));
    // Position by position: the largest of them all.
    let single = |t: u64| both(&convention, &double, 1, Component::Sin, t..t + 1).1;
    let largest = (65670..65700).map(|t| (single(t), t)).max_by(|a, b| a.0.total_cmp(&b.0)).expect("positions");
    assert_eq!(largest, (worst, position));
    // The cosines round to 1, and the last is furthest from it: by θ²/2, far below 2^−256.
    let tiny = scaled(2, "1e-60");
    let (bound, worst, position) = both(&tiny, &double, 0, Component::Cos, 0..50);
    assert_eq!(position, 49);
    assert!((worst / (49f64.powi(2) * 0.5e-120) - 1.0).abs() < 1e-12 && bound < 1.01 * worst, "{worst:e} {bound:e}");
}

#[test]
fn the_worst_case_is_exact_where_angles_are_huge() {
    let double = Program::rounded(Format::F64);
    let (_, worst, _) = both(&scaled(2, "1e200"), &double, 0, Component::Sin, 0..1000);
    assert_eq!(format!("{worst:.4}"), "1.9976");
}

#[test]
fn entries_that_overflow_are_refused() {
    let loud = |amplitude: i64| Convention {
        amplitude: amplitude.to_string().parse().expect("an amplitude"),
        ..Convention::rope(4)
    };
    for (angle, storage) in [(Format::F32, Format::F16), (Format::F16, Format::F16), (Format::Bf16, Format::F16)] {
        let program = Program { storage, ..Program::rounded(angle) };
        let refused = Model::new(&loud(70000), &program).map(|_| ()).expect_err("infinite entries");
        assert_eq!(refused.what, "amplitude");
        assert!(refused.expected.contains("f16") && refused.expected.contains("65504"), "{refused}");
    }
    // The largest number of binary16 is one; bfloat16 rounds 65500 to 65536.
    let program = |angle| Program { storage: Format::F16, ..Program::rounded(angle) };
    assert!(Model::new(&loud(65504), &program(Format::F32)).is_ok());
    assert!(Model::new(&loud(65504), &program(Format::F16)).is_ok());
    assert!(Model::new(&loud(65500), &program(Format::Bf16)).is_err());
}

/// Angles in binary16 and a table in bfloat16: cos 0 as 1 + 5·2^−10 is within 10 units in the last place, and stored
/// as 1 + 2^−7.
#[test]
fn values_beyond_one_are_within_the_bound() {
    let library = 1.0 + 5.0 * 2f64.powi(-10);
    assert_eq!(Format::F16.round(library), library);
    let program = Program { kappa: 10.0, storage: Format::Bf16, ..Program::rounded(Format::F16) };
    for amplitude in ["1", "1.25", "0.3"] {
        let convention = Convention { amplitude: amplitude.parse().expect("an amplitude"), ..Convention::rope(4) };
        let factor: f64 = amplitude.parse().expect("a number");
        let rounded = Format::F16.round(factor);
        let stored = Format::Bf16.round(if factor == 1.0 { library } else { Format::F16.round(rounded * library) });
        let error = (stored - factor).abs();
        let model = Model::new(&convention, &program).expect("possible");
        let rate = model.rate(0).expect("a frequency");
        let instance = model.instance(&rate, Component::Cos, 0..1).expect("in range");
        let a_priori = model.a_priori(&rate, 0..1).expect("in range");
        for bound in [instance, a_priori] {
            assert!(error <= bound.value(), "{amplitude}: {error:e} {bound:?}");
            let origin = bound.origin().to_string();
            let named = ["rounding_table_beyond_one", "rounding_table_stored", "derived: docs/bounds.md, monotony"];
            assert!(named.iter().any(|name| origin.contains(name)), "not of values within 1: {origin}");
        }
        if factor == 1.0 {
            assert!(error <= model.pair(&rate, 0..1).expect("plain").value());
        }
    }
}

#[test]
fn what_is_exactly_zero_has_the_bound_zero() {
    for format in Format::ALL {
        for kappa in [0.5, 1.0, 4.0] {
            let program = Program { kappa, ..Program::rounded(format) };
            let (bound, worst, _) = both(&Convention::rope(4), &program, 1, Component::Sin, 0..1);
            assert_eq!((bound, worst), (0.0, 0.0), "{format} {kappa}");
        }
        let silent = Convention { amplitude: "0".parse().expect("an amplitude"), ..Convention::rope(4) };
        let (bound, ..) = both(&silent, &Program::rounded(format), 1, Component::Cos, 0..100);
        assert_eq!(bound, 0.0, "{format}");
    }
}
