//! Rates at which the columns of a table turn, and the columns that stay as they are.

use super::Element;
use super::columns::{Arrangement, Columns, Still};
use super::line::{Eight, Line};
use super::plan::Plan;
use super::refine::Rest;

/// The columns of a planned table.
pub fn columns<K: Element>(plan: &Plan<K>, rest: &Rest<K>, arrangement: Arrangement) -> Columns {
    let (sections, width, groups) = (arrangement.sections(), arrangement.width(plan.pairs), plan.groups);
    let line = size_of::<Line>() / size_of::<K>();
    let chunks = width.div_ceil(line);
    let rate =
        |eight: usize| Eight(std::array::from_fn(|i| 2.0 * plan.step_cosine(arrangement.lane(eight, i, groups))));
    let still = |section: usize, chunk: usize| {
        let mut entries = vec![(K::default(), u8::MAX); line];
        for (i, (entry, keep)) in entries.iter_mut().enumerate() {
            let column = line * chunk + i;
            if plan.still[arrangement.lane(column / 8, column % 8, groups)] {
                let component = arrangement.cell(section, column).1;
                (*entry, *keep) = (rest.entry(0, true, component).unwrap_or_default(), 0);
            }
        }
        let still = entries.iter().filter(|(_, keep)| *keep == 0).count();
        (still > 0).then(|| {
            let (mut keep, mut bytes) = (Line([0; 64]), Line([0; 64]));
            let to = keep.0.chunks_exact_mut(size_of::<K>());
            to.zip(&entries).for_each(|(to, (_, keep))| to.fill(*keep));
            let to = bytemuck::cast_slice_mut::<Line, K>(std::slice::from_mut(&mut bytes));
            to.iter_mut().zip(&entries).for_each(|(to, (entry, _))| *to = *entry);
            Still { whole: still == entries.len(), keep, bytes }
        })
    };
    Columns {
        arrangement,
        width,
        chunks,
        rates: (0..sections).flat_map(|_| (0..chunks * line / 8).map(rate)).collect(),
        still: (0..sections)
            .flat_map(|section| (0..chunks).map(move |chunk| (section, chunk)))
            .map(|(s, c)| still(s, c))
            .collect(),
    }
}
