//! What real modules computed, dumped by `scripts/axes`, conforms to the conventions of their families; damaged, it does not.

use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::positions::{AxialQuery, Domain, decode_axes};
use posproof_check::read::open;
use posproof_check::{FloatArray, Grid, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_encoding::convention::Encoding;
use posproof_numerics::{Format, Rational};
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

    /// The arrays of the dump: cosines and sines, vectors before and after, or a table, twice.
    fn arrays(&self) -> [FloatArray; 2] {
        let parts = [["cos", "sin"], ["x", "y"], ["table", "table"]];
        let both = |[first, second]: [&str; 2]| Some([self.array(first)?, self.array(second)?]);
        parts.into_iter().find_map(both).expect("entries")
    }

    /// The report on the entries, of which those of the first array have passed through `damage`.
    fn judged(&self, damage: impl Fn(&mut Vec<f64>)) -> AxialReport {
        let arrays = self.arrays();
        let rotation = arrays[0].name().ends_with(":x");
        let read = |grid: &FloatArray| {
            let mut entries = Vec::new();
            grid.read(0, 0..grid.rows(), &mut entries).expect(&self.name);
            entries
        };
        let [first, second] = &arrays;
        let (damaged, left) = if rotation { (second, first) } else { (first, second) };
        let (mut entries, others) = (read(damaged), read(left));
        damage(&mut entries);
        let mut expectation = AxialExpectation::new(&self.law, &self.coordinates);
        expectation.compute = self.compute;
        // Entries of binary32 as they were.
        let narrow = |entries: &[f64]| entries.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        let judge = |damaged: &dyn Grid, left: &dyn Grid| {
            let subject = match (self.law.convention().encoding, rotation) {
                (Encoding::Sinusoid, _) => Subject::Sinusoid(damaged),
                (_, true) => Subject::Rotation { x: left, y: damaged },
                (_, false) => Subject::Rope { cos: Some(damaged), sin: Some(left) },
            };
            check_axes(subject, &expectation).expect(&self.name)
        };
        let (width, other) = (damaged.width(), left.width());
        if damaged.format() == Format::F64 {
            judge(&Slice::new("damaged", &entries, width).unwrap(), &Slice::new("left", &others, other).unwrap())
        } else {
            let (entries, others) = (narrow(&entries), narrow(&others));
            judge(&Slice::new("damaged", &entries, width).unwrap(), &Slice::new("left", &others, other).unwrap())
        }
    }
}

#[test]
fn real_modules_conform_and_are_not_accused() {
    let (index, families) = (index(), families());
    let mut judged = BTreeSet::new();
    for (name, said) in &index {
        let dump = Dump::new(name, said, &families);
        let report = dump.judged(|_| ());
        println!("{name}: {}, angles in {}, {}", said["library"], report.compute, report.grade.name());
        assert!(report.conforms && report.findings.is_empty(), "{name}: {report}");
        judged.extend(said.get("family").map(|family| family.as_str().expect("a name").to_owned()));
    }
    let missing: Vec<&String> = families.keys().filter(|family| !judged.contains(*family)).collect();
    assert!(missing.is_empty(), "families without a dump of a real module: {missing:?}");
}

/// One entry with the other sign is beyond every bound: a cache, a rotation and a table, of narrow rows, because a search for the cause follows.
#[test]
fn damaged_dumps_are_not_conforming() {
    let index = index();
    for name in ["gemma4-vision", "vjepa2", "mae"] {
        let dump = Dump::new(name, &index[name], &families());
        let report = dump.judged(|entries| {
            let last = entries.iter().rposition(|x| x.abs() > 0.25).expect("an entry");
            entries[last] = -entries[last];
        });
        assert!(!report.conforms, "{name}: {report}");
        assert_eq!(report.statistics.exceeding, 1, "{name}: {report}");
    }
}

/// The coordinates that rows of real modules are decoded to are those that they were given: none is excluded, and most are certified.
#[test]
fn rows_of_real_modules_are_decoded() {
    let (mut certified, mut rows) = (0, 0);
    for (name, said) in &index() {
        let dump = Dump::new(name, said, &families());
        let shared = (0..dump.law.slots()).any(|slot| dump.law.claims(slot).len() > 1);
        // Angles that are sums, or of entries, are not decoded; nor are coordinates that are no integers.
        let whole =
            (0..dump.law.axes().len()).all(|axis| dump.coordinates.distinct(axis).iter().all(Rational::is_integer));
        let entries = !dump.law.is_rotation() && dump.array("x").is_some();
        if shared || entries || !whole {
            continue;
        }
        let query = AxialQuery {
            domain: Domain::new(-64, 1 << 16).expect("a domain"),
            compute: dump.compute,
            ..AxialQuery::new(&dump.law)
        };
        let [first, second] = dump.arrays();
        let subject = match first.name().rsplit(':').next() {
            Some("cos") => Subject::Rope { cos: Some(&first), sin: Some(&second) },
            Some("x") => Subject::Rotation { x: &first, y: &second },
            _ => Subject::Sinusoid(&first),
        };
        let decoded = decode_axes(subject, &query).expect(name).compared("positions", &dump.coordinates).expect(name);
        for axis in &decoded.axes {
            let comparison = axis.comparison.as_ref().expect("a comparison");
            assert_eq!(comparison.differ, 0, "{name}: {decoded}");
            certified += comparison.agree;
            rows += comparison.agree + comparison.undecided;
        }
    }
    println!("{certified} of {rows} coordinates are certified");
    assert!(rows > 1500 && 10 * certified > 9 * rows, "{certified} of {rows}");
}
