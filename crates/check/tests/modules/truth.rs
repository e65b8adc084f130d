//! True if what is said of groups of slots is true of the angles that a convention has, to binary64 and without turns left out.

use posproof_check::axes::{AxialGroups, Group};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

/// Angles to binary64 of this many turns and fewer are right to this: 2^20 · 2^−52.
const EXACT: f64 = 1.0 / (1u64 << 32) as f64;

/// Units of roundoff by which slots that stand still may move: eight of each of two angles that were read, and once more what these are off.
const STILL: f64 = 32.0;

/// Angles of binary32 programs are off by fewer parts of themselves: eight units of roundoff.
pub const COMPUTED: f64 = 8.0 / (1u64 << 24) as f64;

/// Frequencies of binary32 are off by fewer units of roundoff.
const OFF: f64 = 20.0 / (1u64 << 24) as f64;

/// Parts by which what is recomputed here in binary64 may differ: 2^12 of its units of roundoff.
const ROUNDED: f64 = 1.0 / (1u64 << 40) as f64;

/// Facts that were checked.
#[derive(Debug, Default)]
pub struct Truth {
    /// Groups whose unit turns by less than half a turn, as their rates suppose.
    pub supposed: usize,
    /// Groups whose unit does not.
    pub aliased: usize,
    /// Rates that are the ratios of frequencies.
    pub rates: usize,
    /// True if every slot that moves is in the group of its axes, one for each.
    pub sections: bool,
}

fn wrap(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// The axes of a slot.
fn axes(law: &AxialLaw, slot: usize) -> BTreeSet<usize> {
    law.claims(slot).iter().map(|claim| claim.axis).collect()
}

/// The angles that the entries of a slot show, row by row; none in a row where both are 0.
pub type Read<'a> = &'a dyn Fn(usize) -> Vec<Option<f64>>;

/// Refuses whatever is false of the entries, and of the convention where a unit turns as its group supposes. `exact` are the angles of each slot of the convention, the entries are those of angles that are off by parts of themselves, up to
/// `computed`, and `named` says which slot of the convention one that was found is.
pub fn truth(
    law: &AxialLaw,
    coordinates: &Coordinates,
    (exact, computed): (&[Vec<f64>], f64),
    found: &AxialGroups,
    named: &dyn Fn(usize) -> Option<usize>,
    read: Read<'_>,
) -> Truth {
    let mut truth = Truth::default();
    let rows: Vec<usize> = (0..coordinates.rows()).filter(|&row| coordinates.place(row, 0).is_some()).collect();
    let turned = |slot: usize, row: usize| exact[slot][row] - exact[slot][found.reference];
    let kept =
        |group: &Group| -> Vec<usize> { rows.iter().copied().filter(|row| !group.beyond.contains(row)).collect() };
    for &slot in &found.still {
        let Some(slot) = named(slot) else { continue };
        let most = rows.iter().map(|&row| exact[slot][row].abs()).fold(0.0, f64::max);
        for &row in &rows {
            let off = STILL * found.storage.unit_roundoff() + computed * most;
            assert!(wrap(turned(slot, row)).abs() <= off, "slot {slot} moves in row {row}: {found}");
        }
    }
    let supposed: Vec<bool> = found
        .groups
        .iter()
        .map(|group| {
            let unit = named(group.unit).expect("a unit is a slot");
            kept(group).iter().all(|&row| turned(unit, row).abs() < PI)
        })
        .collect();
    // The ratio of a slot to the unit of a group, where they are of one axis or of axes in proportion.
    let ratio = |group: &Group, slot: usize| {
        let unit = named(group.unit).expect("a unit is a slot");
        let all = kept(group);
        let far = all.iter().copied().max_by(|&a, &b| turned(unit, a).abs().total_cmp(&turned(unit, b).abs()))?;
        let ratio = turned(slot, far) / turned(unit, far);
        let off = |row: usize| (turned(slot, row) - ratio * turned(unit, row)).abs();
        let most = |slot: usize| rows.iter().map(|&row| exact[slot][row].abs()).fold(1.0, f64::max);
        // Stored frequencies of several axes are in proportion to their own rounding.
        let part = if law.claims(slot).len() > 1 { OFF } else { EXACT };
        all.iter().all(|&row| off(row) <= part * (most(slot) + ratio.abs() * most(unit))).then_some(ratio)
    };
    for (group, &supposed) in found.groups.iter().zip(&supposed) {
        let unit = named(group.unit).expect("a unit is a slot");
        truth.supposed += usize::from(supposed);
        truth.aliased += usize::from(!supposed);
        for ((&slot, &rate), &error) in group.slots.iter().zip(&group.rates).zip(&group.errors) {
            let (own, of) = (read(slot), read(group.unit));
            let shown = |angles: &[Option<f64>], row: usize| Some(wrap(angles[row]? - angles[found.reference]?));
            let all = || (0..own.len()).filter(|row| !group.beyond.contains(row));
            let range = all().filter_map(|row| shown(&own, row)).fold(0.0, |most: f64, angle| most.max(angle.abs()));
            for row in all() {
                let Some((angle, unit)) = shown(&own, row).zip(shown(&of, row)) else { continue };
                let left = wrap(angle - rate * unit).abs();
                let said = group.agreement * range * (1.0 + ROUNDED);
                assert!(left <= said, "slot {slot} at {rate} of {}, row {row}: {left}: {found}", group.unit);
            }
            let slot = named(slot).unwrap_or_else(|| panic!("slot {slot} is of none of the convention: {found}"));
            if !supposed {
                continue;
            }
            let Some(ratio) = ratio(group, slot) else {
                panic!("slots {slot} and {unit} are not in proportion: {found}")
            };
            // Faster ones show as slower ones.
            if ratio.abs() <= group.limit {
                assert!((ratio - rate).abs() <= error + OFF * ratio.abs(), "slot {slot}: {ratio}, not {rate}: {found}");
                truth.rates += 1;
            }
        }
    }
    for different in &found.different {
        let [a, b] = different.groups;
        if !(supposed[a] && supposed[b]) {
            continue;
        }
        let [a, b] = [a, b].map(|group| named(found.groups[group].unit).expect("a unit is a slot"));
        let [first, second] = different.rows;
        let crossed = [turned(a, first) * turned(b, second), turned(a, second) * turned(b, first)];
        assert!(
            (crossed[0] - crossed[1]).abs() > EXACT * crossed[0].abs().max(crossed[1].abs()),
            "{different:?}: {found}"
        );
    }
    // What is left open, and what is excluded.
    let excluded = |slot: usize, number: usize| {
        let Some(slot) = named(slot) else { return };
        let group = &found.groups[number];
        let of_it = supposed[number] && ratio(group, slot).is_some_and(|ratio| ratio.abs() <= group.limit);
        assert!(!of_it, "slot {slot} is of group {number}: {found}");
    };
    let without =
        |groups: &[usize]| -> Vec<usize> { (0..found.groups.len()).filter(|group| !groups.contains(group)).collect() };
    for (number, group) in found.groups.iter().enumerate() {
        group.slots.iter().for_each(|&slot| without(&[number]).iter().for_each(|&other| excluded(slot, other)));
    }
    for open in &found.open {
        open.slots.iter().for_each(|&slot| without(&open.groups).iter().for_each(|&other| excluded(slot, other)));
    }
    found.apart.iter().for_each(|&slot| without(&[]).iter().for_each(|&other| excluded(slot, other)));
    truth.sections = sections(law, found, named);
    truth
}

/// True if every slot that moves is in the group of its axes, one for each.
fn sections(law: &AxialLaw, found: &AxialGroups, named: &dyn Fn(usize) -> Option<usize>) -> bool {
    let of = |group: &Group| -> BTreeSet<BTreeSet<usize>> {
        group.slots.iter().filter_map(|&slot| Some(axes(law, named(slot)?))).collect()
    };
    let all: Vec<BTreeSet<BTreeSet<usize>>> = found.groups.iter().map(of).collect();
    let different: BTreeSet<&BTreeSet<BTreeSet<usize>>> = all.iter().collect();
    let one = all.iter().all(|axes| axes.len() == 1 && axes.iter().all(|axes| axes.len() == 1));
    !all.is_empty() && one && different.len() == all.len() && found.open.is_empty() && found.apart.is_empty()
}
