//! What real modules computed, dumped by `scripts/axes`, conforms to the conventions of their families; damaged, it does not.

use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::read::open;
use posproof_check::{FloatArray, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::Format;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/modules");

fn index() -> Map<String, Value> {
    let text = std::fs::read_to_string(format!("{FOLDER}/modules.json")).expect("modules.json");
    serde_json::from_str(&text).expect("modules.json")
}

fn families() -> Map<String, Value> {
    serde_json::from_str(include_str!("axes/families.json")).expect("families.json")
}

/// A dump, and what it should be.
struct Dump {
    name: String,
    law: AxialLaw,
    coordinates: Coordinates,
    compute: Format,
}

impl Dump {
    fn new(name: &str, said: &Value, families: &Map<String, Value>) -> Self {
        let convention = said.get("convention").unwrap_or_else(|| &families[said["family"].as_str().expect(name)]);
        let convention: AxialConvention = serde_json::from_value(convention.clone()).expect(name);
        let array = |part: &str| open(&format!("{FOLDER}/{name}.npz:{part}")).expect(name);
        // Frequencies that a module holds are named by their axis.
        let stored = |source: &str| {
            let axis = source.rsplit([':', '_']).next().unwrap_or(source);
            array(&format!("omega_{axis}")).frequencies().map_err(|error| error.to_string())
        };
        let law = convention.law(stored).expect(name);
        let coordinates = array("positions").coordinates(false).expect(name);
        let compute = said["compute"].as_str().expect(name).parse().expect(name);
        Self { name: name.to_owned(), law, coordinates, compute }
    }

    /// What the module made: its entries, format and width, and the vectors that it turned.
    fn array(&self, part: &str) -> Option<FloatArray> {
        let array = open(&format!("{FOLDER}/{}.npz:{part}", self.name)).ok()?;
        Some(FloatArray::new(array).expect(part))
    }

    /// The report on the entries, of which those of the first array have passed through `damage`.
    fn judged(&self, damage: impl Fn(&mut Vec<f64>)) -> AxialReport {
        let parts = [["cos", "sin"], ["x", "y"], ["table", "table"]];
        let parts = parts.into_iter().find(|[part, _]| self.array(part).is_some()).expect("entries");
        let [(first, width), (second, other)] = parts.map(|part| {
            let array = self.array(part).expect(part);
            let (mut entries, grid): (_, &dyn posproof_check::Grid) = (Vec::new(), &array);
            grid.read(0, 0..grid.rows(), &mut entries).expect(part);
            (entries, grid.width())
        });
        let (mut damaged, left) = if parts[0] == "x" { (second, first) } else { (first, second) };
        damage(&mut damaged);
        let wide = self.array(parts[0]).map(|array| posproof_check::Grid::format(&array)) == Some(Format::F64);
        let mut expectation = AxialExpectation::new(&self.law, &self.coordinates);
        expectation.compute = self.compute;
        // Entries of binary32 as they were.
        let narrow = |entries: &[f64]| entries.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        let (damaged32, left32) = (narrow(&damaged), narrow(&left));
        macro_rules! judge {
            ($damaged:expr, $left:expr) => {{
                let damaged = Slice::new(parts[0], $damaged, width).expect("entries");
                let left = Slice::new(parts[1], $left, other).expect("entries");
                let subject = match parts[0] {
                    "cos" => Subject::Rope { cos: Some(&damaged), sin: Some(&left) },
                    "x" => Subject::Rotation { x: &left, y: &damaged },
                    _ => Subject::Sinusoid(&damaged),
                };
                check_axes(subject, &expectation).expect(&self.name)
            }};
        }
        if wide { judge!(&damaged, &left) } else { judge!(&damaged32, &left32) }
    }
}

#[test]
fn real_modules_conform_and_are_not_accused() {
    let (index, families) = (index(), families());
    let mut judged = BTreeSet::new();
    for (name, said) in &index {
        let dump = Dump::new(name, said, &families);
        let report = dump.judged(|_| ());
        println!("{name}: {}, angles in {}, {}", said["library"], report.compute, report.grade);
        assert!(report.conforms && report.findings.is_empty(), "{name}: {report}");
        judged.extend(said.get("family").map(|family| family.as_str().expect("a name").to_owned()));
    }
    let missing: Vec<&String> = families.keys().filter(|family| !judged.contains(*family)).collect();
    assert!(missing.is_empty(), "families without a dump of a real module: {missing:?}");
}

/// One entry with the other sign is beyond every bound, wherever the module leaves room.
#[test]
fn damaged_dumps_are_not_conforming() {
    for (name, said) in &index() {
        let dump = Dump::new(name, said, &families());
        let report = dump.judged(|entries| {
            let last = entries.iter().rposition(|x| x.abs() > 0.25).expect("an entry");
            entries[last] = -entries[last];
        });
        assert!(!report.conforms, "{name}: {report}");
        assert_eq!(report.statistics.exceeding, 1, "{name}: {report}");
    }
}
