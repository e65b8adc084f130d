//! Tables that depart each in its own way, as the sequences of a batch do: groups of them are judged by themselves.

use super::Invalid;
use super::faults::{Cause, Explained, Finding, NOT_FINITE, PositionRule, ProductsCause, Region, Shape, Span, Status};
use super::grid::{Grid, like_its_grid};
use super::input::InvalidInput;
use super::levels::{Integers, Levels};
use super::subject::Subject;
use posproof_numerics::format::Format;
use std::ops::Range;

/// Groups that are judged by themselves, at most.
const MOST_GROUPS: usize = 256;

/// Findings that they have together, at most.
const MOST_FINDINGS: usize = 16;

/// Groups that are judged by themselves, one after the other.
#[derive(Clone, Copy)]
pub(super) enum Groups<'a> {
    /// So many, each of so many tables.
    Tables(usize, usize),
    /// Sequences that stand in one table, each with its number and its rows, and how many rows there are in all.
    #[cfg_attr(not(feature = "axes"), expect(dead_code, reason = "rows in any order are judged with the feature"))]
    Sequences(&'a [(usize, Range<usize>)], usize),
}

impl Groups<'_> {
    /// Places along the first of several leading axes, or single tables, each a multiple of `heads` tables; none where there are no such groups.
    pub fn of_tables(subject: Subject<'_>, heads: usize) -> Option<Self> {
        let (grid, tables) = (subject.judged(), subject.judged().slabs());
        let groups = match grid.leading().as_slice() {
            [(_, size), _, ..] => *size,
            _ => tables,
        };
        let size = tables / groups.max(1);
        (size * groups == tables && size.is_multiple_of(heads)).then_some(Self::Tables(groups, size))
    }

    fn count(self) -> usize {
        match self {
            Self::Tables(count, _) => count,
            Self::Sequences(sequences, _) => sequences.len(),
        }
    }

    /// Tables or rows of a group.
    fn of(self, group: usize) -> Range<usize> {
        match self {
            Self::Tables(_, size) => group * size..(group + 1) * size,
            Self::Sequences(sequences, _) => sequences[group].1.clone(),
        }
    }

    fn part<'g>(self, grid: &'g dyn Grid, group: usize) -> Part<'g> {
        match self {
            Self::Tables(..) => Part { grid, tables: self.of(group), rows: 0..grid.rows() },
            Self::Sequences(..) => Part { grid, tables: 0..grid.slabs(), rows: self.of(group) },
        }
    }

    /// A finding of a group, with the numbers that its tables or rows have among all; and these.
    fn placed(self, finding: Finding, group: usize) -> (Finding, Vec<usize>) {
        let start = self.of(group).start;
        let own = |span: Option<Span>| span.map_or_else(|| self.of(group).collect(), |span| span.iter().collect());
        let of = |region: fn(&Region) -> Span| finding.region.as_ref().map(|found| region(found).after(start));
        match self {
            Self::Tables(..) => {
                let heads = of(|region| region.heads);
                (finding, own(heads))
            }
            Self::Sequences(..) => {
                let rows = of(|region| region.rows);
                let region = finding.region.zip(rows).map(|(region, rows)| Region { rows, ..region });
                (Finding { cause: finding.cause.after(start), region, ..finding }, own(rows))
            }
        }
    }

    /// The region of all that are alike, in the shape of the whole.
    fn region(self, region: Region, own: Vec<usize>) -> Region {
        let shape = region.of;
        match self {
            Self::Tables(count, size) => {
                let heads = Span::of(own).unwrap_or(region.heads);
                Region { heads, of: Shape { heads: count * size, ..shape }, ..region }
            }
            Self::Sequences(.., all) => {
                let rows = Span::of(own).unwrap_or(region.rows);
                Region { rows, of: Shape { rows: all, ..shape }, ..region }
            }
        }
    }

    /// Noun of a group, and its number, of one of its tables or rows.
    fn named(self, first: usize) -> (&'static str, usize) {
        match self {
            Self::Tables(..) => ("table", first),
            Self::Sequences(sequences, _) => {
                let before = sequences.partition_point(|(_, rows)| rows.end <= first);
                ("sequence", sequences.get(before).map_or(0, |(number, _)| *number))
            }
        }
    }
}

/// Consecutive tables of a grid, and consecutive rows of them.
struct Part<'a> {
    grid: &'a dyn Grid,
    tables: Range<usize>,
    rows: Range<usize>,
}

impl Grid for Part<'_> {
    like_its_grid!(name: &str, format: Format, width: usize, note: Option<String>, levels: Option<Levels>, integers: Option<Integers>);

    fn slabs(&self) -> usize {
        self.tables.len()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let start = self.rows.start;
        self.grid.read(self.tables.start + slab, start + rows.start..start + rows.end, out)
    }
}

/// Findings, and the convention that the entries follow but for these.
type FindingsUnder<C> = (Vec<Finding>, Option<C>);

/// Judgement of a group of this number; no findings where it conforms.
type JudgedGroup<'j, C> = dyn Fn(Subject<'_>, usize) -> Result<FindingsUnder<C>, Invalid> + 'j;

/// True if a sentence has numbers of tables, which are others in a group.
fn counts_tables(cause: &Cause) -> bool {
    match cause {
        Cause::Positions(rule) => matches!(rule, PositionRule::Counted { .. }),
        Cause::Products(products) => matches!(products, ProductsCause::Tables { .. } | ProductsCause::Moved { .. }),
        Cause::AxesExchanged { .. } => true,
        _ => false,
    }
}

/// Adds a finding of other tables to one.
fn join((known, tables): &mut (Finding, Vec<usize>), (finding, own): (Finding, Vec<usize>)) {
    known.explains.entries += finding.explains.entries;
    known.region = known.region.take().zip(finding.region).map(|(one, other)| one.around(other));
    tables.extend(own);
}

/// One finding for each fault, where groups have it each with figures of its own.
fn in_ways(groups: Groups<'_>, found: Vec<(Finding, Vec<usize>)>) -> Vec<(Finding, Vec<usize>)> {
    let mut faults: Vec<(Finding, Vec<usize>)> = Vec::new();
    for (finding, own) in found {
        let Some(known) = faults.iter_mut().find(|(known, _)| known.fault == finding.fault) else {
            faults.push((finding, own));
            continue;
        };
        if let Cause::Each { ways, .. } = &mut known.0.cause {
            *ways += 1;
        } else {
            let (each, number) = groups.named(known.1.first().copied().unwrap_or_default());
            known.0.cause = Cause::Each { each, ways: 2, number, one: Box::new(known.0.cause.clone()) };
        }
        join(known, (finding, own));
    }
    faults
}

/// Findings of groups, and the convention that all of them follow; what is in no group is right. None where groups have no findings of their
/// own, or hardly one has a cause. `of` entries are beyond their bounds; `rest` is the cause of so many that depart by themselves. Entries that
/// are not finite are told as in the findings of all groups together.
pub(super) fn each<C: PartialEq>(
    subject: Subject<'_>,
    (groups, of): (Groups<'_>, u64),
    together: &[Finding],
    rest: &dyn Fn(u64) -> Cause,
    judged: &JudgedGroup<'_, C>,
) -> Result<Option<FindingsUnder<C>>, Invalid> {
    let fewest = if matches!(groups, Groups::Tables(..)) { 2 } else { 1 };
    if !(fewest..=MOST_GROUPS).contains(&groups.count()) {
        return Ok(None);
    }
    let tables = matches!(groups, Groups::Tables(_, size) if size > 1);
    let mut found: Vec<(Finding, Vec<usize>)> = Vec::new();
    let (mut caused, mut open) = (0, 0);
    let mut conventions: Vec<Option<C>> = Vec::new();
    for group in 0..groups.count() {
        let grids: Vec<Part<'_>> = subject.grids().into_iter().map(|(_, grid)| groups.part(grid, group)).collect();
        let x = if let Subject::Rotation { x, .. } = subject { Some(groups.part(x, group)) } else { None };
        let part = subject.of_views(grids.iter().map(|grid| grid as &dyn Grid), x.as_ref().map(|x| x as &dyn Grid));
        let (mut findings, convention) = judged(part, group)?;
        findings.retain(|finding| finding.fault != &NOT_FINITE);
        if !conventions.contains(&convention) {
            conventions.push(convention);
        }
        let is_open =
            |finding: &Finding| finding.status != Status::Confirmed || tables && counts_tables(&finding.cause);
        if findings.iter().any(is_open) {
            open += 1;
        } else if !findings.is_empty() {
            caused += 1;
        }
        // What nothing explains is not asked about group by group.
        if open > caused + 1 {
            return Ok(None);
        }
        for (finding, own) in findings.into_iter().map(|finding| groups.placed(finding, group)) {
            let apart = |cause: &Cause| matches!(cause, Cause::Apart { .. });
            let alike = |(known, _): &&mut (Finding, Vec<usize>)| {
                // Measured figures of one cause are alike as far as they are told.
                let same = known.cause == finding.cause || apart(&known.cause) && apart(&finding.cause);
                known.fault == finding.fault && (same || known.what() == finding.what())
            };
            match found.iter_mut().find(alike) {
                Some(known) => join(known, (finding, own)),
                None => found.push((finding, own)),
            }
        }
    }
    let several = found.len() > 1 || matches!(groups, Groups::Sequences(..));
    if found.len() > MOST_FINDINGS {
        found = in_ways(groups, found);
    }
    let placed = |(finding, own): (Finding, Vec<usize>)| {
        let entries = finding.explains.entries;
        let region = finding.region.map(|region| groups.region(region, own));
        let cause = if matches!(finding.cause, Cause::Apart { .. }) { rest(entries) } else { finding.cause };
        Finding { cause, region, explains: Explained { entries, of }, confined: true, ..finding }
    };
    // What is explained stands before what is not.
    found.sort_by_key(|(finding, _)| finding.status != Status::Confirmed);
    let told = caused > 0 && several && found.len() <= MOST_FINDINGS;
    // Of several conventions none is that of all.
    let convention = conventions.pop().filter(|_| conventions.is_empty()).flatten();
    let strange = together.iter().filter(|finding| finding.fault == &NOT_FINITE).cloned();
    Ok(told.then(|| (strange.chain(found.into_iter().map(placed)).collect(), convention)))
}
