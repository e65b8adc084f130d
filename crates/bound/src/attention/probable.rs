//! Bounds of attention that hold with a stated probability, if rounding errors are independent as stated.
//!
//! Computed step by step, a score is a martingale: each rounding error e_i, of mean 0 whatever was rounded before, changes
//! what the rest would come to by a_i·e_i, where a_i is known before it. With |a_i·e_i| ≤ d_i the sum of all is beyond
//! √(2·ln(2/δ)·Σd_i²) with probability at most δ (Azuma 1967; for inner products: Ipsen and Zhou 2020). The errors of the
//! angles and the last two roundings of a logit are counted in full, the angles' pair by pair: the part of pair j moves by
//! at most b_j·‖q_j‖‖k_j‖, b_j = min(2, 2α_j, 2r_j + L·|ω′_j − ω_j|) for angles within α_j whose products are rounded by r_j,
//! at positions at most L apart. Of the others, with f for an entry's error, Q and K for lengths, u, η, c and g = 1 + √2·f for what rotates, G = g(1 + √2u)(1 + u), u′ and η′ for what
//! accumulates N = dim terms, h = N/2, and m² ≥ Σ‖q_j‖²‖k_j‖²:
//!
//! * an entry's error changes the query by f·‖q_j‖ in one of two orthogonal directions, so that both cosine and sine have
//!   Σd² = f²·‖q_j‖²‖k_j‖²; its four products and two sums have at most u²g²(1 + (1 + √2u)²)·‖q_j‖²‖k_j‖², together
//!   w²·‖q_j‖²‖k_j‖²; the key's have the same with G‖q_j‖ + c for ‖q_j‖;
//! * the products and sums of a dot product have at most (N + 1)·(u′M)², M = ((GQ + c√h)(GK + c√h) + Nη′)(1 + u′)^(N+1);
//! * the halves of η and η′ that underflow may add, as often as they occur, are counted by Minkowski's inequality.
//!
//! Where entries are not rounded in both directions, as cosines that round to 1 at many positions, the assumption does not
//! hold; the bounds that are proved do.

use super::{Attention, Softmax};
use crate::entry::{Model, Rate, half_spacing};
use crate::lattice::deviation;
use crate::origin::{Bound, Origin};
use crate::path::half;
use crate::program::Impossible;
use crate::quantity::{plus_one, root_two};
use crate::upward::{Upper, smallest, unit};
use posproof_numerics::{Float, Round};
use rayon::prelude::*;
use serde::Serialize;
use std::ops::Range;

/// A bound that fails at most once in so many scores.
const ODDS: u64 = 1_000_000_000;

/// Sources that are cited.
const AZUMA: &str = "Azuma 1967, Tôhoku Mathematical Journal 19, 357–367, applied as derived in docs/logits.md";

/// A bound that is not proved: it holds with a probability, on an assumption. Where few pairs leave little to average over it may
/// be larger than the bound that holds in every case: [`at_most`](Self::at_most).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Probable {
    /// The bound and what is cited for it.
    pub bound: Bound,
    /// It fails with a probability of at most one in so many.
    pub odds: u64,
    /// No pair of a query or of a key is longer than this times length/√(dim/2).
    pub spread: f64,
    /// Assumption on rounding errors.
    pub assumption: &'static str,
}

impl Probable {
    /// An assumption that nobody has proved, and that is not always true: it takes the place of an axiom.
    const ASSUMPTION: &'static str = "the error of each entry of the table and of each operation on it has mean 0 \
        whatever those before it are; those of the angles are counted in full";

    /// In place of the assumption where the bound is certain.
    const NOTHING: &'static str = "nothing: the bound that holds in every case is no larger";

    /// The same; or a bound that holds in every case, where that is no larger.
    pub fn at_most(self, certain: Bound) -> Self {
        if certain.value() <= self.bound.value() {
            Self { bound: certain, assumption: Self::NOTHING, ..self }
        } else {
            self
        }
    }

    fn new(bound: Upper, spread: f64) -> Self {
        let bound = Bound::of(bound, Origin::Cited(AZUMA));
        Self { bound, odds: ODDS, spread, assumption: Self::ASSUMPTION }
    }
}

/// Knowledge of a table's entries.
struct TableKnowledge {
    /// b_j, the largest first: how far the angles at two positions move the part of a pair, by ‖q_j‖‖k_j‖.
    angles: Vec<Upper>,
    /// f: the largest error of an entry beside the exact one of the angle as computed.
    entry: Upper,
}

/// Knowledge of how long the pairs of a query and a key are.
#[derive(Clone, Copy)]
enum Pairs {
    /// None is longer than this times length/√(dim/2).
    Spread(f64),
    /// √Σ‖q_j‖²‖k_j‖² is at most this.
    Mass(Upper),
}

fn root(x: Upper) -> Upper {
    // The root in binary64 is the correctly rounded one.
    if x == Upper::ZERO { x } else { Upper::of(x.get().sqrt().next_up()) }
}

fn square(x: Upper) -> Upper {
    x * x
}

/// √(2·ln(2·odds)).
fn deviations(odds: u64) -> Upper {
    let logarithm = Float::from(odds.saturating_mul(2)).ln(64, Round::Up).to_f64(Round::Up);
    root(Upper::of(2.0) * Upper::of(logarithm))
}

impl Attention {
    /// The largest spread: a query that has one pair only. Nothing is then assumed of its components.
    pub fn largest_spread(&self) -> f64 {
        (f64::from(self.dim) / 2.0).sqrt()
    }

    /// The bound of a score before it is scaled.
    fn probable_score(&self, table: &TableKnowledge, pairs: Pairs, odds: u64) -> Upper {
        let [q, k, two] = [self.query, self.key, 2.0].map(Upper::of);
        let mass = self.mass(pairs);
        let (u, tiny) = (unit(self.rotation.format), half(smallest(self.rotation.format)));
        let (turned, summed) = (plus_one(root_two() * table.entry), plus_one(root_two() * u));
        let grown = turned * summed * plus_one(u);
        // Both components of a pair, each with two products and a sum.
        let floor = two * two * root_two() * plus_one(u) * tiny;
        let step = root(square(table.entry) + square(u * turned) * plus_one(square(summed)));
        let halves = root(Upper::of(f64::from(self.dim) / 2.0));
        let length = |x: Upper| grown * x + floor * halves;
        let sides = root(square(mass) + square(grown * mass + floor * k));
        let rotating = step * sides + root(Upper::of(3.0)) * tiny * (k + length(q));
        let format = self.scores.format;
        let count = Upper::of(f64::from(self.dim));
        let most = length(q) * length(k) + count * smallest(format);
        let most = most * plus_one(unit(format).repeat(self.dim + 1));
        let summing = unit(format) * most * root(plus_one(count)) + half(smallest(format)) * root(two * count);
        let random = deviations(odds) * root(square(rotating) + square(summing));
        self.turned(table, pairs) + random
    }

    /// The bound of a logit.
    fn probable_logit(&self, table: &TableKnowledge, pairs: Pairs, odds: u64) -> Upper {
        self.scaled(self.probable_score(table, pairs, odds))
    }

    /// m.
    fn mass(&self, pairs: Pairs) -> Upper {
        match pairs {
            Pairs::Spread(spread) => {
                let halves = (f64::from(self.dim) / 2.0).sqrt().next_down();
                (Upper::of(spread) * Upper::of(self.query) * Upper::of(self.key)).over(halves)
            }
            Pairs::Mass(mass) => mass,
        }
    }

    /// Σ b_j·‖q_j‖‖k_j‖ at most, of which Σ ‖q_j‖‖k_j‖ ≤ QK is known, and that none is above S²·QK/h, or what the sum of
    /// their squares is.
    fn turned(&self, table: &TableKnowledge, pairs: Pairs) -> Upper {
        let product = Upper::of(self.query) * Upper::of(self.key);
        match pairs {
            Pairs::Spread(spread) => {
                let most = square(Upper::of(spread)).over(f64::from(self.dim) / 2.0).get();
                // The pairs whose angles err most, each as long as it may be, as long as something is left.
                let (mut rest, mut sum) = (1.0f64, Upper::ZERO);
                for angle in &table.angles {
                    let part = most.min(rest);
                    sum = sum + *angle * Upper::of(part);
                    rest = if part < rest { (rest - part).next_up() } else { 0.0 };
                }
                sum * product
            }
            Pairs::Mass(mass) => {
                let squares = table.angles.iter().fold(Upper::ZERO, |sum, angle| sum + square(*angle));
                let largest = table.angles.first().copied().unwrap_or(Upper::ZERO);
                (root(squares) * mass).min(largest * product)
            }
        }
    }

    fn spread(&self, spread: f64) -> Result<f64, Impossible> {
        let most = self.largest_spread();
        if (1.0..=most).contains(&spread) {
            return Ok(spread);
        }
        Err(Impossible::new("spread", spread, format!("1, for pairs of one length, to {most}, for one pair alone")))
    }
}

impl Model {
    /// Knowledge of all entries over a range of positions, with the frequencies as computed.
    fn entries_over(&self, positions: &Range<u64>) -> Result<TableKnowledge, Impossible> {
        if !self.is_plain() {
            return Err(Impossible::new(
                "amplitude",
                "another than 1",
                "1: only then is a pair of the table a rotation",
            ));
        }
        let angles = (0..self.convention.pairs()).into_par_iter().map(|pair| self.turn(&self.rate(pair)?, positions));
        let mut angles = angles.collect::<Result<Vec<Upper>, Impossible>>()?;
        angles.sort_by(|one, other| other.get().total_cmp(&one.get()));
        Ok(TableKnowledge { angles, entry: self.function_error() })
    }

    /// b_j: e^(i(δ_m − δ_n)) is as far from 1 as δ_m and δ_n are apart at most, of which the frequency's error is in
    /// proportion to m − n.
    fn turn(&self, rate: &Rate, positions: &Range<u64>) -> Result<Upper, Impossible> {
        let range = self.effective(positions, rate)?;
        let (last, span) = (range.end - 1, range.end - 1 - range.start);
        let angle = self.angle_error(rate, range);
        let two = Upper::of(2.0);
        let both = (two * angle).min(two);
        if last > 1 << self.program.position.precision() {
            return Ok(both);
        }
        let product = Upper::of(last as f64) * Upper::of(rate.computed.value);
        let rounded = two * half_spacing(self.program.angle, product);
        Ok(both.min(rounded + Upper::of(span as f64) * deviation(&rate.omega, rate.computed.value)))
    }

    /// The error of a logit at any two of the positions, with probability 1 − 10⁻⁹, for queries and keys no pair of which is
    /// longer than `spread`·length/√(dim/2), 1 ≤ `spread` ≤ √(dim/2).
    pub fn probable_logits(
        &self,
        attention: &Attention,
        positions: &Range<u64>,
        spread: f64,
    ) -> Result<Probable, Impossible> {
        attention.validate()?;
        let spread = attention.spread(spread)?;
        let entries = self.entries_over(positions)?;
        Ok(Probable::new(attention.probable_logit(&entries, Pairs::Spread(spread), ODDS), spread))
    }

    /// The same of one query and one key of which the lengths of pairs are known: `mass` is at least √Σ‖q_j‖²‖k_j‖².
    pub fn probable_logit_of(
        &self,
        attention: &Attention,
        positions: &Range<u64>,
        mass: f64,
    ) -> Result<Probable, Impossible> {
        attention.validate()?;
        let entries = self.entries_over(positions)?;
        Ok(Probable::new(
            attention.probable_logit(&entries, Pairs::Mass(Upper::of(mass)), ODDS),
            attention.largest_spread(),
        ))
    }

    /// The error of a component of an output of attention, with probability 1 − 10⁻⁹: no logit is beyond a bound that fails
    /// n times more rarely, and then `rounding_attention` is applied with that for ε, whose other errors are counted in full.
    pub fn probable_outputs(
        &self,
        attention: &Attention,
        positions: &Range<u64>,
        spread: f64,
    ) -> Result<Probable, Impossible> {
        attention.validate()?;
        let spread = attention.spread(spread)?;
        let entries = self.entries_over(positions)?;
        let odds = ODDS.saturating_mul(u64::from(attention.keys));
        let logit = attention.probable_logit(&entries, Pairs::Spread(spread), odds);
        let softmax = Softmax {
            format: attention.softmax,
            kappa: attention.kappa,
            terms: attention.keys,
            score_error: logit.get(),
        };
        let cast = (attention.weights != attention.softmax).then_some(attention.weights);
        let output = softmax.output_of(cast, attention.values, attention.value);
        Ok(Probable::new(Upper::of(output.value()), spread))
    }
}
