//! The largest errors: positions by the errors of their angles, reals by the signs of the gradient, then single steps.
//!
//! In the first order a difference is Σ_g c_g·D_g, where D_g sums the errors of the angles that have the coefficient c_g or its
//! negative. Positions are chosen for Σ_g max|c_g|·|D_g|, which needs no reals. The sum is a polynomial in the reals, linear in each:
//! setting each to the end of its box that its derivative asks for climbs until nothing changes. Then what is really computed
//! decides: all that is kept was evaluated.

use crate::claim::{Case, Inputs};
use crate::evidence::sample;
use crate::number::exact::{Exact, Real, Term};
use crate::number::format::Format;
use crate::number::linear::{Linear, Uniform};
use crate::number::phase::{Frequency, Position};
use crate::number::system::Values;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Angles whose errors have one coefficient, up to its sign.
#[derive(Clone, Debug)]
struct Group {
    omega: f64,
    /// Each angle's position, and the sign of the coefficient.
    angles: Vec<(Position, f64)>,
    /// A bound on the coefficient.
    weight: f64,
    coefficient: Vec<Term>,
}

/// The first order of a comparison, in the errors of its angles.
#[derive(Clone, Debug)]
pub(super) struct Landscape {
    groups: Vec<Group>,
    format: Format,
}

/// The error of an angle, fl(fl(p)·ω) − p·ω.
fn angle_error(format: Format, position: f64, omega: f64) -> f64 {
    let kept = format.round(position);
    let product = kept * omega;
    // Products of two numbers of at most 26 bits are exact; of others the rest is.
    let rounding = format.round(product) - product - kept.mul_add(omega, -product);
    rounding + (kept - position) * omega
}

impl Landscape {
    /// Of the sides of an equality; none where its first order is no polynomial.
    pub fn new(system: &Uniform, format: Format, [left, right]: [&Linear; 2]) -> Option<Self> {
        let mut groups: Vec<(Frequency, Exact, Group)> = Vec::new();
        for (frequency, position, coefficient) in system.angles(left, right)? {
            let same = groups.iter_mut().rev().take(4).find_map(|(known, value, group)| {
                let sign = match () {
                    () if *known != frequency => return None,
                    () if *value == coefficient => 1.0,
                    () if *value == -coefficient.clone() => -1.0,
                    () => return None,
                };
                Some((group, sign))
            });
            if let Some((group, sign)) = same {
                group.angles.push((position, sign));
                continue;
            }
            let terms = coefficient.terms(&|frequency| system.rounded(frequency))?;
            let (omega, weight) = (system.rounded(&frequency)?, system.magnitude(&coefficient)?);
            let group = Group { omega, angles: vec![(position, 1.0)], weight, coefficient: terms };
            groups.push((frequency, coefficient, group));
        }
        Some(Self { groups: groups.into_iter().map(|(.., group)| group).collect(), format })
    }

    /// D_g of each group.
    fn errors(&self, values: &Values) -> Vec<f64> {
        let of = |group: &Group| {
            let error = |(position, sign): &(Position, f64)| {
                sign * angle_error(self.format, values.position(position), group.omega)
            };
            group.angles.iter().map(error).sum()
        };
        self.groups.iter().map(of).collect()
    }

    /// Σ_g max|c_g|·|D_g|.
    fn height(&self, values: &Values) -> f64 {
        self.errors(values).iter().zip(&self.groups).map(|(error, group)| group.weight * error.abs()).sum()
    }

    /// The polynomial in the reals at some positions.
    fn polynomial(&self, values: &Values) -> Vec<(f64, &[Real])> {
        let mut all = Vec::new();
        for (error, group) in self.errors(values).iter().zip(&self.groups) {
            for term in &group.coefficient {
                let phase = term.phase.iter().map(|(name, rate)| {
                    rate * name.map_or(1.0, |name| values.positions.get(name).copied().unwrap_or(0.0))
                });
                let (sin, cos) = phase.sum::<f64>().sin_cos();
                // The imaginary parts of conjugate terms cancel.
                all.push((error * (term.coefficient[0] * cos - term.coefficient[1] * sin), &term.reals[..]));
            }
        }
        all
    }

    /// Sets the reals to ends of their boxes until no derivative of the first order asks for another.
    fn climb_reals(&self, inputs: &Inputs, values: &mut Values) {
        const ROUNDS: usize = 16;
        let polynomial = self.polynomial(values);
        for round in 0..ROUNDS {
            let mut slopes: BTreeMap<Real, f64> = BTreeMap::new();
            for (scale, reals) in &polynomial {
                for (place, real) in reals.iter().enumerate() {
                    let others = reals.iter().enumerate().filter(|(other, _)| *other != place);
                    let product: f64 = others.map(|(_, (name, index))| values.real(name, *index)).product();
                    *slopes.entry(*real).or_default() += scale * product;
                }
            }
            let mut changed = false;
            for (at, (name, _, low, high)) in inputs.reals.iter().enumerate() {
                // One vector after the other: a step in both at once may lead down.
                if inputs.reals.len() > 1 && at != round % inputs.reals.len() {
                    continue;
                }
                let Some(numbers) = values.reals.get_mut(name) else { continue };
                for (index, number) in numbers.iter_mut().enumerate() {
                    let slope = slopes.get(&(*name, index)).copied().unwrap_or(0.0);
                    let end = if slope > 0.0 { *high } else { *low };
                    if slope != 0.0 && *number != end {
                        *number = end;
                        changed = true;
                    }
                }
            }
            if !changed && round >= inputs.reals.len() {
                break;
            }
        }
    }
}

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Choices of positions.
    pub positions: usize,
    /// Cases that are evaluated.
    pub evaluations: usize,
}

/// Starting points that are kept.
const KEPT: usize = 6;

/// Draws, from a generator with a fixed start.
#[derive(Default)]
pub(super) struct Drawn(u64);

impl Drawn {
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (sample::bits(&mut self.0) % (high.max(low) - low + 1) as u64) as i64
    }

    /// Half of the cases have every position in the last eighth, where binades are widest; three quarters of the reals are
    /// an end of their box, where a linear error is largest.
    pub fn values(&mut self, inputs: &Inputs, last: i64, index: usize) -> Values {
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

/// Cases with large errors in the first order: positions by the landscape, then reals.
pub(super) fn candidates(landscape: &Landscape, inputs: &Inputs, last: i64, budget: Budget) -> Vec<Values> {
    let mut drawn = Drawn(1);
    let mut best: Vec<(f64, Values)> = Vec::new();
    // An evaluation of many groups is dear: as many choices as cost alike.
    let choices = (budget.positions / landscape.groups.len().max(1)).max(64);
    for index in 0..choices {
        let values = drawn.values(&Inputs { reals: Vec::new(), ..inputs.clone() }, last, index);
        keep(&mut best, landscape.height(&values), values);
    }
    let ranges: Vec<(&str, [i64; 2])> = inputs.positions_to(last).collect();
    for (height, values) in &mut best {
        // Single positions in the place of others, and their neighbours, as long as that climbs.
        for step in 0..if ranges.is_empty() { 0 } else { choices / KEPT } {
            let (name, [low, high]) = ranges[step % ranges.len()];
            let here = values.positions.get(name).copied().unwrap_or(0.0);
            let there = match step % 3 {
                0 => here + drawn.between(-8, 8) as f64,
                _ => drawn.between(low.max(high / 2), high) as f64,
            };
            let mut moved = values.clone();
            moved.positions.insert(name, there.clamp(low as f64, high as f64));
            let found = landscape.height(&moved);
            if found > *height {
                (*height, *values) = (found, moved);
            }
        }
    }
    let mut all = Vec::new();
    for (_, values) in best {
        for start in 0..3 {
            let mut climbing = values.clone();
            climbing.reals = drawn.values(inputs, last, start).reals;
            landscape.climb_reals(inputs, &mut climbing);
            all.push(climbing);
        }
        if inputs.reals.is_empty() {
            all.truncate(all.len() - 2);
        }
    }
    all
}

/// Keeps the highest.
fn keep(best: &mut Vec<(f64, Values)>, height: f64, values: Values) {
    if best.len() < KEPT || best.last().is_some_and(|(least, _)| height > *least) {
        best.push((height, values));
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        best.truncate(KEPT);
    }
}

/// Small changes of a case, kept while what is computed errs more.
pub(super) fn polish(
    inputs: &Inputs,
    last: i64,
    start: (f64, Case),
    budget: Budget,
    error: impl Fn(&Case) -> Option<f64>,
) -> (f64, Case) {
    let mut drawn = Drawn(2);
    let (mut largest, mut case) = start;
    let ranges: Vec<(&str, [i64; 2])> = inputs.positions_to(last).collect();
    let moves = ranges.len() + inputs.reals.len();
    for step in 0..budget.evaluations {
        let mut values = (*case.values).clone();
        let place = step % moves.max(1);
        if let Some((name, [low, high])) = ranges.get(place) {
            let here = values.positions.get(name).copied().unwrap_or(0.0);
            values.positions.insert(name, (here + drawn.between(-16, 16) as f64).clamp(*low as f64, *high as f64));
        } else if let Some((name, count, low, high)) = inputs.reals.get(place - ranges.len())
            && let Some(numbers) = values.reals.get_mut(name)
        {
            let at = drawn.between(0, *count as i64 - 1) as usize;
            numbers[at] = match drawn.between(0, 3) {
                0 => *low,
                1 => *high,
                // A little inside of the end: the product has bits to lose.
                _ => numbers[at] * (1.0 - sample::uniform(&mut drawn.0) / 64.0),
            };
        }
        let tried = Case { values: Arc::new(values), ..case.clone() };
        if let Some(found) = error(&tried).filter(|found| *found > largest) {
            (largest, case) = (found, tried);
        }
    }
    (largest, case)
}
