//! Where findings are: heads, rows, slots and components, and what departs alone.

use crate::families::{all, coordinates, law, law_of};
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Code, Finding, Grade, Grid, InvalidInput, Status, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::Format;
use posproof_table::AxialTable;
use serde_json::{Value, json};
use std::ops::Range;

/// Tables of several heads in memory.
pub struct Heads {
    pub name: &'static str,
    pub heads: Vec<Vec<f32>>,
    pub width: usize,
}

impl Grid for Heads {
    fn name(&self) -> &str {
        self.name
    }
    fn format(&self) -> Format {
        Format::F32
    }
    fn slabs(&self) -> usize {
        self.heads.len()
    }
    fn rows(&self) -> usize {
        self.heads[0].len() / self.width
    }
    fn width(&self) -> usize {
        self.width
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        out.clear();
        let part = &self.heads[slab][rows.start * self.width..rows.end * self.width];
        out.extend(part.iter().map(|&x| f64::from(x)));
        Ok(())
    }
}

/// The cache of a convention, head by head.
struct Case {
    law: AxialLaw,
    rows: Coordinates,
    cos: Heads,
    sin: Heads,
}

impl Case {
    fn new(name: &str, heads: usize) -> Self {
        let law = law(name);
        let rows = coordinates(law.axes().len());
        let (cos, sin) = cache(&law, &rows);
        let all = |name, one: Vec<f32>| Heads { name, heads: vec![one; heads], width: law.slots() };
        Self { cos: all("cos", cos), sin: all("sin", sin), law, rows }
    }

    fn report(&self) -> AxialReport {
        let subject = Subject::Rope { cos: Some(&self.cos), sin: Some(&self.sin) };
        let report = check_axes(subject, &AxialExpectation::new(&self.law, &self.rows)).unwrap();
        assert!(!report.conforms && report.findings[0].region.is_some(), "{report}");
        report
    }

    /// Puts the entries of another program in some heads and rows.
    fn replace(&mut self, json: &Value, heads: Range<usize>, rows: Range<usize>) {
        let (cos, sin) = cache(&law_of(json).unwrap(), &self.rows);
        let part = rows.start * self.law.slots()..rows.end * self.law.slots();
        for head in heads {
            self.cos.heads[head][part.clone()].copy_from_slice(&cos[part.clone()]);
            self.sin.heads[head][part.clone()].copy_from_slice(&sin[part.clone()]);
        }
    }
}

fn cache(law: &AxialLaw, rows: &Coordinates) -> (Vec<f32>, Vec<f32>) {
    let table = AxialTable::<f32>::new(law, rows).unwrap();
    let (mut cos, mut sin) = (vec![0f32; rows.rows() * law.slots()], vec![0f32; rows.rows() * law.slots()]);
    table.fill(0, 0..rows.rows(), &mut cos, &mut sin).unwrap();
    (cos, sin)
}

/// One entry that departs is that, whatever else might be said of it.
#[test]
fn one_entry_stays_one_entry() {
    for (name, slot, axis) in [("qwen2-vl", 5, "t"), ("flux", 40, "w"), ("dinov3", 3, "h")] {
        let mut case = Case::new(name, 3);
        let at = 20 * case.law.slots() + slot;
        case.sin.heads[1][at] += 1e-3;
        let report = case.report();
        let finding = &report.findings[0];
        assert_eq!((finding.code(), finding.explains.entries), (Code::Local, 1), "{name}: {report}");
        let region = finding.region.as_ref().unwrap();
        assert_eq!((region.rows.first, region.rows.last, region.heads.first), (20, 20, 1), "{name}: {report}");
        assert_eq!((region.pairs.unwrap().first, region.component), (slot, Some(Component::Sin)), "{name}: {report}");
        assert_eq!(
            (region.axes.as_slice(), report.found.as_ref()),
            (&[axis.to_owned()][..], Some(case.law.convention())),
            "{name}: {report}"
        );
        let coordinates = case.rows.row(20).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(region.coordinates[0].as_ref(), Some(&coordinates), "{name}: {report}");
        assert!(report.mend.is_none() && report.grade == Grade::Wrong, "{name}: {report}");
    }
}

/// A head of another base, or of other sections: that head is named, and the others are right.
#[test]
fn a_fault_of_one_head_is_that_heads() {
    let with = |field: &str, value: Value| {
        let mut json = all()["qwen2-vl"].clone();
        json[field] = value;
        json
    };
    let sections = json!([{ "name": "t", "pairs": "0..20", "index": "pairs" },
        { "name": "h", "pairs": "20..44", "index": "pairs" }, { "name": "w", "pairs": "44..64", "index": "pairs" }]);
    for (json, code) in [
        (with("base", json!(10_000)), Code::OtherBase),
        (with("base", json!(77_000)), Code::OtherBase),
        (with("direction", json!("clockwise")), Code::Direction),
        (with("axes", sections), Code::AxisArrangement),
    ] {
        let mut case = Case::new("qwen2-vl", 4);
        let rows = case.rows.rows();
        case.replace(&json, 2..3, 0..rows);
        let report = case.report();
        let finding = &report.findings[0];
        assert_eq!((finding.code(), finding.status, finding.confined), (code, Status::Confirmed, true), "{report}");
        assert_eq!(finding.explains.entries, finding.explains.of, "{report}");
        let heads = finding.region.as_ref().unwrap().heads;
        assert_eq!((heads.first, heads.last, heads.count), (2, 2, 1), "{report}");
        // The rest follows what was stated. No command makes of four heads what one of them is.
        assert_eq!(report.found.as_ref(), Some(case.law.convention()), "{report}");
        assert!(report.mend.is_none() && report.grade == Grade::Wrong, "{report}");
        assert!(finding.to_string().starts_with("at head 2 of 4"), "{report}");
    }
}

/// Rows from one on that have another base.
#[test]
fn a_fault_of_some_rows_is_theirs() {
    for (base, code) in [(10_000, Code::OtherBase), (500_000, Code::OtherBase)] {
        let mut json = all()["qwen2-vl"].clone();
        json["base"] = json!(base);
        let mut case = Case::new("qwen2-vl", 1);
        let rows = case.rows.rows();
        case.replace(&json, 0..1, 30..rows);
        let report = case.report();
        let finding = &report.findings[0];
        assert_eq!((finding.code(), finding.status, finding.confined), (code, Status::Confirmed, true), "{report}");
        let region = finding.region.as_ref().unwrap();
        assert!(region.rows.first >= 30 && report.mend.is_none() && report.found.is_none(), "{report}");
    }
}

/// The region is in the JSON of every finding, with what the subject has of each.
#[test]
fn json_says_where() {
    let mut case = Case::new("flux", 2);
    let at = 7 * case.law.slots();
    case.cos.heads[0][at] = 0.5;
    let json = serde_json::to_value(case.report()).unwrap();
    let place = &json["findings"][0]["where"];
    assert_eq!(
        (&place["rows"]["first"], &place["pairs"]["first"], &place["axes"]),
        (&json!(7), &json!(0), &json!(["t"]))
    );
    assert_eq!(place["of"], json!({ "rows": case.rows.rows(), "heads": 2, "pairs": 64 }));
    assert_eq!(json["findings"][0]["explains"], json!({ "entries": 1, "of": 1 }));
}

/// Entries that are not finite are counted and placed by themselves, and what else departs is found as without them.
#[test]
fn what_is_not_finite_is_a_finding_of_its_own() {
    for (name, slot) in [("qwen2-vl", 5), ("flux", 40), ("dinov3", 3)] {
        let mut case = Case::new(name, 3);
        let width = case.law.slots();
        let last = case.rows.rows() - 1;
        case.cos.heads[2][last * width] = f32::NAN;
        let report = case.report();
        let [finding] = &report.findings[..] else { panic!("{name}: {report}") };
        let place = |finding: &Finding| {
            let region = finding.region.as_ref().unwrap();
            [region.rows.first, region.rows.last, region.heads.first, region.heads.count, region.pairs.unwrap().count]
        };
        assert_eq!((finding.code(), finding.status), (Code::NotFinite, Status::Confirmed), "{name}: {report}");
        assert_eq!((place(finding), report.found.is_some()), ([last, last, 2, 1, 1], true), "{name}: {report}");

        case.sin.heads[1][20 * width + slot] += 1e-3;
        let report = case.report();
        let [strange, local] = &report.findings[..] else { panic!("{name}: {report}") };
        assert_eq!((strange.code(), local.code()), (Code::NotFinite, Code::Local), "{name}: {report}");
        assert_eq!([strange, local].map(place), [[last, last, 2, 1, 1], [20, 20, 1, 1, 1]], "{name}: {report}");
        let explained = [strange, local].map(|finding| [finding.explains.entries, finding.explains.of]);
        assert_eq!(explained, [[1, 2]; 2], "{name}: {report}");
        assert!(report.mend.is_none() && report.grade == Grade::Wrong, "{name}: {report}");
    }
    let mut json = all()["qwen2-vl"].clone();
    json["base"] = 500_000.into();
    let mut case = Case::new("qwen2-vl", 2);
    case.replace(&json, 0..2, 0..case.rows.rows());
    let alone: Vec<Code> = case.report().findings.iter().map(Finding::code).collect();
    case.sin.heads[0][3] = f32::INFINITY;
    let report = case.report();
    let codes: Vec<Code> = report.findings.iter().map(Finding::code).collect();
    assert_eq!((codes[0], &codes[1..]), (Code::NotFinite, &alone[..]), "{report}");
    assert!(report.findings[1].status == Status::Confirmed && report.mend.is_none(), "{report}");
    assert_eq!((report.grade, report.statistics.not_finite), (Grade::Wrong, 1), "{report}");
}
