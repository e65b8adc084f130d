//! The frequency along each path: as computed, and how far it can be from the exact one.

use super::program::{Impossible, Path, Program};
use super::scaled::{Base, Blend, working};
use super::upward::{Upper, sharp_unit, smallest, spacing, unit};
use posproof_encoding::convention::{Convention, Spacing};
use posproof_encoding::frequency::Entries;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Interval, Rational};

/// |ω′ − ω| ≤ relative·ω + absolute (`near` in `RoundingModel.v`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearness {
    pub relative: Upper,
    pub absolute: Upper,
}

/// The frequencies of a convention along a program's path.
pub(super) struct Frequencies<'a> {
    convention: &'a Convention,
    entries: &'a Entries,
    program: &'a Program,
    /// The divisor of linear scaling.
    divisor: Rational,
    base: Base,
    blend: Option<Blend>,
}

impl<'a> Frequencies<'a> {
    pub fn new(convention: &'a Convention, entries: &'a Entries, program: &'a Program) -> Result<Self, Impossible> {
        let mut divisor = Rational::from(1);
        let mut base = Base::stated(convention.base.value());
        let mut blend = None;
        if program.path != Path::Rounded {
            let expected =
                |what: &str| format!("{what} on the path '{}'; the path 'rounded' has no such limit", program.path);
            if *convention.position_scale.value() != 1 {
                return Err(Impossible::new("angle scale", &convention.position_scale, expected("1")));
            }
            match &convention.scaling {
                None => {}
                Some(Scaling::Linear { factor }) => divisor = factor.value().clone(),
                Some(Scaling::Ntk { factor }) if program.path != Path::Repeated => {
                    base = Base::stretched(convention, factor.value(), program)?;
                }
                Some(llama3 @ Scaling::Llama3 { .. }) => blend = Blend::new(llama3, working(program))?,
                Some(other) => {
                    let rules = match program.path {
                        Path::Repeated => "none, linear or llama3",
                        _ => "none, linear, ntk or llama3",
                    };
                    return Err(Impossible::new("scaling", other.name(), expected(rules)));
                }
            }
            for (what, value) in [("base", convention.base.value()), ("factor", &divisor)] {
                let working = working(program);
                if nearest_rational(working, value).and_then(Rational::from_f64).as_ref() != Some(value) {
                    return Err(Impossible::new(what, value, expected(&format!("a number of the format {working}"))));
                }
            }
        }
        Ok(Self { convention, entries, program, divisor, base, blend })
    }

    /// m and D with e_k = m/D: the numbers that the exp path multiplies and divides by.
    fn fraction(&self, pair: usize) -> (u64, u64) {
        self.fraction_at(self.convention.frequency_index(pair) as u64)
    }

    /// m and D of the frequency of an index.
    fn fraction_at(&self, index: u64) -> (u64, u64) {
        let dim = self.convention.frequency_dim() as u64;
        match self.convention.frequency_spacing {
            Spacing::Paper => (2 * index, dim),
            Spacing::Endpoints => (index, dim / 2 - 1),
        }
    }

    /// |position_scale|·ω_k, enclosed.
    pub fn exact(&self, pair: usize, bits: u32) -> Option<Interval> {
        let scale = self.convention.position_scale.value().abs();
        let omega = self.entries.frequency(pair, bits)?;
        Some(if scale == 1 { omega } else { Interval::rational(&scale, bits + 8) * omega })
    }

    /// ω′_k as a program with correctly rounded pow, exp and log computes it. `None` where a step
    /// overflows or a rounding is undecided.
    pub fn computed(&self, pair: usize) -> Option<f64> {
        let format = self.program.frequency;
        let unscaled = match self.program.path {
            Path::Rounded => return nearest(format, |bits| self.exact(pair, bits)),
            Path::Pow => self.by_pow(self.fraction(pair), format),
            Path::F64 => {
                let omega = self.by_pow(self.fraction(pair), Format::F64)?;
                self.scaled_by(Format::F64, omega).map(|omega| format.round(omega))
            }
            Path::Exp => self.by_exp(pair, format),
            Path::Repeated => self.by_repetition(pair, format),
            Path::Recurrence => None,
        };
        let omega = if self.program.path == Path::F64 { unscaled? } else { self.scaled_by(format, unscaled?)? };
        (omega > 0.0 && omega.is_finite()).then_some(omega)
    }

    fn scaled_by(&self, format: Format, omega: f64) -> Option<f64> {
        if let Some(blend) = &self.blend {
            return blend.computed(format, omega);
        }
        if self.divisor == 1 {
            return Some(omega);
        }
        // One correctly rounded quotient of two numbers of the format.
        nearest_rational(format, &(Rational::from_f64(omega)? / &self.divisor))
    }

    fn power(&self, exponent: f64, format: Format) -> Option<f64> {
        power(&self.base.computed, exponent, format)
    }

    /// e_k.
    fn exponent(&self, pair: usize) -> Rational {
        Rational::from(self.fraction(pair))
    }

    /// The frequency that the rule has not scaled, enclosed.
    fn unscaled(&self, pair: usize) -> Interval {
        let ln = Interval::ln_rational(self.convention.base.value(), 128);
        (ln * Interval::rational(&-self.exponent(pair), 128)).exp()
    }

    fn by_pow(&self, (m, whole): (u64, u64), format: Format) -> Option<f64> {
        let power = self.power(nearest_rational(format, &Rational::from((m, whole)))?, format)?;
        nearest_rational(format, &Rational::from_f64(power)?.recip())
    }

    fn by_exp(&self, pair: usize, format: Format) -> Option<f64> {
        let (m, whole) = self.fraction(pair);
        let log = nearest(format, |bits| Some(Interval::ln_rational(&self.base.computed, bits)))?;
        let rate = nearest_rational(format, &(Rational::from_f64(log)? / Rational::from(whole)))?;
        let exponent = nearest_rational(format, &(Rational::from_f64(rate)? * Rational::from(m)))?;
        if exponent == 0.0 {
            return Some(1.0);
        }
        let exponent = Rational::from_f64(-exponent)?;
        nearest(format, |bits| Some(Interval::rational(&exponent, bits).exp()))
    }

    fn by_repetition(&self, pair: usize, format: Format) -> Option<f64> {
        // The ratio is the frequency of index 1, wherever the counting begins.
        let ratio = self.by_pow(self.fraction_at(1), format)?;
        (0..self.convention.frequency_index(pair)).try_fold(1.0, |omega: f64, _| {
            // Two numbers of at most 24 bits have an exact product; two of 53 bits are rounded once.
            let product = format.round(omega * ratio);
            (product > 0.0).then_some(product)
        })
    }

    /// Error of the computed frequency, at most, if pow, exp and log are accurate to κ (`RoundingFrequency.v`).
    pub fn nearness(&self, pair: usize) -> Result<Nearness, Impossible> {
        let format = self.program.frequency;
        let path = self.program.path;
        let unscaled = match path {
            Path::Rounded => return Ok(Nearness { relative: sharp_unit(format), absolute: half(smallest(format)) }),
            Path::Pow => self.near_pow(self.fraction(pair), format)?,
            Path::F64 => self.near_pow(self.fraction(pair), Format::F64)?,
            Path::Exp => self.near_exp(pair, format)?,
            Path::Repeated => self.near_repetition(pair, format)?,
            Path::Recurrence => {
                let expected = "a path on which every entry is computed by itself";
                return Err(Impossible::new("path", path, expected));
            }
        };
        let working = working(self.program);
        let unscaled = self.base.moved(unscaled, &self.exponent(pair));
        let scaled = match &self.blend {
            Some(blend) => blend.near(working, unscaled, &self.unscaled(pair)),
            None if self.divisor == 1 => unscaled,
            None => {
                let below = self.divisor.to_f64().next_down();
                cast(working, Nearness { absolute: unscaled.absolute.over(below), ..unscaled })
            }
        };
        Ok(if path == Path::F64 { cast(format, scaled) } else { scaled })
    }

    /// ln of the base, whatever library computes it.
    fn ln_base(&self) -> Upper {
        self.base.ln + self.base.off
    }

    fn near_pow(&self, (m, whole): (u64, u64), format: Format) -> Result<Nearness, Impossible> {
        let exact = Rational::from((m, whole));
        let overflow =
            || Impossible::new("base", &self.convention.base, format!("powers below {}", format.max_finite()));
        let rounded = nearest_rational(format, &exact).ok_or_else(overflow)?;
        self.power(rounded, format).filter(|power| power.is_finite()).ok_or_else(overflow)?;
        let kept = Rational::from_f64(rounded).as_ref() == Some(&exact);
        let epsilon = if kept { Upper::ZERO } else { half(spacing(format, Upper::of(exact.to_f64().next_up()))) };
        let growth = (epsilon * self.ln_base()).expm1();
        let library = (Upper::of(2.0 * self.program.kappa) * unit(format)).reciprocal_excess();
        let relative = sharp_unit(format).compose(growth).compose(library);
        Ok(Nearness { relative, absolute: half(smallest(format)) })
    }

    fn near_exp(&self, pair: usize, format: Format) -> Result<Nearness, Impossible> {
        let (m, whole) = self.fraction(pair);
        for number in [m, whole] {
            if format.round(number as f64) != number as f64 {
                let expected = format!("integers that {format} holds exactly, up to {}", 1u64 << format.precision());
                return Err(Impossible::new("index of a frequency on the path 'exp'", number, expected));
            }
        }
        let kappa = Upper::of(self.program.kappa);
        let library = Upper::of(2.0) * kappa * unit(format);
        let log = sharp_unit(format).compose(library);
        let one = Upper::of(1.0) + sharp_unit(format);
        let log_absolute = one * (kappa * smallest(format)).over(whole as f64) + half(smallest(format));
        let (m, product) = (Upper::of(m as f64), self.ln_base().over(whole as f64) * Upper::of(m as f64));
        let gamma = sharp_unit(format).compose(log) * product + one * m * log_absolute + half(smallest(format));
        Ok(Nearness { relative: library.compose(gamma.expm1()), absolute: kappa * smallest(format) })
    }

    fn near_repetition(&self, pair: usize, format: Format) -> Result<Nearness, Impossible> {
        let index = self.convention.frequency_index(pair);
        if index == 0 {
            return Ok(Nearness { relative: Upper::ZERO, absolute: Upper::ZERO });
        }
        let ratio = self.near_pow(self.fraction_at(1), format)?.relative;
        let power = self.by_pow(self.fraction_at(1), Format::F64).unwrap_or(1.0);
        let (least, first) = (power * (1.0 - 2f64.powi(-49)), power * (1.0 + 2f64.powi(-49)));
        let grown = sharp_unit(format).compose(ratio);
        // 1/p′ is not below (1 − ρ)·ω_1 (`rounding_frequency_reciprocal_normal`): an absolute part of the ratio's error
        // is none of the theorem's.
        if least * (1.0 - ratio.get()) < smallest(format).get() / format.unit_roundoff() {
            let expected =
                format!("a ratio above the smallest normal number of {format}: a smaller base or a larger dim");
            return Err(Impossible::new("ratio of successive frequencies on the path 'repeated'", power, expected));
        }
        // The theorem asks for factors of at most one, so that absolute errors do not grow.
        if (Upper::of(first) * (Upper::of(1.0) + grown)).get() > 1.0 {
            let expected =
                format!("a ratio that stays at most 1 with its error in {format}: a larger base or a smaller dim");
            return Err(Impossible::new("ratio of successive frequencies on the path 'repeated'", first, expected));
        }
        let k = index as u32;
        Ok(Nearness { relative: grown.repeat(k), absolute: Upper::of(f64::from(k)) * half(smallest(format)) })
    }
}

/// fl(x^e) of the correctly rounded pow.
pub(super) fn power(base: &Rational, exponent: f64, format: Format) -> Option<f64> {
    if exponent == 0.0 {
        return Some(1.0);
    }
    let exponent = Rational::from_f64(exponent)?;
    nearest(format, |bits| Some((Interval::ln_rational(base, bits) * Interval::rational(&exponent, bits)).exp()))
}

/// A rounding to the format on top (`rounding_frequency_cast`).
pub(super) fn cast(format: Format, near: Nearness) -> Nearness {
    let one = Upper::of(1.0) + sharp_unit(format);
    Nearness {
        relative: sharp_unit(format).compose(near.relative),
        absolute: one * near.absolute + half(smallest(format)),
    }
}

/// x/2; η/2 of binary64 has no number of its own and is rounded up to η.
pub(super) fn half(x: Upper) -> Upper {
    x.over(2.0)
}
