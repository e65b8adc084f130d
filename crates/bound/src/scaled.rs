//! Frequencies of programs that compute a scaling rule themselves: another base (NTK), or a blend of two frequencies (llama3).
//!
//! The base: b′ = fl(b·pow(s, fl(d/(d − 2)))) in the format that the powers are computed in. With pow within κ ulp and the exponent
//! within ε it is within ρ_b = (1 + v)(1 + (1 + 2κu)e^(ε ln s) − 1 + κη) − 1 + η/2 of b·s^(d/(d − 2)), relatively, because
//! neither base nor power is below 1 (`stretched_base` in `RoundingScaled.v`); what that does to b^(−e) is
//! `rounding_frequency_base`.
//!
//! The blend: λ′ = fl(fl(2π)/ω′), q′ = fl(L/λ′), γ′ = fl(fl(q′ − low)/(high − low)), not beyond [0, 1], and
//! fl(fl(fl(1 − γ′)·fl(ω′/s)) + fl(γ′·ω′)): `rounding_frequency_llama3`, with the δ of `rounding_frequency_weights`. With r for the
//! relative error of ω′, E = (1 + v)/(1 − ((1 + v)²/(1 − r) − 1)) − 1 bounds that of q′; H = high/(1 − E) is beyond all that is not
//! clamped; and because clamping commutes with rounding, δ = 2v + η/2 + (E·H + η/2 + v·H(1 + E))/(high − low). That λ′ does not
//! underflow is the theorem's hypothesis: 2π by the largest number of f32, f64 or bf16 is above the smallest normal one.

use crate::path::{Nearness, cast, half, power};
use crate::program::{Impossible, Path, Program};
use crate::steps::{Llama3, blended};
use crate::upward::{Upper, sharp_unit, smallest, spacing, unit};
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Interval, Rational};

/// The base whose powers a program computes.
pub(super) struct Base {
    /// With correctly rounded functions: a number of the format of the powers, or as stated.
    pub computed: Rational,
    /// ln b, from above.
    pub ln: Upper,
    /// |ln b′ − ln b| at most, whatever library computes b′: ρ_b/(1 − ρ_b), and 0 where it is stated.
    pub off: Upper,
}

fn ln_above(x: &Rational) -> Upper {
    Upper::of(Interval::ln_rational(x, 64).upper_f64())
}

/// The format that a program computes powers in.
pub(super) fn working(program: &Program) -> Format {
    if program.path == Path::F64 { Format::F64 } else { program.frequency }
}

impl Base {
    /// The base of a convention as it is stated.
    pub fn stated(base: &Rational) -> Self {
        Self { computed: base.clone(), ln: ln_above(base), off: Upper::ZERO }
    }

    /// b·s^(d/(d − 2)), computed.
    pub fn stretched(convention: &Convention, factor: &Rational, program: &Program) -> Result<Self, Impossible> {
        let (base, format) = (convention.base.value(), working(program));
        let dim = convention.frequency_dim() as u64;
        let exponent = Rational::from((dim, dim.saturating_sub(2).max(1)));
        let expected = || format!("a number of the format {format} from 1 on, with a base that it holds");
        let overflow = || Impossible::new("factor", factor, expected());
        let rounded = nearest_rational(format, &exponent).ok_or_else(overflow)?;
        let stated = nearest_rational(format, factor).and_then(Rational::from_f64).as_ref() == Some(factor);
        let allowed = stated && *factor >= 1 && *base >= 1;
        let stretch = power(factor, rounded, format).filter(|_| allowed).ok_or_else(overflow)?;
        let product = Rational::from_f64(stretch).map(|stretch| base * stretch).ok_or_else(overflow)?;
        let computed = nearest_rational(format, &product).and_then(Rational::from_f64).ok_or_else(overflow)?;
        let kept = Rational::from_f64(rounded).as_ref() == Some(&exponent);
        let above = Upper::of(exponent.to_f64().next_up());
        let epsilon = if kept { Upper::ZERO } else { half(spacing(format, above)) };
        let kappa = Upper::of(program.kappa);
        let library = Upper::of(2.0) * kappa * unit(format);
        let power = library.compose((epsilon * ln_above(factor)).expm1()) + kappa * smallest(format);
        let off = sharp_unit(format).compose(power) + half(smallest(format));
        let off = off.over((1.0 - off.get()).next_down());
        Ok(Self { computed, ln: ln_above(base) + above * ln_above(factor), off })
    }

    /// Effect of a base that is off on b^(−e) (`rounding_frequency_base`).
    pub fn moved(&self, near: Nearness, exponent: &Rational) -> Nearness {
        if self.off == Upper::ZERO || *exponent == 0 {
            return near;
        }
        let grown = (Upper::of(exponent.to_f64().next_up()) * self.off).expm1();
        Nearness { relative: near.relative.compose(grown), ..near }
    }
}

/// The rule of llama3: a blend of ω and ω/s by how often a pair turns in L positions.
pub(super) struct Blend {
    factor: Rational,
    low: Rational,
    range: Rational,
    high: Rational,
    length: Rational,
}

impl Blend {
    /// The blend of a rule, whose figures have to be numbers of the format.
    pub fn new(scaling: &Scaling, format: Format) -> Result<Option<Self>, Impossible> {
        let Scaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } = scaling
        else {
            return Ok(None);
        };
        let [factor, low, high] = [factor, low_freq_factor, high_freq_factor].map(|x| x.value().clone());
        let (range, length) = (high.clone() - low.clone(), Rational::from(*original_max_position_embeddings));
        for (what, number) in
            [("factor", &factor), ("low_freq_factor", &low), ("high_freq_factor", &high), ("context length", &length)]
        {
            if nearest_rational(format, number).and_then(Rational::from_f64).as_ref() != Some(number) {
                return Err(Impossible::new(what, number, format!("a number of the format {format}")));
            }
        }
        let held = nearest_rational(format, &range).and_then(Rational::from_f64).as_ref() == Some(&range);
        // binary16 has neither the wavelengths nor what is lost below them.
        if !held || range <= 0 || factor < 1 || format == Format::F16 {
            let found = format!("llama3, factors {factor}, {low} and {high} in {format}");
            return Err(Impossible::new(
                "scaling",
                found,
                "a factor of at least 1 and high above low, in f32, f64 or bf16",
            ));
        }
        Ok(Some(Self { factor, low, range, high, length }))
    }

    /// The blend as computed from a frequency.
    pub fn computed(&self, format: Format, omega: f64) -> Option<f64> {
        let turn = nearest(format, |bits| Some(Interval::pi(bits) * Interval::from(2)))?;
        // Numbers of the format, so that these are exact.
        let [factor, low, range, length] = [&self.factor, &self.low, &self.range, &self.length].map(Rational::to_f64);
        let [wave, blend] = blended(format, Llama3 { factor, low, range, length, turn }, omega);
        let kept = [wave, format.round(length / wave), blend].into_iter().all(f64::is_finite);
        (omega > 0.0 && kept).then_some(blend)
    }

    /// δ, for a frequency within r of the exact one, relatively (`rounding_frequency_weights`).
    fn weights(&self, format: Format, relative: Upper) -> Upper {
        let (v, tiny) = (sharp_unit(format), half(smallest(format)));
        let wave = v.compose(v).compose(relative.reciprocal_excess());
        let periods = v.compose(wave.reciprocal_excess());
        let high = Upper::of(self.high.to_f64().next_up()).over((1.0 - periods.get()).next_down());
        let above = periods * high + tiny + v * (high + periods * high);
        v + v + tiny + above.over(self.range.to_f64().next_down())
    }

    /// Error of the blend where that of ω is known (`rounding_frequency_llama3`): its formula is 2u((1 + ρ)w + σ + δΩ) + δΩ +
    /// ρw + σ + (1 + v)η with w = (1 − γ)ω/s + γω, whose weights add up to 1, and Ω for Ω₁ + Ω₂.
    pub fn near(&self, format: Format, near: Nearness, omega: &Interval) -> Nearness {
        let (above, two) = (Upper::of(omega.upper_f64()), Upper::of(2.0));
        let divisor = self.factor.to_f64().next_down();
        let slow = cast(format, Nearness { absolute: near.absolute.over(divisor), ..near });
        let (rho, sigma) = (near.relative.max(slow.relative), near.absolute.max(slow.absolute));
        let delta = self.weights(format, near.relative + near.absolute.over(omega.lower_f64()));
        let grown = |omega: Upper| omega + rho * omega + sigma;
        let moved = delta * (grown(above) + grown(above.over(divisor)));
        let (u, v) = (unit(format), sharp_unit(format));
        let lost = smallest(format) + v * smallest(format);
        Nearness { relative: two * u + two * u * rho + rho, absolute: two * u * (sigma + moved) + moved + sigma + lost }
    }
}
