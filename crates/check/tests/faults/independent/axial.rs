//! Random programs of two and three axes: sections in both layouts, on a grid, made into arrays in plain binary64.

use super::axial_reading::AxialModel;
use super::files::Container;
use super::model::round;
use super::programs::{FORMATS, Random};
use super::reading::{Claim, Meaning, unit};
use posproof_check::Subject;
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::format::Format;
use serde_json::json;

/// A fault: its name, the codes that say it, and what it makes of a model.
type Fault = (&'static str, &'static [&'static str], fn(&mut AxialModel, &mut Random));

/// Faults of the frequencies, of the coordinates and of the entries.
const FAULTS: [&[Fault]; 3] = [
    &[
        ("base", &["other-base"], |m, r| m.base = vec![r.one_of(&[1000.0, 100.0, 500_000.0]); m.axes()]),
        ("base of an axis", &["other-base"], |m, r| {
            let axis = r.below(m.axes());
            m.base[axis] = r.one_of(&[1000.0, 100.0, 500_000.0]);
        }),
        ("scale of an axis", &["position-scale", "frequency-scaling"], |m, r| {
            let axis = r.below(m.axes());
            m.scale[axis] = r.one_of(&[2.0, 0.5, 4.0]);
        }),
        ("indices go on", &["frequency-index", "frequency-dim"], |m, _| m.own_indices ^= true),
    ],
    &[
        ("exchanged", &["axes-exchanged"], |m, _| m.follows.swap(0, 1)),
        ("lost", &["axis-lost"], |m, r| {
            let axis = r.below(m.axes());
            m.follows[axis] = Some((axis + 1) % m.axes());
        }),
        ("still", &["axis-lost"], |m, r| {
            let axis = r.below(m.axes());
            m.follows[axis] = None;
        }),
        ("offset", &["position-offset"], |m, r| {
            let by = r.one_of(&[1.0, -1.0, 2.0]);
            m.offset.iter_mut().for_each(|offset| *offset = by);
        }),
        ("offset of an axis", &["position-offset"], |m, r| {
            let axis = r.below(m.axes());
            m.offset[axis] = r.one_of(&[1.0, 0.5, -1.0]);
        }),
        ("row shift", &["row-shift", "positions"], |m, r| m.rows = r.one_of(&[1, -1])),
    ],
    &[
        ("amplitude", &["amplitude"], |m, r| m.amplitude = r.one_of(&[1.25, 0.5, -1.0])),
        ("direction", &["direction"], |m, _| m.sense = -1.0),
        ("layout", &["layout"], |m, _| m.halves ^= true),
    ],
];

/// A program of several axes, and what it promises.
pub struct AxialCase {
    rotation: bool,
    law: AxialLaw,
    right: AxialModel,
    model: AxialModel,
    faults: Vec<Fault>,
    damaged: Option<(usize, usize, usize)>,
    format: Format,
    container: Container,
    rows: Vec<Vec<f64>>,
    heads: usize,
    x: Vec<f64>,
    arrays: Vec<Vec<f64>>,
}

impl AxialCase {
    pub fn random(random: &mut Random) -> Self {
        let dim = random.one_of(&[32usize, 64, 96]);
        let (axes, slots, rotation) = (random.one_of(&[2usize, 3]), dim / 2, random.below(2) == 0);
        // In equal parts, or the first axis narrower.
        let part = slots / axes;
        let first = if random.below(2) == 0 { part } else { part / 2 };
        let mut ends = vec![0, first];
        (1..axes).for_each(|axis| ends.push(first + axis * (slots - first) / (axes - 1)));
        let names = &["t", "h", "w"][3 - axes..];
        let (halves, own) = (random.below(2) == 0, random.below(3) > 0);
        let base = random.one_of(&[10_000.0, 100.0]);
        let stated: Vec<_> = names
            .iter()
            .zip(ends.windows(2))
            .map(|(name, ends)| {
                let pairs = format!("{}..{}", ends[0], ends[1]);
                if own {
                    json!({ "name": name, "pairs": pairs })
                } else {
                    json!({ "name": name, "pairs": pairs, "index": "pairs" })
                }
            })
            .collect();
        let layout = if halves { "halves" } else { "interleaved" };
        let convention = json!({ "encoding": "rope", "dim": dim, "base": base, "layout": layout, "axes": stated });
        let convention: AxialConvention = serde_json::from_value(convention).expect("a convention");
        let law = convention.law(|name| Err(name.to_owned())).expect("a law");
        let right = AxialModel {
            dim,
            halves,
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            ends,
            base: vec![base; axes],
            scale: vec![1.0; axes],
            offset: vec![0.0; axes],
            follows: (0..axes).map(Some).collect(),
            own_indices: own,
            rows: 0,
            amplitude: 1.0,
            sense: 1.0,
            factors: Vec::new(),
        };
        // A grid whose sides have no common measure, in its own order.
        let sides = [random.one_of(&[5u32, 4]), random.one_of(&[7, 11]), random.one_of(&[9, 13])];
        let count = if axes == 3 { sides.iter().product() } else { sides[1] * sides[2] };
        let row = |i: u32| [i / (sides[1] * sides[2]), i / sides[2] % sides[1], i % sides[2]];
        let rows: Vec<Vec<f64>> =
            (0..count).map(|i| row(i)[3 - axes..].iter().map(|x| f64::from(*x)).collect()).collect();
        let mut faults: Vec<Fault> = Vec::new();
        for (group, chance) in FAULTS.into_iter().zip([3, 3, 4]) {
            let fault = random.one_of(group);
            let fits = fault.0 != "layout" || rotation;
            if random.below(chance) == 0 && fits && faults.len() < 2 {
                faults.push(fault);
            }
        }
        let mut model = right.clone();
        faults.iter().for_each(|fault| fault.2(&mut model, random));
        let (format, container) = (random.one_of(&FORMATS), random.one_of(&Container::ALL));
        let heads = if rotation { random.one_of(&[1, 3]) } else { 1 };
        let number = |random: &mut Random| round(format, random.next() as f64 / 2f64.powi(52) - 0.9);
        let x: Vec<f64> =
            if rotation { (0..heads * rows.len() * dim).map(|_| number(random)).collect() } else { Vec::new() };
        let damaged = (faults.is_empty() && random.below(2) == 0)
            .then(|| (random.below(heads), random.below(rows.len() - 2) + 1, random.below(dim)));
        let arrays = Vec::new();
        let mut case = Self { rotation, law, right, model, faults, damaged, format, container, rows, heads, x, arrays };
        let stored = |all: Vec<f64>| all.into_iter().map(|x| round(format, x)).collect();
        case.arrays = case.made(&case.model).into_iter().map(stored).collect();
        if let Some((head, row, column)) = damaged {
            let width = case.width();
            let entry = &mut case.arrays[0][(head * case.rows.len() + row) * width + column % width];
            *entry = round(format, if entry.abs() > 0.5 { 0.01 } else { *entry + 0.75 });
        }
        case
    }

    fn width(&self) -> usize {
        if self.rotation { self.right.dim } else { self.right.dim / 2 }
    }

    fn made(&self, model: &AxialModel) -> Vec<Vec<f64>> {
        let slots = model.dim / 2;
        let row = |i: usize| (0..slots).map(move |slot| model.entry(&self.rows, i, slot)).collect::<Vec<_>>();
        if !self.rotation {
            let (cos, sin) = (0..self.rows.len()).flat_map(row).unzip();
            return vec![cos, sin];
        }
        let turned = self.x.chunks_exact(model.dim).enumerate().flat_map(|(i, x)| {
            let mut out = x.to_vec();
            for (slot, (cos, sin)) in row(i % self.rows.len()).into_iter().enumerate() {
                let (a, b) = model.places(slot);
                (out[a], out[b]) = (x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos);
            }
            out
        });
        vec![turned.collect()]
    }

    pub fn name(&self) -> String {
        let kind = if self.rotation { "Rotation" } else { "Cache" };
        let (axes, dim) = (self.right.axes(), self.right.dim);
        let Self { format, container, .. } = self;
        format!(
            "{kind} {dim} of {axes} axes, {} ({format} in {container:?}, {} rows)",
            self.faults().join(" and "),
            self.rows.len()
        )
    }

    pub fn faults(&self) -> Vec<&'static str> {
        self.faults.iter().map(|fault| fault.0).chain(self.damaged.map(|_| "one entry")).collect()
    }

    pub fn codes(&self) -> Vec<&'static str> {
        let all = self.faults.iter().flat_map(|fault| fault.1.iter().copied());
        all.chain(self.damaged.map(|_| "local")).collect()
    }

    pub fn judge(&self) -> AxialReport {
        let shape = [self.heads, self.rows.len(), self.width()];
        let folder = tempfile::tempdir().expect("a folder");
        let keep = |name, entries| self.container.keep(folder.path(), name, entries, self.format, shape);
        let coordinates = Coordinates::from_floats(&self.rows.concat(), self.right.axes()).expect("coordinates");
        let storage = self.format.narrow().filter(|_| self.container.is_nameless()).map(|_| self.format);
        let expectation = AxialExpectation { storage, ..AxialExpectation::new(&self.law, &coordinates) };
        if self.rotation {
            let (x, y) = (keep("x", &self.x), keep("y", &self.arrays[0]));
            return check_axes(Subject::Rotation { x: &*x, y: &*y }, &expectation).expect("a report");
        }
        let (cos, sin) = (keep("cos", &self.arrays[0]), keep("sin", &self.arrays[1]));
        check_axes(Subject::Rope { cos: Some(&*cos), sin: Some(&*sin) }, &expectation).expect("a report")
    }

    /// Head, row, slot and whether it is the second of its pair, of an entry.
    fn place(&self, array: usize, index: usize) -> (usize, usize, usize, bool) {
        let (line, column) = (index / self.width(), index % self.width());
        let (head, row) = (line / self.rows.len(), line % self.rows.len());
        if !self.rotation {
            return (head, row, column, array == 1);
        }
        let slots = self.right.dim / 2;
        let slot = (0..slots).find(|&slot| [self.right.places(slot).0, self.right.places(slot).1].contains(&column));
        let slot = slot.unwrap_or(0);
        (head, row, slot, self.right.places(slot).1 == column)
    }

    fn tolerance(&self, model: &AxialModel, (row, slot): (usize, usize), value: f64, loose: f64) -> f64 {
        let angle = model.angle(&self.rows, row, slot).abs().max(self.right.angle(&self.rows, row, slot).abs());
        let length = if self.rotation { 2.0 } else { 1.0 };
        let amplitude = model.amplitude.abs().max(1.0) * length;
        amplitude * ((4.0 * 2f64.powi(-24) + loose) * (angle + 2.0) + 8.0 * unit(self.format, value.abs().max(length)))
    }

    /// True if an entry is far from the right one.
    pub fn departs(&self) -> bool {
        let right = self.made(&self.right);
        right.iter().zip(&self.arrays).enumerate().any(|(array, (right, got))| {
            right.iter().zip(got).enumerate().any(|(index, (right, got))| {
                let (_, row, slot, _) = self.place(array, index);
                (right - got).abs() > 4.0 * self.tolerance(&self.right, (row, slot), *right, 0.0)
            })
        })
    }

    /// A contradiction of the arrays to the claims of a report; `Ok(false)` if nothing in them can be held against arrays.
    pub fn contradicts(&self, claims: &[Claim]) -> Result<bool, String> {
        let (mut model, mut loose, mut apart) = (self.right.clone(), 0.0, Vec::new());
        for claim in claims {
            match claim.apply_axial(&mut model) {
                _ if !claim.confirmed => return Ok(false),
                None => return Ok(false),
                Some(Meaning::Apart) => apart.push(claim),
                Some(Meaning::Loose(by)) => loose += by,
                Some(Meaning::Silent) => return Ok(false),
                Some(Meaning::Changed) => {}
            }
        }
        let made = self.made(&model);
        let mut departing = 0;
        for (array, (made, got)) in made.iter().zip(&self.arrays).enumerate() {
            for (index, (expected, got)) in made.iter().zip(got).enumerate() {
                let (head, row, slot, second) = self.place(array, index);
                let off = (got - expected).abs() > 4.0 * self.tolerance(&model, (row, slot), *expected, loose);
                if !off || model.is_end(&self.rows, row) {
                    continue;
                }
                if !apart.iter().any(|claim| claim.has(head, row, slot, second)) {
                    return Err(format!("row {row}, slot {slot}: {got} where the findings say {expected}"));
                }
                departing += 1;
            }
        }
        let stated: u64 = apart.iter().map(|claim| claim.entries).sum();
        if departing > stated {
            Err(format!("{departing} entries depart by themselves, not {stated}"))
        } else {
            Ok(true)
        }
    }
}
