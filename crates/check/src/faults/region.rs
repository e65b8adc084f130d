//! Where a fault is, and how much of what is wrong it explains.

use posproof_encoding::convention::Component;
use serde::Serialize;
use std::fmt;

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

    /// All numbers below an end.
    pub fn all(end: usize) -> Self {
        Self { first: 0, last: end.saturating_sub(1), step: 1, count: end }
    }

    /// True if these are all numbers below an end.
    pub fn is_all(&self, end: usize) -> bool {
        self.first == 0 && self.last + 1 == end && self.count == end
    }

    /// True if a number lies between the ends, at a whole number of steps.
    pub fn contains(&self, number: usize) -> bool {
        (self.first..=self.last).contains(&number) && (number - self.first).is_multiple_of(self.step)
    }

    /// True if the numbers are as many as fit between the ends.
    pub fn is_full(&self) -> bool {
        (self.last - self.first) / self.step + 1 == self.count
    }

    /// The numbers between the ends, step by step.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (self.first..=self.last).step_by(self.step.max(1))
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

/// The parts of a region in words, its component last.
pub(super) fn joined(mut parts: Vec<String>, component: Option<Component>) -> String {
    parts.extend(component.map(|component| match component {
        Component::Cos => "cos".to_owned(),
        Component::Sin => "sin".to_owned(),
    }));
    if parts.is_empty() { "everywhere".to_owned() } else { parts.join(", ") }
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Region {
    /// Rows, counted from 0.
    pub rows: Span,
    /// The position of the first of these rows, and of the last.
    pub positions: [u64; 2],
    /// The position of the row before the first of these, if there is one: what is wrong begins after it.
    pub before: Option<u64>,
    /// Tables among the leading dimensions: heads, examples of a batch.
    pub heads: Span,
    /// Pairs; none where entries that are not rotated are among them.
    pub pairs: Option<Span>,
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
    /// True if rows, tables or pairs are but a part of the subject's.
    pub fn is_part(&self) -> bool {
        !self.rows.is_all(self.of.rows)
            || !self.heads.is_all(self.of.heads)
            || self.pairs.is_some_and(|pairs| !pairs.is_all(self.of.pairs))
            || self.component.is_some()
    }
}

impl fmt::Display for Region {
    /// Parts: rows by their positions where these are as many, the others by their numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, positions: [first, last], heads, pairs, component, of, .. } = self;
        let mut parts: Vec<String> = heads.among(of.heads).into_iter().collect();
        if !rows.is_all(of.rows) {
            let consecutive = rows.step == 1 && rows.is_full() && last - first == (rows.last - rows.first) as u64;
            parts.push(match (rows.first == rows.last, consecutive) {
                (true, _) => format!("position {first}"),
                (_, true) => format!("positions {first} to {last}"),
                _ => format!("rows {rows}, positions {first} to {last}"),
            });
        }
        if let Some(pairs) = pairs.filter(|pairs| !pairs.is_all(of.pairs)) {
            parts.push(pairs.numbered("pair"));
        }
        f.write_str(&joined(parts, *component))
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
