//! Causes that explain the entries beyond their bounds, one after the other.

use super::alterations::Alteration;
use super::comparison::AxialComparison;
use super::decoded::decoded;
use super::diagnosis::{Explaining, Partial, explain_rows};
use super::expectation::AxialExpectation;
use super::gains::amplitudes;
use super::identified::identified;
use super::judgement::judge;
use super::mend::{AxialMend, MOST_ROWS, MostExplained};
use super::narrower::with_rest;
use super::precedence::{OF_SEVERAL, SEEN_TOGETHER, patternless};
use super::programs::{self, AlteredProgram};
use super::symptoms::AxialSymptoms;
use super::{alone, products, vectors};
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::diagnose::rest;
use crate::faults::*;
use crate::report::Grade;
use crate::totals::EntryTotals;
use crate::view::{are_of, narrower};
use posproof_bound::{AxialAllowance, Compute, Path};
use posproof_encoding::axes::AxialConvention;
use posproof_numerics::format::Format;
use std::borrow::Cow;
use std::collections::HashSet;

/// Why entries are beyond their bounds.
#[derive(Default)]
pub(super) struct AxialDiagnosis {
    pub grade: Option<Grade>,
    pub findings: Vec<Finding>,
    pub found: Option<AxialConvention>,
    pub mend: Option<AxialMend>,
}

/// A case, its totals, and the places that the findings name.
pub(super) struct Diagnosing<'a> {
    pub case: &'a AxialSymptoms<'a>,
    pub totals: &'a EntryTotals,
    /// Where finite entries are beyond their bounds, and where entries are not finite.
    pub region: Option<Region>,
    pub strange: Option<Region>,
    /// The slots of finite entries beyond their bounds.
    pub slots: Option<Span>,
}

impl Diagnosing<'_> {
    /// A finding that explains every finite entry beyond its bound, or none if it is unexplained.
    fn finding(&self, fault: &'static Fault, cause: impl Into<Cause>, status: Status) -> Finding {
        let entries = if status == Status::Confirmed { self.totals.beyond() } else { 0 };
        let explains = Explained { entries, of: self.totals.exceeding };
        let region = self.region.clone();
        Finding { status, explains, region, ..Finding::new(fault, cause.into()) }
    }

    /// Findings of entries that are not finite, and of the others.
    pub fn diagnosis(&self, stated_path: Option<Path>) -> Result<AxialDiagnosis, Invalid> {
        let totals = self.totals;
        let Some(first) = totals.first_not_finite else { return self.of_finite(stated_path) };
        let cause = AxesCause::NotFinite { count: totals.not_finite, row: first.row };
        let explains = Explained { entries: totals.not_finite, of: totals.exceeding };
        let region = self.strange.clone();
        let confined = region.as_ref().is_some_and(Region::is_part);
        let strange = self.finding(&NOT_FINITE, cause, Status::Confirmed);
        let strange = Finding { explains, region, confined, ..strange };
        let rest = match totals.beyond() {
            // The others follow what is stated, as far as they are there.
            0 => {
                let follow = !is_most(totals.not_finite, totals.entries);
                AxialDiagnosis {
                    found: follow.then(|| self.case.law.convention().clone()),
                    ..AxialDiagnosis::default()
                }
            }
            _ => self.of_finite(stated_path)?,
        };
        let findings = std::iter::once(strange).chain(rest.findings).collect();
        // With such an entry nothing conforms.
        Ok(AxialDiagnosis { grade: None, findings, found: rest.found, mend: None })
    }

    /// Why finite entries are beyond their bounds. A fault of a single axis has the name that it has on one axis; where no hypothesis about
    /// several explains the entries, each axis that departs is asked alone.
    fn of_finite(&self, stated_path: Option<Path>) -> Result<AxialDiagnosis, Invalid> {
        let mut explaining = Explaining::new(self.case)?;
        let mut diagnosis = self.of_several(&mut explaining, stated_path)?;
        let counts: Vec<u64> = self.totals.pairs.iter().map(|part| part.exceeding).collect();
        let departing = alone::departing(self.case.law, &counts);
        let told = |fault: &Fault| diagnosis.findings.iter().any(|finding| finding.fault == fault);
        let open = told(&AXES_UNEXPLAINED) || told(&LOCAL) || told(&OTHER_COORDINATES);
        let together = departing.len() > 1 && SEEN_TOGETHER.into_iter().any(told);
        let of_several = together || OF_SEVERAL.into_iter().any(told);
        let several = self.case.law.axes().len() > 1;
        let mut most = explaining.most.take().map(|most| self.partial(most)).transpose()?;
        let mut each = alone::JudgedAlone::default();
        let left = |mend: &AxialMend| self.left(mend, stated_path).ok().flatten();
        if !of_several && (open || several) {
            each = alone::each(self.case, (&counts, stated_path), &left)?;
            most = each.most.filter(|each| most.as_ref().is_none_or(|most| each.left <= most.left)).or(most);
        }
        let codes = |findings: &[Finding]| findings.iter().map(Finding::code).collect::<HashSet<Code>>();
        // What explains every entry and has a name is told before a law of one axis with entries of another.
        let named = !diagnosis.findings.iter().any(|finding| patternless(finding.fault));
        let told = each.told.filter(|alone| {
            // One cause of all axes comes before one of each.
            let more = !alone.is_one && alone.findings.len() > diagnosis.findings.len();
            let law = alone.is_of_a_law(self.case.subject) && !(named && (more || alone.has_apart()));
            open || law && codes(&diagnosis.findings) != codes(&alone.findings)
        });
        let (loose, named) = match most.filter(|_| open && !self.is_part()) {
            Some(most) if most.findings.first().is_some_and(|first| patternless(first.fault)) => (Some(most), None),
            most => (None, most),
        };
        let is = |fault: &Fault| diagnosis.findings.iter().any(|finding| finding.fault == fault);
        let unexplained = is(&AXES_UNEXPLAINED);
        // Axes have one cause before they have several, though it leaves an entry to another; coordinates of no pattern come last.
        let one = told.as_ref().is_some_and(|told| told.is_one);
        if !one && let Some(both) = self.with_rest(named, stated_path)? {
            return Ok(both);
        }
        // Two causes of all axes are told before those of each.
        if (unexplained || is(&OTHER_COORDINATES))
            && !one
            && let Some(two) = explaining.two()?
        {
            return Ok(self.of_two(two));
        }
        if let Some(alone) = told {
            return Ok(self.alone(alone, diagnosis, &left));
        }
        if let Some(both) = self.with_rest(loose, stated_path)? {
            return Ok(both);
        }
        if unexplained && !each.open.is_empty() {
            diagnosis.findings = each.open;
        }
        Ok(diagnosis)
    }

    /// Diagnosis of axes that are explained each by itself; `other` is that of all of them.
    fn alone(
        &self,
        alone: alone::Alone,
        mut other: AxialDiagnosis,
        left: &dyn Fn(&AxialMend) -> Option<u64>,
    ) -> AxialDiagnosis {
        if other.mend.is_none() {
            other.mend = alone.mend.filter(|mend| alone.is_of_all || left(mend) == Some(0));
            // A lower precision leaves the convention as it is.
            let same = (alone.grade == Grade::Degraded).then(|| self.case.law.convention().clone());
            other.found = other.mend.as_ref().map(|mend| mend.convention.clone()).or(same);
            other.grade = Some(if other.found.is_some() { alone.grade } else { Grade::Wrong });
        }
        let totals = self.totals;
        let explains = Explained { entries: totals.beyond(), of: totals.exceeding };
        let apart = |finding: &Finding| if let Cause::Apart { entries, .. } = finding.cause { entries } else { 0 };
        // Where these are all that depart, the others are those of all axes.
        let all = alone.findings.iter().map(apart).sum::<u64>() == totals.beyond();
        let place = |finding: Finding| match (alone.is_of_all, apart(&finding)) {
            (true, _) => Finding { region: self.region.clone(), explains, ..finding },
            (_, entries) if all && entries > 0 => {
                Finding { cause: rest(totals, totals.uninformative, entries), ..finding }
            }
            _ => finding,
        };
        AxialDiagnosis { findings: alone.findings.into_iter().map(place).collect(), ..other }
    }

    /// Entries that an alteration explains, as a finding.
    fn partial(&self, Partial { alteration, left }: Partial<'_>) -> Result<MostExplained, Invalid> {
        let still = alteration.fault == &CONSTANT_ROWS && vectors::are_not_rotated(self.case, left)?;
        let finding = match still {
            true => self.finding(&NO_ROTATION, Cause::NotRotated, Status::Confirmed),
            false => self.finding(alteration.fault, alteration.cause, Status::Confirmed),
        };
        let mend = AxialMend::of(alteration.convention, self.case.compute.0.format, None);
        let coordinates = alteration.placement.all().map(Cow::into_owned);
        Ok(MostExplained { findings: vec![finding], mend: AxialMend { coordinates, ..mend }, left })
    }

    /// Findings that explain most entries, and those of the judgement under what they mend; none where that leaves an entry unexplained.
    fn with_rest(&self, most: Option<MostExplained>, path: Option<Path>) -> Result<Option<AxialDiagnosis>, Invalid> {
        let Self { case, totals, .. } = self;
        let Some(most) = most else { return Ok(None) };
        let MostExplained { findings, mend: AxialMend { convention, coordinates, compute, storage, .. }, .. } = most;
        let Ok(law) = case.law.altered(&convention) else { return Ok(None) };
        let coordinates = coordinates.as_ref().unwrap_or(case.coordinates);
        let storage = storage.unwrap_or(case.storage);
        let libraries = case.compute.0.libraries;
        let new = AxialExpectation::new(&law, coordinates);
        let mended = AxialExpectation { compute, libraries, path, storage: Some(storage), ..new };
        let mut again = judge(case.subject, &mended)?;
        // Entries that are no numbers are told before.
        again.findings.retain(|finding| finding.fault != &NOT_FINITE);
        if again.findings.is_empty() || again.findings.iter().any(|finding| finding.status != Status::Confirmed) {
            return Ok(None);
        }
        let stated = AxialAllowance::new(case.law, case.coordinates, case.compute, case.storage);
        let computes = Compute { format: compute, libraries };
        let allowance = AxialAllowance::new(&law, coordinates, (computes, again.path), storage);
        let other = AxialComparison::new(case.subject, &law, coordinates, storage)?;
        let rows = [case.comparison.along(stated), other.along(allowance)];
        let findings = with_rest(rows, [findings, again.findings], totals.exceeding)?;
        Ok(Some(AxialDiagnosis { grade: Some(Grade::Wrong), findings, found: again.found, mend: None }))
    }

    /// Entries that a mend leaves beyond their bounds; none where it cannot be asked, where these are not few, or no entry speaks for it.
    fn left(&self, mend: &AxialMend, path: Option<Path>) -> Result<Option<u64>, Invalid> {
        let (case, storage) = (self.case, mend.storage.unwrap_or(self.case.storage));
        let Ok(law) = case.law.altered(&mend.convention) else { return Ok(None) };
        let computes = Compute { format: mend.compute, libraries: case.compute.0.libraries };
        case.left_under((&law, case.coordinates), (computes, path), storage)
    }

    /// Why they are, of hypotheses about all axes.
    fn of_several(
        &self,
        explaining: &mut Explaining<'_>,
        stated_path: Option<Path>,
    ) -> Result<AxialDiagnosis, Invalid> {
        let Self { case, totals, .. } = self;
        if let Some(stored) = self.stored_narrowly()? {
            return Ok(stored);
        }
        if let Some(alteration) = explaining.first(explaining.all())? {
            if alteration.fault == &CONSTANT_ROWS && vectors::are_not_rotated(case, 0)? {
                let finding = self.finding(&NO_ROTATION, Cause::NotRotated, Status::Confirmed);
                let findings = vec![Finding { confined: self.is_part(), ..finding }];
                return Ok(AxialDiagnosis { findings, ..AxialDiagnosis::default() });
            }
            return Ok(self.altered(alteration, self.is_part()));
        }
        if let Some(program) = programs::explain(case)? {
            return self.computed(program, stated_path);
        }
        if let Some(both) = self.computed_and_stored(stated_path)? {
            return Ok(both);
        }
        // Whatever the entries themselves show has more to choose from.
        let measured: [&dyn Fn() -> Result<Vec<Alteration<'static>>, Invalid>; 3] =
            [&|| amplitudes(case), &|| decoded(case), &|| identified(case, (totals.beyond(), totals.entries))];
        for alternatives in measured {
            let Some(alteration) = explaining.first(alternatives()?)? else { continue };
            // Coordinates of no pattern that is known may be those of wrong entries: what has a name comes before them.
            let most = explaining.most.take().filter(|_| patternless(alteration.fault) && !self.is_part());
            let both = self.with_rest(most.map(|most| self.partial(most)).transpose()?, stated_path)?;
            return Ok(both.unwrap_or_else(|| self.altered(alteration, self.is_part())));
        }
        if let Some(program) = products::explain(case)? {
            return self.computed(program, stated_path);
        }
        if let Some((fault, cause)) = vectors::explain(case)? {
            let findings = vec![self.finding(fault, cause, Status::Confirmed)];
            return Ok(AxialDiagnosis { findings, ..AxialDiagnosis::default() });
        }
        if let Some(alteration) = explain_rows(case)? {
            return Ok(self.altered(alteration, true));
        }
        let speak = totals.entries.saturating_sub(totals.uninformative);
        let local = self.region.as_ref().filter(|region| stands_alone(region) && 4 * totals.beyond() < speak);
        let finding = if local.is_some() {
            let cause = rest(totals, totals.uninformative, totals.beyond());
            Finding { confined: true, ..self.finding(&LOCAL, cause, Status::Confirmed) }
        } else {
            let rows = Span::of(case.beyond.iter().copied()).unwrap_or(Span::all(0));
            let cause = AxesCause::Unexplained { entries: totals.beyond(), rows, slots: self.slots };
            self.finding(&AXES_UNEXPLAINED, cause, Status::Unexplained)
        };
        Ok(AxialDiagnosis { findings: vec![finding], ..AxialDiagnosis::default() })
    }

    /// True if there are tables outside of the scope: they are right as stated.
    fn is_part(&self) -> bool {
        self.case.scope.slabs.len() < self.case.subject.judged().slabs()
    }

    /// Diagnosis of another law at other coordinates.
    fn of_two(&self, [law, place]: [Alteration<'_>; 2]) -> AxialDiagnosis {
        let (part, convention) = (self.is_part(), law.convention.clone());
        let second = self.finding(place.fault, place.cause, Status::Confirmed);
        let mut diagnosis = self.altered(law, part);
        diagnosis.findings.push(Finding { confined: part, ..second });
        AxialDiagnosis { found: diagnosis.found.map(|_| convention), ..diagnosis }
    }

    /// Diagnosis of an alteration that explains every entry; `part` where entries outside of the region are right as stated.
    fn altered(&self, alteration: Alteration<'_>, part: bool) -> AxialDiagnosis {
        let case = self.case;
        let finding = self.finding(alteration.fault, alteration.cause, Status::Confirmed);
        let findings = vec![Finding { confined: part, ..finding }];
        if part {
            return AxialDiagnosis { grade: Some(Grade::Wrong), findings, found: None, mend: None };
        }
        let moved = alteration.placement.is_moved(case.coordinates);
        let mend = (!moved || case.coordinates.rows() <= MOST_ROWS).then(|| AxialMend {
            coordinates: alteration.placement.all().map(Cow::into_owned).filter(|_| moved),
            ..AxialMend::of(alteration.convention.clone(), case.compute.0.format, None)
        });
        // With other coordinates the convention itself is the stated one.
        let found = if moved { case.law.convention().clone() } else { alteration.convention };
        let grade = match () {
            () if alteration.degraded => Grade::Degraded,
            () if moved => Grade::Wrong,
            () => Grade::OtherConvention,
        };
        AxialDiagnosis { grade: Some(grade), findings, found: Some(found), mend }
    }

    /// The finding that entries are numbers of a narrower format: that of their arrays, or one that they were cast to.
    fn narrow(&self, format: Format) -> Finding {
        let stated = self.case.storage;
        let (fault, cause): (&'static Fault, Cause) = if self.case.subject.format() == format {
            (&STORED_NARROWLY, Cause::Stored { format, stated })
        } else {
            (&LOW_PRECISION_STORAGE, Cause::Narrowed { stored: stated, format })
        };
        self.finding(fault, cause, Status::Confirmed)
    }

    /// Entries of the stated convention that are numbers of a narrower format than the one that they should have.
    fn stored_narrowly(&self) -> Result<Option<AxialDiagnosis>, Invalid> {
        let Self { case, .. } = self;
        for format in narrower(case.storage) {
            if !are_of(case.subject, format)? {
                continue;
            }
            let comparison = AxialComparison::new(case.subject, case.law, case.coordinates, format)?;
            let allowance = AxialAllowance::new(case.law, case.coordinates, case.compute, format);
            let seen = comparison.along(allowance).run()?;
            if seen.are_explained() {
                let findings = vec![self.narrow(format)];
                let found = case.law.convention().clone();
                let mend = Some(AxialMend::of(found.clone(), case.compute.0.format, Some(format)));
                return Ok(Some(AxialDiagnosis { grade: Some(Grade::Degraded), findings, found: Some(found), mend }));
            }
        }
        Ok(None)
    }

    /// A program that explains every entry.
    fn computed(&self, program: AlteredProgram, stated_path: Option<Path>) -> Result<AxialDiagnosis, Invalid> {
        let Self { case, .. } = self;
        let confined = self.is_part() || program.axes.len() < case.law.axes().len();
        let finding = Finding { confined, ..self.finding(program.fault, program.cause, Status::Confirmed) };
        let found = program.narrow.map(|_| case.law.convention().clone());
        let mut mend = None;
        // Of a stated path only that path is bounded.
        if let (Some(format), None) = (program.narrow, stated_path) {
            let allowance = AxialAllowance::new(case.law, case.coordinates, (format, None), case.storage);
            let seen = case.comparison.along(allowance).run()?;
            mend = seen.are_explained().then(|| AxialMend::of(case.law.convention().clone(), format, None));
        }
        let grade = if found.is_some() && !self.is_part() { Grade::Degraded } else { Grade::Wrong };
        Ok(AxialDiagnosis { grade: Some(grade), findings: vec![finding], found, mend })
    }

    /// A program that explains every entry, rounded to the narrower format that all entries are numbers of.
    fn computed_and_stored(&self, stated_path: Option<Path>) -> Result<Option<AxialDiagnosis>, Invalid> {
        let Self { case, totals, slots, .. } = self;
        for format in narrower(case.storage) {
            if !are_of(case.subject, format)? {
                continue;
            }
            let (scope, beyond) = (case.scope.clone(), case.beyond.clone());
            let comparison = &AxialComparison::new(case.subject, case.law, case.coordinates, format)?;
            let narrow = AxialSymptoms { comparison, storage: format, scope, beyond, ..**case };
            let Some(program) = programs::explain(&narrow)? else { continue };
            let (region, strange) = (self.region.clone(), self.strange.clone());
            let stored = Diagnosing { case: &narrow, totals, region, strange, slots: *slots };
            let mut both = stored.computed(program, stated_path)?;
            both.findings.push(self.narrow(format));
            both.mend = both.mend.map(|mend| AxialMend { storage: Some(format), ..mend });
            return Ok(Some(both));
        }
        Ok(None)
    }
}

/// True if entries depart by themselves: in one slot, or in no more than half of the rows or of the tables.
fn stands_alone(region: &Region) -> bool {
    let Region { rows, heads, pairs, of, .. } = region;
    let minor = |count: usize, all: usize| !is_most(count as u64, all as u64);
    minor(rows.count, of.rows)
        || minor(heads.count, of.heads)
        || pairs.is_some_and(|pairs| pairs.count < of.pairs.min(2))
}
