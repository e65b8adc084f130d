//! Gradients go back by the transpose, also where every entry has an angle of its own (HunYuan-VL).

use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_table::AxialTable;
use serde_json::{Value, json};

const DIM: usize = 16;

fn read(convention: Value) -> Result<AxialLaw, String> {
    let convention: AxialConvention = serde_json::from_value(convention).map_err(|error| error.to_string())?;
    convention.law(|_| Err("none".into())).map_err(|error| error.to_string())
}

fn convention(slots: &str, direction: &str) -> Value {
    let (first, second, third) =
        if slots == "entries" { ("0..6", "6..11", "11..16") } else { ("0..3", "3..6", "6..8") };
    json!({ "encoding": "rope", "dim": DIM, "base": 10000, "layout": "halves", "slots": slots, "direction": direction,
        "axes": [{ "name": "t", "pairs": first }, { "name": "h", "pairs": second }, { "name": "w", "pairs": third }] })
}

fn rows() -> Coordinates {
    let rows = (0..240u32).flat_map(|row| [row / 60, row / 10 % 6, row % 10].map(f64::from));
    Coordinates::from_floats(&rows.collect::<Vec<_>>(), 3).unwrap()
}

/// The matrix of a row, from columns that `apply` makes of unit vectors: y = M·x, or Mᵀ·x.
fn multiplied(slots: &str, transpose: bool, negated: bool) -> (Vec<f32>, Vec<f32>) {
    let (law, rows) = (read(convention(slots, "counter-clockwise")).unwrap(), rows());
    let entries = rows.rows() * law.slots();
    let (mut cos, mut sin) = (vec![0.0; entries], vec![0.0; entries]);
    AxialTable::<f64>::new(&law, &rows).unwrap().fill(0, 0..rows.rows(), &mut cos, &mut sin).unwrap();
    let slot = |j: usize| if slots == "entries" { j } else { j % (DIM / 2) };
    let x: Vec<f32> = (0..rows.rows() * DIM).map(|i| ((i * 7919 % 1009) as f32 - 504.0) / 300.0).collect();
    let mut y = Vec::new();
    for row in 0..rows.rows() {
        let mut matrix = [[0.0; DIM]; DIM];
        for k in 0..DIM / 2 {
            let (a, b) = (k, k + DIM / 2);
            let at = |j: usize| row * law.slots() + slot(j);
            let sign = if negated { -1.0 } else { 1.0 };
            matrix[a][a] = cos[at(a)];
            matrix[a][b] = -sign * sin[at(a)];
            matrix[b][b] = cos[at(b)];
            matrix[b][a] = sign * sin[at(b)];
        }
        let of = |i: usize, j: usize| if transpose { matrix[j][i] } else { matrix[i][j] };
        let own = &x[row * DIM..][..DIM];
        y.extend((0..DIM).map(|i| (0..DIM).map(|j| of(i, j) * f64::from(own[j])).sum::<f64>() as f32));
    }
    (x, y)
}

fn judged(slots: &str, direction: &str, (x, y): &(Vec<f32>, Vec<f32>)) -> AxialReport {
    let (law, rows) = (read(convention(slots, direction)).unwrap(), rows());
    let (x, y) = (Slice::new("x", x, DIM).unwrap(), Slice::new("y", y, DIM).unwrap());
    check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &rows)).unwrap()
}

#[test]
fn clockwise_is_the_transpose() {
    for slots in ["entries", "pairs"] {
        let [forward, back] = [false, true].map(|transpose| multiplied(slots, transpose, false));
        for (direction, conforms, not) in [("counter-clockwise", &forward, &back), ("clockwise", &back, &forward)] {
            let report = judged(slots, direction, conforms);
            assert!(report.grade.conforms(), "{slots}, {direction}: {report}");
            let report = judged(slots, direction, not);
            assert!(!report.grade.conforms(), "{slots}, {direction}: {report}");
        }
    }
    // Angles that are negated, each for itself: another matrix than the transpose, where angles differ.
    let negated = multiplied("entries", false, true);
    assert!(!judged("entries", "clockwise", &negated).grade.conforms());
}

#[test]
fn entries_turn_in_one_direction() {
    let mut mixed = convention("entries", "counter-clockwise");
    mixed["axes"][1]["direction"] = json!("clockwise");
    let refusal = read(mixed).unwrap_err();
    assert!(refusal.contains("direction") && refusal.contains("one direction for all axes"), "{refusal}");
    let mut mixed = convention("pairs", "counter-clockwise");
    mixed["axes"][1]["direction"] = json!("clockwise");
    assert!(read(mixed).is_ok());
}
