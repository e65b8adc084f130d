//! Which alteration explains every entry, or most of them.

use super::alterations::{Alteration, Alterations};
use super::cells::{Cell, cells};
use super::comparison::Row;
use super::programs::effective;
use super::symptoms::{AxialSymptoms, OUTLYING};
use crate::Invalid;
use crate::compare::VACUOUS;
use crate::row::pair_length;
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxialLaw, AxisLaw, Claim, Coordinates};
use posproof_encoding::convention::Encoding;
use std::collections::BTreeSet;
use std::ops::Range;

/// Rows that an alteration is tried on before it is asked about all: so many of those beyond their bounds, and so many of all.
const SAMPLE: usize = 12;

/// A share of the gain: entries that depart further in most rows do not follow a pair of alterations, of which there are thousands.
const NEAR: f64 = 1.0 / 64.0;

/// The bound of a sample's entry is widened by this, for its reference is computed in binary64: angles are within 2^−50 of themselves, from
/// four rounded factors, and an angle that matters here is below 2^30.
const SLACK: f64 = 1.0 / (1u64 << 20) as f64;

/// An alteration that explains most entries, and how many it leaves beyond their bounds.
pub(super) struct Partial<'a> {
    pub alteration: Alteration<'a>,
    pub left: u64,
}

/// Alterations that are asked about the entries of a case, one after the other.
pub(super) struct Explaining<'a> {
    pub(super) case: &'a AxialSymptoms<'a>,
    pub(super) sample: Sampled,
    /// One that leaves few entries, where none leaves none.
    pub most: Option<Partial<'a>>,
}

impl<'a> Explaining<'a> {
    pub fn new(case: &'a AxialSymptoms<'a>) -> Result<Self, Invalid> {
        Ok(Self { case, sample: Sampled::read(case)?, most: None })
    }

    /// Every alteration of the stated convention and coordinates, the simplest first.
    pub fn all(&self) -> impl Iterator<Item = Alteration<'a>> + use<'a> {
        let case = self.case;
        Alterations::of(case.law, case.coordinates, (&case.beyond, case.compute.0.format))
    }

    /// The first alteration under which every entry is within its bound, and those beyond the stated one's speak for it. Of others the first
    /// that leaves the fewest entries is kept, where those asked before left more than few.
    pub fn first(
        &mut self,
        alterations: impl IntoIterator<Item = Alteration<'a>>,
    ) -> Result<Option<Alteration<'a>>, Invalid> {
        let mut most: Option<Partial<'_>> = None;
        let mut every = None;
        for alteration in alterations {
            match self.left(&alteration)? {
                Some(0) => {
                    every = Some(alteration);
                    break;
                }
                Some(left) if most.as_ref().is_none_or(|most| left < most.left) => {
                    most = Some(Partial { alteration, left });
                }
                _ => {}
            }
        }
        self.most = self.most.take().or(most);
        Ok(every)
    }

    /// Entries that an alteration leaves beyond their bounds; none where few rows speak for it, and where these are not few.
    pub fn left(&self, alteration: &Alteration<'_>) -> Result<Option<u64>, Invalid> {
        let Self { case, sample, .. } = self;
        let Ok(law) = case.law.altered(&alteration.convention) else { return Ok(None) };
        let Some(sampled) = alteration.placement.of(&sample.rows) else { return Ok(None) };
        if law.slots() != case.law.slots() || !sample.speaks(case, &law, &sampled)? {
            return Ok(None);
        }
        let Some(coordinates) = alteration.placement.all() else { return Ok(None) };
        case.left_under((&law, &coordinates), case.compute, case.storage)
    }
}

/// The first alteration of the convention under which the stretch of rows that depart is within its bounds, and where that is not all rows.
pub(super) fn explain_rows(case: &AxialSymptoms<'_>) -> Result<Option<Alteration<'static>>, Invalid> {
    let Some(case) = case.within_rows() else { return Ok(None) };
    let mut explaining = Explaining::new(&case)?;
    // Rows at other coordinates are decoded: of a few rows many exchanges would be true.
    let stays = |alteration: &Alteration<'_>| !alteration.placement.is_moved(case.coordinates);
    let found = explaining.first(explaining.all().filter(stays))?;
    let of_law =
        |found: Alteration<'_>| Alteration::of_law(found.fault, found.cause, found.convention, case.coordinates);
    Ok(found.map(of_law))
}

/// Some rows of a subject, in memory.
pub(super) struct Sampled {
    pub rows: Vec<usize>,
    /// Of each grid, row after row.
    got: Vec<Vec<Vec<f64>>>,
    x: Vec<Vec<f64>>,
}

impl Sampled {
    /// Rows beyond their bounds, and rows of all, equally far apart.
    fn read(case: &AxialSymptoms<'_>) -> Result<Self, Invalid> {
        let (Range { start, end }, slab) = (case.scope.rows.clone(), case.slab());
        let picked = |i: usize| case.beyond.get(i * case.beyond.len() / SAMPLE).copied();
        let spread = (0..SAMPLE).map(|i| start + i * (end - start - 1) / (SAMPLE - 1));
        let rows: BTreeSet<usize> = (0..SAMPLE).filter_map(picked).chain(spread).collect();
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

    /// True if no finite entry of most rows is beyond its bound by what binary64 can tell, no more than a hypothesis may leave of all, and one
    /// of them has a bound that says something.
    pub fn speaks(&self, case: &AxialSymptoms<'_>, law: &AxialLaw, coordinates: &Coordinates) -> Result<bool, Invalid> {
        let allowance = AxialAllowance::new(law, coordinates, case.compute, case.storage);
        let Ok((cells, _)) = cells(case.subject, law) else { return Ok(false) };
        let slots = law.slots();
        let mut row = Row { cos: vec![0.0; slots], sin: vec![0.0; slots], computed: vec![0.0; slots] };
        let predicted = PredictedLaw::new(law, case.slab() % law.heads());
        let predicted = predicted.at(coordinates);
        let (mut speaks, mut against, mut left) = (false, 0, 0);
        for i in 0..self.rows.len() {
            predicted.read(i, &mut row);
            allowance.computed(case.slab(), |axis| coordinates.place(i, axis), &mut row.computed);
            let x = self.x.get(i).map_or(&[][..], Vec::as_slice);
            let all = || {
                cells.iter().zip(&self.got).flat_map(|(cells, got)| cells.iter().copied().zip(got[i].iter().copied()))
            };
            let departs = |(cell, got): (Cell, f64)| {
                let (exact, bound) = row.predict(&allowance, cell, x);
                let gain = cell.slot().map_or(1.0, |slot| allowance.gain(slot));
                (got - exact).abs().is_nan() || (got - exact).abs() > bound + SLACK * gain.max(exact.abs())
            };
            let informs = |(cell, _): (Cell, f64)| {
                cell.slot().is_some_and(|slot| row.computed[slot] < VACUOUS * allowance.gain(slot))
            };
            let finite = || all().filter(|(_, got)| got.is_finite());
            let depart = finite().filter(|of| departs(*of)).count() as u64;
            (left, against) = (left + depart, against + usize::from(depart > 0));
            speaks |= finite().any(informs);
            if left > case.few() || against > self.rows.len().div_ceil(OUTLYING) {
                return Ok(false);
            }
        }
        Ok(speaks)
    }

    /// True if most rows are nearly as predicted.
    pub fn is_near(&self, cells: &[Vec<Cell>], predicted: &PredictedRows<'_>) -> bool {
        let slots = predicted.of.law.slots();
        let mut row = Row { cos: vec![0.0; slots], sin: vec![0.0; slots], computed: vec![0.0; slots] };
        let mut against = 0;
        for i in 0..self.rows.len() {
            predicted.read(i, &mut row);
            let x = self.x.get(i).map_or(&[][..], Vec::as_slice);
            let departs =
                |(&cell, got): (&Cell, &f64)| (got - row.exact(cell, x)).abs() > NEAR * predicted.of.gain(cell, x);
            let all = || cells.iter().zip(&self.got).flat_map(|(cells, got)| cells.iter().zip(&got[i]));
            against += usize::from(all().filter(|(_, got)| got.is_finite()).any(departs));
            if against > self.rows.len().div_ceil(OUTLYING) {
                return false;
            }
        }
        true
    }
}

/// Numbers that the rows of a head are computed from, in binary64.
pub(super) struct PredictedLaw<'a> {
    law: &'a AxialLaw,
    /// The frequencies, axis by axis.
    omegas: Vec<Vec<f64>>,
    gains: Vec<f64>,
}

impl<'a> PredictedLaw<'a> {
    pub fn new(law: &'a AxialLaw, head: usize) -> Self {
        let omega = |axis: &AxisLaw, at| axis.frequency(head, at, 64).map_or(f64::NAN, |omega| omega.approximate());
        let of = |axis: &AxisLaw| (0..axis.slots().len()).map(|at| omega(axis, at)).collect();
        Self {
            law,
            omegas: law.axes().iter().map(of).collect(),
            gains: (0..law.slots()).map(|slot| law.gain(slot).enclose(64).approximate()).collect(),
        }
    }

    /// Rows at these coordinates.
    pub fn at(&'a self, coordinates: &'a Coordinates) -> PredictedRows<'a> {
        let of = |(number, axis)| effective(axis, coordinates.distinct(number));
        PredictedRows { of: self, coordinates, effective: self.law.axes().iter().enumerate().map(of).collect() }
    }

    /// The largest magnitude that an entry may have.
    fn gain(&self, cell: Cell, x: &[f64]) -> f64 {
        let length = match cell {
            Cell::Turned { read: (a, b), .. } => pair_length(x[a], x[b]),
            Cell::Kept(at) => x.get(at).map_or(0.0, |x| x.abs()),
            Cell::Part(..) => 1.0,
        };
        length * cell.slot().map_or(1.0, |slot| self.gains[slot].abs())
    }
}

/// Rows as they should be, in binary64.
pub(super) struct PredictedRows<'a> {
    of: &'a PredictedLaw<'a>,
    coordinates: &'a Coordinates,
    /// ±(x + o)·s of each distinct coordinate, axis by axis.
    effective: Vec<Vec<f64>>,
}

impl PredictedRows<'_> {
    /// The cosines and the sines of a row.
    fn read(&self, number: usize, row: &mut Row) {
        let PredictedLaw { law, omegas, gains } = self.of;
        let placed = self.coordinates.place(number, 0).is_some();
        for (slot, gain) in gains.iter().enumerate() {
            if !placed {
                let rope = law.convention().encoding == Encoding::Rope;
                (row.cos[slot], row.sin[slot]) = (if rope { 1.0 } else { 0.0 }, 0.0);
                continue;
            }
            let part = |&Claim { axis, at }: &Claim| {
                let place = self.coordinates.place(number, axis);
                place.map_or(f64::NAN, |place| omegas[axis][at] * self.effective[axis][place])
            };
            let angle: f64 = law.claims(slot).iter().map(part).sum();
            (row.cos[slot], row.sin[slot]) = (gain * core_math::cos(angle), gain * core_math::sin(angle));
        }
    }
}
