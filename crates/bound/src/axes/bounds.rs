//! The bounds of every slot of an encoding of several axes, over all rows.
//!
//! *A priori*: that of any honest program along the path ([`super::AxialAllowance`]).
//!
//! *Instance*: that of the program which rounds coordinate, offset and frequency to the format, adds, rounds, multiplies and rounds; its
//! angle θ̂ is computed, and so is |θ̂ − θ|, its own rounding and that of a fractional coordinate included. Then, as a priori,
//! C = |g|·(min(2, |θ̂ − θ|) + e^((2κ+3)u) − 1) and |entry − exact| ≤ u_S·(|g| + C) + C + η_S/2. There is none for scales other than 1 and for
//! slots that several axes claim, whose operations have no one order.

use super::range::Range;
use crate::AxialAllowance;
use crate::libraries::Compute;
use crate::origin::Origin;
use crate::program::{Impossible, Path};
use posproof_encoding::axes::{AxialLaw, AxisLaw, Claim, Coordinates};
use posproof_encoding::convention::Direction;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Interval, Rational};
use rayon::prelude::*;

/// The derivation of instance bounds.
const INSTANCE: Origin = Origin::Derived("posproof_bound::AxialQuestion, the angle as it is computed");

/// More than the roundings of the sum and the product in C.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

/// The largest bound of a slot, and the first row where it is that large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxialBound {
    /// The bound, rounded up.
    pub value: f64,
    /// The row.
    pub row: usize,
    /// Where it comes from.
    pub origin: Origin,
}

/// The bounds of a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotBounds {
    /// The slot.
    pub slot: usize,
    /// Of any honest program along the path.
    pub a_priori: AxialBound,
    /// Of the program that rounds as the module says, on the path of rounded frequencies.
    pub instance: Option<AxialBound>,
}

/// The bounds of some slots of a head for entries at these rows, computed in `compute` along a path, or any of them, and stored in `storage`.
///
/// # Errors
///
/// [`Impossible`] where coordinates, frequencies, angles or entries may overflow.
pub(super) fn axial_bounds(
    law: &AxialLaw,
    coordinates: &Coordinates,
    (compute, path): (impl Into<Compute>, Option<Path>),
    storage: Format,
    (head, slots): (usize, &[usize]),
) -> Result<Vec<SlotBounds>, Impossible> {
    let with = compute.into();
    let allowance = AxialAllowance::new(law, coordinates, (with, path), storage);
    let compute = with.format;
    let range = Range { law, allowance: &allowance, compute, path, storage };
    let worst = largest(law, coordinates, &allowance, head);
    let of = |&slot: &usize| {
        range.require(head, slot)?;
        let gain = allowance.gain(slot);
        let bound = |(computed, row): (f64, usize), origin| {
            // An exact entry is no larger than the gain.
            AxialBound { value: allowance.entry(computed, gain), row, origin }
        };
        let instance =
            (path == Some(Path::Rounded)).then(|| instance(law, coordinates, compute, (head, slot))).flatten();
        let flat = allowance.flat();
        let instance = instance.map(|(error, row)| (gain * (error.min(2.0) + flat) * UPWARD, row));
        let a_priori = bound(worst[slot], allowance.origin());
        // Both hold of the program, so the smaller does.
        let instance = instance.map(|worst| bound(worst, INSTANCE)).map(|instance| {
            if instance.value > a_priori.value { AxialBound { row: instance.row, ..a_priori } } else { instance }
        });
        Ok(SlotBounds { slot, a_priori, instance })
    };
    slots.par_iter().map(of).collect()
}

/// The same for each entry of a pair of length 1 that is rotated: products and sums in any order, fused or not
/// ([`Allowance::rotated`](crate::Allowance::rotated)). Of an instance nothing more is known.
///
/// # Errors
///
/// As [`axial_bounds`], and where products or sums of the rotation may overflow.
pub(super) fn axial_rotations(
    law: &AxialLaw,
    coordinates: &Coordinates,
    (compute, path): (impl Into<Compute>, Option<Path>),
    storage: Format,
    (head, slots): (usize, &[usize]),
) -> Result<Vec<SlotBounds>, Impossible> {
    let with = compute.into();
    let allowance = AxialAllowance::new(law, coordinates, (with, path), storage);
    let range = Range { law, allowance: &allowance, compute: with.format, path, storage };
    let worst = largest(law, coordinates, &allowance, head);
    let of = |&slot: &usize| {
        let (computed, row) = worst[slot];
        let value = allowance.rotated(computed, slot, 1.0);
        range.require(head, slot)?;
        range.require_rotated(slot, value)?;
        Ok(SlotBounds { slot, a_priori: AxialBound { value, row, origin: allowance.origin() }, instance: None })
    };
    slots.iter().map(of).collect()
}

/// The largest C of each slot over all rows, and the first row where it is that large.
fn largest(law: &AxialLaw, coordinates: &Coordinates, allowance: &AxialAllowance, head: usize) -> Vec<(f64, usize)> {
    let mut worst: Vec<(f64, usize)> = vec![(0.0, 0); law.slots()];
    let mut computed = vec![0.0; law.slots()];
    for row in 0..coordinates.rows() {
        allowance.computed(head, |axis| coordinates.place(row, axis), &mut computed);
        for (worst, &computed) in worst.iter_mut().zip(&computed) {
            if computed > worst.0 {
                *worst = (computed, row);
            }
        }
    }
    worst
}

/// The program of the module, for a slot that one axis claims with scale 1.
pub(super) struct AxialMachine<'a> {
    pub axis: &'a AxisLaw,
    /// The number of the axis, and the slot's among those that it claims.
    pub claim: Claim,
    format: Format,
    omega: Rational,
    offset: Rational,
}

impl<'a> AxialMachine<'a> {
    /// None where the order of operations is open, or no axis claims the slot.
    pub fn new(law: &'a AxialLaw, format: Format, (head, slot): (usize, usize)) -> Option<Self> {
        let [claim] = law.claims(slot) else { return None };
        let axis = &law.axes()[claim.axis];
        if !axis.scale().is(1) {
            return None;
        }
        let omega = rounded(format, axis, (head, claim.at))?;
        let offset = Rational::from_f64(nearest_rational(format, axis.offset().rational()?)?)?;
        Some(Self { axis, claim: *claim, format, omega, offset })
    }

    /// θ̂ at a coordinate, with the sign that the direction gives the exact angle; none beyond the format.
    pub fn angle(&self, x: &Rational) -> Option<f64> {
        let sum = Rational::from_f64(nearest_rational(self.format, x)?)? + self.offset.clone();
        let count = Rational::from_f64(nearest_rational(self.format, &sum)?)?;
        let angle = nearest_rational(self.format, &(count * &self.omega)).filter(|angle| angle.is_finite())?;
        Some(if self.axis.direction() == Direction::Clockwise { -angle } else { angle })
    }

    /// The first row at each of its axis's coordinates, and this.
    pub fn rows<'c>(&self, coordinates: &'c Coordinates) -> impl Iterator<Item = (usize, &'c Rational)> + use<'c> {
        let axis = self.claim.axis;
        let mut seen = vec![false; coordinates.distinct(axis).len()];
        (0..coordinates.rows()).filter_map(move |row| {
            let (place, x) = (coordinates.place(row, axis)?, coordinates.get(row, axis)?);
            (!std::mem::replace(&mut seen[place], true)).then_some((row, x))
        })
    }
}

/// The largest |θ̂ − θ| of a slot, rounded up, and its row; none where the order of operations is open.
fn instance(
    law: &AxialLaw,
    coordinates: &Coordinates,
    format: Format,
    (head, slot): (usize, usize),
) -> Option<(f64, usize)> {
    if law.claims(slot).is_empty() {
        return Some((0.0, 0));
    }
    let machine = AxialMachine::new(law, format, (head, slot))?;
    let mut worst = (0.0, 0);
    for (row, x) in machine.rows(coordinates) {
        let exact = machine.axis.angle(head, machine.claim.at, x, 128)?;
        let error = (Interval::exactly(machine.angle(x)?).at(128) - exact).abs().upper_f64();
        if error > worst.0 {
            worst = (error, row);
        }
    }
    Some(worst)
}

/// The frequency rounded to a format.
fn rounded(format: Format, axis: &AxisLaw, (head, at): (usize, usize)) -> Option<Rational> {
    let omega = nearest(format, |bits| axis.frequency(head, at, bits + 8));
    omega
        .or_else(|| axis.frequency(head, at, 64).filter(Interval::is_point).map(|omega| omega.lower_f64()))
        .and_then(Rational::from_f64)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use posproof_encoding::axes::AxialConvention;
    use posproof_encoding::convention::{Component, Convention};

    pub fn law(dim: usize, axes: &[&str]) -> AxialLaw {
        let axes = axes.iter().map(|axis| axis.parse().expect("an axis")).collect();
        let convention = AxialConvention { axes, ..AxialConvention::from(&Convention::rope(dim)) };
        convention.law(|_| Err("none".into())).expect("a convention")
    }

    pub fn all(law: &AxialLaw) -> Vec<usize> {
        (0..law.slots()).collect()
    }

    /// The program of the module, of which the bounds speak: in binary32, with correctly rounded sine and cosine.
    #[test]
    fn the_program_is_within_its_instance_bound_and_that_within_the_a_priori_one() {
        let law = law(16, &["h:0..4", "w:4..8;position-offset=1/3;direction=clockwise"]);
        let numbers: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) * 0.37, f64::from(199 - i) / 3.0]).collect();
        let rows = Coordinates::from_floats(&numbers, 2).unwrap();
        let bounds =
            axial_bounds(&law, &rows, (Format::F32, Some(Path::Rounded)), Format::F32, (0, &all(&law))).unwrap();
        let mut tightest = 0.0;
        for SlotBounds { slot, a_priori, instance } in bounds {
            let instance = instance.unwrap();
            assert!(instance.value <= a_priori.value, "{slot}: {instance:?} {a_priori:?}");
            let claim = law.claims(slot)[0];
            let axis = &law.axes()[claim.axis];
            let omega = axis.frequency(0, claim.at, 80).unwrap().approximate() as f32;
            let offset = axis.offset().value.value().to_f64() as f32;
            let sign = if axis.direction() == Direction::Clockwise { -1.0 } else { 1.0 };
            let mut largest = 0f64;
            for row in 0..rows.rows() {
                let angle = sign * ((numbers[2 * row + claim.axis] as f32 + offset) * omega);
                let here = rows.row(row).unwrap();
                for (component, got) in
                    [(Component::Cos, core_math::cosf(angle)), (Component::Sin, core_math::sinf(angle))]
                {
                    let exact = law.enclose(0, slot, &here, component, 80).unwrap().approximate();
                    largest = largest.max((f64::from(got) - exact).abs());
                }
            }
            assert!(largest <= instance.value, "{slot}: {largest:e} > {:e}", instance.value);
            tightest = f64::max(tightest, largest / instance.value);
        }
        // The slots of large angles: of the slow ones the library's allowance is the most.
        assert!(tightest >= 0.5, "{tightest}");
    }

    /// Pairs of length 1 that are rotated in binary32 by the module's program, with a product fused into the sum or not.
    #[test]
    fn rotated_pairs_are_within_their_bound_and_need_a_part_of_it() {
        let law = law(16, &["h:0..4", "w:4..8;position-offset=1/3;direction=clockwise"]);
        let numbers: Vec<f64> = (0..400).map(|i| f64::from(i % 200) * 0.37 + f64::from(i / 200)).collect();
        let rows = Coordinates::from_floats(&numbers, 2).unwrap();
        let bounds =
            axial_rotations(&law, &rows, (Format::F32, Some(Path::Rounded)), Format::F32, (0, &all(&law))).unwrap();
        let mut tightest = 0f64;
        for SlotBounds { slot, a_priori, instance } in bounds {
            assert_eq!(instance, None);
            let claim = law.claims(slot)[0];
            let axis = &law.axes()[claim.axis];
            let omega = axis.frequency(0, claim.at, 80).unwrap().approximate() as f32;
            let offset = axis.offset().value.value().to_f64() as f32;
            let sign = if axis.direction() == Direction::Clockwise { -1.0 } else { 1.0 };
            for row in 0..rows.rows() {
                let angle = sign * ((numbers[2 * row + claim.axis] as f32 + offset) * omega);
                let (cos, sin) = (core_math::cosf(angle), core_math::sinf(angle));
                let (a, b) = (0.6f32, -0.8f32);
                let exact = law.angle(0, slot, &rows.row(row).unwrap(), 80).unwrap().approximate();
                let (a64, b64) = (f64::from(a), f64::from(b));
                let exact = a64 * core_math::cos(exact) - b64 * core_math::sin(exact);
                for got in [a * cos - b * sin, a.mul_add(cos, -(b * sin))] {
                    let error = (f64::from(got) - exact).abs();
                    assert!(error <= a_priori.value, "{slot}: {error:e} > {:e}", a_priori.value);
                    tightest = tightest.max(error / a_priori.value);
                }
            }
        }
        assert!(tightest >= 0.1, "{tightest}");
    }

    #[test]
    fn scales_and_sums_have_no_one_program() {
        let law = law(8, &["h:0..1;position-scale=1/2", "x:1..2;shared=true", "y:1..2;shared=true"]);
        let rows: Coordinates = "1 2 3\nnan nan nan".parse().unwrap();
        let bounds =
            axial_bounds(&law, &rows, (Format::F32, Some(Path::Rounded)), Format::F32, (0, &all(&law))).unwrap();
        let instances: Vec<bool> = bounds.iter().map(|bounds| bounds.instance.is_some()).collect();
        assert_eq!(instances, [false, false, true, true]);
        assert!(bounds.iter().all(|bounds| bounds.a_priori.value > 0.0));
    }

    /// Each kind of overflow, and beside it the largest figure that overflows nowhere. A slot that is not asked for is not refused.
    #[test]
    fn programs_that_may_overflow_have_no_bound() {
        use Format::{Bf16, F16, F32, F64};
        let of = |axes: &[&str], rows: &str, compute: Format, path: Path, storage: Format| {
            let law = law(8, axes);
            let rows: Coordinates = rows.parse().unwrap();
            let asked = all(&law);
            let found = [axial_bounds, axial_rotations]
                .map(|bounds| bounds(&law, &rows, (compute, Some(path)), storage, (0, &asked)));
            found.map(|bounds| bounds.map_err(|impossible| impossible.what).map(|bounds| bounds.len()))
        };
        let rounded = Path::Rounded;
        for (axes, rows, compute, path, storage, expected) in [
            (&["h:0..2", "w:2..4"][..], "70000 1", F16, rounded, F16, Err("coordinate with its offset")),
            (&["h:0..2", "w:2..4"], "60000 1", F16, rounded, F16, Ok(4)),
            (
                &["h:0..2;position-offset=60000", "w:2..4"],
                "60000 1",
                F16,
                rounded,
                F16,
                Err("coordinate with its offset"),
            ),
            (&["h:0..2;position-scale=3", "w:2..4"], "30000 1", F16, rounded, F16, Err("scaled coordinate")),
            (&["h:0..2;position-scale=70000", "w:2..4"], "0 1", F16, rounded, F16, Err("position scale")),
            (&["h:0..2;shared=true", "w:0..2;shared=true"], "40000 40000", F16, rounded, F16, Err("angle")),
            (&["h:0..2;base=100000", "w:2..4"], "1 1", F16, Path::Pow, F16, Err("base")),
            (&["h:0..2;base=100000", "w:2..4"], "1 1", F16, rounded, F16, Ok(4)),
            (&["h:0..2;base=100000", "w:2..4"], "1 1", F16, Path::F64, F16, Ok(4)),
            (&["h:0..2;amplitude=70000", "w:2..4"], "1 1", F16, rounded, F16, Err("amplitude")),
            (&["h:0..2;amplitude=70000", "w:2..4"], "1 1", F32, rounded, F16, Err("amplitude")),
            (&["h:0..2;amplitude=70000", "w:2..4"], "1 1", F32, rounded, Bf16, Ok(4)),
            (&["h:0..2;amplitude=1e39", "w:2..4"], "1 1", F32, rounded, F64, Err("amplitude")),
        ] {
            let [table, rotation] = of(axes, rows, compute, path, storage);
            assert_eq!((&table, &rotation), (&expected, &expected), "{axes:?} {rows}");
        }
        // Entries up to the largest number of the format, and their products beside it.
        let largest = ["h:0..2;amplitude=65504", "w:2..4"];
        let [table, rotation] = of(&largest, "1 1", F32, rounded, F16);
        assert_eq!((table, rotation), (Ok(4), Err("rotated entry")));
        let law = law(8, &["h:0..2", "w:2..4"]);
        let rows: Coordinates = "70000 1".parse().unwrap();
        let beside = axial_bounds(&law, &rows, (F16, Some(rounded)), F16, (0, &[2, 3])).unwrap();
        assert!(beside.len() == 2 && beside.iter().all(|bounds| bounds.instance.is_some()));
    }
}
