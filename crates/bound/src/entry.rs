//! A convention along a program, and the a priori bound of a table's entries.

use super::factor::Factor;
use super::lattice::DyadicFrequency;
use super::origin::{Bound, Origin};
use super::path::{Frequencies, Nearness, half};
use super::program::{Impossible, Path, Program, contains};
use super::upward::{Upper, sharp_unit, smallest, spacing, unit};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Interval;
use posproof_numerics::format::Format;
use posproof_table::LIMIT;
use std::ops::Range;

/// The exact frequencies are enclosed to this many bits.
const BITS: u32 = 256;

/// The theorem of a power and its reciprocal, which the path `pow` takes, and that in binary64 before its cast.
const POWER: &str = "rounding_frequency_reciprocal";

/// A convention and a program: everything that decides the error of a table.
pub struct Model {
    pub(super) convention: Convention,
    pub(super) program: Program,
    pub(super) entries: Entries,
    /// Addend of a position.
    pub(super) offset: i64,
    pub(super) factor: Factor,
    /// Frequencies that are known from elsewhere than the path.
    given: Option<Vec<f64>>,
}

/// One pair's frequency: exact, as computed, and how far the one can be from the other.
#[derive(Clone, Debug)]
pub struct Rate {
    /// The pair.
    pub pair: usize,
    pub(super) omega: Interval,
    /// The same in binary64, rounded outward.
    pub(super) low: f64,
    pub(super) high: Upper,
    pub(super) computed: DyadicFrequency,
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
        let whole = Law::new(convention).whole_offset().filter(|offset| offset.unsigned_abs() < LIMIT);
        let found = &convention.position_offset;
        let offset =
            whole.ok_or_else(|| Impossible::new("position offset", found, "an integer below 2^53 in magnitude"))?;
        let factor = Factor::new(convention, program)?;
        let (convention, entries) = (convention.clone(), Entries::new(convention));
        let model = Self { convention, program: *program, entries, offset, factor, given: None };
        model.overflows().map_or(Ok(model), Err)
    }

    /// A program whose frequencies are these, pair by pair, in place of those that its path has with correctly rounded
    /// functions.
    pub(super) fn with_frequencies(self, frequencies: Vec<f64>) -> Self {
        Self { given: Some(frequencies), ..self }
    }

    /// The amplitude, if the largest entries overflow.
    fn overflows(&self) -> Option<Impossible> {
        let Program { angle, storage, .. } = self.program;
        let product = self.product(self.program.largest_value()).get();
        let narrow = if storage.max_finite() < angle.max_finite() { storage } else { angle };
        let expected = || format!("one whose entries {narrow} holds, up to {}", narrow.max_finite());
        (!storage.round(angle.round(product)).is_finite())
            .then(|| Impossible::new("amplitude", self.factor.above.get(), expected()))
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
        let computed = match &self.given {
            Some(given) => given.get(pair).copied(),
            None => frequencies.computed(pair),
        };
        let computed = computed.and_then(DyadicFrequency::new).ok_or_else(still)?;
        let (low, high) = (omega.lower_f64(), Upper::of(omega.upper_f64()));
        Ok(Rate { pair, omega, low, high, computed, near: frequencies.nearness(pair)? })
    }

    /// The exact frequency of a pair that turns, the angle scale included, to so many bits.
    pub(super) fn enclose_rate(&self, pair: usize, bits: u32) -> Result<Interval, Impossible> {
        let still = || Impossible::new("pair", pair, "a pair whose frequency is positive in the program's format");
        let frequencies = Frequencies::new(&self.convention, &self.entries, &self.program)?;
        frequencies.exact(pair, bits).filter(|omega| *omega.lower() > 0.0).ok_or_else(still)
    }

    /// A pair's frequency, as some program computed it: a positive number of the program's format.
    pub fn rate_as(&self, pair: usize, computed: f64) -> Result<Rate, Impossible> {
        let held = DyadicFrequency::new(computed).filter(|_| self.program.frequency.round(computed) == computed);
        let expected = format!("a positive number of the format {}", self.program.frequency);
        let computed = held.ok_or_else(|| Impossible::new("computed frequency", computed, expected))?;
        Ok(Rate { computed, ..self.rate(pair)? })
    }

    /// Factor of the frequency in the program, for the positions of a range: t = position + offset.
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
        let error =
            self.a_priori_angle_error(rate, range.end - 1) + Upper::of(self.program.kappa) * unit(self.program.angle);
        let error = self.multiplied_and_stored(error, self.program.largest_value());
        Ok(Bound::clipped(error, self.a_priori_origin(), self.trivial()))
    }

    /// The theorem of the path where it speaks of such frequencies and entries; else that of any entries, applied to
    /// that of any frequencies.
    fn a_priori_origin(&self) -> Origin {
        let plain = self.convention.scaling.is_none() && *self.convention.position_scale.value() == 1;
        if let (Some(theorem), true) = (self.program.path.theorem(), self.within_one() && plain) {
            return Origin::Theorem(theorem);
        }
        let theorem = match (self.factor.is_one, self.within_one()) {
            (true, true) => "rounding_table_a_priori",
            (true, false) => "rounding_table_beyond_one",
            (false, _) => "rounding_table_stored",
        };
        self.applied_a_priori(theorem)
    }

    /// A theorem of given angles, applied to that of any frequencies.
    pub(super) fn applied_a_priori(&self, theorem: &'static str) -> Origin {
        match self.frequency_theorem() {
            Some((frequency, over)) => Origin::Applied { theorem, to: ["rounding_angle_a_priori", frequency], over },
            None => Origin::Derived("docs/bounds.md, recurrences"),
        }
    }

    /// The theorem that bounds the frequencies of the program, and what it is over: a cast is over what the rule makes of the
    /// frequencies of the path. Linear scaling divides them, NTK has another base, llama3 blends two of them.
    fn frequency_theorem(&self) -> Option<(&'static str, &'static [&'static str])> {
        let path = self.program.path;
        let rule: Option<&'static [&'static str; 2]> = self.convention.scaling.as_ref().map(|scaling| match scaling {
            Scaling::Ntk { .. } => &["rounding_frequency_base", POWER],
            Scaling::Llama3 { .. } => &["rounding_frequency_llama3", POWER],
            _ => &["rounding_frequency_scaled", POWER],
        });
        let own = path.frequency_theorem()?;
        Some(match (path, rule) {
            (Path::F64, Some(rule)) => (own, rule),
            (Path::F64, None) => (own, &[POWER]),
            (Path::Pow, Some([rule, power @ ..])) => (rule, power),
            (Path::Exp, Some([rule, _])) => (rule, &["rounding_frequency_exp_log"]),
            (Path::Repeated, Some([rule, _])) => (rule, &["rounding_frequency_repeated"]),
            _ => (own, &[]),
        })
    }

    /// True if entries are those of the theorems on values in [−1, 1]: no amplitude, and κ < 2
    /// (`rounding_table_within_one`).
    pub(super) fn within_one(&self) -> bool {
        self.factor.is_one && self.program.largest_value() == Upper::of(1.0)
    }

    /// No two values that the entry and the exact entry can have are further apart.
    pub(super) fn trivial(&self) -> Upper {
        if self.within_one() {
            return Upper::of(2.0);
        }
        let value = self.program.largest_value();
        self.factor.above + self.product(value) + self.product_error(value) + self.cast(value)
    }

    /// |fl_A(X)|·value.
    fn product(&self, value: Upper) -> Upper {
        let factor = self.factor.rounded.abs();
        // Nothing is rounded up that is exact: it might be a power of two.
        if self.factor.is_one || value == Upper::of(1.0) {
            Upper::of(factor * value.get())
        } else {
            Upper::of(factor) * value
        }
    }

    /// The error of the product, where the amplitude is not 1.
    fn product_error(&self, value: Upper) -> Upper {
        let silent = self.factor.above == Upper::ZERO;
        let error = || half(spacing(self.program.angle, self.product(value)));
        if self.factor.is_one || silent { Upper::ZERO } else { error() }
    }

    /// The error of the cast to the table's format, where there is one. The rounded product is not above the power of
    /// two that the product is not above, nor above the smallest number.
    fn cast(&self, value: Upper) -> Upper {
        let Program { angle, storage, .. } = self.program;
        match self.product(value) {
            _ if contains(storage, angle) || self.factor.above == Upper::ZERO => Upper::ZERO,
            value if self.factor.is_one => half_spacing(storage, value),
            product => half(spacing(storage, product.max(smallest(angle)))),
        }
    }

    /// The error of an entry from that of the library's value, which is at most `value` in magnitude: after the
    /// multiplication by the amplitude and the cast, where there are any (`rounding_table_stored`).
    pub(super) fn multiplied_and_stored(&self, error: Upper, value: Upper) -> Upper {
        if self.factor.is_one {
            return error + self.cast(value);
        }
        let multiplied = self.factor.deviation * value + self.factor.above * error;
        self.product_error(value) + multiplied + self.cast(value)
    }

    /// nω((1 + v)(1 + π)(1 + ρ) − 1) + (1 + v)(1 + π)nσ + η/2 (`rounding_angle_a_priori`).
    pub(super) fn a_priori_angle_error(&self, rate: &Rate, last: u64) -> Upper {
        let Program { position, angle, .. } = self.program;
        let n = Upper::of(last as f64);
        let moved = if last <= 1 << position.precision() { Upper::ZERO } else { sharp_unit(position) };
        let rounded = sharp_unit(angle).compose(moved);
        let one = Upper::of(1.0) + rounded;
        n * rate.high * rounded.compose(rate.near.relative) + one * n * rate.near.absolute + half(smallest(angle))
    }

    /// κu + e: what sine, cosine and storage add to the error of an entry of a table with amplitude 1.
    pub(super) fn function_error(&self) -> Upper {
        self.multiplied_and_stored(
            Upper::of(self.program.kappa) * unit(self.program.angle),
            self.program.largest_value(),
        )
    }

    /// True if the amplitude is 1.
    pub(super) fn is_plain(&self) -> bool {
        self.factor.is_one
    }
}

/// Half the spacing of numbers as large as that; nothing is lost of 0.
pub(super) fn half_spacing(format: Format, magnitude: Upper) -> Upper {
    if magnitude == Upper::ZERO { Upper::ZERO } else { half(spacing(format, magnitude)) }
}
