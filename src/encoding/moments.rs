//! Random vectors with finitely many values: their expectations are finite sums, exact where the numbers are.

use crate::number::{Number, System};
use nalgebra::DVector;

/// The law of a random vector: its values, each with its probability.
#[derive(Clone, Debug)]
pub struct FiniteLaw<N: Number>(Vec<(N, DVector<N>)>);

impl<N: Number> FiniteLaw<N> {
    /// A vector of `dim` independent components of mean 0 and variance 1: each is t with probability 1/(1 + t²) and
    /// −1/t with probability t²/(1 + t²), t > 0 the real variable `name`. There are 2^dim values.
    pub fn standard<S: System<Number = N>>(system: &S, name: &'static str, dim: usize) -> Self {
        let t = system.real(name, 0);
        let square = t.clone() * t.clone();
        let component = [(N::one(), t.clone()), (square.clone(), -(N::one() / t))];
        // All probabilities over one denominator.
        let total = (0..dim).fold(N::one(), |total, _| total * (N::one() + square.clone()));
        let of = |choice: usize| {
            let chosen = (0..dim).map(|index| &component[(choice >> index) & 1]);
            let weight = chosen.clone().fold(N::one(), |weight, (factor, _)| weight * factor.clone());
            (weight / total.clone(), DVector::from_iterator(dim, chosen.map(|(_, value)| value.clone())))
        };
        Self((0..1usize << dim).map(of).collect())
    }

    /// The law of x and −x/2 with probabilities 1/3 and 2/3: of mean 0 and as asymmetric as its factor is.
    pub fn centred<S: System<Number = N>>(system: &S, x: &DVector<N>) -> Self {
        let share = |numerator: i64, denominator: i64| system.integer(numerator) / system.integer(denominator);
        let half = x.map(|entry| -(entry / system.integer(2)));
        Self(vec![(share(1, 3), x.clone()), (share(2, 3), half)])
    }

    /// The law of f(x).
    pub fn map(self, f: impl Fn(&DVector<N>) -> DVector<N>) -> Self {
        Self(self.0.into_iter().map(|(probability, value)| (probability, f(&value))).collect())
    }

    /// E f(x).
    pub fn mean(&self, f: impl Fn(&DVector<N>) -> N) -> N {
        self.0.iter().fold(N::zero(), |sum, (probability, value)| sum + probability.clone() * f(value))
    }

    /// E f(x, y) for a y that is independent of x.
    pub fn mean_with(&self, other: &Self, f: impl Fn(&DVector<N>, &DVector<N>) -> N) -> N {
        self.mean(|x| other.mean(|y| f(x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::exact::{Exact, Formal};

    #[test]
    fn components_are_standard_and_independent_whatever_t_is() {
        let law = FiniteLaw::standard(&Formal, "t", 2);
        let moment = |f: fn(&DVector<Exact>) -> Exact| law.mean(f);
        assert_eq!(moment(|_| Exact::from(1)), Exact::from(1));
        assert_eq!(moment(|x| x[1].clone()), Exact::from(0));
        assert_eq!(moment(|x| x[0].clone() * x[0].clone()), Exact::from(1));
        assert_eq!(moment(|x| x[0].clone() * x[1].clone()), Exact::from(0));
        assert_ne!(moment(|x| x[0].clone() * x[0].clone() * x[0].clone()), Exact::from(0), "t is not a sign");
    }
}
