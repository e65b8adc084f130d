//! The bounds of a table's entries.

use super::lattice::{Computed, Stretch, deviation};
use super::origin::{Bound, Origin};
use super::path::{Frequencies, Nearness, half};
use super::program::{Impossible, Program, contains};
use super::upward::{Upper, sharp_unit, smallest, spacing, unit};
use super::wave::Wave;
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use posproof_numerics::{Interval, Rational};
use posproof_table::LIMIT;
use std::ops::Range;

/// Into how many parts the positions of a binade are cut: wave and slope are taken part by part.
const PARTS: u64 = 4;

/// The exact frequencies are enclosed to this many bits.
const BITS: u32 = 256;

/// A convention and a program: everything that decides the error of a table.
pub struct Model {
    pub(super) convention: Convention,
    pub(super) program: Program,
    pub(super) entries: Entries,
    /// What is added to a position.
    pub(super) offset: i64,
    /// |X|, rounded up.
    gain: Upper,
    /// Whether X = 1.
    plain: bool,
}

/// One pair's frequency: exact, as computed, and how far the one can be from the other.
#[derive(Clone, Debug)]
pub struct Rate {
    /// The pair.
    pub pair: usize,
    pub(super) omega: Interval,
    pub(super) computed: Computed,
    near: Nearness,
}

impl Rate {
    /// An enclosure of the exact frequency, the angle scale included.
    pub fn exact(&self) -> &Interval {
        &self.omega
    }

    /// The frequency as computed.
    pub fn computed(&self) -> f64 {
        self.computed.value
    }
}

impl Model {
    /// A model; [`Impossible`] where no bound is defined, with what is allowed.
    pub fn new(convention: &Convention, program: &Program) -> Result<Self, Impossible> {
        program.validate()?;
        convention.validate().map_err(|error| Impossible::new(error.field, &error.found, &error.expected))?;
        let offset = convention.position_offset.value();
        let integer = offset.to_i64();
        let offset = integer
            .filter(|offset| offset.unsigned_abs() < LIMIT)
            .ok_or_else(|| Impossible::new("position offset", offset, "an integer below 2^53 in magnitude"))?;
        let gain = convention.gain();
        let plain = gain.exact() == Some(Rational::from(1));
        let gain = Upper::of(gain.enclose(64).abs().upper_f64());
        let (convention, entries) = (convention.clone(), Entries::new(convention));
        Ok(Self { convention, program: *program, entries, offset, gain, plain })
    }

    /// The convention.
    pub fn convention(&self) -> &Convention {
        &self.convention
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The pairs that turn: all but those that a scaling rule holds still.
    pub fn turning(&self) -> Vec<usize> {
        let turns = |pair: &usize| self.entries.frequency(*pair, 64).is_some_and(|omega| *omega.upper() > 0.0);
        (0..self.convention.pairs()).filter(turns).collect()
    }

    /// A pair's frequency along the program's path.
    pub fn rate(&self, pair: usize) -> Result<Rate, Impossible> {
        if pair >= self.convention.pairs() {
            return Err(Impossible::new("pair", pair, format!("0 to {}", self.convention.pairs() - 1)));
        }
        let frequencies = Frequencies::new(&self.convention, &self.entries, &self.program)?;
        let still = || Impossible::new("pair", pair, "a pair whose frequency is positive in the program's format");
        let omega = frequencies.exact(pair, BITS).filter(|omega| *omega.lower() > 0.0).ok_or_else(still)?;
        let computed = frequencies.computed(pair).and_then(Computed::new).ok_or_else(still)?;
        Ok(Rate { pair, omega, computed, near: frequencies.nearness(pair)? })
    }

    /// A pair's frequency, as some program computed it: a positive number of the program's format.
    pub fn rate_as(&self, pair: usize, computed: f64) -> Result<Rate, Impossible> {
        let held = Computed::new(computed).filter(|_| self.program.frequency.round(computed) == computed);
        let expected = format!("a positive number of the format {}", self.program.frequency);
        let computed = held.ok_or_else(|| Impossible::new("computed frequency", computed, expected))?;
        Ok(Rate { computed, ..self.rate(pair)? })
    }

    /// What the program multiplies the frequency by, for the positions of a range: t = position + offset.
    pub(super) fn effective(&self, positions: &Range<u64>, rate: &Rate) -> Result<Range<u64>, Impossible> {
        let format = self.program.position;
        let limit = (format.max_finite() as u64).saturating_add(1).min(LIMIT);
        let shifted = |position: u64| position.checked_add_signed(self.offset);
        let (start, end) = (shifted(positions.start), shifted(positions.end));
        let expected = || {
            let first = self.offset.min(0).unsigned_abs();
            let end = limit.saturating_add_signed(self.offset.saturating_neg());
            let with = if self.offset == 0 { String::new() } else { format!(" with the offset {}", self.offset) };
            format!("positions within {first}..{end}, which {format} holds{with}")
        };
        let found = format!("{}..{}", positions.start, positions.end);
        let (Some(start), Some(end)) = (start, end) else {
            return Err(Impossible::new("positions", found, expected()));
        };
        if start >= end || end > limit {
            return Err(Impossible::new("positions", found, expected()));
        }
        let largest = format.round((end - 1) as f64) * rate.computed.value;
        if largest > self.program.angle.max_finite() {
            return Err(Impossible::new("angle", largest, format!("at most {}", self.program.angle.max_finite())));
        }
        Ok(start..end)
    }

    /// |entry − exact entry| for any accurate-to-κ libraries, over a range of positions: the theorem of
    /// the path, at the largest position.
    pub fn a_priori(&self, rate: &Rate, positions: Range<u64>) -> Result<Bound, Impossible> {
        let range = self.effective(&positions, rate)?;
        let error = self.a_priori_angle_error(rate, range.end - 1) + self.function_error();
        Ok(self.amplified(error, Origin::Theorem(self.program.path.theorem())))
    }

    /// nω((1 + v)(1 + π)(1 + ρ) − 1) + (1 + v)(1 + π)nσ + η/2 (`rounding_angle_a_priori`).
    pub(super) fn a_priori_angle_error(&self, rate: &Rate, last: u64) -> Upper {
        let Program { position, angle, .. } = self.program;
        let n = Upper::of(last as f64);
        let moved = if last <= 1 << position.precision() { Upper::ZERO } else { sharp_unit(position) };
        let rounded = sharp_unit(angle).compose(moved);
        let one = Upper::of(1.0) + rounded;
        let omega = Upper::of(rate.omega.upper_f64());
        n * omega * rounded.compose(rate.near.relative) + one * n * rate.near.absolute + half(smallest(angle))
    }

    /// |entry − exact entry| with the frequency as computed, over a range of positions: the largest of the
    /// bounds of all stretches.
    pub fn instance(&self, rate: &Rate, component: Component, positions: Range<u64>) -> Result<Bound, Impossible> {
        let range = self.effective(&positions, rate)?;
        Ok(self.over(rate, component, range))
    }

    /// The instance bound over a range of effective positions.
    pub(super) fn over(&self, rate: &Rate, component: Component, range: Range<u64>) -> Bound {
        let mut worst = Upper::ZERO;
        if range.start == 0 {
            // The angle is exact, and so are sin 0 and cos 0 but for what κ and the storage allow.
            worst = self.entry(Upper::ZERO, Upper::ZERO, Upper::of(f64::from(u8::from(component == Component::Cos))));
        }
        for stretch in rate.computed.stretches(range.start, range.end - 1) {
            for part in stretch.cut(PARTS) {
                worst = worst.max(self.part(rate, component, part));
            }
        }
        self.amplified(worst, Origin::Lattice("rounding_table_entry_slope"))
    }

    /// One part of a stretch: α·min(1, D + α/2) + κ·spacing(min(1, M + α)) + storage.
    fn part(&self, rate: &Rate, component: Component, stretch: Stretch) -> Upper {
        let error = self.stretch_error(rate, stretch);
        let wave = Wave::over(&rate.omega, stretch.first, stretch.last);
        let (value, slope) = wave.value_and_slope(component);
        self.entry(error, slope, value)
    }

    /// |fl(t·ω′) − t·ω| over a stretch.
    fn stretch_error(&self, rate: &Rate, stretch: Stretch) -> Upper {
        let Program { position, angle, .. } = self.program;
        let exact = stretch.last <= 1 << position.precision();
        let lattice = exact.then(|| rate.computed.largest_error(angle, &rate.omega, stretch)).flatten();
        lattice.unwrap_or_else(|| self.binade_error(rate, stretch))
    }

    /// |fl(t·ω′) − t·ω| over a range of positions: the error of the angle.
    pub fn angle(&self, rate: &Rate, positions: Range<u64>) -> Result<Bound, Impossible> {
        let range = self.effective(&positions, rate)?;
        Ok(Bound::of(self.angle_error(rate, range), Origin::Lattice("rounding_angle_lattice")))
    }

    /// The same over a range of effective positions.
    pub(super) fn angle_error(&self, rate: &Rate, range: Range<u64>) -> Upper {
        let stretches = rate.computed.stretches(range.start, range.end - 1);
        stretches.map(|stretch| self.stretch_error(rate, stretch)).fold(Upper::ZERO, Upper::max)
    }

    /// κu + e: what sine, cosine and storage add to the error of an entry.
    pub(super) fn function_error(&self) -> Upper {
        Upper::of(self.program.kappa) * unit(self.program.angle) + self.stored(|storage| half(unit(storage)))
    }

    /// spacing(T′ω′)/2 + T′·|ω′ − ω| + |T′ − T|·ω, T′ the rounded position (`rounding_angle`).
    fn binade_error(&self, rate: &Rate, stretch: Stretch) -> Upper {
        let Program { position, angle, .. } = self.program;
        let last = Upper::of(stretch.last as f64);
        let moved = if stretch.last <= 1 << position.precision() { Upper::ZERO } else { half(spacing(position, last)) };
        let rounded = last + moved;
        let omega = Upper::of(rate.omega.upper_f64());
        half(spacing(angle, rounded * Upper::of(rate.computed.value)))
            + rounded * deviation(&rate.omega, rate.computed.value)
            + moved * omega
    }

    /// The error of an entry from that of its angle, |wave′| ≤ slope and |wave| ≤ value.
    fn entry(&self, angle_error: Upper, slope: Upper, value: Upper) -> Upper {
        let Program { angle, kappa, .. } = self.program;
        let one = Upper::of(1.0);
        let inherited = angle_error * one.min(slope + half(angle_error));
        let magnitude = one.min(value + angle_error);
        let library = Upper::of(kappa) * spacing(angle, magnitude);
        inherited + library + self.stored(|storage| half(spacing(storage, one.min(magnitude + library))))
    }

    /// The error of the cast to the table's format, where there is one. With an amplitude the cast comes
    /// after it and is counted there.
    fn stored(&self, error: impl Fn(Format) -> Upper) -> Upper {
        let Program { angle, storage, .. } = self.program;
        if contains(storage, angle) || !self.is_plain() { Upper::ZERO } else { error(storage) }
    }

    /// Whether the amplitude is 1.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The error after the multiplication by the rounded amplitude (`rounding_table_amplitude`) and the
    /// cast, clipped at the trivial bound.
    fn amplified(&self, error: Upper, origin: Origin) -> Bound {
        let Program { angle, storage, .. } = self.program;
        let trivial = Upper::of(2.0);
        if self.is_plain() {
            return Bound::clipped(error, origin, trivial);
        }
        let gain = self.gain;
        let rounded = gain * (Upper::of(1.0) + sharp_unit(angle)) + smallest(angle);
        let half_spacing = half(spacing(angle, rounded));
        let cast = if contains(storage, angle) { Upper::ZERO } else { half(spacing(storage, rounded)) };
        let scaled = half_spacing + half(spacing(angle, gain)) + gain * error + cast;
        Bound::clipped(scaled, origin, trivial * rounded + cast)
    }
}
