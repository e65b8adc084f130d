//! The outputs of a graph as one table: cosines and sines, complex numbers, or both components in one array.

use super::entries::{Entry, FORM, Place};
use super::frequencies::Rates;
use super::scalars::{Id, Scalar, Scalars};
use super::tensors::{Kind, Tensor};
use super::traced::Traced;
use super::unread::Unread;
use crate::program::Program;
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::{Component, Convention, Encoding, Layout, Order};
use posproof_encoding::real::Real;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use std::ops::Range;

/// A table, column by column.
pub(super) struct Table {
    encoding: Encoding,
    layout: Layout,
    order: Order,
    /// The frequency of each pair.
    pub frequencies: Vec<Id>,
    /// An entry, whose formats are those of all.
    common: Entry,
    frequency: Option<Format>,
    position: Option<Format>,
    positions: Option<Range<u64>>,
    offset: i64,
    entries: usize,
}

/// The columns of an output: its entries in the first row.
struct Columns {
    entries: Vec<Entry>,
    rows: Vec<Place>,
    position: Option<Format>,
    count: usize,
}

/// The table that the outputs are.
pub(super) fn read(scalars: &Scalars, outputs: &[Tensor]) -> Result<Table, Unread> {
    let expected = "two outputs, cosines and sines, or one: a table of both, or complex numbers";
    match outputs {
        [one] if matches!(one.kind, Kind::Complex(_)) => {
            let part = |imaginary: bool| -> Result<Tensor, Unread> {
                let part = |id: &Id| match scalars.get(*id) {
                    Scalar::Complex(re, im) => Ok(if imaginary { im } else { re }),
                    _ => Err(Unread::new("an entry of an output", scalars.told(*id, 3), FORM)),
                };
                let entries: Result<Vec<Id>, Unread> = one.entries.iter().map(part).collect();
                Ok(Tensor { entries: entries?, ..one.clone() })
            };
            rotary(scalars, &[part(false)?, part(true)?])
        }
        [one] => both(scalars, one),
        [_, _] => rotary(scalars, outputs),
        _ => Err(Unread::new("outputs", format!("{} of them", outputs.len()), expected)),
    }
}

/// The columns of an output, each of one frequency in all rows.
fn columns(scalars: &Scalars, output: &Tensor) -> Result<Columns, Unread> {
    let refuse = |found: String, expected: &str| Unread::new("an output", found, expected);
    let width = output.shape.last().copied().filter(|width| *width > 0 && !output.entries.is_empty());
    let width = width.ok_or_else(|| refuse(format!("the shape {:?}", output.shape), "rows and columns"))?;
    let mut found: Option<Columns> = None;
    for row in output.entries.chunks_exact(width) {
        let entries: Result<Vec<Entry>, Unread> = row.iter().map(|id| scalars.entry(*id)).collect();
        let entries = entries?;
        let place = entries[0].place;
        let position = entries.iter().find_map(|entry| entry.position);
        if entries.iter().any(|entry| entry.place != place) {
            return Err(refuse("entries of several positions in one row".into(), "one position in each row"));
        }
        let Some(columns) = &mut found else {
            found = Some(Columns { entries, rows: vec![place], position, count: output.entries.len() });
            continue;
        };
        let alike =
            |(own, first): (&Entry, &Entry)| Entry { place: first.place, position: first.position, ..*own } == *first;
        if !entries.iter().zip(&columns.entries).all(alike) {
            return Err(refuse("rows of several programs".into(), "one program in all rows"));
        }
        columns.rows.push(place);
        columns.position = columns.position.or(position);
    }
    found.ok_or_else(|| refuse("no rows".into(), "at least one"))
}

/// The positions of the rows: those of the input in their order, or integers of the graph, one after another.
fn positions(rows: &[Place]) -> Result<(Option<Range<u64>>, i64), Unread> {
    let refuse = |found: String, expected: &str| Unread::new("rows of the outputs", found, expected);
    let number = |at: usize| at as u32;
    match rows[0] {
        Place::Row(_, offset) => {
            let ordered = rows.iter().enumerate().all(|(at, place)| *place == Place::Row(number(at), offset));
            ordered
                .then_some((None, offset))
                .ok_or_else(|| refuse("another order".into(), "row i at the position i of the input"))
        }
        Place::Looked(_, count) => {
            let ordered = rows.iter().enumerate().all(|(at, place)| *place == Place::Looked(number(at), count));
            let positions = Some(0..u64::from(count));
            ordered
                .then_some((positions, 0))
                .ok_or_else(|| refuse("another order".into(), "row i at the position i of the input"))
        }
        Place::Fixed(first) => {
            let ordered = rows.iter().zip(first..).all(|(place, at)| *place == Place::Fixed(at));
            let start = u64::try_from(first).ok().filter(|_| ordered);
            let expected = "positions that rise by 1, from 0 or later";
            let start = start.ok_or_else(|| refuse(format!("positions from {first}"), expected))?;
            Ok((Some(start..start + rows.len() as u64), 0))
        }
    }
}

impl Table {
    fn new(
        scalars: &Scalars,
        parts: &[Columns],
        encoding: Encoding,
        pairs: Vec<(Entry, usize)>,
    ) -> Result<Self, Unread> {
        let [first, ..] = parts else { return Err(Unread::new("outputs", "none", "a table")) };
        let common = first.entries[0];
        let formats = |entry: &Entry| (entry.angle, entry.storage, entry.amplitude);
        let other = parts.iter().flat_map(|part| &part.entries).find(|entry| formats(entry) != formats(&common));
        if let Some(other) = other {
            let told = |entry: &Entry| format!("angles in {}, entries in {}", entry.angle, entry.storage);
            let found = format!("{}; elsewhere {}, or another amplitude", told(&common), told(other));
            return Err(Unread::new("outputs", found, "one program for all entries"));
        }
        if parts.iter().any(|part| part.rows != first.rows) {
            return Err(Unread::new("outputs", "different positions", "cosines and sines at the same ones"));
        }
        let (positions, offset) = positions(&first.rows)?;
        let frequencies: Vec<Id> = pairs.iter().map(|(entry, _)| entry.frequency).collect();
        Ok(Self {
            encoding,
            layout: Layout::Halves,
            order: Order::SinCos,
            frequency: frequencies.iter().find_map(|id| scalars.format(*id)),
            frequencies,
            common,
            position: parts.iter().find_map(|part| part.position),
            positions,
            offset,
            entries: parts.iter().map(|part| part.count).sum(),
        })
    }

    /// The program, with the frequencies that were read.
    pub fn traced(self, rates: Rates, operations: usize) -> Result<Traced, Unread> {
        let amplitude = f64::from_bits(self.common.amplitude);
        let stated = Rational::from_f64(amplitude).filter(|_| amplitude != 1.0);
        let mut convention = Convention {
            encoding: self.encoding,
            layout: self.layout,
            order: self.order,
            position_offset: self.offset.into(),
            ..rates.convention
        };
        if let Some(stated) = stated {
            convention.amplitude = Amplitude::Rational(Real::from(stated));
        }
        let angle = self.common.angle;
        let program = Program {
            path: rates.path,
            position: self.position.unwrap_or(angle),
            frequency: rates.format,
            angle,
            storage: self.common.storage,
            kappa: 0.5,
        };
        let (own_positions, frequencies) = (self.positions, rates.computed);
        Ok(Traced { convention, program, own_positions, frequencies, operations, entries: self.entries })
    }

    /// The format of the frequencies; none where all are integers.
    pub fn frequency_format(&self) -> Format {
        self.frequency.unwrap_or(self.common.angle)
    }
}

/// Cosines and sines, of the pairs once or twice.
fn rotary(scalars: &Scalars, outputs: &[Tensor]) -> Result<Table, Unread> {
    let parts: Result<Vec<Columns>, Unread> = outputs.iter().map(|output| columns(scalars, output)).collect();
    let parts = parts?;
    for (part, component, name) in [(&parts[0], Component::Cos, "cosines"), (&parts[1], Component::Sin, "sines")] {
        if part.entries.iter().any(|entry| entry.component != component) {
            let place = if component == Component::Cos { "the first output" } else { "the second output" };
            return Err(Unread::new(place, format!("entries that are no {name}"), format!("{name} alone")));
        }
    }
    let frequencies = |part: &Columns| part.entries.iter().map(|entry| entry.frequency).collect::<Vec<Id>>();
    let all = frequencies(&parts[0]);
    if all != frequencies(&parts[1]) {
        return Err(Unread::new(
            "outputs",
            "other frequencies of sines than of cosines",
            "one frequency for each column",
        ));
    }
    let half = all.len() / 2;
    let halves = all.len().is_multiple_of(2) && all[..half] == all[half..];
    let twice = all.len().is_multiple_of(2) && all.chunks_exact(2).all(|pair| pair[0] == pair[1]);
    let kept: Vec<usize> = match (halves, twice) {
        (true, _) => (0..half).collect(),
        (_, true) => (0..half).map(|pair| 2 * pair).collect(),
        _ => (0..all.len()).collect(),
    };
    let pairs = kept.into_iter().map(|column| (parts[0].entries[column], column)).collect();
    let layout = if twice && !halves { Layout::Interleaved } else { Layout::Halves };
    Ok(Table { layout, ..Table::new(scalars, &parts, Encoding::Rope, pairs)? })
}

/// Both components in one table: one after another, or in halves.
fn both(scalars: &Scalars, output: &Tensor) -> Result<Table, Unread> {
    let part = columns(scalars, output)?;
    let (all, half) = (&part.entries, part.entries.len() / 2);
    let first = all[0].component;
    let paired = |a: &Entry, b: &Entry| a.component == first && b.component != first && a.frequency == b.frequency;
    let even = all.len().is_multiple_of(2);
    let interleaved = even && all.chunks_exact(2).all(|pair| paired(&pair[0], &pair[1]));
    let halves = even && all[..half].iter().zip(&all[half..]).all(|(a, b)| paired(a, b));
    let (layout, pairs) = match (interleaved, halves) {
        (true, _) => (Layout::Interleaved, (0..half).map(|pair| (all[2 * pair], 2 * pair)).collect()),
        (_, true) => (Layout::Halves, (0..half).map(|pair| (all[pair], pair)).collect()),
        _ => {
            let found = "columns that are no pairs of a sine and a cosine of one frequency";
            return Err(Unread::new("the output", found, "pairs, one after another or in halves"));
        }
    };
    let order = if first == Component::Sin { Order::SinCos } else { Order::CosSin };
    Ok(Table { layout, order, ..Table::new(scalars, &[part], Encoding::Sinusoid, pairs)? })
}
