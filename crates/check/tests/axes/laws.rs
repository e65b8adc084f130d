//! Laws that are named at coordinates of any kind: fractional, negative and repeated ones, beside rows without a position.

use crate::families::law_of;
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Code, Slice, Subject};
use posproof_encoding::axes::Coordinates;
use posproof_numerics::Rational;
use serde_json::json;

const ROWS: i64 = 300;

/// Cosines or sines of two sections of 32 pairs with frequencies of a base; a row without a position is at rest.
fn cache(rows: &[Option<Vec<Rational>>], base: f64, of: fn(f64) -> f64) -> Vec<f32> {
    let entry = |row: &Option<Vec<Rational>>, k: usize| {
        let x = row.as_ref().map_or(0.0, |row| row[usize::from(k >= 16)].to_f64());
        of(x * base.powf(-(k as f64) / 32.0)) as f32
    };
    rows.iter().flat_map(|row| (0..32).map(|k| entry(row, k)).collect::<Vec<_>>()).collect()
}

#[test]
fn a_base_is_named_at_any_coordinates() {
    let sections = json!({ "encoding": "rope", "dim": 64, "layout": "halves", "axes": [
        { "name": "h", "pairs": "0..16", "index": "pairs" }, { "name": "w", "pairs": "16..32", "index": "pairs" }] });
    let law = law_of(&sections).expect("a law");
    type Coordinate = fn(i64) -> Rational;
    let kinds: [(&str, Coordinate); 4] = [
        ("negative", |row| Rational::from(row - 7)),
        ("fractional", |row| Rational::from((row, 2))),
        ("repeated", |row| Rational::from(row / 3)),
        ("in thirds from a half", |row| Rational::from((2 * row + 3, 6))),
    ];
    for (name, of) in kinds {
        let row = |row: i64| (row != 4).then(|| vec![of(row), of(ROWS - 1 - row)]);
        let rows: Vec<_> = (0..ROWS).map(row).collect();
        let coordinates = Coordinates::exact(&rows, 2).expect("coordinates");
        for (base, conforms) in [(10_000.0, true), (321.0, false)] {
            let [cos, sin] = [f64::cos as fn(f64) -> f64, f64::sin].map(|of| cache(&rows, base, of));
            let (cos, sin) = (Slice::new("cos", &cos, 32).expect("rows"), Slice::new("sin", &sin, 32).expect("rows"));
            let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
            let report = check_axes(subject, &AxialExpectation::new(&law, &coordinates)).expect("a judgement");
            assert_eq!(report.conforms, conforms, "{name}: {report}");
            if !conforms {
                assert_eq!(report.first_code(), Some(Code::OtherBase), "{name}: {report}");
                assert!(report.findings[0].to_string().contains("321") && report.mend.is_some(), "{name}: {report}");
            }
        }
    }
}
