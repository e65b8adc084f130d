//! Roots of powers of rational numbers, and quotients of these that are rational.

use posproof_numerics::Rational;

/// The largest power of a base that is computed exactly.
const MOST_POWERS: u64 = 64;

/// base^(−numerator/denominator)/divisor, a frequency of a geometric progression.
pub(super) struct Radical<'a> {
    pub base: &'a Rational,
    pub numerator: u64,
    pub denominator: u64,
    pub divisor: Rational,
}

impl Radical<'_> {
    /// The frequency, where it is known to be rational.
    pub fn rational(&self) -> Option<Rational> {
        self.over(&Radical { base: self.base, numerator: 0, denominator: 1, divisor: Rational::ONE })
    }

    /// Its quotient by another frequency, where that is known to be rational.
    pub fn over(&self, other: &Self) -> Option<Rational> {
        let common = (self.denominator / gcd(self.denominator, other.denominator)).checked_mul(other.denominator)?;
        let power =
            |of: &Self| of.numerator.checked_mul(common / of.denominator).and_then(|power| power.try_into().ok());
        let (mine, others): (i64, i64) = (power(self)?, power(other)?);
        let quotient = if self.base == other.base {
            raised(self.base, others - mine, common)?
        } else {
            // One root of a quotient of powers: √12/√3 is rational, and neither root is.
            let shared = gcd(gcd(mine.unsigned_abs(), others.unsigned_abs()), common);
            let whole = i64::try_from(shared).ok()?;
            let power = raised(other.base, others / whole, 1)? * raised(self.base, -mine / whole, 1)?;
            power.root((common / shared).try_into().ok()?)?
        };
        Some(quotient * &other.divisor / &self.divisor)
    }
}

/// base^(numerator/denominator), where it is known to be rational.
fn raised(base: &Rational, numerator: i64, denominator: u64) -> Option<Rational> {
    let common = gcd(numerator.unsigned_abs(), denominator);
    let power = u32::try_from(Some(numerator.unsigned_abs() / common).filter(|&power| power <= MOST_POWERS)?).ok()?;
    let raised = base.root((denominator / common).try_into().ok()?)?.pow(power);
    Some(if numerator < 0 { raised.recip() } else { raised })
}

/// The greatest common divisor; 1 of zeros.
pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_of_radicals_are_known_where_they_are_rational() {
        let quotient = |(a, m, n): (i64, u64, u64), (b, p, q): (i64, u64, u64)| {
            let (a, b): (Rational, Rational) = (a.into(), b.into());
            let radical =
                |base, numerator, denominator| Radical { base, numerator, denominator, divisor: Rational::ONE };
            radical(&a, m, n).over(&radical(&b, p, q)).map(|quotient| quotient.to_string())
        };
        assert_eq!(quotient((10000, 3, 64), (10000, 3, 64)).as_deref(), Some("1"));
        assert_eq!(quotient((10000, 3, 64), (10000, 19, 64)).as_deref(), Some("10"));
        assert_eq!(quotient((10000, 19, 64), (10000, 3, 64)).as_deref(), Some("1/10"));
        assert_eq!(quotient((10000, 3, 64), (10000, 4, 64)), None);
        assert_eq!(quotient((10000, 3, 64), (100, 3, 32)).as_deref(), Some("1"));
        assert_eq!(quotient((12, 1, 2), (3, 1, 2)).as_deref(), Some("1/2"));
        assert_eq!(quotient((12, 1, 2), (3, 1, 3)), None);
        assert_eq!(quotient((10000, 0, 64), (100, 0, 7)).as_deref(), Some("1"));
    }
}
