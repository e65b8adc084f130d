//! JSON as configurations are written: with `NaN` and `Infinity` as Python writes them, every key once, at bounded depth.

use super::{InvalidConfig, Problem};
use crate::printable;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// Bytes of a configuration at most; those of models have some thousands, with a table of labels a million.
pub const MAX_BYTES: u64 = 1 << 22;

/// The JSON value of a text. Its keys and strings are [`printable`]: whatever is said of them may be printed.
///
/// # Errors
///
/// [`Problem::Syntax`] with the key and the place: no JSON, a key that stands twice, nesting deeper than 128, a number
/// beyond binary64.
pub fn parse(text: &str) -> Result<Value, InvalidConfig> {
    let syntax = |key: String, found: String, expected: &str| InvalidConfig {
        problem: Problem::Syntax,
        key,
        found,
        expected: expected.to_owned(),
    };
    if text.len() as u64 > MAX_BYTES {
        let expected = format!("a model's configuration of at most {MAX_BYTES} bytes");
        return Err(syntax("the file".into(), format!("{} bytes", text.len()), &expected));
    }
    let text = without_specials(text);
    let path = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let value =
        Node { path: &path }.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| {
        let path = path.into_inner();
        let key = if path.is_empty() { "the file".to_owned() } else { path.join(".") };
        syntax(key, error.to_string(), "JSON with every key once")
    })
}

/// The text with `NaN`, `Infinity` and `-Infinity` outside strings as strings: they are no JSON, but Python writes them,
/// and a key that is not read may hold one.
fn without_specials(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['"', 'N', 'I', '-']) {
        made.push_str(&rest[..start]);
        rest = &rest[start..];
        if rest.starts_with('"') {
            let end = string_end(rest);
            made.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if let Some(special) = ["NaN", "Infinity", "-Infinity"].into_iter().find(|s| rest.starts_with(s)) {
            made.extend(['"'].into_iter().chain(special.chars()).chain(['"']));
            rest = &rest[special.len()..];
        } else {
            made.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    made.push_str(rest);
    made
}

/// The byte after the string that a text begins with.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A value under the keys of a path; the path keeps them where an error occurs.
#[derive(Clone, Copy)]
struct Node<'p> {
    path: &'p RefCell<Vec<String>>,
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is not finite"))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(printable(value).into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let key = printable(&key).into_owned();
            self.path.borrow_mut().push(key.clone());
            if map.contains_key(&key) {
                return Err(A::Error::custom("the key stands twice"));
            }
            let value = entries.next_value_seed(self)?;
            self.path.borrow_mut().pop();
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specials_of_python_are_strings_and_strings_stay() {
        let text = r#"{"a": [NaN, -Infinity, Infinity], "NaN \" -Infinity": -1, "b": "Infinity"}"#;
        let value = parse(text).unwrap();
        assert_eq!(value["a"], serde_json::json!(["NaN", "-Infinity", "Infinity"]));
        assert_eq!(value["NaN \" -Infinity"], -1);
        assert_eq!(value["b"], "Infinity");
    }

    #[test]
    fn what_a_terminal_obeys_is_written_by_its_number() {
        let value = parse("{\"a\\u001b[2Jb\": [\"\\u009b31m\\n\", \"déjà vu, 日本\"]}").unwrap();
        assert_eq!(value, serde_json::json!({"a\\u{1b}[2Jb": ["\\u{9b}31m\\u{a}", "déjà vu, 日本"]}));
        assert_eq!(parse("{\"\\u0007\": 1, \"\\u0007\": 2}").unwrap_err().key, "\\u{7}");
    }

    #[test]
    fn what_is_wrong_is_placed() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error(r#"{"a": 1, "a": 1}"#).key, "a");
        assert_eq!(error(r#"{"rope_scaling": {"factor": 1, "factor": 2}}"#).key, "rope_scaling.factor");
        assert_eq!(error(r#"{"rope_theta": 1e400}"#).key, "rope_theta");
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(200), "]".repeat(200));
        assert!(error(&deep).found.contains("recursion"), "{}", error(&deep));
        assert_eq!(error("not json").key, "the file");
        assert_eq!(error("{} {}").problem, Problem::Syntax);
        assert!(error(&" ".repeat(1 << 23)).found.contains("bytes"));
    }
}
