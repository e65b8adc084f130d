//! Values that a number takes over a domain, and how far they are from what is computed.

use super::domain::Domain;
use crate::bound::running::up;

/// Exact values between two ends, and a bound on the error of what is computed, in two forms of which the smaller one
/// counts: |x̂ − x| ≤ radius, and |x̂ − x| ≤ relative·|x| + floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) radius: f64,
    relative: f64,
    floor: f64,
    /// Bounds the magnitude of what is computed, because rounding is monotonic; infinite where only the radius does.
    most: f64,
    /// Bounds the magnitude of what was last rounded.
    before: f64,
}

impl Span {
    /// Numbers that are as exact as they are known.
    pub(super) fn exact(low: f64, high: f64) -> Self {
        Self { low, high, radius: 0.0, relative: 0.0, floor: 0.0, most: f64::INFINITY, before: f64::INFINITY }
    }

    /// Numbers with a bound on their error.
    pub(super) fn within(low: f64, high: f64, radius: f64) -> Self {
        Self { radius, relative: f64::INFINITY, ..Self::exact(low, high) }.balanced()
    }

    /// Numbers of which none is computed with a magnitude above `most`.
    pub(super) fn at_most(self, most: f64) -> Self {
        Self { most, ..self }
    }

    /// A bound on what was rounded last, which may be above all that it is rounded to.
    pub(super) fn before_rounding(&self) -> f64 {
        if self.before.is_finite() { self.before } else { added(self.magnitude(), self.radius) }
    }

    /// The largest exact magnitude.
    pub(super) fn magnitude(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// A bound on what is computed.
    pub(super) fn largest(&self) -> f64 {
        added(self.magnitude(), self.radius).min(self.most)
    }

    /// The least exact magnitude.
    pub(super) fn least(&self) -> f64 {
        if self.low > 0.0 { self.low } else { (-self.high).max(0.0) }
    }

    /// A bound on |x̂ − x| ÷ |x|.
    pub(super) fn share(&self) -> f64 {
        let least = self.least();
        match () {
            () if self.radius == 0.0 => 0.0,
            () if least == 0.0 && self.floor > 0.0 => f64::INFINITY,
            () => (up(self.radius / least))
                .min(added(self.relative, if self.floor == 0.0 { 0.0 } else { up(self.floor / least) })),
        }
    }

    /// The ends of what is computed.
    pub(super) fn computed(&self) -> [f64; 2] {
        if self.radius == 0.0 {
            return [self.low, self.high];
        }
        // What is relative keeps its sign.
        let shrunk = |end: f64| (end * (1.0 - self.relative.min(1.0)) - self.floor).next_down();
        let low = (self.low - self.radius).next_down().max(-self.most);
        let high = (self.high + self.radius).next_up().min(self.most);
        [
            if self.low > 0.0 { low.max(shrunk(self.low)) } else { low },
            if self.high < 0.0 { high.min(-shrunk(-self.high)) } else { high },
        ]
    }

    /// These values, known to lie between two ends as well.
    pub(super) fn between(self, low: f64, high: f64) -> Self {
        Self { low: self.low.max(low), high: self.high.min(high), ..self }.balanced()
    }

    /// True if both bounds are finite, and the ends in order.
    fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite() && self.radius.is_finite() && self.low <= self.high
    }

    /// The radius, where the relative bound is the smaller one.
    fn balanced(mut self) -> Self {
        let relative = up(up(self.relative * self.magnitude()) + self.floor);
        if self.radius != 0.0 {
            self.radius = self.radius.min(if relative.is_nan() { f64::INFINITY } else { relative });
        }
        if self.relative.is_infinite() && self.least() > 0.0 {
            self.relative = up(self.radius / self.least());
        }
        self
    }

    pub(super) fn negated(&self) -> Self {
        Self { low: -self.high, high: -self.low, ..*self }
    }

    pub(super) fn sum(&self, other: &Self) -> Self {
        let are_positive = self.low >= 0.0 && other.low >= 0.0;
        let same_sign = are_positive || self.high <= 0.0 && other.high <= 0.0;
        let low = (self.low + other.low).next_down();
        let relative = if same_sign { self.relative.max(other.relative) } else { f64::INFINITY };
        Self {
            low: if are_positive { low.max(0.0) } else { low },
            high: (self.high + other.high).next_up(),
            radius: added(self.radius, other.radius),
            relative,
            floor: added(self.floor, other.floor),
            most: total(self.largest(), other.largest()),
            before: f64::INFINITY,
        }
        .balanced()
    }

    pub(super) fn product(&self, other: &Self, is_square: bool) -> Self {
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let [mut low, high] = hull(ends);
        if is_square {
            low = low.max((self.least() * self.least()).next_down()).max(0.0);
        }
        let inherited =
            up(self.magnitude() * other.radius + other.magnitude() * self.radius + self.radius * other.radius);
        let floor = up(self.largest() * other.floor + other.largest() * self.floor);
        Self {
            low,
            high,
            radius: if self.radius == 0.0 && other.radius == 0.0 { 0.0 } else { inherited },
            relative: both(self.relative, other.relative),
            floor: if self.floor == 0.0 && other.floor == 0.0 { 0.0 } else { floor },
            most: times(self.largest(), other.largest()),
            before: f64::INFINITY,
        }
        .balanced()
    }

    /// The quotient; none where the divisor may be 0.
    pub(super) fn quotient(&self, other: &Self) -> Option<Self> {
        let least = other.least();
        let [low, high] = other.computed();
        let computed = if low > 0.0 { low } else { -high };
        if least <= 0.0 || computed <= 0.0 {
            return None;
        }
        let ends = [self.low / other.low, self.low / other.high, self.high / other.low, self.high / other.high];
        let [low, high] = hull(ends);
        let largest = low.abs().max(high.abs());
        let (mine, theirs) =
            (self.relative, added(other.relative, if other.floor == 0.0 { 0.0 } else { up(other.floor / least) }));
        let relative = if theirs < 0.5 { both(mine, up(theirs / (1.0 - theirs))) } else { f64::INFINITY };
        let inherited = up((self.radius + largest * other.radius) / computed);
        let radius = if self.radius == 0.0 && other.radius == 0.0 { 0.0 } else { inherited };
        let floor = if self.floor == 0.0 { 0.0 } else { up(self.floor / computed) };
        Some(Self { radius, relative, floor, ..Self::exact(low, high) }.balanced())
    }

    pub(super) fn exponential(&self) -> Self {
        // Within a unit in the last place, of which `up` and its inverse leave room.
        let [low, high] = [core_math::exp(self.low) * (1.0 - f64::EPSILON), up(core_math::exp(self.high))];
        // e^r − 1 ≤ r·e^r.
        let relative = if self.radius == 0.0 { 0.0 } else { up(self.radius * core_math::exp(self.radius)) };
        Self { radius: if relative == 0.0 { 0.0 } else { up(high * relative) }, relative, ..Self::exact(low, high) }
    }

    /// The square root; none where a value may be negative.
    pub(super) fn root(&self) -> Option<Self> {
        if self.low < 0.0 {
            return None;
        }
        let [low, high] = [self.low.sqrt().next_down().max(0.0), self.high.sqrt().next_up()];
        let absolute = if low > 0.0 { up(self.radius / low) } else { up(self.radius.sqrt()) };
        let radius = if self.radius == 0.0 { 0.0 } else { absolute };
        let floor = if self.floor == 0.0 { 0.0 } else { up(self.floor.sqrt()) };
        Some(Self { radius, relative: self.relative, floor, ..Self::exact(low, high) }.balanced())
    }

    /// These values rounded to the format; none where they may overflow.
    pub(super) fn rounded(&self, domain: &Domain) -> Option<Self> {
        let largest = self.largest();
        let relative = both(self.relative, domain.format.unit_roundoff());
        let underflow = domain.format.min_positive() / 2.0;
        let rounded = Self {
            radius: added(self.radius, domain.rounding(largest)?),
            relative,
            floor: added(self.floor, underflow),
            most: domain.format.round(largest),
            before: largest,
            ..*self
        };
        Some(rounded.balanced()).filter(Self::is_finite)
    }

    /// These values after an operation that is exact but for underflow.
    pub(super) fn scaled_exactly(&self, domain: &Domain) -> Option<Self> {
        let underflow = domain.format.min_positive() / 2.0;
        let fits = self.largest() <= domain.format.max_finite();
        let scaled = Self {
            radius: added(self.radius, underflow),
            floor: added(self.floor, underflow),
            most: domain.format.round(self.largest()),
            before: f64::INFINITY,
            ..*self
        };
        Some(scaled).filter(|scaled| fits && scaled.is_finite())
    }
}

fn added(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { a + b } else { up(a + b) }
}

/// A bound on a + b: the sum, where that is no less.
fn total(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let (large, small) = (a.max(b), a.min(b));
    if sum.is_finite() && small - (sum - large) <= 0.0 { sum } else { up(sum) }
}

/// A bound on a·b: the product, where that is no less.
fn times(a: f64, b: f64) -> f64 {
    let product = a * b;
    if product.is_finite() && product > f64::MIN_POSITIVE && a.mul_add(b, -product) <= 0.0 {
        product
    } else {
        up(product)
    }
}

/// (1 + a)(1 + b) − 1.
fn both(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { a + b } else { up(a + b + a * b) }
}

fn hull(ends: [f64; 4]) -> [f64; 2] {
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let low = if least >= 0.0 { least.next_down().max(0.0) } else { least.next_down() };
    let high = ends.into_iter().fold(f64::NEG_INFINITY, f64::max).next_up();
    [low, high]
}
