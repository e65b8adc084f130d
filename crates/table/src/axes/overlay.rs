//! Rows of a grid, each made of one row of every axis.
//!
//! Of every coordinate of an axis there is a row as wide as a table's, whose entries stand in the slots of the axis, all bits zero in the
//! others. A row of the table has the bits of one row of each axis together: whole lines are read, joined and stored, whatever
//! the arrangement of the slots, and where the table is larger than the caches they are stored past them, as those of one axis are.

use super::parts::{Indexed, Part, Source};
use crate::Element;
use crate::instructions::Instructions;
use crate::isa::Isa;
use crate::line::Line;
use crate::simd::{Available, Work, dispatch};
use posproof_encoding::axes::Coordinates;
use std::ops::Range;

/// Axes whose rows are laid over one another at most.
const MOST_AXES: usize = 4;

/// Rows of a table for each row of an axis, at least: making these has to be worth its while, and they take memory.
const LEAST_USES: usize = 4;

/// The rows of an axis.
struct Layer {
    axis: usize,
    /// As many for each coordinate, and after the last one for what has no position.
    lines: Vec<Line>,
    last: u32,
}

/// The rows of all axes.
pub struct Overlay {
    layers: Vec<Layer>,
    /// Lines of a row, the last of them perhaps not whole, and the row's bytes.
    lines: usize,
    bytes: usize,
}

impl Overlay {
    /// True if so many rows are to be made in this way.
    pub fn is_worthwhile<T>(rows: usize, parts: &[Part<T>], coordinates: &Coordinates) -> bool {
        let (mut axes, mut own) = (0, 0);
        for part in parts {
            match part.rows {
                Indexed::Axis(axis) => (axes, own) = (axes + 1, own + coordinates.distinct(axis).len() + 1),
                Indexed::Row => return false,
                Indexed::Alike => {}
            }
        }
        (1..=MOST_AXES).contains(&axes) && LEAST_USES * own <= rows
    }

    /// Of parts that are numbered by axes, or the same in every row. A row of `width` entries without a position is `alone`.
    pub fn new<T: Element>(
        (width, alone): (usize, T),
        parts: &[Part<T>],
        own: &[Source<'_, T>],
        coordinates: &Coordinates,
    ) -> Self {
        let bytes = width * size_of::<T>();
        let lines = bytes.div_ceil(size_of::<Line>());
        let mut layers: Vec<Layer> = Vec::new();
        for (part, source) in parts.iter().zip(own) {
            let Indexed::Axis(axis) = part.rows else { continue };
            let count = coordinates.distinct(axis).len();
            let mut layer = vec![Line([0; 64]); (count + 1) * lines];
            for (index, row) in layer.chunks_exact_mut(lines).enumerate() {
                let row = &mut bytemuck::cast_slice_mut::<Line, T>(row)[..width];
                if index < count {
                    source.put(index, row);
                    let alike = parts.iter().zip(own).filter(|(part, _)| matches!(part.rows, Indexed::Alike));
                    alike.filter(|_| layers.is_empty()).for_each(|(_, source)| source.put(0, row));
                } else if layers.is_empty() {
                    row.fill(alone);
                }
            }
            layers.push(Layer { axis, lines: layer, last: count as u32 });
        }
        Self { layers, lines, bytes }
    }

    /// Writes rows, past the caches if it is said.
    pub fn fill(
        &self,
        instructions: Instructions,
        (rows, coordinates): (Range<usize>, &Coordinates),
        out: &mut [u8],
        stream: bool,
    ) {
        let layers: Vec<Placed<'_>> = self
            .layers
            .iter()
            .map(|layer| (&layer.lines[..], &coordinates.places(layer.axis)[rows.clone()], layer.last))
            .collect();
        let work = Joining { layers: &layers, lines: self.lines, bytes: self.bytes, out, stream };
        dispatch(Available::new(instructions), work);
    }
}

/// The rows of an axis, the number of that of each row of the table, and the last number.
type Placed<'a> = (&'a [Line], &'a [u32], u32);

/// Joins rows line by line.
struct Joining<'a> {
    layers: &'a [Placed<'a>],
    lines: usize,
    bytes: usize,
    out: &'a mut [u8],
    stream: bool,
}

impl Work for Joining<'_> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        match *self.layers {
            [a] => self.of(isa, [a]),
            [a, b] => self.of(isa, [a, b]),
            [a, b, c] => self.of(isa, [a, b, c]),
            [a, b, c, d, ..] => self.of(isa, [a, b, c, d]),
            [] => {}
        }
    }
}

impl Joining<'_> {
    #[inline(always)]
    fn of<I: Isa, const AXES: usize>(self, isa: I, layers: [Placed<'_>; AXES]) {
        let Self { lines, bytes, out, stream, .. } = self;
        let rows = JoinedRows { layers, lines, bytes };
        // How far the beginning lies beyond that of a line.
        let beyond = (LINE - out.as_ptr().align_offset(LINE) % LINE) % LINE;
        match (stream, beyond == 0 && bytes.is_multiple_of(LINE)) {
            (false, _) => rows.store(0, out, |to, line| *to = line.0),
            (true, true) => rows.store(0, out, |to, line| isa.stream(to, &line)),
            (true, false) => rows.stage(isa, out, beyond),
        }
    }
}

/// Bytes of a line.
const LINE: usize = size_of::<Line>();

/// Bytes of a stage, about: two take a quarter of a first-level cache of 32 KiB.
const STAGE: usize = 1 << 12;

/// Rows to be joined.
struct JoinedRows<'a, const AXES: usize> {
    layers: [Placed<'a>; AXES],
    lines: usize,
    bytes: usize,
}

impl<const AXES: usize> JoinedRows<'_, AXES> {
    /// Parts that a row is made of.
    #[inline(always)]
    fn own(&self, row: usize) -> [&[Line]; AXES] {
        self.layers.map(|(lines, places, last)| {
            let at = places[row].min(last) as usize;
            &lines[at * self.lines..][..self.lines]
        })
    }

    /// Writes rows from this one on.
    #[inline(always)]
    fn store(&self, first: usize, out: &mut [u8], store: impl Fn(&mut [u8; LINE], Line)) {
        for (row, out) in (first..).zip(out.chunks_exact_mut(self.bytes)) {
            let own = self.own(row);
            let (whole, rest) = out.as_chunks_mut();
            for (i, to) in whole.iter_mut().enumerate() {
                store(to, joined(own.map(|own| &own[i])));
            }
            if !rest.is_empty() {
                let last = joined(own.map(|own| &own[self.lines - 1]));
                rest.copy_from_slice(&last.0[..rest.len()]);
            }
        }
    }

    /// Writes rows past the caches where theirs are not the lines of `out`, which begins so many bytes beyond the beginning of one: they are put
    /// together in a stage, whose lines leave while the next is filled.
    #[inline(always)]
    fn stage<I: Isa>(&self, isa: I, out: &mut [u8], beyond: usize) {
        // The fewest rows that are whole lines, as often as a stage holds them.
        let least = LINE >> self.bytes.trailing_zeros().min(LINE.trailing_zeros());
        let count = least * (STAGE / (least * self.bytes)).max(1);
        let (block, lines) = (count * self.bytes, count * self.bytes / LINE);
        let blocks = out.len() / block;
        if blocks == 0 {
            return self.store(0, out, |to, line| *to = line.0);
        }
        // The last row is put there in whole lines, beyond its end.
        let mut stages = [(); 2].map(|()| vec![Line([0; LINE]); lines + 2]);
        let [filling, leaving] = &mut stages;
        // Of the first line only the end is the table's.
        let head = if beyond == 0 { 0 } else { LINE - beyond };
        let mut first = Line([0; LINE]);
        let (mut left, mut to) = (&mut [][..], out[head..].as_chunks_mut().0);
        for number in 0..blocks {
            let kept = usize::from(number == 1 && head > 0);
            let mut pairs = leaving[kept..].iter().zip(left);
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(filling);
            bytes[..beyond].copy_from_slice(&bytemuck::cast_slice(leaving)[block..][..beyond]);
            for row in 0..count {
                let own = self.own(number * count + row);
                let at = &mut bytes[beyond + row * self.bytes..];
                for (i, to) in at.as_chunks_mut().0.iter_mut().take(self.lines).enumerate() {
                    *to = joined(own.map(|own| &own[i])).0;
                }
                for (from, to) in pairs.by_ref().take(lines.div_ceil(count)) {
                    isa.stream(to, from);
                }
            }
            if number == 0 {
                first = filling[0];
            }
            let own = lines - usize::from(number == 0 && head > 0);
            (left, to) = std::mem::take(&mut to).split_at_mut(own);
            std::mem::swap(filling, leaving);
        }
        let kept = usize::from(blocks == 1 && head > 0);
        for (from, to) in leaving[kept..].iter().zip(left) {
            isa.stream(to, from);
        }
        out[..head].copy_from_slice(&first.0[beyond..][..head]);
        let (done, rest) = out.split_at_mut(blocks * block);
        let end = done.len() - beyond;
        done[end..].copy_from_slice(&bytemuck::cast_slice(leaving)[block..][..beyond]);
        self.store(blocks * count, rest, |to, line| *to = line.0);
    }
}

/// The bits of all lines.
#[inline(always)]
fn joined<const AXES: usize>(lines: [&Line; AXES]) -> Line {
    let mut bits = [0u64; 8];
    for line in lines {
        let line: &[u64; 8] = bytemuck::must_cast_ref(line);
        bits.iter_mut().zip(line).for_each(|(bits, line)| *bits |= line);
    }
    bytemuck::must_cast(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AxialTable;
    use half::bf16;
    use posproof_encoding::axes::{AxialConvention, AxialLaw};

    fn law(json: &str) -> AxialLaw {
        let convention: AxialConvention = serde_json::from_str(json).unwrap();
        convention.law(|_| Err("none".into())).unwrap()
    }

    /// Rows of a grid of so many axes, every 29th without a position.
    fn grid(axes: usize, side: usize) -> Coordinates {
        let along = |row: usize, axis: usize| row / side.pow((axes - 1 - axis) as u32) % side;
        let number = |i: usize| if i / axes % 29 == 17 { f64::NAN } else { along(i / axes, i % axes) as f64 - 2.0 };
        let numbers: Vec<f64> = (0..side.pow(axes as u32) * axes).map(number).collect();
        Coordinates::from_floats(&numbers, axes).unwrap()
    }

    /// Many rows are what each of them is alone, which is put together entry by entry.
    fn agrees<T: Element>(law: &AxialLaw, rows: &Coordinates) {
        let table = AxialTable::<T>::new(law, rows).unwrap();
        let (slots, dim, all) = (law.slots(), law.convention().dim, rows.rows());
        let other = T::from_exact(9.0);
        let (mut cos, mut sin, mut whole) =
            (vec![other; all * slots], vec![other; all * slots], vec![other; all * dim]);
        table.fill(0, 0..all, &mut cos, &mut sin).unwrap();
        table.fill_joined(0, 0..all, &mut whole).unwrap();
        assert!(table.overlays().iter().all(|overlay| overlay.get().is_some()), "{:?}", law.convention());
        let single = AxialTable::<T>::new(law, rows).unwrap();
        for row in 0..all {
            let (mut a, mut b, mut joined) = (vec![other; slots], vec![other; slots], vec![other; dim]);
            single.fill(0, row..row + 1, &mut a, &mut b).unwrap();
            single.fill_joined(0, row..row + 1, &mut joined).unwrap();
            let found = (&cos[row * slots..][..slots], &sin[row * slots..][..slots], &whole[row * dim..][..dim]);
            assert_eq!(found, (&a[..], &b[..], &joined[..]), "row {row} of {:?}", law.convention());
        }
        assert!(single.overlays().iter().all(|overlay| overlay.get().is_none()));
    }

    #[test]
    fn rows_laid_over_one_another_are_those_put_together() {
        // Widths of whole lines and others, slots in blocks, in turn and free, of two axes to four.
        let cases = [
            (r#""rope", "dim": 32, "axes": [{"name": "h", "pairs": "0..8"}, {"name": "w", "pairs": "8..16"}]"#, 2, 12),
            (
                r#""rope", "dim": 22, "amplitude": 3, "axes": [{"name": "h", "pairs": "0..8:2"}, {"name": "w", "pairs": "1..8:2"}]"#,
                2,
                12,
            ),
            (
                r#""sinusoid", "dim": 26, "layout": "interleaved", "axes": [{"name": "t", "pairs": "0..12:3"}, {"name": "h", "pairs": "1..12:3"},
                {"name": "w", "pairs": "2..12:3"}]"#,
                3,
                7,
            ),
            (
                r#""rope", "dim": 64, "axes": [{"name": "a", "pairs": "3..7"}, {"name": "b", "pairs": "0..3"},
                {"name": "c", "pairs": "7..20"}, {"name": "d", "pairs": "20..32"}]"#,
                4,
                4,
            ),
        ];
        for (convention, axes, side) in cases {
            let (law, rows) = (law(&format!(r#"{{"encoding": {convention}}}"#)), grid(axes, side));
            agrees::<f32>(&law, &rows);
            agrees::<f64>(&law, &rows);
            agrees::<bf16>(&law, &rows);
        }
    }

    #[test]
    fn few_rows_and_sums_are_put_together_entry_by_entry() {
        let two = r#"[{"name": "h", "pairs": "0..2"}, {"name": "w", "pairs": "2..4"}]"#;
        let sums =
            r#"[{"name": "h", "pairs": "0..4", "shared": true}, {"name": "w", "pairs": "2..4", "shared": true}]"#;
        for (axes, side, expected) in [(two, 9, true), (two, 8, false), (sums, 20, false)] {
            let (law, rows) = (law(&format!(r#"{{"encoding": "rope", "dim": 8, "axes": {axes}}}"#)), grid(2, side));
            let table = AxialTable::<f32>::new(&law, &rows).unwrap();
            let (mut cos, mut sin) = (vec![0.0; 4 * rows.rows()], vec![0.0; 4 * rows.rows()]);
            table.fill(0, 0..rows.rows(), &mut cos, &mut sin).unwrap();
            assert_eq!(table.overlays()[0].get().is_some(), expected, "{axes}: {side}");
        }
    }

    /// Every set of instructions stores the same, past the caches or not, wherever the buffer begins: nothing, less than a stage, one and many.
    #[test]
    fn lines_are_the_same_however_they_are_stored() {
        for dim in [64, 40, 46] {
            let axes = r#"[{"name": "h", "pairs": "0..8"}, {"name": "w", "pairs": "8..20"}]"#;
            let (law, rows) = (law(&format!(r#"{{"encoding": "rope", "dim": {dim}, "axes": {axes}}}"#)), grid(2, 30));
            let table = AxialTable::<f32>::new(&law, &rows).unwrap();
            let (all, row) = (rows.rows(), 4 * law.slots());
            let (mut cos, mut sin) = (vec![0.0; all * law.slots()], vec![0.0; all * law.slots()]);
            table.fill(0, 0..all, &mut cos, &mut sin).unwrap();
            let (expected, overlay) = (bytemuck::cast_slice::<f32, u8>(&cos), table.overlays()[0].get().unwrap());
            for part in [0..all, 5..all, 3..68, 1..2, 4..4] {
                let (expected, len) = (&expected[part.start * row..part.end * row], part.len() * row);
                for instructions in Instructions::ALL {
                    for (stream, skip) in [(false, 0), (true, 0), (true, 4), (true, 16), (true, 60)] {
                        let mut lines = vec![Line([7; 64]); len.div_ceil(64) + 2];
                        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut lines);
                        overlay.fill(instructions, (part.clone(), &rows), &mut bytes[skip..][..len], stream);
                        let about = format!("{dim}, {part:?}, {instructions:?}, {stream}, {skip}");
                        assert_eq!(&bytes[skip..][..len], expected, "{about}");
                        // Nothing is written beside it.
                        let beside = bytes[..skip].iter().chain(&bytes[skip + len..]);
                        assert!(beside.copied().all(|byte| byte == 7), "{about}");
                    }
                }
            }
        }
    }
}
