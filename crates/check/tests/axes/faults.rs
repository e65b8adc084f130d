//! Faults that are injected into the caches of families: each is noticed, named, and explains every entry.

use crate::families::{all, coordinates, law, law_of};
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Code, Grade, Slice, Status, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::{Rational, format::Format};
use posproof_table::AxialTable;
use serde_json::{Value, json};

/// Cosines and sines of a convention at coordinates, in binary32.
pub fn cache(law: &AxialLaw, coordinates: &Coordinates) -> [Vec<f32>; 2] {
    let table = AxialTable::<f32>::new(law, coordinates).unwrap();
    let entries = coordinates.rows() * law.slots();
    let (mut cos, mut sin) = (vec![0f32; entries], vec![0f32; entries]);
    table.fill(0, 0..coordinates.rows(), &mut cos, &mut sin).unwrap();
    [cos, sin]
}

/// Judges a cache against a convention and coordinates.
pub fn judged_cache([cos, sin]: &[Vec<f32>; 2], stated: (&AxialLaw, &Coordinates)) -> AxialReport {
    let slots = stated.0.slots();
    let (cos, sin) = (Slice::new("cos", cos, slots).unwrap(), Slice::new("sin", sin, slots).unwrap());
    judged_subject(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, stated)
}

/// Judges a subject against a convention and coordinates. A mend that is said does mend it.
pub fn judged_subject(subject: Subject<'_>, (law, coordinates): (&AxialLaw, &Coordinates)) -> AxialReport {
    let report = check_axes(subject, &AxialExpectation::new(law, coordinates)).unwrap();
    if let Some(mend) = &report.mend {
        let law = law.altered(&mend.convention).unwrap();
        let rows = mend.coordinates.as_ref().unwrap_or(coordinates);
        let again =
            check_axes(subject, &AxialExpectation { compute: mend.compute, ..AxialExpectation::new(&law, rows) });
        let again = again.unwrap();
        assert!(again.conforms, "{mend}: {again}");
    }
    report
}

/// Judges the cache of one convention and coordinates against those stated.
pub fn judged((law, coordinates): (&AxialLaw, &Coordinates), stated: (&AxialLaw, &Coordinates)) -> AxialReport {
    judged_cache(&cache(law, coordinates), stated)
}

/// Effect of a mistake on a convention and on coordinates; `None` where a family cannot have it.
pub type Mistake = fn(&mut Value, &Coordinates) -> Option<Coordinates>;

/// Sets a field of one axis, or of all.
fn set(json: &mut Value, axis: Option<usize>, field: &str, value: Value) -> Option<()> {
    let axes = json["axes"].as_array_mut()?;
    for (number, stated) in axes.iter_mut().enumerate() {
        if axis.is_none_or(|axis| axis == number) {
            if stated.get(field) == Some(&value) || stated.get("frequencies").is_some() {
                return None;
            }
            stated[field] = value.clone();
        }
    }
    Some(())
}

const LAST_ALONE: Option<usize> = Some(1);

/// Mistakes, and the codes that name them: where two are one observation, both.
pub fn mistakes() -> Vec<(&'static str, &'static [Code], Mistake)> {
    vec![
        ("columns exchanged", &[Code::AxesExchanged], |_, x| {
            let mut order: Vec<usize> = (0..x.axes()).collect();
            order.swap(x.axes().checked_sub(2)?, x.axes() - 1);
            x.with_columns(&order)
        }),
        ("an axis follows another", &[Code::AxisLost], |_, x| {
            let mut order: Vec<usize> = (0..x.axes()).collect();
            *order.last_mut()? = x.axes().checked_sub(2)?;
            x.with_columns(&order)
        }),
        ("one row too early", &[Code::RowShift], |_, x| {
            let rows: Vec<Option<usize>> = (0..x.rows()).map(|row| (row + 1 < x.rows()).then_some(row + 1)).collect();
            Some(x.with_rows(&rows))
        }),
        ("a prefix of one row", &[Code::RowShift], |_, x| {
            Some(x.with_rows(&(0..x.rows()).map(|row| row.checked_sub(1)).collect::<Vec<_>>()))
        }),
        ("some rows unrotated", &[Code::NullRow], |_, x| {
            Some(x.with_rows(&(0..x.rows()).map(|row| (!(20..24).contains(&row)).then_some(row)).collect::<Vec<_>>()))
        }),
        ("no row unrotated", &[Code::NullRow], |_, x| Some(x.filled(&vec![Rational::ZERO; x.axes()]))),
        ("base 1000", &[Code::OtherBase], |json, x| {
            (json.get("base") != Some(&json!(1000)) && json.get("base").is_some()).then_some(())?;
            json["base"] = json!(1000);
            set(json, None, "base", json!(1000))?;
            Some(x.clone())
        }),
        ("base 1000 of one axis", &[Code::OtherBase], |json, x| {
            set(json, LAST_ALONE, "base", json!(1000)).map(|()| x.clone())
        }),
        ("offset 1 of one axis", &[Code::PositionOffset], |_, x| {
            (x.axes() > 1).then(|| x.clone().with_axis(1, &Rational::ONE, &Rational::ONE))
        }),
        ("half an offset of all axes", &[Code::PositionOffset], |_, x| {
            Some((0..x.axes()).fold(x.clone(), |x, axis| x.with_axis(axis, &Rational::ONE, &Rational::from((1, 2)))))
        }),
        // Twice the dimension is the square root of the base: 10000 for 100 is one observation with it.
        ("frequencies of the whole head", &[Code::FrequencyDim, Code::FrequencyIndex, Code::OtherBase], |json, x| {
            let dim = json["dim"].as_u64()?;
            set(json, None, "frequency_dim", json!(dim))?;
            Some(x.clone())
        }),
        ("counted anew in each axis", &[Code::FrequencyIndex], |json, x| {
            json["axes"].as_array()?.iter().all(|axis| axis.get("index").is_some()).then_some(())?;
            for axis in json["axes"].as_array_mut()? {
                axis.as_object_mut()?.remove("index");
            }
            Some(x.clone())
        }),
        ("the other direction", &[Code::Direction], |json, x| {
            json["direction"] = json!("clockwise");
            Some(x.clone())
        }),
    ]
}

/// A family with a mistake: the law and the rows that are stated, and those that are made.
pub struct MistakenFamily {
    pub name: &'static str,
    pub mistake: &'static str,
    pub codes: &'static [Code],
    pub stated: (AxialLaw, Coordinates),
    pub made: (AxialLaw, Coordinates),
}

/// Every mistake in each of these families that can have it.
pub fn mistaken(families: &'static [&'static str]) -> impl Iterator<Item = MistakenFamily> {
    families.iter().flat_map(|&name| {
        mistakes().into_iter().filter_map(move |(mistake, codes, make)| {
            let law = law(name);
            let rows = coordinates(law.axes().len());
            let mut json = all()[name].clone();
            let made = make(&mut json, &rows)?;
            let made = (law_of(&json).ok()?, made);
            Some(MistakenFamily { name, mistake, codes, stated: (law, rows), made })
        })
    })
}

/// Families that mistakes are made in.
pub const FAMILIES: [&str; 13] = [
    "qwen2-vl",
    "qwen3-vl",
    "glm4v",
    "ernie4.5-vl",
    "qwen2-vision",
    "pixtral",
    "llama4-vision",
    "gemma4-vision",
    "dinov3",
    "flux",
    "cosmos",
    "ltx-video",
    "mixed",
];

#[test]
fn every_mistake_is_noticed_and_named() {
    let (mut noticed, mut silent, mut named) = (0, Vec::new(), Vec::new());
    for MistakenFamily { name, mistake, codes, stated, made } in mistaken(&FAMILIES) {
        let report = judged((&made.0, &made.1), (&stated.0, &stated.1));
        // The same entries: what the convention says is not changed by it.
        if report.grade == Grade::CorrectlyRounded {
            continue;
        }
        if report.conforms {
            silent.push(format!("{name}: {mistake}"));
            continue;
        }
        noticed += 1;
        let finding = &report.findings[0];
        let explained = finding.status == Status::Confirmed && finding.explains.entries == finding.explains.of;
        if !codes.contains(&finding.code()) || !explained || report.mend.is_none() {
            named.push(format!("{name}: {mistake}: {report}"));
        }
    }
    assert!(named.is_empty(), "{} of {noticed} under another name:\n{}", named.len(), named.join("\n"));
    assert!(silent.is_empty(), "{silent:?}");
    assert!(noticed >= 100, "{noticed}");
}

/// Blocks for sections that alternate, and the reverse.
#[test]
fn other_arrangements_are_named() {
    let blocked = json!({"encoding": "rope", "dim": 128, "layout": "halves", "base": 5_000_000, "axes": [
        {"name": "t", "pairs": "0..24", "index": "pairs"}, {"name": "h", "pairs": "24..44", "index": "pairs"},
        {"name": "w", "pairs": "44..64", "index": "pairs"}]});
    let alternating = law("qwen3-vl");
    let blocked = law_of(&blocked).unwrap();
    let rows = coordinates(3);
    for (made, stated) in [(&blocked, &alternating), (&alternating, &blocked)] {
        let report = judged((made, &rows), (stated, &rows));
        assert_eq!(report.findings[0].code(), Code::AxisArrangement, "{report}");
        let found = report.found.expect("a convention");
        let slots = |axes: &[posproof_encoding::axes::Axis]| {
            axes.iter().map(|axis| axis.pairs.iter().collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert_eq!(slots(&found.axes), slots(&made.convention().axes));
    }
}

/// Angles in bfloat16 are degraded, not another convention; what nothing explains is said to be unexplained.
#[test]
fn low_precision_is_not_another_convention() {
    let (law, rows) = (law("qwen2-vision"), "0 0\n1 2\n2 1\n3 0\n5 7".parse::<Coordinates>().unwrap());
    let entries: Vec<f32> = (0..rows.rows())
        .flat_map(|row| {
            let here = rows.row(row).unwrap();
            let angle = |slot: usize| Format::Bf16.round(law.angle(0, slot, &here, 64).unwrap().approximate());
            (0..law.slots()).map(move |slot| angle(slot).cos() as f32).collect::<Vec<_>>()
        })
        .collect();
    let cos = Slice::new("cos", &entries, law.slots()).unwrap();
    let report = check_axes(Subject::Rope { cos: Some(&cos), sin: None }, &AxialExpectation::new(&law, &rows)).unwrap();
    assert_eq!(report.findings[0].code(), Code::LowPrecisionAngles, "{report}");

    let mut state = 3u32;
    let noise: Vec<f32> = entries
        .iter()
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state as f32 / u32::MAX as f32
        })
        .collect();
    let cos = Slice::new("cos", &noise, law.slots()).unwrap();
    let report = check_axes(Subject::Rope { cos: Some(&cos), sin: None }, &AxialExpectation::new(&law, &rows)).unwrap();
    assert_eq!((report.findings[0].code(), report.findings[0].explains.entries), (Code::Unexplained, 0), "{report}");
}
