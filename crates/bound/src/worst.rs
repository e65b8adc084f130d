//! The exact worst case over integer positions, by enumeration against the certified reference.

use super::entry::{Model, Rate};
use super::program::{Impossible, Program, contains};
use super::reference::{BLOCK, Reference};
use super::steps;
use super::upward::Upper;
use posproof_encoding::Law;
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::nearest;
use posproof_numerics::{Float, Interval, Round};
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
pub struct WorstCase {
    /// Of the sine.
    pub sin: Extreme,
    /// Of the cosine.
    pub cos: Extreme,
    /// Number of entries that were compared.
    pub comparisons: u64,
}

impl WorstCase {
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

/// The candidates of one component: all whose errors, as far as the reference tells, may be the largest.
struct CandidateSearch {
    component: Component,
    candidates: Vec<Candidate>,
    most: f64,
    threshold: f64,
    uncertainty: f64,
    /// The largest error of the candidates that have been compared with enclosures.
    settled: Option<(Float, Extreme)>,
}

/// The rounding of an error near 1, relatively.
const ROUNDING: f64 = 1.0 / (1u64 << MARGIN) as f64;

/// Bits by which an error exceeds the width of the enclosure that it is taken from.
const MARGIN: i32 = 50;

/// Bits of the enclosures that are reported, and of those from which only a bound is taken, to begin with.
const FINE: u32 = 256;
const COARSE: u32 = 128;

/// Bits of the narrowest enclosures: an error that these do not tell from 0 is below every number of binary64.
const FINEST: u32 = 2048;

/// Candidates after which they are compared with enclosures, so that memory does not grow with the positions.
const BATCH: usize = 1 << 12;

impl CandidateSearch {
    fn new(component: Component, uncertainty: f64) -> Self {
        let candidates = Vec::new();
        Self { component, candidates, most: 0.0, threshold: 0.0, uncertainty, settled: None }
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
            // Each of two errors may be wrong by the uncertainty. Not positive while the reference tells none apart.
            self.threshold = (self.most * (1.0 - ROUNDING) - 2.0 * self.uncertainty).max(0.0);
            let threshold = self.threshold;
            self.candidates.retain(|candidate| candidate.error >= threshold);
        }
        self.candidates.push(candidate);
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
    pub fn new(model: &Model, rate: &Rate) -> Self {
        debug_assert!(contains(model.program.angle, model.program.frequency));
        let gain = (!model.factor.is_one).then_some(model.factor.rounded);
        Self { program: model.program, frequency: rate.computed.value, gain }
    }

    /// (cosine, sine) of the entry at a position, as computed.
    #[inline]
    pub fn entry(&self, t: u64) -> [f64; 2] {
        let Program { position, angle, storage, .. } = self.program;
        let turned = steps::angle([position, angle], t as f64, self.frequency);
        wave(angle, turned).map(|wave| steps::stored([angle, storage], self.gain, wave))
    }
}

/// (cosine, sine) of a number of a format, correctly rounded to it.
#[inline]
pub(super) fn wave(format: Format, angle: f64) -> [f64; 2] {
    match format {
        Format::F64 => {
            let (sin, cos) = core_math::sincos(angle);
            [cos, sin]
        }
        Format::F32 => {
            let (sin, cos) = core_math::sincosf(angle as f32);
            [f64::from(cos), f64::from(sin)]
        }
        Format::F16 | Format::Bf16 | Format::E4m3 | Format::E5m2 => {
            narrow(format, angle).unwrap_or_else(|| enclosed(format, angle))
        }
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
    let wave = |bits| Interval::exactly(angle).at(bits).cos_sin();
    // Transcendental unless the angle is 0 (Lindemann): some precision tells.
    let rounded = |part: &dyn Fn((Interval, Interval)) -> Interval| nearest(format, |bits| Some(part(wave(bits))));
    [rounded(&|(cos, _)| cos).unwrap_or(f64::NAN), rounded(&|(_, sin)| sin).unwrap_or(f64::NAN)]
}

impl Model {
    /// The largest error of both components over each of several ranges of positions, for the program with
    /// correctly rounded functions, whatever κ is.
    ///
    /// Every entry is computed and compared with a reference whose error is proven; those that may be the largest are
    /// compared once more with enclosures that are narrow beside their errors. Where the reference tells no errors
    /// apart, because all are below 2^−75 of the amplitude, that is every entry.
    pub fn worst(&self, rate: &Rate, ranges: &[Range<u64>]) -> Result<Vec<WorstCase>, Impossible> {
        let machine = Machine::new(self, rate);
        let mut reference = Reference::new(&self.exact(rate)?, &self.convention.gain().enclose(256));
        ranges.iter().map(|range| self.search(rate, &machine, &mut reference, range)).collect()
    }

    /// The exact frequency, to as many bits beyond the binary point as the reference needs.
    pub(super) fn exact(&self, rate: &Rate) -> Result<Interval, Impossible> {
        let whole = rate.omega.upper().exponent().unwrap_or(0).max(0) as u32;
        if whole == 0 {
            return Ok(rate.omega.clone());
        }
        self.enclose_rate(rate.pair, rate.omega.bits() + whole)
    }

    fn search(
        &self,
        rate: &Rate,
        machine: &Machine,
        reference: &mut Reference,
        range: &Range<u64>,
    ) -> Result<WorstCase, Impossible> {
        let effective = self.effective(range, rate)?;
        let error = reference.error();
        let (mut cos, mut sin) =
            (CandidateSearch::new(Component::Cos, error), CandidateSearch::new(Component::Sin, error));
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
            for search in [&mut cos, &mut sin].into_iter().filter(|search| search.candidates.len() >= BATCH) {
                self.settle(rate, search)?;
            }
        }
        let largest = |mut search: CandidateSearch| {
            self.settle(rate, &mut search)?;
            let none = || Impossible::new("positions", "none", "at least one");
            search.settled.map(|(_, extreme)| extreme).ok_or_else(none)
        };
        Ok(WorstCase { sin: largest(sin)?, cos: largest(cos)?, comparisons: 2 * (range.end - range.start) })
    }

    /// Compares the candidates with enclosures.
    fn settle(&self, rate: &Rate, search: &mut CandidateSearch) -> Result<(), Impossible> {
        let component = search.component;
        let sign = self.sign(component);
        for candidate in search.candidates.drain(..) {
            let position = candidate.position.wrapping_add_signed(-self.offset);
            let got = sign * candidate.got;
            let (error, exact) = self.error(rate, component, position, got, FINE)?;
            if search.settled.as_ref().is_none_or(|(most, _)| error > *most) {
                let open = error.add(&exact.width(), 256, Round::Up);
                let above = open.to_f64(Round::Up);
                let extreme = Extreme { error: error.to_f64(Round::Nearest), above, position, got, exact };
                search.settled = Some((error, extreme));
            }
        }
        Ok(())
    }

    /// Sign of the exact entry of a positive angle.
    fn sign(&self, component: Component) -> f64 {
        if component == Component::Sin && Law::new(&self.convention).is_mirrored() { -1.0 } else { 1.0 }
    }

    /// |entry − exact entry| at one effective position, from above, for the program with correctly rounded functions.
    /// `None` where that is no position, or the entry cannot be enclosed.
    pub(super) fn error_at(&self, rate: &Rate, component: Component, t: u64) -> Option<Upper> {
        let position = t.checked_add_signed(self.offset.checked_neg()?)?;
        let [cos, sin] = Machine::new(self, rate).entry(t);
        let got = if component == Component::Sin { sin } else { cos };
        let (error, exact) = self.error(rate, component, position, self.sign(component) * got, COARSE).ok()?;
        Some(Upper::of(error.add(&exact.width(), 256, Round::Up).to_f64(Round::Up)))
    }

    /// |got − exact|, and an enclosure of the exact entry: of so many bits, or more where the error is not large beside the
    /// width of that and not below every number of binary64 either.
    fn error(
        &self,
        rate: &Rate,
        component: Component,
        position: u64,
        got: f64,
        mut bits: u32,
    ) -> Result<(Float, Interval), Impossible> {
        let wide = || Impossible::new("position", position, "one whose entry can be enclosed");
        loop {
            let exact = self.entries.enclose(position, rate.pair, component, bits).ok_or_else(wide)?;
            let error = Float::from_f64(got).sub(&exact.midpoint(), bits, Round::Nearest).abs();
            if error.scaled(-MARGIN) >= exact.width() || bits >= FINEST {
                return Ok((error, exact));
            }
            bits *= 2;
        }
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
