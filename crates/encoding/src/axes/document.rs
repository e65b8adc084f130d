//! Conventions in documents, where each has its axes.

use serde_json::{Value, json};

/// The name of the only axis, where a convention states no other.
pub const POSITION: &str = "position";

/// The JSON of a convention with its axes: one of one axis has the axis [`POSITION`] with all its pairs.
///
/// ```
/// use posproof_encoding::axes::with_axes;
/// use posproof_encoding::convention::Convention;
/// let convention = with_axes(serde_json::to_value(Convention::rope(128))?);
/// assert_eq!(convention["axes"][0]["pairs"], "0..64");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn with_axes(mut convention: Value) -> Value {
    if let Some(fields) = convention.as_object_mut() {
        let width = ["rotary_dim", "dim"].iter().find_map(|name| fields.get(*name)?.as_u64()).unwrap_or_default();
        fields.entry("axes").or_insert_with(|| json!([{ "name": POSITION, "pairs": format!("0..{}", width / 2) }]));
    }
    convention
}

/// The names of the axes of such a convention.
pub fn axis_names(convention: &Value) -> Vec<Value> {
    let axes = convention.get("axes").and_then(Value::as_array);
    axes.into_iter().flatten().filter_map(|axis| axis.get("name").cloned()).collect()
}
