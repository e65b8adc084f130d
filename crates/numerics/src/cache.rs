//! Values computed once and shared: the frequencies of a system's cases, the enclosures of frequencies.

use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::RwLock;

/// Number of values that are kept: one more empties the cache, so that memory stays bounded whatever is asked for.
const KEPT: usize = 1 << 14;

/// Enclosures of more bits than this are not kept by [`Cache::get_of`].
const KEPT_BITS: u32 = 1024;

/// The values that have been evaluated so far, by key.
#[derive(Debug)]
pub struct Cache<K, T>(RwLock<HashMap<K, T, RandomState>>);

impl<K, T> Default for Cache<K, T> {
    fn default() -> Self {
        Self(RwLock::default())
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
            if all.len() >= KEPT {
                all.clear();
            }
            all.insert(key.clone(), value.clone());
        }
        value
    }

    /// The same for an enclosure of so many bits, which is not kept where these are many.
    pub fn get_of(&self, bits: u32, key: &K, evaluate: impl FnOnce() -> T) -> T {
        if bits > KEPT_BITS { evaluate() } else { self.get(key, evaluate) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_evaluated_once_and_their_number_is_bounded() {
        let cache = Cache::default();
        let evaluated = std::cell::Cell::new(0);
        let square = |x: &usize| {
            cache.get(x, || {
                evaluated.set(evaluated.get() + 1);
                x * x
            })
        };
        assert_eq!((square(&3), square(&3), evaluated.get()), (9, 9, 1));
        assert_eq!((cache.get_of(KEPT_BITS + 1, &4, || 5), cache.get_of(KEPT_BITS, &4, || 6)), (5, 6));
        assert!((5..2 * KEPT).all(|x| square(&x) == x * x));
        assert!(cache.0.read().is_ok_and(|all| all.len() <= KEPT));
    }
}
