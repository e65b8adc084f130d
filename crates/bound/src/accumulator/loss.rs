//! The error of sums that a matrix unit truncates: at most slope·Σ|products| + floor.
//!
//! With terms aligned to E, of which L lose something, and a result of r bits, an instruction loses at most λ(L)·a, where a is at
//! least 2^E and the magnitude of the sum, λ(L) = (L − 1)·2^(−F) + 2^(−min(F, r)). Truncation towards zero only shrinks: the
//! accumulator and all that was lost are together no larger than the products' magnitudes Σ. So an instruction loses at most
//! λ of what is not yet lost, and N of them lose at most 1 − (1 − λ)^N of Σ. Where F = r, no instruction loses more than it
//! adds; then they lose at most x/(1 + x) of Σ with x = N·λ/(1 − λ), which is attained (`proofs/RoundingAccumulator.v`).

use super::emulated::LOWEST;
use super::{Accumulator, Adder};
use crate::attention::{Accumulation, Products};
use crate::origin::{Bound, Origin};
use crate::program::Impossible;
use crate::upward::{Upper, sharp_unit};
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};
use serde::Serialize;

/// A sum of n products of weights and values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightedSum {
    /// Addition of the products.
    pub adder: Adder,
    /// Formats of weights and of values.
    pub elements: [Element; 2],
    /// Number of products: n.
    pub terms: u64,
    /// The accumulator is added to a binary32 register, and cleared, after so many; never where it is left out.
    pub flush: Option<u64>,
    /// No weight and no value is larger. Of scaled blocks, no scale.
    pub largest: [f64; 2],
}

/// 2^(−e).
pub(super) fn inverse_power(e: u32) -> f64 {
    power_of_two(-(e as i32))
}

/// x with 1 − (1 − x)(1 − y) for two shares that are lost one after the other.
fn lost_after(x: Upper, y: Upper) -> Upper {
    let [x, y] = [x.get().min(1.0), y.get().min(1.0)];
    // x + y·(1 − x), with the difference rounded up.
    Upper::of(x) + Upper::of(y) * Upper::of((1.0 - x).next_up().min(1.0))
}

impl Accumulator {
    /// λ(L).
    pub(super) fn share(&self, lossy: u32) -> Upper {
        let others = Upper::of(f64::from(lossy.max(1) - 1) * inverse_power(self.fraction));
        others + Upper::of(inverse_power(self.fraction.min(self.result)))
    }

    /// Terms that may lose something, in a first instruction, whose accumulator is zero, and in the others.
    pub(super) fn lossy(&self, exact: bool) -> [u32; 2] {
        let all = if exact { self.terms } else { self.terms + 1 };
        [all - 1, all].map(|lossy| lossy.max(1))
    }

    /// The share of Σ that N instructions lose at most; `exact` where the largest term loses nothing.
    pub(super) fn slope(&self, instructions: u64, exact: bool) -> Upper {
        let [first, other] = self.lossy(exact).map(|lossy| self.share(lossy));
        let others = instructions.saturating_sub(1);
        if self.fraction == self.result {
            let x = first.over((1.0 - first.get()).next_down())
                + Upper::of(others as f64) * other.over((1.0 - other.get()).next_down());
            // x/(1 + x) grows with x.
            return x.over((1.0 + x.get()).next_down());
        }
        self.product_slope(instructions, exact)
    }

    /// 1 − (1 − λ')(1 − λ)^(N − 1).
    pub(super) fn product_slope(&self, instructions: u64, exact: bool) -> Upper {
        let [first, other] = self.lossy(exact).map(|lossy| self.share(lossy));
        let (mut lost, mut square, mut rest) = (Upper::ZERO, other, instructions.saturating_sub(1));
        while rest > 0 {
            if rest % 2 == 1 {
                lost = lost_after(lost, square);
            }
            square = lost_after(square, square);
            rest /= 2;
        }
        lost_after(first, lost)
    }

    /// Addition to Σ where terms are aligned to an exponent that is larger than theirs: 2^E₀, and (1 + N·λ) times that where F = r.
    fn lowest(&self, instructions: u64, exact: bool, least: i32) -> Upper {
        let lowest = Upper::of(power_of_two(least));
        if self.fraction != self.result {
            return lowest;
        }
        let [_, other] = self.lossy(exact).map(|lossy| self.share(lossy));
        lowest * (Upper::of(1.0) + Upper::of(instructions as f64) * other)
    }
}

impl WeightedSum {
    /// Refuses what no theorem is about.
    ///
    /// # Errors
    ///
    /// With the figure and what was expected.
    pub fn validate(&self) -> Result<(), Impossible> {
        if let Adder::Truncated(accumulator) = &self.adder {
            accumulator.validate()?;
            if let Some(flush) = self.flush.filter(|flush| *flush == 0 || flush % u64::from(accumulator.keys()) != 0) {
                let keys = accumulator.keys();
                return Err(Impossible::new(
                    "flush",
                    flush,
                    format!("a multiple of {keys}, which one instruction adds"),
                ));
            }
        } else if let Some(flush) = self.flush {
            return Err(Impossible::new(
                "flush",
                flush,
                "none: sums that are rounded to nearest have no other register",
            ));
        }
        if !(1..=1 << 32).contains(&self.terms) {
            return Err(Impossible::new("keys", self.terms, "1 to 2^32"));
        }
        // No unit multiplies longer numbers, and products of these are numbers of binary32, rounded sums of which are bounded.
        if let Some(element) = self.elements.iter().find(|element| element.precision() > 12) {
            let found = format!("{} with {element}", self.adder.name());
            return Err(Impossible::new("accumulator", found, "f16, bf16, or numbers of fewer bits"));
        }
        let scaled = matches!(&self.adder, Adder::Truncated(accumulator) if accumulator.group > 1);
        for (largest, element) in self.largest.into_iter().zip(self.elements) {
            let most = if scaled { power_of_two(48) } else { element.max_finite() };
            if !(largest > 0.0 && largest <= most) {
                return Err(Impossible::new("largest value", largest, format!("more than 0, and {most} at most")));
            }
        }
        // A sum of n terms, and as many units that are lost.
        if self.largest[0] * self.largest[1] * self.terms as f64 > Format::F32.max_finite() / 4.0 {
            return Err(Impossible::new("largest value", self.largest[1], "products whose sum does not overflow f32"));
        }
        Ok(())
    }

    /// E₀: no exponent that terms are aligned to is larger, unless a term is.
    pub(super) fn least_exponent(&self, accumulator: &Accumulator) -> i32 {
        let [p, v] = self.largest.map(exponent_of);
        let least = if accumulator.group > 1 {
            // Subnormal scales have the exponent of the smallest normal one.
            let normal = Narrow::E4m3.min_exponent();
            p.max(normal) + v.max(normal)
        } else {
            (self.elements[0].min_exponent() + v).max(self.elements[1].min_exponent() + p)
        };
        // Above the exponent that an accumulator of zero has.
        least.max(LOWEST + 1)
    }

    /// Instructions of a group, and groups.
    pub(super) fn groups(&self, accumulator: &Accumulator) -> [u64; 2] {
        let keys = u64::from(accumulator.keys());
        let flush = self.flush.unwrap_or(self.terms).min(self.terms);
        [flush.div_ceil(keys), self.terms.div_ceil(flush)]
    }

    /// The slope: the largest error beside Σ|products|.
    pub(crate) fn slope(&self) -> Upper {
        match &self.adder {
            Adder::Rounded(format) => Upper::of(self.terms.saturating_sub(1) as f64) * sharp_unit(*format),
            Adder::Truncated(accumulator) => {
                let [instructions, groups] = self.groups(accumulator);
                let registers = Upper::of(groups.saturating_sub(1) as f64) * sharp_unit(Format::F32);
                accumulator.slope(instructions, accumulator.holds(self.elements)) + registers
            }
        }
    }

    /// The floor: the largest error of a sum of nothing but small products.
    pub(crate) fn floor(&self) -> Upper {
        match &self.adder {
            Adder::Rounded(format) => {
                let exact = Accumulation { format: *format, products: Products::Exact };
                exact.error(u32::try_from(self.terms).unwrap_or(u32::MAX), Upper::ZERO)
            }
            Adder::Truncated(accumulator) => {
                let [instructions, groups] = self.groups(accumulator);
                let exact = accumulator.holds(self.elements);
                let lowest = accumulator.lowest(instructions, exact, self.least_exponent(accumulator));
                Upper::of(groups as f64) * (accumulator.slope(instructions, exact) * lowest)
            }
        }
    }

    /// True where the largest term loses nothing after a rescaling, which leaves the accumulator with the digits of binary32.
    pub(super) fn exact_rescaled(&self, accumulator: &Accumulator) -> bool {
        accumulator.holds(self.elements) && accumulator.result == 23
    }

    /// Slope and floor where the accumulator is multiplied by factors before so many instructions, and not scaled up: by
    /// `rounding_accumulator_rescaled`, or where F = r by `rounding_accumulator_rescaled_even`, whichever slope is smaller.
    pub(crate) fn rescaled(&self, rescalings: u64) -> [Upper; 2] {
        let Adder::Truncated(accumulator) = &self.adder else { return [self.slope(), self.floor()] };
        let [instructions, groups] = self.groups(accumulator);
        let (exact, count) = (self.exact_rescaled(accumulator), Upper::of(groups as f64));
        let registers = Upper::of(groups.saturating_sub(1) as f64) * sharp_unit(Format::F32);
        let lowest = Upper::of(power_of_two(self.least_exponent(accumulator)));
        let product = accumulator.product_slope(instructions, exact);
        let [slope, floor] = [product, product * lowest];
        if accumulator.fraction != accumulator.result {
            return [slope + registers, count * floor];
        }
        let even = accumulator.slope(instructions, exact);
        // No group has more of them than instructions.
        let unit = Upper::of(rescalings.min(instructions) as f64) * Upper::of(inverse_power(accumulator.fraction));
        let evenly = even * (Upper::of(1.0) + unit);
        if evenly < slope {
            let lowest = accumulator.lowest(instructions, exact, self.least_exponent(accumulator));
            return [evenly + registers, count * (even * lowest)];
        }
        [slope + registers, count * floor]
    }

    /// |computed − exact| for Σ|products| ≤ mass.
    ///
    /// ```
    /// use posproof_bound::{Accumulator, Adder, WeightedSum};
    /// use posproof_numerics::{Element, narrow::Narrow};
    /// let sum = WeightedSum {
    ///     adder: Adder::Truncated(Accumulator::named("hopper-fp8").expect("a row")),
    ///     elements: [Element::Narrow(Narrow::E4m3); 2],
    ///     terms: 4096,
    ///     flush: None,
    ///     largest: [256.0, 256.0],
    /// };
    /// // A third of the mass is lost, in the worst case; flushed each 128 keys, a sixtieth.
    /// let mass = 65536.0;
    /// assert!((sum.bound(mass).value() / mass - 0.334).abs() < 1e-3);
    /// let flushed = WeightedSum { flush: Some(128), ..sum };
    /// assert!(flushed.bound(mass).value() / mass < 0.017);
    /// ```
    pub fn bound(&self, mass: f64) -> Bound {
        let theorem = match &self.adder {
            Adder::Rounded(_) => "rounding_dot_double_products",
            Adder::Truncated(accumulator) if accumulator.fraction == accumulator.result => "rounding_accumulator_even",
            Adder::Truncated(_) => "rounding_accumulator",
        };
        Bound::of(self.slope() * Upper::of(mass) + self.floor(), Origin::Theorem(theorem))
    }
}
