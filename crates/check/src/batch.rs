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

/// Consecutive tables of a grid.
struct SomeTables<'a> {
    grid: &'a dyn Grid,
    tables: Range<usize>,
}

impl Grid for SomeTables<'_> {
    like_its_grid!(name: &str, format: Format, rows: usize, width: usize, note: Option<String>, levels: Option<Levels>, integers: Option<Integers>);

    fn slabs(&self) -> usize {
        self.tables.len()
    }

    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        self.grid.read(self.tables.start + slab, rows, out)
    }
}

/// Findings, and the convention that the entries follow but for these.
type FindingsUnder<C> = (Vec<Finding>, Option<C>);

/// Judgement of a group of tables; no findings where it conforms.
type JudgedGroup<'j, C> = dyn Fn(Subject<'_>) -> Result<FindingsUnder<C>, Invalid> + 'j;

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

/// One finding for each fault, where tables have it each with figures of its own.
fn in_ways(found: Vec<(Finding, Vec<usize>)>) -> Vec<(Finding, Vec<usize>)> {
    let mut faults: Vec<(Finding, Vec<usize>)> = Vec::new();
    for (finding, own) in found {
        let Some(known) = faults.iter_mut().find(|(known, _)| known.fault == finding.fault) else {
            faults.push((finding, own));
            continue;
        };
        if let Cause::Tables { ways, .. } = &mut known.0.cause {
            *ways += 1;
        } else {
            let table = known.1.first().copied().unwrap_or_default();
            known.0.cause = Cause::Tables { ways: 2, table, one: Box::new(known.0.cause.clone()) };
        }
        join(known, (finding, own));
    }
    faults
}

/// Findings of groups of tables, and the convention that all of them follow. A group is a place along the first of several leading axes, or a
/// single table, and a multiple of `heads` tables. None where groups have no findings of their own, or hardly one has a cause. `of` entries are
/// beyond their bounds; `rest` is the cause of so many that depart by themselves. Entries that are not finite are told as in the findings of all
/// tables together.
pub(super) fn each<C: PartialEq>(
    subject: Subject<'_>,
    (heads, of): (usize, u64),
    together: &[Finding],
    rest: &dyn Fn(u64) -> Cause,
    judged: &JudgedGroup<'_, C>,
) -> Result<Option<FindingsUnder<C>>, Invalid> {
    let (grid, tables) = (subject.judged(), subject.judged().slabs());
    let groups = match grid.leading().as_slice() {
        [(_, size), _, ..] => *size,
        _ => tables,
    };
    let size = tables / groups.max(1);
    if !(2..=MOST_GROUPS).contains(&groups) || size * groups != tables || !size.is_multiple_of(heads) {
        return Ok(None);
    }
    let mut found: Vec<(Finding, Vec<usize>)> = Vec::new();
    let (mut caused, mut open) = (0, 0);
    let mut conventions: Vec<Option<C>> = Vec::new();
    for start in (0..tables).step_by(size) {
        let some = |grid| SomeTables { grid, tables: start..start + size };
        let grids: Vec<SomeTables<'_>> = subject.grids().into_iter().map(|(_, grid)| some(grid)).collect();
        let x = if let Subject::Rotation { x, .. } = subject { Some(some(x)) } else { None };
        let group = subject.of_views(grids.iter().map(|grid| grid as &dyn Grid), x.as_ref().map(|x| x as &dyn Grid));
        let (mut findings, convention) = judged(group)?;
        findings.retain(|finding| finding.fault != &NOT_FINITE);
        if !conventions.contains(&convention) {
            conventions.push(convention);
        }
        let is_open =
            |finding: &Finding| finding.status != Status::Confirmed || size > 1 && counts_tables(&finding.cause);
        if findings.iter().any(is_open) {
            open += 1;
        } else if !findings.is_empty() {
            caused += 1;
        }
        // What nothing explains is not asked about group by group.
        if open > caused + 1 {
            return Ok(None);
        }
        for finding in findings {
            let own: Vec<usize> = match &finding.region {
                Some(region) => region.heads.iter().map(|table| start + table).collect(),
                None => (start..start + size).collect(),
            };
            let apart = |cause: &Cause| matches!(cause, Cause::Apart { .. });
            let alike = |(known, _): &&mut (Finding, Vec<usize>)| {
                let same = known.cause == finding.cause || apart(&known.cause) && apart(&finding.cause);
                known.fault == finding.fault && same
            };
            match found.iter_mut().find(alike) {
                Some(known) => join(known, (finding, own)),
                None => found.push((finding, own)),
            }
        }
    }
    let several = found.len() > 1;
    if found.len() > MOST_FINDINGS {
        found = in_ways(found);
    }
    let placed = |(finding, own): (Finding, Vec<usize>)| {
        let entries = finding.explains.entries;
        let region = finding.region.map(|region| {
            let (heads, shape) = (Span::of(own).unwrap_or(region.heads), region.of);
            Region { heads, of: Shape { heads: tables, ..shape }, ..region }
        });
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
