//! Numbers that are the same on every platform.

use posproof::number::format::Format;

/// A linear congruential generator.
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// In [0, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In [−1, 1], rounded to the format.
    pub fn signed(&mut self, format: Format) -> f64 {
        format.round(2.0 * self.next() - 1.0)
    }
}
