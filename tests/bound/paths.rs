//! Every path and combination of formats: worst ≤ instance ≤ trivial, worst ≤ a priori.

use posproof::bound::{Model, Path, Program};
use posproof::encoding::convention::{Component, Convention, Spacing};
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;

/// True if the bounds of some pairs hold over each of several ranges; how many entries were compared.
fn holds(convention: &Convention, program: &Program, end: u64) -> u64 {
    let model = Model::new(convention, program).expect("possible");
    let pairs = convention.pairs();
    let ranges = [0..1, 1..7, 7..300, 300..end];
    let mut comparisons = 0;
    for pair in [0, 1, pairs / 3, pairs - 1] {
        let rate = model.rate(pair).expect("a frequency");
        for (range, worst) in ranges.iter().zip(model.worst(&rate, &ranges).expect("comparable")) {
            comparisons += worst.comparisons;
            for component in [Component::Sin, Component::Cos] {
                let error = worst.of(component).error;
                let instance = model.instance(&rate, component, range.clone()).expect("in range").value();
                let a_priori = model.a_priori(&rate, range.clone()).expect("in range").value();
                let case =
                    format!("{program:?} pair {pair} {component:?} {range:?}: {error:e} {instance:e} {a_priori:e}");
                assert!(error <= instance && error <= a_priori, "{case}");
            }
        }
    }
    comparisons
}

#[test]
fn no_error_is_above_its_bound_on_any_path_in_any_format() {
    let mut comparisons = 0;
    for angle in Format::ALL {
        let end = if angle == Format::F16 { 60000 } else { 70000 };
        for path in Path::ALL {
            for storage in Format::ALL {
                let program = Program { path, storage, ..Program::rounded(angle) };
                // The base must be a number of the format of the frequencies: 9984 is, in all of them.
                let base = if path == Path::Rounded { 10000 } else { 9984 };
                let convention = Convention { base: base.into(), ..Convention::sinusoid(64) };
                comparisons += holds(&convention, &program, end);
            }
        }
    }
    assert!(comparisons > 40_000_000, "{comparisons}");
}

#[test]
fn low_precision_frequencies_positions_and_amplitudes_are_bounded() {
    let rounded = Program::rounded(Format::F32);
    let low = [
        Program { frequency: Format::Bf16, ..rounded },
        Program { position: Format::Bf16, ..rounded },
        Program { position: Format::F16, storage: Format::Bf16, ..rounded },
        Program { frequency: Format::F32, position: Format::F32, ..Program::rounded(Format::F64) },
    ];
    let amplitude = "sqrt(2/512)".parse().expect("an amplitude");
    let scaled = Convention { amplitude, position_offset: 3.into(), ..Convention::sinusoid(32) };
    let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..Convention::sinusoid(32) };
    let second =
        Convention { frequency_origin: 1, position_scale: "-0.3".parse().expect("a real"), ..endpoints.clone() };
    let linear = Convention { scaling: Some(Scaling::Linear { factor: 8.into() }), ..Convention::rope(32) };
    for program in low {
        for convention in [&scaled, &endpoints, &second, &linear] {
            holds(convention, &program, 20000);
        }
    }
    for path in [Path::Pow, Path::Exp, Path::Repeated, Path::F64] {
        for convention in [&scaled, &endpoints, &linear] {
            holds(convention, &Program { path, ..rounded }, 20000);
        }
    }
}

/// Programs that compute a rule themselves: NTK's base and llama3's blend, in every band of it.
#[test]
fn rules_that_programs_compute_are_bounded() {
    let llama3 = |low: i64, high: i64| Scaling::Llama3 {
        factor: 8.into(),
        low_freq_factor: low.into(),
        high_freq_factor: high.into(),
        original_max_position_embeddings: 1024,
    };
    let rules = [
        (Scaling::Ntk { factor: 8.into() }, "rounding_frequency_base"),
        (Scaling::Ntk { factor: "1.5".parse().expect("a real") }, "rounding_frequency_base"),
        (llama3(1, 4), "rounding_frequency_llama3"),
        // The pairs that are looked at are within the band.
        (llama3(1, 4096), "rounding_frequency_llama3"),
    ];
    for (scaling, theorem) in rules {
        for dim in [32, 96] {
            let base = 10000.into();
            let convention = Convention { base, scaling: Some(scaling.clone()), ..Convention::rope(dim) };
            for path in [Path::Pow, Path::Exp, Path::F64, Path::Repeated] {
                for kappa in [0.5, 1.0, 3.0] {
                    let program = Program { path, kappa, ..Program::rounded(Format::F32) };
                    let model = Model::new(&convention, &program).expect("possible");
                    if path == Path::Repeated && theorem == "rounding_frequency_base" {
                        assert!(model.rate(1).is_err_and(|error| error.what == "scaling"));
                        continue;
                    }
                    let rate = model.rate(1).expect("a frequency");
                    let origin = model.a_priori(&rate, 0..100).expect("a bound").origin().to_string();
                    let (cast, power) = ("rounding_frequency_cast, over ", "rounding_frequency_reciprocal");
                    let (cast, own) = match path {
                        Path::F64 => (cast, power),
                        Path::Exp => ("", "rounding_frequency_exp_log"),
                        Path::Repeated => ("", "rounding_frequency_repeated"),
                        _ => ("", power),
                    };
                    assert!(origin.ends_with(&format!("and {cast}{theorem}, over {own}")), "{origin}");
                    if kappa == 0.5 {
                        holds(&convention, &program, 20000);
                    }
                }
            }
        }
    }
    // What the rule needs and the format has not.
    let coarse = Program { path: Path::Pow, ..Program::rounded(Format::F16) };
    let refused = Convention { base: 1024.into(), scaling: Some(llama3(1, 4)), ..Convention::rope(32) };
    let what = |convention: &Convention, program: &Program| {
        Model::new(convention, program).expect("possible").rate(1).map(|_| ()).unwrap_err().what
    };
    assert_eq!(what(&refused, &coarse), "scaling");
    let shrunk = Convention { scaling: Some(Scaling::Ntk { factor: "0.5".parse().expect("a real") }), ..refused };
    assert_eq!(what(&shrunk, &Program { path: Path::Pow, ..Program::rounded(Format::F32) }), "factor");
}

/// The constants of `conventions.md`: c in |error| ≤ u + c·u·t·ω, measured on released software at dim 64.
#[test]
fn a_priori_bounds_are_of_the_size_of_measured_software() {
    let constant = |path: Path, pair: usize| {
        let model = Model::new(&Convention::rope(64), &Program { path, kappa: 1.0, ..Program::rounded(Format::F32) });
        let model = model.expect("possible");
        let rate = model.rate(pair).expect("a frequency");
        let bound = model.a_priori(&rate, 0..1001).expect("in range").value();
        let u = Format::F32.unit_roundoff();
        (bound - u) / (u * 1000.0 * rate.computed())
    };
    assert!((1.99..2.1).contains(&constant(Path::Rounded, 5)));
    assert!((2.1..20.0).contains(&constant(Path::Pow, 5)));
    assert!((8.7..70.0).contains(&constant(Path::Exp, 20)));
    assert!((19.0..300.0).contains(&constant(Path::Repeated, 20)));
}

#[test]
fn what_the_error_stays_below_is_where_the_bound_is() {
    let model = Model::new(&Convention::rope(128), &Program::rounded(Format::F32)).expect("possible");
    let rate = model.rate(7).expect("a frequency");
    let limit = 131072;
    for error in [1e-5, 1e-4, 1e-3] {
        let reach = model.reach(&rate, Component::Cos, error, limit).expect("in range");
        assert!(0 < reach && reach < limit);
        let before = model.worst(&rate, std::slice::from_ref(&(0..reach))).expect("comparable").remove(0);
        assert!(before.cos.error < error);
        // The next position's own bound is not below the figure, so that nothing was given away.
        let next = model.instance(&rate, Component::Cos, reach..reach + 1).expect("in range");
        assert!(next.value() >= error);
        assert!(model.reach_a_priori(&rate, error, limit).expect("in range") <= reach);
    }
    assert_eq!(model.reach(&rate, Component::Cos, 2.5, limit), Ok(limit));
    // cos 0 is exact, and nothing else is.
    assert_eq!(model.reach(&rate, Component::Cos, 1e-9, limit), Ok(1));
}

#[test]
fn impossible_combinations_are_named() {
    let rounded = Program::rounded(Format::F32);
    let what =
        |convention: &Convention, program: Program| Model::new(convention, &program).map(|_| ()).unwrap_err().what;
    let rope = Convention::rope(64);
    assert_eq!(what(&rope, Program { kappa: -1.0, ..rounded }), "κ");
    assert_eq!(what(&rope, Program { kappa: f64::NAN, ..rounded }), "κ");
    assert_eq!(what(&rope, Program { frequency: Format::F64, ..rounded }), "format of the frequencies");
    assert_eq!(what(&Convention::rope(63), rounded), "dim");
    assert_eq!(what(&Convention { base: 1.into(), ..rope.clone() }, rounded), "base");
    assert_eq!(
        what(&Convention { position_offset: "0.5".parse().expect("a real"), ..rope.clone() }, rounded),
        "position offset"
    );
    let half = Model::new(&rope, &Program::rounded(Format::F16)).expect("possible");
    let rate = half.rate(3).expect("a frequency");
    assert_eq!(half.a_priori(&rate, 0..70000).unwrap_err().what, "positions");
    assert_eq!(half.rate(32).unwrap_err().what, "pair");
    assert!(half.a_priori(&rate, 0..65505).is_ok());
    let narrow = Model::new(&rope, &Program { path: Path::Pow, ..Program::rounded(Format::Bf16) }).expect("possible");
    assert_eq!(narrow.rate(3).unwrap_err().what, "base");
}
