//! Which alteration explains every entry.

use super::alterations::{Alteration, Alterations};
use super::cells::cells;
use super::comparison::{AxialComparison, AxialScope, Row};
use crate::Invalid;
use crate::compared::ComparedRows;
use crate::subject::Subject;
use posproof_bound::{AxialAllowance, Compute, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use std::collections::BTreeSet;
use std::ops::Range;

/// Symptoms to be explained, and the bounds that they are judged by.
pub(super) struct AxialSymptoms<'a> {
    pub subject: Subject<'a>,
    pub law: &'a AxialLaw,
    pub coordinates: &'a Coordinates,
    pub storage: Format,
    pub compute: (Compute, Option<Path>),
    /// Number of entries beyond their bounds, those that are not finite included.
    pub exceeding: u64,
    /// Rows with a finite entry beyond its bound, in increasing order.
    pub beyond: Vec<usize>,
    /// The slot of these entries, where it is one.
    pub slot: Option<usize>,
    /// Scope of the symptoms: the tables with a finite entry beyond its bound, in all of their rows. Other tables are right as stated.
    pub scope: AxialScope,
}

impl AxialSymptoms<'_> {
    /// The first of the tables that are explained.
    pub fn slab(&self) -> usize {
        self.scope.slabs.first().copied().unwrap_or(0)
    }

    /// The head of the first table.
    pub fn head(&self) -> usize {
        self.slab() % self.law.heads()
    }

    /// The same with the stretch of rows that depart, where that is not all of them; rows outside are right as stated.
    fn within_rows(&self) -> Option<Self> {
        let (first, last) = (*self.beyond.first()?, *self.beyond.last()?);
        let part = last - first + 1 < self.coordinates.rows() && last > first;
        part.then(|| Self {
            scope: AxialScope { rows: first..last + 1, slabs: self.scope.slabs.clone() },
            beyond: self.beyond.clone(),
            ..*self
        })
    }
}

/// Rows that an alteration is tried on before it is asked about all.
const SAMPLE: usize = 12;

/// A share of the gain: where the bound of an entry is no less, the entry does not speak for an alteration.
const VACUOUS: f64 = 0.25;

/// The bound of a sample's entry is widened by this, for its reference is computed in binary64: angles are within 2^−50 of themselves, from
/// four rounded factors, and an angle that matters here is below 2^30.
const SLACK: f64 = 1.0 / (1u64 << 20) as f64;

/// The first alteration, of those in the order of the simplest, under which every entry is within its bound, and those beyond the stated
/// one's speak for it.
pub(super) fn explain(case: &AxialSymptoms<'_>) -> Result<Option<Alteration>, Invalid> {
    let sample = Sampled::read(case)?;
    for alteration in Alterations::of(case.law, case.coordinates, (&case.beyond, case.compute.0.format)) {
        if speaks(case, &sample, &alteration)? {
            return Ok(Some(alteration));
        }
    }
    Ok(None)
}

/// The first alteration of the convention under which the stretch of rows that depart is within its bounds, and where that is not all rows.
pub(super) fn explain_rows(case: &AxialSymptoms<'_>) -> Result<Option<Alteration>, Invalid> {
    let Some(case) = case.within_rows() else { return Ok(None) };
    let sample = Sampled::read(&case)?;
    for alteration in Alterations::of(case.law, case.coordinates, (&case.beyond, case.compute.0.format)) {
        // Rows at other coordinates are decoded: of a few rows many exchanges would be true.
        if alteration.coordinates == *case.coordinates && speaks(&case, &sample, &alteration)? {
            return Ok(Some(alteration));
        }
    }
    Ok(None)
}

/// The first of some alterations that explains every entry.
pub(super) fn first_that_speaks(
    case: &AxialSymptoms<'_>,
    alterations: Vec<Alteration>,
) -> Result<Option<Alteration>, Invalid> {
    let sample = Sampled::read(case)?;
    for alteration in alterations {
        if speaks(case, &sample, &alteration)? {
            return Ok(Some(alteration));
        }
    }
    Ok(None)
}

/// True if an alteration explains every entry.
fn speaks(case: &AxialSymptoms<'_>, sample: &Sampled, alteration: &Alteration) -> Result<bool, Invalid> {
    let Ok(law) = case.law.altered(&alteration.convention) else { return Ok(false) };
    Ok(law.slots() == case.law.slots()
        && sample.agrees(case, &law, &alteration.coordinates)?
        && confirmed(case, &law, &alteration.coordinates)?)
}

/// True if every finite entry of the scope is within its bound under another convention and other coordinates.
fn confirmed(case: &AxialSymptoms<'_>, law: &AxialLaw, coordinates: &Coordinates) -> Result<bool, Invalid> {
    let Ok(comparison) = AxialComparison::new(case.subject, law, coordinates, case.storage) else { return Ok(false) };
    let allowance = AxialAllowance::new(law, coordinates, case.compute, case.storage);
    let AxialScope { slabs, rows } = &case.scope;
    Ok(comparison.along(allowance).run_in(slabs, rows.clone())?.beyond() == 0)
}

/// Some rows of a subject, in memory.
struct Sampled {
    rows: Vec<usize>,
    /// Of each grid, row after row.
    got: Vec<Vec<Vec<f64>>>,
    x: Vec<Vec<f64>>,
}

impl Sampled {
    /// Rows beyond their bounds, equally far apart, and the first and the last row.
    fn read(case: &AxialSymptoms<'_>) -> Result<Self, Invalid> {
        let (Range { start, end }, slab) = (case.scope.rows.clone(), case.slab());
        let picked = |i: usize| case.beyond.get(i * case.beyond.len() / SAMPLE).copied();
        let rows: BTreeSet<usize> =
            (0..SAMPLE).filter_map(picked).chain([start, start + (end - start) / 2, end - 1]).collect();
        let rows: Vec<usize> = rows.into_iter().collect();
        let read = |grid: &dyn crate::Grid| {
            let one = |&row: &usize| {
                let mut out = Vec::new();
                grid.read(slab, row..row + 1, &mut out)?;
                Ok::<_, Invalid>(out)
            };
            rows.iter().map(one).collect::<Result<Vec<_>, _>>()
        };
        let got = case.subject.grids().into_iter().map(|(_, grid)| read(grid)).collect::<Result<_, _>>()?;
        let x = if let Subject::Rotation { x, .. } = case.subject { read(x)? } else { Vec::new() };
        Ok(Self { rows, got, x })
    }

    /// True if no finite entry of these rows is beyond its bound by what binary64 can tell, and one of them has a bound that says something.
    fn agrees(&self, case: &AxialSymptoms<'_>, law: &AxialLaw, coordinates: &Coordinates) -> Result<bool, Invalid> {
        let picked: Vec<Option<usize>> = self.rows.iter().copied().map(Some).collect();
        let coordinates = coordinates.with_rows(&picked);
        let allowance = AxialAllowance::new(law, &coordinates, case.compute, case.storage);
        let Ok((cells, _)) = cells(case.subject, law) else { return Ok(false) };
        let slots = law.slots();
        let mut row = Row { cos: vec![0.0; slots], sin: vec![0.0; slots], computed: vec![0.0; slots] };
        let mut speaks = false;
        for i in 0..self.rows.len() {
            predicted((law, case.slab() % law.heads()), coordinates.row(i), &mut row);
            allowance.computed(case.slab(), |axis| coordinates.place(i, axis), &mut row.computed);
            let x = self.x.get(i).map_or(&[][..], Vec::as_slice);
            for (cells, got) in cells.iter().zip(&self.got) {
                for (&cell, &got) in cells.iter().zip(&got[i]).filter(|(_, got)| got.is_finite()) {
                    let (exact, bound) = row.predict(&allowance, cell, x);
                    let gain = cell.slot().map_or(1.0, |slot| allowance.gain(slot));
                    if (got - exact).abs().is_nan() || (got - exact).abs() > bound + SLACK * gain.max(exact.abs()) {
                        return Ok(false);
                    }
                    speaks |= cell.slot().is_some_and(|slot| row.computed[slot] < VACUOUS * gain);
                }
            }
        }
        Ok(speaks)
    }
}

/// The cosines and the sines of a row in binary64.
fn predicted((law, head): (&AxialLaw, usize), coordinates: Option<Vec<Rational>>, row: &mut Row) {
    let slots = law.slots();
    for slot in 0..slots {
        let Some(coordinates) = &coordinates else {
            let rope = law.convention().encoding == posproof_encoding::convention::Encoding::Rope;
            (row.cos[slot], row.sin[slot]) = (if rope { 1.0 } else { 0.0 }, 0.0);
            continue;
        };
        let angle = law.angle(head, slot, coordinates, 64).map_or(f64::NAN, |angle| angle.approximate());
        let gain = law.gain(slot).enclose(64).approximate();
        (row.cos[slot], row.sin[slot]) = (gain * core_math::cos(angle), gain * core_math::sin(angle));
    }
}
