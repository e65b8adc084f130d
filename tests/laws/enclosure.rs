//! Enclosures of the pure-Rust numbers against MPFR: frequencies, angles, elementary functions, at many precisions.

use posproof::encoding::convention::{Component, Convention};
use posproof::encoding::frequency::Entries;
use posproof::number::mpfr::exactly;
use posproof_numerics::{Float as Number, Interval, Rational, Round};
use rug::Float;

/// A fixed sequence of numbers without a pattern.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(self.0 >> 11) * u128::from(limit)) >> 53) as u64
    }
}

/// MPFR's value, computed with 64 more bits than asked for, lies in the enclosure, which is narrow.
fn encloses(enclosure: &Interval, value: &Float, bits: u32, what: impl Fn() -> String) {
    let (lower, upper) = (exactly(enclosure.lower()), exactly(enclosure.upper()));
    assert!(lower <= *value && *value <= upper, "{}: {value} is not in [{lower}, {upper}]", what());
    let width = Float::with_val(64, &upper - &lower);
    let scale = Float::with_val(64, value.abs_ref()) >> (bits - 4);
    assert!(width <= scale, "{}: {width} is wider than {scale}", what());
}

#[test]
fn entries_of_conventions_contain_those_of_mpfr() {
    let mut draw = Draw(1);
    let mut compared = 0;
    for _ in 0..900 {
        let dim = 2 * (1 + draw.below(256)) as usize;
        let base = [10_000, 500_000, 1_000_000, 100, 3][draw.below(5) as usize];
        let convention = Convention { base: base.into(), ..Convention::sinusoid(dim) };
        let entries = Entries::new(&convention);
        let bits = 24 + draw.below(360) as u32;
        for _ in 0..30 {
            let pair = draw.below(dim as u64 / 2) as usize;
            let magnitude = 1 + draw.below(52);
            let position = draw.below(1 << magnitude);
            // Enclosures may be narrower than asked for: at most 1024 bits here.
            let working = 1400;
            let exponent = Float::with_val(working, -2 * pair as i64) / dim as u64;
            let omega = (Float::with_val(working, base).ln() * exponent).exp();
            let found = entries.frequency(pair, bits).expect("a valid pair");
            encloses(&found, &omega, bits, || format!("ω of pair {pair} of {dim}, base {base}, {bits} bits"));
            let (sin, cos) = (omega * position).sin_cos(Float::new(working));
            for (component, value) in [(Component::Sin, sin), (Component::Cos, cos)] {
                let found = entries.enclose(position, pair, component, bits).expect("a valid entry");
                let (lower, upper) = (exactly(found.lower()), exactly(found.upper()));
                assert!(
                    lower <= value && value <= upper && found.width_up() <= 2f64.powi(1 - bits as i32),
                    "{component:?} of {position}, pair {pair} of {dim}, base {base}, {bits} bits"
                );
                compared += 1;
            }
            compared += 1;
        }
    }
    assert!(compared >= 80_000, "{compared}");
}

#[test]
fn elementary_functions_contain_those_of_mpfr() {
    let mut draw = Draw(2);
    for n in 0..12_000u32 {
        let bits = 53 + draw.below(300) as u32;
        let magnitude = 2f64.powi(draw.below(120) as i32 - 60);
        let x = (draw.below(1 << 53) as f64 / (1u64 << 53) as f64 + 2f64.powi(-54)) * magnitude;
        let interval = Interval::exactly(x).at(bits);
        let exact = || Float::with_val(bits + 64, x);
        let (sin, cos) = exact().sin_cos(Float::new(bits + 64));
        let (found_cos, found_sin) = interval.cos_sin();
        encloses(&found_cos, &cos, bits, || format!("cos {x:e} to {bits} bits"));
        encloses(&found_sin, &sin, bits, || format!("sin {x:e} to {bits} bits"));
        encloses(&interval.sqrt(), &exact().sqrt(), bits, || format!("sqrt {x:e}"));
        if n % 16 == 0 {
            encloses(&interval.ln(), &exact().ln(), bits, || format!("ln {x:e}"));
            if x.abs() < 700.0 {
                encloses(&(-interval).exp(), &Float::with_val(bits + 64, -x).exp(), bits, || format!("exp −{x:e}"));
            }
        }
        let third = Interval::rational(&Rational::from((n, 3)), bits);
        assert!(
            third.contains(&Rational::from((n, 3))) && third.width_up() <= f64::from(n) * 2f64.powi(1 - bits as i32)
        );
    }
    let pi = Interval::pi(500);
    encloses(&pi, &Float::with_val(600, rug::float::Constant::Pi), 500, || "π".into());
}

/// Of a narrow interval one end is looked at, and the width added; near an extremum, nothing beyond ±1.
#[test]
fn cosines_of_narrow_intervals_contain_those_of_both_ends() {
    let mut draw = Draw(3);
    for _ in 0..4000 {
        let bits = 53 + draw.below(300) as u32;
        let low = Number::from_f64(
            (1.0 + draw.below(1 << 52) as f64 / (1u64 << 52) as f64) * 2f64.powi(draw.below(80) as i32 - 40),
        );
        let width = low.scaled(draw.below(8) as i32 - bits as i32);
        let high = low.add(&width, bits + 10, Round::Up);
        let (found_cos, found_sin) = Interval::new(low.clone(), high.clone()).at(bits).cos_sin();
        for end in [low, high] {
            let (sin, cos) = Float::with_val(bits + 128, exactly(&end)).sin_cos(Float::new(bits + 128));
            for (found, value) in [(&found_cos, cos), (&found_sin, sin)] {
                let (lower, upper) = (exactly(found.lower()), exactly(found.upper()));
                assert!(lower <= value && value <= upper, "{bits} bits: {value} is not in [{lower}, {upper}]");
                assert!(lower >= -1 && upper <= 1, "{bits} bits: [{lower}, {upper}]");
            }
        }
    }
    for bits in [60, 100, 500] {
        let (cos, _) = Interval::pi(bits).cos_sin();
        assert!(*cos.lower() == -1.0 && *cos.upper() < -0.999_999, "{cos:?}");
    }
}
