//! Axes whose coordinates lie on grids: their entries are those of tables of one axis, which one plan gives all axes of one convention.

use super::parts::{Indexed, Part};
use crate::{Element, InvalidTable, LIMIT, Positions, Table};
use posproof_encoding::axes::{AxisLaw, Coordinates};
use posproof_encoding::convention::Convention;
use rayon::prelude::*;

/// Columns of a table of one axis for each that is used, at most.
const MOST_UNUSED: usize = 64;

/// Entries of a table of one axis that are computed at once.
const AT_ONCE: usize = 1 << 15;

/// The slots of an axis as columns of a table of one axis.
pub struct OnGrid {
    convention: Convention,
    /// The position of each of the axis's coordinates, in increasing order.
    positions: Vec<u64>,
    /// The number of the axis, its slots, and their pairs.
    axis: usize,
    slots: Vec<usize>,
    pairs: Vec<usize>,
}

impl OnGrid {
    /// The slots of an axis given by their numbers among the axis's; none where its coordinates lie on no grid, and where so few slots of so
    /// many are wanted that whole rows are not worth their while.
    pub fn new((number, axis): (usize, &AxisLaw), alone: &[usize], coordinates: &Coordinates) -> Option<Self> {
        let ((convention, positions), index) = (on_a_grid((number, axis), coordinates)?, axis.index()?);
        let countable = positions.last().is_some_and(|&last| last < LIMIT);
        if !countable || convention.pairs() > MOST_UNUSED * alone.len().max(MOST_UNUSED) {
            return None;
        }
        Some(Self {
            convention,
            positions,
            axis: number,
            slots: alone.iter().map(|&at| axis.slots()[at]).collect(),
            pairs: alone.iter().map(|&at| index[at]).collect(),
        })
    }

    /// The entries of axes.
    pub fn parts<T: Element>(axes: Vec<Self>) -> Result<Vec<Part<T>>, InvalidTable> {
        let parts: Result<Vec<Vec<Part<T>>>, _> = Self::alike(axes).into_iter().map(of_one_plan).collect();
        Ok(parts?.into_iter().flatten().collect())
    }

    /// Its cosines and sines in rows of a table of one axis, at these increasing positions.
    fn picked<T: Element>(&self, positions: &[u64], table: &[T], width: usize) -> [Vec<T>; 2] {
        let mut own = &self.positions[self.positions.partition_point(|own| *own < positions[0])..];
        let (mut cos, mut sin) = (Vec::new(), Vec::new());
        for (position, row) in positions.iter().zip(table.chunks_exact(width)) {
            if own.first() != Some(position) {
                continue;
            }
            own = &own[1..];
            let (cosines, sines) = row.split_at(width / 2);
            cos.extend(self.pairs.iter().map(|&pair| cosines[pair]));
            sin.extend(self.pairs.iter().map(|&pair| sines[pair]));
        }
        [cos, sin]
    }

    /// Axes that differ in their positions only, together.
    fn alike(axes: Vec<Self>) -> Vec<Vec<Self>> {
        let mut alike: Vec<Vec<Self>> = Vec::new();
        for axis in axes {
            match alike.iter_mut().find(|others| others[0].convention == axis.convention) {
                Some(others) => others.push(axis),
                None => alike.push(vec![axis]),
            }
        }
        alike
    }
}

/// The entries of axes of one convention.
fn of_one_plan<T: Element>(axes: Vec<OnGrid>) -> Result<Vec<Part<T>>, InvalidTable> {
    let mut positions: Vec<u64> = axes.iter().flat_map(|axis| axis.positions.iter().copied()).collect();
    positions.sort_unstable();
    positions.dedup();
    let table = Table::<T>::new(&axes[0].convention, &Positions::list(positions.iter().copied())?)?;
    let width = table.width();
    let rows = (AT_ONCE / width).clamp(1, positions.len());
    let blocks: Result<Vec<Vec<[Vec<T>; 2]>>, InvalidTable> = positions
        .par_chunks(rows)
        .enumerate()
        .map(|(number, positions)| {
            let (start, mut block) = (number * rows, vec![T::default(); positions.len() * width]);
            table.fill(start..start + positions.len(), &mut block)?;
            Ok(axes.iter().map(|axis| axis.picked(positions, &block, width)).collect())
        })
        .collect();
    let mut parts: Vec<[Vec<T>; 2]> = axes.iter().map(|_| Default::default()).collect();
    for block in blocks? {
        for (all, more) in parts.iter_mut().flatten().zip(block.into_iter().flatten()) {
            all.extend(more);
        }
    }
    let part = |(axis, [cos, sin]): (OnGrid, [Vec<T>; 2])| Part::new(axis.slots, Indexed::Axis(axis.axis), cos, sin);
    Ok(axes.into_iter().zip(parts).map(part).collect())
}

/// A convention of one axis and positions whose effective positions are those of the coordinates along an axis, where there is one.
fn on_a_grid((number, axis): (usize, &AxisLaw), coordinates: &Coordinates) -> Option<(Convention, Vec<u64>)> {
    let convention = axis.tabulated()?;
    let (offset, scale) = (axis.offset().rational()?, axis.scale().rational()?);
    let first = coordinates.distinct(number).first()?;
    let (step, positions) = coordinates.steps(number)?;
    let position_offset = ((first + offset) / &step).into();
    Some((Convention { position_offset, position_scale: (scale * &step).into(), ..convention }, positions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_encoding::axes::{AxialConvention, AxialLaw};

    fn on_grids(law: &AxialLaw, rows: &Coordinates) -> Vec<OnGrid> {
        let axis = |(number, axis): (usize, &AxisLaw)| {
            let alone: Vec<usize> = (0..axis.slots().len()).collect();
            OnGrid::new((number, axis), &alone, rows).unwrap()
        };
        law.axes().iter().enumerate().map(axis).collect()
    }

    /// Axes of one plan have the entries that each has of a plan of its own, whichever of their positions the others have too.
    #[test]
    fn axes_of_one_convention_share_a_plan() {
        let law = |base: u32| {
            let convention: AxialConvention = serde_json::from_str(&format!(
                r#"{{"encoding": "rope", "dim": 24, "axes": [
                {{"name": "t", "pairs": "0..12:3", "index": "0..12:3", "frequency_dim": 24}},
                {{"name": "h", "pairs": "1..12:3", "index": "1..12:3", "frequency_dim": 24}},
                {{"name": "w", "pairs": "2..12:3", "index": "2..12:3", "frequency_dim": 24, "base": {base}}}]}}"#
            ))
            .unwrap();
            convention.law(|_| Err("none".into())).unwrap()
        };
        // More than are computed at once.
        let many: String = (0..4000).map(|x| format!("{} {x} 7\n", x % 5)).collect();
        let cases = [
            (10000, "0 0 0\n1 7 2\n2 9 5", 1),
            (100, "0 0 0\n1 7 2\n2 9 5", 2),
            (10000, "0 1 0\n1 7 2\n2 9 5", 2),
            (10000, "0 0 0\n1/2 7 2\n1 9 5", 2),
            (10000, "-3 1/2 -3\n1 7 -3\n2 9 5", 3),
            (10000, &many, 2),
        ];
        for (base, rows, plans) in cases {
            let (law, rows): (_, Coordinates) = (law(base), rows.parse().unwrap());
            assert_eq!(OnGrid::alike(on_grids(&law, &rows)).len(), plans);
            let mut together = OnGrid::parts::<f32>(on_grids(&law, &rows)).unwrap();
            together.sort_by_key(|part| part.slots.clone());
            for (axis, part) in on_grids(&law, &rows).into_iter().zip(together) {
                let [own] = &OnGrid::parts::<f32>(vec![axis]).unwrap()[..] else { panic!("one part") };
                assert_eq!((&own.slots, &own.cos, &own.sin), (&part.slots, &part.cos, &part.sin));
            }
        }
    }
}
