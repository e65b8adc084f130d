//! Sums on which a matrix unit loses nearly as much as its bound allows.
//!
//! One product of 2^E comes first and stays the accumulator. Each of the others is just below a unit 2^(E − F), and is lost whole;
//! where the result has fewer bits than are kept, one of each instruction is just below 2^(E − r), of which the result keeps
//! nothing. In later groups one product of 2^(E − 24) is a tie, which the binary32 register rounds away; or products of a
//! subnormal number, aligned by an exponent larger than theirs, have the others lost beside them, where that loses more. Where products of
//! normal numbers are no smaller than a unit, subnormal ones are lost, or several large products come first.

use super::emulated::{Term, exact_sum};
use super::{Accumulator, Adder, WeightedSum};
use crate::origin::Bound;
use crate::program::Impossible;
use posproof_numerics::Element;
use posproof_numerics::format::{exponent_of, power_of_two};
use posproof_numerics::narrow::Narrow;
use serde::Serialize;

/// Bounds that are no more than this times an error are close enough.
const CLOSE: f64 = 1.12;

/// Groups of a sum of which several may have a large product each, and how many.
const MANY: u64 = 1024;
const OPENING: u64 = 16;

/// A sum whose error is known: its numbers, the error, and the bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttainedSum {
    /// Weights, numbers of the first element.
    pub weights: Vec<f64>,
    /// Values, numbers of the second element.
    pub values: Vec<f64>,
    /// Scales of the blocks of either; none where blocks are not scaled.
    pub scales: [Vec<f64>; 2],
    /// Σ|products|, from above.
    pub mass: f64,
    /// The exact sum, to the nearest number.
    pub exact: f64,
    /// The result of the accumulator.
    pub computed: f64,
    /// |computed − exact|, from below.
    pub error: f64,
    /// The bound for this mass.
    pub bound: Bound,
}

impl AttainedSum {
    /// Bound by error: the worst case lies between the error and this times it.
    pub fn ratio(&self) -> f64 {
        self.bound.value() / self.error
    }
}

/// Significands of two numbers whose product is the largest below 2.
fn just_below_two([p, v]: [Element; 2]) -> [f64; 2] {
    let last = |element: Element| 2.0 * element.unit_roundoff();
    // Of wide formats the largest significand below 2, and 1, are as good to a thousandth.
    if p.precision().max(v.precision()) > 4 {
        return if p.precision() >= v.precision() { [2.0 - last(p), 1.0] } else { [1.0, 2.0 - last(v)] };
    }
    let all = |element: Element| {
        let steps = 1u32 << (element.precision() - 1);
        (0..steps).map(move |step| 1.0 + f64::from(step) * last(element))
    };
    let pairs = all(p).flat_map(|x| all(v).map(move |y| [x, y])).filter(|[x, y]| x * y < 2.0);
    pairs.max_by(|one, other| (one[0] * one[1]).total_cmp(&(other[0] * other[1]))).unwrap_or([1.0; 2])
}

impl WeightedSum {
    /// Two numbers of the elements with the significands and a product below 2^(exponent + 1); none where it underflows.
    fn factors(&self, significands: [f64; 2], exponent: i32) -> Option<[f64; 2]> {
        let [most_p, most_v] = self.largest.map(exponent_of);
        let [least_p, least_v] = self.elements.map(Element::min_exponent);
        // As small a weight as there is: what is lost is then lost of large values.
        let fits = |v: i32| significands[1] * power_of_two(v) <= self.largest[1];
        let v = (exponent - least_p).min(if fits(most_v) { most_v } else { most_v - 1 });
        let p = exponent - v;
        let good =
            v >= least_v && (least_p..=most_p).contains(&p) && significands[0] * power_of_two(p) <= self.largest[0];
        good.then(|| [significands[0] * power_of_two(p), significands[1] * power_of_two(v)])
    }

    /// Weights: powers of two, and of formats of few bits all numbers.
    fn weights(&self) -> Vec<f64> {
        let ([element, _], [largest, _]) = (self.elements, self.largest);
        let least = element.min_exponent();
        if element.precision() > 4 {
            return (least..=exponent_of(largest)).map(power_of_two).collect();
        }
        let next = |x: f64| x + power_of_two(exponent_of(x).max(least) + 1 - element.precision() as i32);
        std::iter::successors(Some(element.min_positive()), |x| Some(next(*x))).take_while(|x| *x <= largest).collect()
    }

    /// Two numbers whose product is the largest below a power of two, subnormal values among them; none where each product is larger.
    fn subnormal_factors(&self, exponent: i32) -> Option<[f64; 2]> {
        let below = |weight: f64| {
            let most = (power_of_two(exponent) / weight * (1.0 - f64::EPSILON)).min(self.largest[1]);
            [weight, self.elements[1].truncate(most)]
        };
        let pairs = self.weights().into_iter().map(below).filter(|[_, value]| *value > 0.0);
        pairs.max_by(|one, other| (one[0] * one[1]).total_cmp(&(other[0] * other[1])))
    }

    /// The products, as weights and values: so many groups with so many large ones each, a power of two; in later groups subnormal ones, or
    /// ties.
    fn attack(&self, accumulator: &Accumulator, subnormals: bool, opening: u64, large: u64) -> Vec<[f64; 2]> {
        let [top, other] = self.largest.map(exponent_of);
        let exponent = top + other + large.ilog2() as i32;
        let small = just_below_two(self.elements);
        let below = |bits: u32| {
            let exponent = exponent - bits as i32;
            self.factors(small, exponent - 1).or_else(|| self.subnormal_factors(exponent)).unwrap_or([0.0; 2])
        };
        let (lost, dropped) = (below(accumulator.fraction), below(accumulator.result.min(accumulator.fraction)));
        // The register has the sum of the large products by then.
        let half = exponent + opening.ilog2() as i32 - 24;
        let tie = self.factors([1.0; 2], half).unwrap_or([0.0; 2]);
        let flush = self.flush.unwrap_or(self.terms);
        let keys = u64::from(accumulator.terms);
        // The largest exponent of a product of a subnormal number, and the smallest product of that exponent.
        let [p, v] = self.elements;
        let (least_p, least_v) = (p.min_exponent() + other, v.min_exponent() + top);
        let (subnormal, lowest) = if least_v >= least_p {
            ([power_of_two(top), v.min_positive()], least_v)
        } else {
            ([p.min_positive(), power_of_two(other)], least_p)
        };
        let beside = |bits: u32| self.factors(small, lowest - bits as i32 - 1).unwrap_or([0.0; 2]);
        let (low, low_dropped) = (beside(accumulator.fraction), beside(accumulator.result.min(accumulator.fraction)));
        let product = |index: u64| match (index / flush >= opening, index % flush, index % keys) {
            (true, _, 0) if subnormals => subnormal,
            // Kept by the accumulator, and rounded away by the register.
            (true, 1, _) if subnormals && half >= lowest - accumulator.fraction as i32 => tie,
            (true, _, 1) if subnormals => low_dropped,
            (true, ..) if subnormals => low,
            (true, 0, _) => tie,
            (true, ..) => [0.0; 2],
            (false, place, _) if place < large => [power_of_two(top), power_of_two(other)],
            // The first of each instruction, but of the first one the second.
            (false, 1, _) | (false, _, 0) => dropped,
            _ => lost,
        };
        (0..self.terms).map(product).collect()
    }

    /// Scaled blocks of 4 bits: those of the first instruction hold 512 each, far more than their scales; then one block of 15.75 in each
    /// instruction, or a tie of the register in each group, the others empty.
    fn scaled_attack(&self, accumulator: &Accumulator) -> (Vec<[f64; 2]>, [Vec<f64>; 2]) {
        const BELOW_SIXTEEN: [[f64; 2]; 3] = [[3.0, 3.0], [4.0, 1.5], [0.5, 1.5]];
        /// Fourteen products of this, and 8, are 512.
        const LARGEST: [f64; 2] = [6.0, 6.0];
        const EIGHT: [f64; 2] = [4.0, 2.0];
        let group = u64::from(accumulator.group);
        let exponents = self.largest.map(exponent_of);
        let (terms, blocks) = (u64::from(accumulator.terms), self.terms.div_ceil(group));
        let flush = self.flush.unwrap_or(self.terms) / group;
        // The first sum is 2^full of its scales.
        let full = 9 + accumulator.terms.ilog2() as i32;
        let opening = 1u64 << accumulator.terms.ilog2();
        // 15.75 and its scale are just below 2^(E − r).
        let dropped = accumulator.result as i32 + 4 - full;
        let block = |index: u64| match (index, index % flush.max(1), index % terms) {
            (index, ..) if index < opening => (0, 15),
            (index, 0, _) if index >= flush => (24 - full, 1),
            (index, ..) if index >= flush => (0, 0),
            (_, _, 0) => (dropped, 3),
            _ => (0, 0),
        };
        let scale = |lower: i32| {
            let half = lower / 2;
            [power_of_two(exponents[0] - half), power_of_two(exponents[1] - (lower - half))]
        };
        let (mut factors, mut scales) = (Vec::new(), [Vec::new(), Vec::new()]);
        for index in 0..blocks {
            let (lower, products) = block(index);
            let [p, v] = if products == 0 { scale(2 * dropped) } else { scale(lower) };
            scales[0].push(p);
            scales[1].push(v);
            factors.extend((0..accumulator.group as usize).map(|place| match products {
                1 if place == 0 => [1.0; 2],
                3 => BELOW_SIXTEEN.get(place).copied().unwrap_or([0.0; 2]),
                15 if place < 14 => LARGEST,
                15 if place == 14 => EIGHT,
                _ => [0.0; 2],
            }));
        }
        (factors, scales)
    }

    /// The terms of instructions: products, or scaled blocks of products.
    pub fn products(&self, factors: &[[f64; 2]], scales: &[Vec<f64>; 2], group: u32) -> Vec<Term> {
        let products = factors.iter().map(|pair| Term::product(*pair, self.elements));
        if group == 1 {
            return products.collect();
        }
        let products: Vec<Term> = products.collect();
        let blocks = products.chunks(group as usize).zip(scales[0].iter().zip(&scales[1]));
        blocks.map(|(block, (one, other))| Term::scaled(block, [*one, *other], Narrow::E8m0)).collect()
    }

    /// A sum on which the error is nearly the bound, and the error.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the sum, or sums are rounded to nearest.
    pub fn attained(&self) -> Result<AttainedSum, Impossible> {
        self.validate()?;
        let Adder::Truncated(accumulator) = &self.adder else {
            return Err(Impossible::new("accumulator", self.adder.name(), "one that truncates"));
        };
        if accumulator.group > 1 {
            let (factors, scales) = self.scaled_attack(accumulator);
            return self.summed(accumulator, factors, scales);
        }
        let sum = |subnormals: bool, opening: u64, large: u64| {
            self.summed(accumulator, self.attack(accumulator, subnormals, opening, large), [vec![], vec![]])
        };
        let closer = |best: AttainedSum, other: Result<AttainedSum, Impossible>| {
            other.ok().filter(|other| other.ratio() < best.ratio()).unwrap_or(best)
        };
        // Subnormal numbers of wide formats are too small to be lost, and to be summed exactly.
        let mut best = closer(sum(false, 1, 1)?, sum(true, 1, 1));
        if best.ratio() > CLOSE {
            // Beside several large products a unit is larger, and so are the numbers below it.
            let group = self.flush.unwrap_or(self.terms).min(self.terms);
            best = (1..group.ilog2()).fold(best, |best, power| closer(best, sum(false, 1, 1 << power)));
        }
        let groups = self.flush.map_or(1, |flush| self.terms / flush);
        if best.ratio() <= CLOSE || groups < MANY {
            return Ok(best);
        }
        // Beside a larger sum the mass of many subnormal products is small.
        Ok(closer(best, sum(true, OPENING, 1)))
    }

    /// The sum of the products, its error and its bound.
    fn summed(
        &self,
        accumulator: &Accumulator,
        factors: Vec<[f64; 2]>,
        scales: [Vec<f64>; 2],
    ) -> Result<AttainedSum, Impossible> {
        let terms = self.products(&factors, &scales, accumulator.group);
        let flush = self.flush.map(|flush| flush / u64::from(accumulator.group));
        let computed = accumulator.sum(&terms, flush);
        let wide = || Impossible::new("largest value", format!("{:?}", self.largest), "sums of fewer than 127 bits");
        // All products are positive: their sum is the mass.
        let (mass, quantum) = exact_sum(&terms, &[]).ok_or_else(wide)?;
        let (lost, least) = exact_sum(&terms, &[-computed]).ok_or_else(wide)?;
        let exact = mass as f64 * power_of_two(quantum);
        let mass = (mass as f64).next_up() * power_of_two(quantum);
        let error = (lost as f64).abs().next_down().max(0.0) * power_of_two(least);
        let [weights, values] = [0, 1].map(|side| factors.iter().map(|pair| pair[side]).collect());
        Ok(AttainedSum { weights, values, scales, mass, exact, computed, error, bound: self.bound(mass) })
    }
}
