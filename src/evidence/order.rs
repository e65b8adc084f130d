//! Work done side by side, told in order.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Works on the items side by side, and tells of each result as soon as it and all before it are there:
/// the lines of a report appear in order while later claims are still being settled.
///
/// Items are begun in order too. `tell` is called from one thread at a time, not always the same.
///
/// ```
/// use posproof::evidence::in_order;
/// let mut told = Vec::new();
/// in_order(&[3, 1, 2], |n| n * n, |square| told.push(square));
/// assert_eq!(told, [9, 1, 4]);
/// ```
pub fn in_order<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync, tell: impl FnMut(T) + Send) {
    let begun = AtomicUsize::new(0);
    let queue = Mutex::new(Queue { next: 0, early: BTreeMap::new(), tell });
    // The threads share the items out themselves: rayon would give each a part of the list, from its middle on.
    items.par_iter().for_each(|_| {
        let place = begun.fetch_add(1, Ordering::Relaxed);
        if let Some(item) = items.get(place) {
            let result = work(item);
            queue.lock().unwrap_or_else(PoisonError::into_inner).add(place, result);
        }
    });
}

/// Results, put in order.
struct Queue<T, F> {
    /// The place of the first that has not been told.
    next: usize,
    /// Those that are there before an earlier one.
    early: BTreeMap<usize, T>,
    tell: F,
}

impl<T, F: FnMut(T)> Queue<T, F> {
    fn add(&mut self, place: usize, result: T) {
        self.early.insert(place, result);
        while let Some(result) = self.early.remove(&self.next) {
            self.next += 1;
            (self.tell)(result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first item ends after a later one, where there is another thread to work on that.
    #[test]
    fn results_are_told_in_order_and_as_soon_as_they_can() {
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let items: Vec<usize> = (0..100).collect();
            let ended = AtomicUsize::new(0);
            let mut told = Vec::new();
            let work = |item: &usize| {
                while *item == 0 && threads > 1 && ended.load(Ordering::SeqCst) == 0 {
                    std::thread::yield_now();
                }
                ended.fetch_add(1, Ordering::SeqCst);
                *item
            };
            pool.install(|| in_order(&items, work, |item| told.push(item)));
            assert_eq!(told, items, "{threads} threads");
        }
    }

    #[test]
    fn a_result_is_told_before_the_next_is_begun_on_one_thread() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let told = AtomicUsize::new(0);
        let work = |item: &usize| (*item, told.load(Ordering::SeqCst));
        pool.install(|| {
            in_order(&[0, 1, 2, 3], work, |(item, before)| {
                assert_eq!(before, item);
                told.fetch_add(1, Ordering::SeqCst);
            });
        });
        assert_eq!(told.into_inner(), 4);
    }
}
