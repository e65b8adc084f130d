//! Products of a rotation with a sign or a factor of their own, in caches and vectors of several axes: what is said of them is what was done.

use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Code, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::format::Format;
use posproof_table::AxialTable;
use serde_json::json;

pub fn law(layout: &str) -> AxialLaw {
    let convention = json!({ "encoding": "rope", "dim": 64, "base": 10000, "layout": layout,
        "axes": [{ "name": "h", "pairs": "0..16" }, { "name": "w", "pairs": "16..32" }] });
    serde_json::from_value::<AxialConvention>(convention).unwrap().law(|_| Err("none".into())).unwrap()
}

/// A grid of 24 × 40, and so many heads.
pub fn rows() -> Coordinates {
    let rows = (0..960u32).flat_map(|row| [f64::from(row / 40), f64::from(row % 40)]);
    Coordinates::from_floats(&rows.collect::<Vec<_>>(), 2).unwrap()
}

/// Cosines and sines in binary64, row after row.
fn table(law: &AxialLaw, rows: &Coordinates) -> [Vec<f64>; 2] {
    let entries = rows.rows() * law.slots();
    let (mut cos, mut sin) = (vec![0.0; entries], vec![0.0; entries]);
    AxialTable::<f64>::new(law, rows).unwrap().fill(0, 0..rows.rows(), &mut cos, &mut sin).unwrap();
    [cos, sin]
}

/// Vectors for every row, of numbers from −2 to 2.
pub fn vectors(rows: &Coordinates) -> Vec<f64> {
    let hash = |i: u32| {
        let x = (i ^ (i >> 16)).wrapping_mul(0x7feb_352d);
        (x ^ (x >> 15)).wrapping_mul(0x846c_a68b) >> 21
    };
    (0..rows.rows() as u32 * 64).map(|i| (f64::from(hash(i)) - 1023.5) / 512.0).collect()
}

/// The vectors rotated, with factors of the products for each slot.
pub fn rotated(law: &AxialLaw, rows: &Coordinates, x: &[f64], of: impl Fn(usize) -> [[f64; 2]; 2]) -> Vec<f64> {
    let [cos, sin] = table(law, rows);
    let mut y = x.to_vec();
    for (row, (x, y)) in x.chunks_exact(64).zip(y.chunks_exact_mut(64)).enumerate() {
        for turn in law.turns() {
            let (slot, (a, b)) = (turn.slots.0, turn.read);
            let (cos, sin) = (cos[row * law.slots() + slot], sin[row * law.slots() + slot]);
            let [[c1, s1], [c2, s2]] = of(slot);
            y[turn.write.0] = c1 * x[a] * cos - s1 * x[b] * sin;
            y[turn.write.1] = c2 * x[b] * cos + s2 * x[a] * sin;
        }
    }
    y
}

/// The judgement of rotated vectors in a format.
pub fn judged(law: &AxialLaw, rows: &Coordinates, [x, y]: [&[f64]; 2], format: Format) -> AxialReport {
    let stored = |entries: &[f64]| entries.iter().map(|&entry| format.round(entry) as f32).collect::<Vec<f32>>();
    let (x, y) = (stored(x), stored(y));
    let (x, y) = (Slice::new("x", &x, 64).unwrap(), Slice::new("y", &y, 64).unwrap());
    let storage = Some(format);
    let expectation = AxialExpectation { storage, ..AxialExpectation::new(law, rows) };
    check_axes(Subject::Rotation { x: &x, y: &y }, &expectation).unwrap()
}

/// Factors of the cosine and the sine in the first entry of a pair, and in the second, of slots from a first one on.
#[derive(Clone, Copy)]
struct Wrong {
    first: [f64; 2],
    second: [f64; 2],
    from: usize,
}

impl Wrong {
    fn of(&self, slot: usize) -> [[f64; 2]; 2] {
        if slot < self.from { [[1.0; 2]; 2] } else { [self.first, self.second] }
    }

    fn cache(&self, format: Format) -> AxialReport {
        let (law, rows) = (law("halves"), rows());
        let [cos, sin] = table(&law, &rows);
        let slots = law.slots();
        let of = |entries: &[f64], component: usize| -> Vec<f32> {
            let one = |(i, entry): (usize, &f64)| format.round(entry * self.of(i % slots)[0][component]) as f32;
            entries.iter().enumerate().map(one).collect()
        };
        let (cos, sin) = (of(&cos, 0), of(&sin, 1));
        let (cos, sin) = (Slice::new("cos", &cos, slots).unwrap(), Slice::new("sin", &sin, slots).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let storage = Some(format);
        check_axes(subject, &AxialExpectation { storage, ..AxialExpectation::new(&law, &rows) }).unwrap()
    }

    fn rotation(&self, layout: &str) -> AxialReport {
        let (law, rows) = (law(layout), rows());
        let x = vectors(&rows);
        judged(&law, &rows, [&x, &rotated(&law, &rows, &x, |slot| self.of(slot))], Format::F32)
    }
}

/// One finding, which explains every entry beyond its bound, and says this.
pub fn says(report: &AxialReport, sentence: &str) {
    let [finding] = report.findings.as_slice() else { panic!("{report}") };
    assert_eq!(finding.code(), Code::NotARotation, "{report}");
    assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
    assert!(finding.to_string().contains(sentence), "expected '{sentence}': {report}");
}

#[test]
fn components_of_a_cache() {
    let both = |first: [f64; 2], from: usize| Wrong { first, second: first, from };
    for format in [Format::F32, Format::Bf16] {
        says(&both([0.9, 1.0], 0).cache(format), "every cosine is 0.9");
        says(&both([1.0, 0.0], 0).cache(format), "every sine is 0");
        says(&both([0.9, 1.0], 16).cache(format), "the cosines of axis w are 0.9");
        says(&both([-1.0, 1.0], 16).cache(format), "the cosines of axis w are of the wrong sign");
        says(&both([0.5, 0.0], 16).cache(format), "the cosines of axis w are 0.5");
    }
}

#[test]
fn products_of_a_rotation() {
    for layout in ["halves", "interleaved"] {
        let minus = Wrong { first: [1.0, -1.0], second: [1.0, 1.0], from: 0 };
        let sentence = "the products with sines in the first entry of each pair of axes h and w are of the wrong sign";
        says(&minus.rotation(layout), sentence);
        let lost = Wrong { first: [1.0, 0.0], second: [1.0, 0.0], from: 16 };
        says(&lost.rotation(layout), "the sines of axis w are 0");
        let scaled = Wrong { first: [1.0, 1.0], second: [0.9, 1.0], from: 16 };
        says(&scaled.rotation(layout), "the products with cosines in the second entry of each pair of axis w are 0.9");
        let cosines = Wrong { first: [0.9, 1.0], second: [0.9, 1.0], from: 0 };
        says(&cosines.rotation(layout), "every cosine is 0.9");
    }
}
