//! Sections of other sizes, and conventions that nothing near the stated one explains: they are read from the entries.

use crate::families::{all, coordinates, law, law_of};
use crate::faults::judged;
use posproof_check::axes::AxialReport;
use posproof_check::{Code, Grade, Status};
use posproof_encoding::axes::{Axis, Coordinates};
use posproof_numerics::Rational;
use serde_json::{Value, json};

fn slots(axes: &[Axis]) -> Vec<Vec<usize>> {
    let sorted = |axis: &Axis| {
        let mut slots: Vec<usize> = axis.pairs.iter().collect();
        slots.sort_unstable();
        slots
    };
    axes.iter().map(sorted).collect()
}

fn named(report: &AxialReport, code: Code, fault: &str) {
    let finding = &report.findings[0];
    assert_eq!((finding.code(), finding.fault.name, finding.status), (code, fault, Status::Confirmed), "{report}");
    assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
    assert!(report.grade == Grade::OtherConvention && report.mend.is_some(), "{report}");
    assert_eq!(report.found.as_ref(), report.mend.as_ref().map(|mend| &mend.convention), "{report}");
}

/// The blocks of a family's axes with other sizes.
fn resized(name: &str, ranges: &[&str]) -> Value {
    let mut json = all()[name].clone();
    for (axis, range) in json["axes"].as_array_mut().unwrap().iter_mut().zip(ranges) {
        axis["pairs"] = json!(range);
    }
    json
}

#[test]
fn sections_of_other_sizes_are_read_from_the_entries() {
    let cases: [(&str, &[&str]); 9] = [
        ("qwen2-vl", &["0..24", "24..48", "48..64"]),
        ("qwen2-vl", &["0..17", "17..40", "40..64"]),
        ("glm4v", &["0..12", "12..22", "22..32"]),
        ("glm-image", &["0..10", "10..20", "20..32"]),
        ("ernie4.5-vl", &["42..64", "0..42:2", "1..42:2"]),
        ("flux", &["0..16", "16..40", "40..64"]),
        ("hidream", &["0..22", "22..43", "43..64"]),
        ("wan", &["0..20", "20..42", "42..64"]),
        ("qwen2-vision", &["0..18", "18..40"]),
    ];
    for (name, ranges) in cases {
        if !all().contains_key(name) {
            panic!("{name}");
        }
        let (made, stated) = (law_of(&resized(name, ranges)).unwrap(), law(name));
        let rows = coordinates(stated.axes().len());
        for (made, stated) in [(&made, &stated), (&stated, &made)] {
            let report = judged((made, &rows), (stated, &rows));
            named(&report, Code::AxisArrangement, "axis-sections");
            let found = report.found.expect("a convention");
            // Slots too slow to show in these rows may be those of either.
            let law = found.law(|_| Err("none".into())).unwrap();
            let again = judged((made, &rows), (&law, &rows));
            assert!(again.conforms, "{name}: {again}");
            let moved = slots(&found.axes)
                .iter()
                .zip(slots(&made.convention().axes))
                .map(|(found, made)| made.iter().filter(|slot| !found.contains(slot)).count())
                .sum::<usize>();
            assert_eq!(moved, 0, "{name}: {report}", report = again);
        }
    }
}

/// Small sections, as a command line has them: 3, 3, 2 where 2, 3, 3 were stated.
#[test]
fn sections_of_another_model_are_named() {
    let convention = |sections: [&str; 3]| {
        let axis = |(name, pairs): (&str, &str)| json!({ "name": name, "pairs": pairs, "index": "pairs" });
        let axes: Vec<Value> = ["t", "h", "w"].into_iter().zip(sections).map(axis).collect();
        law_of(&json!({ "encoding": "rope", "dim": 16, "base": 1_000_000, "layout": "halves", "axes": axes })).unwrap()
    };
    let (made, stated) = (convention(["0..3", "3..6", "6..8"]), convention(["0..2", "2..5", "5..8"]));
    let rows = "0 0 0\n1 1 1\n2 2 2\n2 2 3\n2 2 4\n2 3 2\n2 3 3\n2 3 4\n5 5 5".parse().unwrap();
    let report = judged((&made, &rows), (&stated, &rows));
    named(&report, Code::AxisArrangement, "axis-sections");
    let region = report.findings[0].region.clone().expect("a region");
    assert!(region.axes == ["h", "w"] && region.is_part() && region.rows.first > 0, "{report}");
    assert_eq!(slots(&report.found.unwrap().axes), slots(&made.convention().axes));
}

/// All axes turn by the first: what is left where sections are not read at all.
#[test]
fn lost_sections_are_named() {
    for name in ["qwen2-vl", "qwen3-vl", "flux"] {
        let law = law(name);
        let rows = coordinates(3);
        let report = judged((&law, &rows.with_columns(&[0, 0, 0]).unwrap()), (&law, &rows));
        let finding = &report.findings[0];
        assert_eq!((finding.code(), finding.status), (Code::AxisLost, Status::Confirmed), "{name}: {report}");
        let axes = serde_json::to_value(finding).unwrap()["detail"]["axes"].clone();
        assert_eq!(axes, json!(["h", "w"]), "{name}");
    }
}

/// A base, a scale and a law that nothing lists, of one axis or of all.
#[test]
fn a_law_that_nothing_lists_is_identified() {
    let altered = |name: &str, alter: &dyn Fn(&mut Value)| {
        let mut json = all()[name].clone();
        alter(&mut json);
        let (stated, made) = (law(name), law_of(&json).unwrap());
        let rows = coordinates(stated.axes().len());
        judged((&made, &rows), (&stated, &rows))
    };
    let report = altered("qwen2-vl", &|json| json["base"] = json!(123_000));
    named(&report, Code::OtherBase, "other-base");
    let report = altered("flux", &|json| json["axes"][1]["base"] = json!(770));
    named(&report, Code::OtherBase, "other-base");
    let detail = serde_json::to_value(&report.findings[0]).unwrap()["detail"].clone();
    assert_eq!((&detail["axes"], &detail["found"]), (&json!(["h"]), &json!(770)), "{report}");
    // Sizes and a base at once: every field that differs is said.
    let report = altered("flux", &|json| {
        *json = resized("flux", &["0..16", "16..40", "40..64"]);
        json["base"] = json!(770);
    });
    named(&report, Code::AxisArrangement, "other-axes");
    let fields = serde_json::to_value(&report.findings[0]).unwrap()["detail"]["fields"].clone();
    let names: Vec<&str> = fields.as_array().unwrap().iter().filter_map(|field| field["field"].as_str()).collect();
    assert!(names.contains(&"pairs") && names.contains(&"base"), "{report}");
}

/// Without sines nothing shows which way an angle turns: what is wrong stays unexplained, and nobody is accused.
#[test]
fn half_a_cache_is_not_identified() {
    use posproof_check::axes::{AxialExpectation, check_axes};
    use posproof_check::{Slice, Subject};
    let (made, stated) = (law_of(&resized("glm4v", &["0..12", "12..22", "22..32"])).unwrap(), law("glm4v"));
    let rows = coordinates(3);
    let table = posproof_table::AxialTable::<f32>::new(&made, &rows).unwrap();
    let (mut cos, mut sin) = (vec![0f32; rows.rows() * 32], vec![0f32; rows.rows() * 32]);
    table.fill(0, 0..rows.rows(), &mut cos, &mut sin).unwrap();
    let cos = Slice::new("cos", &cos, 32).unwrap();
    let report =
        check_axes(Subject::Rope { cos: Some(&cos), sin: None }, &AxialExpectation::new(&stated, &rows)).unwrap();
    assert!(
        report.findings[0].code() == Code::Unexplained && report.found.is_none() && report.mend.is_none(),
        "{report}"
    );
}

/// One axis whose base is in no list is identified as several are.
#[test]
fn the_base_of_one_axis_is_identified() {
    let of = |base: i64| {
        let axes = [json!({ "name": "t", "pairs": "0..16" })];
        law_of(&json!({ "encoding": "rope", "dim": 32, "base": base, "axes": axes })).unwrap()
    };
    let rows = Coordinates::exact(&(0..512).map(|x| Some(vec![Rational::from(x)])).collect::<Vec<_>>(), 1).unwrap();
    let (stated, made) = (of(10_000), of(12_345));
    let report = judged((&made, &rows), (&stated, &rows));
    assert_eq!(report.findings[0].code(), Code::OtherBase, "{report}");
    assert!(report.findings[0].to_string().contains("base is 12345, not 10000"), "{report}");
    assert!(report.mend.is_some(), "{report}");
}
