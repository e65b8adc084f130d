//! The bound that decides `within-bound` is never below the theorem of the code path.

use posproof::bound::{Allowance, Model, Path, Program};
use posproof::encoding::convention::{Convention, Spacing};
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;

/// Conventions for which the theorems are stated.
fn conventions() -> Vec<Convention> {
    let rope = Convention { base: 500_000.into(), ..Convention::rope(128) };
    vec![
        Convention::sinusoid(64),
        Convention::sinusoid(512),
        Convention { frequency_spacing: Spacing::Endpoints, ..Convention::sinusoid(64) },
        Convention { frequency_origin: 1, position_offset: 1.into(), ..Convention::sinusoid(64) },
        Convention { amplitude: "sqrt(2/64)".parse().unwrap(), ..Convention::sinusoid(64) },
        Convention { scaling: Some(Scaling::Linear { factor: 8.into() }), ..rope.clone() },
        rope,
    ]
}

#[test]
fn no_path_has_a_bound_below_its_theorem() {
    // The accuracies that the bound assumes of libraries: 2 ulp, and 4 of pow.
    let paths = [(Path::Rounded, 2.0), (Path::F64, 2.0), (Path::Pow, 4.0), (Path::Exp, 2.0), (Path::Repeated, 4.0)];
    let (mut compared, mut closest) = (0, f64::INFINITY);
    for convention in conventions() {
        let omega: Vec<f64> = convention.frequencies(80).unwrap().iter().map(|omega| omega.approximate()).collect();
        for compute in [Format::F64, Format::F32, Format::F16, Format::Bf16] {
            for (path, kappa) in paths {
                // Stored in the format of the angle, so that nothing hides how far off that may be.
                let formats = Program::rounded(compute);
                let program = Program { path, kappa, ..formats };
                let Ok(model) = Model::new(&convention, &program) else { continue };
                for last in [1u64, 255, 4095, 131_071] {
                    let of = |path| Allowance::new(&convention, &omega, last, (compute, path), compute);
                    let (narrow, wide) = (of(Some(path)), of(None));
                    // The frequency 1 = base^0 and its products with whole numbers are exact, which the theorems do
                    // not use.
                    for pair in (0..convention.pairs()).step_by(7).filter(|&pair| omega[pair] != 1.0) {
                        let Ok(rate) = model.rate(pair) else { continue };
                        let Ok(theorem) = model.a_priori(&rate, last..last + 1) else { continue };
                        let t = last as f64 + convention.position_offset.value().to_f64();
                        let bound = narrow.of(pair, t, narrow.gain());
                        let label =
                            format!("{path} {compute} pair {pair} at {last}: {bound:e}, theorem {:e}", theorem.value());
                        assert!(bound >= theorem.value(), "{label}, {convention:?}");
                        assert!(wide.of(pair, t, wide.gain()) >= bound * (1.0 - 1e-12), "{label}: 'any' is narrower");
                        (compared, closest) = (compared + 1, closest.min(bound / theorem.value()));
                    }
                }
            }
        }
    }
    println!("{compared} bounds, the closest {closest:.3} times its theorem");
    assert!(compared > 2000, "{compared}");
}
