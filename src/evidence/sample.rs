//! The cases of a claim: every permutation at formal sizes, a grid and seeded random cases at numeric ones.

use crate::claim::{Case, Effort, Inputs, Size};
use crate::number::system::Values;
use proptest::collection::vec;
use proptest::num::i64::BinarySearch;
use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Positions at which implementations are known to go wrong: around the last integers that
/// bfloat16 (256) and binary16 (2048) hold, and the ends of usual context lengths.
pub const GRID: [i64; 18] =
    [0, 1, 2, 3, 64, 255, 256, 257, 511, 2047, 2048, 2049, 4095, 4096, 8191, 65_535, 65_537, 131_071];

/// Choice of a claim's cases.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Effort of the run.
    pub effort: Effort,
    /// The seed of the random cases.
    pub seed: u64,
    /// Operations to spend on one size of a claim in one system at standard effort.
    pub budget: usize,
    /// Cases of one size to look at even beyond the budget, as far as the grid goes.
    pub fewest: usize,
}

impl Plan {
    /// The seed used unless another is given.
    pub const SEED: u64 = 1;

    /// The plan of an effort and a seed, with a budget that each system sets for itself.
    pub fn new(effort: Effort, seed: u64) -> Self {
        Self { effort, seed, budget: 0, fewest: 0 }
    }
}

/// All permutations of at most four elements, else the identity, the reversal and the rotation by one.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..count).collect();
    if count > 4 {
        let rotated = (0..count).map(|i| (i + 1) % count).collect();
        return vec![identity.clone(), identity.into_iter().rev().collect(), rotated];
    }
    let mut all = vec![Vec::new()];
    for next in 0..count {
        all = all.iter().flat_map(|shorter| (0..=next).map(|place| inserted(shorter, place, next))).collect();
    }
    all
}

fn inserted(shorter: &[usize], place: usize, next: usize) -> Vec<usize> {
    let mut longer = shorter.to_vec();
    longer.insert(place, next);
    longer
}

/// The cases of the exact system at one size: every combination of permutations and choices.
pub fn formal_cases(size: Size, inputs: &Inputs) -> Vec<Case> {
    let mut cases = vec![Case::of_size(size)];
    for (name, count) in &inputs.permutations {
        let all = permutations(*count);
        cases = extended(&cases, &all, |case, permutation| {
            case.permutations.insert(name, permutation.clone());
        });
    }
    for (name, range) in &inputs.choices {
        let all: Vec<usize> = range.clone().collect();
        cases = extended(&cases, &all, |case, choice| {
            case.choices.insert(name, *choice);
        });
    }
    cases
}

fn extended<T>(cases: &[Case], all: &[T], set: impl Fn(&mut Case, &T)) -> Vec<Case> {
    let pairs = cases.iter().flat_map(|case| all.iter().map(move |value| (case, value)));
    pairs
        .map(|(case, value)| {
            let mut case = case.clone();
            set(&mut case, value);
            case
        })
        .collect()
}

/// A stream of random cases at one size. Case `i` depends on the seed, the salt and `i` alone, so
/// that cases can be made in any order, on any number of threads, and made again for shrinking.
#[derive(Clone, Debug)]
pub struct Sampler {
    size: Size,
    inputs: Inputs,
    seed: u64,
    salt: u64,
}

/// Real variables beyond this many are drawn from one shrinkable seed instead of one by one.
const MOST_SHRINKABLE: usize = 64;

impl Sampler {
    /// The cases of one claim (`id`) at one size under a seed.
    pub fn new(id: &str, size: Size, inputs: Inputs, seed: u64) -> Self {
        let text = format!("{id} {size}");
        // FNV-1a: any fixed mixing will do, so long as it is the same everywhere.
        let salt = text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        Self { size, inputs, seed, salt }
    }

    /// True if there is only one case.
    pub fn is_constant(&self) -> bool {
        let Inputs { positions, reals, permutations, choices } = &self.inputs;
        positions.is_empty() && reals.is_empty() && permutations.is_empty() && choices.is_empty()
    }

    /// Number of cases of the grid.
    pub fn grid_len(&self) -> usize {
        match self.inputs.positions.len() {
            0 => 0,
            1 => GRID.len(), // corner / GRID.len() is then 0, and unused
            _ => GRID.len() * GRID.len(),
        }
    }

    /// Case `index`: from the grid while that lasts, random after.
    pub fn case(&self, index: usize) -> Case {
        self.tree(index).map_or_else(|_| Case::of_size(self.size), |tree| tree.current())
    }

    /// The same case as a tree of simpler ones.
    pub fn tree(&self, index: usize) -> NewTree<BoxedStrategy<Case>> {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_mut(8).zip([self.seed, self.salt, index as u64, 0x706f_7370]) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
        self.strategy(index).new_tree(&mut runner)
    }

    fn strategy(&self, index: usize) -> BoxedStrategy<Case> {
        // In steps of 125, coprime to the size of the grid, so that its first cases spread over it.
        let corner = index * 125 % self.grid_len().max(1);
        let grid = (index < self.grid_len()).then(|| [GRID[corner % GRID.len()], GRID[corner / GRID.len()]]);
        let places = self.inputs.positions.iter().enumerate();
        let positions: Vec<_> = places
            .map(|(place, (_, range))| match grid {
                // The grid has two dimensions: further positions are random, lest they repeat the first two.
                Some(corner) if place < corner.len() => corner_of(range, corner[place]),
                _ => position(range.clone()),
            })
            .collect();
        let reals: Vec<_> = self.inputs.reals.iter().map(|(_, count, low, high)| reals(*count, *low, *high)).collect();
        let shuffled = |count: usize| Just((0..count).collect::<Vec<_>>()).prop_shuffle();
        let permutations: Vec<_> = self.inputs.permutations.iter().map(|(_, count)| shuffled(*count)).collect();
        let choices: Vec<_> = self.inputs.choices.iter().map(|(_, range)| range.clone()).collect();
        let (size, inputs) = (self.size, self.inputs.clone());
        let parts = (positions, reals, permutations, choices);
        let assemble = move |(positions, reals, permutations, choices): (Vec<f64>, Vec<Vec<f64>>, Vec<_>, Vec<_>)| {
            let names = inputs.positions.iter().map(|(name, _)| *name);
            let reals = inputs.reals.iter().map(|(name, ..)| *name).zip(reals);
            let values = Values::new(names.zip(positions).collect(), reals.collect());
            Case {
                size,
                values: Arc::new(values),
                permutations: inputs.permutations.iter().map(|(name, _)| *name).zip(permutations).collect(),
                choices: inputs.choices.iter().map(|(name, _)| *name).zip(choices).collect(),
            }
        };
        parts.prop_map(assemble).boxed()
    }
}

/// The grid point, or its remainder where the range is smaller.
fn fold_into(point: i64, range: &RangeInclusive<i64>) -> i64 {
    if range.contains(&point) { point } else { range.start() + point.rem_euclid(range.end() - range.start() + 1) }
}

/// A grid point of the range, which shrinks towards the integer of the range that is nearest to 0.
fn corner_of(range: &RangeInclusive<i64>, point: i64) -> BoxedStrategy<f64> {
    let nearest = 0.clamp(*range.start(), *range.end().max(range.start()));
    Shrinking(fold_into(point, range) - nearest).prop_map(move |n| (nearest + n) as f64).boxed()
}

/// One integer, which shrinks towards 0.
#[derive(Clone, Copy, Debug)]
struct Shrinking(i64);

impl Strategy for Shrinking {
    type Tree = BinarySearch;
    type Value = i64;
    fn new_tree(&self, _: &mut TestRunner) -> NewTree<Self> {
        Ok(BinarySearch::new(self.0))
    }
}

/// Small integers, all integers, and sixteenths: the claims hold at real positions.
fn position(range: RangeInclusive<i64>) -> BoxedStrategy<f64> {
    let (low, high) = (*range.start(), *range.end());
    let small = low.max(-64)..=high.min(64);
    let sixteenths = (low * 16..=high * 16).prop_map(|n| n as f64 / 16.0);
    prop_oneof![
        1 => if small.is_empty() { range.clone() } else { small }.prop_map(|n| n as f64),
        3 => range.prop_map(|n| n as f64),
        1 => sixteenths,
    ]
    .boxed()
}

fn reals(count: usize, low: f64, high: f64) -> BoxedStrategy<Vec<f64>> {
    // Whole numbers of 2^−52 of the larger limit: full significands, shrinking towards 0.
    let unit = low.abs().max(high.abs()) / (1u64 << 52) as f64;
    let range = (low / unit) as i64..=(high / unit) as i64;
    if count <= MOST_SHRINKABLE {
        return vec(range.prop_map(move |n| n as f64 * unit), count).boxed();
    }
    any::<u64>()
        .prop_map(move |seed| {
            let mut state = seed;
            (0..count).map(|_| low + (high - low) * uniform(&mut state)).collect()
        })
        .boxed()
}

/// SplitMix64 (Steele, Lea, Flood 2014): the next 64 bits.
pub(super) fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A uniform number in [0, 1) with 53 random bits.
pub(super) fn uniform(state: &mut u64) -> f64 {
    (bits(state) >> 11) as f64 / (1u64 << 53) as f64
}
