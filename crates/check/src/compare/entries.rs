//! Entries of a table, a cache or a rotation of one axis.

use super::{TableComparison, last_place};
use crate::exactness::ComparedEntries;
use crate::extent::Extent;
use crate::subject::Subject;
use crate::totals::GridPlace;
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_numerics::{Interval, Rational};
use std::sync::atomic::AtomicBool;

impl ComparedEntries for TableComparison<'_> {
    fn meaning(&self, place: GridPlace) -> Option<(usize, Component)> {
        let pairs = self.pairs;
        if self.is_rotation() {
            let pair = self.grids[0].pairs[place.column];
            let first = self.wiring.write.get(pair)?.0 == place.column;
            return Some((pair, if first { Component::Cos } else { Component::Sin }));
        }
        let entry = self.grids[place.grid].columns[place.column];
        Some((entry % pairs, if entry < pairs { Component::Cos } else { Component::Sin }))
    }

    fn format(&self, grid: usize) -> Format {
        self.grids[grid].grid.format()
    }

    fn gain(&self) -> f64 {
        self.allowance.gain()
    }

    fn subject(&self) -> Subject<'_> {
        self.subject
    }

    fn reference_error(&self, place: GridPlace, x: &[f64], reference: f64) -> f64 {
        if self.is_rotation() { self.rotation_error(x, place.grid, place.column) } else { last_place(reference) }
    }

    fn faithful(&self) -> &AtomicBool {
        &self.faithful
    }

    fn extents(&self) -> (&Extent, &Extent) {
        (&self.beyond, &self.strange)
    }

    fn enclose(&self, place: GridPlace, x: &[f64], bits: u32) -> Option<Interval> {
        let position = self.position(place.row);
        let entry = |pair, component| self.entries.enclose(position, pair, component, bits);
        if !self.is_rotation() {
            let (pair, component) = self.meaning(place)?;
            return entry(pair, component);
        }
        let Some((pair, component)) = self.meaning(place) else {
            return Some(Interval::exactly(*x.get(place.column)?));
        };
        let &(a, b) = self.wiring.read.get(pair)?;
        let (a, b) = (Interval::exactly(*x.get(a)?), Interval::exactly(*x.get(b)?));
        let (cos, sin) = (entry(pair, Component::Cos)?, entry(pair, Component::Sin)?);
        Some(if component == Component::Cos { a * cos - b * sin } else { a * sin + b * cos })
    }

    fn rational(&self, place: GridPlace, x: &[f64]) -> Option<Rational> {
        let position = self.position(place.row);
        let entry = |pair, component| self.entries.exact(position, pair, component);
        let Some((pair, component)) = self.meaning(place) else { return Rational::from_f64(*x.get(place.column)?) };
        if !self.is_rotation() {
            return entry(pair, component);
        }
        let &(a, b) = self.wiring.read.get(pair)?;
        let (a, b) = (Rational::from_f64(*x.get(a)?)?, Rational::from_f64(*x.get(b)?)?);
        if a.is_zero() && b.is_zero() {
            return Some(a);
        }
        let (cos, sin) = (entry(pair, Component::Cos)?, entry(pair, Component::Sin)?);
        Some(if component == Component::Cos { a * cos - b * sin } else { a * sin + b * cos })
    }
}
