//! The errors of many angles at once, at every pair of two positions.
//!
//! A difference of the sides is Σ c·D over frequencies, D = Σ n·ε(p) the same sum of the errors of a few positions for each. Where the
//! two symbols of the positions take few values, the largest Σ w·|D| is found among all of them, w a bound on |c|. Where c has no
//! reals, it is a wave of the positions, and the largest |Σ c·D| is found, the signs of the terms included; what is beyond the
//! first order is added.
//!
//! A pair is given up once what it has of the first frequencies, and all that it may have of the others, is no more than what
//! another one has.

use super::Uniform;
use super::domain::Domain;
use super::event::Event;
use super::joint::angle_error;
use crate::bound::running::up;
use crate::number::exact::{Exact, Residual};
use crate::number::format::power_of_two;
use crate::number::phase::{Frequency, Position};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// Between the first and the last value of a symbol, at most, for every pair to be computed.
const WIDEST: i64 = 4096;

/// Frequencies, at least: of fewer, bounds position by position are as good.
const MANY: usize = 128;

/// Frequencies after which pairs are given up: sums with signs are small beside what the others may add.
const LEVELS: [[usize; 2]; 2] = [[24, 72], [64, 112]];

/// Roundings of sums in binary32, as a share of the sum of all terms: fewer than 2^9 terms, each within a few units.
const SLACK: i32 = -13;

/// The errors of the angles of one frequency, and what stands beside their sum.
pub(super) struct Group {
    pub(super) omega: f64,
    /// A bound on the coefficient.
    weight: f64,
    /// The coefficient a·cos φ − b·sin φ, φ = Σ rate·symbol + rate; none where it is not known.
    pub(super) wave: Option<([f64; 2], [f64; 3])>,
}

/// A position a·x + b·y + c with the sign of its error, b being 0 or 1.
struct PairAngle {
    sign: f32,
    along: [i64; 2],
    constant: i64,
}

/// Positions of angles, with the signs of their errors.
type Angles = Vec<(Position, i32)>;

/// The two symbols with their first and last values.
pub(super) type Symbols = [(&'static str, [i64; 2]); 2];

impl Uniform {
    /// A bound on the part of a difference that the errors of angles make, at all pairs of two positions; none where these are many,
    /// or frequencies few.
    pub(super) fn largest_over_pairs(&self, residual: &Residual, value: &Exact) -> Option<f64> {
        if residual.0.len() < MANY {
            return None;
        }
        let domain = &*self.domain;
        let (angles, groups) = domain.groups(residual)?;
        if groups.len() < MANY {
            return None;
        }
        let symbols = domain.two_symbols(&angles)?;
        let are_few = symbols.iter().all(|(_, [low, high])| high - low <= WIDEST);
        let sizes = if are_few { domain.largest(&angles, &groups, symbols) } else { None };
        let signed = || {
            let (angles, groups) = domain.waves(value.slopes()?, symbols)?;
            let beyond = residual.0.iter().fold(0.0, |sum, displacement| up(sum + displacement.beyond));
            let search = if are_few { Domain::largest } else { Domain::largest_far };
            Some(up(search(domain, &angles, &groups, symbols)? + beyond))
        };
        sizes.into_iter().chain(signed()).min_by(f64::total_cmp)
    }
}

impl Domain {
    /// Weights by frequency, and the errors that all of them have.
    fn groups(&self, residual: &Residual) -> Option<(Angles, Vec<Group>)> {
        let mut angles: Option<Angles> = None;
        let mut weights: BTreeMap<Frequency, f64> = BTreeMap::new();
        for displacement in &residual.0 {
            let (mut found, mut of) = (Vec::new(), None);
            for (place, n) in &displacement.errors {
                let (Event::Angle(frequency @ Frequency::Power { .. }, position), _) = self.error_at(*place)? else {
                    return None;
                };
                if of.get_or_insert_with(|| frequency.clone()) != &frequency {
                    return None;
                }
                found.push((position, *n));
            }
            found.sort();
            let opposite: Angles = found.iter().map(|(position, n)| (position.clone(), -n)).collect();
            match &angles {
                Some(known) if *known != found && *known != opposite => return None,
                Some(_) => {}
                None => angles = Some(found),
            }
            let weight = weights.entry(of?).or_default();
            *weight = up(*weight + displacement.weight);
        }
        let group = |(frequency, weight): (Frequency, f64)| {
            Some(Group { omega: self.rounded(&frequency)?, weight, wave: None })
        };
        Some((angles?, weights.into_iter().map(group).collect::<Option<_>>()?))
    }

    /// Waves by frequency, and the errors that all of them have.
    fn waves(&self, slopes: BTreeMap<usize, Exact>, symbols: Symbols) -> Option<(Angles, Vec<Group>)> {
        let mut all: BTreeMap<Frequency, (Exact, Angles)> = BTreeMap::new();
        for (place, slope) in slopes {
            let (Event::Angle(frequency, position), _) = self.error_at(place)? else { return None };
            let (coefficient, angles) = all.entry(frequency).or_insert_with(|| (slope.clone(), Vec::new()));
            let sign = match () {
                () if *coefficient == slope => 1,
                () if *coefficient == -slope => -1,
                () => return None,
            };
            angles.push((position, sign));
        }
        let mut angles: Option<Angles> = None;
        let mut groups = Vec::new();
        for (frequency, (coefficient, mut found)) in all {
            found.sort();
            let terms = coefficient.terms(&|frequency| self.rounded(frequency))?;
            let [term, _] = <[_; 2]>::try_from(terms).ok()?;
            let mut rates = [0.0; 3];
            for (name, rate) in term.phase {
                let place = name.and_then(|name| symbols.iter().position(|(known, _)| *known == name));
                rates[if name.is_none() { 2 } else { place? }] += rate;
            }
            // Of a real number: the other term is the conjugate.
            let mut wave = term.coefficient.map(|part| 2.0 * part);
            if !term.reals.is_empty() {
                return None;
            }
            let opposite: Angles = found.iter().map(|(position, n)| (position.clone(), -n)).collect();
            match &angles {
                Some(known) if *known == opposite => wave = wave.map(|part| -part),
                Some(known) if *known != found => return None,
                Some(_) => {}
                None => angles = Some(found),
            }
            let weight = up(wave[0].hypot(wave[1]));
            groups.push(Group { omega: self.rounded(&frequency)?, weight, wave: Some((wave, rates)) });
        }
        Some((angles?, groups))
    }

    fn two_symbols(&self, angles: &[(Position, i32)]) -> Option<Symbols> {
        let mut names: Vec<&'static str> =
            angles.iter().flat_map(|(position, _)| position.terms().map(|(name, _)| name)).collect();
        names.sort_unstable();
        names.dedup();
        let range = |name: &'static str| {
            let [low, high] = *self.positions.get(name)?;
            Some((name, [low as i64, high as i64]))
        };
        let [x, y] = <[&'static str; 2]>::try_from(names).ok()?;
        Some([range(x)?, range(y)?])
    }

    /// A bound on Σ c·D of all groups, by its size at every pair; none where a position has another factor than ±1.
    fn largest(&self, all: &[(Position, i32)], groups: &[Group], symbols: Symbols) -> Option<f64> {
        let [(x, [first, last]), (_, [low, high])] = symbols;
        let angle = |(position, n): &(Position, i32)| {
            let mut along = [0, 0];
            for (name, coefficient) in position.terms() {
                along[usize::from(name != x)] = coefficient;
            }
            let flip = if along[1] < 0 { -1 } else { 1 };
            let along = along.map(|coefficient| flip * coefficient);
            let is_simple = along.iter().all(|coefficient| coefficient.abs() <= 1);
            let sign = (i64::from(*n) * flip) as f32;
            is_simple.then(|| PairAngle { sign, along, constant: flip * position.constant() })
        };
        let angles = all.iter().map(angle).collect::<Option<Vec<PairAngle>>>()?;
        let mut plan = PairPlan::new(self, angles, groups, [[first, last], [low, high]])?;
        plan.is_symmetric = [first, last] == [low, high] && is_symmetric(all, groups, symbols);
        let best = AtomicU32::new(0);
        // From the last one on: the errors of large positions are large.
        let search = |row: &mut Row, step: usize| plan.search(last - step as i64, row, &best);
        (0..=(last - first) as usize).into_par_iter().for_each_init(|| plan.row(), search);
        Some(up(f64::from(f32::from_bits(best.into_inner())) + plan.slack))
    }
}

/// True if the errors of all angles are the same, up to one sign for all, with the two symbols exchanged, and so are the waves.
fn is_symmetric(angles: &[(Position, i32)], groups: &[Group], [(x, _), (y, _)]: Symbols) -> bool {
    let exchanged = |(position, n): &(Position, i32)| {
        let moved = position.terms().fold(Position::integer(position.constant()), |sum, (name, factor)| {
            sum + Position::symbol(if name == x { y } else { x }).times(factor)
        });
        // Errors are odd.
        let is_negative = moved.terms().next().is_some_and(|(_, factor)| factor < 0);
        if is_negative { (moved.times(-1), -n) } else { (moved, *n) }
    };
    let mut moved: Angles = angles.iter().map(exchanged).collect();
    moved.sort();
    let opposite: Angles = moved.iter().map(|(position, n)| (position.clone(), -n)).collect();
    // All of them cosines or all sines, of one sum or of one difference.
    let all =
        |is_so: fn(&([f64; 2], [f64; 3])) -> bool| groups.iter().all(|group| group.wave.as_ref().is_none_or(is_so));
    let are_waves = (all(|(wave, _)| wave[0] == 0.0) || all(|(wave, _)| wave[1] == 0.0))
        && (all(|(_, rates)| rates[0] == rates[1]) || all(|(_, rates)| rates[0] == -rates[1]))
        && all(|(_, rates)| rates[2] == 0.0);
    (moved == angles || opposite == angles) && are_waves
}

/// Tables of errors and of waves.
struct PairPlan {
    angles: Vec<PairAngle>,
    /// Of each group, the errors of all positions times the weight, where there is no wave.
    errors: Vec<Vec<f32>>,
    /// Of each group with a wave: the coefficients and rates, and cosines and sines along y.
    waves: Vec<Option<Turning>>,
    levels: [usize; 2],
    /// Of each position, what it may add to all groups beyond a level.
    tails: [Vec<f32>; 2],
    /// The position of the first entry of a table.
    base: i64,
    low: i64,
    count: usize,
    /// True if a pair and the one with its positions exchanged have sums of one size.
    is_symmetric: bool,
    slack: f64,
}

struct Turning {
    wave: [f64; 2],
    rates: [f64; 3],
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

/// Room for one row.
struct Row {
    sums: Vec<f32>,
    errors: Vec<f32>,
}

impl PairPlan {
    fn new(domain: &Domain, angles: Vec<PairAngle>, groups: &[Group], [xs, ys]: [[i64; 2]; 2]) -> Option<Self> {
        let mut order: Vec<&Group> = groups.iter().collect();
        order.sort_by(|one, other| (other.weight * other.omega).total_cmp(&(one.weight * one.omega)));
        let ends = |angle: &PairAngle| {
            let corners = xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y)));
            corners.map(|(x, y)| angle.along[0] * x + angle.along[1] * y + angle.constant).collect::<Vec<i64>>()
        };
        let all: Vec<i64> = angles.iter().flat_map(ends).collect();
        let (base, last) = (*all.iter().min()?, *all.iter().max()?);
        let positions = (last - base + 1) as usize;
        let levels = LEVELS[usize::from(groups.iter().any(|group| group.wave.is_some()))];
        let [low, high] = ys;
        let count = (high - low + 1) as usize;
        let mut tails = [vec![0.0f64; positions], vec![0.0f64; positions]];
        let (mut errors, mut waves, mut plain) = (Vec::new(), Vec::new(), 0.0);
        let farthest = base.abs().max(last.abs()) as f64;
        for (place, Group { omega, weight, wave }) in order.into_iter().enumerate() {
            let of = |place: usize| angle_error(domain.format, (base + place as i64) as f64, *omega);
            let table: Vec<f64> = (0..positions).map(of).collect();
            for (level, tail) in levels.iter().zip(&mut tails) {
                if place >= *level {
                    tail.iter_mut().zip(&table).for_each(|(tail, error)| *tail += weight * error.abs());
                }
            }
            let turns: f64 = angles.iter().map(|angle| f64::from(angle.sign.abs())).sum();
            plain = up(plain + up(weight * turns * domain.angle_bound(*omega, farthest)?));
            let factor = if wave.is_some() { 1.0 } else { *weight };
            errors.push(table.iter().map(|error| (factor * error) as f32).collect());
            let turning = |(wave, rates): ([f64; 2], [f64; 3])| {
                let at = |place: usize| core_math::sincos(rates[1] * (low + place as i64) as f64);
                let (sines, cosines) = (0..count).map(at).map(|(sin, cos)| (sin as f32, cos as f32)).unzip();
                Turning { wave, rates, cosines, sines }
            };
            waves.push(wave.map(turning));
        }
        let above = |tail: Vec<f64>| tail.into_iter().map(|sum| (sum * (1.0 + 1e-6)) as f32).collect();
        let slack = up(plain * power_of_two(SLACK));
        Some(Self {
            angles,
            errors,
            waves,
            levels,
            tails: tails.map(above),
            base,
            low,
            count,
            is_symmetric: false,
            slack,
        })
    }

    fn row(&self) -> Row {
        Row { sums: vec![0.0; self.count], errors: vec![0.0; self.count] }
    }

    /// The place in a table of the first entry of an angle's row.
    fn start(&self, angle: &PairAngle, x: i64) -> usize {
        (angle.along[0] * x + angle.along[1] * self.low + angle.constant - self.base) as usize
    }

    /// The factors of cosine and sine along y.
    fn factors(turning: &Turning, x: i64) -> [f32; 2] {
        let (sin, cos) = core_math::sincos(turning.rates[0] * x as f64 + turning.rates[2]);
        let [a, b] = turning.wave;
        [(a * cos - b * sin) as f32, (-a * sin - b * cos) as f32]
    }

    /// Adds the terms of a group to all sums of a row.
    fn add(&self, place: usize, x: i64, Row { sums, errors }: &mut Row) {
        let table = &self.errors[place];
        errors.fill(0.0);
        for angle in &self.angles {
            let start = self.start(angle, x);
            if angle.along[1] == 0 {
                let constant = angle.sign * table[start];
                errors.iter_mut().for_each(|error| *error += constant);
            } else {
                let moving = &table[start..start + errors.len()];
                errors.iter_mut().zip(moving).for_each(|(error, one)| *error += angle.sign * one);
            }
        }
        match &self.waves[place] {
            None => sums.iter_mut().zip(&*errors).for_each(|(sum, error)| *sum += error.abs()),
            Some(turning) => {
                let [c, s] = Self::factors(turning, x);
                let waves = turning.cosines.iter().zip(&turning.sines);
                for ((sum, error), (cos, sin)) in sums.iter_mut().zip(&*errors).zip(waves) {
                    *sum += error * (c * cos + s * sin);
                }
            }
        }
    }

    /// The term of a group at a pair.
    fn term(&self, place: usize, x: i64, y: usize) -> f32 {
        let table = &self.errors[place];
        let error = |angle: &PairAngle| {
            let step = if angle.along[1] == 0 { 0 } else { y };
            angle.sign * table[self.start(angle, x) + step]
        };
        let sum: f32 = self.angles.iter().map(error).sum();
        match &self.waves[place] {
            None => sum.abs(),
            Some(turning) => {
                let [c, s] = Self::factors(turning, x);
                sum * (c * turning.cosines[y] + s * turning.sines[y])
            }
        }
    }

    /// A bound on what a pair may have beyond a level.
    fn tail(&self, level: usize, x: i64, y: usize) -> f32 {
        let tail = |angle: &PairAngle| {
            let step = if angle.along[1] == 0 { 0 } else { y };
            angle.sign.abs() * self.tails[level][self.start(angle, x) + step]
        };
        self.angles.iter().map(tail).sum()
    }

    /// Raises `best` to the largest sum at `x`, if that is larger.
    fn search(&self, x: i64, row: &mut Row, best: &AtomicU32) {
        let count = if self.is_symmetric { (x - self.low) as usize + 1 } else { self.count };
        row.sums.resize(count, 0.0);
        row.errors.resize(count, 0.0);
        row.sums.fill(0.0);
        for place in 0..self.levels[0] {
            self.add(place, x, row);
        }
        // Bits of numbers that are not negative are in their order.
        let mut highest = f32::from_bits(best.load(Ordering::Relaxed));
        for (y, sum) in row.sums.iter().enumerate() {
            if sum.abs() + self.tail(0, x, y) <= highest {
                continue;
            }
            let sum = (self.levels[0]..self.levels[1]).fold(*sum, |sum, place| sum + self.term(place, x, y));
            if sum.abs() + self.tail(1, x, y) <= highest {
                continue;
            }
            let sum = (self.levels[1]..self.errors.len()).fold(sum, |sum, place| sum + self.term(place, x, y));
            highest = highest.max(sum.abs());
        }
        best.fetch_max(highest.to_bits(), Ordering::Relaxed);
    }
}
