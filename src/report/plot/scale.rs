//! Where a number stands on an axis, and which numbers are written beside it.

use rug::Float;

/// Spreads of an axis's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Equal differences are equally long.
    Linear,
    /// Equal quotients are equally long; the numbers are positive.
    Logarithmic,
}

/// A stretch of numbers on a stretch of the drawing.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Spread of the numbers.
    pub spread: Spread,
    /// The first and the last number.
    pub domain: [f64; 2],
    /// Where they stand.
    pub range: [f64; 2],
}

/// A number beside an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The number.
    pub value: f64,
    /// Its writing; empty where there is only a line.
    pub label: String,
}

/// log₁₀ x, correctly rounded: the drawing is the same on every platform.
pub fn log10(x: f64) -> f64 {
    Float::with_val(53, x).log10().to_f64()
}

/// 10^n, correctly rounded.
pub fn power_of_ten(n: i32) -> f64 {
    use rug::ops::Pow;
    Float::with_val(53, Float::with_val(128, 10).pow(n)).to_f64()
}

impl Scale {
    /// Where a number stands. Numbers outside of the domain stand outside of the range.
    pub fn place(&self, x: f64) -> f64 {
        let unit = |x: f64| if self.spread == Spread::Linear { x } else { log10(x) };
        let ([first, last], [from, to]) = (self.domain.map(unit), self.range);
        if first == last { from } else { from + (unit(x) - first) / (last - first) * (to - from) }
    }

    /// At most about `count` numbers to write.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        match self.spread {
            Spread::Linear => self.linear_ticks(count.max(2)),
            Spread::Logarithmic => self.decades(count.max(2)),
        }
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn linear_ticks(&self, count: usize) -> Vec<Tick> {
        let [first, last] = self.domain;
        let rough = (last - first) / count as f64;
        if !(rough.is_finite() && rough > 0.0) {
            return Vec::new();
        }
        let exponent = log10(rough).floor() as i32;
        let candidates = [(1.0, exponent), (2.0, exponent), (5.0, exponent), (1.0, exponent + 1)];
        let fits = |&(factor, exponent): &(f64, i32)| factor * power_of_ten(exponent) >= rough * (1.0 - 1e-9);
        let (factor, exponent) = candidates.into_iter().find(fits).unwrap_or((2.0, exponent + 1));
        let step = factor * power_of_ten(exponent);
        let decimals = (-exponent).max(0) as usize;
        let (from, to) = ((first / step - 1e-9).ceil() as i64, (last / step + 1e-9).floor() as i64);
        let tick = |multiple: i64| {
            let value =
                if exponent < 0 { multiple as f64 * factor / power_of_ten(-exponent) } else { multiple as f64 * step };
            Tick { value, label: format!("{value:.decimals$}").replace('-', "−") }
        };
        (from..=to).map(tick).collect()
    }

    /// Powers of ten; those between the ones that are written have an empty label.
    fn decades(&self, count: usize) -> Vec<Tick> {
        let [first, last] = self.domain.map(log10);
        let (from, to) = ((first - 1e-9).ceil() as i32, (last + 1e-9).floor() as i32);
        let decades = (to - from).max(0) as usize;
        let stride = decades.div_ceil(count).max(1) as i32;
        let tick = |n: i32| {
            let label = if n.rem_euclid(stride) == 0 { decade(n) } else { String::new() };
            Tick { value: power_of_ten(n), label }
        };
        (from..=to).map(tick).collect()
    }
}

/// A power of ten as people write it: 1, 10, 100, 1000, 10⁴, 10⁻³.
pub fn decade(n: i32) -> String {
    match n {
        0..=3 => power_of_ten(n).to_string(),
        _ => format!("10{}", superscript(n)),
    }
}

/// An integer in superscript digits.
pub fn superscript(n: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| match c.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    };
    n.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(spread: Spread, domain: [f64; 2], count: usize) -> Vec<String> {
        Scale { spread, domain, range: [0.0, 1.0] }.ticks(count).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Spread::Linear, [0.0, 128.0], 5), ["0", "50", "100"]);
        assert_eq!(labels(Spread::Linear, [0.0, 128.0], 7), ["0", "20", "40", "60", "80", "100", "120"]);
        assert_eq!(labels(Spread::Linear, [-1.0, 1.0], 4), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(Spread::Logarithmic, [1.0, 131072.0], 6), ["1", "10", "100", "1000", "10⁴", "10⁵"]);
        assert_eq!(labels(Spread::Logarithmic, [1e-3, 1.0], 2), ["", "10⁻²", "", "1"]);
        assert!(labels(Spread::Linear, [1.0, 1.0], 4).is_empty());
    }

    #[test]
    fn numbers_stand_where_they_belong() {
        let linear = Scale { spread: Spread::Linear, domain: [0.0, 10.0], range: [100.0, 0.0] };
        assert_eq!([0.0, 2.5, 10.0].map(|x| linear.place(x)), [100.0, 75.0, 0.0]);
        let decades = Scale { spread: Spread::Logarithmic, domain: [1.0, 10000.0], range: [0.0, 4.0] };
        assert_eq!([1.0, 10.0, 1000.0].map(|x| decades.place(x)), [0.0, 1.0, 3.0]);
    }

    #[test]
    fn powers_are_written_as_people_write_them() {
        assert_eq!([-12, -1, 0, 2, 3, 4, 15].map(decade), ["10⁻¹²", "10⁻¹", "1", "100", "1000", "10⁴", "10¹⁵"]);
    }
}
