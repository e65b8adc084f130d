//! Numbers with a radius: what a right program may have meant.

use posproof_bound::running::up;

/// The unit roundoff of the arithmetic here.
const UNIT: f64 = f64::EPSILON / 2.0;

/// A computed number, and how far the exact number that it stands for may be.
///
/// Sums and products are those of ball arithmetic in binary64: their own rounding is part of the radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// The number.
    pub value: f64,
    /// The radius.
    pub radius: f64,
}

impl Ball {
    /// A number without an error.
    pub fn exact(value: f64) -> Self {
        Self { value, radius: 0.0 }
    }

    fn rounded(value: f64, radius: f64) -> Self {
        Self { value, radius: up(radius + UNIT * value.abs()) }
    }

    /// The sum of all products of two rows.
    pub fn dot(one: &[Self], other: &[Self]) -> Self {
        one.iter().zip(other).fold(Self::default(), |sum, (x, y)| sum + *x * *y)
    }

    /// The sum of the squares of a row.
    pub fn square(row: &[Self]) -> Self {
        Self::dot(row, row)
    }
}

impl std::ops::Add for Ball {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.radius + other.radius)
    }
}

impl std::ops::Neg for Ball {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl std::ops::Sub for Ball {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl std::ops::Mul for Ball {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mixed = self.value.abs() * other.radius + other.value.abs() * self.radius;
        Self::rounded(self.value * other.value, mixed + self.radius * other.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact sums and products of numbers inside of the balls lie inside of the results.
    #[test]
    fn results_hold_what_they_stand_for() {
        let (x, y) = (Ball { value: 0.1, radius: 0.25 }, Ball { value: -3.0, radius: 0.5 });
        for (a, b) in [(-0.15, -3.5), (0.35, -2.5), (0.35, -3.5), (-0.15, -2.5)] {
            for (exact, ball) in [(a + b, x + y), (a - b, x - y), (a * b, x * y)] {
                assert!((exact - ball.value).abs() <= ball.radius, "{a} {b}: {exact} {ball:?}");
            }
        }
        assert_eq!(Ball::exact(2.0) * Ball::exact(0.5), Ball { value: 1.0, radius: up(UNIT) });
    }
}
