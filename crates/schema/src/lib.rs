#![doc = include_str!("../README.md")]

use jsonschema::{Retrieve, Uri, Validator};
use serde_json::Value;

/// The schemas as files: what one refers to is found beside it.
struct Published {
    /// True if properties that a schema does not describe are mistakes: for what this version writes, not for what a
    /// later one may add.
    closed: bool,
}

impl Published {
    fn read(&self, name: &str) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let path = format!("{}/../../schemas/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let mut schema = serde_json::from_str(&text)?;
        if self.closed {
            close(&mut schema);
        }
        Ok(schema)
    }
}

impl Retrieve for Published {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        self.read(uri.as_str().rsplit('/').next().unwrap_or_default())
    }
}

/// Forbids properties that are not described.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.values_mut().for_each(close);
            if keywords.get("type").is_some_and(|kind| kind == "object") && keywords.contains_key("properties") {
                keywords.entry("additionalProperties").or_insert(false.into());
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

/// The validator of the schemas of one kind, such as `posproof.check/1`.
fn validator(kind: &str, closed: bool) -> Validator {
    let published = Published { closed };
    let schema = published.read(&format!("{}.json", kind.replace('/', "-"))).expect(kind);
    let options = jsonschema::options().with_base_uri("https://posproof.invalid/schemas/").with_retriever(published);
    options.build(&schema).expect(kind)
}

/// Mistakes in a document by the schema that it names, first as published and then with nothing that is not described;
/// none where it is valid.
///
/// # Panics
///
/// Where the document names no schema, or its schema cannot be read.
pub fn invalid(document: &Value) -> Option<String> {
    let kind = document["schema"].as_str().expect("the name of a schema");
    let mistakes = [false, true].into_iter().flat_map(|closed| {
        let validator = validator(kind, closed);
        let mistakes = validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path()));
        mistakes.take(3).collect::<Vec<_>>()
    });
    mistakes.reduce(|all, mistake| format!("{all}\n{mistake}")).map(|mistakes| format!("{kind}: {mistakes}"))
}

/// Asserts that a document is what the schema of its kind says.
///
/// # Panics
///
/// Where it is not, with what is wrong and the document.
pub fn validate(document: &Value) {
    if let Some(mistakes) = invalid(document) {
        panic!("{mistakes}\n{document:#}");
    }
}

/// True if a document is itself a schema, of the draft that it names.
pub fn is_schema(document: &Value) -> bool {
    jsonschema::meta::validate(document).is_ok()
}
