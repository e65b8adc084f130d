//! A table's bounds, pair by pair, as a report shows them.

use super::entry::{Model, Rate};
use super::origin::{Bound, Origin};
use super::program::{Impossible, Program};
use super::worst::{Extreme, WorstCase};
use posproof_encoding::Positions;
use posproof_encoding::convention::Component;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

/// Question of a study.
#[derive(Clone, Debug)]
pub struct Question {
    /// The positions of which the bounds hold, from the first to beyond the last.
    pub positions: Range<u64>,
    /// The pairs.
    pub pairs: Vec<usize>,
    /// The components.
    pub components: Vec<Component>,
    /// Those of the positions of which the exact worst case is enumerated, once each and in increasing order.
    pub worst: Option<Positions>,
    /// The figure of the inverse question.
    pub error: Option<f64>,
}

/// Refuses pairs of which one is named twice: it would have two rows.
pub fn distinct(pairs: &[usize]) -> Result<(), Impossible> {
    let mut known = BTreeSet::new();
    match pairs.iter().find(|&&pair| !known.insert(pair)) {
        Some(pair) => Err(Impossible::new("pair", format!("{pair} twice"), "each pair once")),
        None => Ok(()),
    }
}

/// The bounds over the positions of one decade.
#[derive(Clone, Debug)]
pub struct Decade {
    /// The positions.
    pub positions: Range<u64>,
    /// The theorem of the path.
    pub a_priori: Bound,
    /// With the frequency as computed.
    pub instance: Bound,
}

/// Number of positions, from the first on, that have a bound below a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guaranteed {
    /// By the theorem of the path.
    pub a_priori: u64,
    /// With the frequency as computed.
    pub instance: u64,
}

/// One component of one pair.
#[derive(Clone, Debug)]
pub struct Row {
    /// The pair.
    pub pair: usize,
    /// The component.
    pub component: Component,
    /// Over all positions, the theorem of the path.
    pub a_priori: Bound,
    /// Over all positions, with the frequency as computed.
    pub instance: Bound,
    /// Decade by decade.
    pub decades: Vec<Decade>,
    /// The exact worst case of both components, if it was asked for.
    pub worst: Option<WorstCase>,
    /// The answer to the inverse question, if it was asked.
    pub reach: Option<Guaranteed>,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unanswered {
    /// No bound is defined for what was asked.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// An error was found that is above a bound on it: a mistake in this library.
    #[error(
        "internal error, please report it: pair {pair}, {component:?}, {program:?}: the error {error:e} at position {position} is above the bound {bound:e} ({origin}); no bound is printed"
    )]
    Contradicted {
        /// The pair.
        pair: usize,
        /// The component.
        component: Component,
        /// The program.
        program: Box<Program>,
        /// An error that occurs, what is left open about the exact entry included.
        error: f64,
        /// Where it occurs.
        position: u64,
        /// The bound that it is above.
        bound: f64,
        /// The bound's origin.
        origin: Origin,
    },
}

/// The answer.
pub struct Study {
    /// The question.
    pub question: Question,
    /// One row for each pair and component.
    pub rows: Vec<Row>,
}

/// The positions cut at 10, 100, 1000, …
pub fn decades(positions: &Range<u64>) -> Vec<Range<u64>> {
    let ends = std::iter::successors(Some(10u64), |end| end.checked_mul(10));
    let cuts = ends.take_while(|end| *end < positions.end).filter(|end| *end > positions.start);
    let mut start = positions.start;
    let mut ranges: Vec<Range<u64>> = cuts.map(|end| std::mem::replace(&mut start, end)..end).collect();
    ranges.push(start..positions.end);
    ranges
}

impl Model {
    /// Answers a question, with the threads of the current rayon pool. `done` is called after each pair.
    ///
    /// # Errors
    ///
    /// Where no bound is defined, and where the worst case that was asked for is above its bound, which never happens.
    pub fn study(&self, question: Question, done: impl Fn() + Sync) -> Result<Study, Unanswered> {
        let rows: Result<Vec<Vec<Row>>, Unanswered> = question
            .pairs
            .par_iter()
            .map(|&pair| {
                let rows = self.rows(pair, &question);
                done();
                rows
            })
            .collect();
        let rows = rows?.into_iter().flatten().collect();
        Ok(Study { question, rows })
    }

    fn rows(&self, pair: usize, question: &Question) -> Result<Vec<Row>, Unanswered> {
        let rate = self.rate(pair)?;
        let positions = &question.positions;
        // Positions that cannot be are named as they were asked for, not decade by decade.
        self.effective(positions, &rate)?;
        let enumerated = question.worst.as_ref().map_or(&[][..], Positions::as_ranges);
        let worst = self.worst(&rate, enumerated)?.into_iter().reduce(WorstCase::join);
        let row = |&component: &Component| self.row(&rate, component, question, worst.clone());
        question.components.iter().map(row).collect()
    }

    fn row(
        &self,
        rate: &Rate,
        component: Component,
        question: &Question,
        worst: Option<WorstCase>,
    ) -> Result<Row, Unanswered> {
        let a_priori = self.a_priori(rate, question.positions.clone())?;
        let instance = self.instance(rate, component, question.positions.clone())?;
        if let Some(worst) = &worst {
            self.contradiction(rate, component, worst.of(component), &[instance, a_priori]).map_or(Ok(()), Err)?;
        }
        let decade = |range: Range<u64>| -> Result<Decade, Impossible> {
            let a_priori = self.a_priori(rate, range.clone())?;
            Ok(Decade { a_priori, instance: self.instance(rate, component, range.clone())?, positions: range })
        };
        let decades: Result<Vec<Decade>, Impossible> = decades(&question.positions).into_iter().map(decade).collect();
        let decades = decades?;
        let reach = question.error.map(|error| -> Result<Guaranteed, Impossible> {
            Ok(Guaranteed {
                a_priori: self.reach_a_priori_within(rate, error, &question.positions)?,
                instance: self.reach_within(rate, component, error, &question.positions)?,
            })
        });
        Ok(Row { pair: rate.pair, component, a_priori, instance, decades, worst, reach: reach.transpose()? })
    }

    /// A bound that an error is above.
    fn contradiction(
        &self,
        rate: &Rate,
        component: Component,
        extreme: &Extreme,
        bounds: &[Bound],
    ) -> Option<Unanswered> {
        let bound = bounds.iter().find(|bound| extreme.above > bound.value() || extreme.above.is_nan())?;
        Some(Unanswered::Contradicted {
            pair: rate.pair,
            component,
            program: Box::new(self.program),
            error: extreme.above,
            position: extreme.position,
            bound: bound.value(),
            origin: bound.origin(),
        })
    }
}

impl Study {
    /// The first row with the largest instance bound.
    pub fn largest(&self) -> Option<&Row> {
        self.rows.iter().rev().max_by(|a, b| a.instance.value().total_cmp(&b.instance.value()))
    }

    /// The row with the largest error, if the exact worst case was asked for.
    pub fn worst(&self) -> Option<&Row> {
        let error = |row: &Row| row.worst.as_ref().map_or(0.0, |worst| worst.of(row.component).error);
        let found = self.rows.iter().filter(|row| row.worst.is_some());
        found.rev().max_by(|a, b| error(a).total_cmp(&error(b)))
    }

    /// The row whose bound leaves the figure first.
    pub fn shortest(&self) -> Option<(&Row, Guaranteed)> {
        self.rows.iter().filter_map(|row| Some((row, row.reach?))).min_by_key(|(_, reach)| reach.instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::format::Format;

    #[test]
    fn a_bound_below_an_error_that_occurs_is_not_printed() {
        let convention = posproof_encoding::convention::Convention::rope(4);
        let model = Model::new(&convention, &Program::rounded(Format::F32)).expect("possible");
        let rate = model.rate(1).expect("a frequency");
        let bound = model.instance(&rate, Component::Sin, 0..1000).expect("in range");
        let worst = model.worst(&rate, std::slice::from_ref(&(0..1000))).expect("comparable").remove(0).sin;
        assert!(model.contradiction(&rate, Component::Sin, &worst, &[bound]).is_none());
        for above in [bound.value().next_up(), f64::INFINITY, f64::NAN] {
            let impossible = Extreme { above, ..worst.clone() };
            let error = model.contradiction(&rate, Component::Sin, &impossible, &[bound]).expect("a contradiction");
            let text = error.to_string();
            assert!(
                text.contains("internal error") && text.contains("pair 1, Sin") && text.contains("position"),
                "{text}"
            );
        }
    }

    #[test]
    fn decades_cover_the_positions() {
        assert_eq!(decades(&(0..131072)), [0..10, 10..100, 100..1000, 1000..10000, 10000..100000, 100000..131072]);
        for whole in [5..7, 10..100] {
            assert_eq!(decades(&whole), std::slice::from_ref(&whole));
        }
    }
}
