//! Arrangements of the entries: as stated; in the other layout, order or direction; for rotations also read in one
//! layout and written in the other.

use super::super::faults::{Cause, DIRECTION, EXCHANGED_ARRAYS, LAYOUT, ORDER, READ_AND_WRITTEN};
use super::super::reference::Reading;
use super::super::sample::{Phasors, Sample};
use super::super::subject::{Subject, Wiring, pairs_of};
use super::hypothesis::{Context, Named};
use posproof_encoding::convention::{Convention, Direction, Layout, Order};

/// The contexts of all arrangements, those with less wrong first.
pub fn contexts<'a>(context: &Context<'a>) -> Vec<Context<'a>> {
    let convention = &context.expected;
    let rotation = matches!(context.subject, Subject::Rotation { .. });
    let cache = matches!(context.subject, Subject::Rope { .. });
    let layouts = if cache {
        vec![convention.layout]
    } else {
        let others = [Layout::Interleaved, Layout::Halves].into_iter().filter(|layout| *layout != convention.layout);
        std::iter::once(convention.layout).chain(others).collect()
    };
    let orders =
        if rotation { vec![convention.order] } else { other_last(convention.order, [Order::SinCos, Order::CosSin]) };
    let directions = other_last(convention.direction, [Direction::CounterClockwise, Direction::Clockwise]);
    let mut all = Vec::new();
    for &layout in &layouts {
        for &direction in &directions {
            for &order in &orders {
                // The arrays of a cache have no order: they are exchanged.
                let exchanged = cache && order != convention.order;
                let order_of = if cache { convention.order } else { order };
                let other = Convention { layout, direction, order: order_of, ..convention.clone() };
                let mut named: Vec<Named> = Vec::new();
                if layout != convention.layout {
                    named.push((&LAYOUT, Cause::Layout { expected: convention.layout, found: layout }));
                }
                if order != convention.order {
                    let fault = if cache { &EXCHANGED_ARRAYS } else { &ORDER };
                    named.push((fault, Cause::Order { expected: convention.order, found: order }));
                }
                if direction != convention.direction {
                    let expected = convention.direction;
                    named.push((&DIRECTION, Cause::Direction { expected, found: direction }));
                }
                let reading = Reading { exchanged, ..Reading::new(&other) };
                all.push(at(context, reading, named));
            }
        }
    }
    if rotation {
        let pairs = convention.pairs();
        let crossed = |read, written| {
            let cause = Cause::ReadAndWritten { expected: convention.layout, read, written };
            vec![(&READ_AND_WRITTEN, cause) as Named]
        };
        // One of them is a layout of its own.
        if convention.layout != Layout::InterleavedToHalves {
            let other = Convention { layout: Layout::InterleavedToHalves, ..convention.clone() };
            all.push(at(context, Reading::new(&other), crossed(Layout::Interleaved, Layout::Halves)));
        }
        let wiring = Wiring::between(pairs_of(Layout::Halves, pairs), pairs_of(Layout::Interleaved, pairs));
        let reading = Reading { wiring, ..Reading::new(convention) };
        let backward = at(context, reading, crossed(Layout::Halves, Layout::Interleaved));
        all.push(Context { found: None, ..backward });
    }
    all.sort_by_key(|context| context.named.len());
    all
}

fn at<'a>(context: &Context<'a>, reading: Reading, named: Vec<Named>) -> Context<'a> {
    let expected = reading.convention.clone();
    let degraded = context.degraded && named.is_empty();
    let found = context.found.as_ref().map(|_| expected.clone());
    let named = [&context.named[..], &named].concat();
    Context { reading, expected, named, found, degraded, ..context.clone() }
}

/// The sample as a reading has it, every rotation counter-clockwise.
pub fn phasors(context: &Context<'_>, sample: &Sample) -> Option<Phasors> {
    let Reading { convention, wiring, exchanged } = &context.reading;
    let rotation = matches!(context.subject, Subject::Rotation { .. });
    let mut phasors = sample.phasors(convention, rotation.then_some(wiring))?;
    if *exchanged {
        std::mem::swap(&mut phasors.cos, &mut phasors.sin);
    }
    if convention.direction == Direction::Clockwise {
        phasors.sin.iter_mut().flatten().for_each(|sin| *sin = -*sin);
    }
    Some(phasors)
}

fn other_last<T: PartialEq + Copy>(first: T, both: [T; 2]) -> Vec<T> {
    let mut both = both.to_vec();
    both.sort_by_key(|value| *value != first);
    both
}
