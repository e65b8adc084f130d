//! Report, and its JSON (schema `posproof.positions/1`).

use super::{Candidates, Comparison, Contradiction, Domain, Located, Pattern, Query};
use crate::Invalid;
use crate::report::{ArrayRead, any_or_one};
use posproof_bound::Path;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use serde::Serialize;
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

/// The positions of all rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decoded {
    /// `posproof.positions/1`.
    pub schema: &'static str,
    /// `sinusoid`, `rope` or `rotation`.
    pub subject: &'static str,
    /// The convention that was stated.
    pub convention: Convention,
    /// The positions that were considered.
    pub domain: Domain,
    /// The largest domain from the same first position on whose positions are told apart from each other, whatever a row
    /// holds: with it as the domain, no row is ambiguous. Of rotated vectors, those each of whose pairs is 2^−10 or longer.
    pub told_apart: Domain,
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
    /// Number of rows of each kind, of all tables.
    pub counts: Counts,
    /// The patterns of the tables: the first [`Decoded::LISTED`] that differ.
    pub patterns: Vec<TablePattern>,
    /// The first rows that are not certified.
    pub open: Vec<OpenRow>,
    /// Comparison of rows with expected positions, where those were stated.
    pub comparison: Option<Comparison>,
    /// Every row of every table, table after table.
    #[serde(skip)]
    pub located: Vec<Located>,
}

impl Decoded {
    /// Patterns, and rows that are not certified, that are listed at most.
    pub const LISTED: usize = 8;

    pub(super) fn new(
        subject: &'static str,
        query: &Query,
        storage: Format,
        inputs: Vec<ArrayRead>,
        (tables, rows): (usize, usize),
        told_apart: Domain,
        located: Vec<Located>,
    ) -> Self {
        Self {
            schema: "posproof.positions/1",
            subject,
            convention: query.convention.clone(),
            domain: query.domain,
            told_apart,
            compute: query.compute,
            path: query.path,
            storage,
            inputs,
            tables,
            rows,
            counts: Counts::of(&located),
            patterns: patterns(&located, rows),
            open: open(&located, rows),
            comparison: None,
            located,
        }
    }

    /// The same, compared with the positions that the rows should have ([`Comparison::new`]).
    pub fn compared(self, name: &str, expected: &[i64]) -> Result<Self, Invalid> {
        let comparison = Comparison::new(&self, name, expected)?;
        Ok(Self { comparison: Some(comparison), ..self })
    }

    /// True if every row has one position.
    pub fn is_certified(&self) -> bool {
        self.counts.is_certified()
    }

    /// True if some rows are such that no honest implementation makes them, or have not the expected position.
    pub fn falls_short(&self) -> bool {
        self.counts.falls_short(self.comparison.as_ref())
    }
}

/// The first rows that are not certified.
pub(super) fn open(located: &[Located], rows: usize) -> Vec<OpenRow> {
    let open = |(at, found): (usize, &Located)| {
        let open = found.position().is_none();
        open.then(|| OpenRow { table: at / rows, row: at % rows, found: found.clone() })
    };
    located.iter().enumerate().filter_map(open).take(Decoded::LISTED).collect()
}

pub(super) fn patterns(located: &[Located], rows: usize) -> Vec<TablePattern> {
    let mut patterns: Vec<TablePattern> = Vec::new();
    for (table, located) in located.chunks(rows.max(1)).enumerate() {
        let numbered = located.iter().enumerate();
        let known: Vec<(usize, i64)> = numbered.filter_map(|(row, found)| Some((row, found.position()?))).collect();
        let (certified, pattern) = (known.len(), Pattern::of(&known, known.len() == located.len()));
        let same = |known: &TablePattern| known.certified == certified && known.pattern == pattern;
        match patterns.iter().position(same) {
            Some(at) => patterns[at].tables += 1,
            None if patterns.len() < Decoded::LISTED => {
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
        let Self { rows, tables, domain, told_apart, counts, .. } = self;
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
        let found = Found { tables: *tables, rows: *rows, counts, patterns: &self.patterns, open: &self.open };
        found.fmt(f)?;
        self.comparison.as_ref().map_or(Ok(()), |comparison| compared(comparison, *tables, f))
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
