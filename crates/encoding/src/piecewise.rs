//! Functions that are defined by cases, of intervals.

use posproof_numerics::{Float, Interval, Rational};

/// The integer below or above every number of the interval; undefined where the ends disagree, so
/// that the caller retries at a higher precision. They do agree at some precision, because
/// n·ln(L/(2πβ))/(2·ln base) is never an integer: 2π would be algebraic.
pub(crate) fn whole(value: &Interval, round: impl Fn(&Float) -> Float) -> Interval {
    let (lower, upper) = (round(value.lower()), round(value.upper()));
    if lower == upper { Interval::point(lower).at(value.bits()) } else { Interval::undefined() }
}

/// The numbers of an interval, raised to a least one.
pub(crate) fn at_least(value: Interval, least: &Rational) -> Interval {
    let least = Interval::rational(least, value.bits());
    let raise = |end: &Float, least: &Float| if end < least { least.clone() } else { end.clone() };
    Interval::new(raise(value.lower(), least.lower()), raise(value.upper(), least.upper())).at(value.bits())
}

/// The numbers of an interval, cut at a largest one.
pub(crate) fn at_most(value: Interval, most: &Rational) -> Interval {
    let most = Interval::rational(most, value.bits());
    let cut = |end: &Float, most: &Float| if end > most { most.clone() } else { end.clone() };
    Interval::new(cut(value.lower(), most.lower()), cut(value.upper(), most.upper())).at(value.bits())
}

/// 1 where a number is positive, 0 where it is negative; undefined where its sign is not known, so that the caller retries
/// at a higher precision.
pub(crate) fn step(value: &Interval) -> Interval {
    let zero = Interval::from(0).at(value.bits());
    if value.lower() > zero.upper() {
        Interval::from(1).at(value.bits())
    } else if value.upper() < zero.lower() {
        zero
    } else {
        Interval::undefined()
    }
}

/// The numbers of an interval, kept between two.
pub(crate) fn clamp(value: Interval, least: &Rational, most: &Rational) -> Interval {
    at_most(at_least(value, least), most)
}
