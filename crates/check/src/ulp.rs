//! Neighbours of the numbers of a format.

use posproof_numerics::format::Format;

/// The distance of neighbours in the binade of a number.
#[derive(Clone, Copy)]
pub(super) struct Ulp {
    scale: f64,
    least: f64,
}

impl Ulp {
    pub fn new(format: Format) -> Self {
        Self { scale: 2.0 * format.unit_roundoff(), least: format.min_positive() }
    }

    #[inline(always)]
    pub fn of(self, x: f64) -> f64 {
        let binade = f64::from_bits(x.to_bits() & (0x7ff << 52));
        (binade * self.scale).max(self.least)
    }
}

/// The next number of the format above or below one of its numbers.
pub(super) fn neighbour(format: Format, x: f64, up: bool) -> f64 {
    if format == Format::F64 {
        return if up { x.next_up() } else { x.next_down() };
    }
    let unit = Ulp::new(format).of(x);
    // Below a power of two the numbers are twice as dense.
    let inward = x != 0.0 && up != (x > 0.0) && x.to_bits() & ((1 << 52) - 1) == 0 && unit > format.min_positive();
    let step = if inward { unit / 2.0 } else { unit };
    if up { x + step } else { x - step }
}

/// The largest number of the format that is at most x, and the smallest that is at least x.
pub(super) fn around(format: Format, x: f64) -> (f64, f64) {
    let rounded = format.round(x);
    match rounded {
        _ if rounded == x => (x, x),
        _ if rounded < x => (rounded, neighbour(format, rounded, true)),
        _ => (neighbour(format, rounded, false), rounded),
    }
}

/// Number of entries −0 though their exact values, 0 or above, round to +0: next to it, but not the correct rounding.
pub(super) fn negative_zeros(format: Format, got: &[f64], exact: &[f64]) -> u64 {
    const NEGATIVE_ZERO: u64 = 1 << 63;
    got.iter()
        .zip(exact)
        .filter(|(got, exact)| got.to_bits() == NEGATIVE_ZERO && format.round(**exact + 0.0).to_bits() == 0)
        .count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_nearest_numbers_of_the_format() {
        for format in Format::STORED {
            for x in [1.0, -1.0, 1.5, 0.0, format.min_positive(), 3.0 * format.min_positive()] {
                let (up, down) = (neighbour(format, x, true), neighbour(format, x, false));
                assert!(down < x && x < up && format.round(up) == up && format.round(down) == down, "{format} {x}");
                for between in [(x + up) / 2.0, (x + down) / 2.0] {
                    // Binary64 has nothing in between.
                    let known = format == Format::F64
                        || format.round(between) == x
                        || format.round(between) == up
                        || format.round(between) == down;
                    assert!(known, "{format} {x}: {between} is nearer to another number");
                }
            }
        }
        assert_eq!(around(Format::Bf16, 1.001), (1.0, 1.0078125));
        assert_eq!(around(Format::Bf16, -0.9999), (-1.0, -0.99609375));
        assert_eq!(around(Format::F32, 0.5), (0.5, 0.5));
    }
}
