//! Values computed once and shared: the frequencies of a system's cases, the enclosures of frequencies.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::RwLock;

/// The values that have been evaluated so far, by key.
#[derive(Debug)]
pub struct Cache<K, T>(RwLock<HashMap<K, T>>);

impl<K, T> Default for Cache<K, T> {
    fn default() -> Self {
        Self(RwLock::new(HashMap::new()))
    }
}

impl<K: Clone + Eq + Hash, T: Clone> Cache<K, T> {
    /// The value of the key, evaluated on the first call.
    pub fn get(&self, key: &K, evaluate: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.read().ok().and_then(|all| all.get(key).cloned()) {
            return known;
        }
        let value = evaluate();
        if let Ok(mut all) = self.0.write() {
            all.insert(key.clone(), value.clone());
        }
        value
    }
}
