//! The path that an encoding of several axes is judged by, where none is stated.

use super::comparison::AxialComparison;
use super::expectation::AxialExpectation;
use super::rows::AxialRows;
use super::votes::{RowVotes, VoteResult};
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::totals::EntryTotals;
use posproof_bound::{AxialAllowance, Compute, Path};
use posproof_numerics::format::Format;

/// Paths whose bounds are tried, from narrow to wide: what is within one is within the next.
const PATHS: [Option<Path>; 6] =
    [Some(Path::Rounded), Some(Path::F64), Some(Path::Pow), Some(Path::Exp), Some(Path::Repeated), None];

/// Rows with an entry beyond the narrowest bounds that are compared by themselves along the others, at most.
const FEW: usize = 256;

/// A path, or any of them, and the comparison along it.
pub(super) type AlongPath<'a> = (Option<Path>, EntryTotals, AxialRows<'a>);

/// The path that decides where none is stated, and the comparison along it: the narrowest that no entry is beyond, if all entries
/// say one frequency. Where some are of none, the narrowest that admits the frequencies of most, and that no others are beyond;
/// where most entries have no frequency in common, the widest that some entry is beyond.
pub(super) fn settled<'a>(
    comparison: &'a AxialComparison<'a>,
    expectation: &AxialExpectation<'_>,
    format: Format,
) -> Result<AlongPath<'a>, Invalid> {
    let AxialExpectation { law, coordinates, compute, libraries, .. } = *expectation;
    let compute = Compute { format: compute, libraries };
    let allowance = |path| AxialAllowance::new(law, coordinates, (compute, path), format);
    let mut paths = ComparedPaths { comparison, allowance: &allowance, compared: Default::default(), few: None };
    let narrowest = paths.take(0)?;
    if narrowest.1.beyond() == 0 {
        return Ok(narrowest);
    }
    let (slabs, rows) = (narrowest.2.beyond.slabs.list(), narrowest.2.beyond.rows.list());
    paths.compared[0] = Some(narrowest);
    paths.few = (rows.len() <= FEW).then(|| (slabs.clone(), rows.clone()));
    let any = allowance(None);
    let own = AxialAllowance::of_own_frequencies(law, coordinates, compute, format);
    let votes = RowVotes::new(comparison, (law, coordinates), own, &any);
    let at = match votes.of(&slabs, &rows)? {
        VoteResult::Unanimous => paths.explaining()?,
        VoteResult::Majority(majority) => {
            let mut admitting = (0..PATHS.len()).filter(|at| votes.admits(&allowance(PATHS[*at]), &majority));
            loop {
                let Some(at) = admitting.next() else { break paths.departing()? };
                let beyond = paths.beyond(at)?;
                // A narrower one excuses everything, and admits less.
                if beyond == 0 && at > 0 && paths.beyond(at - 1)? == 0 {
                    break paths.departing()?;
                }
                if beyond <= majority.against {
                    break at;
                }
            }
        }
        VoteResult::Disagreement => paths.departing()?,
    };
    paths.take(at)
}

/// Comparisons along the paths, each made when it is asked for.
struct ComparedPaths<'a, 'b> {
    comparison: &'a AxialComparison<'a>,
    allowance: &'b dyn Fn(Option<Path>) -> AxialAllowance,
    compared: [Option<AlongPath<'a>>; PATHS.len()],
    /// The tables and the rows with an entry beyond the narrowest bounds, where these are few.
    few: Option<(Vec<usize>, Vec<usize>)>,
}

impl<'a> ComparedPaths<'a, '_> {
    fn take(&mut self, at: usize) -> Result<AlongPath<'a>, Invalid> {
        if let Some(along) = self.compared[at].take() {
            return Ok(along);
        }
        let rows = self.comparison.along((self.allowance)(PATHS[at]));
        Ok((PATHS[at], rows.run()?, rows))
    }

    /// Finite entries beyond the bounds along a path.
    fn beyond(&mut self, at: usize) -> Result<u64, Invalid> {
        if let (None, Some((slabs, rows))) = (&self.compared[at], &self.few) {
            let along = self.comparison.along((self.allowance)(PATHS[at]));
            let of = |&row: &usize| Ok(along.run_in(slabs, row..row + 1)?.beyond());
            return rows.iter().map(of).sum();
        }
        let along = self.take(at)?;
        let beyond = along.1.beyond();
        self.compared[at] = Some(along);
        Ok(beyond)
    }

    /// The narrowest path that no entry is beyond, or the widest.
    fn explaining(&mut self) -> Result<usize, Invalid> {
        let mut at = 0;
        while at + 1 < PATHS.len() && self.beyond(at)? > 0 {
            at += 1;
        }
        Ok(at)
    }

    /// The widest path that some entry is beyond, or the narrowest.
    fn departing(&mut self) -> Result<usize, Invalid> {
        let mut at = PATHS.len() - 1;
        while at > 0 && self.beyond(at)? == 0 {
            at -= 1;
        }
        Ok(at)
    }
}
