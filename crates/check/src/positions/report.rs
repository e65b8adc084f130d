//! Report, and its JSON (schema `posproof.positions/2`).

use super::{Candidates, Comparison, Contradiction, Domain, Located, Pattern};
use crate::Invalid;
use crate::report::{ArrayRead, any_or_one};
use posproof_bound::Path;
use posproof_encoding::axes::with_axes;
use posproof_encoding::convention::Convention;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use serde::{Serialize, Serializer};
use std::fmt;

/// Numbers of rows of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Rows with one position that is not excluded.
    pub certified: u64,
    /// Rows with several.
    pub ambiguous: u64,
    /// Rows with none.
    pub unexplained: u64,
    /// Rows of zeros.
    pub null: u64,
    /// Rows that are not finite.
    pub not_finite: u64,
}

impl Counts {
    pub(super) fn of(located: &[Located]) -> Self {
        let mut counts = Self::default();
        for found in located {
            *match found {
                Located::Certified { .. } => &mut counts.certified,
                Located::Ambiguous(_) => &mut counts.ambiguous,
                Located::Unexplained(_) => &mut counts.unexplained,
                Located::Null => &mut counts.null,
                Located::NotFinite => &mut counts.not_finite,
            } += 1;
        }
        counts
    }

    /// True if every row has one position.
    pub(super) fn is_certified(&self) -> bool {
        self.ambiguous + self.unexplained + self.null + self.not_finite == 0
    }

    /// Words of a report's first line on rows that are not certified.
    pub(super) fn without(&self) -> String {
        match self.ambiguous + self.unexplained + self.null + self.not_finite {
            0 => String::new(),
            open => format!("; {open} without a certified position"),
        }
    }

    /// True if no honest implementation makes some rows, or some have not the expected position.
    pub(super) fn falls_short(&self, comparison: Option<&Comparison>) -> bool {
        comparison.is_some_and(|comparison| comparison.differ > 0) || self.unexplained + self.not_finite > 0
    }
}

/// A row without a certified position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenRow {
    /// The table among the leading dimensions.
    pub table: usize,
    /// The row.
    pub row: usize,
    /// Knowledge of it.
    pub found: Located,
}

/// The pattern of some tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TablePattern {
    /// The first table that has it.
    pub table: usize,
    /// Number of tables that have it.
    pub tables: usize,
    /// Rows of that table that are certified, of all its rows.
    pub certified: usize,
    /// The pattern.
    #[serde(flatten)]
    pub pattern: Pattern,
}

/// The positions of all rows along an axis, counted in steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecodedAxis {
    /// The axis: `position` where the convention states none.
    pub name: String,
    /// The coordinates that were considered along it.
    pub domain: Domain,
    /// The numbers of the multiples of the step among them.
    pub multiples: Domain,
    /// The largest domain from the same first position on whose positions are told apart from each other, whatever a row
    /// holds: with it as the domain, no row is ambiguous. Of rotated vectors, those each of whose pairs is 2^−10 or longer.
    pub told_apart: Domain,
    /// Number of rows of each kind, of all tables.
    pub counts: Counts,
    /// The patterns of the tables: the first [`DecodedAxis::LISTED`] that differ.
    pub patterns: Vec<TablePattern>,
    /// The first rows that are not certified.
    pub open: Vec<OpenRow>,
    /// Comparison of rows with expected positions, where those were stated.
    pub comparison: Option<Comparison>,
    /// Every row of every table, table after table.
    #[serde(skip)]
    pub located: Vec<Located>,
}

impl DecodedAxis {
    /// Patterns, and rows that are not certified, that are listed at most.
    pub const LISTED: usize = 8;

    pub(super) fn new(
        name: &str,
        (domain, multiples, told_apart): (Domain, Domain, Domain),
        located: Vec<Located>,
        rows: usize,
    ) -> Self {
        Self {
            name: name.to_owned(),
            domain,
            multiples,
            told_apart,
            counts: Counts::of(&located),
            patterns: patterns(&located, rows),
            open: open(&located, rows),
            comparison: None,
            located,
        }
    }
}

/// The positions of all rows: of a convention of one axis, or of several ([`DecodedAxes`](super::DecodedAxes)). They are counted in steps:
/// number k is the coordinate k·step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "schema", rename = "posproof.positions/2", bound = "C: Serialize")]
pub struct Decoded<C = Convention> {
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// The convention that was stated.
    #[serde(serialize_with = "with_axes")]
    pub convention: C,
    /// The coordinates that were considered along each axis that has none of its own, of which those that are multiples of the step.
    pub domain: Domain,
    /// Step of the positions: 1 of whole positions of one axis.
    #[serde(serialize_with = "as_text")]
    pub step: Rational,
    /// The numbers of these multiples.
    pub multiples: Domain,
    /// The precision of the angles that was stated.
    pub compute: Format,
    /// The path of the frequencies that was stated; any if there is none.
    #[serde(serialize_with = "any_or_one")]
    pub path: Option<Path>,
    /// The format of the entries.
    pub storage: Format,
    /// The arrays, as they were read.
    pub inputs: Vec<ArrayRead>,
    /// Number of tables that the leading dimensions make.
    pub tables: usize,
    /// Rows of a table.
    pub rows: usize,
    /// Every axis, in the order of the convention.
    pub axes: Vec<DecodedAxis>,
}

/// A number exactly.
pub(crate) fn as_text<S: Serializer>(number: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl Decoded {
    /// These rows, compared with the positions that they should have: one for each row, the same for every table, or one for each row of
    /// each table. `name` is what they are called in messages.
    ///
    /// # Errors
    ///
    /// Where there are more or fewer positions than that, or one is outside the domain that was decoded in.
    pub fn compared(mut self, name: &str, expected: &[i64]) -> Result<Self, Invalid> {
        let expected: Vec<Option<i64>> = expected.iter().copied().map(Some).collect();
        for axis in &mut self.axes {
            axis.comparison = Some(Comparison::new(axis, self.rows, name, &expected)?);
        }
        Ok(self)
    }
}

impl<C> Decoded<C> {
    /// True if every row has one position along every axis.
    pub fn is_certified(&self) -> bool {
        self.axes.iter().all(|axis| axis.counts.is_certified())
    }

    /// True if some rows are such that no honest implementation makes them, or have not the expected position.
    pub fn falls_short(&self) -> bool {
        self.axes.iter().any(|axis| axis.counts.falls_short(axis.comparison.as_ref()))
    }
}

/// The first rows that are not certified.
fn open(located: &[Located], rows: usize) -> Vec<OpenRow> {
    let open = |(at, found): (usize, &Located)| {
        let open = found.position().is_none();
        open.then(|| OpenRow { table: at / rows, row: at % rows, found: found.clone() })
    };
    located.iter().enumerate().filter_map(open).take(DecodedAxis::LISTED).collect()
}

fn patterns(located: &[Located], rows: usize) -> Vec<TablePattern> {
    let mut patterns: Vec<TablePattern> = Vec::new();
    for (table, located) in located.chunks(rows.max(1)).enumerate() {
        let numbered = located.iter().enumerate();
        let known: Vec<(usize, i64)> = numbered.filter_map(|(row, found)| Some((row, found.position()?))).collect();
        let (certified, pattern) = (known.len(), Pattern::of(&known, known.len() == located.len()));
        let same = |known: &TablePattern| known.certified == certified && known.pattern == pattern;
        match patterns.iter().position(same) {
            Some(at) => patterns[at].tables += 1,
            None if patterns.len() < DecodedAxis::LISTED => {
                patterns.push(TablePattern { table, tables: 1, certified, pattern });
            }
            None => {}
        }
    }
    patterns
}

impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions remain: ", self.count)?;
        for (i, range) in self.ranges.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            match range.start() == range.end() {
                true => write!(f, "{comma}{}", range.start())?,
                false => write!(f, "{comma}{} to {}", range.start(), range.end())?,
            }
        }
        let listed: u64 = self.ranges.iter().map(|range| range.end().abs_diff(*range.start()) + 1).sum();
        if listed < self.count {
            f.write_str(", …")?;
        }
        if !self.tested {
            f.write_str(" (too many to be tested one by one)")?;
        }
        Ok(())
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certified { position } => write!(f, "position {position}"),
            Self::Ambiguous(candidates) => candidates.fmt(f),
            Self::Unexplained(Contradiction::Length { pair }) => {
                write!(f, "no position: pair {pair} has not the length that a rotation and the amplitude leave it")
            }
            Self::Unexplained(Contradiction::Angles) => f.write_str("no position of the domain has these angles"),
            Self::Null => f.write_str("nothing but zeros, which show no position"),
            Self::NotFinite => f.write_str("entries that are not finite"),
        }
    }
}

impl fmt::Display for Decoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, tables, domain, .. } = self;
        let Some(axis) = self.axes.first() else { return Ok(()) };
        let DecodedAxis { told_apart, counts, patterns, open, comparison, .. } = axis;
        let heading = heading((*tables, *rows), self.storage, (self.compute, self.path));
        writeln!(f, "{heading}{}", counts.without())?;
        writeln!(f, "positions considered: the integers {domain}")?;
        if told_apart == domain {
            writeln!(f, "these formats tell all of them apart")?;
        } else {
            writeln!(
                f,
                "these formats tell all of {told_apart} apart, whatever a row holds; beyond, enclosures of positions overlap"
            )?;
        }
        Found { tables: *tables, rows: *rows, counts, patterns, open }.fmt(f)?;
        comparison.as_ref().map_or(Ok(()), |comparison| compared(comparison, *tables, f))
    }
}

/// Subject of the decoding, in words.
pub(super) fn heading(
    (tables, rows): (usize, usize),
    storage: Format,
    (compute, path): (Format, Option<Path>),
) -> String {
    let of = if tables == 1 { String::new() } else { format!(" of each of {tables} tables") };
    let path = path.map_or("any path", Path::name);
    format!("{rows} rows{of}, {storage}, angles in {compute}, frequencies by {path}")
}

/// Findings of a report on the rows along an axis.
pub(super) struct Found<'a> {
    pub tables: usize,
    pub rows: usize,
    pub counts: &'a Counts,
    pub patterns: &'a [TablePattern],
    pub open: &'a [OpenRow],
}

/// A row in words.
fn place(tables: usize, table: usize, row: usize) -> String {
    if tables == 1 { format!("row {row}") } else { format!("table {table}, row {row}") }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tables: all, rows, counts, patterns, open } = self;
        let kinds = [
            ("certified", counts.certified, "one position is left, every other one is excluded"),
            ("ambiguous", counts.ambiguous, "several positions are left"),
            ("unexplained", counts.unexplained, "no position is left"),
            ("null", counts.null, "zeros show no position"),
            ("not finite", counts.not_finite, "entries that are infinite or not a number"),
        ];
        for (name, count, meaning) in kinds.into_iter().filter(|(_, count, _)| *count > 0) {
            writeln!(f, "  {name:<12}{count:>10}  {meaning}")?;
        }
        for TablePattern { table, tables, certified, pattern } in *patterns {
            let rows = if certified == rows { String::new() } else { format!(" (of {certified} certified rows)") };
            match all {
                1 => writeln!(f, "pattern{rows}: {pattern}")?,
                _ => writeln!(f, "pattern of {tables} tables, the first of them table {table}{rows}: {pattern}")?,
            }
        }
        let told: usize = patterns.iter().map(|pattern| pattern.tables).sum();
        if told < *all {
            writeln!(f, "{} more tables have other patterns", all - told)?;
        }
        for OpenRow { table, row, found } in *open {
            writeln!(f, "{}: {found}", place(*all, *table, *row))?;
        }
        Ok(())
    }
}

/// A comparison with expected positions in words.
pub(super) fn compared(comparison: &Comparison, tables: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Comparison { agree, differ, undecided, first } = comparison;
    writeln!(f, "expected positions: {agree} rows agree, {differ} differ, {undecided} may have them or others")?;
    for super::RowDifference { table, row, expected, found } in first {
        writeln!(f, "{}: expected {expected}; found {found}", place(tables, *table, *row))?;
    }
    Ok(())
}
