//! The judge: cases → comparisons → decisions → a tally.

use super::sample::{Sampler, formal_cases};
use super::witness::Witness;
use super::{Effort, Plan};
use crate::claim::{Case, Claim, Comparison, Form, Reach, Size};
use crate::number::{System, system::Decision};
use proptest::strategy::ValueTree;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What one system said of one form of a claim.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases looked at.
    pub cases: u64,
    /// Comparisons that held.
    pub held: u64,
    /// Comparisons on which the system was unable to decide, by reason.
    pub unable: BTreeMap<String, u64>,
    /// Comparisons that were refuted.
    pub refuted: u64,
    /// Comparisons of kinds `≠` and `<` that held: sides that were told apart.
    pub separated: u64,
    /// The largest error, or width, among the comparisons that held.
    pub worst: Option<Worst>,
    /// The largest error divided by its bound.
    pub worst_ratio: f64,
    /// A refutation, shrunk as far as it goes.
    pub refutation: Option<Witness>,
    /// The first separation found.
    pub separation: Option<Witness>,
}

/// The comparison with the largest error.
#[derive(Clone, Debug)]
pub struct Worst {
    /// The measured difference, or width.
    pub error: f64,
    /// The bound at that comparison.
    pub bound: f64,
    /// Where it is.
    pub witness: Witness,
}

impl Tally {
    /// Comparisons that the system was unable to decide.
    pub fn unable_count(&self) -> u64 {
        self.unable.values().sum()
    }

    /// Adds the tally of later cases.
    fn absorb(&mut self, later: Tally) {
        self.cases += later.cases;
        self.held += later.held;
        self.refuted += later.refuted;
        self.separated += later.separated;
        self.worst_ratio = self.worst_ratio.max(later.worst_ratio);
        for (reason, count) in later.unable {
            *self.unable.entry(reason).or_insert(0) += count;
        }
        if later.worst.as_ref().is_some_and(|worst| self.worst.as_ref().is_none_or(|mine| worst.error > mine.error)) {
            self.worst = later.worst;
        }
        self.refutation = self.refutation.take().or(later.refutation);
        self.separation = self.separation.take().or(later.separation);
    }
}

/// Judges one form of a claim in one kind of system, over all its sizes.
pub fn judge<C: Claim, S: System>(system: &S, reach: Reach, form: Form, plan: &Plan) -> Tally {
    let mut tally = Tally::default();
    for size in C::sizes(reach) {
        tally.absorb(judge_size::<C, S>(system, reach, form, plan, size));
        // One refutation settles the forms that are expected to be false.
        if form != Form::Settled && tally.refuted > 0 {
            break;
        }
    }
    tally
}

fn judge_size<C: Claim, S: System>(system: &S, reach: Reach, form: Form, plan: &Plan, size: Size) -> Tally {
    let inputs = C::inputs(&size);
    if reach == Reach::Formal {
        let cases = formal_cases(size, &inputs);
        return cases.iter().map(|case| judge_case::<C, S>(system, case, form)).fold(Tally::default(), summed);
    }
    let constant = inputs.positions.is_empty() && inputs.reals.is_empty() && inputs.permutations.is_empty();
    let sampler = Sampler::new(C::ABOUT.id, size, inputs, plan.seed);
    let count = if constant && sampler.case(0).choices.is_empty() {
        1
    } else {
        plan.cases(C::work(&size), form, sampler.grid_len())
    };
    let mut tally = Tally::default();
    // In blocks, so that a refuted form stops early and memory stays bounded.
    for block in 0..count.div_ceil(BLOCK) {
        let indices = block * BLOCK..count.min((block + 1) * BLOCK);
        let tallies: Vec<Tally> = indices
            .clone()
            .into_par_iter()
            .map(|index| judge_case::<C, S>(system, &sampler.case(index), form))
            .collect();
        let refuted = tallies.iter().position(|tally| tally.refuted > 0).map(|place| indices.start + place);
        tally = tallies.into_iter().fold(tally, summed);
        if let Some(index) = refuted {
            tally.refutation = shrunk::<C, S>(system, &sampler, index, form).or(tally.refutation);
            break;
        }
    }
    tally
}

const BLOCK: usize = 256;

fn summed(mut sum: Tally, next: Tally) -> Tally {
    sum.absorb(next);
    sum
}

/// Judges one case.
pub fn judge_case<C: Claim, S: System>(system: &S, case: &Case, form: Form) -> Tally {
    let system = system.at(&case.values);
    let mut tally = Tally { cases: 1, ..Tally::default() };
    for comparison in C::comparisons(&system, case, form) {
        let decision = system.decide(&comparison.relation);
        let witness = || Witness::new(&system, case, &comparison);
        match decision {
            Decision::Unable(reason) => *tally.unable.entry(reason.into_owned()).or_insert(0) += 1,
            Decision::Refuted(_) => {
                tally.refuted += 1;
                tally.refutation.get_or_insert_with(witness);
            }
            Decision::Held(measure) => {
                tally.held += 1;
                if matches!(comparison.relation.sign(), "≠" | "<") {
                    tally.separated += 1;
                    tally.separation.get_or_insert_with(witness);
                }
                if measure.bound > 0.0 {
                    tally.worst_ratio = tally.worst_ratio.max(measure.error / measure.bound);
                }
                if tally.worst.as_ref().is_none_or(|worst| measure.error > worst.error) {
                    tally.worst = Some(Worst { error: measure.error, bound: measure.bound, witness: witness() });
                }
            }
        }
    }
    tally
}

/// The simplest refuted case that proptest's shrinking finds from case `index`.
fn shrunk<C: Claim, S: System>(system: &S, sampler: &Sampler, index: usize, form: Form) -> Option<Witness> {
    const MOST_STEPS: usize = 256;
    let mut tree = sampler.tree(index).ok()?;
    let mut simplest = judge_case::<C, S>(system, &tree.current(), form).refutation;
    for _ in 0..MOST_STEPS {
        if !tree.simplify() {
            break;
        }
        loop {
            let refutation = judge_case::<C, S>(system, &tree.current(), form).refutation;
            if refutation.is_some() {
                simplest = refutation;
                break;
            }
            if !tree.complicate() {
                return simplest;
            }
        }
    }
    simplest
}

impl Plan {
    /// How many numeric cases are affordable when one takes `work` operations.
    fn cases(&self, work: usize, form: Form, grid: usize) -> usize {
        let budget = match (self.effort, form) {
            (_, Form::Sabotaged | Form::AsWritten) | (Effort::Quick, _) => self.budget / 16,
            (Effort::Standard, _) => self.budget,
            (Effort::Exhaustive, _) => self.budget * 64,
        };
        let fewest = if self.effort == Effort::Quick { 16 } else { grid.max(32) };
        (budget / work.max(1)).clamp(fewest, 1 << 22)
    }
}

/// The comparisons of a case, for tests and reports that look at single ones.
pub fn comparisons<C: Claim, S: System>(system: &S, case: &Case, form: Form) -> Vec<Comparison<S::Number>> {
    C::comparisons(&system.at(&case.values), case, form)
}
