//! Inputs: adversarial, and the same in every run.

use super::role::Role;
use super::setup::Setup;

/// Positions at which implementations are known to go wrong: around the last integers that bfloat16 (256) and binary16
/// (2048) hold, and the ends of usual context lengths.
const CORNERS: [u64; 15] = [0, 1, 2, 3, 7, 64, 255, 256, 257, 2047, 2049, 4095, 8191, 65_537, 131_071];

/// Cases of each claim at most.
const CASES: usize = 48;

/// Numbers that a case draws positions from: their sum is no position beyond the last.
pub(crate) const PARTS: usize = 4;

/// One choice of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    /// Numbers that positions are sums of.
    pub parts: [u64; PARTS],
    /// Rows of numbers: vectors to rotate, or the rows of q, k and v.
    pub vectors: Vec<Vec<f64>>,
    /// Where row i goes.
    pub permutation: Vec<usize>,
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.bits() % end.max(1)
    }

    /// An eighth to twelve eighths, of either sign: a number of every format, and so is the sum of a few.
    fn entry(&mut self) -> f64 {
        let magnitude = (1 + self.below(12)) as f64 / 8.0;
        if self.bits() & 1 == 0 { magnitude } else { -magnitude }
    }

    fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..count).collect();
        (1..count).for_each(|i| all.swap(i, self.below(i as u64 + 1) as usize));
        if all.iter().enumerate().all(|(i, &to)| i == to) {
            all.rotate_left(1);
        }
        all
    }
}

/// The cases of a role, the simplest first.
pub(crate) fn cases(setup: &Setup, role: Role) -> Vec<Case> {
    let mut random = Random(setup.seed);
    let mut cases: Vec<Case> = (0..CASES).map(|index| case(setup, role, index, &mut random)).collect();
    cases.sort_by_key(|case| case.parts.iter().sum::<u64>());
    cases
}

fn case(setup: &Setup, role: Role, index: usize, random: &mut Random) -> Case {
    if role.is_of_matrices() {
        return matrices(setup, role, index, random);
    }
    // Corners as one part each, then as sums of parts; the last position is among them, and positions at random.
    let corners: Vec<u64> =
        CORNERS.into_iter().filter(|corner| *corner < setup.last).chain([setup.last - 1, setup.last]).collect();
    let whole = match index {
        _ if index < corners.len() => corners[index],
        _ if index.is_multiple_of(2) => corners[random.below(corners.len() as u64) as usize],
        _ => random.below(setup.last + 1),
    };
    let mut left = whole;
    let mut parts = [0; PARTS];
    for part in &mut parts[..PARTS - 1] {
        *part = if index.is_multiple_of(3) { left / 2 } else { random.below(left + 1) };
        left -= *part;
    }
    parts[PARTS - 1] = left;
    let places = random.permutation(PARTS);
    let parts = std::array::from_fn(|place| parts[places[place]]);
    let vectors = if role == Role::Encode { 0 } else { 2 };
    let vectors = (0..vectors).map(|_| (0..setup.dim()).map(|_| random.entry()).collect()).collect();
    Case { parts, vectors, permutation: Vec::new() }
}

/// Rows of q, k and v, or of x: at random, with keys that tie, and with large scores.
fn matrices(setup: &Setup, role: Role, index: usize, random: &mut Random) -> Case {
    let (tokens, dim) = (setup.tokens, setup.dim());
    let count = if role == Role::Attention { 3 } else { 1 };
    let mut rows: Vec<Vec<f64>> = (0..count * tokens).map(|_| (0..dim).map(|_| random.entry()).collect()).collect();
    match index % 4 {
        // Two keys, or two tokens, are the same.
        1 => rows[(count - 1).min(1) * tokens + 1] = rows[(count - 1).min(1) * tokens].clone(),
        2 => rows[..tokens].iter_mut().flatten().for_each(|entry| *entry *= 4.0),
        3 => rows[..tokens].iter_mut().flatten().for_each(|entry| *entry /= 8.0),
        _ => {}
    }
    Case { parts: [0; PARTS], vectors: rows, permutation: random.permutation(tokens) }
}

/// Simpler cases, the simplest first: what fails is looked for among them.
pub(crate) fn simpler(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for place in 0..PARTS {
        let part = case.parts[place];
        for less in [0, part / 2, part.saturating_sub(part / 4), part.saturating_sub(1)] {
            if less < part {
                let mut parts = case.parts;
                parts[place] = less;
                all.push(Case { parts, ..case.clone() });
            }
        }
    }
    for index in 0..case.vectors.len().min(3) {
        let row = &case.vectors[index];
        let half = row.len() / 2;
        let kept: [&dyn Fn(usize) -> bool; 3] = [&|j| j < half, &|j| j >= half, &|j| j % 4 < 2];
        for keep in kept {
            let fewer: Vec<f64> = row.iter().enumerate().map(|(j, &x)| if keep(j) { x } else { 0.0 }).collect();
            push(&mut all, case, index, fewer);
        }
        let plain = row.iter().map(|&x| if x == 0.0 { 0.0 } else { 1.0 }).collect();
        push(&mut all, case, index, plain);
    }
    if case.permutation.len() > 2 {
        let mut swap: Vec<usize> = (0..case.permutation.len()).collect();
        swap.swap(0, 1);
        if swap != case.permutation {
            all.push(Case { permutation: swap, ..case.clone() });
        }
    }
    all
}

fn push(all: &mut Vec<Case>, case: &Case, index: usize, row: Vec<f64>) {
    if row != case.vectors[index] && row.iter().any(|&x| x != 0.0) {
        let mut vectors = case.vectors.clone();
        vectors[index] = row;
        all.push(Case { vectors, ..case.clone() });
    }
}
