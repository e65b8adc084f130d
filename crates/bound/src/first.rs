//! Documents in their first version, which has a schema of one axis and another of several. It is printed for one release more.

use serde::{Serialize, Serializer};

/// A value whose document has a first version.
pub trait FirstVersion {
    /// Writes that version.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A value in its first version.
#[derive(Clone, Copy, Debug)]
pub struct First<'a, T>(pub &'a T);

impl<T: FirstVersion> Serialize for First<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.first_version(serializer)
    }
}
