//! Arrays of real modules, and what they should be.

use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::read::open;
use posproof_check::{FloatArray, Grid, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates, PositionAxes};
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use serde_json::{Map, Value};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/modules");

pub fn index() -> Map<String, Value> {
    let text = std::fs::read_to_string(format!("{FOLDER}/modules.json")).expect("modules.json");
    serde_json::from_str(&text).expect("modules.json")
}

pub fn families() -> Map<String, Value> {
    serde_json::from_str(include_str!("../axes/families.json")).expect("families.json")
}

/// A dump, and what it should be.
pub struct Dump {
    pub name: String,
    pub law: AxialLaw,
    pub coordinates: Coordinates,
    pub compute: Format,
}

impl Dump {
    pub fn new(name: &str, said: &Value, families: &Map<String, Value>) -> Self {
        let convention = said.get("convention").unwrap_or_else(|| &families[said["family"].as_str().expect(name)]);
        let convention: AxialConvention = serde_json::from_value(convention.clone()).expect(name);
        let array = |part: &str| open(&format!("{FOLDER}/{name}.npz:{part}")).expect(name);
        // Frequencies that a module holds are named by their axis.
        let stored = |source: &str| {
            let axis = source.rsplit([':', '_']).next().unwrap_or(source);
            array(&format!("omega_{axis}")).frequencies().map_err(|error| error.to_string())
        };
        let law = convention.law(stored).expect(name);
        let coordinates = array("positions").coordinates(PositionAxes::Last).expect(name);
        let compute = said["compute"].as_str().expect(name).parse().expect(name);
        Self { name: name.to_owned(), law, coordinates, compute }
    }

    /// The module's arrays: their entries, format and width, and the vectors that it turned.
    pub fn array(&self, part: &str) -> Option<FloatArray> {
        let array = open(&format!("{FOLDER}/{}.npz:{part}", self.name)).ok()?;
        Some(FloatArray::new(array).expect(part))
    }

    /// The arrays of the dump: cosines and sines, vectors before and after, or a table, twice.
    pub fn arrays(&self) -> [FloatArray; 2] {
        let parts = [["cos", "sin"], ["x", "y"], ["table", "table"]];
        let both = |[first, second]: [&str; 2]| Some([self.array(first)?, self.array(second)?]);
        parts.into_iter().find_map(both).expect("entries")
    }

    /// The arrays as what they are.
    pub fn subject<'a>(&self, [first, second]: &'a [FloatArray; 2]) -> Subject<'a> {
        match first.name().rsplit(':').next() {
            Some("cos") => Subject::Rope { cos: Some(first), sin: Some(second) },
            Some("x") => Subject::Rotation { x: first, y: second },
            _ => Subject::Sinusoid(first),
        }
    }

    /// The report on the entries, of which those of the first array have passed through `damage`.
    pub fn judged(&self, damage: impl Fn(&mut Vec<f64>)) -> AxialReport {
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

/// The angles of every slot of a convention in all rows, to binary64; 0 in a row without a position.
pub fn angles(law: &AxialLaw, coordinates: &Coordinates) -> Vec<Vec<f64>> {
    let rows: Vec<_> = (0..coordinates.rows()).map(|row| coordinates.row(row)).collect();
    let angle = |slot: usize, here: &Vec<_>| law.angle(0, slot, here, 80).expect("an angle").approximate();
    let of = |slot: usize| rows.iter().map(|here| here.as_ref().map_or(0.0, |here| angle(slot, here))).collect();
    (0..law.slots()).map(of).collect()
}

/// The slots of a convention with these angles that entries may show: of a table or a rotation the one that turns them; of a column of a
/// cache those whose cosines and sines are the nearest in all rows.
pub fn shown(law: &AxialLaw, angles: &[Vec<f64>], subject: Subject<'_>, entries: (usize, usize)) -> Vec<usize> {
    let Subject::Rope { cos: Some(cos), sin: Some(sin) } = subject else {
        return law.turns().iter().filter(|turn| turn.write == entries).map(|turn| turn.slots.0).collect();
    };
    let [cos, sin] = [cos, sin].map(|grid| {
        let mut all = Vec::new();
        grid.read(0, 0..grid.rows(), &mut all).expect("entries");
        all.into_iter().skip(entries.0).step_by(grid.width()).collect::<Vec<f64>>()
    });
    let distance = |(slot, angles): (usize, &Vec<f64>)| {
        let gain = law.gain(slot).enclose(64).approximate();
        let off = |(row, angle): (usize, &f64)| {
            (cos[row] - gain * angle.cos()).abs().max((sin[row] - gain * angle.sin()).abs())
        };
        angles.iter().enumerate().map(off).fold(0.0, f64::max)
    };
    let all: Vec<f64> = angles.iter().enumerate().map(distance).collect();
    let best = all.iter().copied().fold(f64::MAX, f64::min);
    // Chosen: coarse, it only keeps out columns that are no slot's; which slots are as near is for the next line.
    assert!(best < 0.05, "column {} is no slot of the convention: {best}", entries.0);
    // Chosen: no slot that is off by twice as much is taken; 1e-7, 1.7 · 2⁻²⁴, is for columns that some slot fits exactly.
    (0..law.slots()).filter(|&slot| all[slot] <= 2.0 * best + 1e-7).collect()
}
