//! The published schemas, and a validator for the part of JSON Schema that they use. It refuses
//! keywords that it does not know, and properties that a schema does not describe.

use serde_json::Value;

fn published(name: &str) -> Value {
    let path = format!("{}/schemas/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect(&path)
}

/// Panics unless a document is what the schema of its kind says.
pub fn validate(document: &Value) {
    let kind = document["schema"].as_str().expect("the name of a schema");
    let file = format!("{}.json", kind.replace('/', "-"));
    let schema = published(&file);
    if let Err(reason) = holds(&schema, document, &schema, "$") {
        panic!("{file}: {reason}\n{document:#}");
    }
}

fn holds(schema: &Value, value: &Value, root: &Value, at: &str) -> Result<(), String> {
    let keywords = schema.as_object().ok_or_else(|| format!("{at}: a schema that is no object"))?;
    let fail = |what: &str| Err(format!("{at}: {what}: {value}"));
    let list = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let (file, path) = rule.as_str().and_then(|text| text.split_once('#')).expect("a reference");
                let other = if file.is_empty() { root.clone() } else { published(file) };
                let target = other.pointer(path).ok_or_else(|| format!("{at}: no {rule}"))?;
                holds(target, value, &other, at)?;
            }
            "const" if rule != value => return fail(&format!("not {rule}")),
            "enum" if !list("enum").contains(value) => return fail(&format!("not one of {rule}")),
            "const" | "enum" => {}
            "type" => {
                let types = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                let is = |name: &Value| match name.as_str().unwrap_or_default() {
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "number" => value.is_number(),
                    "string" => value.is_string(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    _ => false,
                };
                if !types.iter().any(is) {
                    return fail(&format!("not of type {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap_or(f64::NAN)) {
                    return fail(&format!("below {rule}"));
                }
            }
            "required" => {
                for key in list("required") {
                    if value.get(key.as_str().unwrap_or_default()).is_none() {
                        return fail(&format!("without {key}"));
                    }
                }
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let described = rule.get(key).ok_or_else(|| format!("{at}: '{key}' is not described"))?;
                    holds(described, inner, root, &format!("{at}.{key}"))?;
                }
            }
            "items" => {
                for (i, inner) in value.as_array().into_iter().flatten().enumerate() {
                    holds(rule, inner, root, &format!("{at}[{i}]"))?;
                }
            }
            "anyOf" => {
                let tried: Vec<_> = list("anyOf").iter().map(|schema| holds(schema, value, root, at)).collect();
                if tried.iter().all(Result::is_err) {
                    return Err(tried.into_iter().filter_map(Result::err).collect::<Vec<_>>().join("; or "));
                }
            }
            other => return Err(format!("{at}: the keyword '{other}' is not known here")),
        }
    }
    Ok(())
}

#[test]
fn documents_that_differ_from_their_schema_are_refused() {
    use crate::corpus::*;
    use posproof::encoding::convention::Convention;
    use posproof::number::format::Format;
    let convention = Convention::sinusoid(8);
    let rows: Vec<u64> = (0..20).collect();
    let table = Program::exact(&convention).run(4, &rows).joined(&convention);
    let report = judge_table(Format::F32, &table, 8, &expectation(&convention, &rows)).unwrap();
    let good = serde_json::to_value(&report).unwrap();
    validate(&good);
    let schema = published("posproof.check-1.json");
    let damaged: [fn(&mut Value); 6] = [
        |v| v["grade"] = "good".into(),
        |v| v["entries"] = (-1).into(),
        |v| v["extra"] = true.into(),
        |v| v["worst"]["bound"] = "0".into(),
        |v| v["expected"]["scaling"] = serde_json::json!({}),
        |v| drop(v.as_object_mut().unwrap().remove("findings")),
    ];
    for damage in damaged {
        let mut bad = good.clone();
        damage(&mut bad);
        assert!(holds(&schema, &bad, &schema, "$").is_err(), "{bad}");
    }
}
