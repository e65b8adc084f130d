//! Rows at other coordinates than those stated: deltas, packed sequences, chunks, and grids that are normalised otherwise.

use crate::families::{all, law, law_of};
use crate::faults::judged;
use posproof_check::Code;
use posproof_check::axes::AxialReport;
use posproof_encoding::axes::Coordinates;
use posproof_numerics::Rational;
use serde_json::{Value, json};

/// Rows of text, equal on all axes.
fn text(axes: usize, positions: impl IntoIterator<Item = i64>) -> Coordinates {
    let rows: Vec<Option<Vec<Rational>>> = positions.into_iter().map(|x| Some(vec![Rational::from(x); axes])).collect();
    Coordinates::exact(&rows, axes).unwrap()
}

const FAMILIES: [&str; 6] = ["qwen2-vl", "qwen3-vl", "glm4v", "ernie4.5-vl", "flux", "hidream"];

/// The report of the cache of a family at some rows, of which others are stated.
fn stated(name: &str, made: &Coordinates, stated: &Coordinates) -> AxialReport {
    let law = law(name);
    judged((&law, made), (&law, stated))
}

fn named(name: &str, report: &AxialReport, code: Code, fault: &str) {
    explained(name, report, code, fault);
    assert!(report.mend.is_some(), "{name}: {report}");
}

fn explained(name: &str, report: &AxialReport, code: Code, fault: &str) {
    let finding = &report.findings[0];
    assert_eq!((finding.code(), finding.fault.name), (code, fault), "{name}: {report}");
    assert_eq!(finding.explains.entries, finding.explains.of, "{name}: {report}");
}

/// Decoding goes on behind an image of 4 × 6 patches: three axes, all of them at (number of tokens + delta).
#[test]
fn a_delta_that_is_lost_is_named_with_its_row() {
    let prefill = (0..5).map(|i| [i; 3]).chain((0..24).map(|i| [5, 5 + i / 6, 5 + i % 6]));
    let decoded = |from: i64| (0..12).map(move |i| [from + i; 3]);
    let rows = |from| {
        let rows: Vec<Option<Vec<Rational>>> =
            prefill.clone().chain(decoded(from)).map(|row| Some(row.map(Rational::from).to_vec())).collect();
        Coordinates::exact(&rows, 3).unwrap()
    };
    for name in FAMILIES {
        // 29 tokens with the largest coordinate 10: the delta is −18.
        let report = stated(name, &rows(29), &rows(11));
        named(name, &report, Code::PositionOffset, "delta-lost");
        let detail = serde_json::to_value(&report).unwrap()["findings"][0]["detail"].clone();
        assert_eq!((&detail["from"], &detail["runs"][0]["by"][0]), (&json!(29), &json!("18")), "{name}");
    }
}

#[test]
fn packed_sequences_and_chunks_are_named() {
    for name in FAMILIES {
        let axes = 3;
        let (packed, whole) = (text(axes, (0..40).chain(0..24)), text(axes, 0..64));
        named(name, &stated(name, &whole, &packed), Code::Positions, "not-restarted");
        let thrice = text(axes, (0..20).chain(0..20).chain(0..24));
        named(name, &stated(name, &thrice, &packed), Code::Positions, "restarted");
    }
}

/// Padding on the left has position 1, or 0; a program that counts it numbers the rows. A first token at 1 is another matter.
#[test]
fn padding_that_is_counted_is_named() {
    for name in FAMILIES {
        let whole = text(3, 0..64);
        for at in [0, 1] {
            let padded = text(3, std::iter::repeat_n(at, 9).chain(0..55));
            named(name, &stated(name, &whole, &padded), Code::Positions, "padding-counted");
        }
        let padded = |from: i64| text(3, std::iter::repeat_n(1, 9).chain(from..from + 55));
        explained(name, &stated(name, &padded(1), &padded(0)), Code::PositionOffset, "first-position");
    }
}

/// One axis has the same names as three.
#[test]
fn text_at_other_positions_has_the_names_of_one_axis() {
    let one = json!({ "encoding": "rope", "dim": 64, "axes": [{ "name": "t", "pairs": "0..32" }] });
    let laws = FAMILIES.iter().map(|name| law(name)).chain([law_of(&one).unwrap()]);
    for (number, law) in laws.enumerate() {
        let axes = law.axes().len();
        let name = FAMILIES.get(number).unwrap_or(&"one axis");
        let whole = text(axes, 0..64);
        let found =
            |made: &Coordinates, code, fault| explained(name, &judged((&law, made), (&law, &whole)), code, fault);
        found(&text(axes, (0..40).chain(0..17).chain(0..7)), Code::Positions, "restarted");
        found(&text(axes, (0..40).chain(0..24)), Code::ClampedPositions, "wrapped-positions");
        // Rank 0 of two holds the chunks 0 and 3.
        found(&text(axes, (0..16).chain(48..64).chain(16..48)), Code::Positions, "chunks-exchanged");
        found(&text(axes, (63..64).chain(0..63)), Code::RowShift, "row-shift");
        found(&text(axes, (2..64).chain(0..2)), Code::RowShift, "row-shift");
        found(&text(axes, (0..64).map(|i| i.min(50))), Code::ClampedPositions, "clamped-positions");
        found(&text(axes, (0..64).map(|i| if i < 30 { i } else { 0 })), Code::ClampedPositions, "unrotated-rows");
        // Of several axes the delta of an image is one more reason.
        let later = if axes > 1 { "delta-lost" } else { "position-offset" };
        found(&text(axes, (0..64).map(|i| if i < 30 { i } else { i + 5 })), Code::PositionOffset, later);
        found(&text(axes, std::iter::repeat_n(9, 64)), Code::StalePositions, "constant-rows");
        for at in [0, 1] {
            found(&text(axes, std::iter::repeat_n(at, 9).chain(0..55)), Code::Positions, "left-padded");
        }
        found(&text(axes, (0..50).chain(std::iter::repeat_n(1, 14))), Code::ClampedPositions, "padded-rows");
        let stale = (0..64).map(|i| if i < 30 { i } else { (7 * i + 3) % 64 });
        found(&text(axes, stale), Code::StalePositions, "stale-positions");
    }
}

/// A grid that is normalised by n where it should be n − 1, frames of another rate, centring by the wrong half.
#[test]
fn grids_that_are_normalised_otherwise_are_named() {
    // The origin and the grid, without what lies far away.
    let near: Vec<Option<usize>> = (0..36).map(Some).collect();
    let grid = |axes: usize| crate::families::coordinates(axes).with_rows(&near);
    let altered = |name: &str, alter: &dyn Fn(&mut Value)| {
        let mut json = all()[name].clone();
        alter(&mut json);
        let (law, made) = (law(name), law_of(&json).unwrap());
        let rows = grid(law.axes().len());
        judged((&made, &rows), (&law, &rows))
    };
    let scale =
        |axis: usize, to: &'static str| move |json: &mut Value| json["axes"][axis]["position_scale"] = json!(to);
    let offset =
        |axis: usize, to: &'static str| move |json: &mut Value| json["axes"][axis]["position_offset"] = json!(to);
    type Alter = Box<dyn Fn(&mut Value)>;
    let cases: [(&str, Alter, Code); 6] = [
        ("timm-pixels", Box::new(scale(0, "1/7*pi")), Code::PositionScale),
        ("eva02", Box::new(scale(1, "15/31")), Code::PositionScale),
        ("cosmos", Box::new(scale(0, "24/25")), Code::PositionScale),
        ("qwen2-vl", Box::new(scale(0, "2/3")), Code::PositionScale),
        ("dinov3", Box::new(offset(0, "-7")), Code::PositionOffset),
        ("dinov3", Box::new(offset(1, "-17/2")), Code::PositionOffset),
    ];
    for (name, alter, code) in cases {
        let report = altered(name, &*alter);
        assert_eq!(report.findings[0].code(), code, "{name}: {report}");
        assert!(report.mend.is_some(), "{name}: {report}");
    }
}

/// Axes that are altered each in its own way are named each with its own value, beside what is meant where nothing is stated.
#[test]
fn each_axis_is_named_with_its_own_value() {
    let plain = |h: Value, w: Value| {
        let axis =
            |name: &str, pairs: &str, scale: Value| json!({ "name": name, "pairs": pairs, "position_scale": scale });
        let axes = [axis("h", "0..4", h), axis("w", "4..8", w)];
        law_of(&json!({ "encoding": "rope", "dim": 16, "base": 100, "axes": axes })).unwrap()
    };
    let rows = crate::families::coordinates(2).with_rows(&(0..36).map(Some).collect::<Vec<_>>());
    let (stated, made) = (plain(Value::Null, Value::Null), plain(json!("2/3"), json!("3/4")));
    let report = judged((&made, &rows), (&stated, &rows));
    let text = report.findings[0].to_string();
    for part in ["position_scale of axis h is 2/3", "position_scale of axis w is 0.75"] {
        assert!(text.contains(part), "{report}");
    }
    let made = plain(json!("2"), json!("2"));
    let text = judged((&made, &rows), (&stated, &rows)).findings[0].to_string();
    assert!(text.contains("position_scale of axes h and w is 2, not 1"), "{text}");
}

/// Rows in the middle of an image that are left unrotated are one cause, not one of each axis.
#[test]
fn rows_that_are_left_unrotated_have_one_cause() {
    let json = json!({ "encoding": "rope", "dim": 128, "axes": [
        { "name": "h", "pairs": "0..32", "index": "pairs" }, { "name": "w", "pairs": "32..64", "index": "pairs" }] });
    let law = law_of(&json).unwrap();
    let of = |unrotated: std::ops::Range<i64>| {
        let row = |row: i64| if unrotated.contains(&row) { [0, 0] } else { [row / 64, row % 64] };
        let rows: Vec<Option<Vec<Rational>>> =
            (0..4096).map(|number| Some(row(number).map(Rational::from).to_vec())).collect();
        Coordinates::exact(&rows, 2).unwrap()
    };
    for (unrotated, sentence) in [(1000..1010, "rows 1000 to 1009 are left"), (1000..1001, "row 1000 is left")] {
        let report = judged((&law, &of(unrotated)), (&law, &of(0..0)));
        assert_eq!(report.findings.len(), 1, "{report}");
        explained("image", &report, Code::NullRow, "null-row");
        assert!(report.to_string().contains(sentence), "{report}");
    }
}
