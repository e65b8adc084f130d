//! Rotated pairs and scores over ranges of positions, for vectors of length 1.

use super::attention::Attention;
use super::entry::{Model, Rate};
use super::origin::Bound;
use super::program::Impossible;
use super::quantity::{Arithmetic, Scoring, rotated_pair, unit_score};
use super::study::decades;
use rayon::prelude::*;
use std::ops::Range;

/// The two bounds of a quantity over a range of positions.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The pair; none where all pairs contribute.
    pub pair: Option<usize>,
    /// The positions.
    pub positions: Range<u64>,
    /// By the theorem of the path.
    pub a_priori: Bound,
    /// With the frequencies as computed.
    pub instance: Bound,
}

/// Quantity made of the errors of a pair's table.
type Quantity<'a> = &'a (dyn Fn(Bound) -> Bound + Sync);

impl Model {
    /// Rotations, products and sums in the format of the table, nothing fused.
    pub fn plain_scoring(&self) -> Scoring {
        let sums = self.program.storage;
        Scoring { rotation: Arithmetic::plain(sums), sums }
    }

    /// The distance of a pair of length 1, rotated so, from the exact one: decade by decade, and last over all
    /// positions (`rounding_rotated_pair_length`).
    pub fn rotations(
        &self,
        rotation: Arithmetic,
        pairs: &[usize],
        positions: &Range<u64>,
    ) -> Result<Vec<Vec<Composite>>, Impossible> {
        let turn: Quantity = &|table| rotated_pair(rotation, table, 1.0);
        pairs
            .par_iter()
            .map(|&pair| {
                let rate = self.rate(pair)?;
                spans(positions).into_iter().map(|span| self.composite(Some(pair), &[&rate], span, turn)).collect()
            })
            .collect()
    }

    /// The error of the score of a query and a key of length 1, computed so, at any two of the positions: decade by decade,
    /// and last over all positions (`rounding_unit_score`).
    pub fn scores(
        &self,
        Scoring { rotation, sums }: Scoring,
        positions: &Range<u64>,
    ) -> Result<Vec<Composite>, Impossible> {
        let (pairs, dim) = (self.convention.pairs(), self.convention.dim);
        self.whole(positions, &|table| unit_score(rotation, sums, pairs as u32, dim as u32, table))
    }

    /// The attention that is usual with this table, for every pair of the convention and n keys.
    pub fn usual_attention(&self, keys: u32) -> Attention {
        let (dim, pairs) = (self.convention.dim as u32, self.convention.pairs() as u32);
        Attention::usual(self.program.storage, dim, pairs, keys)
    }

    /// The error of a logit at any two of the positions: decade by decade, and last over all positions (`rounding_logit`).
    pub fn logits(&self, attention: &Attention, positions: &Range<u64>) -> Result<Vec<Composite>, Impossible> {
        self.attended(attention, positions, &|table| attention.logit(table))
    }

    /// The error of a component of an output of attention, query and keys at any of the positions: decade by decade,
    /// and last over all positions (`rounding_attention`).
    pub fn outputs(&self, attention: &Attention, positions: &Range<u64>) -> Result<Vec<Composite>, Impossible> {
        let rows = self.attended(attention, positions, &|table| attention.output(table))?;
        match rows.iter().all(|row| row.a_priori.value().is_finite() && row.instance.value().is_finite()) {
            true => Ok(rows),
            false => {
                let sum = format!("so few that their sum in {} errs by less than itself", attention.softmax);
                Err(Impossible::new("keys", attention.keys, sum))
            }
        }
    }

    fn attended(
        &self,
        attention: &Attention,
        positions: &Range<u64>,
        quantity: Quantity,
    ) -> Result<Vec<Composite>, Impossible> {
        attention.validate()?;
        let (dim, pairs) = (self.convention.dim as u32, self.convention.pairs() as u32);
        if (attention.dim, attention.rotated, attention.rotation.format) != (dim, pairs, self.program.storage) {
            let found = format!("{} of {} in {}", attention.rotated, attention.dim, attention.rotation.format);
            let expected = format!("{pairs} of {dim} in {}, as the table has", self.program.storage);
            return Err(Impossible::new("rotated pairs of a query's components", found, expected));
        }
        self.whole(positions, quantity)
    }

    /// A quantity that takes all pairs: decade by decade, and last over all positions.
    fn whole(&self, positions: &Range<u64>, quantity: Quantity) -> Result<Vec<Composite>, Impossible> {
        let pairs = 0..self.convention.pairs();
        let rates: Result<Vec<Rate>, Impossible> = pairs.into_par_iter().map(|pair| self.rate(pair)).collect();
        let rates = rates?;
        let rates: Vec<&Rate> = rates.iter().collect();
        spans(positions).into_iter().map(|span| self.composite(None, &rates, span, quantity)).collect()
    }

    /// The error of every pair of the table over the positions, with the frequencies as computed.
    pub(super) fn table_over(&self, positions: &Range<u64>) -> Result<Bound, Impossible> {
        let bounds: Result<Vec<Bound>, Impossible> = (0..self.convention.pairs())
            .into_par_iter()
            .map(|j| self.pair(&self.rate(j)?, positions.clone()))
            .collect();
        bounds?.into_iter().reduce(Bound::max).ok_or_else(|| Impossible::new("pairs", 0, "at least one"))
    }

    fn composite(
        &self,
        pair: Option<usize>,
        rates: &[&Rate],
        span: Range<u64>,
        quantity: Quantity,
    ) -> Result<Composite, Impossible> {
        let largest = |bounds: Result<Vec<Bound>, Impossible>| -> Result<Bound, Impossible> {
            let none = || Impossible::new("pairs", 0, "at least one");
            bounds?.into_iter().reduce(Bound::max).ok_or_else(none)
        };
        let a_priori = largest(rates.par_iter().map(|rate| self.pair_a_priori(rate, span.clone())).collect())?;
        let instance = largest(rates.par_iter().map(|rate| self.pair(rate, span.clone())).collect())?;
        Ok(Composite { pair, a_priori: quantity(a_priori), instance: quantity(instance), positions: span })
    }
}

/// The decades, and all positions.
fn spans(positions: &Range<u64>) -> Vec<Range<u64>> {
    let mut spans = decades(positions);
    spans.push(positions.clone());
    spans
}
