//! Bounds for all inputs of a domain, each beside the largest error that a search found there.

mod certificate;
mod climb;
mod found;
mod once;
mod search;

pub use certificate::certificate;

use super::entry::Entry;
use super::sample::formal_cases;
use super::systems::SystemName;
use super::witness::Witness;
use crate::bound::running::up;
use crate::claim::{Case, Comparison, Effort, Form, Inputs, Refusal, Size};
use crate::number::float::Float;
use crate::number::format::Format;
use crate::number::linear::{Linear, Uniform};
use crate::number::running::Rounding;
use crate::number::system::{Decision, Relation, System};
use once::Once;
use rayon::prelude::*;
use search::Landscape;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The last positions of the domains.
pub const LAST: [i64; 2] = [4096, Inputs::LAST_POSITION];

/// Roundings that are named beside a bound: those that cost most.
pub const EVENTS: usize = 5;

/// Where the bounds come from.
pub const ORIGIN: &str = "derived: the first order of every rounding, shared between the sides, and what is beyond it, bounded over \
the domain (posproof::number::linear); frequencies and reals as rounded to the format, correctly rounded functions";

/// Where the bounds come from whose sides have no short normal form.
pub const APART: &str = "derived: the errors of both sides, each bounded over the domain by itself, and added (posproof::number::linear); \
frequencies and reals as rounded to the format, correctly rounded functions";

/// Where the bounds come from that are largest errors themselves.
pub const EVERY: &str = "every input of the domain was computed: the largest error that occurs";

/// Bound ÷ found, from which a bound is loose.
const LOOSE: f64 = 2.0;

/// Permutations and choices of a claim, at most, each of which is bounded.
const MOST_CASES: usize = 1 << 10;

/// Elements of a permutation, at most: all 24 are bounded.
const LONGEST_PERMUTATION: usize = 4;

/// A bound on how far apart the sides of a comparison are computed, for all inputs of a domain.
#[derive(Clone, Debug)]
pub struct UniformBound {
    /// The format: `f32`.
    pub system: &'static str,
    /// The size.
    pub size: Size,
    /// The positions and reals.
    pub domain: UniformDomain,
    /// The equality that is compared; of several with an index, all.
    pub comparison: &'static str,
    /// The bound; none where a result may overflow.
    pub bound: Option<f64>,
    /// True if no result of the size of the two sides could exceed the bound.
    pub vacuous: bool,
    /// The roundings that cost most in it, each with a bound on what it costs.
    pub events: Vec<(String, f64)>,
    /// Where the bound comes from.
    pub origin: &'static str,
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
pub struct UniformDomain {
    /// The first and the last position of any symbol.
    pub positions: [i64; 2],
    /// The limits of the reals of each name.
    pub reals: BTreeMap<&'static str, [f64; 2]>,
}

impl UniformDomain {
    fn new(inputs: &Inputs, last: i64) -> Self {
        let ends = |place: usize| inputs.positions_to(last).map(move |(_, range)| range[place]);
        let positions = [ends(0).min().unwrap_or(0), ends(1).max().unwrap_or(0)];
        Self { positions, reals: inputs.reals.iter().map(|(name, _, low, high)| (*name, [*low, *high])).collect() }
    }
}

/// The bound of the equalities of one name, a magnitude that no difference of the exact sides' size exceeds, and what the search
/// knows of that with the largest bound.
#[derive(Clone)]
struct Bounded {
    bound: f64,
    scale: f64,
    landscape: Option<Landscape>,
    events: Vec<(String, f64)>,
    origin: &'static str,
}

impl Bounded {
    fn none() -> Self {
        Self { bound: f64::INFINITY, scale: 0.0, landscape: None, events: Vec::new(), origin: APART }
    }
}

/// The bounds of the equalities of each name; none of one that is undefined.
type AllBounded = BTreeMap<&'static str, Option<Bounded>>;

/// Id, size, last position and system.
type BoundKey = (&'static str, Size, i64, SystemName);

/// The bounds that were asked for in this process.
static KNOWN: Once<BoundKey, Result<AllBounded, Refusal>> = Once::new();

fn says(bounded: &Option<Bounded>) -> bool {
    bounded.as_ref().is_some_and(|bounded| bounded.bound < bounded.scale)
}

/// A claim at a size in a format.
struct Study<'a> {
    entry: &'a dyn Entry,
    size: Size,
    inputs: Inputs,
    /// One for each permutation and choice.
    cases: Vec<Case>,
    system: SystemName,
    format: Format,
    /// The system of the search, which knows the frequencies.
    floats: Rounding<Float>,
    effort: Effort,
}

/// All bounds of a claim in a format: at each size for the positions up to each of [`LAST`] in f64 and f32, in f16 and bf16 for those up
/// to the largest 2^k − 1 at which the bound says something. None where the claim has none, or the format no bounds.
///
/// They are computed once for a process: reports, summaries and the ledger ask for the same ones.
pub fn bounds(entry: &dyn Entry, system: SystemName, effort: Effort) -> Arc<Vec<UniformBound>> {
    static KNOWN: Once<(&str, SystemName, &str), Vec<UniformBound>> = Once::new();
    KNOWN.get((entry.about().id, system, effort.name()), || computed(entry, system, effort))
}

fn computed(entry: &dyn Entry, system: SystemName, effort: Effort) -> Vec<UniformBound> {
    let Some(format) = system.format() else { return Vec::new() };
    let is_narrow = format.precision() < Format::F32.precision();
    // A narrow format asks for the bounds of many domains.
    let largest = match effort {
        Effort::Quick => 64,
        Effort::Standard if is_narrow => 64,
        Effort::Standard | Effort::Exhaustive => usize::MAX,
    };
    let study = |size: &Size| {
        let inputs = entry.linear().inputs(size);
        let cases = cases(*size, &inputs)?;
        let most = if inputs.permutations.is_empty() { LARGEST_WORK } else { LARGEST_WORK / 16 };
        let is_affordable = size.dim <= largest && entry.work(size).saturating_mul(cases.len()) <= most;
        let floats = Rounding::new(format);
        is_affordable.then_some(Study { entry, size: *size, inputs, cases, system, format, floats, effort })
    };
    let studies: Vec<Study<'_>> = entry.bounded_sizes().iter().filter_map(study).collect();
    studies.par_iter().flat_map(Study::rows).collect()
}

/// Operations of all cases of a size, at most.
const LARGEST_WORK: usize = 1 << 17;

/// Every permutation and choice at a size; none where they are many.
fn cases(size: Size, inputs: &Inputs) -> Option<Vec<Case>> {
    if inputs.permutations.iter().any(|(_, count)| *count > LONGEST_PERMUTATION) {
        return None;
    }
    let permutations = inputs.permutations.iter().map(|(_, count)| (1..=*count).product::<usize>());
    let choices = inputs.choices.iter().map(|(_, range)| range.clone().count());
    let count = permutations.chain(choices).try_fold(1usize, usize::checked_mul)?;
    (count <= MOST_CASES).then(|| formal_cases(size, inputs))
}

/// True if the linearised system holds the sabotaged claim for an identity at all its sizes: of two tokens some sabotages are
/// true, because the exchange is its own inverse.
pub fn misses_sabotage(entry: &dyn Entry) -> bool {
    let instance = entry.linear();
    let mut sizes = entry.bounded_sizes();
    sizes.sort_unstable();
    let mut holds = false;
    for size in sizes {
        let inputs = instance.inputs(&size);
        let system = Uniform::new(&inputs, LAST[0], Format::F32);
        for case in cases(size, &inputs).unwrap_or_default() {
            for comparison in instance.comparisons(&system, &case, Form::Sabotaged).unwrap_or_default() {
                match system.decide(&comparison.relation) {
                    // An order, or a normal form that is not known, is left to the other systems.
                    Decision::Refuted(_) | Decision::Unable(_) => return false,
                    Decision::Held(_) => holds = true,
                }
            }
        }
    }
    holds
}

impl Study<'_> {
    fn rows(&self) -> Vec<UniformBound> {
        let is_far = |last: i64| self.inputs.positions_to(last).any(|(_, ends)| ends.contains(&last));
        match self.format {
            _ if !is_far(LAST[1]) => self.rows_to(LAST[1]),
            Format::F64 | Format::F32 => LAST.iter().flat_map(|last| self.rows_to(*last)).collect(),
            _ => self.rows_to(self.farthest()),
        }
    }

    /// The largest 2^k − 1, where a binade of positions ends, up to which every bound says something; 1 where none does.
    fn farthest(&self) -> i64 {
        let all_say = |bits: u32| {
            let last = (1 << bits) - 1;
            let found = self.computed(last, true);
            let all_say = found.as_ref().is_ok_and(|all| all.values().all(says));
            if all_say {
                KNOWN.get(self.key(last), || found);
            }
            all_say
        };
        // Bounds grow with the positions: those up to 2^low − 1 say something, or low is 1; those up to 2^high − 1 do not.
        let (mut low, mut high) = (1, 18);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if all_say(middle) { low = middle } else { high = middle }
        }
        (1 << low) - 1
    }

    fn key(&self, last: i64) -> BoundKey {
        (self.entry.about().id, self.size, last, self.system)
    }

    /// The bounds of the equalities of each name, whatever the effort of the search; none where one is undefined.
    fn bounded(&self, last: i64) -> Arc<Result<AllBounded, Refusal>> {
        KNOWN.get(self.key(last), || self.computed(last, false))
    }

    /// The bounds of each name; if `stops`, those up to the first that says nothing.
    fn computed(&self, last: i64, stops: bool) -> Result<AllBounded, Refusal> {
        let system = Uniform::new(&self.inputs, last, self.format);
        // Of equalities that normal forms do not decide, and of those that hold of the exact frequencies alone.
        let charges = self.entry.charges_frequencies();
        let known = Uniform::of_known_equalities(&self.inputs, last, self.format, charges);
        let instance = self.entry.linear();
        let mut all = AllBounded::new();
        let mut worst = BTreeMap::new();
        for case in &self.cases {
            let mut apart = None;
            for (place, Comparison { what, relation, .. }) in
                instance.comparisons(&system, case, Form::Settled)?.into_iter().enumerate()
            {
                let Relation::Equal(left, right) = &relation else { continue };
                let mut found = bounded(&system, &relation, [left, right]);
                if found.is_none() {
                    if apart.is_none() {
                        apart = Some(instance.comparisons(&known, case, Form::Settled)?);
                    }
                    let relation = apart.as_ref().and_then(|apart| apart.get(place)).map(|one| &one.relation);
                    if let Some(relation @ Relation::Equal(left, right)) = relation {
                        found =
                            bounded(&known, relation, [left, right]).map(|found| Bounded { origin: APART, ..found });
                    }
                }
                let larger = |known: &Bounded| found.as_ref().is_none_or(|found| found.bound > known.bound);
                if all.get(what).is_none_or(|known| known.as_ref().is_some_and(larger)) {
                    worst.insert(what, [left.clone(), right.clone()]);
                }
                let both = match all.remove(what) {
                    None => found,
                    Some(former) => former.zip(found).map(|(a, b)| Bounded {
                        bound: a.bound.max(b.bound),
                        scale: a.scale.min(b.scale),
                        origin: if a.bound < b.bound { b.origin } else { a.origin },
                        ..a
                    }),
                };
                let says_nothing = !says(&both);
                all.insert(what, both);
                if stops && says_nothing {
                    return Ok(all);
                }
            }
        }
        for (what, [left, right]) in worst {
            if let Some(Some(bounded)) =
                all.get_mut(what).filter(|bounded| bounded.as_ref().is_some_and(|b| b.origin != APART))
            {
                bounded.landscape = Landscape::new(&system, self.format, [&left, &right]);
                bounded.events = system.largest_events(&left, &right, EVENTS);
                bounded.origin = if system.is_linear(&left, &right) { ORIGIN } else { APART };
            }
        }
        Ok(all)
    }

    fn rows_to(&self, last: i64) -> Vec<UniformBound> {
        let bounded = self.bounded(last);
        let Ok(all) = &*bounded else { return Vec::new() };
        let mut found = self.search(last, all);
        let mut every = BTreeSet::new();
        if self.effort != Effort::Quick {
            let is_loose = |what: &str, share: f64| {
                let found = found.get(what).map_or(0.0, |(found, _)| *found);
                all.get(what).and_then(Option::as_ref).is_none_or(|bounded| bounded.bound > share * found)
            };
            for (what, (tried, is_every)) in self.exhausted(last, &is_loose) {
                if is_every {
                    every.insert(what);
                }
                if is_every || found.get(what).is_none_or(|(known, _)| tried.0 > *known) {
                    found.insert(what, tried);
                }
            }
        }
        let row = |(comparison, bounded): (&&'static str, &Option<Bounded>)| {
            let is_every = every.contains(comparison);
            let (found, witness) = found.remove(comparison).unwrap_or_default();
            let none = Bounded::none();
            let Bounded { mut bound, scale, events, mut origin, .. } = bounded.as_ref().unwrap_or(&none).clone();
            let largest = if found == 0.0 { 0.0 } else { up(found) };
            if is_every && largest < bound {
                (bound, origin) = (largest, EVERY);
            }
            UniformBound {
                system: self.system.name(),
                size: self.size,
                domain: UniformDomain::new(&self.inputs, last),
                comparison,
                bound: bound.is_finite().then_some(bound),
                events,
                origin,
                vacuous: bound >= scale && bound > 0.0,
                found,
                witness,
            }
        };
        all.iter().map(row).collect()
    }
}

fn bounded(system: &Uniform, relation: &Relation<Linear>, sides: [&Linear; 2]) -> Option<Bounded> {
    let Decision::Held(measure) = system.decide(relation) else { return None };
    let [left, right] = sides.map(Linear::magnitude);
    Some(Bounded { bound: measure.bound, scale: left? + right?, landscape: None, events: Vec::new(), origin: ORIGIN })
}
