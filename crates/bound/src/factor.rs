//! The amplitude: the factor in front of every entry, exact and as a program holds it.

use super::program::{Impossible, Program};
use super::upward::Upper;
use posproof_encoding::convention::Convention;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Float, Rational, Round};

/// |X| and |fl_A(X)|.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor {
    /// |X| is not below this.
    pub below: f64,
    /// |X| is not above this.
    pub above: Upper,
    /// fl_A(X).
    pub rounded: f64,
    /// |fl_A(X) − X|.
    pub deviation: Upper,
    /// True if X = 1, so that nothing is multiplied.
    pub is_one: bool,
}

impl Factor {
    /// Of a convention, in the program's format of the angle.
    pub fn new(convention: &Convention, program: &Program) -> Result<Self, Impossible> {
        let gain = convention.gain();
        let rounded = match gain.exact() {
            Some(value) => nearest_rational(program.angle, &value),
            None => nearest(program.angle, |bits| Some(gain.enclose(bits))),
        };
        let enclosure = gain.enclose(128);
        let undecided =
            || Impossible::new("amplitude", enclosure.approximate(), "one that the format of the angle holds");
        let rounded = rounded.ok_or_else(undecided)?;
        let held = gain.exact().is_some_and(|value| Rational::from_f64(rounded) == Some(value));
        let near = Float::from_f64(rounded);
        let [below, above] = [near.sub(enclosure.lower(), 64, Round::Up), enclosure.upper().sub(&near, 64, Round::Up)];
        let deviation = Upper::of(if below > above { below } else { above }.to_f64(Round::Up));
        let magnitude = enclosure.abs();
        Ok(Self {
            below: magnitude.lower_f64(),
            above: Upper::of(magnitude.upper_f64()),
            rounded,
            deviation: if held { Upper::ZERO } else { deviation },
            is_one: gain.exact() == Some(Rational::ONE),
        })
    }
}
