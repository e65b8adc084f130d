//! The largest error of a table's entries, position by position and pair by pair, beside its bounds.

use crate::bound::{Impossible, Model, Path, Program};
use crate::encoding::convention::{Component, Convention};
use crate::number::format::Format;
use rayon::prelude::*;
use std::ops::Range;

/// The largest of some errors, and the largest of their bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LargestErrors {
    /// The exact largest error of the program with correctly rounded functions.
    pub worst: f64,
    /// The largest instance bound.
    pub instance: f64,
    /// The largest a priori bound.
    pub a_priori: f64,
}

impl LargestErrors {
    fn join(self, other: Self) -> Self {
        Self {
            worst: self.worst.max(other.worst),
            instance: self.instance.max(other.instance),
            a_priori: self.a_priori.max(other.a_priori),
        }
    }
}

/// The errors of one program.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Its program.
    pub program: Program,
    /// Stretches of positions, each with the largest error over all pairs and both components.
    pub stretches: Vec<(Range<u64>, LargestErrors)>,
    /// For each pair the largest error over all positions and both components.
    pub pairs: Vec<LargestErrors>,
    /// Number of entries that were compared with their exact values.
    pub comparisons: u64,
}

/// A program, or why it is none: a base that the format does not hold, for example.
pub type Outcome = (Format, Path, Result<Sweep, Impossible>);

/// The positions 0 … length − 1, cut at 1, 2, 3, 4, 6, 8, 12, 16 …: two stretches a binade.
pub fn stretches(length: u64) -> Vec<Range<u64>> {
    let powers = (1..63).flat_map(|n| [1u64 << n, (1u64 << n) + (1 << (n - 1))]);
    let ends: Vec<u64> = std::iter::once(1).chain(powers).take_while(|end| *end < length).chain([length]).collect();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends.iter().copied()).map(|(start, end)| start..end).collect()
}

/// The program that does everything in one format, along a path, with correctly rounded functions.
pub fn program(format: Format, path: Path) -> Program {
    Program { path, ..Program::rounded(format) }
}

/// Number of `length` positions that a format holds: binary16 ends at 65504.
pub fn held(format: Format, length: u64) -> u64 {
    length.min((format.max_finite() as u64).saturating_add(1))
}

/// Every format along every path.
pub fn sweeps(convention: &Convention, length: u64) -> Vec<Outcome> {
    let programs = Format::ALL.into_iter().flat_map(|format| Path::ALL.map(|path| (format, path)));
    let sweep = |(format, path)| (format, path, sweep(convention, program(format, path), held(format, length)));
    programs.map(sweep).collect()
}

/// One program. Every entry at the positions 0 … length − 1 is compared with its exact value. Runs in the threads of
/// the current rayon pool; the result does not depend on them.
pub fn sweep(convention: &Convention, program: Program, length: u64) -> Result<Sweep, Impossible> {
    let model = Model::new(convention, &program)?;
    let ranges = stretches(length);
    let rows: Result<Vec<(Vec<LargestErrors>, u64)>, Impossible> =
        (0..convention.pairs()).into_par_iter().map(|pair| row(&model, pair, &ranges)).collect();
    let rows = rows?;
    let mut joined = vec![LargestErrors::default(); ranges.len()];
    for (errors, _) in &rows {
        joined.iter_mut().zip(errors).for_each(|(sum, errors)| *sum = sum.join(*errors));
    }
    let whole =
        |errors: &Vec<LargestErrors>| errors.iter().copied().fold(LargestErrors::default(), LargestErrors::join);
    Ok(Sweep {
        program,
        stretches: ranges.into_iter().zip(joined).collect(),
        pairs: rows.iter().map(|(errors, _)| whole(errors)).collect(),
        comparisons: rows.iter().map(|(_, comparisons)| comparisons).sum(),
    })
}

fn row(model: &Model, pair: usize, ranges: &[Range<u64>]) -> Result<(Vec<LargestErrors>, u64), Impossible> {
    let rate = model.rate(pair)?;
    let (mut errors, mut comparisons) = (Vec::new(), 0);
    for (range, worst) in ranges.iter().zip(model.worst(&rate, ranges)?) {
        comparisons += worst.comparisons;
        let mut both = LargestErrors::default();
        for component in [Component::Sin, Component::Cos] {
            both = both.join(LargestErrors {
                worst: worst.of(component).error,
                instance: model.instance(&rate, component, range.clone())?.value(),
                a_priori: model.a_priori(&rate, range.clone())?.value(),
            });
        }
        errors.push(both);
    }
    Ok((errors, comparisons))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_the_positions() {
        assert_eq!(stretches(1).len(), 1);
        assert_eq!(stretches(7), [0..1, 1..2, 2..3, 3..4, 4..6, 6..7]);
        let all = stretches(131072);
        assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((all.first().unwrap().start, all.last().unwrap().end), (0, 131072));
    }

    #[test]
    fn no_error_is_above_its_bound_and_all_entries_are_compared() {
        let convention = Convention::sinusoid(8);
        let outcomes = sweeps(&convention, 3000);
        assert_eq!(outcomes.len(), 20);
        let made: Vec<&Sweep> = outcomes.iter().filter_map(|(_, _, sweep)| sweep.as_ref().ok()).collect();
        // bfloat16 does not hold 10000, which three of its paths begin with.
        assert_eq!(made.len(), 17);
        for sweep in made {
            assert_eq!(sweep.comparisons, 3000 * 8);
            for errors in sweep.stretches.iter().map(|(_, errors)| errors).chain(&sweep.pairs) {
                assert!(errors.worst <= errors.instance && errors.worst <= errors.a_priori, "{errors:?}");
            }
            let largest = |errors: &mut dyn Iterator<Item = f64>| errors.fold(0.0, f64::max);
            let by_position = largest(&mut sweep.stretches.iter().map(|(_, errors)| errors.worst));
            assert_eq!(by_position, largest(&mut sweep.pairs.iter().map(|errors| errors.worst)));
            assert!(by_position > 0.0);
        }
    }

    #[test]
    fn the_reference_figures_of_binary32_are_met() {
        // Worst |error| of sin(t·ω_1), t < 512, d = 512, is 2.5047e-05 at t = 495.
        let sweep = sweep(&Convention::sinusoid(512), program(Format::F32, Path::Rounded), 512).unwrap();
        assert!(sweep.pairs[1].worst >= 2.5046e-5 && sweep.pairs[1].worst < 2.6e-5, "{:?}", sweep.pairs[1]);
    }
}
