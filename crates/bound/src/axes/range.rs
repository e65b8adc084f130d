//! Where no honest program of several axes overflows. A bound of a program that does would say nothing of its infinities and NaN, so it is
//! refused, as on one axis.
//!
//! Every number on the way is bounded from above, with what its roundings may add, and must be one that its format rounds to a finite one:
//!
//! * base and powers 1/ω, where the path computes them in the format;
//! * t, t·|s|, |s|, ω, and the angle Σ t·|s|·ω with its error. Between these, the two factors of a scale are taken to be no larger than
//!   the larger of 1 and |s|;
//! * an entry |g|·(1 + flat) in the format of the angle, and stored;
//! * a rotated entry of a pair of length 1, |g| and its bound, in the format of the entries.

use crate::AxialAllowance;
use crate::program::{Impossible, Path};
use crate::upward::{Upper, unit};
use posproof_encoding::axes::{AxialLaw, AxialSpacing, AxisLaw, Claim, FrequencyLaw};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

/// Roundings between a coordinate and its product with the scale, at most.
const BEFORE_THE_FREQUENCY: f64 = 8.0;

/// The formats and the path of a program of several axes.
pub(super) struct Range<'a> {
    pub law: &'a AxialLaw,
    pub allowance: &'a AxialAllowance,
    pub compute: Format,
    pub path: Option<Path>,
    pub storage: Format,
}

/// The number, or what is expected in its place where the format may round it, or one below, to infinity.
fn within(format: Format, what: &'static str, found: Upper) -> Result<(), Impossible> {
    if format.round(found.get()).is_finite() {
        return Ok(());
    }
    let short = |x: f64| if x < 1e16 { x.to_string() } else { format!("{x:e}") };
    let expected = format!("at most {}, the largest number of {format}", short(format.max_finite()));
    Err(Impossible::new(what, format!("up to {}", short(found.get())), expected))
}

impl Range<'_> {
    /// Refuses a slot of a head whose entries may overflow.
    pub fn require(&self, head: usize, slot: usize) -> Result<(), Impossible> {
        let mut angle = Upper::ZERO;
        for (claim, &(_, slope)) in self.law.claims(slot).iter().zip(self.allowance.slopes_of(head, slot)) {
            angle = angle + self.term(head, claim, Upper::of(slope))?;
        }
        within(self.compute, "angle", angle)?;
        let Self { allowance, compute, storage, .. } = self;
        let gain = Upper::of(allowance.gain(slot));
        let entry = gain + gain * Upper::of(allowance.flat());
        let narrow = if storage.max_finite() < compute.max_finite() { *storage } else { *compute };
        if [entry.get(), compute.round(entry.get())].into_iter().all(|entry| narrow.round(entry).is_finite()) {
            return Ok(());
        }
        let expected = format!("one whose entries {narrow} holds, up to {}", narrow.max_finite());
        Err(Impossible::new("amplitude", allowance.gain(slot), expected))
    }

    /// Refuses rotated entries that may overflow, within `bound` of exact ones.
    pub fn require_rotated(&self, slot: usize, bound: f64) -> Result<(), Impossible> {
        let gain = Upper::of(self.allowance.gain(slot));
        within(self.storage, "rotated entry", gain + Upper::of(bound))
    }

    /// Largest magnitude that a claim adds to the angle.
    fn term(&self, head: usize, &Claim { axis: number, at }: &Claim, slope: Upper) -> Result<Upper, Impossible> {
        let (axis, compute) = (&self.law.axes()[number], self.compute);
        let grown = |x: Upper| x + x * (Upper::of(BEFORE_THE_FREQUENCY) * unit(compute)).expm1();
        let largest = Upper::of(self.allowance.largest_reach(number));
        let scale = Upper::of(axis.scale().enclose(64).abs().upper_f64());
        let plain = axis.scale().is(1);
        within(compute, "coordinate with its offset", largest)?;
        if !plain {
            within(compute, "position scale", grown(scale))?;
            within(compute, "scaled coordinate", grown(largest * scale.max(Upper::of(1.0))))?;
        }
        let frequency = self.frequency(axis, head, at)?;
        let scaled = if plain { largest } else { largest * scale };
        Ok(scaled * frequency + largest * slope)
    }

    /// ω from above, or what it is computed from where that is larger.
    fn frequency(&self, axis: &AxisLaw, head: usize, at: usize) -> Result<Upper, Impossible> {
        let omega = axis.frequency(head, at, 64);
        let above = Upper::of(omega.as_ref().map_or(f64::INFINITY, |omega| omega.clone().abs().upper_f64()));
        let (format, powers) = match self.path {
            Some(Path::Rounded) => (self.compute, false),
            Some(Path::F64) => (Format::F64, true),
            _ => (self.compute, true),
        };
        let most = match axis.frequency_law() {
            FrequencyLaw::Indexed { spacing: AxialSpacing::Linear([first, last]), .. } => {
                let (first, last) = (first.value(), last.value());
                Upper::of((first.abs() + last.abs() + (last - first).abs()).to_f64().next_up())
            }
            FrequencyLaw::Indexed { base, scaling, .. } if powers => {
                within(format, "base", Upper::of(base.value().to_f64().next_up()))?;
                // A rule that leaves the base alone has powers of it, with exponents of at most 1.
                let powers = matches!(scaling, None | Some(Scaling::Ntk { .. } | Scaling::Dynamic { .. }));
                let below = omega.map_or(0.0, |omega| omega.lower_f64());
                let power = Upper::of(1.0).over(below);
                let near = (Upper::of(BEFORE_THE_FREQUENCY) * unit(format)).expm1();
                within(format, "power of the base", if powers { power + power * near } else { Upper::ZERO })?;
                above
            }
            _ => above,
        };
        within(self.compute, "frequency", most)?;
        Ok(above)
    }
}
