//! Kernels that no theorem is about.

use super::blocks::GROUP;
use super::{Kernel, Order, Scales};
use crate::accumulator::{Adder, WeightedSum};
use crate::program::Impossible;
use crate::upward::Upper;
use posproof_numerics::Element;
use posproof_numerics::format::exponent_of;
use posproof_numerics::narrow::Narrow;

impl Kernel {
    /// Blocks have scales where an accumulator adds their products by blocks, and nowhere else.
    fn validate_scales(&self) -> Result<(), Impossible> {
        let group = self.group();
        let name = self.adder.name().to_owned();
        let Some(scales) = self.scales else {
            let expected = "scales of e4m3 or e8m0, and e2m1, for an accumulator of scaled blocks";
            return if group == 1 { Ok(()) } else { Err(Impossible::new("accumulator", name, expected)) };
        };
        if group as usize != GROUP {
            let expected = format!("an accumulator of blocks of {GROUP}, such as blackwell-fp4, for scales");
            return Err(Impossible::new("accumulator", name, expected));
        }
        let others = [self.inputs, self.values, self.weights].into_iter();
        if let Some(other) = others.into_iter().find(|element| *element != Element::Narrow(Narrow::E2m1)) {
            return Err(Impossible::new("format of a scaled block", other, "e2m1"));
        }
        let block = scales.block() as u32;
        if !self.dim.is_multiple_of(block) {
            return Err(Impossible::new("dim", self.dim, format!("a multiple of {block}, the length of a block")));
        }
        Ok(())
    }

    /// Refuses what no theorem is about.
    ///
    /// # Errors
    ///
    /// With the figure and what was expected.
    pub fn validate(&self) -> Result<(), Impossible> {
        self.validate_scales()?;
        // An instruction ends with its tile: of others there would be more than one for K keys.
        let one = if let Adder::Truncated(accumulator) = &self.adder { accumulator.keys() } else { 1 };
        if let Order::Online(tile) = self.order
            && (tile == 0 || !tile.is_multiple_of(one.max(1)))
        {
            return Err(Impossible::new("tile", tile, format!("a multiple of {one}, which one instruction adds")));
        }
        if !(1..=1 << 16).contains(&self.splits) || self.splits > 1 && self.order == Order::Plain {
            let expected = "1 to 65536 in online order, 1 in plain order";
            return Err(Impossible::new("splits", self.splits, expected));
        }
        let most = self.scales.map_or(exponent_of(self.weights.max_finite()), Scales::weight_scale);
        let (good, precise) = ((0..=most).contains(&self.weight_scale), self.softmax.precision() >= 24);
        if !good {
            return Err(Impossible::new(
                "scale of the weights",
                format!("2^{}", self.weight_scale),
                format!("2^0 to 2^{most}"),
            ));
        }
        if !precise {
            return Err(Impossible::new("format of the softmax", self.softmax, "f32 or f64"));
        }
        let lengths = [("length of the query", self.query), ("length of the keys", self.key)];
        let room = 1e12;
        if let Some((what, found)) = lengths.into_iter().find(|(_, length)| !(*length > 0.0 && *length <= room)) {
            return Err(Impossible::new(what, found, format!("more than 0, and {room:e} at most")));
        }
        // Of shorter ones there is none but zero.
        let largest = [lengths[0], lengths[1], ("largest value", self.value)];
        let elements = [self.inputs, self.inputs, self.values];
        for ((what, found), element) in largest.into_iter().zip(elements) {
            let least = self.smallest_number(element);
            if found < least {
                return Err(Impossible::new(
                    what,
                    found,
                    format!("at least {least:e}, the smallest number of {element}"),
                ));
            }
        }
        if !(0.5..=1e6).contains(&self.kappa) {
            return Err(Impossible::new("κ of the exponential", self.kappa, "0.5 to 1000000"));
        }
        if self.dim < 2 || !self.dim.is_multiple_of(2) {
            return Err(Impossible::new("dim", self.dim, "an even number"));
        }
        self.score_sum().validate()?;
        WeightedSum { terms: self.keys, ..self.value_sum() }.validate()?;
        if self.normaliser() >= Upper::of(1.0) {
            let [q, k] = [self.query, self.key];
            if Upper::of(self.keys as f64) * self.tiny() >= Upper::of(0.25) {
                let expected = format!("so short, with keys up to {k}, that exponentials of logits are known");
                return Err(Impossible::new("length of the query", q, expected));
            }
            return Err(Impossible::new("keys", self.keys, "so few that their exponentials' sum is known to a half"));
        }
        Ok(())
    }
}
