//! Two sides, and how far apart they may be.

use super::ball::Ball;

/// The relation that a claim states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// left = right.
    Equal,
    /// left ≤ right.
    AtMost,
    /// left < right.
    Less,
    /// left ≠ right in at least one of the cases.
    Distinct,
}

impl Relation {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::AtMost => "≤",
            Self::Less => "<",
            Self::Distinct => "≠",
        }
    }
}

/// Two sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub what: &'static str,
    /// Which of those with this name.
    pub index: usize,
    pub relation: Relation,
    pub left: Ball,
    pub right: Ball,
    /// A bound on the difference for all inputs, where there is one.
    pub uniform: Option<f64>,
}

/// Those of one case, of the claim or of its sabotage.
pub(crate) type Comparisons = Vec<Comparison>;

/// The verdict of the answers on a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Held,
    /// The sides are nearer than what they may be off by.
    Unable,
    Refuted,
}

impl Comparison {
    pub fn equal(what: &'static str, index: usize, left: Ball, right: Ball) -> Self {
        Self { what, index, relation: Relation::Equal, left, right, uniform: None }
    }

    pub fn related(what: &'static str, index: usize, relation: Relation, left: Ball, right: Ball) -> Self {
        Self { relation, ..Self::equal(what, index, left, right) }
    }

    /// Equality of the entries of two rows.
    pub fn rows<'a>(what: &'static str, left: &'a [Ball], right: &'a [Ball]) -> impl Iterator<Item = Self> + 'a {
        left.iter().zip(right).enumerate().map(move |(index, (left, right))| Self::equal(what, index, *left, *right))
    }

    /// This comparison with a bound for all inputs; none where that is infinite.
    pub fn within(self, bound: f64) -> Self {
        Self { uniform: bound.is_finite().then_some(bound), ..self }
    }

    /// Largest distance that the sides may have.
    pub fn tolerance(&self) -> f64 {
        let running = self.left.radius + self.right.radius;
        self.uniform.map_or(running, |uniform| uniform.min(running))
    }

    /// True if the bound for all inputs is the smaller one.
    pub fn is_uniform(&self) -> bool {
        self.uniform.is_some_and(|uniform| uniform <= self.left.radius + self.right.radius)
    }

    /// Distance of the sides from the relation.
    pub fn error(&self) -> f64 {
        let difference = self.left.value - self.right.value;
        match self.relation {
            Relation::Equal => difference.abs(),
            Relation::AtMost | Relation::Less => difference.max(0.0),
            Relation::Distinct => 0.0,
        }
    }

    /// error ÷ tolerance.
    pub fn share(&self) -> f64 {
        let (error, tolerance) = (self.error(), self.tolerance());
        if error == 0.0 { 0.0 } else { error / tolerance }
    }

    pub fn decide(&self) -> Decision {
        let (difference, tolerance) = (self.left.value - self.right.value, self.tolerance());
        match self.relation {
            Relation::Equal if difference.abs() > tolerance => Decision::Refuted,
            Relation::AtMost if difference > tolerance => Decision::Refuted,
            Relation::Equal | Relation::AtMost => Decision::Held,
            Relation::Less if difference > tolerance => Decision::Refuted,
            Relation::Less if -difference > tolerance => Decision::Held,
            Relation::Distinct if difference.abs() > tolerance => Decision::Held,
            Relation::Less | Relation::Distinct => Decision::Unable,
        }
    }
}
