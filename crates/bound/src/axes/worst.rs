//! The exact worst case of a slot over all rows, by enumeration: every coordinate of its axis, each entry against an enclosure.

use super::bounds::AxialMachine;
use crate::worst::wave;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Float, Interval, Rational, Round};

/// Bits of the enclosures: beside them an error of binary64 is known to 2^−100 of itself.
const BITS: u32 = 160;

/// The largest error of a component of a slot.
#[derive(Clone, Debug)]
pub struct AxialExtreme {
    /// The component.
    pub component: Component,
    /// |got − exact|, rounded to nearest.
    pub error: f64,
    /// The same with what is left open about the exact entry, rounded up: what a bound must not be below.
    pub above: f64,
    /// The first row where it occurs.
    pub row: usize,
    /// The entry as computed.
    pub got: f64,
    /// An enclosure of the exact entry.
    pub exact: Interval,
}

/// The largest errors of the sine and the cosine of a slot of a head over all rows, for the program of [`axial_bounds`](super::bounds::axial_bounds) on
/// the path of rounded frequencies with correctly rounded functions, computed in `compute` and stored in `storage`. None where that program is
/// not one: for scales other than 1, for slots that several axes claim, without rows; and where it overflows.
pub(super) fn axial_worst(
    law: &AxialLaw,
    coordinates: &Coordinates,
    (compute, storage): (Format, Format),
    (head, slot): (usize, usize),
) -> Option<[AxialExtreme; 2]> {
    let gain = law.gain(slot);
    let amplitude = match gain.exact() {
        Some(one) if one == Rational::ONE => None,
        Some(value) => Some(nearest_rational(compute, &value)?),
        None => Some(nearest(compute, |bits| Some(gain.enclose(bits)))?),
    };
    let stored = |wave: f64| storage.round(amplitude.map_or(wave, |gain| compute.round(gain * wave)));
    let machine = match law.claims(slot) {
        [] => None,
        _ => Some(AxialMachine::new(law, compute, (head, slot))?),
    };
    let rows: Vec<(usize, f64)> = match &machine {
        None => (0..coordinates.rows())
            .find(|&row| coordinates.place(row, 0).is_some())
            .map(|row| (row, 0.0))
            .into_iter()
            .collect(),
        Some(machine) => {
            machine.rows(coordinates).map(|(row, x)| Some((row, machine.angle(x)?))).collect::<Option<_>>()?
        }
    };
    let [mut sin, mut cos]: [Option<AxialExtreme>; 2] = [None, None];
    for (row, angle) in rows {
        let here = coordinates.row(row)?;
        let [cosine, sine] = wave(compute, angle);
        for (component, wave, worst) in [(Component::Sin, sine, &mut sin), (Component::Cos, cosine, &mut cos)] {
            let got = Some(stored(wave)).filter(|got| got.is_finite())?;
            let exact = law.enclose(head, slot, &here, component, BITS)?;
            let error = Float::from_f64(got).sub(&exact.midpoint(), BITS, Round::Nearest).abs();
            let near = error.to_f64(Round::Nearest);
            if worst.as_ref().is_none_or(|worst| near > worst.error) {
                let above = error.add(&exact.width(), BITS, Round::Up).to_f64(Round::Up);
                *worst = Some(AxialExtreme { component, error: near, above, row, got, exact });
            }
        }
    }
    Some([sin?, cos?])
}

#[cfg(test)]
mod tests {
    use super::super::bounds::tests::{all, law};
    use super::*;
    use crate::Path;
    use crate::axes::bounds::axial_bounds;

    /// The same program in Rust's own binary32, against every entry; and both bounds hold of its worst error.
    #[test]
    fn the_worst_case_is_that_of_every_entry_and_within_both_bounds() {
        let law = law(16, &["h:0..4", "w:4..7;position-offset=1/3;direction=clockwise"]);
        let numbers: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) * 0.37, f64::from(199 - i) / 3.0]).collect();
        let rows = Coordinates::from_floats(&numbers, 2).unwrap();
        let bounds =
            axial_bounds(&law, &rows, (Format::F32, Some(Path::Rounded)), Format::F32, (0, &all(&law))).unwrap();
        for bounds in bounds {
            let slot = bounds.slot;
            let worst = axial_worst(&law, &rows, (Format::F32, Format::F32), (0, slot)).unwrap();
            let Some(claim) = law.claims(slot).first() else {
                // A slot that no axis claims holds 1 and 0.
                assert!(worst.iter().all(|worst| worst.error == 0.0));
                continue;
            };
            let axis = &law.axes()[claim.axis];
            let omega = axis.frequency(0, claim.at, 80).unwrap().approximate() as f32;
            let offset = axis.offset().value.value().to_f64() as f32;
            let sign = if claim.axis == 1 { -1.0 } else { 1.0 };
            for extreme in worst {
                let wave = if extreme.component == Component::Cos { core_math::cosf } else { core_math::sinf };
                let mut largest = (0f64, 0);
                for row in 0..rows.rows() {
                    let got = wave(sign * ((numbers[2 * row + claim.axis] as f32 + offset) * omega));
                    let here = rows.row(row).unwrap();
                    let exact = law.enclose(0, slot, &here, extreme.component, 80).unwrap().approximate();
                    let error = (f64::from(got) - exact).abs();
                    // Entries of binary32 near 1: their errors are known to 2^−52.
                    if error > largest.0 + 1.0 / (1u64 << 50) as f64 {
                        largest = (error, row);
                    }
                }
                assert!(
                    (extreme.error - largest.0).abs() < 1.0 / (1u64 << 49) as f64,
                    "{slot}: {extreme:?}, {largest:?}"
                );
                assert!(extreme.above <= bounds.instance.unwrap().value, "{slot}: {extreme:?}");
                assert!(extreme.above <= bounds.a_priori.value, "{slot}: {extreme:?}");
                assert!(extreme.error > 0.0 && extreme.above >= extreme.error, "{slot}: {extreme:?}");
            }
        }
    }

    #[test]
    fn there_is_none_where_the_program_is_not_one() {
        let law = law(8, &["h:0..1;position-scale=1/2", "x:1..2;shared=true", "y:1..2;shared=true"]);
        let rows: Coordinates = "1 2 3\nnan nan nan".parse().unwrap();
        let found = [0, 1, 2].map(|slot| axial_worst(&law, &rows, (Format::F32, Format::Bf16), (0, slot)).is_some());
        assert_eq!(found, [false, false, true]);
    }

    #[test]
    fn there_is_none_where_the_program_overflows() {
        let rows: Coordinates = "70000\n0".parse().unwrap();
        let narrow = (Format::F16, Format::F16);
        for (axis, formats) in [
            ("t:0..4", narrow),
            ("t:0..4;amplitude=70000", narrow),
            ("t:0..4;amplitude=70000", (Format::F32, Format::F16)),
        ] {
            assert!(axial_worst(&law(8, &[axis]), &rows, formats, (0, 0)).is_none(), "{axis}");
        }
    }
}
