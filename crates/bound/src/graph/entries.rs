//! One entry of a table: stored(amplitude · cos(position · frequency)), each step rounded to its format.

use super::scalars::{Function, Id, Operator, Scalar, Scalars};
use super::unread::Unread;
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;

/// The position of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// That of a row of the input, with an integer added.
    Row(u32, i64),
    /// An integer of the graph.
    Fixed(i64),
    /// The entry stands at that of a row, in a table of so many rows from position 0 on.
    Looked(u32, u32),
}

/// An entry as the theorems have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub component: Component,
    pub place: Place,
    /// None where the position is exact.
    pub position: Option<Format>,
    pub frequency: Id,
    pub angle: Format,
    /// The literal that sine and cosine are multiplied by, by its bits.
    pub amplitude: u64,
    pub storage: Format,
}

/// The form of an entry, for messages.
pub(super) const FORM: &str =
    "cos or sin of one rounded product, position · frequency, times a literal where there is an amplitude, then cast";

impl Scalars {
    /// The entry that an expression is.
    pub fn entry(&self, id: Id) -> Result<Entry, Unread> {
        let refuse = |found: String| Unread::new("an entry of an output", found, FORM);
        match self.get(id) {
            Scalar::Cast(storage, inner) => {
                let entry = self.entry(inner)?;
                match entry.storage == entry.angle {
                    true => Ok(Entry { storage, ..entry }),
                    false => Err(refuse(format!("two casts, to {} and to {storage}", entry.storage))),
                }
            }
            Scalar::Operator(Operator::Mul, format, a, b) => {
                let (factor, inner) = if self.literal(b).is_some() { (b, a) } else { (a, b) };
                let amplitude = self.literal(factor).ok_or_else(|| refuse(self.told(id, 3)))?;
                let entry = self.entry(inner)?;
                let once = entry.amplitude == 1f64.to_bits() && entry.storage == format && entry.angle == format;
                match once {
                    true => Ok(Entry { amplitude: amplitude.to_bits(), ..entry }),
                    false => Err(refuse(self.told(id, 3))),
                }
            }
            Scalar::Looked(column, at) => self.looked_entry(column, at),
            Scalar::Function(function @ (Function::Cos | Function::Sin), angle, inner) => {
                let component = if function == Function::Cos { Component::Cos } else { Component::Sin };
                let (place, position, frequency) = self.angle(angle, inner).ok_or_else(|| refuse(self.told(id, 3)))?;
                let amplitude = 1f64.to_bits();
                Ok(Entry { component, place, position, frequency, angle, amplitude, storage: angle })
            }
            _ => Err(refuse(self.told(id, 3))),
        }
    }

    /// A literal that stands for itself in its format.
    pub fn literal(&self, id: Id) -> Option<f64> {
        match self.get(id) {
            Scalar::Literal(bits) => Some(f64::from_bits(bits)),
            Scalar::Whole(x) if x.unsigned_abs() < 1 << 53 => Some(x as f64),
            _ => None,
        }
    }

    /// Position and frequency of an angle, which is their product rounded to the format.
    fn angle(&self, format: Format, id: Id) -> Option<(Place, Option<Format>, Id)> {
        match self.get(id) {
            Scalar::Operator(Operator::Mul, own, a, b) if own == format => {
                // Of two integers the frequency is 1.
                let first = matches!(self.get(a), Scalar::Whole(1)) && self.place(b).is_some();
                let (at, frequency) = if first || self.place(a).is_none() { (b, a) } else { (a, b) };
                let (place, position) = self.place(at)?;
                Some((place, position, frequency))
            }
            // A product by a literal 1.
            _ => None,
        }
    }

    /// The position that a factor of an angle is, and the format that it was rounded to.
    fn place(&self, id: Id) -> Option<(Place, Option<Format>)> {
        match self.get(id) {
            Scalar::Whole(x) => Some((Place::Fixed(x), None)),
            Scalar::Cast(format, inner) => match self.get(inner) {
                Scalar::Position(row, offset) => Some((Place::Row(row, offset), Some(format))),
                Scalar::Whole(x) => Some((Place::Fixed(x), Some(format))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The entry that is looked up at a position: the rows are those of positions 0, 1, 2, …, of one program.
    fn looked_entry(&self, column: u32, at: Id) -> Result<Entry, Unread> {
        let column = self.column(column);
        let refuse = |found: String, expected: &str| Unread::new("a table that is looked up", found, expected);
        let Scalar::Position(row, 0) = self.get(at) else {
            return Err(refuse(format!("the row {}", self.told(at, 2)), "rows at the positions themselves"));
        };
        let mut common: Option<Entry> = None;
        for (number, id) in column.iter().enumerate() {
            let entry = self.entry(*id)?;
            if entry.place != Place::Fixed(number as i64) {
                let found = format!("row {number}: {}", self.told(*id, 3));
                return Err(refuse(found, "the row of position p at index p"));
            }
            let place = Place::Looked(row, column.len() as u32);
            // A format that the positions are rounded to shows in the rows beyond those that are exact.
            let position = entry.position.or(common.and_then(|common| common.position));
            let entry = Entry { place, position, ..entry };
            if common.is_some_and(|common| Entry { position, ..common } != entry) {
                return Err(refuse(format!("row {number}: {}", self.told(*id, 3)), "one program in all rows"));
            }
            common = Some(entry);
        }
        common.ok_or_else(|| refuse("no rows".into(), "at least one"))
    }
}
