//! Vectors of frequencies, `inv_freq`: judged themselves, against their own bound.
//!
//! The cause of frequencies that are beyond it is asked of the cache that they make: the cosines and sines of their
//! products with positions, computed in binary64. Its diagnosis is that of a cache, and is kept where the frequencies
//! themselves bear it out ([`explain`]).

mod explain;

use super::Invalid;
use super::expectation::Expectation;
use super::faults::{Cause, Explained, Finding, OTHER_PATH};
use super::grid::Grid;
use super::identify::identify;
use super::information::Information;
use super::input::{About, InvalidInput};
use super::paths;
use super::probe;
use super::rates::omega;
use super::recognise::Identification;
use super::report::{ArrayRead, EntryStatistics, Grade, PairPart, Report, WorstEntry};
use super::subject::Subject;
use super::totals::PartStatistics;
use super::ulp::{Ulp, around};
use super::view::narrowest;
use explain::{Explanation, explain};
use posproof_bound::{FrequencyAllowance, Path};
use posproof_encoding::Law;
use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_numerics::format::{Format, hex};
use posproof_numerics::rounding::nearest;
use posproof_table::Positions;
use std::ops::Range;

/// The largest position that frequencies are diagnosed by.
const LAST: u64 = 131_071;

/// Judges frequencies [..., pairs], in radians per position, as another implementation computed them: every row against
/// ω_k, within [`FrequencyAllowance`]. In the report a frequency is the angle at position 1; it has no component.
pub fn check_frequencies(frequencies: &dyn Grid, expectation: &Expectation) -> Result<Report, Invalid> {
    let vector = AllVectors::read(frequencies)?;
    let length = expectation.positions.as_ref().map_or(1, |positions| positions.max() + 1);
    let convention = expectation.convention.clone().for_length(length);
    convention.validate()?;
    if vector.width != convention.pairs() {
        let expected = format!("{} frequencies, one for each pair", convention.pairs());
        let advice = "check --dim, --rotary-dim and which array is meant";
        return Err(About(frequencies.name())
            .error("the last dimension", expected, vector.width.to_string(), advice)
            .into());
    }
    let storage = narrowest(frequencies.format(), expectation.storage);
    let seen = compare(&vector, &convention, expectation, storage)?;
    let mut findings = Vec::new();
    let mut found = seen.grade.conforms().then(|| convention.clone());
    let mut grade = seen.grade;
    if grade == Grade::Wrong {
        let explained = match other_path(&vector, expectation, &convention, storage, &seen)? {
            Some(finding) => {
                let found = Some(convention.clone());
                Explanation { findings: vec![finding], grade: Grade::Degraded, found }
            }
            None => explain(&vector, expectation, &convention, &seen)?,
        };
        Explanation { findings, grade, found } = explained;
    }
    if let Some(stated) = expectation.storage.filter(|stated| storage.precision() < stated.precision()) {
        findings.extend(grade.conforms().then(|| Finding::stored_narrowly(storage, stated)));
        (grade, found) = (grade.max(Grade::Degraded), found.filter(|_| !findings.is_empty()));
    }
    Ok(Report {
        schema: super::document::SCHEMA,
        subject: "frequencies",
        grade,
        conforms: grade.conforms(),
        expected: convention,
        found,
        entries: vector.entries.len() as u64,
        worst: seen.worst,
        findings,
        compute: expectation.compute,
        libraries: expectation.libraries,
        path: expectation.path,
        storage,
        inputs: ArrayRead::of(frequencies, expectation.storage).map(|read| vec![read])?,
        columns: None,
        rotation: true,
        undetermined: Vec::new(),
        alike: Vec::new(),
        information: Information::default(),
        statistics: seen.statistics,
        mend: None,
        pairs: seen.pairs,
        decades: Vec::new(),
    })
}

/// Says which convention frequencies [..., pairs] follow, as [`identify`] does of the cache that the first of them make.
/// What no frequency tells, the arrangement and the amplitude of entries, is not in the answer.
pub fn identify_frequencies(frequencies: &dyn Grid) -> Result<Identification, Invalid> {
    let vector = AllVectors::read(frequencies)?;
    let positions = probe::positions(LAST)?;
    let [cos, sin] = vector.cache(0, &positions, &Convention::rope(2));
    let found = identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, Some(&positions))?;
    Ok(Identification { subject: "frequencies", amplitude: None, storage: frequencies.format(), ..found })
}

/// All vectors of an array.
struct AllVectors<'a> {
    name: &'a str,
    entries: Vec<f64>,
    width: usize,
}

/// Frequencies that are read: more than any model has layers and pairs.
const MAX_ENTRIES: usize = 1 << 24;

impl<'a> AllVectors<'a> {
    fn read(grid: &'a dyn Grid) -> Result<Self, InvalidInput> {
        let (slabs, rows, width) = (grid.slabs(), grid.rows(), grid.width());
        let count = slabs.checked_mul(rows).and_then(|vectors| vectors.checked_mul(width));
        if count.is_none_or(|count| count == 0 || count > MAX_ENTRIES) {
            let expected = format!("1 to {MAX_ENTRIES} frequencies");
            let found = format!("{slabs} tables of {rows} rows with {width} entries");
            return Err(About(grid.name()).error("the shape", expected, found, "give a vector of dim/2 frequencies"));
        }
        let (mut entries, mut part) = (Vec::new(), Vec::new());
        for slab in 0..slabs {
            grid.read(slab, 0..rows, &mut part)?;
            entries.extend_from_slice(&part);
        }
        Ok(Self { name: grid.name(), entries, width })
    }

    /// Number of vectors.
    fn count(&self) -> usize {
        self.entries.len() / self.width
    }

    /// One of them.
    fn of(&self, vector: usize) -> &[f64] {
        &self.entries[vector * self.width..][..self.width]
    }

    /// The cache that one vector makes with the gain and the effective positions of a convention.
    fn cache<'b>(
        &'b self,
        vector: usize,
        positions: &'b Positions,
        convention: &Convention,
    ) -> [ComputedColumns<'b>; 2] {
        let frequencies = self.of(vector);
        let (law, gain) = (Law::new(convention), convention.gain().enclose(64).approximate());
        [(f64::cos as fn(f64) -> f64, gain), (f64::sin, law.sense() * gain)].map(|(wave, factor)| ComputedColumns {
            name: self.name,
            frequencies,
            positions,
            law: law.clone(),
            wave,
            factor,
        })
    }
}

/// The cosines or sines that frequencies make.
struct ComputedColumns<'a> {
    name: &'a str,
    frequencies: &'a [f64],
    positions: &'a Positions,
    law: Law,
    wave: fn(f64) -> f64,
    factor: f64,
}

impl Grid for ComputedColumns<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn format(&self) -> Format {
        Format::F64
    }
    fn slabs(&self) -> usize {
        1
    }
    fn rows(&self) -> usize {
        self.positions.len()
    }
    fn width(&self) -> usize {
        self.frequencies.len()
    }
    fn read(&self, _: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        out.clear();
        for row in rows {
            let position = self.law.effective(self.positions.get(row).unwrap_or_default() as f64);
            out.extend(self.frequencies.iter().map(|frequency| self.factor * (self.wave)(position * frequency)));
        }
        Ok(())
    }
}

/// Outcome of the comparison of all frequencies.
struct FrequencyTotals {
    grade: Grade,
    worst: Option<WorstEntry>,
    /// The vectors and the pairs of the frequencies beyond their bounds.
    beyond: Vec<(usize, usize)>,
    /// The stated frequencies.
    omega: Vec<f64>,
    statistics: EntryStatistics,
    pairs: Vec<PairPart>,
    storage: Format,
}

/// Digits of an enclosure that is shown.
const DIGITS: usize = 20;

fn compare(
    vectors: &AllVectors<'_>,
    convention: &Convention,
    expectation: &Expectation,
    storage: Format,
) -> Result<FrequencyTotals, Invalid> {
    let entries = Entries::new(convention);
    let omega = omega(convention).unwrap_or_default();
    let allowance = FrequencyAllowance::new(convention, &omega, (expectation.computes(), expectation.path), storage);
    let (mut correct, mut faithful, mut not_finite) = (0u64, true, 0u64);
    let mut negative_zeros = 0u64;
    let (mut max_ulps, mut sum_ulps, mut beyond) = (0f64, 0f64, Vec::new());
    let mut worst: Option<(f64, WorstEntry)> = None;
    let mut pairs = vec![PartStatistics::default(); vectors.width];
    for (number, vector) in vectors.entries.chunks_exact(vectors.width).enumerate() {
        for (pair, &got) in vector.iter().enumerate() {
            let exact = entries.frequency(pair, 128).unwrap_or_else(posproof_numerics::Interval::undefined);
            let right = if exact.is_zero() {
                Some(0.0)
            } else {
                nearest(storage, |bits| entries.frequency(pair, bits))
                    .or_else(|| exact.is_point().then(|| exact.lower_f64()))
            };
            let bound = allowance.of(pair);
            let error = (got - omega[pair]).abs();
            let exceeds = error.is_nan() || error > bound;
            let (below, _) = around(storage, exact.lower_f64());
            let (_, above) = around(storage, exact.upper_f64());
            // Zero has a sign: a frequency of −0 is not the rounding of 0.
            correct += u64::from(right.is_some_and(|right| right.to_bits() == got.to_bits()));
            faithful &= got == below || got == above;
            negative_zeros += super::ulp::negative_zeros(storage, &[got], &[omega[pair]]);
            not_finite += u64::from(!got.is_finite());
            if exceeds {
                beyond.push((number, pair));
            }
            let ulps = error / Ulp::new(storage).of(omega[pair]);
            if ulps.is_finite() {
                (max_ulps, sum_ulps) = (max_ulps.max(ulps), sum_ulps + ulps);
            }
            let ratio = if error.is_nan() { f64::INFINITY } else { error / bound };
            let finite = |x: f64| if x.is_nan() { 0.0 } else { x };
            pairs[pair].merge(&PartStatistics {
                entries: 1,
                max_error: finite(error),
                max_ratio: finite(error / bound),
                exceeding: u64::from(exceeds),
            });
            if worst.as_ref().is_none_or(|(before, _)| ratio > *before) {
                let (lower, upper) = exact.decimal_with(DIGITS);
                let origin = allowance.origin();
                let entry = WorstEntry {
                    row: 0,
                    coordinates: Some(vec!["1".to_owned()]),
                    pair: Some(pair),
                    axes: vec![POSITION.to_owned()],
                    component: None,
                    slab: number,
                    got: hex(got),
                    value: got,
                    lower,
                    upper,
                    error,
                    ulps: Some(ulps),
                    bound,
                    origin,
                };
                worst = Some((ratio, entry));
            }
        }
    }
    let count = vectors.entries.len() as u64;
    let grade = match () {
        () if correct == count => Grade::CorrectlyRounded,
        () if faithful => Grade::Faithful,
        () if beyond.is_empty() => Grade::WithinBound,
        () => Grade::Wrong,
    };
    Ok(FrequencyTotals {
        grade,
        worst: worst.map(|(_, entry)| entry),
        statistics: EntryStatistics {
            correctly_rounded: Some(correct),
            exceeding: beyond.len() as u64,
            not_finite,
            overflow: None,
            negative_zeros,
            max_ulps,
            mean_ulps: sum_ulps / (count - not_finite).max(1) as f64,
        },
        pairs: pairs.into_iter().enumerate().map(|(pair, part)| PairPart::of_one_axis(pair, part)).collect(),
        storage,
        beyond,
        omega,
    })
}

/// The narrowest path other than the stated one whose bound every frequency respects, as a finding.
fn other_path(
    vectors: &AllVectors<'_>,
    expectation: &Expectation,
    convention: &Convention,
    storage: Format,
    seen: &FrequencyTotals,
) -> Result<Option<Finding>, Invalid> {
    let Some(stated) = expectation.path else { return Ok(None) };
    let omega = omega(convention).unwrap_or_default();
    for found in paths::others(stated, expectation.compute).filter(|path| *path != Path::Recurrence) {
        let other = Expectation { path: Some(found), ..expectation.clone() };
        if compare(vectors, convention, &other, storage)?.grade == Grade::Wrong {
            continue;
        }
        let unit = expectation.compute.unit_roundoff().max(storage.unit_roundoff());
        let follows = |vector: &[f64]| paths::follow_a_path(convention, (&omega, vector), unit, &expectation.libraries);
        let narrow = !matches!(found, Path::Exp | Path::Repeated);
        if !(narrow || vectors.entries.chunks_exact(vectors.width).all(follows)) {
            return Ok(None);
        }
        let cause = Cause::Path { stated, found, compute: expectation.compute };
        let beyond = seen.beyond.len() as u64;
        let explains = Explained { entries: beyond, of: beyond };
        return Ok(Some(Finding { explains, ..Finding::new(&OTHER_PATH, cause) }));
    }
    Ok(None)
}
