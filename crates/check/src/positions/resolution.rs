//! Positions that a format tells apart, whatever the rows hold.
//!
//! The same entries can belong to two positions only if in every pair the exact phasors of both are within ε of them, so
//! that the angles differ by at most 2·asin ε. Positions of which some pair's angles differ by more are *told apart*: no row
//! is ambiguous between them. ε grows with the position, so that all positions up to one are told apart from each other, and
//! beyond it they need not be.

use super::Domain;
use super::clock::Clock;
use super::phase::Tolerance;
use super::reach::PositionReach;
use super::sieve::{MeasuredAngle, Sieve, UNKNOWN};

/// Of the clocks of some pairs, the largest domain from the first position of this one on, all of whose positions are told apart from each other by
/// rows of a table or a cache, and by rotated vectors each of whose pairs is at least [`SHORT`](super::phase::SHORT). Where differences are too many to try, they are not told apart.
pub(super) fn told_apart(
    clocks: &[(usize, Clock)],
    tolerance: &Tolerance,
    reach: PositionReach,
    domain: Domain,
) -> Domain {
    let differences: Vec<Clock> = clocks.iter().map(|(_, clock)| clock.of_differences()).collect();
    let apart = |len: u64| {
        let farthest = reach.of(domain.first()).max(reach.of(domain.at(len - 1)));
        let confused: Vec<MeasuredAngle> = clocks.iter().map(|(pair, _)| tolerance.confused(*pair, farthest)).collect();
        let test = |index: u64| {
            let alike = |(clock, measured): (&Clock, &MeasuredAngle)| {
                measured.width >= UNKNOWN || (clock.at(index) as i64).unsigned_abs() <= measured.width
            };
            differences.iter().zip(&confused).all(alike)
        };
        len == 1 || Sieve::new(differences.clone(), len - 1).pass(&confused, 1, test).stretches.is_empty()
    };
    let (mut most, mut beyond) = (1, domain.len() + 1);
    if apart(domain.len()) {
        return domain;
    }
    while beyond - most > 1 {
        let middle = most + (beyond - most) / 2;
        *(if apart(middle) { &mut most } else { &mut beyond }) = middle;
    }
    Domain::new(domain.first(), domain.at(most - 1) + 1).unwrap_or(domain)
}
