//! Documents of the second version: one schema of each kind, for one axis and for several. They say what the first versions say, which
//! are printed as before; `axes` is always there.

use super::{Failure, print_json};
use clap::Args;
use posproof_bound::document::printed;
use posproof_check::first::First;
use posproof_check::{Report, Restatement};
use posproof_encoding::axes::{POSITION, WithAxes};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Options of a document: its version, if one is printed.
#[derive(Args, Clone, Copy, Debug)]
pub struct JsonArguments {
    /// Print one JSON document; --json=2 has one schema of one axis and of several
    #[arg(long, value_name = "1|2", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = clap::value_parser!(u8).range(1..=2))]
    json: Option<u8>,
}

impl JsonArguments {
    /// True if one is asked for.
    pub fn is_asked(self) -> bool {
        self.json.is_some()
    }

    /// Prints a judgement, of the version that is asked for.
    pub fn print_judgement<M: Restatement>(self, judgement: &Report<M>) -> Result<(), Failure> {
        if self.json != Some(2) {
            return print_json(&First(judgement));
        }
        print_json(&serde_json::to_value(judgement).map_err(|error| Failure::Environment(error.to_string()))?)
    }

    /// Prints a document, of the version that is asked for.
    pub fn print(self, document: &impl Serialize) -> Result<(), Failure> {
        if self.json != Some(2) {
            return print_json(document);
        }
        let first = serde_json::to_value(document).map_err(|error| Failure::Environment(error.to_string()))?;
        print_json(&second(first))
    }
}

/// A document of the second version from one of the first; one of another kind stays.
pub fn second(first: Value) -> Value {
    let Value::Object(mut all) = first else { return first };
    let schema = all.get("schema").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some((kind, several)) = kind(&schema) else { return Value::Object(all) };
    all.insert("schema".into(), json!(format!("posproof.{kind}/2")));
    for name in ["convention", "measured_law"] {
        if let Some(convention) = all.get_mut(name) {
            with_axes(convention);
        }
    }
    for convention in all.get_mut("remaining").and_then(Value::as_array_mut).into_iter().flatten() {
        with_axes(convention);
    }
    let axes = json!(all.get("convention").map(|convention| WithAxes(convention).names()).unwrap_or_default());
    match kind {
        "identify" => identify(&mut all, several),
        "positions" => positions(&mut all, several),
        _ => bound(&mut all, several),
    }
    for finding in all.get_mut("findings").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(place) = finding.get_mut("where").and_then(Value::as_object_mut) {
            locate(place);
        }
    }
    all.entry("axes").or_insert(axes);
    Value::Object(all)
}

/// The kind of a schema of the first version, and whether it is that of several axes.
fn kind(schema: &str) -> Option<(&'static str, bool)> {
    let name = schema.strip_prefix("posproof.")?.strip_suffix("/1")?;
    let of = |kind: &'static str| match name.strip_prefix(kind)? {
        "" => Some((kind, false)),
        "-axes" => Some((kind, true)),
        _ => None,
    };
    ["identify", "positions", "bound"].into_iter().find_map(of)
}

fn with_axes(convention: &mut Value) {
    *convention = json!(WithAxes(&convention.take()));
}

/// The coordinates of a place from its position, as those of several axes are: numbers, exactly.
fn coordinate(position: &Value) -> Value {
    json!([position.as_u64().map_or_else(|| position.to_string(), |position| position.to_string())])
}

fn locate(place: &mut Map<String, Value>) {
    if let Some(ends) = place.remove("positions") {
        let ends: Vec<Value> = ends.as_array().into_iter().flatten().map(coordinate).collect();
        place.insert("coordinates".into(), json!(ends));
    }
    place.entry("coordinates").or_insert(Value::Null);
    place.entry("before").or_insert(Value::Null);
    place.entry("axes").or_insert_with(|| json!([POSITION]));
}

fn rename(object: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = object.remove(from) {
        object.insert(to.into(), value);
    }
}

fn identify(all: &mut Map<String, Value>, several: bool) {
    if several {
        let absent = ["separating_position", "compute", "path", "amplitude", "measured_law"];
        absent.into_iter().for_each(|name| drop(all.insert(name.into(), Value::Null)));
        all.insert("remaining".into(), json!([]));
        all.entry("findings").or_insert_with(|| json!([]));
        return;
    }
    let measured = all.remove("measured").unwrap_or_default();
    let column = |name: &str| -> Value {
        measured.as_array().into_iter().flatten().filter_map(|one| one.get(name).cloned()).collect()
    };
    let pairs = measured.as_array().map_or(0, Vec::len);
    let axis = json!({ "name": POSITION, "slots": format!("0..{pairs}"), "rates": column("frequency"), "errors": column("error"), "ratio": null });
    all.insert("axes".into(), if pairs == 0 { json!([]) } else { json!([axis]) });
    all.insert("columns_of_positions".into(), json!([]));
    all.insert("columns".into(), Value::Null);
    all.insert("still".into(), json!([]));
}

fn positions(all: &mut Map<String, Value>, several: bool) {
    if several {
        return;
    }
    let mut axis = Map::from_iter([("name".to_owned(), json!(POSITION))]);
    for name in ["told_apart", "counts", "patterns", "open", "comparison"] {
        axis.insert(name.into(), all.remove(name).unwrap_or_default());
    }
    let domain = all.get("domain").cloned().unwrap_or_default();
    axis.insert("domain".into(), domain.clone());
    axis.insert("multiples".into(), domain.clone());
    all.insert("multiples".into(), domain);
    all.insert("step".into(), json!("1"));
    all.insert("axes".into(), json!([axis]));
}

fn bound(all: &mut Map<String, Value>, several: bool) {
    let program: Vec<Value> =
        ["path", "compute", "storage", "rows"].into_iter().map(|name| all.remove(name).unwrap_or_default()).collect();
    for case in all.get_mut("cases").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(case) = case.as_object_mut() else { continue };
        if !several {
            case.entry("axes").or_insert_with(|| json!([POSITION]));
            continue;
        }
        rename(case, "slot", "pair");
        let [path, compute, storage, rows] = &program[..] else { continue };
        let mut origin = Map::new();
        for name in ["a_priori", "instance"] {
            let figure = case.remove(name).unwrap_or_default();
            let value = figure.get("bound").and_then(Value::as_f64);
            case.insert(name.into(), value.map_or(Value::Null, |value| json!(printed(value))));
            origin.insert(name.into(), figure.get("origin").cloned().unwrap_or_default());
            if name == "a_priori" {
                case.insert("row".into(), figure.get("row").cloned().unwrap_or_default());
                case.insert("coordinates".into(), figure.get("coordinates").cloned().unwrap_or_default());
            }
        }
        case.insert("origin".into(), Value::Object(origin));
        for (name, value) in [("path", path), ("angle_format", compute), ("format", storage), ("rows", rows)] {
            case.insert(name.into(), value.clone());
        }
        case.insert("component".into(), Value::Null);
    }
}
