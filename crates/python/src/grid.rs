//! Arrays in memory, as the tables that are judged.

use super::interrupt::Stop;
use super::memory::{EntryKind, Memory, Part};
use posproof_check::read::SequenceAxis;
use posproof_check::{Grid, Integers, InvalidInput, Levels, leading, note};
use posproof_numerics::format::Format;
use std::ops::Range;

/// Floating-point numbers in memory: tables [rows, width], as many as the other axes make.
pub struct ArrayGrid<'a> {
    name: String,
    memory: &'a Memory,
    format: Format,
    levels: Option<Levels>,
    part: Part,
    rows_axis: Option<usize>,
    axis_in_question: bool,
    stop: &'a Stop,
}

impl<'a> ArrayGrid<'a> {
    /// Real numbers, with their rows along an axis; on an integer grid, if one is stated.
    pub fn real(
        name: &str,
        memory: &'a Memory,
        (axis, levels): (SequenceAxis, Option<Levels>),
        stop: &'a Stop,
    ) -> Result<Self, InvalidInput> {
        let (format, levels) = match memory.kind() {
            EntryKind::Float(format) => (levels.map_or(format, |levels| levels.held_in(format)), levels),
            EntryKind::Signed(bytes) if levels.is_some() => quantised(levels, 8 * bytes as i32, true),
            EntryKind::Unsigned(bytes) if levels.is_some() => quantised(levels, 8 * bytes as i32, false),
            // A judgement finds what they stand for, or refuses them.
            EntryKind::Signed(1) | EntryKind::Unsigned(1) => (Format::Bf16, None),
            EntryKind::Complex(_) => {
                let advice = "give cosines and sines in one as freqs_cis, or z.real as cos and z.imag as sin";
                return Err(about(name, "the dtype", "real numbers", "complex numbers".into(), advice));
            }
            EntryKind::Signed(_) | EntryKind::Unsigned(_) => {
                let advice = "state what one of them stands for as step; or check which array is meant";
                return Err(about(name, "the dtype", "floating-point numbers", "integers".into(), advice));
            }
        };
        let rows_axis = axis.of(name, memory.shape())?;
        let axis_in_question = rows_axis.is_some_and(|found| axis.is_in_question(memory.shape(), found));
        Ok(Self { name: name.to_owned(), memory, format, levels, part: Part::Real, rows_axis, axis_in_question, stop })
    }

    /// The same, of two axes at least.
    pub fn table(
        name: &str,
        memory: &'a Memory,
        on: (SequenceAxis, Option<Levels>),
        stop: &'a Stop,
    ) -> Result<Self, InvalidInput> {
        if memory.shape().len() < 2 {
            let advice = "frequencies are given as inv_freq; the row of one position is given as row[None, :]";
            let expected = "two axes or more, the last but one that of the positions";
            return Err(about(name, "the shape", expected, format!("{:?}", memory.shape()), advice));
        }
        Self::real(name, memory, on, stop)
    }

    /// The real and the imaginary parts of complex numbers.
    pub fn parts(
        name: &str,
        memory: &'a Memory,
        axis: SequenceAxis,
        stop: &'a Stop,
    ) -> Result<[Self; 2], InvalidInput> {
        let (EntryKind::Complex(format), true) = (memory.kind(), memory.shape().len() >= 2) else {
            let expected =
                "complex64, complex128, or real and imaginary parts along a last axis of 2, in two axes or more";
            let found = format!("{:?} in the shape {:?}", memory.kind(), memory.shape());
            return Err(about(name, "the dtype", expected, found, "give two real arrays as cos and sin"));
        };
        let rows_axis = axis.of(name, memory.shape())?;
        let axis_in_question = rows_axis.is_some_and(|found| axis.is_in_question(memory.shape(), found));
        let of = |part, what| {
            let name = format!("{name} ({what} parts)");
            Self { name, memory, format, levels: None, part, rows_axis, axis_in_question, stop }
        };
        Ok([of(Part::Real, "real"), of(Part::Imaginary, "imaginary")])
    }
}

/// Integers of so many bits that stand for levels.
fn quantised(levels: Option<Levels>, bits: i32, signed: bool) -> (Format, Option<Levels>) {
    let levels = levels.map(|levels| levels.of_integers(bits, signed));
    (levels.map_or(Format::F64, |levels| levels.computed_in()), levels)
}

fn about(name: &str, place: &str, expected: &str, found: String, advice: &str) -> InvalidInput {
    let (place, expected, advice) = (place.to_owned(), expected.to_owned(), advice.to_owned());
    InvalidInput { file: name.to_owned(), place, expected, found, advice }
}

impl Grid for ArrayGrid<'_> {
    fn name(&self) -> &str {
        &self.name
    }
    fn format(&self) -> Format {
        self.format
    }
    fn slabs(&self) -> usize {
        leading(self.rows_axis, self.memory.shape()).into_iter().map(|(_, size)| size).product()
    }
    fn rows(&self) -> usize {
        self.rows_axis.map_or(1, |axis| self.memory.shape()[axis])
    }
    fn width(&self) -> usize {
        self.memory.shape().last().copied().unwrap_or(1)
    }
    fn note(&self) -> Option<String> {
        note(self.rows_axis?, self.memory.shape())
    }
    fn leading(&self) -> Vec<(usize, usize)> {
        leading(self.rows_axis, self.memory.shape())
    }
    fn is_axis_in_question(&self) -> bool {
        self.axis_in_question
    }
    fn levels(&self) -> Option<Levels> {
        self.levels
    }
    fn integers(&self) -> Option<Integers> {
        match self.memory.kind() {
            EntryKind::Signed(1) if self.levels.is_none() => Some(Integers::of_a_byte(true)),
            EntryKind::Unsigned(1) if self.levels.is_none() => Some(Integers::of_a_byte(false)),
            _ => None,
        }
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        out.clear();
        if self.stop.asked() {
            return Err(about(&self.name, "the rows", "time to read them", "an interruption".into(), "try again"));
        }
        let shape = self.memory.shape();
        let mut at = vec![0; shape.len().saturating_sub(1)];
        let mut rest = slab;
        for axis in (0..at.len()).rev().filter(|axis| Some(*axis) != self.rows_axis) {
            at[axis] = rest % shape[axis].max(1);
            rest /= shape[axis].max(1);
        }
        let expected = rows.len() * self.width();
        for row in rows.clone() {
            if let Some(axis) = self.rows_axis {
                at[axis] = row;
            }
            self.memory.read(&at, self.part, out);
        }
        if let (Some(levels), false) = (self.levels, matches!(self.memory.kind(), EntryKind::Float(_))) {
            out.iter_mut().for_each(|entry| *entry = levels.value(*entry));
        }
        if rest != 0 || out.len() != expected {
            let found = format!("rows {}..{} of table {slab}", rows.start, rows.end);
            return Err(about(&self.name, "the rows", "rows that there are", found, "ask for others"));
        }
        Ok(())
    }
}
