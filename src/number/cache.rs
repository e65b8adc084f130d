//! Frequencies computed once for a system and shared by its cases.

use super::phase::Frequency;
use std::collections::HashMap;
use std::sync::RwLock;

/// The frequencies that a system has evaluated so far.
#[derive(Debug)]
pub struct Cache<T>(RwLock<HashMap<Frequency, T>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(RwLock::new(HashMap::new()))
    }
}

impl<T: Clone> Cache<T> {
    /// The value of the frequency, evaluated on the first call.
    pub fn get(&self, frequency: &Frequency, evaluate: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.read().ok().and_then(|all| all.get(frequency).cloned()) {
            return known;
        }
        let value = evaluate();
        if let Ok(mut all) = self.0.write() {
            all.insert(frequency.clone(), value.clone());
        }
        value
    }
}
