//! Containment, monotonicity and tightness of enclosures, against MPFR at higher precision.

use super::check;
use posproof::number::Number;
use posproof::number::interval::Interval;
use rug::Float;
use rug::float::Round;

/// A number with a full significand at 53 bits and a moderate exponent.
fn number(bits: u64) -> f64 {
    ((bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * 2f64.powi((bits % 40) as i32 - 20)
}

/// The interval between two numbers at 64 bits, and a number in it.
fn around(a: u64, b: u64, weight: u8) -> (Interval, Float) {
    let (low, high) = (number(a).min(number(b)), number(a).max(number(b)));
    let inside = Float::with_val(600, high - low) * weight / 255u32 + low;
    let clamped = inside.clamp(&Float::with_val(600, low), &Float::with_val(600, high)).clone();
    (Interval::new(Float::with_val(64, low), Float::with_val(64, high)), clamped)
}

fn encloses(result: &Interval, exact: &Float) -> bool {
    !result.is_defined() || (result.lower() <= exact && exact <= result.upper())
}

#[test]
fn results_contain_the_exact_values() {
    fn law(a: (u64, u64, u8), b: (u64, u64, u8)) -> bool {
        let ((x, p), (y, q)) = (around(a.0, a.1, a.2), around(b.0, b.1, b.2));
        encloses(&(x.clone() + y.clone()), &Float::with_val(2000, &p + &q))
            && encloses(&(x.clone() - y.clone()), &Float::with_val(2000, &p - &q))
            && encloses(&(x.clone() * y.clone()), &Float::with_val(2000, &p * &q))
            && (q == 0 || encloses(&(x.clone() / y), &Float::with_val(2000, &p / &q)))
            && encloses(&x.cos_sin().0, &Float::with_val(600, p.cos_ref()))
            && encloses(&x.cos_sin().1, &Float::with_val(600, p.sin_ref()))
            && (p > 50 || encloses(&x.exp(), &Float::with_val(600, p.exp_ref())))
            && (p < 0 || encloses(&x.sqrt(), &Float::with_val(600, p.sqrt_ref())))
            && (p <= 0 || encloses(&x.ln(), &Float::with_val(600, p.ln_ref())))
            && encloses(&x.abs(), &Float::with_val(600, p.abs_ref()))
    }
    check(20_000).quickcheck(law as fn(_, _) -> _);
}

/// A wider argument never gives a result that is not wider.
#[test]
fn results_are_monotone() {
    fn within(inner: &Interval, outer: &Interval) -> bool {
        !outer.is_defined() || (inner.is_defined() && outer.lower() <= inner.lower() && inner.upper() <= outer.upper())
    }
    fn law(a: (u64, u64, u8), b: (u64, u64, u8)) -> bool {
        let ((x, p), (y, q)) = (around(a.0, a.1, a.2), around(b.0, b.1, b.2));
        let narrow = |value: Float| {
            let below = Float::with_val_round(64, &value, Round::Down).0;
            let above = Float::with_val_round(64, &value, Round::Up).0;
            Interval::new(below, above)
        };
        let (u, v) = (narrow(p), narrow(q));
        // Rounding to 64 bits may leave the interval by one unit at an end: compare only what lies inside.
        if !within(&u, &x) || !within(&v, &y) {
            return true;
        }
        within(&(u.clone() + v.clone()), &(x.clone() + y.clone()))
            && within(&(u.clone() * v.clone()), &(x.clone() * y.clone()))
            && within(&(u.clone() / v), &(x.clone() / y))
            && within(&u.cos_sin().0, &x.cos_sin().0)
            && within(&u.cos_sin().1, &x.cos_sin().1)
            && within(&u.exp(), &x.exp())
    }
    check(20_000).quickcheck(law as fn(_, _) -> _);
}

/// From one number an operation gives neighbours; cosine and sine are at most three units in the last
/// place wide, one for each side and one more across a power of two.
#[test]
fn results_of_points_are_tight() {
    fn units(result: &Interval) -> f64 {
        let Some(exponent) = result.lower().get_exp() else { return 0.0 };
        let ulp = Float::with_val(64, Float::i_exp(1, exponent - result.lower().prec() as i32));
        (Float::with_val(64, result.upper() - result.lower()) / ulp).to_f64()
    }
    fn law(a: u64, b: u64) -> bool {
        let (x, y) = (Interval::exactly(number(a)), Interval::exactly(number(b)));
        let (cos, sin) = x.cos_sin();
        units(&(x.clone() + y.clone())) <= 1.0
            && units(&(x.clone() * y.clone())) <= 1.0
            && (y.contains(&0.into()) || units(&(x.clone() / y)) <= 1.0)
            && units(&x.abs().sqrt()) <= 1.0
            && (number(a) > 50.0 || units(&x.exp()) <= 1.0)
            && units(&cos) <= 3.0
            && units(&sin) <= 3.0
    }
    check(20_000).quickcheck(law as fn(_, _) -> _);
}

#[test]
fn what_has_no_value_is_undefined() {
    let zero = Interval::from(0);
    assert!(!(Interval::from(1) / zero.clone()).is_defined());
    assert!(!Interval::from(-1).sqrt().is_defined());
    assert!(!Interval::from(-1).ln().is_defined());
    assert!(!(Interval::from(1) / zero * Interval::from(0)).is_defined());
    assert!(!Interval::new(Float::with_val(53, 2), Float::with_val(53, 1)).is_defined());
}
