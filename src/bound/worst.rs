//! The exact worst case over integer positions, by enumeration against the certified reference.

use super::entry::{Model, Rate};
use super::program::{Impossible, Program, contains};
use super::reference::{BLOCK, Reference};
use crate::encoding::convention::{Component, Direction};
use crate::number::float::{Arithmetic, Float};
use crate::number::format::Format;
use crate::number::interval::Interval;
use crate::table::rounding::nearest;
use rug::Float as Big;
use rug::float::Round;
use std::ops::Range;

/// The largest error of one component over a range of positions.
#[derive(Clone, Debug)]
pub struct Extreme {
    /// |got − exact|, rounded to nearest.
    pub error: f64,
    /// The same with what is left open about the exact entry, rounded up: what a bound must not be below.
    pub above: f64,
    /// Where it occurs first.
    pub position: u64,
    /// The entry as computed.
    pub got: f64,
    /// An enclosure of the exact entry.
    pub exact: Interval,
}

/// The largest errors of both components.
#[derive(Clone, Debug)]
pub struct Worst {
    /// Of the sine.
    pub sin: Extreme,
    /// Of the cosine.
    pub cos: Extreme,
    /// How many entries were compared.
    pub comparisons: u64,
}

impl Worst {
    /// The component's.
    pub fn of(&self, component: Component) -> &Extreme {
        match component {
            Component::Sin => &self.sin,
            Component::Cos => &self.cos,
        }
    }

    /// The worst of two ranges, the first of which comes before the other.
    pub fn join(self, later: Self) -> Self {
        let larger = |a: Extreme, b: Extreme| if b.error > a.error { b } else { a };
        Self {
            sin: larger(self.sin, later.sin),
            cos: larger(self.cos, later.cos),
            comparisons: self.comparisons + later.comparisons,
        }
    }
}

/// An entry whose error may be the largest.
#[derive(Clone, Copy)]
struct Candidate {
    position: u64,
    error: f64,
    got: f64,
}

/// The candidates of one component: all within the reference's error of the largest.
struct Search {
    candidates: Vec<Candidate>,
    most: f64,
    threshold: f64,
    uncertainty: f64,
}

/// The rounding of an error near 1, relatively.
const ROUNDING: f64 = 1.0 / (1u64 << 50) as f64;

impl Search {
    fn new(uncertainty: f64) -> Self {
        Self { candidates: Vec::new(), most: 0.0, threshold: 0.0, uncertainty }
    }

    #[inline]
    fn offer(&mut self, position: u64, error: f64, got: f64) {
        if error >= self.threshold || error.is_nan() {
            self.keep(Candidate { position, error, got });
        }
    }

    #[cold]
    fn keep(&mut self, candidate: Candidate) {
        if candidate.error > self.most {
            self.most = candidate.error;
            self.threshold = (self.most * (1.0 - ROUNDING) - 2.0 * self.uncertainty).max(0.0);
            let threshold = self.threshold;
            self.candidates.retain(|candidate| candidate.error >= threshold);
        }
        // While every error is 0 one candidate says as much as all.
        if self.most > 0.0 || self.candidates.is_empty() {
            self.candidates.push(candidate);
        }
    }
}

/// The program of a model with correctly rounded functions.
pub(super) struct Machine {
    program: Program,
    frequency: f64,
    /// The rounded amplitude, unless it is 1.
    gain: Option<f64>,
}

impl Machine {
    /// The program of a model for one pair.
    pub fn new(model: &Model, rate: &Rate) -> Result<Self, Impossible> {
        let gain = model.convention.gain();
        let expected = "one that the format of the angle holds";
        let undecided = || Impossible::new("amplitude", gain.enclose(64).midpoint().to_f64(), expected);
        let gain = match gain.exact() {
            Some(gain) if gain == 1 => None,
            _ => Some(nearest(model.program.angle, |bits| Some(gain.enclose(bits))).ok_or_else(undecided)?),
        };
        debug_assert!(contains(model.program.angle, model.program.frequency));
        Ok(Self { program: model.program, frequency: rate.computed.value, gain })
    }

    /// (cosine, sine) of the entry at a position, as computed.
    #[inline]
    pub fn entry(&self, t: u64) -> [f64; 2] {
        let Program { position, angle, .. } = self.program;
        // Products of two numbers of a narrower format are exact in binary64, so that this rounds once.
        let product = angle.round(position.round(t as f64) * self.frequency);
        let wave = match angle {
            Format::F64 => {
                let (sin, cos) = core_math::sincos(product);
                [cos, sin]
            }
            Format::F32 => {
                let (sin, cos) = core_math::sincosf(product as f32);
                [f64::from(cos), f64::from(sin)]
            }
            Format::F16 | Format::Bf16 => narrow(angle, product).unwrap_or_else(|| enclosed(angle, product)),
        };
        [self.stored(wave[0]), self.stored(wave[1])]
    }

    #[inline]
    fn stored(&self, wave: f64) -> f64 {
        let amplified = match self.gain {
            Some(gain) => self.program.angle.round(gain * wave),
            None => wave,
        };
        self.program.storage.round(amplified)
    }
}

/// (cosine, sine) correctly rounded to a format narrower than binary32, by way of binary32: the exact value is
/// strictly between the neighbours of the rounded one, and accepted where both round alike.
#[inline]
fn narrow(format: Format, angle: f64) -> Option<[f64; 2]> {
    let (sin, cos) = core_math::sincosf(angle as f32);
    let again = |value: f32| {
        let [below, above] = [value.next_down(), value.next_up()].map(|near| format.round(f64::from(near)));
        if value == 0.0 { Some(0.0) } else { (below == above).then_some(below) }
    };
    Some([again(cos)?, again(sin)?])
}

/// The same from enclosures.
fn enclosed(format: Format, angle: f64) -> [f64; 2] {
    let (cos, sin) = Float::new(angle, format).cos_sin();
    [cos.get(), sin.get()]
}

impl Model {
    /// The largest error of both components over each of several ranges of positions, for the program with
    /// correctly rounded functions, whatever κ is.
    ///
    /// Every entry is computed and compared with a reference whose error is proven;
    /// those that may be the largest are compared once more with an enclosure of 256 bits.
    pub fn worst(&self, rate: &Rate, ranges: &[Range<u64>]) -> Result<Vec<Worst>, Impossible> {
        let machine = Machine::new(self, rate)?;
        let mut reference = Reference::new(&rate.omega, &self.convention.gain().enclose(256));
        ranges.iter().map(|range| self.search(rate, &machine, &mut reference, range)).collect()
    }

    fn search(
        &self,
        rate: &Rate,
        machine: &Machine,
        reference: &mut Reference,
        range: &Range<u64>,
    ) -> Result<Worst, Impossible> {
        let effective = self.effective(range, rate)?;
        let (mut cos, mut sin) = (Search::new(reference.error()), Search::new(reference.error()));
        let mut next = effective.start;
        while next < effective.end {
            reference.turn_to(next);
            let count = BLOCK.min((effective.end - next) as usize);
            let [cos_values, sin_values] = &*reference.values;
            for b in 0..count {
                let position = next + b as u64;
                let [got_cos, got_sin] = machine.entry(position);
                cos.offer(position, ((got_cos - cos_values.head[b]) - cos_values.tail[b]).abs(), got_cos);
                sin.offer(position, ((got_sin - sin_values.head[b]) - sin_values.tail[b]).abs(), got_sin);
            }
            next += count as u64;
        }
        Ok(Worst {
            sin: self.settle(rate, Component::Sin, &sin)?,
            cos: self.settle(rate, Component::Cos, &cos)?,
            comparisons: 2 * (range.end - range.start),
        })
    }

    /// The largest of the candidates, from enclosures.
    fn settle(&self, rate: &Rate, component: Component, search: &Search) -> Result<Extreme, Impossible> {
        let mirrored =
            (self.convention.direction == Direction::Clockwise) != (*self.convention.position_scale.value() < 0);
        let sign = if component == Component::Sin && mirrored { -1.0 } else { 1.0 };
        let mut worst: Option<(Big, Extreme)> = None;
        for candidate in &search.candidates {
            let position = candidate.position.wrapping_add_signed(-self.offset);
            let wide = || Impossible::new("position", position, "one whose entry can be enclosed");
            let exact = self.entries.enclose(position, rate.pair, component, 256).ok_or_else(wide)?;
            let got = sign * candidate.got;
            let error = Big::with_val(256, got - exact.midpoint()).abs();
            if worst.as_ref().is_none_or(|(most, _)| error > *most) {
                let open = Big::with_val_round(256, &error + exact.width_up(), Round::Up).0;
                let above = open.to_f64_round(Round::Up);
                let extreme = Extreme { error: error.to_f64(), above, position, got, exact };
                worst = Some((error, extreme));
            }
        }
        let none = || Impossible::new("positions", "none", "at least one");
        worst.map(|(_, extreme)| extreme).ok_or_else(none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(format: Format) {
        let (mut accepted, mut angle) = (0, 0.0);
        for _ in 0..0x4800 {
            if let Some(fast) = narrow(format, angle) {
                assert_eq!(fast, enclosed(format, angle), "{format} {angle}");
                accepted += 1;
            }
            // The next number of the format.
            angle = format.round(angle + 2.0 * format.half_ulp(angle));
        }
        assert!(accepted > 0x4000, "{format}: {accepted}");
    }

    #[test]
    fn narrow_functions_are_those_of_enclosures() {
        agrees(Format::F16);
        agrees(Format::Bf16);
    }
}
