//! Conventions in documents, where each has its axes.

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The name of the only axis, where a convention states no other.
pub const POSITION: &str = "position";

/// A convention that is serialised with its axes: one of one axis has the axis [`POSITION`] with all its pairs.
///
/// ```
/// use posproof_encoding::axes::WithAxes;
/// use posproof_encoding::convention::Convention;
/// let convention = serde_json::to_value(WithAxes(&Convention::rope(128)))?;
/// assert_eq!(convention["axes"][0]["pairs"], "0..64");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WithAxes<'a, T>(pub &'a T);

impl<T: Serialize> WithAxes<'_, T> {
    fn json(&self) -> serde_json::Result<Value> {
        let mut convention = serde_json::to_value(self.0)?;
        if let Some(fields) = convention.as_object_mut() {
            let width = ["rotary_dim", "dim"].iter().find_map(|name| fields.get(*name)?.as_u64()).unwrap_or_default();
            fields.entry("axes").or_insert_with(|| json!([{ "name": POSITION, "pairs": format!("0..{}", width / 2) }]));
        }
        Ok(convention)
    }

    /// The names of the axes.
    pub fn names(&self) -> Vec<String> {
        let convention = self.json().unwrap_or_default();
        let axes = convention.get("axes").and_then(Value::as_array);
        axes.into_iter().flatten().filter_map(|axis| axis.get("name")?.as_str().map(str::to_owned)).collect()
    }
}

impl<T: Serialize> Serialize for WithAxes<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Serialises a convention, or none, with its axes.
///
/// # Errors
///
/// Those of the serializer.
pub fn with_axes<T: Serialize, S: Serializer>(convention: &T, serializer: S) -> Result<S::Ok, S::Error> {
    WithAxes(convention).serialize(serializer)
}
