//! Honest programs conform, caches of every width and rotations of every layout.

use crate::families::{all, coordinates, law, rows};
use crate::rules::{angles, table};
use half::{bf16, f16};
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::{Code, Grade, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::format::Format;

/// Cosines and sines of the rule in binary64, stored as binary32; a row without a position is left alone.
pub fn cache(family: &str, axes: usize) -> Option<(Vec<f32>, Vec<f32>, usize)> {
    let rows = rows(axes);
    let width = angles(family, &rows[0])?.len();
    let angles =
        |row: &Vec<f64>| if row[0].is_nan() { vec![0.0; width] } else { angles(family, row).unwrap_or_default() };
    let all: Vec<f64> = rows.iter().flat_map(angles).collect();
    Some((all.iter().map(|a| a.cos() as f32).collect(), all.iter().map(|a| a.sin() as f32).collect(), width))
}

#[test]
fn every_family_conforms_to_its_convention() {
    let mut judged = 0;
    for name in all().keys() {
        let law = law(name);
        let axes = law.axes().len();
        let coordinates = coordinates(axes);
        let expectation = AxialExpectation::new(&law, &coordinates);
        let report = if let Some((cos, sin, width)) = cache(name, axes) {
            let (cos, sin) = (Slice::new("cos", &cos, width).unwrap(), Slice::new("sin", &sin, width).unwrap());
            check_axes(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap()
        } else {
            let zeros = |row: &Vec<f64>| row[0].is_nan().then(|| vec![0.0; law.convention().dim]);
            let written = |row: &Vec<f64>| {
                zeros(row).or_else(|| table(name, row)).unwrap_or_else(|| panic!("{name} has no rule"))
            };
            let entries: Vec<f32> = rows(axes).iter().flat_map(written).map(|x| x as f32).collect();
            let table = Slice::new("table", &entries, law.convention().dim).unwrap();
            check_axes(Subject::Sinusoid(&table), &expectation).unwrap()
        };
        assert!(report.conforms, "{name}: {report}");
        judged += 1;
    }
    assert!(judged >= 46, "{judged}");
}

/// Pairs of entries of a row of `dim`, as the programs that rotate have them.
fn pairing(family: &str, dim: usize) -> Option<Vec<(usize, usize)>> {
    let halves = |start: usize, width: usize| (0..width / 2).map(move |k| (start + k, start + k + width / 2));
    let neighbours = |start: usize, width: usize| (0..width / 2).map(move |k| (start + 2 * k, start + 2 * k + 1));
    Some(match family {
        "qwen2-vl" | "dinov3" => halves(0, dim).collect(),
        "glm4v" => neighbours(0, 64).collect(),
        "minimax-m3-vision" => halves(0, 78).collect(),
        "gemma4-vision" => halves(0, 32).chain(halves(32, 32)).collect(),
        "flux" | "mixed" => neighbours(0, dim).collect(),
        "ltx2" => (0..dim / 64).flat_map(|block| halves(64 * block, 64)).collect(),
        "deepseek-v4" => neighbours(64, 64).collect(),
        _ => return None,
    })
}

/// Vectors of binary32 from a generator, and what the pairs of a program make of them in binary64.
pub fn rotation(family: &str, law: &AxialLaw) -> Option<(Vec<f32>, Vec<f32>)> {
    let dim = law.convention().dim;
    let pairs = pairing(family, dim)?;
    let (mut x, mut y, mut state) = (Vec::new(), Vec::new(), 7u64);
    for row in rows(law.axes().len()) {
        let vector: Vec<f32> = (0..dim)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
            })
            .collect();
        let mut turned = vector.clone();
        // The angles of slots: of one column of each pair of a wide cache.
        let columns = angles(family, &row)?;
        for (k, &(a, b)) in pairs.iter().enumerate() {
            let angle = match columns.len() / pairs.len() {
                1 => columns[k],
                _ if family == "flux" || family == "glm4v" => columns[2 * k],
                _ if family == "gemma4-vision" => columns[a],
                _ => columns[k],
            };
            let angle = if row[0].is_nan() { 0.0 } else { angle };
            let (p, q) = (f64::from(vector[a]), f64::from(vector[b]));
            turned[a] = (p * angle.cos() - q * angle.sin()) as f32;
            turned[b] = (q * angle.cos() + p * angle.sin()) as f32;
        }
        x.extend(vector);
        y.extend(turned);
    }
    Some((x, y))
}

#[test]
fn rotations_of_every_layout_conform() {
    let mut judged = 0;
    for name in all().keys() {
        let law = law(name);
        let Some((x, y)) = rotation(name, &law) else { continue };
        let (dim, coordinates) = (law.convention().dim, coordinates(law.axes().len()));
        let (x, y) = (Slice::new("x", &x, dim).unwrap(), Slice::new("y", &y, dim).unwrap());
        let report =
            check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &coordinates)).unwrap();
        assert!(report.conforms, "{name}: {report}");
        // Where two products cancel, binary64 has lost what a neighbour of binary32 takes.
        let correct = report.statistics.correctly_rounded.expect("binary32");
        assert!(report.entries - correct <= 1 && report.statistics.max_ulps < 0.501, "{name}: {report}");
        judged += 1;
    }
    assert!(judged >= 8, "{judged}");
}

#[test]
fn one_wrong_entry_is_seen() {
    let law = law("qwen2-vl");
    let coordinates = coordinates(3);
    let (mut cos, sin, width) = cache("qwen2-vl", 3).unwrap();
    let at = 20 * width + 5;
    cos[at] += 1e-4;
    let (cos, sin) = (Slice::new("cos", &cos, width).unwrap(), Slice::new("sin", &sin, width).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let report = check_axes(subject, &AxialExpectation::new(&law, &coordinates)).unwrap();
    assert_eq!((report.grade, report.statistics.exceeding), (Grade::Wrong, 1), "{report}");
    let worst = report.worst.expect("a worst entry");
    assert_eq!((worst.row, worst.pair, worst.axes), (20, Some(5), vec!["t".to_owned()]));
}

/// Two axes of two pairs each, and four rows of coordinates.
fn height_and_width() -> (AxialLaw, Coordinates) {
    let law: AxialConvention = serde_json::from_str(
        r#"{"encoding": "rope", "dim": 8, "axes": [{"name": "h", "pairs": "0..2"}, {"name": "w", "pairs": "2..4"}]}"#,
    )
    .unwrap();
    let law = law.law(|_| Err("no frequencies are stored".to_owned())).unwrap();
    let rows: Coordinates = "0 0\n0 3\n2 0\n7 3".parse().unwrap();
    (law, rows)
}

/// A rotation of several axes is rounded or not as one of one axis is: in a row at 0 the exact entry is that of the vector, which may lie
/// half way between two numbers, and a row elsewhere has an entry of its own.
#[test]
fn the_rounding_of_a_rotation_is_judged() {
    let (law, rows) = height_and_width();
    // 1 + 2^−8 is half way between 1 and 1 + 2^−7, the next number of bf16.
    let tie = 1.0 + 2f32.powi(-8);
    let x = vec![tie; 4 * 8];
    let mut y = Vec::new();
    for row in 0..4 {
        let coordinates = rows.row(row).unwrap();
        for slot in 0..4 {
            let angle = law.angle(0, slot, &coordinates, 96).unwrap().approximate();
            let (a, b) = (f64::from(tie), f64::from(tie));
            y.push((slot, [a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()]));
        }
    }
    let turned = |nudged: Option<bf16>| -> Vec<bf16> {
        let mut all = vec![bf16::ZERO; 4 * 8];
        for (at, &(slot, [first, second])) in y.iter().enumerate() {
            let (a, b) = law.turns()[slot].write;
            (all[at / 4 * 8 + a], all[at / 4 * 8 + b]) = (bf16::from_f64(first), bf16::from_f64(second));
        }
        all[0] = nudged.unwrap_or(all[0]);
        all
    };
    let grade = |nudged: Option<bf16>| {
        let y = turned(nudged);
        let (x, y) = (Slice::new("x", &x, 8).unwrap(), Slice::new("y", &y, 8).unwrap());
        let report = check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &rows)).unwrap();
        (report.grade, report.statistics.correctly_rounded)
    };
    assert_eq!(grade(None), (Grade::CorrectlyRounded, Some(32)));
    assert_eq!(grade(Some(bf16::from_f32(1.0 + 2f32.powi(-7)))), (Grade::Faithful, Some(31)));
    assert_eq!(grade(Some(bf16::from_f32(1.0 + 2f32.powi(-6)))).1, Some(31));
}

/// Vectors that are 0 are 0 at any angle: a rotation of them is not judged, as on one axis.
#[test]
fn vectors_that_are_zero_say_nothing() {
    let (law, rows) = height_and_width();
    let zeros = vec![0f32; 4 * 8];
    let zeros = Slice::new("x", &zeros, 8).unwrap();
    let report = check_axes(Subject::Rotation { x: &zeros, y: &zeros }, &AxialExpectation::new(&law, &rows)).unwrap();
    assert_eq!((report.grade, report.first_code()), (Grade::NotJudged, Some(Code::NotJudged)), "{report}");
    assert_eq!((report.information.zeros, report.conforms), (Some(32), false), "{report}");
}

/// Caches that one axis refuses as a whole are refused on several: cosines and sines whose columns stand for the slots in two ways, and
/// arrays of a narrower format than stated, which were not cast.
#[test]
fn arrays_are_held_to_what_one_axis_asks_of_them() {
    let law = law("qwen2-vl");
    let coordinates = coordinates(3);
    let (cos, sin, width) = cache("qwen2-vl", 3).unwrap();
    let slots = law.slots();
    let first: Vec<f32> = sin.chunks_exact(width).flat_map(|row| row[..slots].to_vec()).collect();
    let [whole, half] = [Slice::new("cos", &cos, width).unwrap(), Slice::new("sin", &first, slots).unwrap()];
    let expectation = AxialExpectation::new(&law, &coordinates);
    let report = check_axes(Subject::Rope { cos: Some(&whole), sin: Some(&half) }, &expectation).unwrap();
    assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::Duplication)), "{report}");
    let [cos, sin] = [&cos, &sin].map(|all| all.iter().map(|x| f16::from_f32(*x)).collect::<Vec<_>>());
    let [cos, sin] = [Slice::new("cos", &cos, width).unwrap(), Slice::new("sin", &sin, width).unwrap()];
    let expectation = AxialExpectation { storage: Some(Format::F32), ..expectation };
    let report = check_axes(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
    assert!(report.to_string().contains("the entries are stored as f16, not as f32"), "{report}");
}
