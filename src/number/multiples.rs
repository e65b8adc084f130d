//! Distances of the integers below a limit from the multiples of a real number: continued fractions.

use super::interval::Interval;
use rug::{Integer, Rational};

/// The positive integer below a limit that comes nearest to a multiple of a period.
#[derive(Clone, Debug, PartialEq)]
pub struct Return {
    /// The integer n.
    pub position: Integer,
    /// The multiple m for which m·period is nearest to n.
    pub turns: Integer,
    /// n − m·period.
    pub offset: Interval,
}

impl Return {
    fn new(period: &Interval, position: &Integer, turns: &Integer) -> Self {
        let whole = |n: &Integer| Interval::rational(&Rational::from(n), Interval::PRECISION);
        let offset = whole(position) - whole(turns) * period.clone();
        Self { position: position.clone(), turns: turns.clone(), offset }
    }

    /// True if the integer is a multiple of the period, which is then a known rational number.
    pub fn is_exact(&self) -> bool {
        self.offset == Interval::from(0)
    }
}

/// The integer n with 0 < n < limit for which |n − m·period| is least over all integers m, for a
/// period of at least 1; none where the enclosure of the period is too wide to tell, or there is
/// no such n.
///
/// With the convergents p_k/q_k of the continued fraction of the period, |n − m·period| is at least
/// |p_k − q_k·period| for all 0 < n < p_(k+1) and all m (Lagrange's law of best approximation, for
/// the inverse of the period; Khinchin 1964, theorem 17). Each partial quotient is certain: the
/// expansions of both ends of the enclosure, in rational arithmetic, agree so far.
///
/// ```
/// use posproof::number::{interval::Interval, multiples::nearest_return};
/// let turn = Interval::from(2) * Interval::pi(256);
/// let nearest = nearest_return(&turn, &1000.into()).unwrap();
/// assert_eq!((nearest.position, nearest.turns), (710.into(), 113.into())); // 2·355 and 113
/// ```
pub fn nearest_return(period: &Interval, limit: &Integer) -> Option<Return> {
    let [mut low, mut high] = [period.lower().to_rational()?, period.upper().to_rational()?];
    if low < 1 || *limit <= 1 {
        return None;
    }
    // The last two convergents, from 0/1 and 1/0.
    let (mut p, mut q) = ([Integer::new(), Integer::from(1)], [Integer::from(1), Integer::new()]);
    loop {
        let (low_rest, whole) = low.fract_floor(Integer::new());
        let (high_rest, high_whole) = high.fract_floor(Integer::new());
        if whole != high_whole {
            return None;
        }
        let [next_p, next_q] = [&p, &q].map(|[older, newer]| Integer::from(&whole * newer) + older);
        if next_p >= *limit {
            return Some(Return::new(period, &p[1], &q[1]));
        }
        match (low_rest.is_zero(), high_rest.is_zero()) {
            (true, true) => return Some(Return { position: next_p, turns: next_q, offset: Interval::from(0) }),
            (true, false) | (false, true) => return None,
            (false, false) => {}
        }
        (low, high) = (high_rest.recip(), low_rest.recip());
        let ([_, last_p], [_, last_q]) = (p, q);
        (p, q) = ([last_p, next_p], [last_q, next_q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::format::Format;

    /// The least |n − m·period| over 0 < n < limit by trying every n, in binary64.
    fn by_trial(period: f64, limit: u32) -> u32 {
        let offset = |n: u32| (f64::from(n) - (f64::from(n) / period).round() * period).abs();
        (1..limit).min_by(|a, b| offset(*a).total_cmp(&offset(*b))).unwrap()
    }

    #[test]
    fn the_nearest_of_all_integers_is_found() {
        for hundredths in (100..3000).step_by(17) {
            let root = Interval::rational(&Rational::from((hundredths, 100)), 256) + Interval::pi(256);
            for limit in [2, 3, 4, 7, 50, 1000] {
                let found = nearest_return(&root, &limit.into()).unwrap();
                assert_eq!(
                    found.position,
                    by_trial(root.lower().to_f64(), limit),
                    "period {hundredths}/100 + π, {limit}"
                );
                assert!(found.offset.abs().lower().to_f64() > 0.0);
            }
        }
    }

    #[test]
    fn a_period_that_is_a_binary_fraction_is_met_exactly() {
        let turn = Interval::exactly(Format::Bf16.round(std::f64::consts::TAU));
        let found = nearest_return(&turn, &1000.into()).unwrap();
        assert_eq!((found.position.clone(), found.is_exact()), (Integer::from(201), true));
    }

    #[test]
    fn an_enclosure_that_is_too_wide_cannot_tell() {
        let wide = Interval::from(1) + Interval::rational(&Rational::from((1, 3)), 16);
        assert_eq!(nearest_return(&wide, &1_000_000.into()), None);
        assert_eq!(nearest_return(&Interval::undefined(), &10.into()), None);
        assert_eq!(nearest_return(&Interval::pi(256), &1.into()), None);
    }
}
