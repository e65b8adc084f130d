//! The coordinate that the slots of an axis show, from the slowest to the fastest.

use super::slot_angles::wrap;
use crate::measure::candidates;
use posproof_encoding::axes::AxisLaw;
use posproof_numerics::Rational;
use std::f64::consts::TAU;

/// Turns of the slowest slot that are tried to either side of the stated coordinate.
const MOST_TURNS: i32 = 512;

/// Units of roundoff of binary32, for each unit of the coordinate, that an angle may be off.
const COMPUTED: f64 = 16.0;
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// The largest denominator of a coordinate that is taken for a stated one.
const MOST_DENOMINATOR: i64 = 64;

/// A coordinate, and how far off it may be.
#[derive(Clone, Copy)]
pub(super) struct DecodedCoordinate {
    pub x: f64,
    pub error: f64,
}

/// A slot of an axis: its number, its rate and its angle at coordinate 0.
pub(super) struct Hand {
    slot: usize,
    rate: f64,
    origin: f64,
}

/// The slots of an axis, from the slowest to the fastest.
pub(super) fn hands(axis: &AxisLaw, head: usize) -> Vec<Hand> {
    let angle = |at: usize, x: &Rational| axis.angle(head, at, x, 64).map_or(f64::NAN, |angle| angle.approximate());
    let of = |(at, &slot): (usize, &usize)| {
        let origin = angle(at, &Rational::ZERO);
        Hand { slot, rate: angle(at, &Rational::ONE) - origin, origin }
    };
    let mut hands: Vec<Hand> = axis.slots().iter().enumerate().map(of).filter(|hand| hand.rate != 0.0).collect();
    hands.sort_by(|a, b| a.rate.abs().total_cmp(&b.rate.abs()));
    hands
}

/// The coordinate at which all slots of an axis have their angles, the nearest to the stated one; none where there is none.
pub(super) fn coordinate(hands: &[Hand], angles: &[f64], unit: f64, stated: f64) -> Option<DecodedCoordinate> {
    let slowest = hands.first()?;
    let near = stated + wrap(angles[slowest.slot] - slowest.origin - slowest.rate * stated) / slowest.rate;
    let turn = TAU / slowest.rate.abs();
    let turns = std::iter::once(0).chain((1..=MOST_TURNS).flat_map(|turns| [turns, -turns]));
    turns.map(|turns| near + f64::from(turns) * turn).find_map(|x| agreed(hands, angles, unit, x))
}

/// A coordinate made more precise by every slot in turn; none where one contradicts it.
fn agreed(hands: &[Hand], angles: &[f64], unit: f64, start: f64) -> Option<DecodedCoordinate> {
    let mut found = DecodedCoordinate { x: start, error: f64::INFINITY };
    for hand in hands {
        let left = wrap(angles[hand.slot] - hand.origin - hand.rate * found.x);
        let offset = (hand.origin / hand.rate).abs();
        let own = unit + COMPUTED * UNIT * (hand.rate * (found.x.abs() + offset + 1.0)).abs();
        let grown = found.error * hand.rate.abs();
        // The first slot is the one that the coordinate is from.
        if grown > 1.0 && found.error.is_finite() {
            continue;
        }
        if left.abs() > grown + own {
            return None;
        }
        let error = own / hand.rate.abs();
        if error < found.error {
            found = DecodedCoordinate { x: found.x + left / hand.rate, error };
        }
    }
    Some(found)
}

/// The simplest number that a decoded one may be: the stated one, a fraction, one of few digits, or itself.
pub(super) fn simplest(found: DecodedCoordinate, stated: &Rational) -> Option<Rational> {
    let DecodedCoordinate { x, error } = found;
    if (x - stated.to_f64()).abs() <= error {
        return Some(stated.clone());
    }
    let near = |q: i64| {
        let p = (x * q as f64).round();
        ((p / q as f64 - x).abs() <= error && p.abs() < 1e15).then(|| Rational::from((p as i64, q)))
    };
    let few_digits = || candidates(x, error).first().map(|number| number.value().clone());
    (1..=MOST_DENOMINATOR).find_map(near).or_else(few_digits).or_else(|| Rational::from_f64(x))
}
