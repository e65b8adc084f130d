//! Along which path an implementation computed its frequencies, where that is not stated: the narrowest whose bound its
//! entries respect. It is then judged by that bound.
//!
//! The bounds of wide paths grow with the index of the frequency, because a common error, of the logarithm or of the ratio,
//! is multiplied by it. Such an error shows: with d_k = (ω′_k/ω_k − 1)/u,
//!
//! * along `exp`, and for powers of one ratio, d_k is δ·k to within L_k + λ(4) + 4 for one δ (L_k = ln(1/ω_k) for the rounding
//!   of the exponent, 8 for pow or 4 for exp, and one each for the base, a reciprocal, and a linear factor's two roundings);
//! * along `repeated`, d_k − d_(k−1) is δ to within 2.
//!
//! A single frequency that is off by more is neither, though it may be within a bound that has to hold for every δ.

use super::Invalid;
use super::cache;
use super::departures::Departures;
use super::deviations::{Deviations, Votes};
use super::faults::is_most;
use super::judged::{Judged, Outcome};
use super::measure::frequency;
use super::picked::PickedRows;
use super::sample::{Phasors, Sample, choose};
use super::subject::{Subject, Wiring};
use posproof_bound::{Libraries, Path};
use posproof_encoding::convention::{Convention, Direction};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// Paths along which each entry is computed by itself, from narrow bounds to wide ones.
const WIDER: [Path; 5] = [Path::Rounded, Path::F64, Path::Pow, Path::Exp, Path::Repeated];

/// True if errors may be those of a recurrence over the positions, each of which the next one keeps: more than one row is
/// beyond the bounds, or the last one.
fn accumulates(found: &Outcome) -> bool {
    found.region.as_ref().is_some_and(|region| region.rows.count > 1 || region.rows.last + 1 == region.of.rows)
}

impl Judged<'_> {
    /// The comparison that decides where no path is stated: along the narrowest path that the frequencies are of. An entry that
    /// no frequency explains is beyond the bound of that path, wherever it stands. Where entries of a pair contradict each other,
    /// no path made them: that is the widest bound which does not excuse them.
    pub fn settled(&self) -> Result<Outcome, Invalid> {
        let recurs = self.compute.format == Format::F64;
        match self.deviations()? {
            Votes::Agree(deviations) => {
                let may_be = |path: &Path| {
                    let allowance = self.allowance(Some(*path));
                    deviations.are_within(|pair| self.reach_of(&allowance, pair))
                };
                let first = WIDER.into_iter().find(may_be);
                let start = self.on_a_sample(|sample| sample.along(first, &deviations))?.path;
                let found = self.along(start, &deviations)?;
                if recurs && found.departs() && accumulates(&found) {
                    let other = self.compare(Some(Path::Recurrence))?;
                    return Ok(if other.departs() { found } else { other });
                }
                Ok(found)
            }
            Votes::Disagree if !recurs => self.unexcused(),
            Votes::Disagree => {
                let found = self.compare(self.respected_by_a_sample()?)?;
                match found.path {
                    Some(Path::Recurrence) if !found.departs() => Ok(found),
                    _ => self.unexcused(),
                }
            }
            Votes::Silent => {
                let found = self.compare(self.respected_by_a_sample()?)?;
                if found.path.is_some() && found.departs() { self.compare(None) } else { Ok(found) }
            }
        }
    }

    /// Findings on the rows of a sample.
    fn on_a_sample<T>(&self, ask: impl FnOnce(&Judged<'_>) -> Result<T, Invalid>) -> Result<T, Invalid> {
        let rows = choose(self.positions.len(), None);
        let positions = Positions::list(rows.iter().filter_map(|&row| self.positions.get(row)))?;
        let picked = PickedRows::new(self.subject, &rows);
        ask(&Judged::new(picked.subject(), self.convention, &positions, (self.omega, self.compute)))
    }

    /// The narrowest path whose bound all entries of a sample respect, if there is one. A recurrence counts in binary64 only: in
    /// narrower formats its bound says little of slow pairs.
    fn respected_by_a_sample(&self) -> Result<Option<Path>, Invalid> {
        self.on_a_sample(|sample| {
            for path in Path::JUDGED {
                if path == Path::Recurrence && self.compute.format != Format::F64 {
                    continue;
                }
                if !sample.compare(Some(path))?.departs() {
                    return Ok(Some(path));
                }
            }
            Ok(None)
        })
    }

    /// The narrowest path, from one on, beyond whose bound is nothing that frequencies explain. A wider one is not asked where it
    /// would excuse entries that no frequency explains.
    fn along(&self, first: Option<Path>, deviations: &Deviations) -> Result<Outcome, Invalid> {
        let mut found = self.compare(first)?;
        let mut left = None;
        while found.departs() {
            let departures = self.by_frequencies(&found, deviations)?;
            let unexplained = *left.get_or_insert(departures.left);
            let Some(path) = found.path.filter(|_| departures.explained > 0) else { break };
            let next = WIDER.iter().position(|other| *other == path).and_then(|at| WIDER.get(at + 1)).copied();
            let wider = self.compare(next)?;
            let remains = if wider.departs() { self.by_frequencies(&wider, deviations)?.left } else { 0 };
            if remains < unexplained {
                break;
            }
            found = wider;
        }
        Ok(found)
    }

    /// The widest bound that some entries are beyond; the narrowest where none are.
    fn unexcused(&self) -> Result<Outcome, Invalid> {
        for path in std::iter::once(None).chain(WIDER.into_iter().rev().map(Some)) {
            let found = self.compare(path)?;
            if found.departs() || path == Some(WIDER[0]) {
                return Ok(found);
            }
        }
        self.compare(None)
    }

    /// The narrowest path other than the stated one whose bound every entry respects, if the frequencies depart from the exact
    /// ones as a path makes them: measured frequencies explain all of what is beyond the bound, and most of it is of pairs whose
    /// frequencies are measured to be others, or else from the first row on with such an entry most rows have one, as the
    /// error of an angle grows with the position. The latter decides alone where frequencies cannot be measured and along a
    /// recurrence.
    pub fn another(&self, stated: Path, seen: &Outcome) -> Result<Option<Path>, Invalid> {
        let Outcome { tally, region: Some(region), .. } = seen else { return Ok(None) };
        let after = (region.of.rows - region.rows.first) as u64;
        let grows = after > 1 && is_most(region.rows.count as u64, after);
        let measured = match self.deviations()? {
            Votes::Agree(deviations) => {
                let Departures { left, told, broken, .. } = self.by_frequencies(seen, &deviations)?;
                left == 0 && broken == 0 && (is_most(told, tally.exceeding) || grows)
            }
            Votes::Disagree | Votes::Silent => grows,
        };
        let needed = |path: &Path| if *path == Path::Recurrence { grows } else { measured };
        for path in others(stated, self.compute.format).filter(needed) {
            if self.compare(Some(path))?.tally.exceeding == 0 {
                let wide = matches!(path, Path::Exp | Path::Repeated);
                return Ok((!wide || !self.departs_from_every_path()?).then_some(path));
            }
        }
        Ok(None)
    }

    /// A sample as phasors, and what bounds the error of a phase at short distances. Asked where positions count 0, 1, …,
    /// frequencies are scaled linearly at most, and both parts of a pair are there, in columns that are repeated alike.
    pub fn phasors(&self) -> Result<Option<(Phasors, f64)>, Invalid> {
        let Self { subject, convention, positions, omega, compute, .. } = self;
        let plain = matches!(convention.scaling, None | Some(Scaling::Linear { .. }))
            && convention.position_offset.is_zero()
            && *convention.position_scale.value() == 1
            && positions.get(0) == Some(0)
            && positions.get(1) == Some(1)
            && (positions.max() as f64) < 1.0 / compute.format.unit_roundoff();
        if !plain || omega.iter().any(|omega| !(*omega > 0.0 && *omega <= 1.0)) {
            return Ok(None);
        }
        if let Subject::Rope { cos: Some(cos), sin: Some(sin) } = *subject
            && cache::duplication(cos)? != cache::duplication(sin)?
        {
            return Ok(None);
        }
        let sample = Sample::read(*subject, 0, &choose(positions.len(), None), positions)?;
        let wiring = matches!(subject, Subject::Rotation { .. }).then(|| Wiring::new(convention));
        let Some(mut phasors) = sample.phasors(convention, wiring.as_ref()) else { return Ok(None) };
        if convention.direction == Direction::Clockwise {
            phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
        }
        let u = compute.format.unit_roundoff();
        // An entry is wrong by 7u and the rounding of its storage, its phase by √2 times that; of rotations, see
        // `Allowance::rotated`.
        let short = if subject.format().narrow().is_some() { 2.0 } else { 10.0 };
        let loosen = if phasors.rotation { short } else { 1.0 };
        let noise = loosen * 1.5 * (subject.format().unit_roundoff() + 8.0 * u) + 1.5 * phasors.off_grid;
        Ok(Some((phasors, noise)))
    }

    /// True if the frequencies depart from the exact ones as none of the paths makes them, though all are within the bound for
    /// one; not where they cannot be measured.
    pub fn departs_from_every_path(&self) -> Result<bool, Invalid> {
        let Self { convention, omega, compute, .. } = self;
        let Some((phasors, noise)) = self.phasors()? else { return Ok(false) };
        let u = compute.format.unit_roundoff();
        let departure = |(pair, omega): (usize, &f64)| {
            let found = frequency(&phasors, pair, noise)?;
            // Angles are rounded once, which changes the measured frequency by u at most.
            Some(PairDeparture { units: (found.value / omega - 1.0) / u, error: found.error / (omega * u) + 2.0 })
        };
        let Some(departures) = omega.iter().enumerate().map(departure).collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        Ok(!follow(convention, (&departures, omega), &compute.libraries))
    }
}

/// The paths that may be named in place of a stated one: all but that one, and a recurrence in binary64 only.
pub(super) fn others(stated: Path, compute: Format) -> impl Iterator<Item = Path> {
    Path::JUDGED
        .into_iter()
        .filter(move |path| *path != stated && (*path != Path::Recurrence || compute == Format::F64))
}

/// True if frequencies depart from the exact ones as a wide path makes them; `u` is the unit roundoff of both. What scales
/// them pair by pair leaves that open.
pub(super) fn follow_a_path(
    convention: &Convention,
    (omega, found): (&[f64], &[f64]),
    u: f64,
    libraries: &Libraries,
) -> bool {
    if !matches!(convention.scaling, None | Some(Scaling::Linear { .. })) || omega.iter().any(|omega| *omega <= 0.0) {
        return true;
    }
    let departures: Vec<PairDeparture> = omega
        .iter()
        .zip(found)
        .map(|(omega, found)| PairDeparture { units: (found / omega - 1.0) / u, error: 1.0 })
        .collect();
    follow(convention, (&departures, omega), libraries)
}

/// True if departures are those of some path.
fn follow(convention: &Convention, (departures, omega): (&[PairDeparture], &[f64]), libraries: &Libraries) -> bool {
    linear(departures, omega, |pair| convention.frequency_index(pair), libraries)
        || steady(departures, convention.frequency_step)
}

/// d_k, and how far off that may be.
struct PairDeparture {
    units: f64,
    error: f64,
}

/// True if one number lies in all these intervals.
fn meet(intervals: impl Iterator<Item = (f64, f64)>) -> bool {
    let (low, high) = intervals.fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), (middle, radius)| {
        (low.max(middle - radius), high.min(middle + radius))
    });
    low <= high
}

/// True if d_k is δ·k for one δ.
fn linear(departures: &[PairDeparture], omega: &[f64], index: impl Fn(usize) -> usize, libraries: &Libraries) -> bool {
    // λ(κ) + 4, of the usual powers 12.
    let of_library = 2.0 * libraries.pow.max(libraries.exp) + 4.0;
    let intervals = departures.iter().zip(omega).enumerate().map(|(pair, (PairDeparture { units, error }, omega))| {
        let (index, radius) = (index(pair) as f64, -omega.ln() + of_library + error);
        if index == 0.0 {
            (0.0, if units.abs() <= radius { f64::INFINITY } else { -1.0 })
        } else {
            (units / index, radius / index)
        }
    });
    meet(intervals)
}

/// True if d_k − d_(k−1) is δ for one δ; between two pairs lie `step` products.
fn steady(departures: &[PairDeparture], step: u32) -> bool {
    let rounded = 2.0 * f64::from(step);
    meet(departures.windows(2).map(|pair| (pair[1].units - pair[0].units, rounded + pair[0].error + pair[1].error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn departures(units: impl Iterator<Item = f64>) -> Vec<PairDeparture> {
        units.map(|units| PairDeparture { units, error: 2.0 }).collect()
    }

    #[test]
    fn common_errors_are_honest_and_single_ones_are_not() {
        let omega: Vec<f64> = (0..64).map(|k| 10000f64.powf(-f64::from(k) / 64.0)).collect();
        for (slope, single, honest) in
            [(0.0, 0.0, true), (7.0, 0.0, true), (-7.0, 0.0, true), (3.0, 99.0, false), (0.0, -60.0, false)]
        {
            let all = departures((0..64).map(|k| slope * f64::from(k) + if k == 40 { single } else { 0.0 }));
            assert_eq!(linear(&all, &omega, |k| k, &Libraries::default()), honest, "{slope} {single}");
            assert_eq!(steady(&all, 1), honest, "{slope} {single}");
        }
        // A walk of roundings, two units at a step: repeated, and nothing else.
        let walk = departures((0..64).map(|k| f64::from(k.min(32)) * 2.0 - f64::from((k - 32).max(0)) * 2.0));
        assert!(steady(&walk, 1) && !linear(&walk, &omega, |k| k, &Libraries::default()));
    }
}
