//! Random programs: conventions, faults, formats and shapes, made into arrays in plain binary64.

use super::files::Container;
use super::model::{Model, Position, round};
use super::reading::{Claim, Meaning, unit};
use posproof_check::{Expectation, Report, Subject, check};
use posproof_encoding::convention::{Convention, Direction, Layout, Order};
use posproof_numerics::format::Format;

/// A sequence of numbers that look random.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// The three kinds of subject.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Table,
    Cache,
    Rotation,
}

/// A fault: its name, the codes that say it, and what it makes of a model.
type Fault = (&'static str, &'static [&'static str], fn(&mut Model, &mut Random, usize));

/// Faults that leave each other visible: of the frequencies, of the positions, of the entries.
const FREQUENCIES: [Fault; 8] = [
    ("base", &["other-base"], |m, r, _| m.base = r.one_of(&[1000.0, 20_000.0, 123_456.0, 1e6, 5e6])),
    ("origin", &["frequency-origin"], |m, _, _| m.index = 1.0),
    ("endpoints", &["frequency-spacing"], |m, _, _| m.endpoints = true),
    ("linear", &["frequency-scaling", "position-scale"], |m, r, _| m.linear = r.one_of(&[2.0, 4.0, 8.0])),
    ("doubled exponents", &["other-base", "frequency-spacing"], |m, _, _| m.base *= m.base),
    ("reversed", &["frequency-spacing"], |m, _, _| {
        m.frequencies = (0..m.dim / 2).rev().map(|k| m.omega(k)).collect();
    }),
    ("all 1", &["frequency-spacing"], |m, _, _| m.frequencies = vec![1.0; m.dim / 2]),
    ("one pair", &["local"], |m, r, _| {
        let k = r.below(m.dim / 4);
        m.pair = Some((k, 1.01 * m.omega(k)));
    }),
];
const POSITIONS: [Fault; 8] = [
    ("offset", &["position-offset"], |m, r, _| {
        m.position = Position::Shifted(r.one_of(&[1.0, -1.0, 2.0, 17.0, 0.5]), 0)
    }),
    ("scale", &["position-scale", "frequency-scaling"], |m, r, _| m.angle_scale = r.one_of(&[2.0, 0.25, 3.0, 1.5])),
    ("clamped", &["clamped-positions"], |m, _, rows| {
        m.position = Position::Stays((rows / 2) as f64 - 1.0, rows as u64 / 2)
    }),
    ("wrapped", &["clamped-positions"], |m, _, rows| m.position = Position::Modulo(rows as u64 / 2)),
    ("later", &["position-offset"], |m, r, rows| {
        m.position = Position::Shifted(r.one_of(&[1.0, -3.0]), rows as u64 / 2)
    }),
    ("one position", &["stale-positions", "no-rotation"], |m, r, _| {
        m.position = Position::Stays(r.one_of(&[0.0, 5.0]), 0)
    }),
    ("divided", &["positions"], |m, r, _| m.position = Position::Divided(r.one_of(&[2, 4, 8]))),
    ("bf16 positions", &["low-precision-positions"], |m, _, _| m.position = Position::Rounded(Format::Bf16)),
];
const ENTRIES: [Fault; 4] = [
    ("amplitude", &["amplitude"], |m, r, _| m.amplitude = r.one_of(&[1.25, 0.5, 1.1, -1.0])),
    ("direction", &["direction"], |m, _, _| m.sense = -1.0),
    ("order", &["order"], |m, _, _| m.exchanged = true),
    ("layout", &["layout"], |m, _, _| {
        m.layout = if m.layout == "halves" { "interleaved".into() } else { "halves".into() };
    }),
];

/// Formats of entries, the usual one twice.
pub const FORMATS: [Format; 7] =
    [Format::F32, Format::F32, Format::F64, Format::Bf16, Format::F16, Format::E4m3, Format::E5m2];

/// A program and what it promises.
pub struct Case {
    kind: Kind,
    promised: Convention,
    right: Model,
    model: Model,
    faults: Vec<Fault>,
    damaged: Option<(usize, usize, usize)>,
    format: Format,
    container: Container,
    rows: usize,
    heads: usize,
    x: Vec<f64>,
    /// The arrays, head by head.
    arrays: Vec<Vec<f64>>,
}

impl Case {
    pub fn random(random: &mut Random) -> Self {
        let kind = random.one_of(&[Kind::Table, Kind::Cache, Kind::Rotation]);
        let dim = random.one_of(&[32, 64, 128]);
        let layout = random.one_of(&[Layout::Halves, Layout::Interleaved]);
        let base = random.one_of(&[10_000i32, 500_000]);
        let promised = if kind == Kind::Table { Convention::sinusoid(dim) } else { Convention::rope(dim) };
        let promised = Convention { layout, base: i64::from(base).into(), ..promised };
        let right = Model {
            dim,
            base: f64::from(base),
            offset: 0.0,
            angle_scale: 1.0,
            layout: if layout == Layout::Halves { "halves".into() } else { "interleaved".into() },
            exchanged: false,
            sense: if promised.direction == Direction::Clockwise { -1.0 } else { 1.0 },
            amplitude: 1.0,
            index: 0.0,
            endpoints: false,
            linear: 1.0,
            position: Position::Own,
            frequencies: Vec::new(),
            pair: None,
            factors: Vec::new(),
        };
        let (rows, heads) =
            (random.one_of(&[96, 300, 700]), if kind == Kind::Rotation { random.one_of(&[1, 3]) } else { 1 });
        let format = random.one_of(&FORMATS);
        let container = random.one_of(&Container::ALL);
        let mut faults: Vec<Fault> = Vec::new();
        let fits = |fault: &Fault| match fault.0 {
            "order" => kind == Kind::Table,
            "layout" => kind != Kind::Cache,
            // Rounded positions show beyond 256, and in pairs that turn far.
            "bf16 positions" => rows > 512,
            _ => true,
        };
        for (group, chance) in [(&FREQUENCIES[..], 3), (&POSITIONS, 3), (&ENTRIES, 4)] {
            let fault = random.one_of(group);
            if random.below(chance) == 0 && fits(&fault) && faults.len() < 2 {
                faults.push(fault);
            }
        }
        let mut model = right.clone();
        faults.iter().for_each(|fault| fault.2(&mut model, random, rows));
        let damaged = (faults.is_empty() && random.below(2) == 0)
            .then(|| (random.below(heads), random.below(rows - 2) + 1, random.below(dim)));
        let mut x: Vec<f64> = Vec::new();
        if kind == Kind::Rotation {
            x = (0..heads * rows * dim).map(|_| round(format, random.next() as f64 / 2f64.powi(52) - 0.9)).collect();
        }
        let mut case = Self {
            kind,
            promised,
            right,
            model,
            faults,
            damaged,
            format,
            container,
            rows,
            heads,
            x,
            arrays: Vec::new(),
        };
        case.arrays =
            case.made(&case.model).into_iter().map(|all| all.into_iter().map(|x| round(format, x)).collect()).collect();
        if let Some((head, row, column)) = damaged {
            let width = case.width();
            let entry = &mut case.arrays[0][(head * rows + row) * width + column % width];
            *entry = round(format, if entry.abs() > 0.5 { 0.01 } else { *entry + 0.75 });
        }
        case
    }

    fn width(&self) -> usize {
        if self.kind == Kind::Cache { self.promised.dim / 2 } else { self.promised.dim }
    }

    /// The arrays of a model.
    fn made(&self, model: &Model) -> Vec<Vec<f64>> {
        let (pairs, dim) = (self.promised.dim / 2, self.promised.dim);
        let row = |p: usize| (0..pairs).map(move |k| model.entry(p as u64, k)).collect::<Vec<_>>();
        match self.kind {
            Kind::Cache => {
                let (cos, sin) = (0..self.rows).flat_map(row).unzip();
                vec![cos, sin]
            }
            Kind::Table => {
                let table = (0..self.rows).flat_map(|p| {
                    let mut out = vec![0.0; dim];
                    for (k, (cos, sin)) in row(p).into_iter().enumerate() {
                        let (a, b) = model.places(k);
                        let sine_first = self.promised.order == Order::SinCos;
                        (out[a], out[b]) = if sine_first { (sin, cos) } else { (cos, sin) };
                    }
                    out
                });
                vec![table.collect()]
            }
            Kind::Rotation => {
                let turned = self.x.chunks_exact(dim).enumerate().flat_map(|(i, x)| {
                    let mut out = x.to_vec();
                    for (k, (cos, sin)) in row(i % self.rows).into_iter().enumerate() {
                        let (a, b) = model.places(k);
                        (out[a], out[b]) = (x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos);
                    }
                    out
                });
                vec![turned.collect()]
            }
        }
    }

    pub fn name(&self) -> String {
        let names: Vec<&str> = self.faults.iter().map(|fault| fault.0).collect();
        let damaged = if self.damaged.is_some() { "one entry" } else { "" };
        format!(
            "{:?} {} {}{damaged} ({} in {:?}, {} rows)",
            self.kind,
            self.promised.dim,
            names.join(" and "),
            self.format,
            self.container,
            self.rows
        )
    }

    /// Names of the faults.
    pub fn faults(&self) -> Vec<&'static str> {
        self.faults.iter().map(|fault| fault.0).chain(self.damaged.map(|_| "one entry")).collect()
    }

    /// The codes of which one is to come first.
    pub fn codes(&self) -> Vec<&'static str> {
        let all = self.faults.iter().flat_map(|fault| fault.1.iter().copied());
        all.chain(self.damaged.map(|_| "local")).collect()
    }

    pub fn judge(&self) -> Report {
        let shape = [self.heads, self.rows, self.width()];
        let folder = tempfile::tempdir().expect("a folder");
        let array = |name, entries| self.container.keep(folder.path(), name, entries, self.format, shape);
        let storage = self.format.narrow().filter(|_| self.container.is_nameless()).map(|_| self.format);
        let expectation = Expectation { storage, ..Expectation::new(self.promised.clone()) };
        match self.kind {
            Kind::Table => check(Subject::Sinusoid(&*array("table", &self.arrays[0])), &expectation),
            Kind::Cache => {
                let (cos, sin) = (array("cos", &self.arrays[0]), array("sin", &self.arrays[1]));
                check(Subject::Rope { cos: Some(&*cos), sin: Some(&*sin) }, &expectation)
            }
            Kind::Rotation => {
                let (x, y) = (array("x", &self.x), array("y", &self.arrays[0]));
                check(Subject::Rotation { x: &*x, y: &*y }, &expectation)
            }
        }
        .expect("a subject that can be judged")
    }

    /// Head, row, pair and whether it is the second of its pair, of an entry.
    fn place(&self, model: &Model, array: usize, index: usize) -> (usize, usize, usize, bool) {
        let (width, pairs) = (self.width(), self.promised.dim / 2);
        let (line, column) = (index / width, index % width);
        let pair = (0..pairs).find(|&k| {
            let (a, b) = model.places(k);
            column == a || column == b
        });
        let (pair, second) = match self.kind {
            Kind::Cache => (column, array == 1),
            // The first entry of a pair of a table is its sine.
            Kind::Table => (pair.unwrap_or(0), model.places(pair.unwrap_or(0)).0 == column),
            Kind::Rotation => (pair.unwrap_or(0), model.places(pair.unwrap_or(0)).1 == column),
        };
        (line / self.rows, line % self.rows, pair, second)
    }

    /// Largest distance of an entry from a model: four roundings of an angle in binary32, and those of storage.
    fn tolerance(&self, model: &Model, (row, pair): (usize, usize), value: f64, loose: f64) -> f64 {
        let angle = model.angle(row as u64, pair).abs().max(row as f64 * model.omega(pair));
        let length = if self.kind == Kind::Rotation { 2.0 } else { 1.0 };
        let amplitude = model.amplitude.abs().max(1.0) * length;
        amplitude * ((4.0 * 2f64.powi(-24) + loose) * (angle + 2.0) + 8.0 * unit(self.format, value.abs().max(length)))
    }

    /// True if an entry is far from the right one.
    pub fn departs(&self) -> bool {
        let right = self.made(&self.right);
        right.iter().zip(&self.arrays).enumerate().any(|(array, (right, got))| {
            right.iter().zip(got).enumerate().any(|(index, (right, got))| {
                let (_, row, pair, _) = self.place(&self.right, array, index);
                (right - got).abs() > 4.0 * self.tolerance(&self.right, (row, pair), *right, 0.0)
            })
        })
    }

    /// A contradiction of the arrays to the claims of a report.
    pub fn contradicts(&self, claims: &[Claim]) -> Option<String> {
        let entries: u64 = self.arrays.iter().map(|array| array.len() as u64).sum();
        if claims.iter().any(|claim| claim.entries > claim.of || claim.of > entries) {
            return Some("more entries are explained than there are".into());
        }
        if claims.iter().any(|claim| !claim.confirmed) {
            return None;
        }
        let (mut model, mut loose) = (self.right.clone(), 0.0);
        let mut parts: Vec<(&Claim, Option<(Model, f64)>)> = Vec::new();
        for claim in claims {
            let part = claim.is_of_a_part();
            let mut other = model.clone();
            match claim.apply(&mut other)? {
                Meaning::Silent => return None,
                Meaning::Apart => parts.push((claim, None)),
                Meaning::Loose(by) if part => parts.push((claim, Some((other, by)))),
                Meaning::Changed if part && claim.code != "local" => parts.push((claim, Some((other, 0.0)))),
                Meaning::Changed if part && other.pair.is_none() => parts.push((claim, Some((other, 0.0)))),
                Meaning::Loose(by) => loose += by,
                Meaning::Changed => model = other,
            }
        }
        let whole = self.made(&model);
        let made: Vec<Option<Vec<Vec<f64>>>> =
            parts.iter().map(|(_, part)| part.as_ref().map(|(model, _)| self.made(model))).collect();
        let mut apart = 0;
        for (array, got) in self.arrays.iter().enumerate() {
            for (index, got) in got.iter().enumerate() {
                let (head, row, pair, second) = self.place(&self.right, array, index);
                let part = parts.iter().position(|(claim, _)| claim.has(head, row, pair, second));
                let (at, expected, loose) = match part.map(|part| (&parts[part].1, &made[part])) {
                    Some((Some((model, by)), Some(made))) => (model, made[array][index], loose + by),
                    _ => (&model, whole[array][index], loose),
                };
                let error = (got - expected).abs();
                let tolerance = self.tolerance(at, (row, pair), expected, loose);
                if part.is_some_and(|part| parts[part].1.is_none()) {
                    apart += u64::from(error > 16.0 * tolerance);
                } else if error > 4.0 * tolerance && tolerance < 0.1 && at.knows(self.place(at, array, index).2) {
                    return Some(format!(
                        "row {row}, pair {pair}: {got} where the findings say {expected} (± {tolerance:.1e})"
                    ));
                }
            }
        }
        let departing: u64 = parts.iter().filter(|(_, part)| part.is_none()).map(|(claim, _)| claim.entries).sum();
        (apart > departing).then(|| format!("{apart} entries depart by themselves, not {departing}"))
    }
}
