//! The first multiple of a number that falls into an interval, modulo another: found as the greatest common divisor is,
//! in as many steps as the numbers have digits.

/// The smallest i with (start + i·step) mod 2^64 ≤ reach, if it is at most `last`.
pub(super) fn first_within(start: u64, step: u64, reach: u64, last: u64) -> Option<u64> {
    if start <= reach {
        return Some(0);
    }
    let from = u128::from(start.wrapping_neg());
    let found = first_multiple(u128::from(step), 1 << 64, from, from + u128::from(reach))?;
    u64::try_from(found).ok().filter(|&i| i <= last)
}

/// The smallest x ≥ 0 with l ≤ a·x mod m ≤ r, for 0 < l ≤ r < m ≤ 2^64 and a < m.
///
/// Unless a multiple of a lies in [l, r], such an x is ⌈(l + m·y)/a⌉ for the smallest y with a multiple of a in
/// [l + m·y, r + m·y], that is −r ≤ m·y ≤ −l modulo a: the same question of smaller numbers.
fn first_multiple(a: u128, m: u128, l: u128, r: u128) -> Option<u128> {
    if a == 0 {
        return None;
    }
    let x = l.div_ceil(a);
    if x * a <= r {
        return Some(x);
    }
    let y = first_multiple(m % a, a, a - r % a, a - l % a)?;
    // l + m·y ≤ a·x with x < m: below 2^128.
    Some((l + m * y).div_ceil(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_moduli_agree_with_enumeration() {
        for m in 2..24u128 {
            for a in 0..m {
                for l in 1..m {
                    for r in l..m {
                        let found = (0..m).find(|x| (l..=r).contains(&(a * x % m)));
                        assert_eq!(first_multiple(a, m, l, r), found, "{a} {m} {l} {r}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_turn_of_two_to_the_64_agrees_with_enumeration() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        for _ in 0..2000 {
            let (start, step, reach) = (next(), next() >> (next() % 60), next() >> (6 + next() % 12));
            let passes = |i: &u64| start.wrapping_add(i.wrapping_mul(step)) <= reach;
            assert_eq!(first_within(start, step, reach, 3000), (0..=3000).find(passes), "{start} {step} {reach}");
        }
        assert_eq!(first_within(5, 0, 4, 100), None);
        assert_eq!(first_within(u64::MAX, 1, 0, 100), Some(1));
        // The largest numbers there are.
        assert_eq!(first_within(2, u64::MAX, 0, u64::MAX), Some(2));
    }
}
