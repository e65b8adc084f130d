//! The parts of a certificate: a range of positions, cut until one of two theorems gives no more than a figure.

use super::entry::{Model, Rate};
use super::lattice::Stretch;
use super::program::{Impossible, Program};
use super::upward::{Upper, binade, spacing};
use super::wave::Wave;
use posproof_encoding::convention::Component;
use posproof_numerics::{Interval, Rational};
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;

/// More parts than this would take Coq minutes.
const MAX_PARTS: usize = 4096;

/// Numbers of a certificate are integers times 2^−SCALE.
pub(super) const SCALE: u32 = 128;

/// Enclosures on the way to them.
pub(super) const BITS: u32 = SCALE + 64;

/// Where a sine or cosine is monotone: the `Piece` of `RoundingCertificate.v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    pub rising: bool,
    pub turn: u64,
}

impl Piece {
    /// The piece of these angles; none where they are not certainly in one.
    fn of(component: Component, low: f64, high: f64) -> Option<Self> {
        // Pieces of the sine begin a quarter of a turn before 0, those of the cosine at 0.
        let shift = if component == Component::Sin { FRAC_PI_2 } else { 0.0 };
        // More than the errors of the sum and of the quotient.
        let margin = high * 2f64.powi(-48);
        let half_turn = |x: f64| ((x + shift) / PI).floor();
        let index = half_turn(high + margin);
        if half_turn((low - margin).max(0.0)) != index {
            return None;
        }
        let even = index % 2.0 == 0.0;
        Some(Self { rising: even == (component == Component::Sin), turn: (index / 2.0).floor() as u64 })
    }
}

/// The theorem that bounds a part, with what Coq is told about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    /// `rounding_table_entry_slope`: pieces of the slope and of the value, and powers of two above the magnitude and
    /// above the library's value.
    Slope { slope: Option<Piece>, value: Option<Piece>, magnitude: i32, library: i32 },
    /// By monotony: pieces of the computed and of the exact angles, and the computed angles of the ends.
    Monotone { computed: Piece, exact: Piece, angles: [f64; 2] },
}

/// A part of a range of positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct RangePart {
    pub stretch: Stretch,
    pub method: Method,
}

fn other(component: Component) -> Component {
    match component {
        Component::Sin => Component::Cos,
        Component::Cos => Component::Sin,
    }
}

impl Model {
    /// The positions but 0, in parts that are each bounded by the figure.
    pub(super) fn parts_below(
        &self,
        rate: &Rate,
        component: Component,
        range: &Range<u64>,
        figure: &Rational,
    ) -> Result<Vec<RangePart>, Impossible> {
        let enough = Upper::of(figure.to_f64().next_down());
        let mut found = Vec::new();
        let mut open: Vec<Stretch> = rate.computed.stretches(range.start, range.end - 1).collect();
        open.reverse();
        while let Some(stretch) = open.pop() {
            if let Some(method) = self.method(rate, component, stretch, enough) {
                found.push(RangePart { stretch, method });
            } else if stretch.first < stretch.last && found.len() + open.len() < MAX_PARTS {
                let cut: Vec<Stretch> = stretch.cut(2).collect();
                open.extend(cut.into_iter().rev());
            } else {
                let why = format!("one that at most {MAX_PARTS} parts of the range reach with the theorems of Coq");
                return Err(Impossible::new("certificate of the bound", figure.to_f64(), why));
            }
        }
        Ok(found)
    }

    /// A theorem that bounds the part by the figure.
    fn method(&self, rate: &Rate, component: Component, stretch: Stretch, enough: Upper) -> Option<Method> {
        let Program { position, angle, kappa, .. } = self.program;
        let (low, high) = (stretch.first as f64 * rate.low, (Upper::of(stretch.last as f64) * rate.high).get());
        // Nothing of sine and cosine need be computed where their largest values and slopes will do.
        let one = Upper::of(1.0);
        let coarse = self.stretch_error(rate, stretch) + Upper::of(kappa) * spacing(angle, one);
        if self.multiplied_and_stored(coarse, one).min(Upper::of(2.0)) <= enough {
            return Some(Method::Slope { slope: None, value: None, magnitude: 0, library: 0 });
        }
        if self.by_slope(rate, component, stretch).min(Upper::of(2.0)) <= enough {
            let error = self.stretch_error(rate, stretch);
            let (value, _) = Wave::over(&rate.omega, stretch.first, stretch.last).value_and_slope(component);
            let magnitude = one.min(value + error);
            let library = one.min(magnitude + Upper::of(kappa) * spacing(angle, magnitude));
            return Some(Method::Slope {
                slope: Piece::of(other(component), low, high),
                value: Piece::of(component, low, high),
                magnitude: binade(magnitude.get()),
                library: binade(library.get()),
            });
        }
        if kappa != 0.5 || self.by_monotony(rate, component, stretch) > enough {
            return None;
        }
        let angles = [stretch.first, stretch.last].map(|t| angle.round(position.round(t as f64) * rate.computed.value));
        let computed = Piece::of(component, angles[0], angles[1])?;
        Some(Method::Monotone { computed, exact: Piece::of(component, low, high)?, angles })
    }
}

/// The integers below and above a number times 2^SCALE, as digits.
pub(super) fn around(x: &Interval) -> Option<[Rational; 2]> {
    let scale = Rational::power_of_two(i64::from(SCALE));
    let one = Rational::ONE;
    let low = (x.lower().to_rational()? * scale.clone()).floor() - one.clone();
    Some([low, (x.upper().to_rational()? * scale).ceil() + one])
}

/// A number that is an integer times 2^−SCALE, as that integer; none for others.
pub(super) fn scaled(x: f64) -> Option<Rational> {
    let integer = Rational::from_f64(x)? * Rational::power_of_two(i64::from(SCALE));
    integer.is_integer().then_some(integer)
}
