//! Which rows, tables, slots and components hold entries of one kind.

use super::cells::Cell;
use crate::extent::Marks;
use crate::faults::{AxialRegion, Shape, Span};
use crate::totals::GridPlace;
use posproof_encoding::axes::{AxialLaw, AxisLaw, Coordinates};
use posproof_encoding::convention::Component;

/// Where entries of a kind are.
pub(super) struct AxialExtent {
    rows: Marks,
    slabs: Marks,
    /// The slots, and what is not rotated behind the last.
    slots: Marks,
    components: Marks,
    of: Shape,
}

impl AxialExtent {
    pub fn new(of: Shape) -> Self {
        let Shape { rows, heads, pairs } = of;
        Self {
            rows: Marks::new(rows),
            slabs: Marks::new(heads),
            slots: Marks::new(pairs + 1),
            components: Marks::new(2),
            of,
        }
    }

    pub fn clear(&self) {
        [&self.rows, &self.slabs, &self.slots, &self.components].into_iter().for_each(Marks::clear);
    }

    pub fn add(&self, place: GridPlace, cell: Cell) {
        self.rows.add(place.row);
        self.slabs.add(place.slab);
        self.slots.add(cell.slot().unwrap_or(self.of.pairs));
        if let Some(component) = cell.component() {
            self.components.add(usize::from(component == Component::Sin));
        }
    }

    /// The rows, increasing.
    pub fn rows(&self) -> Vec<usize> {
        self.rows.iter().collect()
    }

    /// The tables, increasing.
    pub fn slabs(&self) -> Vec<usize> {
        self.slabs.iter().collect()
    }

    /// The slots, none where there are only entries that are not rotated.
    pub fn slots(&self) -> Option<Span> {
        Span::of(self.slots.iter().filter(|&slot| slot < self.of.pairs))
    }

    /// The smallest box around them, of which the components are known; none where there are none.
    pub fn region(&self, law: &AxialLaw, coordinates: &Coordinates, is_half: bool) -> Option<AxialRegion> {
        let (rows, heads) = (self.rows.span()?, self.slabs.span()?);
        let slots: Vec<usize> = self.slots.iter().filter(|&slot| slot < self.of.pairs).collect();
        let kept = self.slots.iter().any(|slot| slot == self.of.pairs);
        let claimed = |axis: &AxisLaw| slots.iter().any(|slot| axis.slots().contains(slot));
        let component = match self.components.iter().collect::<Vec<_>>()[..] {
            _ if is_half || kept => None,
            [0] => Some(Component::Cos),
            [1] => Some(Component::Sin),
            _ => None,
        };
        let text = |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect());
        Some(AxialRegion {
            coordinates: [text(rows.first), text(rows.last)],
            rows,
            heads,
            axes: law.axes().iter().filter(|axis| claimed(axis)).map(|axis| axis.name().to_owned()).collect(),
            pairs: Span::of(slots).filter(|_| !kept),
            component,
            of: self.of,
        })
    }
}
