//! The judge: cases → comparisons → decisions → what a system says of a form.

use super::sample::{Plan, Sampler, formal_cases};
use super::witness::Witness;
use crate::claim::{Case, Claim, Comparisons, Effort, Form, Inputs, Refusal, Size, SystemKind};
use crate::number::{
    System,
    system::{Decision, Measure, Missing, Side},
};
use proptest::strategy::ValueTree;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Judgement of one form of a claim by one system.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Cases looked at.
    pub cases: u64,
    /// Comparisons that held.
    pub held: u64,
    /// Comparisons on which the system was unable to decide, by reason.
    pub unable: BTreeMap<String, u64>,
    /// Comparisons that were refuted.
    pub refuted: u64,
    /// Cases at which the claim's code could not say what to compare, by reason.
    pub refused: BTreeMap<Refusal, u64>,
    /// Comparisons of kinds `≠` and `<` that held: sides that were told apart.
    pub separated: u64,
    /// The largest error, or width, among the comparisons that held.
    pub worst: Option<LargestError>,
    /// The largest share: error divided by its bound.
    pub largest_share: f64,
    /// A refutation, shrunk as far as it goes.
    pub refutation: Option<Refutation>,
    /// The first separation found.
    pub separation: Option<Witness>,
}

/// A comparison that is false.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Where it is.
    pub witness: Witness,
    /// Distance of its sides, and the distance that they may have.
    pub measure: Measure,
}

/// The comparison with the largest error; among equal errors, the one with the largest bound.
#[derive(Clone, Debug)]
pub struct LargestError {
    /// The measured difference, or width.
    pub error: f64,
    /// The bound at that comparison.
    pub bound: f64,
    /// Where it is; made at the end of each size, because most candidates are overtaken.
    pub witness: Option<Witness>,
    /// The largest absolute value of any side of the comparisons of that case, and 1 at least, as of cosines; none where a side of this
    /// comparison is 0, whose scale is that of what cancels.
    pub scale: Option<f64>,
    /// The case and the comparison in it.
    place: (usize, usize),
}

impl LargestError {
    fn exceeds(&self, other: &Self) -> bool {
        (self.error, self.bound) > (other.error, other.bound)
    }
}

impl Judgement {
    /// Comparisons that the system was unable to decide.
    pub fn unable_count(&self) -> u64 {
        self.unable.values().sum()
    }

    /// Adds the judgement of later cases.
    fn absorb(&mut self, later: Judgement) {
        self.cases += later.cases;
        self.held += later.held;
        self.refuted += later.refuted;
        self.separated += later.separated;
        self.largest_share = self.largest_share.max(later.largest_share);
        for (reason, count) in later.unable {
            *self.unable.entry(reason).or_insert(0) += count;
        }
        for (refusal, count) in later.refused {
            *self.refused.entry(refusal).or_insert(0) += count;
        }
        if later.worst.as_ref().is_some_and(|worst| self.worst.as_ref().is_none_or(|mine| worst.exceeds(mine))) {
            self.worst = later.worst;
        }
        self.refutation = self.refutation.take().or(later.refutation);
        self.separation = self.separation.take().or(later.separation);
    }
}

/// A claim as put to systems of one kind.
///
/// The part of a claim that depends on a system is behind a pointer: the judge is compiled once for a kind of system,
/// not once more for every claim.
pub struct Instance<S: System> {
    id: &'static str,
    sizes: fn(SystemKind) -> Vec<Size>,
    inputs: fn(&Size) -> Inputs,
    work: fn(&Size) -> usize,
    comparisons: fn(&S, &Case, Form) -> Comparisons<S::Number>,
}

impl<S: System> Instance<S> {
    /// The claim in systems of type `S`.
    pub fn of<C: Claim>() -> Self {
        Self { id: C::ABOUT.id, sizes: C::sizes, inputs: C::inputs, work: C::work, comparisons: C::comparisons::<S> }
    }

    /// The variables at a size.
    pub fn inputs(&self, size: &Size) -> Inputs {
        (self.inputs)(size)
    }

    /// The comparisons of a form at a case.
    ///
    /// # Errors
    ///
    /// The claim is mistaken about its own inputs or shapes.
    pub fn comparisons(&self, system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        (self.comparisons)(system, case, form)
    }

    /// Judges one form in one system, over all its sizes.
    pub fn judge(&self, system: &S, kind: SystemKind, form: Form, plan: &Plan) -> Judgement {
        let mut judgement = Judgement::default();
        for size in (self.sizes)(kind) {
            if kind != SystemKind::Formal && judgement.cases > 0 && !plan.affords((self.work)(&size), form) {
                judgement.unable.insert(format!("{size} takes more than this effort affords: see --effort"), 1);
                continue;
            }
            judgement.absorb(self.judge_size(system, kind, form, plan, size));
            // One refutation settles the forms that are expected to be false.
            if form != Form::Settled && judgement.refuted > 0 {
                break;
            }
        }
        judgement
    }

    fn judge_size(&self, system: &S, kind: SystemKind, form: Form, plan: &Plan, size: Size) -> Judgement {
        let inputs = (self.inputs)(&size);
        let sampler = Sampler::new(self.id, size, inputs.clone(), plan.seed);
        let formal = if kind == SystemKind::Formal { formal_cases(size, &inputs) } else { Vec::new() };
        let count = match kind {
            SystemKind::Formal => formal.len(),
            _ if sampler.is_constant() => 1,
            _ => plan.cases((self.work)(&size), form, sampler.grid_len()),
        };
        let case = |index: usize| formal.get(index).cloned().unwrap_or_else(|| sampler.case(index));
        let mut judgement = Judgement::default();
        // In growing blocks, so that a refuted form stops early and memory stays bounded.
        let mut next = 0;
        while next < count {
            let indices = next..count.min(next + next.clamp(4, BLOCK));
            next = indices.end;
            let judgements =
                indices.clone().into_par_iter().map(|index| self.judge_case(system, &case(index), index, form));
            let judgements: Vec<Judgement> = judgements.collect();
            let refuted =
                judgements.iter().position(|judgement| judgement.refuted > 0).map(|place| indices.start + place);
            judgements.into_iter().for_each(|later| judgement.absorb(later));
            if let Some(index) = refuted {
                // A sabotage needs no simplest witness, and formal cases have no simpler ones.
                if kind != SystemKind::Formal && form != Form::Sabotaged {
                    judgement.refutation = self.shrunk(system, &sampler, index, form).or(judgement.refutation);
                }
                break;
            }
        }
        if let Some(worst) = &mut judgement.worst {
            let case = case(worst.place.0);
            let system = system.at(&case.values);
            let comparisons = (self.comparisons)(&system, &case, form).unwrap_or_default();
            worst.witness = comparisons.get(worst.place.1).map(|comparison| Witness::new(&system, &case, comparison));
            // Below 2 it makes no difference.
            let witness = worst.witness.as_ref().filter(|_| worst.bound >= 2.0);
            worst.scale = witness.and_then(|witness| {
                let size = |side: &Side| side.decimal.parse::<f64>().ok().map(f64::abs);
                let own = [size(&witness.left)?, size(&witness.right)?];
                let sides = comparisons.iter().flat_map(|comparison| <[_; 2]>::from(comparison.relation.sides()));
                let all = sides.filter_map(|number| size(&system.side(number)));
                own.iter().all(|side| *side > 0.0).then(|| all.fold(1.0, f64::max))
            });
        }
        judgement
    }

    /// Judges one case, the `index`th of its size.
    fn judge_case(&self, system: &S, case: &Case, index: usize, form: Form) -> Judgement {
        let system = system.at(&case.values);
        let mut judgement = Judgement { cases: 1, ..Judgement::default() };
        let comparisons = match (self.comparisons)(&system, case, form) {
            Ok(comparisons) => comparisons,
            Err(refusal) => {
                judgement.refused.insert(refusal, 1);
                return judgement;
            }
        };
        for (place, comparison) in comparisons.iter().enumerate() {
            let witness = || Witness::new(&system, case, comparison);
            match system.decide(&comparison.relation) {
                Decision::Unable(reason) => match judgement.unable.get_mut(reason.as_ref()) {
                    Some(count) => *count += 1,
                    None => {
                        judgement.unable.insert(reason.into_owned(), 1);
                    }
                },
                Decision::Refuted(measure) => {
                    judgement.refuted += 1;
                    judgement.refutation.get_or_insert_with(|| Refutation { witness: witness(), measure });
                }
                Decision::Held(measure) => {
                    judgement.held += 1;
                    if matches!(comparison.relation.sign(), "≠" | "<") {
                        judgement.separated += 1;
                        judgement.separation.get_or_insert_with(witness);
                    }
                    if measure.bound > 0.0 {
                        judgement.largest_share = judgement.largest_share.max(measure.error / measure.bound);
                    }
                    let found = LargestError {
                        error: measure.error,
                        bound: measure.bound,
                        witness: None,
                        scale: None,
                        place: (index, place),
                    };
                    if judgement.worst.as_ref().is_none_or(|worst| found.exceeds(worst)) {
                        judgement.worst = Some(found);
                    }
                }
            }
        }
        // A number of an input that is not there would be compared like any other.
        if let Some(missing) = case.values.missing() {
            let refusal = match missing {
                Missing::Position(name) => Refusal::UnknownPosition(name),
                Missing::Real(name) => Refusal::UnknownReal(name),
            };
            return Judgement { cases: 1, refused: [(refusal, 1)].into(), ..Judgement::default() };
        }
        judgement
    }

    /// The simplest refuted case that proptest's shrinking finds from case `index`. Where the settled form is refuted, it stays as
    /// clear as a thousand bounds, or half as clear as that case: a witness that is just above its bound reads as rounding.
    fn shrunk(&self, system: &S, sampler: &Sampler, index: usize, form: Form) -> Option<Refutation> {
        const MOST_STEPS: usize = 256;
        const CLEAR: f64 = 1000.0;
        let mut tree = sampler.tree(index).ok()?;
        let mut simplest = self.judge_case(system, &tree.current(), index, form).refutation;
        let share = |found: &Refutation| found.measure.error / found.measure.bound;
        let least = match &simplest {
            Some(first) if form == Form::Settled && first.measure.bound > 0.0 => CLEAR.min(share(first) / 2.0),
            _ => 0.0,
        };
        let is_clear = |found: &Refutation| least == 0.0 || share(found) >= least;
        for _ in 0..MOST_STEPS {
            if !tree.simplify() {
                break;
            }
            loop {
                let refutation = self.judge_case(system, &tree.current(), index, form).refutation.filter(is_clear);
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
}

/// The most cases of a block.
const BLOCK: usize = 1024;

impl Plan {
    /// Number of numeric cases of one size that are affordable when one takes `work` operations; at least a part of the
    /// grid, where there is one.
    fn cases(&self, work: usize, form: Form, grid: usize) -> usize {
        let grid = match (self.effort, form) {
            (Effort::Quick, _) => grid.min(6),
            (_, Form::Sabotaged | Form::AsWritten) => grid.min(16),
            (Effort::Standard, _) => grid.min(self.fewest),
            (Effort::Exhaustive, _) => grid,
        };
        // Quick looks at an eighth of what it can afford, but at every size that it can afford.
        let share = if self.effort == Effort::Quick { 8 } else { 1 };
        let fewest = if work <= FEWEST * self.allowance(form) { FEWEST } else { 1 };
        (self.allowance(form) / share / work.max(1)).max(grid).max(fewest)
    }

    /// Operations to spend on one size.
    fn allowance(&self, form: Form) -> usize {
        match (self.effort, form) {
            (_, Form::Sabotaged | Form::AsWritten) | (Effort::Quick, _) => self.budget / 16,
            (Effort::Standard, _) => self.budget,
            (Effort::Exhaustive, _) => self.budget * 8,
        }
    }

    /// True if a size is looked at. Dear ones, such as attention layers of hundreds of tokens, are left out by the
    /// quick effort and by forms that smaller sizes refute as well.
    fn affords(&self, work: usize, form: Form) -> bool {
        let thorough = self.effort != Effort::Quick && form == Form::Settled;
        thorough || work <= FEWEST * self.allowance(form)
    }
}

/// Cases of one size to look at; of one that takes more than that, one.
const FEWEST: usize = 4;
