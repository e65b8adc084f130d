//! Rows of sinusoids of several axes: sines and cosines where the layout puts them.

use super::runs::Run;
use crate::Element;
use posproof_encoding::axes::AxialLaw;
use posproof_encoding::convention::Order;

/// Sines and cosines of the slots of a part, in the order in which they stand in a row of a sinusoid, so that they are in as few stretches as there can be.
pub struct Joined<T> {
    /// \[index, count\].
    pub entries: Vec<T>,
    pub count: usize,
    pub runs: Vec<Run>,
}

impl<T: Element> Joined<T> {
    pub fn new(law: &AxialLaw, slots: &[usize], (sin, cos): (&[T], &[T])) -> Self {
        // Where an entry stands, whether it is a cosine, and the number of its slot in the part.
        let mut order: Vec<(usize, usize, usize)> = Vec::with_capacity(2 * slots.len());
        for turn in law.turns() {
            let slot = turn.slots.0;
            let Some(at) = slots.iter().position(|&own| own == slot) else { continue };
            let which = if law.order(slot) == Order::SinCos { [0, 1] } else { [1, 0] };
            order.extend([(turn.write.0, which[0], at), (turn.write.1, which[1], at)]);
        }
        order.sort_unstable();
        let each = sin.chunks_exact(slots.len()).zip(cos.chunks_exact(slots.len()));
        let entries = each.flat_map(|(sin, cos)| order.iter().map(move |&(_, which, at)| [sin, cos][which][at]));
        let entries = entries.collect();
        let runs = Run::all(&order.iter().map(|&(place, _, _)| place).collect::<Vec<_>>());
        Self { entries, count: order.len(), runs }
    }
}
