//! The inverse question: how far an error is guaranteed to stay below a figure.

use super::entry::{Model, Rate};
use super::program::Impossible;
use posproof_encoding::convention::Component;
use posproof_table::LIMIT;
use std::ops::Range;

/// Evaluations of the bound after which the search settles for what it has.
const BUDGET: u32 = 4096;

/// A search with the evaluations that are left.
struct ReachSearch<'a> {
    model: &'a Model,
    rate: &'a Rate,
    component: Component,
    error: f64,
    left: u32,
}

impl ReachSearch<'_> {
    /// The first effective position of first..=last whose bound is not below the figure, or one before it.
    fn first_beyond(&mut self, first: u64, last: u64) -> Option<u64> {
        if self.left == 0 {
            return Some(first);
        }
        self.left -= 1;
        let bound = self.model.refined(self.rate, self.component, first..last + 1, self.error);
        if bound.value() < self.error {
            return None;
        }
        if first == last {
            return Some(first);
        }
        let middle = first + (last - first) / 2;
        self.first_beyond(first, middle).or_else(|| self.first_beyond(middle + 1, last))
    }
}

impl Model {
    /// Number of positions, counted from 0, that have a bound below `error`: for the instance bound of a component. At
    /// most `limit`. The answer is a guarantee; that the bound of the next position is not below the figure is certain
    /// only where the search was not cut short.
    pub fn reach(&self, rate: &Rate, component: Component, error: f64, limit: u64) -> Result<u64, Impossible> {
        self.reach_within(rate, component, error, &(0..limit.clamp(1, LIMIT)))
    }

    /// The same counted from the first of these positions.
    pub(crate) fn reach_within(
        &self,
        rate: &Rate,
        component: Component,
        error: f64,
        positions: &Range<u64>,
    ) -> Result<u64, Impossible> {
        let range = self.effective(positions, rate)?;
        let mut search = ReachSearch { model: self, rate, component, error, left: BUDGET };
        let mut end = range.start;
        // Doubling keeps the first stretches, where the bound is small, out of the recursion.
        while end < range.end {
            let last = (end * 2).clamp(end, range.end - 1);
            if let Some(beyond) = search.first_beyond(end, last) {
                return Ok(beyond - range.start);
            }
            end = last + 1;
        }
        Ok(range.end - range.start)
    }

    /// The same for the a priori bound, which grows with the position.
    pub fn reach_a_priori(&self, rate: &Rate, error: f64, limit: u64) -> Result<u64, Impossible> {
        self.reach_a_priori_within(rate, error, &(0..limit.clamp(1, LIMIT)))
    }

    /// The same counted from the first of these positions.
    pub(crate) fn reach_a_priori_within(
        &self,
        rate: &Rate,
        error: f64,
        positions: &Range<u64>,
    ) -> Result<u64, Impossible> {
        self.effective(positions, rate)?;
        let start = positions.start;
        let below = |count: u64| self.a_priori(rate, start..start + count).map(|bound| bound.value() < error);
        let (mut held, mut failed) = (0, positions.end - start + 1);
        while failed - held > 1 {
            let middle = held + (failed - held) / 2;
            if below(middle)? { held = middle } else { failed = middle }
        }
        Ok(held)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Model, Program};
    use posproof_encoding::convention::{Component, Convention};
    use posproof_numerics::format::Format;

    /// The search cuts as finely as it has to; the bound itself, where an angle has few values, does as well.
    #[test]
    fn no_figure_well_below_the_bound_is_guaranteed_everywhere() {
        for (format, end) in [(Format::Bf16, 1000), (Format::F16, 4096)] {
            for kappa in [0.5, 1.0] {
                let program = Program { kappa, ..Program::rounded(format) };
                let model = Model::new(&Convention::rope(8), &program).expect("a model");
                for pair in 0..4 {
                    let rate = model.rate(pair).expect("a rate");
                    for component in [Component::Sin, Component::Cos] {
                        let bound = model.instance(&rate, component, 0..end).expect("a bound").value();
                        let reach = model.reach(&rate, component, 0.98 * bound, end).expect("an answer");
                        assert!(reach < end, "{format}, pair {pair}, {component:?}: {bound:e} everywhere");
                    }
                }
            }
        }
    }
}
