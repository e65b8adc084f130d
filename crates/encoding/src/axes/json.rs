//! Types whose JSON is that of a value they are read from and written to.

/// Serialises types by their `to_json`, and reads them by their `of_json`.
macro_rules! as_json {
    ($($type:ty),*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_json().serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::of_json(serde_json::Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    )*};
}

as_json!(super::Index, super::AxialLayout, super::Ranges);
