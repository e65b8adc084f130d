//! The instance bound: the error of entries stretch by stretch, with the frequency as computed.
//!
//! Two bounds hold over a part of a stretch, and the smaller one is taken, the theorem's where they are nearly equal; the
//! part where it is largest is cut further:
//!
//! * *by slope* (`rounding_table_entry_slope`): the error of the angle times the largest slope, and what the library
//!   and the storage add to it;
//! * *by monotony*: the computed angle is a monotone function of the position, and every rounding of its argument, so
//!   that the entries lie between those of the ends and of the peaks between them. It is the sharper one where a part
//!   has few entries: cosines that round to 1, sines below the smallest number, angles in a coarse format.

use super::entry::{Model, Rate, half_spacing};
use super::factor::Factor;
use super::lattice::{Stretch, deviation};
use super::origin::{Bound, Origin};
use super::path::half;
use super::program::{Impossible, Program};
use super::steps;
use super::upward::{Upper, spacing};
use super::wave::{Wave, extremes, versine};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::PI;
use std::ops::Range;

/// Into how many parts the positions of a binade are cut: wave and slope are taken part by part.
const PARTS: u64 = 4;

/// Number of cuts of the part with the largest bound: as often as four binades of bfloat16 have numbers, or two of
/// binary16, so that parts with one angle each are reached; numbers of the other formats are too many for that.
fn refinements(angle: Format) -> usize {
    match angle {
        Format::F16 => 2048,
        Format::Bf16 => 512,
        // No angle is of 8 bits.
        Format::F32 | Format::F64 | Format::E4m3 | Format::E5m2 => 128,
    }
}

/// The bound by monotony is preferred to that of the theorem where it is below this part of it.
const GAIN: f64 = 63.0 / 64.0;

/// Where the bound by monotony is derived.
const MONOTONY: &str = "docs/bounds.md, monotony; with theorem rounding_table_entry_slope";

/// The origin of a bound of 0.
const EXACT: &str = "sin 0 is 0, exactly";

/// The bounds over one part of a stretch: by slope alone, and the one of both that is taken.
#[derive(Clone, Copy, PartialEq)]
struct StretchPart {
    stretch: Stretch,
    slope: Upper,
    smaller: Upper,
}

impl Eq for StretchPart {}

impl Ord for StretchPart {
    fn cmp(&self, other: &Self) -> Ordering {
        self.smaller.get().total_cmp(&other.smaller.get())
    }
}

impl PartialOrd for StretchPart {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Model {
    /// |entry − exact entry| with the frequency as computed, over a range of positions: the largest of the
    /// bounds of all stretches.
    pub fn instance(&self, rate: &Rate, component: Component, positions: Range<u64>) -> Result<Bound, Impossible> {
        let range = self.effective(&positions, rate)?;
        Ok(self.over(rate, component, range))
    }

    /// The instance bound over a range of effective positions.
    pub(super) fn over(&self, rate: &Rate, component: Component, range: Range<u64>) -> Bound {
        self.refined(rate, component, range, 0.0)
    }

    /// The same, no smaller than is needed to be below `enough`: of all parts the one with the largest bound is cut, again
    /// and again, until that is below `enough`, or the part is one position, or it has been tried often enough.
    pub(super) fn refined(&self, rate: &Rate, component: Component, range: Range<u64>, enough: f64) -> Bound {
        let stretches = rate.computed.stretches(range.start, range.end - 1);
        let mut parts: BinaryHeap<StretchPart> =
            stretches.flat_map(|stretch| self.parts(rate, component, stretch)).collect();
        if range.start == 0 && component == Component::Cos {
            // The angle is exact, and so is sin 0; of cos 0 this is what κ and the storage allow.
            parts.push(self.part(rate, component, Stretch::at_zero()));
        }
        for _ in 0..refinements(self.program.angle) {
            let more = |part: &StretchPart| part.stretch.first < part.stretch.last && part.smaller.get() >= enough;
            let Some(largest) = parts.peek().copied().filter(more) else { break };
            parts.pop();
            parts.extend(self.parts(rate, component, largest.stretch).map(|part| StretchPart {
                slope: part.slope.min(largest.slope),
                smaller: part.smaller.min(largest.smaller),
                ..part
            }));
        }
        let worst = parts.peek().map_or(Upper::ZERO, |part| part.smaller);
        let angles = self.angle_theorem(rate, &range);
        let origin = match (parts.iter().all(|part| part.slope <= worst), self.within_one()) {
            _ if parts.is_empty() => Origin::Derived(EXACT),
            (true, true) => Origin::Lattice { theorem: "rounding_table_entry_slope", angles },
            (true, false) => {
                Origin::Applied { theorem: "rounding_table_stored", to: ["rounding_wave_slope", angles], over: &[] }
            }
            (false, _) => Origin::Derived(MONOTONY),
        };
        Bound::clipped(worst, origin, self.trivial())
    }

    fn parts<'a>(
        &'a self,
        rate: &'a Rate,
        component: Component,
        stretch: Stretch,
    ) -> impl Iterator<Item = StretchPart> + 'a {
        stretch.cut(PARTS).map(move |part| self.part(rate, component, part))
    }

    fn part(&self, rate: &Rate, component: Component, stretch: Stretch) -> StretchPart {
        let (slope, monotony) = (self.by_slope(rate, component, stretch), self.by_monotony(rate, component, stretch));
        // The theorem's, unless something is gained.
        let smaller = if monotony.get() < GAIN * slope.get() { monotony } else { slope };
        StretchPart { stretch, slope, smaller }
    }

    /// α·min(1, D + α/2) + κ·spacing(min(1, M + α)) and what amplitude and storage add, for |wave′| ≤ D, |wave| ≤ M.
    pub(super) fn by_slope(&self, rate: &Rate, component: Component, part: Stretch) -> Upper {
        let Program { angle, kappa, .. } = self.program;
        let error = self.stretch_error(rate, part);
        let (value, slope) = Wave::over(&rate.omega, part.first, part.last).value_and_slope(component);
        let one = Upper::of(1.0);
        let inherited = error * one.min(slope + half(error));
        let magnitude = one.min(value + error);
        let library = Upper::of(kappa) * spacing(angle, magnitude);
        let largest = self.program.largest_value().min(magnitude + library);
        self.multiplied_and_stored(inherited + library, largest)
    }

    /// max(T₊ − e₋, e₊ − T₋), where the entries lie in [T₋, T₊] and the exact ones in [e₋, e₊].
    pub(super) fn by_monotony(&self, rate: &Rate, component: Component, part: Stretch) -> Upper {
        let single = part.first == part.last && !self.factor.is_one && self.program.kappa == 0.5;
        if let Some(error) = single.then(|| self.error_at(rate, component, part.first)).flatten() {
            // Library and product are each rounded, and seldom both at their worst.
            return error;
        }
        let (least, most) = self.values(rate, component, part);
        let (first, last) = (part.first as f64, part.last as f64);
        let low = if part.first == 0 { 0.0 } else { (first * rate.low).next_down().max(0.0) };
        let high = (Upper::of(last) * rate.high).get();
        if self.factor.is_one && component == Component::Cos && high <= PI && least >= 0.5 {
            // 1 − T, which is exact, and 1 − cos x, so that nothing cancels.
            let (smaller, larger) = versine(low, high);
            return Upper::difference(larger, 1.0 - most).max(Upper::difference(1.0 - least, smaller));
        }
        let (down, up) = extremes(component, low, high);
        let Factor { below, above, .. } = self.factor;
        let outward = |x: f64, out: f64| x * if (x > 0.0) == (out > 0.0) { above.get() } else { below };
        let exact = (outward(down.next_down(), -1.0).next_down(), outward(up.next_up(), 1.0).next_up());
        Upper::difference(most, exact.0).max(Upper::difference(exact.1, least))
    }

    /// Between which numbers all entries of a part lie.
    fn values(&self, rate: &Rate, component: Component, part: Stretch) -> (f64, f64) {
        let Program { position, angle, storage, kappa, .. } = self.program;
        let computed = |t: u64| steps::angle([position, angle], t as f64, rate.computed.value);
        let (low, high) = (computed(part.first), computed(part.last));
        let (least, most) = extremes(component, low, high);
        // What binary64 has rounded is moved outward before it is rounded to a narrower format.
        let outward = |x: f64, to: f64| match (angle, to > x) {
            (Format::F64, _) => x,
            (_, true) => x.next_up(),
            (_, false) => x.next_down(),
        };
        let (least, most) = (outward(least, -2.0).max(-1.0), outward(most, 2.0).min(1.0));
        let (least, most) = if high == 0.0 && component == Component::Sin {
            (0.0, 0.0)
        } else if kappa == 0.5 {
            (angle.round(least), angle.round(most))
        } else {
            let library = Upper::of(kappa) * spacing(angle, Upper::of(least.abs().max(most.abs())));
            let largest = self.program.largest_value().get();
            ((least - library.get()).next_down().max(-largest), (most + library.get()).next_up().min(largest))
        };
        let factor = self.factor.rounded.abs();
        let multiplied = |x: f64, to: f64| match self.factor.is_one {
            true => x,
            false => angle.round(outward(factor * x, to)),
        };
        let cast = |x: f64| storage.round(x);
        (cast(multiplied(least, f64::NEG_INFINITY)), cast(multiplied(most, f64::INFINITY)))
    }

    /// |fl(t·ω′) − t·ω| over a stretch.
    pub(super) fn stretch_error(&self, rate: &Rate, stretch: Stretch) -> Upper {
        if stretch.last == 0 {
            return Upper::ZERO;
        }
        self.lattice(rate, stretch).unwrap_or_else(|| self.binade_error(rate, stretch))
    }

    /// The same by Euclid's algorithm, where positions are exact.
    fn lattice(&self, rate: &Rate, stretch: Stretch) -> Option<Upper> {
        let Program { position, angle, .. } = self.program;
        let exact = stretch.last <= 1 << position.precision();
        exact.then(|| rate.computed.largest_error(angle, &rate.omega, stretch)).flatten()
    }

    /// The theorem on the error of the angle over these effective positions, or the two that share the stretches.
    pub(super) fn angle_theorem(&self, rate: &Rate, range: &Range<u64>) -> &'static str {
        let mut stretches = rate.computed.stretches(range.start, range.end - 1);
        let whole = stretches.all(|stretch| self.lattice(rate, stretch).is_some());
        if whole { "rounding_lattice_angle" } else { "rounding_lattice_angle or rounding_angle" }
    }

    /// |fl(t·ω′) − t·ω| over a range of positions: the error of the angle.
    pub fn angle(&self, rate: &Rate, positions: Range<u64>) -> Result<Bound, Impossible> {
        let range = self.effective(&positions, rate)?;
        let origin = Origin::Theorem(self.angle_theorem(rate, &range));
        Ok(Bound::of(self.angle_error(rate, range), origin))
    }

    /// The same over a range of effective positions.
    pub(super) fn angle_error(&self, rate: &Rate, range: Range<u64>) -> Upper {
        let stretches = rate.computed.stretches(range.start, range.end - 1);
        stretches.map(|stretch| self.stretch_error(rate, stretch)).fold(Upper::ZERO, Upper::max)
    }

    /// spacing(T′ω′)/2 + T′·|ω′ − ω| + |T′ − T|·ω, T′ the rounded position (`rounding_angle`).
    fn binade_error(&self, rate: &Rate, stretch: Stretch) -> Upper {
        let Program { position, angle, .. } = self.program;
        let last = Upper::of(stretch.last as f64);
        let moved = if stretch.last <= 1 << position.precision() { Upper::ZERO } else { half_spacing(position, last) };
        let rounded = last + moved;
        half(spacing(angle, rounded * Upper::of(rate.computed.value)))
            + rounded * deviation(&rate.omega, rate.computed.value)
            + moved * rate.high
    }
}
