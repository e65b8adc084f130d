//! Every fault of the catalogue on one of two axes, the other being right: it is named as on one axis.

use crate::everywhere::{cases, concerns, faulty, names};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_numerics::format::Format;
use serde_json::json;

/// Rows: those of a grid whose second coordinate has every number from 0 on.
const ROWS: u64 = 600;

/// The judgement of a cache of two axes, of which the first is right and the second is this one.
fn beside(right: &Specimen, other: &Specimen) -> AxialReport {
    let pairs = right.promised.pairs();
    let convention = json!({ "encoding": "rope", "dim": 4 * pairs, "layout": "halves", "axes": [
        { "name": "h", "pairs": format!("0..{pairs}") }, { "name": "w", "pairs": format!("{pairs}..{}", 2 * pairs) }] });
    let law = serde_json::from_value::<AxialConvention>(convention).unwrap().law(|_| Err("none".into())).unwrap();
    let rows: Vec<f64> = other.setting.positions.iter().flat_map(|&p| [(p / 3) as f64, p as f64]).collect();
    let coordinates = Coordinates::from_floats(&rows, 2).unwrap();
    let joined = |array: usize| -> Vec<f32> {
        let (one, other) = (right.judged[array].chunks_exact(pairs), other.judged[array].chunks_exact(pairs));
        one.zip(other).flat_map(|(one, other)| one.iter().chain(other)).map(|entry| *entry as f32).collect()
    };
    let (cos, sin) = (joined(0), joined(1));
    let (cos, sin) = (Slice::new("cos", &cos, 2 * pairs).unwrap(), Slice::new("sin", &sin, 2 * pairs).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    check_axes(subject, &AxialExpectation::new(&law, &coordinates)).unwrap()
}

#[test]
fn faults_of_one_axis_are_named_beside_a_right_one() {
    let setting = Setting { name: "600 rows", positions: (0..ROWS).collect(), format: Format::F32, heads: 1 };
    let promised = Kind::Cache.convention(32);
    let thirds = Setting { positions: (0..ROWS).map(|p| p / 3).collect(), ..setting.clone() };
    let right = Specimen::right(Kind::Cache, &promised, &thirds);
    let (mut compared, mut named, mut other) = (0, 0, Vec::new());
    for (fault, case) in cases().filter(|(_, case)| concerns(Kind::Cache, case)) {
        let specimen = faulty(Kind::Cache, case, &promised, &setting);
        let alone = specimen.check();
        if alone.conforms || !specimen.judged.iter().flatten().all(|entry| entry.is_finite()) {
            continue;
        }
        let report = beside(&right, &specimen);
        assert!(!report.conforms, "{}: {report}", case.name);
        compared += 1;
        let code = report.findings.first().map(|finding| finding.code());
        let as_alone =
            code == alone.first_code() || code.is_some_and(|code| names(code, (fault, case), &setting.positions));
        named += usize::from(as_alone);
        if !as_alone {
            other.push(format!("{}: {:?} alone\n{report}", case.name, alone.first_code()));
        }
    }
    assert!(compared > 25, "{compared} faults were compared");
    assert!(other.is_empty(), "{named} of {compared}\n{}", other.join("\n"));
}
