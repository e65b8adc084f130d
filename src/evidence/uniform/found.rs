//! The largest errors that occur: of every case where these are few, else of those that the first order asks for.

use super::climb::{climb_reals, grow_reals, renew_reals};
use super::once::Once;
use super::search::{Budget, Drawn, candidates, polish};
use super::{AllBounded, LOOSE, Study};
use crate::claim::{Case, Comparison, Effort, Form, Size};
use crate::evidence::systems::SystemName;
use crate::evidence::witness::Witness;
use crate::number::float::Float;
use crate::number::format::Format;
use crate::number::linear::Uniform;
use crate::number::running::Rounding;
use crate::number::system::{Decision, Relation, System, Values};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Operations, at most, for which every position is computed where bound ÷ found is more than so much.
const EXHAUSTED: [(usize, f64); 2] = [(1 << 20, LOOSE), (1 << 24, 12.0)];

/// Operations of a climb, at most.
const CLIMB: usize = 1 << 20;

/// Evaluations of vectors that grow, as a multiple of those of a climb.
const GROWTH: usize = 8;

/// Bound ÷ found, from which vectors are grown.
const VERY_LOOSE: f64 = 5.0;

/// The largest error of each name, with its case.
type Largest = BTreeMap<&'static str, (f64, Case)>;

/// A largest error, and where it is.
pub(super) type Found = (f64, Option<Witness>);

/// Of some comparisons the largest error of positions in turn, with true where these are all.
pub(super) type Tried = BTreeMap<&'static str, (Found, bool)>;

/// Of each comparison, the positions and reals of which its sides are made; none where that is not known.
type Names = BTreeMap<&'static str, Option<BTreeSet<&'static str>>>;

impl Study<'_> {
    /// No claim asks for the values of its positions and reals but to choose what it puts in order.
    fn names(&self, last: i64) -> Arc<Names> {
        static KNOWN: Once<(&str, Size, i64, SystemName), Names> = Once::new();
        KNOWN.get((self.entry.about().id, self.size, last, self.system), || {
            let system = Uniform::new(&self.inputs, last, self.format);
            let instance = self.entry.linear();
            let mut all = Names::new();
            for case in &self.cases {
                for Comparison { what, relation, .. } in
                    instance.comparisons(&system, case, Form::Settled).unwrap_or_default()
                {
                    let Relation::Equal(left, right) = relation else { continue };
                    let found = left.names().zip(right.names()).map(|(one, other)| &one | &other);
                    let known = all.remove(what).unwrap_or_else(|| Some(BTreeSet::new()));
                    all.insert(what, known.zip(found).map(|(known, found)| &known | &found));
                }
            }
            all
        })
    }

    /// The largest errors of the comparisons that depend on one position at most, with true where each was tried: of all that
    /// depend on the position of one that `is_loose`. Where these are too many, and one is very loose, some are tried.
    pub(super) fn exhausted(&self, last: i64, is_loose: &dyn Fn(&str, f64) -> bool) -> Tried {
        let mut groups: BTreeMap<Option<&'static str>, Vec<&'static str>> = BTreeMap::new();
        for (what, names) in &*self.names(last) {
            let Some(names) = names.as_ref().filter(|names| names.len() <= 1) else { continue };
            groups.entry(names.first().copied()).or_default().push(what);
        }
        let ranges: Vec<(&'static str, [i64; 2])> = self.inputs.positions_to(last).collect();
        let reals = self.inputs.reals.iter().map(|(name, count, _, high)| (*name, vec![*high; *count]));
        let positions = ranges.iter().map(|(name, [low, _])| (*name, *low as f64));
        let first = Values::new(positions.collect(), reals.collect());
        let mut all = Tried::new();
        for (symbol, mut group) in groups {
            let range = match symbol {
                None => [0, 0],
                Some(symbol) => match ranges.iter().find(|(name, _)| *name == symbol) {
                    Some((_, range)) => *range,
                    // A real.
                    None => continue,
                },
            };
            let count = usize::try_from(range[1] - range[0] + 1).unwrap_or(usize::MAX).saturating_mul(self.cases.len());
            let operations = count.saturating_mul(self.entry.work(&self.size));
            let is_asked =
                |(most, share): &(usize, f64)| operations <= *most && group.iter().any(|what| is_loose(what, *share));
            let is_every = EXHAUSTED.iter().any(is_asked);
            let [_, (most, share)] = EXHAUSTED;
            if !is_every && !group.iter().any(|what| is_loose(what, share)) {
                continue;
            }
            // An odd one: positions that are even have angles of few bits.
            let step = if is_every { 1 } else { operations.div_ceil(most) | 1 };
            let mut largest = Largest::new();
            for place in (range[0]..=range[1]).step_by(step) {
                let mut values = first.clone();
                values.positions.extend(symbol.map(|symbol| (symbol, place as f64)));
                let values = Arc::new(values);
                for case in &self.cases {
                    let case = Case { values: Arc::clone(&values), ..case.clone() };
                    let errors = self.errors(&case);
                    // What is not computed at one place is not known at all of them.
                    group.retain(|what| errors.get(what).is_none_or(|error| error.is_finite()));
                    for (what, error) in errors {
                        if largest.get(what).is_none_or(|(known, _)| error > *known) {
                            largest.insert(what, (error, case.clone()));
                        }
                    }
                }
            }
            largest.retain(|what, _| group.contains(what));
            all.extend(largest.into_iter().map(|(what, found)| (what, (self.witnessed(what, found), is_every))));
        }
        all
    }

    /// The largest error of each name at a case; infinite where one is not known.
    fn errors(&self, case: &Case) -> BTreeMap<&'static str, f64> {
        let at = self.floats.at(&case.values);
        let comparisons = self.entry.floating().comparisons(&at, case, Form::Settled).unwrap_or_default();
        let mut largest = BTreeMap::<&'static str, f64>::new();
        for comparison in &comparisons {
            if matches!(comparison.relation, Relation::Equal(..)) {
                let known = largest.entry(comparison.what).or_default();
                *known = known.max(error(&at, comparison).unwrap_or(f64::INFINITY));
            }
        }
        largest
    }

    /// The largest error of one name at a case; none where none is known.
    fn error(&self, what: &'static str, case: &Case) -> Option<f64> {
        self.errors(case).remove(what).filter(|error| error.is_finite())
    }

    fn witnessed(&self, what: &'static str, (largest, case): (f64, Case)) -> Found {
        let at = self.floats.at(&case.values);
        let comparisons = self.entry.floating().comparisons(&at, &case, Form::Settled).unwrap_or_default();
        let place = comparisons.iter().find(|one| one.what == what && error(&at, one) == Some(largest));
        (largest, place.map(|comparison| Witness::with_all_inputs(&at, &case, comparison)))
    }

    /// The largest error that is found in each comparison, and where.
    pub(super) fn search(&self, last: i64, all: &AllBounded) -> BTreeMap<&'static str, Found> {
        let budget = self.budget();
        let mut drawn = Drawn::default();
        let sampled = (0..budget.evaluations).map(|index| drawn.values(&self.inputs, last, index));
        let landscapes = all.values().flatten().filter_map(|bounded| bounded.landscape.as_ref());
        let climbed = landscapes.flat_map(|landscape| candidates(landscape, &self.inputs, last, budget));
        let mut worst = Largest::new();
        for (place, values) in sampled.chain(climbed).enumerate() {
            // In steps of 7, coprime to the counts of permutations.
            let case = Case { values: Arc::new(values), ..self.cases[place * 7 % self.cases.len()].clone() };
            for (what, error) in self.errors(&case).into_iter().filter(|(_, error)| error.is_finite()) {
                if worst.get(what).is_none_or(|(largest, _)| error > *largest) {
                    worst.insert(what, (error, case.clone()));
                }
            }
        }
        let (names, climb) = (self.names(last), self.climb_budget());
        let found = |(what, start): (&'static str, (f64, Case))| {
            let error = |case: &Case| self.error(what, case);
            let mut found = polish(&self.inputs, last, start, budget, error);
            let bound = all.get(what).and_then(Option::as_ref).map_or(0.0, |bounded| bounded.bound);
            let is_loose = |found: f64, share: f64| bound.is_finite() && bound > share * found;
            if let Some(Some(names)) = names.get(what).filter(|_| is_loose(found.0, LOOSE)) {
                found = climb_reals(&self.inputs, names, last, found, climb, error);
                for is_first in [true, false] {
                    if is_loose(found.0, VERY_LOOSE) {
                        found = renew_reals(&self.inputs, names, is_first, found, GROWTH * climb, error);
                    }
                }
                if is_loose(found.0, VERY_LOOSE) {
                    found = grow_reals(&self.inputs, names, found, GROWTH * climb, error);
                    found = climb_reals(&self.inputs, names, last, found, climb, error);
                }
            }
            (what, self.witnessed(what, found))
        };
        worst.into_iter().map(found).collect()
    }

    /// Evaluations of a climb: none in formats that are narrower than those of the ledger's marks.
    fn climb_budget(&self) -> usize {
        let work = match self.effort {
            _ if self.format.precision() < Format::F32.precision() => return 0,
            Effort::Quick => return 0,
            Effort::Standard => CLIMB,
            Effort::Exhaustive => CLIMB << 5,
        };
        (work / self.entry.work(&self.size).max(1)).clamp(64, 4096)
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
