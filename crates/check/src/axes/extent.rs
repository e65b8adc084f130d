//! Slots, components and coordinates of marked entries.

use super::cells::Cell;
use super::comparison::AxialComparison;
use crate::extent::Extent;
use crate::faults::{Region, Shape, Span};
use posproof_encoding::axes::AxisLaw;
use posproof_encoding::convention::Component;

impl AxialComparison<'_> {
    /// The cells of the marked columns.
    fn marked<'a>(&'a self, extent: &'a Extent) -> impl Iterator<Item = Cell> + 'a {
        let of = |(columns, cells): (&'a crate::extent::Marks, &'a Vec<Cell>)| {
            columns.iter().filter_map(|column| cells.get(column).copied())
        };
        extent.columns.iter().zip(&self.cells).flat_map(of)
    }

    /// The slots, none where there are only entries that are not rotated.
    pub fn slots(&self, extent: &Extent) -> Option<Span> {
        let slots: std::collections::BTreeSet<usize> = self.marked(extent).filter_map(Cell::slot).collect();
        Span::of(slots)
    }

    /// The smallest box around them, of which the components are known; none where there are none.
    pub fn region(&self, extent: &Extent) -> Option<Region> {
        let (law, coordinates) = (self.law, self.coordinates);
        let (rows, heads) = (extent.rows.span()?, extent.slabs.span()?);
        let kept = self.marked(extent).any(|cell| cell.slot().is_none());
        let has = |component| self.marked(extent).any(|cell| cell.component() == Some(component));
        let component = match [Component::Cos, Component::Sin].map(has) {
            _ if self.subject.is_half() || kept => None,
            [true, false] => Some(Component::Cos),
            [false, true] => Some(Component::Sin),
            _ => None,
        };
        let slots: Vec<usize> = self.marked(extent).filter_map(Cell::slot).collect();
        let claimed = |axis: &AxisLaw| slots.iter().any(|slot| axis.slots().contains(slot));
        let text = |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect());
        let (all_rows, all_heads) = (coordinates.rows(), self.subject.judged().slabs());
        Some(Region {
            positions: None,
            before: None,
            has_axes: true,
            coordinates: [text(rows.first), text(rows.last)],
            rows,
            heads,
            axes: law.axes().iter().filter(|axis| claimed(axis)).map(|axis| axis.name().to_owned()).collect(),
            pairs: self.slots(extent).filter(|_| !kept),
            component,
            of: Shape { rows: all_rows, heads: all_heads, pairs: law.slots() },
        })
    }
}
