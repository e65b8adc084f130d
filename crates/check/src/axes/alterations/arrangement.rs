//! Axes on other slots.

use super::{Alterations, MOST_AXES, permutations};
use crate::faults::{AXIS_ARRANGEMENT, AxesCause};
use posproof_encoding::axes::{Ranges, SectionsOrder, sections};

impl Alterations<'_> {
    /// Axes on other slots: their blocks in another order, or in turn.
    pub(super) fn arrangements(&mut self) {
        let axes = self.convention.axes.len();
        let slots = self.law.slots();
        if !(2..=MOST_AXES).contains(&axes) || (0..slots).any(|slot| self.law.claims(slot).len() != 1) {
            return;
        }
        let counts: Vec<usize> = self.law.axes().iter().map(|axis| axis.slots().len()).collect();
        let mut made: Vec<Vec<Vec<usize>>> = Vec::new();
        for order in permutations(axes) {
            let mut blocks = vec![Vec::new(); axes];
            let mut next = 0;
            for &axis in &order {
                blocks[axis] = (next..next + counts[axis]).collect();
                next += counts[axis];
            }
            made.push(blocks);
            // In turn, each axis until its slots are spent.
            let mut turns = vec![Vec::new(); axes];
            let mut slot = 0;
            while slot < slots {
                for &axis in &order {
                    if turns[axis].len() < counts[axis] {
                        turns[axis].push(slot);
                        slot += 1;
                    }
                }
            }
            made.push(turns);
        }
        if let &[t, h, w] = counts.as_slice() {
            let order = SectionsOrder::Interleaved;
            if let Ok(sections) = sections(&[t, h, w], order) {
                made.push(sections.iter().map(|axis| axis.pairs.iter().collect()).collect());
            }
        }
        for arrangement in made {
            let ranges: Option<Vec<Ranges>> = arrangement.iter().map(|slots| Ranges::of(slots)).collect();
            let Some(ranges) = ranges else { continue };
            let mut convention = self.convention.clone();
            convention.axes.iter_mut().zip(&ranges).for_each(|(axis, ranges)| axis.pairs = ranges.clone());
            let same = self.law.axes().iter().zip(&arrangement).all(|(axis, slots)| axis.slots() == slots);
            if !same && ranges.iter().zip(&counts).all(|(ranges, count)| ranges.len() == *count) {
                let found = convention.axes.iter().map(|axis| (axis.name.clone(), axis.pairs.clone())).collect();
                self.push(&AXIS_ARRANGEMENT, AxesCause::Arrangement { found }, convention);
            }
        }
    }
}
