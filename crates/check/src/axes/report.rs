//! The report of a judgement of several axes, and the names of axes in it.

use super::mend::AxialMend;
use posproof_encoding::axes::{AxialLaw, Coordinates};

/// The judgement of a table, a cache or a rotation of several axes.
pub type AxialReport = crate::report::Report<AxialMend>;

/// Axes that have the same coordinates in every row, where these are not one and the same in all.
pub(super) fn alike(law: &AxialLaw, coordinates: &Coordinates) -> Vec<Vec<String>> {
    let same = |one: usize, other: usize| {
        coordinates.places(one) == coordinates.places(other) && coordinates.distinct(one) == coordinates.distinct(other)
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for axis in (0..law.axes().len()).filter(|axis| coordinates.distinct(*axis).len() > 1) {
        match groups.iter_mut().find(|group| same(group[0], axis)) {
            Some(group) => group.push(axis),
            None => groups.push(vec![axis]),
        }
    }
    let names = |group: Vec<usize>| group.into_iter().map(|axis| law.axes()[axis].name().to_owned()).collect();
    groups.into_iter().filter(|group| group.len() > 1).map(names).collect()
}

/// Names of the axes that turn a slot.
pub(super) fn claimants(law: &AxialLaw, slot: usize) -> Vec<String> {
    law.claims(slot).iter().map(|claim| law.axes()[claim.axis].name().to_owned()).collect()
}
