//! Correctly rounded cosines and sines of encodings with several axes, at rows of coordinates.
//!
//! A slot that one axis claims depends on one coordinate only: its entries are those of a table over the distinct coordinates of that
//! axis. Where these lie on a grid, x = first + n·step, and offset and scale are rational, that is the table of a convention of one axis
//! at the positions n, with the offset (first + offset)/step and the scale step·scale, and the fast kernel makes it: once for all axes that
//! have that convention in common. Everything else
//! (multiples of π, ascending, linear or stored frequencies, sums of axes) is enclosed at increasing precision until both ends round alike,
//! after the values that are known exactly have been recognised.
//!
//! Memory grows with the distinct coordinates of each axis times its slots; for slots that several axes share, with rows times slots. Many
//! rows of a grid are filled by way of rows of each axis, which take a quarter of what is filled at most.

mod joined;
mod overlay;
mod parts;
mod runs;
mod shared;
mod sums;

use super::fill::streams;
use super::instructions::Instructions;
use super::{Element, InvalidTable};
use joined::Joined;
use overlay::Overlay;
use parts::{Head, Indexed, Part, Source};
use posproof_encoding::axes::{AxialLaw, AxisLaw, Coordinates};
use posproof_encoding::convention::{Component, Encoding};
use posproof_numerics::Rational;
use posproof_numerics::rounding::nearest;
use rayon::prelude::*;
use shared::OnGrid;
use std::ops::Range;
use std::sync::OnceLock;

/// The table of a convention of axes.
///
/// ```
/// use posproof_encoding::axes::{AxialConvention, Coordinates};
/// use posproof_table::AxialTable;
/// let vision: AxialConvention = serde_json::from_str(
///     r#"{"encoding": "rope", "dim": 16, "axes": [{"name": "h", "pairs": "0..4"}, {"name": "w", "pairs": "4..8"}]}"#,
/// )?;
/// let law = vision.law(|_| unreachable!("no frequencies are stored"))?;
/// let rows: Coordinates = "0 0\n1 2".parse()?;
/// let table = AxialTable::<f32>::new(&law, &rows)?;
/// let (mut cos, mut sin) = ([0.0; 16], [0.0; 16]);
/// table.fill(0, 0..2, &mut cos, &mut sin)?;
/// assert_eq!((cos[8], sin[12]), (0.5403023, 0.9092974)); // cos 1, sin 2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AxialTable<'a, T> {
    law: &'a AxialLaw,
    coordinates: &'a Coordinates,
    heads: Vec<Head<T>>,
}

/// Array that a row is written to.
#[derive(Clone, Copy)]
enum RowArray {
    Cos,
    Sin,
    Joined,
}

impl<'a, T: Element> AxialTable<'a, T> {
    /// Rows times slots of what is written at once, at most: 4 GiB in binary64 with both components.
    pub const MOST_ENTRIES: usize = 1 << 28;

    /// Computes the entries.
    ///
    /// # Errors
    ///
    /// For coordinates of another number of axes, and for entries whose rounding 2^17 bits do not decide.
    pub fn new(law: &'a AxialLaw, coordinates: &'a Coordinates) -> Result<Self, InvalidTable> {
        let (axes, found) = (law.axes().len(), coordinates.axes());
        if axes != found {
            return Err(InvalidTable::Axes { axes, found });
        }
        let heads = (0..law.heads()).map(|head| Self::head(law, coordinates, head)).collect::<Result<_, _>>()?;
        Ok(Self { law, coordinates, heads })
    }

    /// Overlays that rows of the first head are made of: cosines, sines and both, where many were asked for.
    #[cfg(test)]
    pub(super) fn overlays(&self) -> &[OnceLock<Overlay>; 3] {
        &self.heads[0].overlays
    }

    fn head(law: &AxialLaw, coordinates: &Coordinates, head: usize) -> Result<Head<T>, InvalidTable> {
        let claimants =
            |count: usize| (0..law.slots()).filter(|&slot| law.claims(slot).len() == count).collect::<Vec<_>>();
        let (mut parts, mut on_grids) = (Vec::new(), Vec::new());
        for (number, axis) in law.axes().iter().enumerate() {
            let alone: Vec<usize> =
                (0..axis.slots().len()).filter(|&at| law.claims(axis.slots()[at]).len() == 1).collect();
            if alone.is_empty() {
                continue;
            }
            match OnGrid::new((number, axis), &alone, coordinates) {
                Some(on_grid) => on_grids.push(on_grid),
                None => parts.push(Self::of_axis((law, head), (number, axis), &alone, coordinates)?),
            }
        }
        parts.extend(OnGrid::parts(on_grids)?);
        let free = claimants(0);
        if !free.is_empty() {
            let here = vec![Rational::ZERO; law.axes().len()];
            parts.push(Self::enclosed((law, head), free, Indexed::Alike, &[(0, here)])?);
        }
        let shared: Vec<usize> = (0..law.slots()).filter(|&slot| law.claims(slot).len() > 1).collect();
        if !shared.is_empty() {
            parts.push(sums::part((law, head), shared, coordinates)?);
        }
        Ok(Head { parts, joined: OnceLock::new(), overlays: Default::default() })
    }

    /// The slots of an axis that it alone claims, given by their numbers among the axis's, from enclosures.
    fn of_axis(
        (law, head): (&AxialLaw, usize),
        (number, axis): (usize, &AxisLaw),
        alone: &[usize],
        coordinates: &Coordinates,
    ) -> Result<Part<T>, InvalidTable> {
        let slots: Vec<usize> = alone.iter().map(|&at| axis.slots()[at]).collect();
        let row = |x: &Rational| {
            let mut row = vec![Rational::ZERO; law.axes().len()];
            row[number] = x.clone();
            row
        };
        let distinct = coordinates.distinct(number);
        let rows: Vec<(usize, Vec<Rational>)> = distinct.iter().map(row).enumerate().collect();
        Self::enclosed((law, head), slots, Indexed::Axis(number), &rows)
    }

    /// Slots in rows of these coordinates, from enclosures.
    fn enclosed(
        (law, head): (&AxialLaw, usize),
        slots: Vec<usize>,
        rows: Indexed,
        coordinates: &[(usize, Vec<Rational>)],
    ) -> Result<Part<T>, InvalidTable> {
        let entry = |component: Component| {
            let one = |task: usize| {
                let ((row, coordinates), slot) = (&coordinates[task / slots.len()], slots[task % slots.len()]);
                nearest(T::FORMAT, |bits| law.enclose(head, slot, coordinates, component, bits))
                    .map(T::from_exact)
                    .ok_or(InvalidTable::UndecidedSlot { row: *row, slot })
            };
            (0..coordinates.len() * slots.len()).into_par_iter().map(one).collect::<Result<Vec<T>, _>>()
        };
        let (cos, sin) = (entry(Component::Cos)?, entry(Component::Sin)?);
        Ok(Part::new(slots, rows, cos, sin))
    }

    /// The encoding.
    pub fn law(&self) -> &'a AxialLaw {
        self.law
    }

    /// Coordinates of the rows.
    pub fn coordinates(&self) -> &'a Coordinates {
        self.coordinates
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.coordinates.rows()
    }

    /// The number of slots of a row.
    pub fn slots(&self) -> usize {
        self.law.slots()
    }

    /// The cosines and the sines of some rows of a head, \[rows, slots\] each. A row without a position is left alone by a rotation,
    /// cosine 1 and sine 0, and is zero in a sinusoid. A head beyond the last has the frequencies of the head modulo their number.
    ///
    /// # Errors
    ///
    /// For rows beyond the last, and for buffers of another length.
    pub fn fill(&self, head: usize, rows: Range<usize>, cos: &mut [T], sin: &mut [T]) -> Result<(), InvalidTable> {
        let slots = self.slots();
        self.require(&rows, slots, &[cos.len(), sin.len()])?;
        let alone = if self.law.convention().encoding == Encoding::Rope { T::from_exact(1.0) } else { T::default() };
        let head = &self.heads[head % self.heads.len()];
        let cosines: Vec<_> = head.parts.iter().map(|part| part.source(&part.cos)).collect();
        let sines: Vec<_> = head.parts.iter().map(|part| part.source(&part.sin)).collect();
        let stream = streams(2 * size_of_val(cos));
        self.put(rows.clone(), (cos, slots, alone), (head, RowArray::Cos), &cosines, stream);
        self.put(rows, (sin, slots, T::default()), (head, RowArray::Sin), &sines, stream);
        Ok(())
    }

    /// Refuses rows beyond the last, and buffers of other lengths than that of these rows of `width` entries.
    fn require(&self, rows: &Range<usize>, width: usize, lengths: &[usize]) -> Result<(), InvalidTable> {
        if rows.start > rows.end || rows.end > self.rows() {
            return Err(InvalidTable::Rows { start: rows.start, end: rows.end, rows: self.rows() });
        }
        let expected = rows.len() * width;
        match lengths.iter().find(|&&found| found != expected) {
            Some(&found) => Err(InvalidTable::Buffer { found, expected }),
            None => Ok(()),
        }
    }

    /// Writes rows of `width` entries, of each part its own where its runs say; rows without a position are `alone`.
    fn put(
        &self,
        rows: Range<usize>,
        (out, width, alone): (&mut [T], usize, T),
        (head, array): (&Head<T>, RowArray),
        own: &[Source<'_, T>],
        stream: bool,
    ) {
        if Overlay::is_worthwhile(rows.len(), &head.parts, self.coordinates) {
            let make = || Overlay::new((width, alone), &head.parts, own, self.coordinates);
            let overlay = head.overlays[array as usize].get_or_init(make);
            let out = bytemuck::cast_slice_mut(out);
            return overlay.fill(Instructions::detect(), (rows, self.coordinates), out, stream);
        }
        for (row, out) in rows.zip(out.chunks_exact_mut(width)) {
            if self.coordinates.place(row, 0).is_none() {
                out.fill(alone);
                continue;
            }
            for (part, own) in head.parts.iter().zip(own) {
                let index = match part.rows {
                    Indexed::Axis(axis) => self.coordinates.place(row, axis).unwrap_or(0),
                    Indexed::Row => row,
                    Indexed::Alike => 0,
                };
                own.put(index, out);
            }
        }
    }

    /// Some rows of a head as they are added, \[rows, dim\]: the sine and the cosine of a slot where the convention puts them, zero where
    /// it puts none.
    ///
    /// # Errors
    ///
    /// For rows beyond the last, and for buffers of another length.
    pub fn fill_joined(&self, head: usize, rows: Range<usize>, out: &mut [T]) -> Result<(), InvalidTable> {
        let dim = self.law.convention().dim;
        self.require(&rows, dim, &[out.len()])?;
        if 2 * self.law.turns().len() < dim {
            out.fill(T::default());
        }
        let head = &self.heads[head % self.heads.len()];
        let joined = head.joined.get_or_init(|| {
            head.parts.iter().map(|part| Joined::new(self.law, &part.slots, (&part.sin, &part.cos))).collect()
        });
        let own: Vec<_> =
            joined.iter().map(|Joined { entries, count, runs }| Source { entries, count: *count, runs }).collect();
        let stream = streams(size_of_val(out));
        self.put(rows, (out, dim, T::default()), (head, RowArray::Joined), &own, stream);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::bf16;
    use posproof_encoding::axes::AxialConvention;

    fn law(json: &str) -> AxialLaw {
        let convention: AxialConvention = serde_json::from_str(json).unwrap();
        convention.law(|_| Err("none".into())).unwrap()
    }

    /// Every entry is the rounding of its own enclosure, whichever way it was computed.
    fn agrees<T: Element>(law: &AxialLaw, coordinates: &Coordinates) {
        let table = AxialTable::<T>::new(law, coordinates).unwrap();
        let (rows, slots) = (coordinates.rows(), law.slots());
        let (mut cos, mut sin) = (vec![T::default(); rows * slots], vec![T::default(); rows * slots]);
        table.fill(0, 0..rows, &mut cos, &mut sin).unwrap();
        for row in 0..rows {
            let Some(here) = coordinates.row(row) else { continue };
            for slot in 0..slots {
                for (found, component) in
                    [(cos[row * slots + slot], Component::Cos), (sin[row * slots + slot], Component::Sin)]
                {
                    let exact = nearest(T::FORMAT, |bits| law.enclose(0, slot, &here, component, bits)).unwrap();
                    assert_eq!(found.to_f64().to_bits(), exact.to_bits(), "row {row}, slot {slot}, {component:?}");
                }
            }
        }
    }

    #[test]
    fn both_ways_give_the_same_entries() {
        let plain = law(r#"{"encoding": "rope", "dim": 16, "position_offset": "1/3", "axes": [
            {"name": "h", "pairs": "0..4", "position_scale": "16/24", "amplitude": "0.75"},
            {"name": "w", "pairs": "4..8", "direction": "clockwise", "scaling": {"type": "ntk", "factor": 2}}]}"#);
        let rows: Coordinates = "0 0\n5 -7\n1/4 2.5\n100000 3\nnan nan\n-1/3 9".parse().unwrap();
        assert!(plain.axes().iter().enumerate().all(|(a, axis)| OnGrid::new((a, axis), &[0], &rows).is_some()));
        agrees::<f64>(&plain, &rows);
        agrees::<f32>(&plain, &rows);
        agrees::<bf16>(&plain, &rows);
    }

    /// Frequencies that ascend, that are more than their dimension has pairs, or of an odd dimension are tabulated like others.
    #[test]
    fn runs_of_frequencies_have_a_table() {
        let rows: Coordinates = "0\n5\n1/4\n100000\n-1/3\n131071".parse().unwrap();
        for axis in [
            r#""base": "1/10000""#,
            r#""base": "1/100", "frequency_dim": 8, "frequency_origin": 1"#,
            r#""frequency_dim": 8"#,
            r#""frequency_dim": 15, "index": "1..17:2", "position_scale": "2/3", "direction": "clockwise""#,
        ] {
            let json =
                format!(r#"{{"encoding": "rope", "dim": 16, "axes": [{{"name": "h", "pairs": "0..8", {axis}}}]}}"#);
            let law = law(&json);
            assert!(law.axes()[0].one_axis().is_none() && OnGrid::new((0, &law.axes()[0]), &[0], &rows).is_some());
            agrees::<f64>(&law, &rows);
            agrees::<f32>(&law, &rows);
        }
    }

    /// Slots that two axes claim, or three, with an amplitude and opposite directions, where sums are large, and where irrational angles
    /// cancel.
    #[test]
    fn sums_of_axes_are_correctly_rounded() {
        let rows: Coordinates =
            "0 0 0\n5 -7 1\n1/4 2.5 3\n1e5 3 -99999\nnan nan nan\n-1/3 9 2\n7 7 0\n8 8 3\n1e9 1 1\n3 1e-9 2"
                .parse()
                .unwrap();
        for rest in [r#""base": 100"#, r#""base": "1/7", "amplitude": "sqrt(2/512)""#, r#""amplitude": "-3/4""#] {
            let law = law(&format!(
                r#"{{"encoding": "rope", "dim": 20, {rest}, "axes": [{{"name": "t", "pairs": "0..10", "index": "pairs", "shared": true}},
                {{"name": "h", "pairs": "0..10", "index": "pairs", "shared": true, "direction": "clockwise"}},
                {{"name": "w", "pairs": "3..9", "index": "pairs", "shared": true, "position_scale": "1/3*pi"}}]}}"#
            ));
            agrees::<f64>(&law, &rows);
            agrees::<f32>(&law, &rows);
            agrees::<bf16>(&law, &rows);
        }
    }

    /// Rows of a grid that follow each other share coordinates; every run of rows has the entries that its rows have alone.
    #[test]
    fn rows_are_the_same_whichever_are_asked_for_together() {
        let rows: Coordinates = "0 0 0\n0 0 1\n0 1 0\nnan nan nan\n0 1 0\n0 1 1\n1 1 1\n1 0 0".parse().unwrap();
        let axes =
            r#"[{"name": "t", "pairs": "0..9:3"}, {"name": "h", "pairs": "1..9:3"}, {"name": "w", "pairs": "2..9:3"}]"#;
        for rest in [r#""encoding": "rope", "layout": "halves""#, r#""encoding": "sinusoid", "layout": "interleaved""#]
        {
            let law = law(&format!(r#"{{{rest}, "dim": 18, "axes": {axes}}}"#));
            let table = AxialTable::<f32>::new(&law, &rows).unwrap();
            let (mut cos, mut sin, mut whole) = ([9.0; 72], [9.0; 72], [9.0; 144]);
            table.fill(0, 0..8, &mut cos, &mut sin).unwrap();
            table.fill_joined(0, 0..8, &mut whole).unwrap();
            for row in 0..8 {
                let (mut one, mut other, mut joined) = ([9.0; 9], [9.0; 9], [9.0; 18]);
                table.fill(0, row..row + 1, &mut one, &mut other).unwrap();
                table.fill_joined(0, row..row + 1, &mut joined).unwrap();
                assert_eq!((&cos[9 * row..][..9], &sin[9 * row..][..9]), (&one[..], &other[..]), "{rest}: {row}");
                assert_eq!(whole[18 * row..][..18], joined, "{rest}: {row}");
                let placed = f32::from(u8::from(rows.place(row, 0).is_some()));
                for turn in law.turns() {
                    let expected = [other, one].map(|part| placed * part[turn.slots.0]);
                    assert_eq!([joined[turn.write.0], joined[turn.write.1]], expected, "{rest}: {row}");
                }
            }
        }
    }

    #[test]
    fn multiples_of_pi_are_exact_where_they_are_known() {
        let normalised = law(
            r#"{"encoding": "rope", "dim": 4, "axes": [{"name": "h", "pairs": "0..2", "frequency_dim": 2, "position_scale": "1/2*pi",
            "index": "0..2", "base": "1/4"}]}"#,
        );
        // Frequencies 1 and 4: angles of whole quarters of a turn.
        let rows: Coordinates = "0\n1\n2\n3\n-1\n1/3".parse().unwrap();
        let table = AxialTable::<f64>::new(&normalised, &rows).unwrap();
        let (mut cos, mut sin) = ([0.0; 12], [0.0; 12]);
        table.fill(0, 0..6, &mut cos, &mut sin).unwrap();
        assert_eq!([cos[0], cos[2], cos[4], cos[6], cos[8]], [1.0, 0.0, -1.0, 0.0, 0.0]);
        assert_eq!([sin[0], sin[2], sin[4], sin[6], sin[8]], [0.0, 1.0, 0.0, -1.0, -1.0]);
        assert_eq!((cos[3], sin[3], sin[10]), (1.0, 0.0, 0.5));
        assert_eq!((cos[11], sin[11]), (-0.5, 0.75f64.sqrt()));
    }

    #[test]
    fn a_row_without_a_position_is_left_alone() {
        let rows: Coordinates = "nan\n1".parse().unwrap();
        for (encoding, expected) in [("rope", 1.0), ("sinusoid", 0.0)] {
            let law = law(&format!(r#"{{"encoding": "{encoding}", "dim": 2, "amplitude": 3}}"#));
            let table = AxialTable::<f32>::new(&law, &rows).unwrap();
            let (mut cos, mut sin) = ([9.0], [9.0]);
            table.fill(0, 0..1, &mut cos, &mut sin).unwrap();
            assert_eq!((cos, sin), ([expected], [0.0]), "{encoding}");
        }
        let law = law(r#"{"encoding": "rope", "dim": 2}"#);
        assert!(AxialTable::<f32>::new(&law, &"1 2".parse().unwrap()).is_err());
    }
}
