//! Findings of one axis among several.

use crate::faults::{Cause, Explained, Finding, Region, Shape, Span};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Convention;

/// Slots that were judged as those of one axis, and the rows in the order in which they were.
#[derive(Clone, Copy)]
pub(super) struct JudgedPart<'a> {
    pub law: &'a AxialLaw,
    pub coordinates: &'a Coordinates,
    pub slots: &'a [usize],
    pub rows: &'a [usize],
    /// The rows with an entry beyond its bound, in increasing order; empty where rows are judged in their own order.
    pub beyond: &'a [usize],
    pub tables: usize,
}

impl JudgedPart<'_> {
    /// A finding of one axis, with its place among several: the slots of the axis, and the rows as they were before they were put in order.
    pub fn placed(&self, finding: &Finding) -> Finding {
        let region = finding.region.as_ref().and_then(|region| self.region(region));
        Finding { region, ..finding.clone() }
    }

    fn region(&self, region: &Region) -> Option<Region> {
        let Self { law, coordinates, slots, .. } = *self;
        let mut rows: Vec<usize> = region.rows.iter().filter_map(|row| self.rows.get(row).copied()).collect();
        rows.sort_unstable();
        // Of rows that are irregular in another order the region has those between, too.
        rows.retain(|row| self.beyond.is_empty() || self.beyond.binary_search(row).is_ok());
        let rows = Span::of(rows)?;
        let text = |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect());
        let judged = |pairs: Span| pairs.iter().filter_map(|pair| slots.get(pair).copied()).collect::<Vec<_>>();
        let meant = region.pairs.map_or(slots.to_vec(), judged);
        let turns = |axis: &&posproof_encoding::axes::AxisLaw| meant.iter().any(|slot| axis.slots().contains(slot));
        Some(Region {
            positions: region.positions,
            before: region.before,
            has_axes: true,
            coordinates: [text(rows.first), text(rows.last)],
            rows,
            heads: region.heads,
            pairs: region.pairs.and_then(|pairs| Span::of(judged(pairs))),
            axes: law.axes().iter().filter(turns).map(|axis| axis.name().to_owned()).collect(),
            component: region.component,
            of: Shape { rows: coordinates.rows(), heads: self.tables, pairs: law.slots() },
        })
    }
}

/// True if two causes are one: each part has its own frequencies, of which a convention has others.
fn alike(one: &Cause, other: &Cause) -> bool {
    match (one, other) {
        (Cause::Frequencies { .. }, Cause::Frequencies { .. }) => true,
        (Cause::Convention { expected, found }, Cause::Convention { expected: stated, found: other }) => {
            let of_part = |of: &Convention, part: &Convention| Convention {
                dim: part.dim,
                frequency_origin: part.frequency_origin,
                frequency_dim: part.frequency_dim,
                frequency_step: part.frequency_step,
                ..of.clone()
            };
            let counted = |from: &Convention, to: &Convention| to.frequency_origin == from.frequency_origin;
            counted(expected, found) == counted(stated, other)
                && of_part(expected, stated) == **stated
                && of_part(found, other) == **other
        }
        (one, other) => one == other,
    }
}

/// Findings of parts of several axes: one where parts have the same, of as many as have it.
pub(super) fn together(findings: Vec<Finding>, parts: usize) -> Vec<Finding> {
    let mut all: Vec<(Finding, usize)> = Vec::new();
    for finding in findings {
        let same = |(other, _): &&mut (Finding, usize)| {
            let apart = match (&other.region, &finding.region) {
                (Some(one), Some(other)) => {
                    let pairs = one.pairs.zip(other.pairs);
                    let other_pairs =
                        pairs.is_some_and(|(one, other)| one.iter().all(|pair| !other.iter().any(|own| own == pair)));
                    other_pairs || one.axes.iter().all(|axis| !other.axes.contains(axis))
                }
                (one, other) => one.is_none() && other.is_none(),
            };
            // Entries by themselves are told of each axis, but where they are of the same rows.
            let rows = |finding: &Finding| finding.region.as_ref().map(|region| region.rows);
            let by_themselves = matches!((&other.cause, &finding.cause), (Cause::Apart { .. }, Cause::Apart { .. }));
            let one = if by_themselves { rows(other) == rows(&finding) } else { alike(&other.cause, &finding.cause) };
            apart && other.fault == finding.fault && one && other.status == finding.status
        };
        match all.iter_mut().find(same) {
            Some((known, count)) => {
                let Explained { entries, of } = known.explains;
                known.explains = Explained { entries: entries + finding.explains.entries, of };
                known.region = known.region.take().zip(finding.region).map(|(one, other)| one.around(other));
                known.confined |= finding.confined;
                match (&mut known.cause, finding.cause) {
                    (Cause::Frequencies { found }, Cause::Frequencies { found: own }) => found.extend(own),
                    (
                        Cause::Apart { entries, others, silent },
                        Cause::Apart { entries: own, others: right, silent: open },
                    ) => (*entries, *others, *silent) = (*entries + own, *others + right, *silent + open),
                    _ => {}
                }
                *count += 1;
            }
            None => all.push((finding, 1)),
        }
    }
    let confined =
        |(finding, count): (Finding, usize)| Finding { confined: finding.confined || count < parts, ..finding };
    all.into_iter().map(confined).collect()
}
