//! The keys of a configuration, with the place of each.

use super::{InvalidConfig, Problem};
use crate::real::Real;
use serde_json::{Map, Value};

/// An object of a configuration, and the keys that it is under.
#[derive(Clone)]
pub(super) struct Keys<'c> {
    map: &'c Map<String, Value>,
    path: String,
}

impl<'c> Keys<'c> {
    pub fn new(map: &'c Map<String, Value>, path: impl Into<String>) -> Self {
        Self { map, path: path.into() }
    }

    /// A key with those that it is under.
    pub fn place(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn map(&self) -> &'c Map<String, Value> {
        self.map
    }

    /// The value of a key; none where it is null, as it is where it is left out.
    pub fn get(&self, key: &str) -> Option<&'c Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// The value at a place, as [`place`](Self::place) names it, of this object or one within it.
    pub fn at(&self, place: &str) -> Option<&'c Value> {
        let within = match self.path.as_str() {
            "" => place,
            path => place.strip_prefix(path)?.strip_prefix('.')?,
        };
        let mut steps = within.split('.');
        let first = self.map.get(steps.next()?)?;
        steps.try_fold(first, |value, step| value.get(step))
    }

    /// A value by what the file states at these places, and by the value itself where that is another.
    pub fn said(&self, field: &str, value: &str, places: &[String]) -> String {
        let stated: Vec<(&String, String)> =
            places.iter().filter_map(|place| Some((place, shortened(&self.at(place)?.to_string())))).collect();
        match stated.as_slice() {
            [] => value.to_owned(),
            [(place, stated)] => match self.at(place).and_then(number) {
                Some(number) if number.to_string() == value => value.to_owned(),
                // What is wrong with a list is told by its length.
                None if self.at(place).is_some_and(Value::is_array) => value.to_owned(),
                _ => format!("{stated}, which makes {field} {value}"),
            },
            several => {
                let stated: Vec<String> = several.iter().map(|(place, stated)| format!("{place} {stated}")).collect();
                format!("{}, which make {field} {value}", stated.join(" and "))
            }
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &'c str> {
        self.map.iter().filter(|(_, value)| !value.is_null()).map(|(key, _)| key.as_str())
    }

    pub fn object(&self, key: &str) -> Result<Option<Self>, InvalidConfig> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(Self::new(map, self.place(key)))),
            Some(other) => Err(self.wrong(key, kind(other), "an object or null")),
        }
    }

    pub fn text(&self, key: &str) -> Result<Option<&'c str>, InvalidConfig> {
        let text = |value: &'c Value| value.as_str().ok_or_else(|| self.wrong(key, kind(value), "a string"));
        self.get(key).map(text).transpose()
    }

    pub fn truth(&self, key: &str) -> Result<Option<bool>, InvalidConfig> {
        let truth = |value: &Value| value.as_bool().ok_or_else(|| self.wrong(key, value, "true or false"));
        self.get(key).map(truth).transpose()
    }

    pub fn real(&self, key: &str) -> Result<Option<Real>, InvalidConfig> {
        self.get(key).map(|value| number(value).ok_or_else(|| self.wrong(key, value, "a finite number"))).transpose()
    }

    pub fn integer(&self, key: &str) -> Result<Option<u64>, InvalidConfig> {
        let whole = |value: &Value| {
            let whole = number(value).and_then(|number| number.value().to_u64());
            whole.ok_or_else(|| self.wrong(key, value, "a non-negative integer"))
        };
        self.get(key).map(whole).transpose()
    }

    pub fn wrong(&self, key: &str, found: impl ToString, expected: impl ToString) -> InvalidConfig {
        self.problem(Problem::WrongValue, key, found, expected)
    }

    pub fn problem(&self, problem: Problem, key: &str, found: impl ToString, expected: impl ToString) -> InvalidConfig {
        InvalidConfig { problem, key: self.place(key), found: found.to_string(), expected: expected.to_string() }
    }
}

/// A JSON number, exactly as the shortest decimal says it; no string is a number.
pub(super) fn number(value: &Value) -> Option<Real> {
    value.is_number().then(|| serde_json::from_value(value.clone()).ok()).flatten()
}

pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A long value by its beginning.
pub(super) fn shortened(value: &str) -> String {
    const SHOWN: usize = 60;
    match value.char_indices().nth(SHOWN) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}…", &value[..end]),
    }
}
