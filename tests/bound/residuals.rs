//! All residuals of the shift: within their bounds, and those of the slow path.

use posproof::bound::{Model, Program};
use posproof::encoding::convention::{Component, Convention};
use posproof::number::format::Format;

/// One residual by itself, from correctly rounded functions of the f32 product.
fn residual(omega: f32, t: u64, k: u64) -> [f32; 2] {
    let [(s, c), (sk, ck), (sin, cos)] = [t, k, t + k].map(|n| core_math::sincosf(n as f32 * omega));
    [((s * ck + c * sk) - sin).abs(), ((c * ck - s * sk) - cos).abs()]
}

#[test]
fn the_largest_residual_is_that_of_the_slow_path() {
    let model = Model::new(&Convention::sinusoid(512), &Program::rounded(Format::F32)).expect("possible");
    let length = 96;
    let found = model.residuals(length).expect("in range");
    assert_eq!((found.count, found.above), (2 * 256 * length * length, 0));
    let mut largest = (0f32, 0, 0, 0, Component::Sin);
    for pair in 0..256 {
        let omega = model.rate(pair).expect("a frequency").computed() as f32;
        for t in 0..length {
            for k in 0..length {
                let values = residual(omega, t, k);
                for (value, component) in values.into_iter().zip([Component::Sin, Component::Cos]) {
                    if value > largest.0 {
                        largest = (value, t, k, pair, component);
                    }
                }
            }
        }
    }
    let slow = (f64::from(largest.0), largest.1, largest.2, largest.3, largest.4);
    assert_eq!((found.worst, found.t, found.k, found.pair, found.component), slow);
}

#[test]
fn residuals_are_within_their_bounds_and_close_to_them() {
    for format in [Format::F32, Format::F64] {
        let model = Model::new(&Convention::sinusoid(64), &Program::rounded(format)).expect("possible");
        let found = model.residuals(512).expect("in range");
        println!("{format}: {found:?}");
        assert_eq!(found.above, 0);
        assert!(found.worst <= found.bound.value() && found.worst > 0.2 * found.bound.value());
    }
}

/// All 8.6·10⁹ of `shift.linearity` at d = 512 and t, k < 4096, in binary32 and binary64.
#[test]
fn all_residuals() {
    let mut text = String::new();
    for format in [Format::F32, Format::F64] {
        let model = Model::new(&Convention::sinusoid(512), &Program::rounded(format)).expect("possible");
        let start = std::time::Instant::now();
        let found = model.residuals(4096).expect("in range");
        println!("{format}: {:.2} s", start.elapsed().as_secs_f64());
        assert_eq!((found.count, found.above), (2 * 256 * 4096 * 4096, 0));
        let part = if found.component == Component::Sin { "sin" } else { "cos" };
        text += &format!(
            "{format}: {} residuals, {} above a bound; worst {} at t = {}, k = {}, pair {}, {part}; bound {} ({})\n",
            found.count,
            found.above,
            posproof_numerics::decimal::scientific(found.worst, 5, posproof_numerics::Round::Nearest),
            found.t,
            found.k,
            found.pair,
            posproof_numerics::decimal::scientific(found.bound.value(), 5, posproof_numerics::Round::Up),
            found.bound.origin(),
        );
    }
    let mut settings = super::configurations::settings();
    settings.set_description("every residual T(k)PE(t) − PE(t + k) at d = 512, t, k < 4096");
    settings.bind(|| insta::assert_snapshot!("shift-residuals", text));
}
