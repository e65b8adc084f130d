//! A billion comparisons of each format at drawn inputs, each beside its bound for all inputs.
//!
//! `cargo test --test laws -- --ignored --nocapture a_billion` takes hours. `POSPROOF_FORMATS` names the formats, and
//! `POSPROOF_COMPARISONS` says how many comparisons each has.

use crate::running::Stream;
use posproof::claim::{Case, Form, Inputs, Ledger, Size};
use posproof::evidence::sample::formal_cases;
use posproof::evidence::settle::SystemName;
use posproof::evidence::uniform::bounds;
use posproof::evidence::{Effort, Entry};
use posproof::number::float::Float;
use posproof::number::running::Rounding;
use posproof::number::system::{Decision, Values};
use posproof::number::{Relation, System};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::sync::Arc;

const COMPARISONS: u64 = 1_000_000_000;

/// Cases of each claim, size and range in turn.
const BATCH: u64 = 64;

/// A claim at a size over a range, with the bounds of its comparisons.
struct Group {
    entry: &'static dyn Entry,
    size: Size,
    inputs: Inputs,
    /// One for each permutation and choice.
    cases: Vec<Case>,
    last: i64,
    floats: Rounding<Float>,
    bounds: BTreeMap<&'static str, f64>,
}

/// Comparisons, the largest share of a bound, what was found above one, and which comparisons of which group were decided.
#[derive(Default)]
struct Found {
    comparisons: u64,
    share: f64,
    above: Vec<String>,
    decided: BTreeSet<(usize, &'static str)>,
}

impl Found {
    fn and(mut self, other: Self) -> Self {
        self.above.extend(other.above);
        self.decided.extend(other.decided);
        Self { comparisons: self.comparisons + other.comparisons, share: self.share.max(other.share), ..self }
    }
}

/// Inputs, drawn.
struct Draw(Stream);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0.next()
    }

    fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Positions anywhere or in the last eighth, some equal; reals anywhere, at the ends of their boxes, or near the upper one.
    fn values(&mut self, inputs: &Inputs, last: i64) -> Values {
        let kind = self.bits() % 4;
        let mut former = None;
        let mut positions = BTreeMap::new();
        for (name, [low, high]) in inputs.positions_to(last) {
            let first = if kind.is_multiple_of(2) { low } else { low.max(high - high / 8) };
            let drawn = first + (self.bits() % (high - first + 1) as u64) as i64;
            let place = former.filter(|_| kind == 3).map_or(drawn, |former: i64| former.clamp(low, high));
            former = Some(place);
            positions.insert(name, place as f64);
        }
        let mut reals = BTreeMap::new();
        for (name, count, low, high) in &inputs.reals {
            let real = |draw: &mut Self| match (kind, draw.bits() % 4) {
                (0, _) | (_, 0) => low + (high - low) * draw.share(),
                (3, _) => (high * (1.0 - draw.share() / 16.0)).clamp(*low, *high),
                (_, 1) => *low,
                _ => *high,
            };
            reals.insert(*name, (0..*count).map(|_| real(self)).collect());
        }
        Values::new(positions, reals)
    }
}

impl Group {
    fn name(&self, what: &str) -> String {
        let Self { entry, size, last, .. } = self;
        format!("{} {size} to {last}, {what}", entry.about().id)
    }

    fn found(&self, turn: u64, place: usize) -> Found {
        let mut draw = Draw(Stream(turn << 20 | place as u64));
        let mut found = Found::default();
        for _ in 0..BATCH {
            let mut case = self.cases[(draw.bits() % self.cases.len() as u64) as usize].clone();
            case.values = Arc::new(draw.values(&self.inputs, self.last));
            let at = self.floats.at(&case.values);
            for comparison in self.entry.floating().comparisons(&at, &case, Form::Settled).unwrap_or_default() {
                let Some(bound) = self.bounds.get(comparison.what) else { continue };
                let (Relation::Equal(..), Decision::Held(measure) | Decision::Refuted(measure)) =
                    (&comparison.relation, at.decide(&comparison.relation))
                else {
                    continue;
                };
                found.comparisons += 1;
                found.decided.insert((place, comparison.what));
                found.share = found.share.max(measure.error / bound);
                // An error that is no number is below none.
                if measure.error.is_nan() || measure.error > *bound {
                    let what = self.name(comparison.what);
                    found.above.push(format!("{what}: {:e} above {bound:e} at {:?}", measure.error, case.values));
                }
            }
        }
        found
    }
}

/// Every claim of the documents, with every permutation. Bounds of 0 are of sides that are one
/// computation.
fn groups(system: SystemName) -> Vec<Group> {
    let mut all: Vec<Group> = Vec::new();
    for entry in posproof::claims::of(Ledger::Documents) {
        for row in bounds(entry, system, Effort::Standard).iter() {
            let (Some(bound), Some(format)) = (row.bound.filter(|bound| *bound > 0.0), system.format()) else {
                continue;
            };
            let (inputs, last) = (entry.linear().inputs(&row.size), row.domain.positions[1].max(1));
            let is_one = |group: &&mut Group| {
                group.entry.about().id == entry.about().id && group.size == row.size && group.last == last
            };
            if let Some(group) = all.iter_mut().find(is_one) {
                group.bounds.insert(row.comparison, bound);
                continue;
            }
            let (floats, bounds) = (Rounding::new(format), BTreeMap::from([(row.comparison, bound)]));
            let cases = formal_cases(row.size, &inputs);
            all.push(Group { entry, size: row.size, inputs, cases, last, floats, bounds });
        }
    }
    all
}

#[test]
#[ignore = "hours of processor time: cargo test --test laws -- --ignored --nocapture a_billion"]
fn a_billion_comparisons_of_each_format_are_below_their_bounds() {
    let named = env::var("POSPROOF_FORMATS").unwrap_or_else(|_| "f32 bf16 f16 f64".to_owned());
    let asked =
        env::var("POSPROOF_COMPARISONS").map_or(COMPARISONS, |count| count.parse().expect("a number of comparisons"));
    for name in named.split_whitespace() {
        let system: SystemName = name.parse().expect("a format");
        let groups = groups(system);
        assert!(!groups.is_empty(), "{name}: no bound");
        let (mut all, mut turn) = (Found::default(), 0);
        while all.comparisons < asked {
            let of = |(place, group): (usize, &Group)| group.found(turn, place);
            let found = groups.par_iter().enumerate().map(of).reduce(Found::default, Found::and);
            all = all.and(found);
            turn += 1;
            assert!(all.above.is_empty(), "{name}: {:#?}", all.above);
            if turn % 1024 == 0 {
                println!("{name}: {} comparisons, at most {:.3} of a bound", all.comparisons, all.share);
            }
        }
        // A bound that nothing was compared with was not tried.
        let names = |(place, group): (usize, &'_ Group)| -> Vec<String> {
            let all_of = group.bounds.keys().filter(|what| !all.decided.contains(&(place, **what)));
            all_of.map(|what| group.name(what)).collect()
        };
        let untried: Vec<String> = groups.iter().enumerate().flat_map(names).collect();
        assert!(untried.is_empty(), "{name}: no comparison of {untried:#?}");
        let Found { comparisons, share, .. } = all;
        println!(
            "{name}: {comparisons} comparisons of {} groups, at most {share:.3} of a bound, none above",
            groups.len()
        );
    }
}
