//! Points of the complex unit circle in binary64.

use posproof_encoding::convention::Component;
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::nearest;

/// The real and the imaginary part.
pub(crate) type Point = [f64; 2];

/// The complex product, without fused operations: wrong by at most √5·u (Brent, Percival, Zimmermann 2007).
#[inline(always)]
pub(crate) fn product([a, b]: Point, [c, d]: Point) -> Point {
    [a * c - b * d, a * d + b * c]
}

/// cos θ and sin θ, each rounded to nearest in binary64.
pub(crate) fn point(entries: &Entries, position: u64, pair: usize) -> Option<Point> {
    point_in(Format::F64, entries, position, pair)
}

/// cos θ and sin θ, each rounded to nearest in a format.
pub(crate) fn point_in(format: Format, entries: &Entries, position: u64, pair: usize) -> Option<Point> {
    if entries.is_still(position, pair) {
        return Some([1.0, 0.0]);
    }
    let part = |component| nearest(format, |bits| entries.enclose(position, pair, component, bits));
    Some([part(Component::Cos)?, part(Component::Sin)?])
}
