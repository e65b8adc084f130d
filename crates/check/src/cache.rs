//! Caches whose columns are not what they are taken for.

use super::duplication::Duplication;
use super::faults::{ArrayCause, DUPLICATION, DUPLICATIONS, Finding, HALF_AS_MANY};
use super::grid::Grid;
use super::input::{About, InvalidInput};
use super::subject::Subject;
use posproof_encoding::convention::{Component, Convention};

/// Rows of a cache that are read for its columns, at equal distances and with the last one; fewer if it has fewer.
const SAMPLE: usize = 8;

pub(crate) fn sample(grid: &dyn Grid) -> Result<Vec<f64>, InvalidInput> {
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let count = grid.rows();
    for i in 1..=SAMPLE.min(count) {
        let at = (count as u128 * i as u128 / SAMPLE.min(count) as u128) as usize - 1;
        grid.read(0, at..at + 1, &mut row)?;
        rows.extend_from_slice(&row);
    }
    Ok(rows)
}

/// Repetition of a grid's values, as the rows show it that are read for this.
pub(crate) fn duplication(grid: &dyn Grid) -> Result<Option<Duplication>, InvalidInput> {
    Ok(Duplication::of(&sample(grid)?, grid.width()))
}

/// Meaning of the columns of a cache, by pairs, as far as its values show it: that of the cosines, where there are both.
pub(super) fn found(subject: Subject<'_>, pairs: usize) -> Result<Option<Duplication>, InvalidInput> {
    Ok(each(subject, pairs)?.into_iter().find_map(|(_, found)| found))
}

fn each(subject: Subject<'_>, pairs: usize) -> Result<Vec<(Component, Option<Duplication>)>, InvalidInput> {
    let found = |(component, grid): (Option<Component>, &dyn Grid)| {
        let way = if grid.width() == pairs { Some(Duplication::None) } else { duplication(grid)? };
        Ok(component.map(|component| (component, way)))
    };
    subject.grids().into_iter().map(found).filter_map(Result::transpose).collect()
}

/// Refuses columns that are not repeated as stated, or cosines and sines that differ in it.
pub(super) fn judge(
    subject: Subject<'_>,
    pairs: usize,
    stated: Option<Duplication>,
) -> Result<Option<Finding>, InvalidInput> {
    let each = each(subject, pairs)?;
    // Where small angles make neighbours equal, columns are repeated in either way.
    let mut as_stated = Vec::new();
    for (_, grid) in subject.grids() {
        let rows = sample(grid)?;
        let holds =
            |way: Duplication| way != Duplication::None && grid.width() != pairs && way.holds(&rows, grid.width());
        as_stated.push(Duplication::ALL.map(holds));
    }
    let unlike = |(&(component, found), holds): (&(Component, Option<Duplication>), &[bool; 3])| {
        let (stated, found) = (stated?, found?);
        let holds = Duplication::ALL.iter().zip(holds).any(|(way, holds)| *way == stated && *holds);
        (stated != found && !holds)
            .then(|| Finding::new(&DUPLICATION, ArrayCause::Duplication { component, stated, found }.into()))
    };
    if let Some(finding) = each.iter().zip(&as_stated).find_map(unlike) {
        return Ok(Some(finding));
    }
    let alike = (0..3).any(|way| as_stated.iter().all(|holds| holds[way]));
    Ok(match each[..] {
        _ if alike => None,
        [(_, Some(cos)), (_, Some(sin))] if cos != sin => {
            let (cos, sin) = (cos.name(), sin.name());
            Some(Finding::new(&DUPLICATIONS, ArrayCause::Duplications { cos, sin }.into()))
        }
        _ => None,
    })
}

/// The convention of a cache as wide as the stated one has pairs, each of whose columns has a twin: it holds half as many
/// frequencies, each twice. And the finding that says so.
pub(super) fn half_as_many(
    subject: Subject<'_>,
    convention: &Convention,
) -> Result<Option<(Convention, Finding)>, InvalidInput> {
    let pairs = convention.pairs();
    let mut ways = Vec::new();
    for (component, grid) in subject.grids() {
        let Some(way) = component.filter(|_| grid.width() == pairs) else { return Ok(None) };
        ways.push((way, Duplication::throughout(&sample(grid)?, grid.width())));
    }
    let Some(&(_, Some(duplication))) = ways.first() else { return Ok(None) };
    if ways.iter().any(|(_, way)| *way != Some(duplication)) {
        return Ok(None);
    }
    let found = Convention { rotary_dim: Some(pairs), ..convention.clone() };
    let rows = subject.grids().iter().map(|(_, grid)| SAMPLE.min(grid.rows())).sum();
    let cause = ArrayCause::HalfAsMany { duplication, expected: pairs, found: pairs / 2, rows };
    Ok(Some((found, Finding::new(&HALF_AS_MANY, cause.into()))))
}

/// Refuses a cache in place of whose cosines, or sines, there are both side by side: twice as wide as it has pairs, and
/// the squares of columns j and j + pairs add up to that of the gain in every row that is read, while the columns change.
pub(super) fn refuse_side_by_side(subject: Subject<'_>, convention: &Convention) -> Result<(), InvalidInput> {
    let (pairs, gain) = (convention.pairs(), convention.gain().enclose(64).approximate().abs());
    for (_, grid) in subject.grids().into_iter().filter(|(part, grid)| part.is_some() && grid.width() == 2 * pairs) {
        let (rows, width) = (sample(grid)?, grid.width());
        let mut sums = rows.chunks_exact(width).flat_map(|row| (0..pairs).map(|k| row[k].hypot(row[k + pairs])));
        // Within the errors of bfloat16; cosines that are all the same as their twins have sums from 0 to √2.
        let same = sums.all(|sum| (sum - gain).abs() < 0.01 * gain);
        let changes = rows.chunks_exact(width).any(|row| row != &rows[..width]);
        let twins = Duplication::of(&rows, width).is_some();
        if same && changes && !twins {
            let found = format!(
                "columns j and j + {pairs} whose squares add up to {:.3} in every row that was read",
                gain * gain
            );
            let advice = "cosines and sines side by side are named with --cos-sin-cache";
            return Err(About(grid.name()).error("the columns", "cosines or sines", found, advice));
        }
    }
    Ok(())
}
