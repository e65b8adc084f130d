//! The errors of many angles at two far positions and their distance.
//!
//! A difference is Σ c(r)·(ε(r) ± ε(s) ± ε(t)) over frequencies, with a wave c of the distance r of s and t. By the inequality of Cauchy
//! and Schwarz, whatever the weights h > 0 of the frequencies are,
//!
//! Σ |c(r)|·|ε(s)| ≤ W(r)·E(s), with W(r)² = Σ h·c(r)² and E(s)² = Σ ε(s)²/h.
//!
//! So no difference is above A(r) + W(r)·(E(s) + E(t)), with A(r) = Σ |c(r)·ε(r)|. It is first bounded block by block. At those pairs
//! where it is still above a share of the largest of these bounds, the difference itself is computed.

use super::domain::Domain;
use super::joint::angle_error;
use super::pairs::{Group, Symbols};
use crate::bound::running::up;
use crate::number::phase::Position;
use rayon::prelude::*;

/// Positions of a block.
const BLOCK: usize = 256;

/// The last position, at most.
const FARTHEST: i64 = 1 << 18;

/// Above this share of the bound of all blocks, pairs are computed one by one.
const SHARE: f64 = 0.88;

/// Pairs of a distance that are computed, at most.
const MOST: usize = 1 << 12;

/// More than what is lost by rounding here, as a share.
const ROUNDING: f64 = 1e-9;

/// A(r), W(r) and E(r).
type Sizes = (f64, f64, f64);

/// The place of the distance among three positions, of which the others are the two symbols.
fn distance(angles: &[(Position, i32)], symbols: Symbols) -> Option<usize> {
    let sum =
        angles.iter().fold(Position::integer(0), |sum, (position, n)| sum + position.clone().times(i64::from(*n)));
    let is_alone = |position: &Position| symbols.iter().any(|(name, _)| *position == Position::symbol(name));
    let [(one, _), (other, _)] = symbols;
    let apart = Position::symbol(one) - Position::symbol(other);
    let place = angles.iter().position(|(position, _)| *position == apart || *position == -apart.clone())?;
    let others = angles.iter().enumerate().filter(|(at, _)| *at != place);
    let are_signs = angles.iter().all(|(_, n)| n.abs() == 1);
    let is_it = angles.len() == 3 && are_signs && sum == Position::integer(0);
    (is_it && others.clone().all(|(_, (position, _))| is_alone(position))).then_some(place)
}

impl Domain {
    /// A bound on the first order over all pairs of two symbols from 0 on; none of other forms.
    pub(super) fn largest_far(&self, angles: &[(Position, i32)], groups: &[Group], symbols: Symbols) -> Option<f64> {
        let [(one, range), (_, other)] = symbols;
        distance(angles, symbols)?;
        // Of each frequency: ω, h, and the wave of the distance.
        let mut waves = Vec::new();
        for Group { omega, wave, .. } in groups {
            let (wave, rates) = (*wave)?;
            let is_of_distance = rates[0] == -rates[1] && rates[2] == 0.0 && rates[0].abs() == *omega;
            if !is_of_distance || range != other || range[0] != 0 || range[1] > FARTHEST {
                return None;
            }
            let weight = self.angle_bound(*omega, range[1] as f64)?;
            waves.push((*omega, weight, [wave[0], wave[1] * rates[0].signum()]));
        }
        // Of cosines or of sines alone the size is that of the opposite distance.
        let are_even = [0, 1].iter().any(|part| waves.iter().all(|(_, _, wave)| wave[*part] == 0.0));
        if !are_even {
            return None;
        }
        let count = range[1] as usize + 1;
        let of_block = |block: usize| {
            let first = block * BLOCK;
            let mut sizes = vec![(0.0, 0.0, 0.0); BLOCK.min(count - first)];
            for (omega, weight, [a, b]) in &waves {
                // One turn after the other: within a few thousand units in the last place.
                let (mut sin, mut cos) = core_math::sincos(omega * first as f64);
                let (sine, cosine) = core_math::sincos(*omega);
                for (r, (sum, product, square)) in (first..).zip(&mut sizes) {
                    let error = angle_error(self.format, r as f64, *omega).abs();
                    let coefficient = (a * cos - b * sin).abs();
                    *sum += coefficient * error;
                    *product += weight * coefficient * coefficient;
                    *square += error * error / weight;
                    (sin, cos) = (sin * cosine + cos * sine, cos * cosine - sin * sine);
                }
            }
            sizes.iter_mut().for_each(|(_, product, square)| (*product, *square) = (product.sqrt(), square.sqrt()));
            sizes
        };
        let sizes: Vec<Vec<Sizes>> = (0..count.div_ceil(BLOCK)).into_par_iter().map(of_block).collect();
        let sizes: Vec<Sizes> = sizes.concat();
        let blocks: Vec<f64> =
            sizes.chunks(BLOCK).map(|block| block.iter().map(|size| size.2).fold(0.0, f64::max)).collect();
        // Of s in one block and r in another, t is in one of two.
        let others = |s: usize, r: usize| blocks[s - r].max(if s > r { blocks[s - r - 1] } else { 0.0 });
        let farthest = |r: usize| (r..blocks.len()).map(|s| blocks[s] + others(s, r)).fold(0.0, f64::max);
        let farthest: Vec<f64> = (0..blocks.len()).map(farthest).collect();
        let of = |(r, (sum, weight, _)): (usize, &Sizes)| sum + weight * farthest[r / BLOCK];
        let largest = sizes.iter().enumerate().map(of).fold(0.0, f64::max);
        let enough = SHARE * largest;
        let at = |s: usize, t: usize| -> f64 {
            let term = |(omega, _, [a, b]): &(f64, f64, [f64; 2])| {
                let (sin, cos) = core_math::sincos(omega * (s as f64 - t as f64));
                let error = |(position, n): &(Position, i32)| {
                    let at = |name: &str| (if name == one { s } else { t }) as i64;
                    let value: i64 = position.terms().map(|(name, factor)| factor * at(name)).sum();
                    f64::from(*n) * angle_error(self.format, value as f64, *omega)
                };
                (a * cos - b * sin) * angles.iter().map(error).sum::<f64>()
            };
            waves.iter().map(term).sum::<f64>().abs()
        };
        let at_distance = |r: usize| -> Option<f64> {
            let (sum, weight, _) = sizes[r];
            if sum + weight * farthest[r / BLOCK] <= enough {
                return Some(0.0);
            }
            let (mut found, mut computed) = (0.0f64, 0);
            for (block, farthest) in blocks.iter().enumerate().skip(r / BLOCK) {
                if sum + weight * (farthest + others(block, r / BLOCK)) <= enough {
                    continue;
                }
                for s in (block * BLOCK).max(r)..((block + 1) * BLOCK).min(count) {
                    if sum + weight * (sizes[s].2 + sizes[s - r].2) <= enough {
                        continue;
                    }
                    computed += 1;
                    if computed > MOST {
                        return None;
                    }
                    // The errors and the wave are odd or even: with s and t exchanged it is as large.
                    found = found.max(at(s, s - r));
                }
            }
            Some(found)
        };
        let found: Option<Vec<f64>> = (0..count).into_par_iter().map(at_distance).collect();
        let bound = found.map_or(largest, |found| found.into_iter().fold(enough, f64::max));
        Some(up(bound * (1.0 + ROUNDING)))
    }
}
