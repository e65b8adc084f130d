//! One computation in a process for all that ask for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers computed in this process, by what was asked.
pub(super) struct Once<K, V>(Mutex<BTreeMap<K, Arc<V>>>);

impl<K: Ord, V> Once<K, V> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// The answer: known, or computed now. Nobody waits for another's computation: a thread of the pool that did would wait for what
    /// only the pool can finish.
    pub(super) fn get(&self, key: K, compute: impl FnOnce() -> V) -> Arc<V> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known().get(&key) {
            return Arc::clone(value);
        }
        let value = Arc::new(compute());
        Arc::clone(known().entry(key).or_insert(value))
    }
}
