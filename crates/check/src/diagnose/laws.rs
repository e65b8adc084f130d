//! Steps of programs that have a law of their own: frequencies that change from row to row, lengths that do, angles that are powers.

/// Dynamic NTK scaling that is computed anew for each row, of position p, as for a sequence of p + 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerToken {
    pub factor: f64,
    /// The length beyond which the base grows.
    pub original: u64,
    /// The dimensions that are rotated.
    pub dim: usize,
}

impl PerToken {
    /// Factor of a pair's unscaled frequency: (s(p + 1)/L − (s − 1))^(−2k/(dim − 2)).
    pub fn ratio(&self, position: u64, pair: usize) -> f64 {
        let Self { factor, original, dim } = *self;
        if position < original || dim <= 2 {
            return 1.0;
        }
        let stretch = factor * ((position as f64 + 1.0) / original as f64) - (factor - 1.0);
        core_math::exp(-2.0 * pair as f64 / (dim as f64 - 2.0) * core_math::log(stretch))
    }
}

/// Pairs that are multiplied by a power of the position: e^(rate·(p − origin)).
#[derive(Clone, Debug, PartialEq)]
pub struct Powers {
    pub rates: Vec<f64>,
    pub origin: f64,
    /// The relative error of what is stored.
    pub unit: f64,
}

impl Powers {
    pub fn of(&self, position: u64, pair: usize) -> f64 {
        let rate = self.rates.get(pair).copied().unwrap_or(0.0);
        core_math::exp(rate * (position as f64 - self.origin))
    }
}

/// Angles (p/base)^(2k/dim) in place of p/base^(2k/dim).
#[derive(Clone, Debug, PartialEq)]
pub struct Quotient {
    pub base: f64,
    /// 2k/dim, pair by pair.
    pub exponents: Vec<f64>,
}

impl Quotient {
    pub fn angle(&self, t: f64, pair: usize) -> f64 {
        let exponent = self.exponents.get(pair).copied().unwrap_or(0.0);
        let power = |x: f64| core_math::exp(exponent * core_math::log(x));
        match () {
            () if exponent == 0.0 => 1.0,
            () if t == 0.0 => 0.0,
            () => power(t.abs() / self.base).copysign(t),
        }
    }
}
