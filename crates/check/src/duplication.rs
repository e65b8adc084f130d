//! How a cache of full width repeats its columns.

use super::faults::{ArrayCause, DUPLICATION, DUPLICATIONS, Finding, HALF_AS_MANY};
use super::grid::Grid;
use super::input::{About, InvalidInput};
use super::subject::Subject;
use posproof_encoding::convention::{Component, Convention};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// How the columns of a cache stand for its pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Duplication {
    /// One column for each pair: [c₀ c₁ …].
    None,
    /// The columns of all pairs, and all of them again, for pairs (k, k + dim/2): [c₀ c₁ … c₀ c₁ …].
    Halves,
    /// The column of each pair twice, for pairs (2k, 2k + 1): [c₀ c₀ c₁ c₁ …].
    Repeated,
}

impl Duplication {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Halves, Self::Repeated];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Halves => "halves",
            Self::Repeated => "repeated",
        }
    }

    /// The two columns that hold the same value, of each of `width`/2 values.
    fn twins(self, width: usize) -> impl Fn(usize) -> (usize, usize) {
        move |k| match self {
            Self::Repeated => (2 * k, 2 * k + 1),
            Self::None | Self::Halves => (k, k + width / 2),
        }
    }

    /// How rows of `width` columns repeat values, if they do: as most values of these rows have it. `None` where no value
    /// is repeated, or where as many are in either way, as in a row of position 0.
    pub(super) fn of(rows: &[f64], width: usize) -> Option<Self> {
        if width == 0 || width % 2 != 0 {
            return None;
        }
        let [halves, repeated] = [Self::Halves, Self::Repeated].map(|way| {
            let twins = way.twins(width);
            let equal = |row: &[f64]| (0..width / 2).map(&twins).filter(|&(a, b)| row[a] == row[b]).count();
            rows.chunks_exact(width).map(equal).sum::<usize>()
        });
        match halves.cmp(&repeated) {
            std::cmp::Ordering::Greater => Some(Self::Halves),
            std::cmp::Ordering::Less => Some(Self::Repeated),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// How a grid repeats its values, as its rows show it that are read for this: the last one and some before it.
    pub(super) fn detect(grid: &dyn Grid) -> Result<Option<Self>, InvalidInput> {
        Ok(Self::of(&sample(grid)?, grid.width()))
    }

    /// How a grid repeats every value, in every row that is read for this.
    pub(super) fn throughout(grid: &dyn Grid) -> Result<Option<Self>, InvalidInput> {
        let (rows, width) = (sample(grid)?, grid.width());
        let found = Self::of(&rows, width).filter(|way| {
            let twins = way.twins(width);
            rows.chunks_exact(width).all(|row| (0..width / 2).map(&twins).all(|(a, b)| row[a] == row[b]))
        });
        Ok(found)
    }
}

/// Rows at equal distances, the last one included.
const SAMPLE: usize = 8;

fn sample(grid: &dyn Grid) -> Result<Vec<f64>, InvalidInput> {
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let count = grid.rows();
    for i in 1..=SAMPLE.min(count) {
        let at = (count as u128 * i as u128 / SAMPLE.min(count) as u128) as usize - 1;
        grid.read(0, at..at + 1, &mut row)?;
        rows.extend_from_slice(&row);
    }
    Ok(rows)
}

/// How the columns of a cache stand for its pairs, as far as its values show it: that of the cosines, where there are both.
pub(super) fn found(subject: Subject<'_>, pairs: usize) -> Result<Option<Duplication>, InvalidInput> {
    Ok(each(subject, pairs)?.into_iter().find_map(|(_, found)| found))
}

fn each(subject: Subject<'_>, pairs: usize) -> Result<Vec<(Component, Option<Duplication>)>, InvalidInput> {
    let found = |(component, grid): (Option<Component>, &dyn Grid)| {
        let way = if grid.width() == pairs { Some(Duplication::None) } else { Duplication::detect(grid)? };
        Ok(component.map(|component| (component, way)))
    };
    subject.grids().into_iter().map(found).filter_map(Result::transpose).collect()
}

/// Whether the columns are repeated as stated, and cosines as sines.
pub(super) fn judge(
    subject: Subject<'_>,
    pairs: usize,
    stated: Option<Duplication>,
) -> Result<Option<Finding>, InvalidInput> {
    let each = each(subject, pairs)?;
    let unlike = |&(component, found): &(Component, Option<Duplication>)| {
        let (stated, found) = (stated?, found?);
        (stated != found)
            .then(|| Finding::new(&DUPLICATION, ArrayCause::Duplication { component, stated, found }.into()))
    };
    if let Some(finding) = each.iter().find_map(unlike) {
        return Ok(Some(finding));
    }
    Ok(match each[..] {
        [(_, Some(cos)), (_, Some(sin))] if cos != sin => {
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
        ways.push((way, Duplication::throughout(grid)?));
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
/// the squares of columns j and j + pairs add up to the same in every row that is read.
pub(super) fn refuse_side_by_side(subject: Subject<'_>, pairs: usize) -> Result<(), InvalidInput> {
    for (_, grid) in subject.grids().into_iter().filter(|(part, grid)| part.is_some() && grid.width() == 2 * pairs) {
        let (rows, width) = (sample(grid)?, grid.width());
        let sums = rows.chunks_exact(width).flat_map(|row| (0..pairs).map(|k| row[k].hypot(row[k + pairs])));
        let sums: Vec<f64> = sums.collect();
        let first = sums.first().copied().unwrap_or(0.0);
        // Within the errors of bfloat16; cosines that are all the same as their twins have sums from 0 to √2.
        let same = first > 0.0 && sums.iter().all(|sum| (sum / first - 1.0).abs() < 0.01);
        let twins = Duplication::of(&rows, width).is_some();
        if same && !twins && grid.rows() > 1 {
            let found = format!(
                "columns j and j + {pairs} whose squares add up to {:.3} in every row that was read",
                first * first
            );
            let advice = "cosines and sines side by side are named with --cos-sin-cache";
            return Err(About(grid.name()).error("the columns", "cosines or sines", found, advice));
        }
    }
    Ok(())
}

impl fmt::Display for Duplication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Duplication {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|way| way.name() == name);
        let names = Self::ALL.into_iter().map(Self::name);
        known.ok_or_else(|| posproof_encoding::suggestion::unknown("duplication", name, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_values_decide() {
        assert_eq!(Duplication::of(&[1.0, 2.0, 1.0, 2.0], 4), Some(Duplication::Halves));
        assert_eq!(Duplication::of(&[1.0, 1.0, 2.0, 2.0], 4), Some(Duplication::Repeated));
        // Position 0 shows nothing, and neither do values that all differ or rows of an odd width.
        assert_eq!(Duplication::of(&[1.0, 1.0, 1.0, 1.0], 4), None);
        assert_eq!(Duplication::of(&[1.0, 2.0, 3.0, 4.0], 4), None);
        assert_eq!(Duplication::of(&[1.0, 1.0, 1.0], 3), None);
        // One wrong value of twelve.
        let rows = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 5.0];
        assert_eq!(Duplication::of(&rows, 6), Some(Duplication::Repeated));
        for way in Duplication::ALL {
            assert_eq!(way.name().parse(), Ok(way));
        }
    }
}
