//! The largest errors that occur: of every case where these are few, else of those that the first order asks for.

use super::search::{Budget, Drawn, candidates, polish};
use super::{AllBounded, MOST_OPERATIONS, Study};
use crate::claim::{Case, Comparison, Form};
use crate::evidence::{Effort, Witness};
use crate::number::float::Float;
use crate::number::running::Rounding;
use crate::number::system::{Decision, Relation, System, Values};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest error of each name, with its case.
type Largest = BTreeMap<&'static str, (f64, Case)>;

impl Study<'_> {
    /// Every case of the domain, where these are few.
    pub(super) fn every_case(&self, last: i64) -> Option<Vec<Case>> {
        let ranges: Vec<(&'static str, [i64; 2])> = self.inputs.positions_to(last).collect();
        let [(name, [first, end])] = ranges[..] else {
            let is_constant = ranges.is_empty() && self.inputs.reals.is_empty();
            return is_constant.then(|| self.cases.clone());
        };
        let count = usize::try_from(end - first).ok()?.saturating_mul(self.cases.len());
        let is_affordable = count.saturating_mul(self.entry.work(&self.size)) <= MOST_OPERATIONS;
        (self.inputs.reals.is_empty() && is_affordable && self.effort != Effort::Quick).then(|| {
            let values = |p: i64| Arc::new(Values { positions: [(name, p as f64)].into(), ..Values::default() });
            let at = |p: i64| self.cases.iter().map(move |case| Case { values: values(p), ..case.clone() });
            (first..=end).flat_map(at).collect()
        })
    }

    /// The largest error that is found in each comparison, and where.
    pub(super) fn search(
        &self,
        last: i64,
        all: &AllBounded,
        every: Option<&[Case]>,
    ) -> BTreeMap<&'static str, (f64, Option<Witness>)> {
        let instance = self.entry.floating();
        let system = Rounding::<Float>::new(self.format);
        let budget = self.budget();
        let errors = |case: &Case| {
            let at = system.at(&case.values);
            let comparisons = instance.comparisons(&at, case, Form::Settled).unwrap_or_default();
            let errors = comparisons.iter().filter_map(|one| Some((one.what, error(&at, one)?)));
            errors.fold(BTreeMap::<&'static str, f64>::new(), |mut largest, (what, error)| {
                let known = largest.entry(what).or_default();
                *known = known.max(error);
                largest
            })
        };
        let merged = |mut worst: Largest, (what, error, case): (&'static str, f64, &Case)| {
            if worst.get(what).is_none_or(|(largest, _)| error > *largest) {
                worst.insert(what, (error, case.clone()));
            }
            worst
        };
        let of_cases = |cases: &[Case]| {
            let of_case = |case| errors(case).into_iter().map(move |(what, error)| (what, error, case));
            cases.iter().flat_map(of_case).fold(Largest::new(), merged)
        };
        let chosen = || {
            let mut drawn = Drawn::default();
            let sampled = (0..budget.evaluations).map(|index| drawn.values(&self.inputs, last, index));
            let landscapes = all.values().flatten().filter_map(|bounded| bounded.landscape.as_ref());
            let climbed = landscapes.flat_map(|landscape| candidates(landscape, &self.inputs, last, budget));
            // In steps of 7, coprime to the counts of permutations.
            let case = |(place, values): (usize, Values)| Case {
                values: Arc::new(values),
                ..self.cases[place * 7 % self.cases.len()].clone()
            };
            sampled.chain(climbed).enumerate().map(case).collect::<Vec<_>>()
        };
        let worst = every.map_or_else(|| of_cases(&chosen()), of_cases);
        let budget = if every.is_some() { Budget { evaluations: 0, ..budget } } else { budget };
        let found = |(what, start): (&'static str, (f64, Case))| {
            let of = |case: &Case| errors(case).remove(what);
            let (largest, case) = polish(&self.inputs, last, start, budget, of);
            let at = system.at(&case.values);
            let comparisons = instance.comparisons(&at, &case, Form::Settled).unwrap_or_default();
            let place = comparisons.iter().find(|one| one.what == what && error(&at, one) == Some(largest));
            (what, (largest, place.map(|comparison| Witness::with_all_inputs(&at, &case, comparison))))
        };
        worst.into_iter().map(found).collect()
    }

    fn budget(&self) -> Budget {
        let work = match self.effort {
            Effort::Quick => 1 << 12,
            Effort::Standard => 1 << 14,
            Effort::Exhaustive => 1 << 19,
        };
        let evaluations = (2 * work / self.entry.work(&self.size).max(1)).clamp(16, 2048);
        Budget { positions: 32 * work, evaluations }
    }
}

/// The error of an equality that a float system holds or refutes.
fn error(system: &Rounding<Float>, comparison: &Comparison<<Rounding<Float> as System>::Number>) -> Option<f64> {
    let Relation::Equal(..) = comparison.relation else { return None };
    match system.decide(&comparison.relation) {
        Decision::Held(measure) | Decision::Refuted(measure) => Some(measure.error),
        Decision::Unable(_) => None,
    }
}
