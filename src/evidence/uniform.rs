//! Bounds for all inputs of a domain, each beside the largest error that a search found there.

use super::settle::{Entry, SystemName};
use super::{Effort, Witness, sample};
use crate::claim::{Case, Comparison, Form, Inputs, Refusal, Size};
use crate::number::float::Float;
use crate::number::format::Format;
use crate::number::linear::{Linear, Uniform};
use crate::number::running::Rounding;
use crate::number::system::{Decision, Relation, System, Values};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The last positions of the domains.
pub const LAST: [i64; 2] = [4096, Inputs::LAST_POSITION];

/// Where the bounds come from.
pub const ORIGIN: &str = "derived: the first order of every rounding, shared between the sides, and what is beyond it, bounded over \
the domain (posproof::number::linear); frequencies and reals as rounded to the format, correctly rounded sine and cosine";

/// A bound on how far apart the sides of a comparison are computed, for all inputs of a domain.
#[derive(Clone, Debug)]
pub struct UniformBound {
    /// The format: `f32`.
    pub system: &'static str,
    /// The size.
    pub size: Size,
    /// The positions and reals.
    pub domain: Domain,
    /// The equality that is compared; of several with an index, all.
    pub comparison: &'static str,
    /// The bound; none where a result may overflow.
    pub bound: Option<f64>,
    /// True if no result of the size of the two sides could exceed the bound.
    pub vacuous: bool,
    /// The largest error that the search found.
    pub found: f64,
    /// Where it is.
    pub witness: Option<Witness>,
}

impl UniformBound {
    /// True if an error was found above the bound, which would be a mistake here.
    pub fn is_exceeded(&self) -> bool {
        self.bound.is_some_and(|bound| self.found > bound)
    }
}

/// All integers between two positions, and all reals between two limits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Domain {
    /// The first and the last position of any symbol.
    pub positions: [i64; 2],
    /// The limits of the reals of each name.
    pub reals: BTreeMap<&'static str, [f64; 2]>,
}

impl Domain {
    fn new(inputs: &Inputs, last: i64) -> Self {
        let ends = |place: usize| inputs.positions_to(last).map(move |(_, range)| range[place]);
        let positions = [ends(0).min().unwrap_or(0), ends(1).max().unwrap_or(0)];
        Self { positions, reals: inputs.reals.iter().map(|(name, _, low, high)| (*name, [*low, *high])).collect() }
    }
}

/// The bound of one equality, and a magnitude that no difference of its exact sides' size exceeds.
struct Bounded {
    bound: f64,
    scale: f64,
}

/// A claim at a size in a format.
struct Study<'a> {
    entry: &'a dyn Entry,
    size: Size,
    inputs: Inputs,
    system: SystemName,
    format: Format,
    effort: Effort,
}

/// All bounds of a claim in a format: at each size for the positions up to each of [`LAST`] in f64 and f32, in f16 and bf16 for those up
/// to the largest 2^k − 1 at which the bound says something. None where the claim has none, or the format no bounds.
pub fn bounds(entry: &dyn Entry, system: SystemName, effort: Effort) -> Vec<UniformBound> {
    let Some(format) = system.format() else { return Vec::new() };
    let is_narrow = format.precision() < Format::F32.precision();
    // A narrow format asks for the bounds of many domains.
    let largest = match effort {
        Effort::Quick => 64,
        Effort::Standard if is_narrow => 128,
        Effort::Standard | Effort::Exhaustive => usize::MAX,
    };
    let affordable = |size: &Size| size.dim <= largest;
    let sizes: Vec<Size> = entry.bounded_sizes().into_iter().filter(affordable).collect();
    let study = |size: Size| {
        let inputs = entry.linear().inputs(&size);
        Study { entry, size, inputs, system, format, effort }
    };
    let of_size = |size: &Size| study(*size).rows();
    sizes.par_iter().flat_map(of_size).collect()
}

/// True if the linearised system holds the sabotaged claim for an identity at its smallest size.
pub fn misses_sabotage(entry: &dyn Entry) -> bool {
    let Some(size) = entry.bounded_sizes().into_iter().min() else { return false };
    let instance = entry.linear();
    let system = Uniform::new(&instance.inputs(&size), LAST[0], Format::F32);
    let comparisons = instance.comparisons(&system, &Case::of_size(size), Form::Sabotaged).unwrap_or_default();
    !comparisons.iter().any(|one| matches!(system.decide(&one.relation), Decision::Refuted(_)))
}

impl Study<'_> {
    fn rows(&self) -> Vec<UniformBound> {
        match self.format {
            Format::F64 | Format::F32 => LAST.iter().flat_map(|last| self.rows_to(*last)).collect(),
            _ => self.rows_to(self.farthest()),
        }
    }

    /// The largest 2^k − 1, where a binade of positions ends, up to which every bound says something; 1 where none does.
    fn farthest(&self) -> i64 {
        let says = |bounded: &Option<Bounded>| bounded.as_ref().is_some_and(|b| b.bound < b.scale);
        let ends = (1..=17).map(|bits| (1 << bits) - 1);
        ends.take_while(|last| self.bounded(*last).is_ok_and(|all| all.values().all(says))).last().unwrap_or(1)
    }

    /// The bounds of the equalities of each name; none where one is undefined.
    fn bounded(&self, last: i64) -> Result<BTreeMap<&'static str, Option<Bounded>>, Refusal> {
        let system = Uniform::new(&self.inputs, last, self.format);
        let comparisons = self.entry.linear().comparisons(&system, &Case::of_size(self.size), Form::Settled)?;
        let mut all: BTreeMap<&'static str, Option<Bounded>> = BTreeMap::new();
        for Comparison { what, relation, .. } in &comparisons {
            let Relation::Equal(left, right) = relation else { continue };
            let found = bounded(&system, relation, [left, right]);
            let both = match all.remove(what) {
                None => found,
                Some(former) => {
                    former.zip(found).map(|(a, b)| Bounded { bound: a.bound.max(b.bound), scale: a.scale.min(b.scale) })
                }
            };
            all.insert(what, both);
        }
        Ok(all)
    }

    fn rows_to(&self, last: i64) -> Vec<UniformBound> {
        let Ok(all) = self.bounded(last) else { return Vec::new() };
        let mut found = self.search(last);
        let row = |(comparison, bounded): (&'static str, Option<Bounded>)| {
            let (found, witness) = found.remove(comparison).unwrap_or_default();
            UniformBound {
                system: self.system.name(),
                size: self.size,
                domain: Domain::new(&self.inputs, last),
                comparison,
                bound: bounded.as_ref().map(|bounded| bounded.bound),
                vacuous: bounded.is_none_or(|bounded| bounded.bound >= bounded.scale),
                found,
                witness,
            }
        };
        all.into_iter().map(row).collect()
    }

    /// The largest error that is found in each comparison, and where.
    fn search(&self, last: i64) -> BTreeMap<&'static str, (f64, Option<Witness>)> {
        let instance = self.entry.floating();
        let system = Rounding::<Float>::new(self.format);
        let mut worst: BTreeMap<&'static str, (f64, Case)> = BTreeMap::new();
        let mut drawn = Drawn::default();
        for index in 0..self.cases() {
            let mut case = Case::of_size(self.size);
            case.values = Arc::new(drawn.values(&self.inputs, last, index));
            let at = system.at(&case.values);
            for comparison in instance.comparisons(&at, &case, Form::Settled).unwrap_or_default() {
                let Some(error) = error(&at, &comparison) else { continue };
                if worst.get(comparison.what).is_none_or(|(largest, _)| error > *largest) {
                    worst.insert(comparison.what, (error, case.clone()));
                }
            }
        }
        let found = |(what, (largest, case)): (&'static str, (f64, Case))| {
            let at = system.at(&case.values);
            let comparisons = instance.comparisons(&at, &case, Form::Settled).unwrap_or_default();
            let place = comparisons.iter().find(|one| one.what == what && error(&at, one) == Some(largest));
            (what, (largest, place.map(|comparison| Witness::with_all_inputs(&at, &case, comparison))))
        };
        worst.into_iter().map(found).collect()
    }

    fn cases(&self) -> usize {
        let budget = match self.effort {
            Effort::Quick => 1 << 13,
            Effort::Standard => 1 << 17,
            Effort::Exhaustive => 1 << 20,
        };
        (budget / self.entry.work(&self.size).max(1)).clamp(16, 4096)
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

fn bounded(system: &Uniform, relation: &Relation<Linear>, sides: [&Linear; 2]) -> Option<Bounded> {
    let Decision::Held(measure) = system.decide(relation) else { return None };
    let [left, right] = sides.map(Linear::magnitude);
    Some(Bounded { bound: measure.bound, scale: left? + right? })
}

/// Inputs in a fixed order: those of the generator that samples are drawn by, from 0.
#[derive(Default)]
struct Drawn(u64);

impl Drawn {
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (sample::bits(&mut self.0) % (high.max(low) - low + 1) as u64) as i64
    }

    /// Half of the cases have every position in the last eighth, where binades are widest; three quarters of the reals are
    /// an end of their box, where a linear error is largest.
    fn values(&mut self, inputs: &Inputs, last: i64, index: usize) -> Values {
        let mut values = Values::default();
        for (name, [low, high]) in inputs.positions_to(last) {
            let first = if index.is_multiple_of(2) { low } else { low.max(high - high / 8) };
            values.positions.insert(name, self.between(first, high) as f64);
        }
        for (name, count, low, high) in &inputs.reals {
            let real = |drawn: &mut Self| match sample::bits(&mut drawn.0) % 8 {
                0..3 => *low,
                3..6 => *high,
                _ => low + (high - low) * sample::uniform(&mut drawn.0),
            };
            values.reals.insert(name, (0..*count).map(|_| real(self)).collect());
        }
        values
    }
}
