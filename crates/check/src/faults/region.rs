//! Where a fault is, and how much of what is wrong it explains.

use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::Component;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;

/// True if a part is most of the whole, which is more than half of it. Every sentence about a part keeps to that: what is said of
/// a region holds of most of its entries, what departs from a rest is not most of the whole unless nothing else explains it, and
/// what explains a part of what is wrong explains most of it, or is said beside what explains the others.
pub(crate) fn is_most(part: u64, whole: u64) -> bool {
    part > whole - part.min(whole)
}

/// Whole numbers from a first to a last one, in equal steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
    /// The greatest step that leads to all of them; 1 where there is but one.
    pub step: usize,
    /// Number of them that are meant: all of (last − first)/step + 1, or fewer where some in between are not.
    pub count: usize,
}

impl Span {
    /// The span of numbers that increase; `None` of none.
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut numbers = numbers.into_iter();
        let first = numbers.next()?;
        let (mut last, mut step, mut count) = (first, 0usize, 1usize);
        for number in numbers {
            step = gcd(step, number.saturating_sub(last));
            (last, count) = (number, count + 1);
        }
        Some(Self { first, last, step: step.max(1), count })
    }

    /// Span of these numbers, each larger by so many.
    pub(crate) fn after(self, by: usize) -> Self {
        Self { first: self.first + by, last: self.last + by, ..self }
    }

    /// All numbers below an end.
    pub fn all(end: usize) -> Self {
        Self { first: 0, last: end.saturating_sub(1), step: 1, count: end }
    }

    /// True if these are all numbers below an end.
    pub(crate) fn is_all(&self, end: usize) -> bool {
        self.first == 0 && self.last + 1 == end && self.count == end
    }

    /// True if a number lies between the ends, at a whole number of steps.
    pub fn contains(&self, number: usize) -> bool {
        (self.first..=self.last).contains(&number) && (number - self.first).is_multiple_of(self.step)
    }

    /// True if the numbers are as many as fit between the ends.
    pub(crate) fn is_full(&self) -> bool {
        (self.last - self.first) / self.step + 1 == self.count
    }

    /// The numbers between the ends, step by step.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (self.first..=self.last).step_by(self.step.max(1))
    }

    /// Some of the numbers, in equal steps: so many at most.
    pub(crate) fn thinned(self, most: usize) -> Self {
        let between = (self.last - self.first) / self.step;
        let by = (between + 1).div_ceil(most);
        let (step, count) = (self.step * by, between / by + 1);
        Self { first: self.first, last: self.first + (count - 1) * step, step, count }
    }

    /// The numbers that another span has not; none if it has all.
    fn without(self, other: Self) -> Option<Self> {
        Self::of(self.iter().filter(|number| !other.contains(*number)))
    }

    /// The smallest span with the numbers of both.
    fn around(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let numbers: std::collections::BTreeSet<usize> = self.iter().chain(other.iter()).collect();
        let all = Self::of(numbers).unwrap_or(self);
        Self { count: all.count.min(self.count + other.count), ..all }
    }

    /// Their noun, and the numbers: "row 3", "rows 3 to 5".
    pub(super) fn numbered(&self, one: &str) -> String {
        let plural = if self.first == self.last { "" } else { "s" };
        format!("{one}{plural} {self}")
    }

    /// Where these are heads, which of so many; none where they are all.
    pub(super) fn among(&self, heads: usize) -> Option<String> {
        (!self.is_all(heads)).then(|| format!("{} of {heads}", self.numbered("head")))
    }
}

fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last, step, count } = self;
        match (first == last, self.is_full(), step) {
            (true, ..) => write!(f, "{first}"),
            (_, true, 1) => write!(f, "{first} to {last}"),
            (_, true, _) => write!(f, "{first} to {last} in steps of {step}"),
            (_, false, 1) => write!(f, "{first} to {last} ({count} of them)"),
            (_, false, _) => write!(f, "{first} to {last} in steps of {step} ({count} of them)"),
        }
    }
}

/// The smallest box around entries: rows, tables of the leading dimensions (batch, heads), pairs and components.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// Rows, counted from 0.
    pub rows: Span,
    /// The coordinates of the first of these rows, and of the last; none for a row without a position.
    pub coordinates: [Option<Vec<String>>; 2],
    /// The position of the first of these rows, and of the last, where one axis that is judged by itself counts them.
    pub positions: Option<[u64; 2]>,
    /// The position of the row before the first of these, if there is one: what is wrong begins after it.
    pub before: Option<u64>,
    /// Tables among the leading dimensions: heads, examples of a batch.
    pub heads: Span,
    /// Pairs, or slots of several axes; none where entries that are not rotated are among them.
    pub pairs: Option<Span>,
    /// The axes that turn these pairs, as stated.
    pub axes: Vec<String>,
    /// True if the convention states axes: rows have coordinates then, and pairs are slots.
    pub(crate) has_axes: bool,
    /// The component, where it is one of two.
    pub component: Option<Component>,
    /// Shape of the subject.
    pub of: Shape,
}

/// Shape of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// Rows of a table.
    pub rows: usize,
    /// Tables.
    pub heads: usize,
    /// Pairs of a row.
    pub pairs: usize,
}

impl Region {
    /// A region of one axis of positions: those of its first row and its last, and of the row before.
    pub(crate) fn of_one_axis(
        (rows, positions, before): (Span, [u64; 2], Option<u64>),
        heads: Span,
        (pairs, component): (Option<Span>, Option<Component>),
        of: Shape,
    ) -> Self {
        let coordinates = positions.map(|position| Some(vec![position.to_string()]));
        let axes = vec![POSITION.to_owned()];
        let (positions, has_axes) = (Some(positions), false);
        Self { rows, coordinates, positions, before, heads, pairs, axes, has_axes, component, of }
    }

    /// True if rows, tables or pairs are but a part of the subject's.
    pub fn is_part(&self) -> bool {
        let whole = |pairs: Span| pairs.is_all(self.of.pairs);
        !self.rows.is_all(self.of.rows)
            || !self.heads.is_all(self.of.heads)
            || !self.pairs.map_or(!self.has_axes, whole)
            || self.component.is_some()
    }

    /// The part of the same rows that has no pair of another region; all of it where that leaves none.
    pub(crate) fn without_pairs(&self, other: &Self) -> Self {
        let pairs = self.pairs.zip(other.pairs).and_then(|(own, others)| own.without(others));
        Self { pairs: pairs.or(self.pairs), ..self.clone() }
    }

    /// The smallest box around this and another one of the same subject.
    pub(crate) fn around(self, other: Self) -> Self {
        let rows = self.rows.around(other.rows);
        let coordinates = [0, 1].map(|end: usize| {
            let own = if end == 0 { self.rows.first == rows.first } else { self.rows.last == rows.last };
            (if own { &self } else { &other }).coordinates[end].clone()
        });
        let mut axes = self.axes;
        let others: Vec<String> = other.axes.into_iter().filter(|axis| !axes.contains(axis)).collect();
        axes.extend(others);
        Self {
            rows,
            coordinates,
            positions: self.positions.filter(|positions| other.positions == Some(*positions)),
            before: self.before.filter(|before| other.before == Some(*before)),
            heads: self.heads.around(other.heads),
            pairs: self.pairs.zip(other.pairs).map(|(one, other)| one.around(other)),
            axes,
            has_axes: self.has_axes,
            component: self.component.filter(|component| other.component == Some(*component)),
            of: self.of,
        }
    }

    /// Rows by their positions where these are as many, or else by their numbers; a single row of several axes by its coordinates too.
    fn rows(&self) -> String {
        let (rows, [first_row, _]) = (&self.rows, &self.coordinates);
        match self.positions.filter(|_| !self.has_axes) {
            Some([first, last]) => {
                let consecutive = rows.step == 1 && rows.is_full() && last - first == (rows.last - rows.first) as u64;
                match (rows.first == rows.last, consecutive) {
                    (true, _) => format!("position {first}"),
                    (_, true) => format!("positions {first} to {last}"),
                    _ => format!("rows {rows}, positions {first} to {last}"),
                }
            }
            None => {
                let at = first_row.as_ref().filter(|_| rows.count == 1).map(|row| format!(" ({})", row.join(", ")));
                rows.numbered("row") + &at.unwrap_or_default()
            }
        }
    }
}

/// Place of a region that is all.
pub(super) const EVERYWHERE: &str = "everywhere";

impl fmt::Display for Region {
    /// Parts: tables, rows, pairs and the component.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, heads, pairs, axes, component, of, .. } = self;
        let mut parts: Vec<String> = heads.among(of.heads).into_iter().collect();
        if !rows.is_all(of.rows) {
            parts.push(self.rows());
        }
        match pairs.filter(|pairs| !pairs.is_all(of.pairs)) {
            Some(pairs) if !self.has_axes => parts.push(pairs.numbered("pair")),
            Some(pairs) if axes.is_empty() => parts.push(pairs.numbered("slot")),
            Some(pairs) => parts.push(format!("{} of {}", pairs.numbered("slot"), axes.join(", "))),
            None if pairs.is_some() || !self.has_axes => {}
            None => parts.push("entries that are not rotated".to_owned()),
        }
        parts.extend(component.map(|component| match component {
            Component::Cos => "cos".to_owned(),
            Component::Sin => "sin".to_owned(),
        }));
        f.write_str(&if parts.is_empty() { EVERYWHERE.to_owned() } else { parts.join(", ") })
    }
}

impl Serialize for Region {
    /// As version 1 of the JSON has it: with positions, or with coordinates and axes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rows, coordinates, positions, before, heads, pairs, axes, has_axes, component, of } = self;
        let mut object = serializer.serialize_struct("Region", 7)?;
        object.serialize_field("rows", rows)?;
        if !has_axes {
            object.serialize_field("positions", positions)?;
            object.serialize_field("before", before)?;
        } else {
            object.serialize_field("coordinates", coordinates)?;
        }
        object.serialize_field("heads", heads)?;
        object.serialize_field("pairs", pairs)?;
        if *has_axes {
            object.serialize_field("axes", axes)?;
        }
        object.serialize_field("component", component)?;
        object.serialize_field("of", of)?;
        object.end()
    }
}

/// Extent to which a finding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It predicts every entry of its region within the bound.
    Confirmed,
    /// It predicts some of the entries that are beyond the bound: as many as it explains.
    Partial,
    /// The mistake was measured, and not explained.
    Unexplained,
}

/// Entries that a finding explains, of those beyond the bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// So many.
    pub entries: u64,
    /// Of so many.
    pub of: u64,
}

impl Explained {
    /// Share of the entries that all of a judgement's findings explain, of those beyond the bound: all of them where it explained all.
    pub(crate) fn among(self, all: u64, of: u64) -> Self {
        Self { entries: if self.entries == self.of { all } else { self.entries.min(all) }, of }
    }
}
