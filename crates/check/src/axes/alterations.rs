//! Conventions of axes and coordinates as mistakes make them, the simplest first.

mod arrangement;
mod fields;

use super::row_coordinates::RowCoordinates;
use crate::faults::*;
use posproof_encoding::axes::{
    AxialConvention, AxialLaw, AxialLayout, Axis, AxisLaw, AxisParameters, Coordinates, Ranges,
};
use posproof_encoding::convention::{Direction, Encoding, Order};
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use serde_json::{Value, json};
use std::rc::Rc;

/// Another convention, or other coordinates, that every entry may follow.
#[derive(Clone)]
pub(super) struct Alteration<'a> {
    pub fault: &'static Fault,
    pub cause: Cause,
    pub convention: AxialConvention,
    pub placement: RowCoordinates<'a>,
    /// True of the stated coordinates at a lower precision.
    pub degraded: bool,
}

impl Alteration<'static> {
    /// Another convention at the stated coordinates.
    pub fn of_law(
        fault: &'static Fault,
        cause: impl Into<Cause>,
        convention: AxialConvention,
        stated: &Coordinates,
    ) -> Self {
        Self {
            fault,
            cause: cause.into(),
            convention,
            placement: RowCoordinates::Whole(stated.clone()),
            degraded: false,
        }
    }
}

/// Axes whose orders are tried.
const MOST_AXES: usize = 4;

/// Alterations that are made together.
enum AlterationStep {
    Whole,
    Columns,
    Shift(i64),
    Rows,
    Rounded,
    Fields(Vec<usize>),
    Arrangements,
}

/// Rows that are shifted from one on, at least.
const LEAST_SHIFTED: usize = 4;

/// The alterations of a convention whose axes are all stated, at coordinates that have a column for each.
pub(super) struct Alterations<'a> {
    law: &'a AxialLaw,
    convention: AxialConvention,
    coordinates: &'a Coordinates,
    found: Vec<Alteration<'a>>,
}

impl<'a> Alterations<'a> {
    /// All of them, one after the other. `beyond` are the rows with an entry beyond its bound.
    pub fn of(
        law: &'a AxialLaw,
        coordinates: &'a Coordinates,
        (beyond, compute): (&'a [usize], Format),
    ) -> impl Iterator<Item = Alteration<'a>> + use<'a> {
        let mut convention = law.convention().clone();
        if convention.axes.is_empty() {
            let axis = |axis: &AxisLaw| Some(Axis::new(axis.name(), Ranges::of(axis.slots())?));
            convention.axes = law.axes().iter().filter_map(axis).collect();
        }
        let mut all = Self { law, convention, coordinates, found: Vec::new() };
        let axes = law.axes().len();
        let shifts = (1..=MOST_ROWS).flat_map(|by| [by, -by]).map(AlterationStep::Shift);
        // All axes at once before one of them: one mistake before several.
        let together: Vec<usize> = (0..axes).collect();
        let each = (0..axes).map(|axis| vec![axis]).filter(move |_| axes > 1);
        let fields = std::iter::once(together).chain(each).map(AlterationStep::Fields);
        let steps = [AlterationStep::Whole, AlterationStep::Columns].into_iter().chain(shifts);
        let steps = steps.chain([AlterationStep::Rows, AlterationStep::Rounded]).chain(fields);
        steps.chain([AlterationStep::Arrangements]).flat_map(move |step| {
            match step {
                AlterationStep::Whole => all.whole(),
                AlterationStep::Columns => all.columns(),
                AlterationStep::Shift(by) => {
                    all.shifted(by);
                    all.shifted_from(by, beyond);
                }
                AlterationStep::Rows => all.rows(beyond),
                AlterationStep::Rounded => all.rounded(compute),
                AlterationStep::Fields(axes) => all.fields(&axes),
                AlterationStep::Arrangements => all.arrangements(),
            }
            std::mem::take(&mut all.found)
        })
    }

    /// Another convention.
    fn push(&mut self, fault: &'static Fault, cause: AxesCause, convention: AxialConvention) {
        self.found.push(Alteration::of_law(fault, cause, convention, self.coordinates));
    }

    /// Other coordinates.
    fn place(&mut self, fault: &'static Fault, cause: AxesCause, placement: RowCoordinates<'a>) {
        let convention = self.convention.clone();
        self.found.push(Alteration { fault, cause: cause.into(), convention, placement, degraded: false });
    }

    fn name(&self, axis: usize) -> String {
        self.convention.axes[axis].name.clone()
    }

    /// Fields of the whole convention.
    fn whole(&mut self) {
        let stated = &self.convention;
        let (layout, parameters) = (stated.layout, &stated.parameters);
        let direction = parameters.direction.unwrap_or_default();
        let order = parameters.order.unwrap_or_default();
        let mut other = Vec::new();
        let field =
            |field, expected: Value, found: Value| AxesCause::Field { field, axes: Vec::new(), expected, found };
        for found in
            [AxialLayout::Interleaved, AxialLayout::Halves, AxialLayout::AxisHalves, AxialLayout::InterleavedToHalves]
        {
            if found != layout {
                let cause = field("layout", json!(layout), json!(found));
                other.push((&LAYOUT, cause, AxialConvention { layout: found, ..stated.clone() }));
            }
        }
        let (turned, name) = match direction {
            Direction::Clockwise => (Direction::CounterClockwise, ["clockwise", "counter-clockwise"]),
            Direction::CounterClockwise => (Direction::Clockwise, ["counter-clockwise", "clockwise"]),
        };
        let cause = field("direction", name[0].into(), name[1].into());
        let parameters = AxisParameters { direction: Some(turned), ..parameters.clone() };
        other.push((&DIRECTION, cause, AxialConvention { parameters, ..stated.clone() }));
        if stated.encoding == Encoding::Sinusoid {
            let (swapped, name) = match order {
                Order::SinCos => (Order::CosSin, ["sin-cos", "cos-sin"]),
                Order::CosSin => (Order::SinCos, ["cos-sin", "sin-cos"]),
            };
            let cause = field("order", name[0].into(), name[1].into());
            let parameters = AxisParameters { order: Some(swapped), ..stated.parameters.clone() };
            other.push((&ORDER, cause, AxialConvention { parameters, ..stated.clone() }));
        }
        for (fault, cause, convention) in other {
            self.push(fault, cause, convention);
        }
    }

    /// Axes that turn by the coordinates of others, or not at all.
    fn columns(&mut self) {
        let axes = self.convention.axes.len();
        let mut orders = if axes <= MOST_AXES { permutations(axes) } else { Vec::new() };
        // Two axes exchanged before more.
        orders.sort_by_key(|order| (0..axes).filter(|&axis| order[axis] != axis).count());
        for order in orders.into_iter().filter(|order| (0..axes).any(|axis| order[axis] != axis)) {
            let moved = (0..axes).filter(|&axis| order[axis] != axis);
            let (names, follow) = moved.map(|axis| (self.name(axis), self.name(order[axis]))).unzip();
            if let Some(coordinates) = self.coordinates.with_columns(&order) {
                let cause = AxesCause::Exchanged { axes: names, follow };
                self.place(&COORDINATES_EXCHANGED, cause, RowCoordinates::Whole(coordinates));
            }
        }
        self.numbered();
        // Sections that are lost: all axes turn by one.
        for other in (0..axes).filter(|_| axes > 2) {
            if let Some(coordinates) = self.coordinates.with_columns(&vec![other; axes]) {
                let lost = (0..axes).filter(|&axis| axis != other).map(|axis| self.name(axis)).collect();
                let cause = AxesCause::Lost { axes: lost, follows: Some(self.name(other)) };
                self.place(&AXIS_LOST, cause, RowCoordinates::Whole(coordinates));
            }
        }
        for axis in 0..axes {
            for other in (0..axes).filter(|&other| other != axis) {
                let mut order: Vec<usize> = (0..axes).collect();
                order[axis] = other;
                if let Some(coordinates) = self.coordinates.with_columns(&order) {
                    let cause = AxesCause::Lost { axes: vec![self.name(axis)], follows: Some(self.name(other)) };
                    self.place(&AXIS_LOST, cause, RowCoordinates::Whole(coordinates));
                }
            }
            // A single axis that stands still is told as one axis tells it.
            let still = self.coordinates.mapped(axis, |_| Some(Rational::ZERO)).filter(|_| axes > 1);
            if let Some(coordinates) = still {
                let cause = AxesCause::Lost { axes: vec![self.name(axis)], follows: None };
                self.place(&AXIS_LOST, cause, RowCoordinates::Whole(coordinates));
            }
        }
    }

    /// Axes that turn by the number of the row, as text does: from 0 on, or from the first row's coordinate.
    fn numbered(&mut self) {
        let (axes, rows) = (self.convention.axes.len(), self.coordinates.rows());
        let start = (0..rows).find_map(|row| self.coordinates.get(row, 0)).and_then(Rational::to_u64);
        // As far as binary64 counts.
        let firsts = [Some(0), start.filter(|start| (1..1 << 53).contains(start))];
        // Rows of text are numbered anyway: where each number is theirs is asked of rows.
        let several =
            (1..axes).any(|axis| (0..rows).any(|row| self.coordinates.get(row, axis) != self.coordinates.get(row, 0)));
        for first in firsts.into_iter().flatten().filter(|_| several) {
            let stated = self.coordinates;
            let length = stated.length();
            let number = move |row| stated.place(row, 0).map_or(f64::NAN, |_| first as f64 + (row % length) as f64);
            let numbered = move |rows: &[usize]| {
                let numbers: Vec<f64> = rows.iter().flat_map(|&row| vec![number(row); axes]).collect();
                let made = Coordinates::from_floats(&numbers, axes).ok()?;
                if made.rows() == stated.rows() { made.in_sequences(stated.sequences()).ok() } else { Some(made) }
            };
            let cause = AxesCause::Numbered { axes: (0..axes).map(|axis| self.name(axis)).collect(), first };
            self.place(&AXIS_LOST, cause, RowCoordinates::Made(rows, Rc::new(numbered)));
        }
    }

    /// Coordinates in narrower formats than angles are computed in: those of all axes, or of one.
    fn rounded(&mut self, compute: Format) {
        let axes = self.convention.axes.len();
        let each = (0..axes).map(|axis| vec![axis]).filter(|_| axes > 1);
        for axes in std::iter::once((0..axes).collect::<Vec<usize>>()).chain(each) {
            for format in [Format::F32, Format::F16, Format::Bf16] {
                let narrower = format.precision() < compute.precision();
                let rounded = |x: &Rational| {
                    let nearest = format.round(x.to_f64());
                    Rational::from_f64(nearest.clamp(-format.max_finite(), format.max_finite()))
                };
                let all = axes.iter().try_fold(self.coordinates.clone(), |all, &axis| all.mapped(axis, rounded));
                let Some(coordinates) = all else { continue };
                if narrower && coordinates != *self.coordinates {
                    // Of coordinates that the format holds nothing shows.
                    let moved = |axis: &&usize| coordinates.distinct(**axis) != self.coordinates.distinct(**axis);
                    let names = axes.iter().filter(moved).map(|&axis| self.name(axis)).collect();
                    let cause = AxesCause::Rounded { what: "coordinates", axes: names, format, stated: compute };
                    let (convention, placement) = (self.convention.clone(), RowCoordinates::Whole(coordinates));
                    let fault = &LOW_PRECISION_POSITIONS;
                    self.found.push(Alteration { fault, cause: cause.into(), convention, placement, degraded: true });
                }
            }
        }
    }

    /// Every row that of one.
    fn constant(&mut self, row: &[Rational]) {
        if let Some((coordinates, cause)) = constant(self.coordinates, row) {
            self.place(&CONSTANT_ROWS, cause, RowCoordinates::Whole(coordinates));
        }
    }

    /// Every row that of another one.
    fn shifted(&mut self, by: i64) {
        let rows = self.coordinates.rows();
        if by.unsigned_abs() >= rows as u64 {
            return;
        }
        let row = |row: usize| i64::try_from(row).unwrap_or(i64::MAX);
        let from = move |i: usize| usize::try_from(row(i) - by).ok().filter(|&from| from < rows);
        let last = if by > 0 { 0 } else { rows - 1 };
        let around = move |i: usize| usize::try_from((row(i) - by).rem_euclid(row(rows))).ok();
        let ends: [(&'static str, RowCoordinates<'a>); 3] = [
            ("without a position at the end", RowCoordinates::of_rows(self.coordinates, from)),
            ("the end repeated", RowCoordinates::of_rows(self.coordinates, move |i| from(i).or(Some(last)))),
            (AT_THE_END, RowCoordinates::of_rows(self.coordinates, around)),
        ];
        for (ends, placement) in ends {
            self.place(&ROW_SHIFT, AxesCause::Shifted { rows: by, ends }, placement);
        }
    }

    /// Every row from the first one beyond its bound on that of another one.
    fn shifted_from(&mut self, by: i64, beyond: &[usize]) {
        let rows = self.coordinates.rows();
        // Of fewer rows another one is as likely.
        let Some(&from) = beyond.first().filter(|from| **from > 0 && **from + LEAST_SHIFTED <= rows) else { return };
        let row = move |row: usize| {
            let other = i64::try_from(row).ok()?.checked_sub(by)?;
            usize::try_from(other).ok().filter(|other| row >= from && *other < rows).or(Some(row))
        };
        let placement = RowCoordinates::of_rows(self.coordinates, row);
        self.place(&ROW_SHIFT, AxesCause::ShiftedFrom { from, rows: by }, placement);
    }

    /// Rows that are those of one, and rows with or without a position.
    fn rows(&mut self, beyond: &[usize]) {
        let rows = self.coordinates.rows();
        let placed = |row: &usize| self.coordinates.place(*row, 0).is_some();
        let origin = vec![Rational::ZERO; self.convention.axes.len()];
        for row in [Some(origin), (0..rows).find_map(|row| self.coordinates.row(row))].into_iter().flatten() {
            self.constant(&row);
        }
        let beyond: Vec<usize> = beyond.iter().copied().filter(placed).collect();
        // All of them where others stand, and the longest of the stretches that follow each other: other rows may depart for themselves.
        let longest = beyond.chunk_by(|one, next| one + 1 == *next).max_by_key(|stretch| stretch.len());
        for unplaced in
            [Some(&beyond[..]), longest.filter(|stretch| stretch.len() < beyond.len())].into_iter().flatten()
        {
            let others = (0..rows).any(|row| placed(&row) && unplaced.binary_search(&row).is_err());
            let Some(span) = Span::of(unplaced.iter().copied()).filter(|_| others) else { continue };
            let unplaced = unplaced.to_vec();
            let from = move |row: usize| unplaced.binary_search(&row).is_err().then_some(row);
            let placement = RowCoordinates::of_rows(self.coordinates, from);
            self.place(&NULL_ROW, AxesCause::Null { rows: span, unplaced: true }, placement);
        }
        if let Some(span) = Span::of((0..rows).filter(|row| !placed(row))) {
            let coordinates = self.coordinates.filled(&vec![Rational::ZERO; self.convention.axes.len()]);
            let cause = AxesCause::Null { rows: span, unplaced: false };
            self.place(&NULL_ROW, cause, RowCoordinates::Whole(coordinates));
        }
    }
}

/// Every row with a position is that of one row of coordinates, which is not the stated one of all of them.
pub(super) fn constant(stated: &Coordinates, row: &[Rational]) -> Option<(Coordinates, AxesCause)> {
    let still =
        row.iter().enumerate().try_fold(stated.clone(), |still, (axis, x)| still.mapped(axis, |_| Some(x.clone())));
    let coordinates = still.filter(|still| still != stated)?;
    Some((coordinates, AxesCause::OneRow { coordinates: row.iter().map(ToString::to_string).collect() }))
}

/// Every order of so many things.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..count)
                .filter(|next| !order.contains(next))
                .map(|next| [&order[..], &[next]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_occurs_once() {
        let mut all = permutations(4);
        all.sort();
        all.dedup();
        assert_eq!((all.len(), permutations(0)), (24, vec![vec![]]));
        assert!(all.iter().all(|order| (0..4).all(|i| order.contains(&i))));
    }
}
