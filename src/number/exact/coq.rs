//! Normal forms in Coq: polynomials in reals, and in cosines and sines of angles that may be anything.

use super::Exact;
use super::errors::{Errors, without_errors};
use super::normal_form::{Atom, Gaussian, Sum};
use rug::Rational;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Variables of Coq that stand for reals and for angles.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    /// Name and index of each real.
    pub reals: Vec<(&'static str, usize)>,
    angles: BTreeMap<Sum, usize>,
}

impl Variables {
    /// The names of all.
    pub fn names(&self) -> Vec<String> {
        let reals = (0..self.reals.len()).map(|place| format!("x{place}"));
        reals.chain((0..self.angles.len()).map(|place| format!("a{place}"))).collect()
    }

    fn real(&mut self, name: &'static str, index: usize) -> String {
        let place = self.reals.iter().position(|known| *known == (name, index)).unwrap_or_else(|| {
            self.reals.push((name, index));
            self.reals.len() - 1
        });
        format!("x{place}")
    }

    /// An angle, and −1 where it is the negative of a variable.
    fn angle(&mut self, exponent: &Sum) -> (String, i32) {
        let negative = exponent.negated();
        let (key, sign) = if *exponent <= negative { (exponent.clone(), 1) } else { (negative, -1) };
        let next = self.angles.len();
        (format!("a{}", self.angles.entry(key).or_insert(next)), sign)
    }
}

/// A rational constant.
pub(crate) fn constant(value: &Rational) -> String {
    format!("({} / {})", value.numer(), value.denom())
}

impl Exact {
    /// The real part as a sum of products, and what bounds it where each real is within its own bound, `sizes` of the reals by
    /// their names; none for quotients, other exponentials, and what has roots.
    pub(crate) fn coq(
        &self,
        variables: &mut Variables,
        size: &dyn Fn(&'static str, usize) -> Option<Rational>,
    ) -> Option<(String, Rational)> {
        let (mut text, mut bound) = (String::new(), Rational::new());
        for (monomial, coefficient) in &self.as_sum()?.0 {
            let (mut factors, mut largest) = (String::new(), Rational::from(1));
            for (atom, power) in &monomial.powers {
                let Atom::Real(name, index) = atom else { return None };
                for _ in 0..*power {
                    let _ = write!(factors, " * {}", variables.real(name, *index));
                    largest *= size(name, *index)?;
                }
            }
            let (phase, errors): (Option<Arc<Sum>>, Errors) = without_errors(monomial.exponent.as_ref())?;
            if !errors.is_empty() || phase.as_ref().is_some_and(|phase| phase.0.values().any(|c| c.re != 0)) {
                return None;
            }
            let Gaussian { re, im } = coefficient;
            let mut add = |factor: &Rational, function: &str| {
                if *factor != 0 {
                    let sign = if *factor < 0 { "- " } else { "+ " };
                    let magnitude = factor.clone().abs();
                    let _ = write!(text, " {sign}{}{factors}{function}", constant(&magnitude));
                    bound += magnitude * &largest;
                }
            };
            match phase {
                None => add(re, ""),
                Some(phase) => {
                    // e^(iφ) is read without i: the exponent is i·φ.
                    let angle = phase.scaled(&Gaussian::quarter_turns(3));
                    let (name, sign) = variables.angle(&angle);
                    add(re, &format!(" * cos {name}"));
                    add(&(-im.clone() * sign), &format!(" * sin {name}"));
                }
            }
        }
        Some((format!("(0 / 1){text}"), bound))
    }
}
