//! Where entries are beyond their bounds, and where they are not finite: these are findings of their own, and no region of the
//! others has them in it.

use super::TableComparison;
use crate::exactness::ComparedEntries;
use crate::extent::Extent;
use crate::faults::{Region, Shape, Span};
use crate::totals::GridPlace;
use posproof_encoding::convention::Component;
use std::collections::BTreeSet;

impl TableComparison<'_> {
    /// The smallest box around the finite entries that a run found beyond their bounds; `None` where there are none.
    pub fn region(&self) -> Option<Region> {
        self.region_of(&self.beyond)
    }

    /// The smallest box around those that are not finite.
    pub fn strange(&self) -> Option<Region> {
        self.region_of(&self.strange)
    }

    fn region_of(&self, extent: &Extent) -> Option<Region> {
        let (rows, heads) = (extent.rows.span()?, extent.slabs.span()?);
        let mut pairs = BTreeSet::new();
        let mut components = [false; 2];
        let mut whole = true;
        for (grid, columns) in extent.columns.iter().enumerate() {
            for column in columns.iter() {
                let meaning = self.meaning(GridPlace { slab: 0, row: 0, grid, column });
                whole &= meaning.is_some();
                if let Some((pair, component)) = meaning {
                    pairs.insert(pair);
                    components[usize::from(component == Component::Sin)] = true;
                }
            }
        }
        let component = match components {
            _ if self.subject.is_half() => None,
            [true, false] => Some(Component::Cos),
            [false, true] => Some(Component::Sin),
            _ => None,
        };
        let first = self.grids[0].grid;
        let ends = [self.position(rows.first), self.position(rows.last)];
        let before = rows.first.checked_sub(1).map(|row| self.position(row));
        let of = Shape { rows: first.rows(), heads: first.slabs(), pairs: self.pairs };
        Some(Region::of_one_axis((rows, ends, before), heads, (Span::of(pairs).filter(|_| whole), component), of))
    }
}
