//! Angles, cosines and sines: the leaves that a program computes from positions and frequencies.

use super::Uniform;
use super::event::{Event, Key, Name};
use super::form::LinearForm;
use super::node::Node;
use super::span::Span;
use crate::bound::running::up;
use crate::number::System;
use crate::number::exact::{Bounds, Exact, Formal};
use crate::number::format::{exponent_of, power_of_two};
use crate::number::phase::{Frequency, Phase, Position};
use std::sync::Arc;

/// An angle over the domain.
pub(super) struct Angle {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Bounds the error.
    pub(super) radius: f64,
    /// The roundings with their signs and bounds.
    events: Vec<(Event, i32, f64)>,
}

impl Uniform {
    /// A product of a position and a frequency.
    fn product(&self, frequency: &Frequency, position: &Position) -> Option<Angle> {
        let (omega, far) = (self.domain.frequency(frequency)?, self.domain.position(position)?);
        let whole = power_of_two(self.domain.format.precision() as i32);
        let displaced = if far <= whole { 0.0 } else { self.domain.rounding(far)? };
        let is_power = matches!(frequency, Frequency::Power { .. }) && omega == power_of_two(exponent_of(omega));
        // A product by 1 is exact, and by a power of two where nothing underflows.
        let is_exact = far == 1.0 && position.terms().next().is_none() || is_power && omega >= power_of_two(-12);
        let radius = if is_exact { up(omega * displaced) } else { self.domain.angle_bound(omega, far)? };
        let radius = if is_exact && displaced == 0.0 { 0.0 } else { radius };
        let leading = position.terms().next().map_or(position.constant(), |(_, coefficient)| coefficient);
        let sign = if leading < 0 { -1 } else { 1 };
        let event = Event::Angle(frequency.clone(), position.clone().times(sign));
        let [first, last] = self.domain.ends(position)?;
        let [slowest, fastest] = match frequency {
            Frequency::Free(name) => self.domain.real(name, 0)?,
            Frequency::Power { .. } => [omega; 2],
        };
        let ends = [first * slowest, first * fastest, last * slowest, last * fastest];
        let mut charged = radius;
        if self.domain.charges_frequencies && matches!(frequency, Frequency::Power { .. }) {
            charged = up(charged + up(far * self.domain.rounding(omega)?));
        }
        Some(Angle {
            low: ends.into_iter().fold(f64::INFINITY, f64::min).next_down(),
            high: ends.into_iter().fold(f64::NEG_INFINITY, f64::max).next_up(),
            radius: charged,
            events: if radius == 0.0 { Vec::new() } else { vec![(event, sign as i32, radius)] },
        })
    }

    /// The terms of a phase, added in turn.
    pub(super) fn angle_of(&self, phase: &Phase) -> Option<Angle> {
        let mut terms = phase.terms().map(|(frequency, position)| self.product(frequency, position));
        let mut sum = terms.next().unwrap_or(Some(Angle { low: 0.0, high: 0.0, radius: 0.0, events: Vec::new() }))?;
        let turns = phase.turn_count();
        let turn = || {
            let size = turns.to_f64() * std::f64::consts::TAU;
            let bound = self.domain.rounding(up(size.abs()))?;
            let event = Event::Phase(Name::new(format!("{} turns", turns.clone().abs()), String::new()));
            let sign = if *turns < 0 { -1 } else { 1 };
            let (low, high) = (size - size.abs() * 1e-15, size + size.abs() * 1e-15);
            Some(Angle { low, high, radius: bound, events: vec![(event, sign, bound)] })
        };
        let rest = terms.chain((*turns != 0).then(turn));
        let is_alone = phase.terms().next().is_none();
        for (place, term) in rest.enumerate() {
            let term = term?;
            sum.low = (sum.low + term.low).next_down();
            sum.high = (sum.high + term.high).next_up();
            sum.radius = up(sum.radius + term.radius);
            sum.events.extend(term.events);
            if is_alone {
                continue;
            }
            let largest = up(sum.low.abs().max(sum.high.abs()) + sum.radius);
            let rounding = self.domain.rounding(largest)?;
            let sum_so_far = Name::new(format!("{} to term {}", words(phase), place + 2), format!("{phase:?}"));
            sum.events.push((Event::Phase(sum_so_far), 1, rounding));
            sum.radius = up(sum.radius + rounding);
        }
        Some(sum)
    }

    /// Cosine and sine of a phase.
    pub(super) fn point(&self, phase: &Phase) -> Option<[Arc<Node>; 2]> {
        let leading = match phase.terms().next() {
            Some((_, position)) => position.terms().next().map_or(position.constant(), |(_, coefficient)| coefficient),
            None => {
                if *phase.turn_count() < 0 {
                    -1
                } else {
                    1
                }
            }
        };
        if leading < 0 {
            // The cosine is even and the sine is odd, computed too.
            let [cos, sin] = self.point(&phase.clone().times(-1))?;
            return Some([cos, sin.negative()]);
        }
        let exact = Formal.cis(phase);
        if phase.terms().next().is_none() && *phase.turn_count() == 0 {
            return Some([Node::integer(1)?, Node::integer(0)?]);
        }
        let angle = self.angle_of(phase)?;
        let name = Name::new(words(phase), format!("{phase:?}"));
        let domain = || Some(Arc::clone(&self.domain));
        let local = self.domain.rounding(1.0)?;
        let (delta, identity) = (angle.radius.min(2.0), format!("{phase:?}"));
        let errors: Vec<(usize, i32)> =
            angle.events.iter().map(|(event, sign, bound)| (self.domain.error(event, *bound), *sign)).collect();
        let computed = Exact::cis_with_errors(phase, &errors);
        let of = |value: &Exact, computed: &Exact, event: Event, key: &str| {
            let linear = || LinearForm::exact(computed.clone(), domain())?.with_event(event, &Exact::from(1), local);
            let (low, high) = (-1.0, 1.0);
            let span = Span::within(low, high, up(delta + local)).at_most(1.0);
            let form = if self.domain.charges_frequencies { None } else { linear() };
            let key = Key::of(format!("{key} {identity}").as_bytes());
            Node::leaf_of(names(phase), key, domain(), span, Some(value.clone()), form)
        };
        let cos = of(&exact.re, &computed.re, Event::Cosine(name.clone()), "cos");
        let sin = of(&exact.im, &computed.im, Event::Sine(name), "sin");
        Some([cos, sin])
    }
}

/// The positions and free frequencies of a phase.
pub(super) fn names(phase: &Phase) -> Vec<&'static str> {
    let of = |(frequency, position): (&Frequency, &Position)| {
        let free = match frequency {
            Frequency::Free(name) => Some(*name),
            Frequency::Power { .. } => None,
        };
        position.terms().map(|(name, _)| name).chain(free).collect::<Vec<_>>()
    };
    phase.terms().flat_map(of).collect()
}

/// A phase for people.
fn words(phase: &Phase) -> String {
    let term = |(frequency, position): (&Frequency, &Position)| match frequency {
        Frequency::Power { index, .. } => format!("ω{index}·({position})"),
        Frequency::Free(name) => format!("{name}·({position})"),
    };
    let turns = (*phase.turn_count() != 0).then(|| format!("{} turns", phase.turn_count()));
    phase.terms().map(term).chain(turns).collect::<Vec<_>>().join(" + ")
}
