//! The search: one cause everywhere, one cause in a part, two causes; then what explains most.

use super::super::compare::{ComparedScopes, Scope};
use super::super::faults::{Cause, Explained, Finding, Region, Span, Status, is_most};
use super::super::measure::{Estimate, gap};
use super::super::sample::{Phasors, Sample, choose, wrap};
use super::super::subject::Subject;
use super::super::{Grade, Invalid};
use super::hypothesis::{Context, Hypothesis, Named, unit};
use super::placement::Placement;
use super::symptoms::{Diagnosis, Symptoms, apart, context, grade, is_explained, is_few, is_minor, scattered};
use super::{
    alternatives, dropped, gain, local, measured, positions, precision, readings, summed, unexplained, vectors,
};
use posproof_encoding::Law;
use std::f64::consts::TAU;

/// Asks whether a hypothesis holds, given its context and the phasors divided by the amplitude: true ends the search.
type Test<'t> = dyn FnMut(&Context<'_>, &Phasors, Hypothesis) -> Result<bool, Invalid> + 't;

/// State of a search.
pub struct Search<'s, 'a> {
    pub case: &'s Symptoms<'a>,
    pub context: &'s Context<'a>,
    pub sample: &'s Sample,
    /// Where finite entries are beyond their bounds.
    pub region: &'s Region,
}

/// A hypothesis that was found to hold.
pub(super) struct Confirmed {
    pub hypothesis: Hypothesis,
    /// True if it holds in the region only.
    pub confined: bool,
}

impl Search<'_, '_> {
    /// Everything that is tried, in order.
    pub fn run(&self) -> Result<Diagnosis, Invalid> {
        if let Some(confirmed) = self.one()? {
            // What allows for all that is near hides single entries. A law of most of them says more, with what departs from it.
            let law = if tolerant(&confirmed.hypothesis) { self.most()? } else { None };
            let law = law.filter(|found| found.found.is_some() && self.explains_most(found));
            return Ok(law.unwrap_or_else(|| self.diagnosis(confirmed)));
        }
        if let Some(summed) = summed::explain(self.case, self.context, self.region)? {
            return Ok(summed);
        }
        // Several pairs in most rows of every table: a matter of frequencies, if it is one of anything.
        let Region { rows, heads, pairs, component, of, .. } = self.region;
        let several = pairs.is_some_and(|pairs| pairs.count > 2) && component.is_none();
        let of_pairs = several && 2 * rows.count > of.rows && heads.is_all(of.heads);
        let apart = apart(self.case, self.region, self.beyond());
        let minor = is_minor(self.case, self.region, self.beyond().0);
        // The others follow what is stated.
        let found = Some(self.case.convention.clone());
        let alone = |finding| Diagnosis { findings: vec![finding], found: found.clone(), grade: Grade::Wrong };
        if let (Some(finding), true, false) = (&apart, minor, of_pairs) {
            // One cause of most of them, and few besides, says more than many that depart by themselves.
            let most = self.most()?.filter(|found| self.explains_most(found));
            let one = if most.is_none() { self.in_most_rows()? } else { most };
            return Ok(one.unwrap_or_else(|| alone(finding.clone())));
        }
        if let Some(hypothesis) = self.search(self.context, self.sample, self.everything(), &Self::two)? {
            return Ok(self.diagnosis(Confirmed { hypothesis, confined: false }));
        }
        if let Some(diagnosis) = unexplained::identified(self.case, self.beyond(), self.region)? {
            return Ok(diagnosis);
        }
        let late: [&dyn Fn() -> Result<Option<Diagnosis>, Invalid>; 6] = [
            &|| unexplained::normalised(self),
            &|| self.listed_under(),
            &|| self.most_or_placed(),
            &|| self.in_most_rows(),
            &|| unexplained::rule(self),
            &|| unexplained::repeated(self),
        ];
        for explain in late {
            if let Some(diagnosis) = explain()? {
                return Ok(diagnosis);
            }
        }
        let apart = apart.or_else(|| scattered(self.case, self.region, self.beyond()));
        apart.map_or_else(|| unexplained::measured(self), |finding| Ok(alone(finding)))
    }

    /// True if a diagnosis leaves nothing open, and its first finding explains most.
    pub(super) fn explains_most(&self, found: &Diagnosis) -> bool {
        let explained = found.findings.first().map_or(0, |finding| finding.explains.entries);
        found.findings.iter().all(is_explained) && is_most(explained, self.beyond().0)
    }

    /// Entries beyond the bound that are finite, and all.
    pub fn beyond(&self) -> (u64, u64) {
        (self.case.tally.exceeding - self.case.tally.not_finite, self.case.tally.exceeding)
    }

    /// Every table and row.
    pub(super) fn everything(&self) -> Scope {
        Scope { slabs: Span::all(self.region.of.heads), rows: Span::all(self.region.of.rows) }
    }

    /// Scope on which a fault of a part is to be tested: a frequency is that of every row.
    pub(super) fn scope(&self, hypothesis: &Hypothesis, part: Scope) -> Scope {
        let frequency = |(_, cause): &Named| matches!(cause, Cause::PairFrequency { .. });
        if hypothesis.named.iter().any(frequency) { self.everything() } else { part }
    }

    /// One cause: everywhere, or in the rows and tables of the region. What predicts entries is preferred to a lower accuracy,
    /// which allows for all that is near them.
    fn one(&self) -> Result<Option<Confirmed>, Invalid> {
        match self.search(self.context, self.sample, self.everything(), &Self::single)? {
            Some(hypothesis) if tolerant(&hypothesis) => {
                Ok(Some(self.in_part()?.unwrap_or(Confirmed { hypothesis, confined: false })))
            }
            Some(hypothesis) => Ok(Some(Confirmed { hypothesis, confined: false })),
            None => match (self.in_part()?, precision::stored(self.context)) {
                (None, Some(stored)) => {
                    let found = self.search(&stored, self.sample, self.everything(), &Self::single)?;
                    Ok(found.map(|hypothesis| Confirmed { hypothesis, confined: false }))
                }
                (found, _) => Ok(found),
            },
        }
    }

    /// One cause in the rows and tables of the region. One that allows for all that is near is asked of the last rows only, all
    /// of them: errors grow with the position, and a program is as accurate in one table, or every other row, as in the next.
    pub(super) fn in_part(&self) -> Result<Option<Confirmed>, Invalid> {
        let everything = self.everything();
        let part = local::scope(self.region);
        let sample = self.sample_of(part)?;
        let values: Vec<f64> = sample.values_of(self.region.component).collect();
        if values.is_empty() {
            return Ok(None);
        }
        let start = self.start(part, &values);
        // One row, or few, are those of anything: only what leaves nothing open is asked of them.
        if part != everything
            && sample.rows.len() > 2
            && let Some(hypothesis) = self.search(&start, &sample, part, &Self::single)?
            && (self.is_tail() || !tolerant(&hypothesis))
        {
            return Ok(Some(Confirmed { hypothesis, confined: true }));
        }
        let Some(phasors) = readings::phasors(&start, &sample) else { return Ok(None) };
        for hypothesis in local::hypotheses(&start, (self.region, is_few(self.case, self.beyond().0)), &phasors) {
            if start.holds_in(&hypothesis, &sample.rows)? && start.holds(&hypothesis, self.scope(&hypothesis, part))? {
                return Ok(Some(Confirmed { hypothesis, confined: self.region.is_part() }));
            }
        }
        let Some(hypothesis) = self.listed(&start, &phasors, None)? else { return Ok(None) };
        Ok(start.holds(&hypothesis, part)?.then_some(Confirmed { hypothesis, confined: false }))
    }

    /// The context of a part, of which these entries are sampled.
    pub(super) fn start<'c>(&'c self, part: Scope, values: &'c [f64]) -> Context<'c> {
        let start = context(self.case, part.slabs.first, part.rows.first, values);
        Context { values, named: self.context.named.clone(), ..start }
    }

    /// Rows of a scope, as many as a sample has.
    pub(super) fn sample_of(&self, scope: Scope) -> Result<Sample, Invalid> {
        let rows: Vec<usize> = scope.rows.iter().collect();
        let chosen: Vec<usize> = choose(rows.len(), None).into_iter().filter_map(|i| rows.get(i).copied()).collect();
        Sample::read(self.case.subject, scope.slabs.first, &chosen, self.case.positions)
    }

    /// The first hypothesis that holds for every entry of a scope, of those that `kind` makes of each arrangement.
    fn search(
        &self,
        start: &Context<'_>,
        sample: &Sample,
        scope: Scope,
        kind: &dyn Fn(&Context<'_>, &Phasors, &mut Test<'_>) -> Result<(), Invalid>,
    ) -> Result<Option<Hypothesis>, Invalid> {
        let arrangements = readings::contexts(start);
        let sampled: Vec<Option<Phasors>> = arrangements.iter().map(|at| readings::phasors(at, sample)).collect();
        let mut found = None;
        // First an arrangement that needs nothing else, then everything else in each arrangement.
        for (at, phasors) in arrangements.iter().zip(&sampled) {
            let Some(phasors) = phasors else { continue };
            let itself = at.itself();
            if !itself.named.is_empty() && at.fits(&unit(at, phasors), &itself) && self.holds(at, &itself, scope)? {
                return Ok(Some(itself));
            }
        }
        if matches!(start.subject, Subject::Rotation { .. }) {
            for hypothesis in vectors::screened(start, sample)? {
                if self.holds(start, &hypothesis, scope)? {
                    // Frequencies of another law may be those of other pairs, as far as entries tell.
                    let law = if hypothesis.found.is_none() { self.law(&arrangements, &sampled, scope)? } else { None };
                    return Ok(Some(law.unwrap_or(hypothesis)));
                }
            }
        }
        for (at, phasors) in arrangements.iter().zip(&sampled) {
            let Some(phasors) = phasors else { continue };
            kind(at, phasors, &mut |at, unit, hypothesis| {
                let fits = found.is_none() && at.fits(unit, &hypothesis) && at.sharpens(unit, &hypothesis);
                if fits && self.holds(at, &hypothesis, scope)? {
                    found = Some(hypothesis);
                }
                Ok(found.is_some())
            })?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// The first convention that a known mistake makes of the stated one and that holds, in any arrangement.
    fn law(
        &self,
        arrangements: &[Context<'_>],
        sampled: &[Option<Phasors>],
        scope: Scope,
    ) -> Result<Option<Hypothesis>, Invalid> {
        for (at, phasors) in arrangements.iter().zip(sampled) {
            let Some(phasors) = phasors else { continue };
            let unit = unit(at, phasors);
            for hypothesis in alternatives::hypotheses(at) {
                if hypothesis.found.is_some() && at.fits(&unit, &hypothesis) && self.holds(at, &hypothesis, scope)? {
                    return Ok(Some(hypothesis));
                }
            }
        }
        Ok(None)
    }

    /// True if every entry of a scope is what a hypothesis predicts, and of those that it is to explain enough could not be
    /// anything.
    fn holds(&self, at: &Context<'_>, hypothesis: &Hypothesis, scope: Scope) -> Result<bool, Invalid> {
        if !at.holds(hypothesis, scope)? {
            return Ok(false);
        }
        let coverage = at.compare(hypothesis, |other| self.case.comparison.explained_by(other, scope))?;
        Ok(TELLING * coverage.explained >= self.beyond().0)
    }

    /// One fault in an arrangement, besides another amplitude.
    pub(super) fn single(at: &Context<'_>, phasors: &Phasors, test: &mut Test<'_>) -> Result<(), Invalid> {
        if let Some(negated) = gain::negated(at)
            && test(&negated, &unit(&negated, phasors), negated.itself())?
        {
            return Ok(());
        }
        for at in amplitudes(at, phasors) {
            let unit = unit(&at, phasors);
            let more = at.named.len() > 1 || !at.named.is_empty() && at.reading.convention == at.expected;
            let itself = at.itself();
            if more && !itself.named.is_empty() && test(&at, &unit, itself)? {
                return Ok(());
            }
            let early = alternatives::of_components(&at).into_iter().chain(alternatives::per_token(&at));
            let early = early.chain(precision::storage(&at)).chain(alternatives::quotient(&at));
            let early = early.chain(alternatives::read_elsewhere(&at, &unit));
            for hypothesis in early.chain(alternatives::hypotheses(&at)) {
                if test(&at, &unit, hypothesis)? {
                    return Ok(());
                }
            }
            let estimates = at.frequencies(&unit);
            let law = |estimates: &Vec<Estimate>| measured::hypotheses(&at, &unit, estimates);
            let late = positions::hypotheses(&at, &unit, None).into_iter().chain(precision::computation(&at));
            let late = late
                .chain(estimates.iter().flat_map(law))
                .chain(alternatives::of_one_component(&at))
                .chain(alternatives::unsigned(&at, &unit));
            let late = late.chain(precision::trigonometry(&at, &unit));
            for hypothesis in late {
                if !hypothesis.measured && test(&at, &unit, hypothesis)? {
                    return Ok(());
                }
            }
            for (other, hypothesis) in dropped::hypotheses(&at, &unit) {
                if test(&other, &self::unit(&other, phasors), hypothesis)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Another law of the frequencies, and a second fault besides.
    fn two(at: &Context<'_>, phasors: &Phasors, test: &mut Test<'_>) -> Result<(), Invalid> {
        for at in amplitudes(at, phasors) {
            let unit = unit(&at, phasors);
            // Cosines and sines of no common angle show no offset.
            for other in positions::offsets(&at) {
                for hypothesis in alternatives::of_components(&other) {
                    if test(&other, &unit, hypothesis)? {
                        return Ok(());
                    }
                }
            }
            if let Some((by, slower)) = positions::repeated(&at, &unit)
                && let Some(estimates) = at.frequencies(&slower)
            {
                let factors = measured::hypotheses(&at, &slower, &estimates);
                let factors = factors.into_iter().filter(|other| !other.measured).filter_map(|other| at.after(other));
                let others = laws(&at, &slower, &estimates).into_iter().chain(factors).chain(gain::negated(&at));
                for other in others {
                    if test(&other, &self::unit(&other, phasors), positions::divided(&other, by))? {
                        return Ok(());
                    }
                }
            }
            let Some(estimates) = at.frequencies(&unit) else { continue };
            for other in laws(&at, &unit, &estimates) {
                let second = positions::hypotheses(&other, &unit, None).into_iter();
                let second = second.chain(precision::storage(&other)).chain(precision::computation(&other));
                for hypothesis in second {
                    if !hypothesis.measured && test(&other, &unit, hypothesis)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// True if the region is every table and component, from some row on.
    fn is_tail(&self) -> bool {
        let Region { rows, heads, component, of, .. } = self.region;
        rows.step == 1 && rows.last + 1 == of.rows && heads.is_all(of.heads) && component.is_none()
    }

    /// Diagnosis by a hypothesis that holds.
    pub(super) fn diagnosis(&self, Confirmed { hypothesis, confined }: Confirmed) -> Diagnosis {
        let (entries, of) = self.beyond();
        let whole = matches!(hypothesis.stages.placement, Placement::From(..) | Placement::Modulo(_));
        let to_the_end =
            self.region.rows.last + 1 == self.region.of.rows && self.region.heads.is_all(self.region.of.heads);
        let confined = confined && !(whole && to_the_end);
        let finding = |(fault, cause): &Named| Finding {
            fault,
            cause: cause.clone(),
            explains: Explained { entries, of },
            region: Some(self.region.clone()),
            status: Status::Confirmed,
            confined,
        };
        let findings = hypothesis.named.iter().map(finding).collect();
        // Where a fault is of a part, the rest follows what was asked for.
        let rest = || is_minor(self.case, self.region, entries).then(|| self.case.convention.clone());
        let found = if confined { rest() } else { hypothesis.found.clone().filter(|_| shows_all(&hypothesis)) };
        Diagnosis { findings, found, grade: grade(&hypothesis, confined) }
    }
}

/// True if entries with a fault show the frequencies of a convention: rows that are all alike do not.
pub(super) fn shows_frequencies((_, cause): &Named) -> bool {
    !matches!(cause, Cause::Zero | Cause::NotRotated | Cause::OnePosition { .. } | Cause::AxesExchanged { .. })
}

fn shows_all(hypothesis: &Hypothesis) -> bool {
    hypothesis.named.iter().all(shows_frequencies)
}

/// Of so many entries that a hypothesis is to explain one has to be told from any other number.
const TELLING: u64 = 8;

/// The context with the stated amplitude, and those with the measured one.
pub(super) fn amplitudes<'a>(at: &Context<'a>, phasors: &Phasors) -> Vec<Context<'a>> {
    std::iter::once(at.clone()).chain(gain::others(at, phasors)).collect()
}

/// Contexts of other laws whose frequencies are about the measured ones, as far as low precision leaves them.
pub(super) fn laws<'a>(at: &Context<'a>, phasors: &Phasors, estimates: &[Estimate]) -> Vec<Context<'a>> {
    let gap = gap(&phasors.positions);
    let consistent = |other: &Context<'a>| {
        let scale = Law::new(&other.expected).scale();
        let near = |(found, omega): &(&Estimate, &f64)| {
            // Frequencies are known modulo a turn from one row to the next.
            let off = wrap((found.value - **omega * scale) * gap) / gap;
            off.abs() <= 4.0 * found.error + 1e-2 * (**omega * scale).abs().min(TAU)
        };
        // A second fault may hide some of them. Whether the law is theirs is decided entry by entry.
        is_most(estimates.iter().zip(&other.omega).filter(near).count() as u64, estimates.len() as u64)
    };
    let based = measured::contexts(at, estimates);
    let narrow = precision::contexts(at);
    alternatives::contexts(at).into_iter().chain(based).chain(narrow).filter(consistent).collect()
}

/// True if a hypothesis allows for whatever is near the right entries.
fn tolerant(hypothesis: &Hypothesis) -> bool {
    hypothesis.named.iter().any(|(_, cause)| matches!(cause, Cause::Inaccurate { .. }))
}
