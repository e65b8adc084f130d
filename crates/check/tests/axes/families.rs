//! The conventions of published families, and rows that tell them apart.

use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates, StoredFrequencies};
use serde_json::{Map, Value};

/// Every family: its name and the JSON of its convention.
pub fn all() -> Map<String, Value> {
    serde_json::from_str(include_str!("families.json")).expect("families.json")
}

/// The stored frequencies of the family that has some: 32 for each axis, numbers of binary32.
pub fn stored(axis: usize) -> Vec<f64> {
    (0..32).map(|i| f64::from(10f32.powf(-(i as f32) / 16.0 - 0.1 * axis as f32))).collect()
}

/// Law of a convention.
pub fn law_of(json: &Value) -> Result<AxialLaw, String> {
    let convention: AxialConvention = serde_json::from_value(json.clone()).map_err(|error| error.to_string())?;
    let load = |source: &str| Ok(StoredFrequencies { heads: 1, omega: stored(usize::from(source.ends_with('y'))) });
    convention.law(load).map_err(|error| error.to_string())
}

/// Law of a family's convention.
pub fn law(name: &str) -> AxialLaw {
    law_of(&all()[name]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Rows of a grid of coprime sides, the origin, coordinates beyond 257 and 2049 on each axis, negative and fractional ones, and a row without
/// a position: numbers of binary32.
pub fn rows(axes: usize) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = vec![vec![0.0; axes]];
    rows.extend(
        (0..35)
            .map(|i| (0..axes).map(|axis| [i % 7, i / 7, (3 * i + 2) % 11, (5 * i) % 13][axis % 4] as f64).collect()),
    );
    for axis in 0..axes {
        let alone = |x: f64| (0..axes).map(|other| if other == axis { x } else { 1.0 + other as f64 }).collect();
        rows.extend([258.0, 2051.0, -3.0, 2.5].map(alone));
    }
    rows.push(vec![f64::NAN; axes]);
    rows
}

/// The same as coordinates.
pub fn coordinates(axes: usize) -> Coordinates {
    Coordinates::from_floats(&rows(axes).concat(), axes).expect("rows")
}

#[test]
fn every_family_is_read_written_and_read_again() {
    let families = all();
    assert!(families.len() >= 46, "{} families", families.len());
    for (name, json) in &families {
        let law = law_of(json).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = serde_json::to_value(law.convention()).expect("JSON");
        let again: AxialConvention = serde_json::from_value(written).expect(name);
        assert_eq!(&again, law.convention(), "{name}");
        let claimed: usize = law.axes().iter().map(|axis| axis.slots().len()).sum();
        assert!(claimed > 0 && law.slots() > 0, "{name}");
    }
}

#[test]
fn what_defines_no_encoding_is_refused_by_axis_and_field() {
    let wrong = [
        (r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..9"}]}"#, "axis h: pairs"),
        (
            r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..4"},{"name":"w","pairs":"3..8"}]}"#,
            "axis w: pairs",
        ),
        (
            r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..4"},{"name":"h","pairs":"4..8"}]}"#,
            "axes: an axis named 'h'",
        ),
        (r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..4","index":"0..3"}]}"#, "axis h: index"),
        (r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":["0..4","3..5"]}]}"#, "axis h: pairs"),
        (r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..4","base":1}]}"#, "axis h: base"),
        (
            r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..4","position_scale":0}]}"#,
            "axis h: position_scale",
        ),
        (
            r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..1","frequency_spacing":"endpoints"}]}"#,
            "axis h: frequency_spacing",
        ),
        (
            r#"{"encoding":"rope","dim":16,"layout":"axis-halves","axes":[{"name":"h","pairs":"0..8:2"},{"name":"w","pairs":"1..8:2"}]}"#,
            "axis h: pairs",
        ),
        (r#"{"encoding":"rope","dim":16,"layout":"axis-halves","axes":[{"name":"h","pairs":"0..4"}]}"#, "layout"),
        (r#"{"encoding":"rope","dim":16,"layout":{"halves":5}}"#, "layout"),
        (r#"{"encoding":"rope","dim":16,"span":[0,5]}"#, "span"),
        (r#"{"encoding":"rope","dim":16,"span":[8,24]}"#, "span"),
        (r#"{"encoding":"sinusoid","dim":16,"span":[0,8]}"#, "span"),
        (r#"{"encoding":"sinusoid","dim":16,"slots":"entries"}"#, "slots"),
        (r#"{"encoding":"sinusoid","dim":16,"layout":"interleaved-to-halves"}"#, "layout"),
        (
            r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..8","frequencies":"missing.npy"}]}"#,
            "axis h: frequencies",
        ),
        (
            r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..8","scaling":{"type":"ntk","factor":-2}}]}"#,
            "axis h: factor",
        ),
        (r#"{"encoding":"rope","dim":16,"axes":[{"name":"h","pairs":"0..8","colour":1}]}"#, "unknown field `colour`"),
        (r#"{"encoding":"rope","dim":16,"rotary_dim":8,"span":[0,8]}"#, "rotary_dim and span"),
        (r#"{"encoding":"rope"}"#, "missing field `dim`"),
        (r#"{"encoding":"rope","dim":16,"layout":"halfs"}"#, "did you mean halves"),
    ];
    for (json, expected) in wrong {
        let json: Value = serde_json::from_str(json).expect("JSON");
        let error = law_of(&json).expect_err(expected);
        assert!(error.contains(expected), "{json}: {error} does not say {expected}");
    }
}
