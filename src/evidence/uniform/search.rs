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
use crate::number::linear::{Linear, Uniform, angle_error};
use crate::number::phase::{Frequency, Position};
use crate::number::system::Values;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Angles whose errors have one coefficient, up to its sign.
#[derive(Clone, Debug)]
struct AngleGroup {
    omega: f64,
    /// The place of each angle's position, and the sign of the coefficient.
    angles: Vec<(usize, f64)>,
    /// A bound on the coefficient.
    weight: f64,
    coefficient: Vec<PhaseTerm>,
}

/// A term whose phase is Σ rate·symbol, with 1 for the place of a symbol beyond the last.
#[derive(Clone, Debug, PartialEq)]
struct PhaseTerm {
    coefficient: [f64; 2],
    reals: Vec<Real>,
    rates: Vec<f64>,
}

/// The first order of a comparison, in the errors of its angles.
#[derive(Clone, Debug)]
pub(super) struct Landscape {
    groups: Vec<AngleGroup>,
    symbols: Vec<&'static str>,
    /// The coefficients of the symbols, and of 1.
    positions: Vec<Vec<f64>>,
    has_reals: bool,
    format: Format,
}

/// Waves of terms, one for each pair of conjugate ones.
fn waves(terms: &[Term], symbols: &[&'static str]) -> Vec<PhaseTerm> {
    let mut waves: Vec<PhaseTerm> = Vec::new();
    for Term { coefficient, reals, phase } in terms {
        let mut rates = vec![0.0; symbols.len() + 1];
        for (name, rate) in phase {
            let place = name.and_then(|name| symbols.iter().position(|known| *known == name));
            rates[place.unwrap_or(symbols.len())] += rate;
        }
        let negative: Vec<f64> = rates.iter().map(|rate| -rate).collect();
        // The real parts of conjugate terms are equal.
        match waves.iter_mut().find(|wave| wave.rates == negative && wave.reals == *reals && rates != negative) {
            Some(known) => known.coefficient = known.coefficient.map(|part| 2.0 * part),
            None => waves.push(PhaseTerm { coefficient: *coefficient, reals: reals.clone(), rates }),
        }
    }
    waves
}

impl Landscape {
    /// Of the sides of an equality; none where its first order is no polynomial.
    pub fn new(system: &Uniform, format: Format, [left, right]: [&Linear; 2]) -> Option<Self> {
        let mut groups: Vec<(Frequency, Exact, AngleGroup)> = Vec::new();
        let mut positions: Vec<Position> = Vec::new();
        let angles = system.angles(left, right)?;
        let names = angles.iter().flat_map(|(_, position, _)| position.terms().map(|(name, _)| name));
        let symbols: Vec<&'static str> = names.collect::<BTreeSet<_>>().into_iter().collect();
        for (frequency, position, coefficient) in angles {
            let place = positions.iter().position(|known| *known == position).unwrap_or_else(|| {
                positions.push(position);
                positions.len() - 1
            });
            let same = groups.iter_mut().rev().find_map(|(known, value, group)| {
                let sign = match () {
                    () if *known != frequency => return None,
                    () if *value == coefficient => 1.0,
                    () if *value == -coefficient.clone() => -1.0,
                    () => return None,
                };
                Some((group, sign))
            });
            if let Some((group, sign)) = same {
                group.angles.push((place, sign));
                continue;
            }
            let terms = coefficient.terms(&|frequency| system.rounded(frequency))?;
            let (omega, weight) = (system.rounded(&frequency)?, system.magnitude(&coefficient)?);
            let group = AngleGroup { omega, angles: vec![(place, 1.0)], weight, coefficient: waves(&terms, &symbols) };
            groups.push((frequency, coefficient, group));
        }
        let groups: Vec<AngleGroup> = groups.into_iter().map(|(.., group)| group).collect();
        let has_reals = groups.iter().flat_map(|group| &group.coefficient).any(|wave| !wave.reals.is_empty());
        let coefficients = |position: Position| {
            let mut all = vec![0.0; symbols.len() + 1];
            for (name, coefficient) in position.terms() {
                let place = symbols.iter().position(|known| *known == name);
                all[place.unwrap_or(symbols.len())] = coefficient as f64;
            }
            all[symbols.len()] = position.constant() as f64;
            all
        };
        let positions = positions.into_iter().map(coefficients).collect();
        Some(Self { groups, positions, symbols, has_reals, format })
    }

    /// The values of the symbols, and 1.
    fn point(&self, values: &Values) -> Vec<f64> {
        let value = |name: &&'static str| values.positions.get(name).copied().unwrap_or(0.0);
        self.symbols.iter().map(value).chain([1.0]).collect()
    }

    /// D_g of each group.
    fn errors(&self, point: &[f64]) -> impl Iterator<Item = (f64, &AngleGroup)> {
        let positions: Vec<f64> = self.positions.iter().map(|coefficients| dot(coefficients, point)).collect();
        self.groups.iter().map(move |group| {
            let error = |(place, sign): &(usize, f64)| sign * angle_error(self.format, positions[*place], group.omega);
            (group.angles.iter().map(error).sum(), group)
        })
    }

    /// Σ_g max|c_g|·|D_g|, or |Σ_g c_g·D_g| where c_g has no reals.
    fn height(&self, point: &[f64]) -> f64 {
        if self.has_reals {
            return self.errors(point).map(|(error, group)| group.weight * error.abs()).sum();
        }
        let slope = |group: &AngleGroup| group.coefficient.iter().map(|wave| wave.size(point)).sum::<f64>();
        self.errors(point)
            .map(|(error, group)| if error == 0.0 { 0.0 } else { error * slope(group) })
            .sum::<f64>()
            .abs()
    }

    /// Two positions, of those whose angles have the largest errors each by itself, at which a difference with few frequencies is
    /// highest: ties of three angles are few among all pairs of positions.
    fn of_largest_errors(&self, ranges: &[(&'static str, [i64; 2])]) -> Option<Vec<(&'static str, f64)>> {
        let [first, second] = ranges else { return None };
        if self.groups.len() > FEW_GROUPS || self.symbols.len() != 2 {
            return None;
        }
        let group = self
            .groups
            .iter()
            .max_by(|one, other| (one.weight * one.omega).total_cmp(&(other.weight * other.omega)))?;
        let largest = |[low, high]: [i64; 2]| {
            let mut all: Vec<f64> = (low..=high).map(|place| place as f64).collect();
            let error = |place: &f64| angle_error(self.format, *place, group.omega).abs();
            all.sort_by_cached_key(|place| std::cmp::Reverse(error(place).to_bits()));
            all.truncate(MOST_TIED);
            all
        };
        let (mut highest, mut found) = (0.0, None);
        let others = largest(second.1);
        for one in largest(first.1) {
            for other in &others {
                let at = |name: &'static str| if name == first.0 { one } else { *other };
                let point: Vec<f64> = self.symbols.iter().map(|name| at(name)).chain([1.0]).collect();
                let height = self.height(&point);
                if height > highest {
                    (highest, found) = (height, Some(vec![(first.0, one), (second.0, *other)]));
                }
            }
        }
        found
    }

    /// The polynomial in the reals at some positions.
    fn polynomial(&self, values: &Values) -> Vec<(f64, &[Real])> {
        let point = self.point(values);
        let of = |(error, group): (f64, &'_ AngleGroup)| -> Vec<f64> {
            group.coefficient.iter().map(|wave| error * wave.size(&point)).collect()
        };
        let sizes: Vec<f64> = self.errors(&point).flat_map(of).collect();
        let reals = self.groups.iter().flat_map(|group| group.coefficient.iter().map(|wave| &wave.reals[..]));
        sizes.into_iter().zip(reals).collect()
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

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

impl PhaseTerm {
    /// Without its reals, at some positions. The imaginary parts of conjugate terms cancel.
    fn size(&self, point: &[f64]) -> f64 {
        let (sin, cos) = dot(&self.rates, point).sin_cos();
        self.coefficient[0] * cos - self.coefficient[1] * sin
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

/// Groups of angles, at most, in whose errors ties are looked for.
const FEW_GROUPS: usize = 4;

/// Positions with the largest errors of which all pairs are tried.
const MOST_TIED: usize = 64;

/// Starting points of a search.
const STARTS: usize = 4;

/// Lines that are followed from a starting point: one position after the other.
const LINES: usize = 8;

/// Draws, from a generator with a fixed start.
#[derive(Default)]
pub(super) struct Drawn(u64);

impl Drawn {
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (sample::bits(&mut self.0) % (high.max(low) - low + 1) as u64) as i64
    }

    /// From 0 to 1.
    pub(super) fn share(&mut self) -> f64 {
        sample::uniform(&mut self.0)
    }

    /// Half of the cases have every position in the last eighth, where binades are widest; three quarters of the reals are
    /// an end of their box, where a linear error is largest.
    pub fn values(&mut self, inputs: &Inputs, last: i64, index: usize) -> Values {
        let mut values = Values::default();
        let mut former = None;
        for (name, [low, high]) in inputs.positions_to(last) {
            let first = if index.is_multiple_of(2) { low } else { low.max(high - high / 8) };
            let place = match former {
                // Of two equal positions the products of a score are squares.
                Some(former) if index % 4 == 3 => low.max(high.min(former)),
                _ => self.between(first, high),
            };
            former = Some(place);
            values.positions.insert(name, place as f64);
        }
        for (name, count, low, high) in &inputs.reals {
            let real = |drawn: &mut Self| match sample::bits(&mut drawn.0) % 8 {
                // Sums of numbers of one sign are large, and so are their roundings.
                _ if index % 4 == 3 => high * (1.0 - sample::uniform(&mut drawn.0) / 16.0),
                0..3 => *low,
                3..6 => *high,
                _ => low + (high - low) * sample::uniform(&mut drawn.0),
            };
            values.reals.insert(name, (0..*count).map(|_| real(self)).collect());
        }
        values
    }
}

/// Cases with large errors in the first order: positions line by line, each the highest of a line, then reals.
pub(super) fn candidates(landscape: &Landscape, inputs: &Inputs, last: i64, budget: Budget) -> Vec<Values> {
    let mut drawn = Drawn(1);
    let ranges: Vec<(&'static str, [i64; 2])> = inputs.positions_to(last).collect();
    // A height of many groups is dear: as many as cost alike.
    let heights = (budget.positions / landscape.groups.len().max(1)).max(256);
    let mut all = Vec::new();
    let tied = landscape.of_largest_errors(&ranges).into_iter().map(Some);
    for (start, tied) in std::iter::repeat_n(None, STARTS).chain(tied).enumerate() {
        let mut values = drawn.values(&Inputs { reals: Vec::new(), ..inputs.clone() }, last, start);
        values.positions.extend(tied.into_iter().flatten());
        let mut point = landscape.point(&values);
        let mut height = landscape.height(&point);
        for line in 0..if ranges.is_empty() { 0 } else { LINES } {
            let (name, [low, high]) = ranges[line % ranges.len()];
            let Some(place) = landscape.symbols.iter().position(|symbol| *symbol == name) else { continue };
            let count = (heights / (STARTS * LINES)) as i64;
            // Every position in turn where the line is short, else those of the last half, and some before.
            let is_whole = high - low < count;
            for step in 0..if is_whole { high - low + 1 } else { count } {
                let there = match step % 4 {
                    _ if is_whole => low + step,
                    0 => drawn.between(low, high),
                    _ => drawn.between(low.max(high / 2), high),
                };
                let known = std::mem::replace(&mut point[place], there as f64);
                let found = landscape.height(&point);
                if found > height { height = found } else { point[place] = known }
            }
            values.positions.insert(name, point[place]);
        }
        for fresh in 0..if inputs.reals.is_empty() { 1 } else { 3 } {
            let mut climbing = values.clone();
            climbing.reals = drawn.values(inputs, last, fresh).reals;
            landscape.climb_reals(inputs, &mut climbing);
            all.push(climbing);
        }
    }
    all
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
