//! Hypotheses that explain a part of what is wrong: the one that explains most, and what explains the rest.

use super::super::compare::{ComparedScopes, Coverage, EVIDENCE, Scope};
use super::super::exactness::ComparedEntries;
use super::super::faults::{Explained, Finding, LOCAL, Region, Span, Status, is_most};
use super::super::subject::Subject;
use super::super::totals::EntryTotals;
use super::super::{Grade, Invalid};
use super::hypothesis::{Context, Hypothesis, Named, unit};
use super::placement::Placement;
use super::program::Stages;
use super::search::{Confirmed, Search, amplitudes, shows_frequencies};
use super::symptoms::{Diagnosis, Symptoms, apart, departing, is_explained, is_few, is_minor, size};
use super::{alternatives, local, measured, positions, precision, readings, unexplained, vectors};

/// Tables and rows that a hypothesis is asked of first, at most.
const TABLES: usize = 8;
const ROWS: usize = 128;

/// Share of the entries beyond their bounds that a hypothesis explains, at least: one of so many.
const SHARE: u64 = 16;

/// Rows that have one cause, for each row that departs by itself, at least.
const OTHERS: usize = 8;

impl Search<'_, '_> {
    /// The hypothesis that explains most, and what explains the rest.
    pub(super) fn most(&self) -> Result<Option<Diagnosis>, Invalid> {
        self.best_of(self.best_of_vectors()?.into_iter().chain(self.best()))
    }

    /// The hypothesis that explains most; positions of each row, fractions among them, before one that leaves something open.
    pub(super) fn most_or_placed(&self) -> Result<Option<Diagnosis>, Invalid> {
        let most = self.most()?;
        if most.as_ref().is_some_and(|found| found.findings.iter().all(is_explained)) {
            return Ok(most);
        }
        let part = local::scope(self.region);
        let Some(phasors) = readings::phasors(self.context, &self.sample_of(part)?) else { return Ok(most) };
        for hypothesis in self.at_fractions(self.context, &phasors, None)? {
            if self.context.holds(&hypothesis, part)? {
                return Ok(Some(self.diagnosis(Confirmed { hypothesis, confined: false })));
            }
        }
        Ok(most)
    }

    /// The one of these that explains most, and what explains the rest.
    fn best_of<'c>(
        &self,
        all: impl IntoIterator<Item = (Hypothesis, Context<'c>)>,
    ) -> Result<Option<Diagnosis>, Invalid> {
        let (_, of) = self.beyond();
        let part = local::scope(self.region);
        // What is beyond its bound stands in the region: of a small one all of it is asked first.
        let some = Scope { slabs: part.slabs.thinned(TABLES), rows: part.rows.thinned(ROWS) };
        let mut found: Option<(Hypothesis, Context<'_>, Coverage, Option<Region>)> = None;
        for (hypothesis, at) in all {
            // It leaves fewer entries to be explained than what is stated does, and than the one before.
            let before = found.as_ref().map_or(0, |(_, _, before, _)| before.explained.saturating_sub(before.broken));
            let seen = at.compare(&hypothesis, |other| {
                let Coverage { explained, broken, left, .. } = self.case.comparison.explained_by(other, some)?;
                let hardly = explained + left >= EVIDENCE && SHARE * explained < explained + left;
                if hardly || some == part && explained <= broken + before {
                    return Ok(None);
                }
                Ok(Some((self.case.comparison.explained_by(other, self.everything())?, other.region())))
            })?;
            let Some((coverage, region)) = seen else { continue };
            if coverage.explained > coverage.broken + before {
                found = Some((hypothesis, at, coverage, region));
            }
        }
        let Some((hypothesis, at, coverage, region)) = found else { return Ok(None) };
        let Coverage { explained, left, broken, .. } = coverage;
        // What is left, under the hypothesis.
        let tally = EntryTotals {
            entries: coverage.entries,
            exceeding: coverage.beyond(),
            not_finite: coverage.absent,
            ..EntryTotals::default()
        };
        let Some(region) = region else { return Ok(None) };
        let finding = |(fault, cause): &Named, status| Finding {
            fault,
            cause: cause.clone(),
            explains: Explained { entries: explained, of },
            region: Some(self.region.clone()),
            status,
            confined: false,
        };
        let rest = (tally.exceeding - tally.not_finite).min(of);
        let case = Symptoms { tally: &tally, ..*self.case };
        let second = self.rest(&hypothesis, &at, &region)?;
        // What it explains, less what is right as stated and wrong under it.
        if second.is_none() && !is_most(explained - broken, of) {
            return Ok(None);
        }
        let mut findings: Vec<Finding> = Vec::new();
        let status = if second.is_some() { Status::Confirmed } else { Status::Partial };
        findings.extend(hypothesis.named.iter().map(|named| finding(named, status)));
        let degraded = hypothesis.degraded && second.as_ref().is_some_and(|second| second.degraded);
        match second {
            Some(second) => {
                // Its frequencies hold there too, its positions and factors do not.
                let Stages { placement, tweak, .. } = &hypothesis.stages;
                if *placement != Placement::Stated || tweak.is_some() {
                    let own = self.region.without_pairs(&region);
                    findings.iter_mut().for_each(|finding| finding.region = Some(own.clone()));
                }
                let explains = Explained { entries: left, of };
                let before = hypothesis.named.len();
                findings.extend(second.named[before..].iter().map(|named| Finding {
                    explains,
                    region: Some(region.clone()),
                    confined: second.stages.placement == Placement::Stated || named.1.from().is_none(),
                    ..finding(named, Status::Confirmed)
                }));
            }
            None => match apart(&case, &region, (rest, of)).filter(|_| is_minor(&case, &region, rest)) {
                Some(finding) => {
                    findings.iter_mut().for_each(|finding| finding.status = Status::Confirmed);
                    // One that departs from the hypothesis may be within its bound as stated.
                    findings.push(Finding { explains: Explained { entries: left, of }, ..finding });
                }
                None => findings.push(unexplained::rest(self, &region, rest)),
            },
        }
        let explained = findings.iter().all(is_explained);
        let found = hypothesis.found.clone().filter(|_| explained && hypothesis.named.iter().all(shows_frequencies));
        Ok(Some(Diagnosis { findings, found, grade: if degraded { Grade::Degraded } else { Grade::Wrong } }))
    }

    /// The part of the region that has these rows.
    fn region_of(&self, rows: Span) -> Region {
        let at = |row: usize| self.case.positions.get(row);
        let positions = at(rows.first).zip(at(rows.last)).map(|(first, last)| [first, last]);
        Region { rows, positions, before: rows.first.checked_sub(1).and_then(at), ..self.region.clone() }
    }

    /// One cause of the longest stretch of rows that depart, where few others do: these depart by themselves.
    fn in_stretch(&self) -> Result<Option<Diagnosis>, Invalid> {
        let comparison = self.case.comparison;
        if self.region.rows.count <= OTHERS {
            return Ok(None);
        }
        // A comparison with itself remembers which rows depart.
        comparison.explained_by(comparison, self.everything())?;
        let rows: Vec<usize> = comparison.extents().0.rows.iter().collect();
        let Some(longest) = rows.chunk_by(|row, next| row + 1 == *next).max_by_key(|rows| rows.len()) else {
            return Ok(None);
        };
        let (first, last) = (longest[0], longest[longest.len() - 1]);
        let others: Vec<usize> = rows.iter().copied().filter(|row| !(first..=last).contains(row)).collect();
        let few = !others.is_empty() && OTHERS * others.len() <= longest.len();
        let spans = Span::of(longest.iter().copied()).zip(Span::of(others.iter().copied()));
        let Some((rows, apart)) = spans.filter(|_| few) else { return Ok(None) };
        let region = self.region_of(rows);
        let found = Search { region: &region, ..*self }.in_part()?;
        // What departs here and there is what is said without a cause.
        let caused = |found: &Confirmed| found.hypothesis.named.iter().all(|(fault, _)| *fault != &LOCAL);
        let Some(Confirmed { hypothesis, .. }) = found.filter(caused) else { return Ok(None) };
        let (beyond, of) = self.beyond();
        let mut left = 0;
        for slab in self.region.heads.iter() {
            let (within, all) = comparison.score(slab, others.iter().copied())?;
            left += all - within;
        }
        let finding = |(fault, cause): &Named| Finding {
            fault,
            cause: cause.clone(),
            explains: Explained { entries: beyond - left.min(beyond), of },
            region: Some(region.clone()),
            status: Status::Confirmed,
            confined: true,
        };
        let mut findings: Vec<Finding> = hypothesis.named.iter().map(finding).collect();
        findings.push(departing(self.case, &self.region_of(apart), (left, of)));
        // Where most rows depart, they do not follow what was asked for.
        let found = is_minor(self.case, &region, beyond).then(|| self.case.convention.clone());
        Ok(Some(Diagnosis { findings, found, grade: Grade::Wrong }))
    }

    /// Explanation of a region that a hypothesis leaves.
    fn rest(&self, hypothesis: &Hypothesis, at: &Context<'_>, region: &Region) -> Result<Option<Hypothesis>, Invalid> {
        let scope = local::scope(region);
        let sample = self.sample_of(scope)?;
        let values: Vec<f64> = sample.values().collect();
        if sample.rows.len() < 2 {
            return Ok(None);
        }
        let (before, from) = (scope.rows.first.checked_sub(1), scope.rows.first);
        let boundary = before.and_then(|before| Some((at.positions.get(before)?, at.positions.get(from)?)));
        let (omega, narrow) = hypothesis.stages.narrowed();
        let Some(start) = at.at(&hypothesis.convention, omega) else { return Ok(None) };
        let start = Context {
            narrow,
            reading: hypothesis.reading.clone(),
            named: hypothesis.named.clone(),
            found: hypothesis.found.clone(),
            degraded: hypothesis.degraded,
            storage: hypothesis.storage,
            values: &values,
            slab: scope.slabs.first,
            boundary,
            ..start
        };
        let Some(phasors) = readings::phasors(&start, &sample) else { return Ok(None) };
        let mut found = None;
        Self::single(&start, &phasors, &mut |at, unit, hypothesis| {
            let more = hypothesis.named.len() > start.named.len();
            if found.is_none() && more && at.fits(unit, &hypothesis) && at.holds(&hypothesis, scope)? {
                found = Some(hypothesis);
            }
            Ok(found.is_some())
        })?;
        if found.is_none() {
            for hypothesis in local::hypotheses(&start, (region, is_few(self.case, size(self.case, region))), &phasors)
            {
                if start.holds_in(&hypothesis, &sample.rows)?
                    && start.holds(&hypothesis, self.scope(&hypothesis, scope))?
                {
                    return Ok(Some(hypothesis));
                }
            }
        }
        Ok(found)
    }

    /// Of the fates of vectors the one that most entries of the sample are explained by, and more of them than by what is stated.
    fn best_of_vectors(&self) -> Result<Option<(Hypothesis, Context<'_>)>, Invalid> {
        if !matches!(self.context.subject, Subject::Rotation { .. }) {
            return Ok(None);
        }
        let within = |hypothesis: &Hypothesis| {
            let rows = self.sample.rows.iter().copied();
            Ok::<u64, Invalid>(self.context.compare(hypothesis, |other| other.score(self.context.slab, rows))?.0)
        };
        let mut best = (within(&self.context.itself())?, None);
        for hypothesis in vectors::all(self.context, self.sample)? {
            let explained = within(&hypothesis)?;
            if explained > best.0 {
                best = (explained, Some(hypothesis));
            }
        }
        Ok(best.1.map(|hypothesis| (hypothesis, self.context.clone())))
    }

    /// One cause of a stretch of rows, a rule of their positions or one of its own for each, but for a few that are wrong by themselves.
    pub(super) fn in_most_rows(&self) -> Result<Option<Diagnosis>, Invalid> {
        if let Some(found) = self.in_stretch()? {
            return Ok(Some(found));
        }
        let part = local::scope(self.region);
        let sample = self.sample_of(part)?;
        let values: Vec<f64> = sample.values_of(self.region.component).collect();
        let start = self.start(part, &values);
        let Some(phasors) = readings::phasors(&start, &sample) else { return Ok(None) };
        let ruled = positions::hypotheses(&start, &unit(&start, &phasors), Some(OTHERS));
        let of = |all: Vec<Hypothesis>| self.best_of(all.into_iter().map(|hypothesis| (hypothesis, start.clone())));
        if let Some(found) = of(ruled)?.filter(|found| self.explains_most(found)) {
            return Ok(Some(found));
        }
        match of(self.listed(&start, &phasors, Some(OTHERS))?.into_iter().collect())? {
            None => of(self.at_fractions(&start, &phasors, Some(OTHERS))?),
            found => Ok(found),
        }
    }

    /// Of all single hypotheses the one that most of the sample fits, and more of it than what is stated.
    fn best(&self) -> Option<(Hypothesis, Context<'_>)> {
        let mut best: Option<(usize, Hypothesis, Context<'_>)> = None;
        let missed = |at: &Context<'_>| {
            let (phasors, itself) = (readings::phasors(at, self.sample)?, at.itself());
            let unit = unit(at, &phasors);
            Some(at.missed(&unit, &itself, unit.positions.len() * unit.pairs))
        };
        let stated = missed(self.context).unwrap_or(usize::MAX);
        for at in readings::contexts(self.context) {
            let Some(phasors) = readings::phasors(&at, self.sample) else { continue };
            for at in amplitudes(&at, &phasors) {
                let unit = unit(&at, &phasors);
                let total = unit.positions.len() * unit.pairs;
                let estimates = at.frequencies(&unit).unwrap_or_default();
                let law = if estimates.is_empty() { Vec::new() } else { measured::hypotheses(&at, &unit, &estimates) };
                let all = std::iter::once(at.itself())
                    .chain(alternatives::hypotheses(&at))
                    .chain(alternatives::read_elsewhere(&at, &unit))
                    .chain(precision::storage(&at))
                    .chain(positions::hypotheses(&at, &unit, None))
                    .chain(precision::computation(&at))
                    .chain(law)
                    .chain(local::lone_frequency(&at, &unit));
                for hypothesis in all.filter(|hypothesis| !hypothesis.named.is_empty() && !hypothesis.measured) {
                    let limit = best.as_ref().map_or(stated.min(total), |(missed, ..)| *missed);
                    let missed = at.missed(&unit, &hypothesis, limit);
                    if missed < limit {
                        best = Some((missed, hypothesis, at.clone()));
                    }
                }
            }
        }
        best.map(|(_, hypothesis, at)| (hypothesis, at))
    }
}
