//! Programs that compute the stated convention with one stage altered: results rounded to a narrow format, arrays exchanged, a frequency
//! of its own.
//!
//! Such a program predicts every entry from what it has rounded. A wider bound predicts nothing: low precision is found where the rounded
//! coordinates, frequencies or angles are those of the entries.

use super::cells::{Cell, cells};
use super::comparison::Row;
use super::slot_angles::{SlotAngles, wrap};
use super::symptoms::AxialSymptoms;
use crate::Invalid;
use crate::faults::*;
use crate::row::pair_length;
use crate::subject::Subject;
use posproof_bound::AxialAllowance;
use posproof_encoding::axes::{AxisLaw, Coordinates};
use posproof_encoding::convention::{Direction, Encoding, Order};
use posproof_numerics::Interval;
use posproof_numerics::format::Format;
use rayon::prelude::*;

/// A program, and the fault that it has.
pub(super) struct AlteredProgram {
    pub fault: &'static Fault,
    pub cause: Cause,
    /// The axes that it concerns.
    pub axes: Vec<usize>,
    /// The narrow format of a convention that is the stated one.
    pub narrow: Option<Format>,
    stages: AlteredStages,
}

/// Stages that are altered.
#[derive(Clone, Copy)]
enum AlteredStages {
    /// Results on the way to an angle are rounded.
    Rounded { format: Format, position: bool, frequency: bool, angle: bool },
    /// Cosines stand where sines should, and sines where cosines should.
    Exchanged,
    /// A slot has another frequency: so many times its own.
    Frequency { slot: usize, times: f64 },
    /// The products of a rotation have factors: of the first result and of the second, of the cosine and of the sine. The cosines and the
    /// sines of a cache have those of the first.
    Products([[f64; 2]; 2]),
}

/// Factors of the products of a rotation as it should be.
pub(super) const PRODUCTS: [[f64; 2]; 2] = [[1.0; 2]; 2];

impl AlteredProgram {
    /// Entries that are 0.
    pub fn of_zeros(fault: &'static Fault, axes: Vec<usize>) -> Self {
        Self { fault, cause: Cause::Zero, axes, narrow: None, stages: AlteredStages::Products([[0.0; 2]; 2]) }
    }

    /// The convention with other factors of the products of some axes.
    pub fn of_products(cause: Cause, axes: Vec<usize>, factors: [[f64; 2]; 2]) -> Self {
        Self { fault: &SCALED_PART, cause, axes, narrow: None, stages: AlteredStages::Products(factors) }
    }
}

/// Digits of the numbers that a program starts from.
const DIGITS: u32 = 72;

/// Rows that are compared before all are.
const SAMPLE: usize = 32;

/// Rows that a thread compares at a time.
const BLOCK: usize = 256;

/// Roundings of binary64 in a predicted angle, and in the cosine and the sine of it.
const ROUNDINGS: f64 = 8.0;

/// The first program that explains every entry in the scope.
pub(super) fn explain(case: &AxialSymptoms<'_>) -> Result<Option<AlteredProgram>, Invalid> {
    let compared = ComparedPrograms::new(case)?;
    for program in all(case)? {
        if compared.explains(&program)? {
            return Ok(Some(program));
        }
    }
    Ok(None)
}

/// Programs that are tried: those that alter all axes before those that alter one.
fn all(case: &AxialSymptoms<'_>) -> Result<Vec<AlteredProgram>, Invalid> {
    let axes: Vec<usize> = (0..case.law.axes().len()).collect();
    let mut all = Vec::new();
    if matches!(case.subject, Subject::Rope { cos: Some(_), sin: Some(_) }) {
        let cause = Cause::Order { expected: Order::SinCos, found: Order::CosSin };
        let (axes, stages) = (axes.clone(), AlteredStages::Exchanged);
        all.push(AlteredProgram { fault: &EXCHANGED_ARRAYS, cause, axes, narrow: None, stages });
    }
    let each = axes.iter().filter(|_| axes.len() > 1).map(|&axis| vec![axis]);
    for axes in std::iter::once(axes.clone()).chain(each) {
        all.extend(rounded(case, &axes));
    }
    all.extend(frequency(case)?);
    Ok(all)
}

/// Coordinates, frequencies and angles of some axes in narrower formats than stated, the wider first.
fn rounded(case: &AxialSymptoms<'_>, axes: &[usize]) -> Vec<AlteredProgram> {
    // A rounded angle hides what was rounded before it.
    let ways: [(&'static Fault, &'static str, [bool; 3]); 7] = [
        (&LOW_PRECISION_FREQUENCIES, "frequencies", [false, true, false]),
        (&LOW_PRECISION_FREQUENCIES, "coordinates and frequencies", [true, true, false]),
        (&LOW_PRECISION_POSITIONS, "coordinates", [true, false, false]),
        (&LOW_PRECISION_ANGLES, "angles", [false, false, true]),
        (&LOW_PRECISION_ANGLES, "coordinates, frequencies and angles", [true, true, true]),
        (&LOW_PRECISION_ANGLES, "coordinates and angles", [true, false, true]),
        (&LOW_PRECISION_ANGLES, "frequencies and angles", [false, true, true]),
    ];
    let stated = case.compute.0.format;
    let narrower = |format: &Format| format.precision() < stated.precision();
    let names = || axes.iter().map(|&axis| case.law.axes()[axis].name().to_owned()).collect();
    let of = |format: Format| {
        ways.into_iter().map(move |(fault, what, [position, frequency, angle])| AlteredProgram {
            fault,
            cause: AxesCause::Rounded { what, axes: names(), format, stated }.into(),
            axes: axes.to_vec(),
            narrow: Some(format),
            stages: AlteredStages::Rounded { format, position, frequency, angle },
        })
    };
    [Format::F32, Format::F16, Format::Bf16].into_iter().filter(narrower).flat_map(of).collect()
}

/// The frequency of the only slot that departs, measured.
fn frequency(case: &AxialSymptoms<'_>) -> Result<Option<AlteredProgram>, Invalid> {
    let (Some(slot), false) = (case.slot, case.subject.is_half()) else { return Ok(None) };
    let [claim] = case.law.claims(slot) else { return Ok(None) };
    let (axis, head) = (&case.law.axes()[claim.axis], case.head());
    let Some(omega) = axis.frequency(head, claim.at, DIGITS).map(|omega| omega.approximate()) else { return Ok(None) };
    let effective = effective(axis, case.coordinates.distinct(claim.axis));
    let reading = SlotAngles::new(case)?;
    let mut offsets = Vec::new();
    for row in case.scope.rows.clone() {
        let Some(&t) = case.coordinates.place(row, claim.axis).and_then(|at| effective.get(at)) else { continue };
        if t != 0.0 && offsets.len() < MOST_MEASURED {
            let Some(angles) = reading.angles(row)? else { return Ok(None) };
            offsets.push((t, wrap(angles[slot] - t * omega)));
        }
    }
    let noise = 4.0 * (case.storage.unit_roundoff() + case.compute.0.format.unit_roundoff());
    let Some(found) = measured(offsets, noise).map(|deviation| omega + deviation) else { return Ok(None) };
    let scale = axis.scale().enclose(DIGITS).approximate();
    let cause = Cause::PairFrequency { pair: slot, expected: omega * scale, found: found * scale };
    let stages = AlteredStages::Frequency { slot, times: found / omega };
    Ok(Some(AlteredProgram { fault: &LOCAL, cause, axes: vec![claim.axis], narrow: None, stages }))
}

/// Rows that a frequency is measured in.
const MOST_MEASURED: usize = 1 << 12;

/// Difference of a frequency from the stated one, of the angles' differences at some coordinates: the nearest row says it first, each further
/// row more precisely, and all of them by least squares.
fn measured(mut offsets: Vec<(f64, f64)>, noise: f64) -> Option<f64> {
    offsets.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let &(t, off) = offsets.first()?;
    let (mut value, mut error) = (off / t, noise / t.abs());
    for (t, off) in &offsets {
        if t.abs() * error > 1.0 {
            break;
        }
        value += wrap(off - value * t) / t;
        error = error.min(noise / t.abs());
    }
    let (sum, weight) =
        offsets.iter().fold((0.0, 0.0), |(sum, weight), (t, off)| (sum + t * wrap(off - value * t), weight + t * t));
    (weight > 0.0).then(|| value + sum / weight)
}

/// ±(x + offset)·scale of each distinct coordinate.
pub(super) fn effective(axis: &AxisLaw, distinct: &[posproof_numerics::Rational]) -> Vec<f64> {
    let (offset, scale) = (axis.offset().enclose(DIGITS), axis.scale().enclose(DIGITS));
    let sense = if axis.direction() == Direction::Clockwise { -1.0 } else { 1.0 };
    if axis.offset().is_zero() && axis.scale().is(1) {
        return distinct.iter().map(|x| sense * x.to_f64()).collect();
    }
    let of = |x| sense * ((Interval::rational(x, DIGITS) + offset.clone()) * scale.clone()).approximate();
    distinct.iter().map(of).collect()
}

/// Numbers that programs start from, and the entries that they are compared with.
pub(super) struct ComparedPrograms<'a> {
    pub case: &'a AxialSymptoms<'a>,
    pub cells: Vec<Vec<Cell>>,
    allowance: AxialAllowance,
    effective: Vec<Vec<f64>>,
    /// Frequencies of the slots of each axis, head by head.
    omegas: Vec<Vec<Vec<f64>>>,
    gains: Vec<f64>,
}

impl<'a> ComparedPrograms<'a> {
    pub fn new(case: &'a AxialSymptoms<'a>) -> Result<Self, Invalid> {
        let law = case.law;
        let cells = cells(case.subject, law)?.0;
        let allowance = AxialAllowance::new(law, case.coordinates, case.compute, case.storage);
        let of = |(number, axis)| effective(axis, case.coordinates.distinct(number));
        let effective = law.axes().iter().enumerate().map(of).collect();
        let omega = |axis: &AxisLaw, head: usize, at: usize| {
            axis.frequency(head, at, DIGITS).map_or(f64::NAN, |omega| omega.approximate())
        };
        let of_axis =
            |head, axis: &AxisLaw| (0..axis.slots().len()).map(|at| omega(axis, head, at)).collect::<Vec<_>>();
        let omegas = (0..law.heads()).map(|head| law.axes().iter().map(|axis| of_axis(head, axis)).collect()).collect();
        let gains = (0..law.slots()).map(|slot| law.gain(slot).enclose(64).approximate()).collect();
        Ok(Self { case, cells, allowance, effective, omegas, gains })
    }

    /// True if each finite entry of the scope is within its bound of what a program predicts.
    pub fn explains(&self, program: &AlteredProgram) -> Result<bool, Invalid> {
        let case = self.case;
        let beyond = &case.beyond;
        let picked: Vec<usize> = (0..SAMPLE.min(beyond.len()))
            .map(|i| beyond[(i as u128 * beyond.len() as u128 / SAMPLE.min(beyond.len()) as u128) as usize])
            .collect();
        if !case
            .scope
            .slabs
            .iter()
            .take(1)
            .try_fold(true, |so_far, &slab| Ok::<_, Invalid>(so_far && self.agree(program, slab, &picked)?))?
        {
            return Ok(false);
        }
        let rows: Vec<usize> = case.scope.rows.clone().collect();
        let tasks: Vec<(usize, &[usize])> =
            case.scope.slabs.iter().flat_map(|&slab| rows.chunks(BLOCK).map(move |rows| (slab, rows))).collect();
        tasks.into_par_iter().map(|(slab, rows)| self.agree(program, slab, rows)).try_reduce(|| true, |a, b| Ok(a && b))
    }

    /// True if the entries of some rows of a table are.
    fn agree(&self, program: &AlteredProgram, slab: usize, rows: &[usize]) -> Result<bool, Invalid> {
        let (case, slots) = (self.case, self.case.law.slots());
        let grids = case.subject.grids();
        let (mut x, mut got) = (Vec::new(), vec![Vec::new(); grids.len()]);
        let (mut row_of, mut second_of) = (Row::of(slots), Row::of(slots));
        let mut turns = vec![0.0; slots];
        let factors = program.stages.products();
        let scale = factors.as_flattened().iter().fold(1f64, |most, factor| most.max(factor.abs()));
        for &row in rows {
            for ((_, grid), got) in grids.iter().zip(&mut got) {
                grid.read(slab, row..row + 1, got)?;
            }
            if let Subject::Rotation { x: grid, .. } = case.subject {
                grid.read(slab, row..row + 1, &mut x)?;
            }
            self.allowance.computed(slab, |axis| case.coordinates.place(row, axis), &mut row_of.computed);
            let mut within: Vec<Vec<bool>> =
                got.iter().map(|got| got.iter().map(|got| !got.is_finite()).collect()).collect();
            for way in 0..program.stages.ways() {
                self.predict(program, (slab, row, way), &mut row_of, &mut turns);
                if factors != PRODUCTS {
                    second_of.clone_from(&row_of);
                    self.multiply(program, factors[0], &mut row_of);
                    self.multiply(program, factors[1], &mut second_of);
                }
                for ((cells, got), within) in self.cells.iter().zip(&got).zip(&mut within) {
                    for ((&cell, &got), within) in cells.iter().zip(got).zip(within).filter(|(_, within)| !**within) {
                        let second = factors != PRODUCTS && matches!(cell, Cell::Turned { second: true, .. });
                        let (exact, bound) =
                            (if second { &second_of } else { &row_of }).predict(&self.allowance, cell, &x);
                        let bound = scale * bound;
                        let (turn, length) = match cell {
                            Cell::Part(slot, _) => (turns[slot], 1.0),
                            Cell::Turned { read: (a, b), slot, sine, .. } => {
                                (turns[slot].max(turns[sine]), pair_length(x[a], x[b]))
                            }
                            Cell::Kept(_) => (0.0, 0.0),
                        };
                        let gain = cell.slot().map_or(1.0, |slot| self.allowance.gain(slot));
                        let roundings = ROUNDINGS * f64::EPSILON * scale * gain * length * (turn + 1.0);
                        *within = (got - exact).abs() <= bound + roundings;
                    }
                }
            }
            if within.iter().flatten().any(|within| !within) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Cosines and sines of a row as the stated convention has them.
    pub fn stated(&self, slab: usize, row: usize, out: &mut Row) {
        let none = AlteredProgram::of_products(Cause::Negated, Vec::new(), PRODUCTS);
        self.predict(&none, (slab, row, 0), out, &mut vec![0.0; self.case.law.slots()]);
    }

    /// Cosines and sines of a program's axes, times a factor each.
    fn multiply(&self, program: &AlteredProgram, [cos, sin]: [f64; 2], out: &mut Row) {
        for &axis in &program.axes {
            for &slot in self.case.law.axes()[axis].slots() {
                (out.cos[slot], out.sin[slot]) = (cos * out.cos[slot], sin * out.sin[slot]);
            }
        }
    }

    /// Cosines and sines of a row that a program makes, with what lies next to a tie rounded in one of the ways, and the magnitudes of the
    /// angles.
    fn predict(
        &self,
        program: &AlteredProgram,
        (slab, row, way): (usize, usize, usize),
        out: &mut Row,
        turns: &mut [f64],
    ) {
        let (law, coordinates): (_, &Coordinates) = (self.case.law, self.case.coordinates);
        let head = slab % law.heads();
        for (slot, turn) in turns.iter_mut().enumerate() {
            let mut angle = Some(0.0);
            for claim in law.claims(slot) {
                let t = coordinates.place(row, claim.axis).and_then(|at| self.effective[claim.axis].get(at));
                let concerned = program.axes.contains(&claim.axis);
                let omega = self.omegas[head][claim.axis][claim.at];
                // The error of the slot's angle for each unit of t, relative to the frequency.
                let relative = self.allowance.slope(head, slot)
                    / (omega * law.axes()[claim.axis].scale().enclose(64).approximate()).abs();
                let of = |&t: &f64| program.stages.angle((t, omega), concerned.then_some(slot), relative, way);
                angle = angle.zip(t.map(of)).map(|(sum, angle)| sum + angle);
            }
            let gain = self.gains[slot];
            (out.cos[slot], out.sin[slot], *turn) = match angle {
                Some(angle) => (gain * core_math::cos(angle), gain * core_math::sin(angle), angle.abs()),
                None if law.convention().encoding == Encoding::Rope => (1.0, 0.0, 0.0),
                None => (0.0, 0.0, 0.0),
            };
        }
        if matches!(program.stages, AlteredStages::Exchanged) {
            std::mem::swap(&mut out.cos, &mut out.sin);
        }
    }
}

impl AlteredStages {
    /// Factors of the products.
    fn products(&self) -> [[f64; 2]; 2] {
        if let Self::Products(factors) = self { *factors } else { PRODUCTS }
    }

    /// Ways in which numbers next to a tie may be rounded: honest errors before a rounding decide them.
    fn ways(&self) -> usize {
        if let Self::Rounded { frequency, angle, .. } = self {
            1 << (u8::from(*frequency) + u8::from(*angle))
        } else {
            1
        }
    }

    /// The angle of a slot at an effective coordinate; `slot` is that of an axis that is altered.
    fn angle(&self, (t, omega): (f64, f64), slot: Option<usize>, relative: f64, way: usize) -> f64 {
        let Some(slot) = slot else { return t * omega };
        match *self {
            Self::Rounded { format, position, frequency, angle } => {
                let nudged = |x: f64, up: bool| x * (1.0 + if up { relative } else { -relative });
                let t = if position { format.round(t) } else { t };
                let omega = if frequency { format.round(nudged(omega, way % 2 == 1)) } else { omega };
                let product = t * omega;
                if angle { format.round(nudged(product, way >= self.ways() / 2)) } else { product }
            }
            Self::Frequency { slot: of, times } if of == slot => t * omega * times,
            Self::Frequency { .. } | Self::Exchanged | Self::Products(_) => t * omega,
        }
    }
}
