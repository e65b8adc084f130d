//! Results whose figures were replaced, each by text and by other numbers.

use posproof_numerics::format::Format;
use posproof_sweep::bases::AdmissibleBases;
use posproof_sweep::hard_cases::HardCases;
use posproof_sweep::rotation::Bf16Rotation;
use posproof_sweep::{Document, Shard, Sweep};
use serde_json::{Value, json};

/// The places of all figures below a value, as JSON pointers.
fn figures(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| figures(value, format!("{place}/{key}"), places));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| figures(value, format!("{place}/{at}"), places));
        }
        _ => places.push(place),
    }
}

/// Text, and another number: one more in the last digit, or 1, which is the witness of nothing.
fn replacements(figure: &Value) -> Vec<Value> {
    let mut all = vec![json!("abc"), json!(""), json!("NaN"), json!(1)];
    if let Some(text) = figure.as_str()
        && let Some((at, digit)) = text.char_indices().rev().find(|(_, c)| c.is_ascii_digit())
    {
        let next = char::from(b'0' + (digit as u8 - b'0' + 1) % 10);
        all.push(json!(format!("{}{next}{}", &text[..at], &text[at + 1..])));
    }
    all.retain(|other| other != figure);
    all
}

fn refuses_every_replacement<S: Sweep>(sweep: &S) {
    let whole = Document::compute(sweep, Shard::WHOLE, &|| ()).unwrap().to_json();
    assert!(Document::<S>::read("whole", &whole).is_ok());
    let document: Value = serde_json::from_str(&whole).unwrap();
    let mut places = Vec::new();
    for (key, value) in document.as_object().unwrap() {
        if !["schema", "version", "sweep", "specification", "shard"].contains(&key.as_str()) {
            figures(value, format!("/{key}"), &mut places);
        }
    }
    assert!(places.len() >= 10, "{places:?}");
    for place in places {
        for other in replacements(document.pointer(&place).unwrap()) {
            let mut changed = document.clone();
            *changed.pointer_mut(&place).unwrap() = other.clone();
            let read = Document::<S>::read("changed", &changed.to_string());
            let message =
                read.err().unwrap_or_else(|| panic!("{}: {place} is accepted as {other}", S::NAME)).to_string();
            assert!(message.starts_with("changed: ") && message.contains("expected"), "{place} {other}: {message}");
        }
    }
}

#[test]
fn a_figure_that_was_replaced_is_refused() {
    let positions = [0, 9000];
    refuses_every_replacement(&HardCases { dim: 8, base: 500000.into(), positions, dtype: Format::F16, keep: 8 });
    refuses_every_replacement(&Bf16Rotation { dim: 4, base: 10000.into(), position: 257 });
    let bases = ["4200", "4300"].map(|base| base.parse().unwrap());
    refuses_every_replacement(&AdmissibleBases { dim: 128, length: 1024, bases });
}
