//! Frequencies whose quotient is rational. Angles in which such frequencies cancel are known exactly.

use super::angle::ExactAngle;
use super::axis::{AxisLaw, Claim};
use posproof_numerics::Rational;

/// The first claim of a slot whose frequency is a rational multiple of the same number, and the multiple; claim by claim. A frequency
/// that is commensurable with no earlier one is its own.
pub(super) fn representatives(axes: &[AxisLaw], claims: &[Claim]) -> Vec<(usize, Rational)> {
    let frequency = |number: usize| (&axes[claims[number].axis].frequencies, claims[number].at);
    let ratio = |number: usize, before: usize| {
        let ((mine, at), (other, there)) = (frequency(number), frequency(before));
        mine.over(at, other, there)
    };
    let mut found: Vec<(usize, Rational)> = Vec::new();
    for number in 0..claims.len() {
        let earlier = (0..number).filter(|&before| found[before].0 == before);
        let known = earlier.filter_map(|before| Some((before, ratio(number, before)?))).next();
        found.push(known.unwrap_or((number, Rational::ONE)));
    }
    found
}

/// The angle Σ ±(x + offset)·scale·ω of a slot, where it is known exactly: positive real radicals whose quotients are irrational are
/// linearly independent over the rational numbers (Besicovitch, On the linear independence of fractional powers of integers, 1940), so
/// the counts of every class that is not rational must add up to 0.
pub(super) fn exact_angle(
    axes: &[AxisLaw],
    claims: &[Claim],
    representatives: &[(usize, Rational)],
    head: usize,
    row: &[Rational],
) -> Option<ExactAngle> {
    let mut known = ExactAngle::ZERO;
    let mut others = vec![ExactAngle::ZERO; representatives.len()];
    for (number, &Claim { axis, at }) in claims.iter().enumerate() {
        let count = axes[axis].exact_count(row.get(axis)?)?;
        if count.is_zero() {
            continue;
        }
        match (axes[axis].frequencies.rational(head, at), representatives.get(number)) {
            (Some(omega), _) => known = known.plus(count.times(&omega)),
            (None, Some((first, ratio))) => others[*first] = others[*first].clone().plus(count.times(ratio)),
            (None, None) => return None,
        }
    }
    others.iter().all(ExactAngle::is_zero).then_some(known)
}
