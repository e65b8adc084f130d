//! Subjects made to be judged, entry by entry, with the exact value and the bound of each entry.

use crate::array::Array;
use crate::corpus::{Phasors, wiring};
use crate::region::Region;
use posproof_bound::{Allowance, Path};
use posproof_check::faults::{CosinesAndSines, EncodingProgram, PairRotation, turn};
use posproof_check::{Expectation, Grid, Identification, Levels, Mend, Report, Subject, check, identify, probe};
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention, Encoding};
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// Subject of a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Table,
    Cache,
    Rotation,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Table, Self::Cache, Self::Rotation];

    /// The right convention to promise.
    pub fn convention(self, dim: usize) -> Convention {
        if self == Self::Table { Convention::sinusoid(dim) } else { Convention::rope(dim) }
    }

    /// True if a convention has such subjects.
    pub fn has(self, convention: &Convention) -> bool {
        (self == Self::Table) == (convention.encoding == Encoding::Sinusoid)
    }
}

/// The positions of a subject's rows, its format and how many heads it has.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: &'static str,
    pub positions: Vec<u64>,
    pub format: Format,
    pub heads: usize,
}

/// A subject and what it promises.
#[derive(Clone)]
pub struct Specimen {
    pub kind: Kind,
    pub promised: Convention,
    pub setting: Setting,
    /// The vectors of a rotation, head by head.
    x: Vec<f64>,
    /// The table, the cosines and the sines, or the rotated vectors: head by head and row by row.
    pub judged: Vec<Vec<f64>>,
}

/// Where an entry stands and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub head: usize,
    pub row: usize,
    /// None for an entry that is not rotated.
    pub pair: Option<usize>,
    /// The first entry of a rotated pair is its cosine.
    pub component: Component,
}

/// An entry: which array it is in and where.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub array: usize,
    pub index: usize,
    pub place: Place,
}

/// An entry as it should be.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// The exact value, computed in binary64.
    pub exact: f64,
    /// Error of that, at most: angles of at most t are within 2^-52·t of their values, lengths of vectors below 4.
    pub error: f64,
    /// The bound that decides.
    pub bound: f64,
}

/// Entries by whether they are beyond their bounds.
pub struct Exceeding {
    pub beyond: Vec<Entry>,
    /// Those of which the last digits of binary64 would decide.
    pub undecided: usize,
}

/// Cosines and sines as a table, as a cache, or as what becomes of the vectors x, of which each head has so many entries.
fn arrays(
    kind: Kind,
    promised: &Convention,
    (x, head, heads): (&[f64], usize, usize),
    pairs: &CosinesAndSines<f64>,
    how: &PairRotation,
) -> Vec<Vec<f64>> {
    match kind {
        Kind::Table => vec![pairs.joined(promised).repeat(heads)],
        Kind::Cache => {
            let (cos, sin) = pairs.apart();
            vec![cos.repeat(heads), sin.repeat(heads)]
        }
        Kind::Rotation => vec![x.chunks_exact(head).flat_map(|x| turn(pairs, x, promised.dim, how)).collect()],
    }
}

impl Specimen {
    /// Arrays made of a program's cosines and sines, `how` for a rotation, and rounded to the format.
    pub fn new(
        kind: Kind,
        promised: &Convention,
        setting: &Setting,
        pairs: &CosinesAndSines<f64>,
        how: &PairRotation,
    ) -> Self {
        let Setting { positions, format, heads, .. } = setting;
        let dim = promised.dim;
        let x: Vec<f64> = match kind {
            Kind::Rotation => probe::vectors(*format, heads * positions.len() * dim).collect(),
            _ => Vec::new(),
        };
        let judged = arrays(kind, promised, (&x, positions.len() * dim, *heads), pairs, how);
        let judged = judged.into_iter().map(|array| array.into_iter().map(|entry| format.round(entry)).collect());
        Self { kind, promised: promised.clone(), setting: setting.clone(), x, judged: judged.collect() }
    }

    /// The right one: frequencies and angles in binary32.
    pub fn right(kind: Kind, promised: &Convention, setting: &Setting) -> Self {
        let pairs = EncodingProgram::<f64>::single(promised).run(promised.pairs(), &setting.positions);
        Self::new(kind, promised, setting, &pairs, &Self::turned(promised))
    }

    /// Vectors as they are turned rightly.
    pub fn turned(promised: &Convention) -> PairRotation {
        PairRotation::new(wiring(promised.layout, promised.pairs()))
    }

    /// The specimen with the rows of some pairs in reverse order, vectors included.
    pub fn reversed(&self, concerned: impl Fn(usize) -> bool) -> Self {
        let (width, rows) = (self.width(), self.setting.positions.len());
        let reverse = |entries: &[f64], array: usize| -> Vec<f64> {
            let meaning = self.meaning(array);
            let entry = |index: usize| {
                let (line, column) = (index / width, index % width);
                let (head, row) = (line / rows, line % rows);
                let row = if meaning[column].0.is_some_and(&concerned) { rows - 1 - row } else { row };
                entries[(head * rows + row) * width + column]
            };
            (0..entries.len()).map(entry).collect()
        };
        let judged = self.judged.iter().enumerate().map(|(array, entries)| reverse(entries, array)).collect();
        Self { x: reverse(&self.x, 0), judged, ..self.clone() }
    }

    /// The specimen with these of its rows, in this order.
    pub fn with_rows(&self, order: &[usize]) -> Self {
        let (width, rows) = (self.width(), self.setting.positions.len());
        let pick = |entries: &Vec<f64>| -> Vec<f64> {
            let head =
                |head: &[f64]| order.iter().flat_map(|row| head[row * width..][..width].to_vec()).collect::<Vec<_>>();
            entries.chunks_exact(rows * width).flat_map(head).collect()
        };
        let positions = order.iter().map(|row| self.setting.positions[*row]).collect();
        let setting = Setting { positions, ..self.setting.clone() };
        Self { x: pick(&self.x), judged: self.judged.iter().map(pick).collect(), setting, ..self.clone() }
    }

    /// A cache of twice as many pairs: in each row those of this cache, and those of the row at the other end.
    pub fn beside_its_reverse(&self) -> Self {
        let (width, rows) = (self.width(), self.setting.positions.len());
        let both = |entries: &Vec<f64>| {
            let row = |row: usize| entries[row * width..][..width].iter().copied();
            (0..rows).flat_map(|at| row(at).chain(row(rows - 1 - at))).collect()
        };
        let promised = Convention { dim: 2 * self.promised.dim, ..self.promised.clone() };
        Self { promised, judged: self.judged.iter().map(both).collect(), ..self.clone() }
    }

    /// Columns of an array.
    pub fn width(&self) -> usize {
        if self.kind == Kind::Cache { self.promised.pairs() } else { self.promised.dim }
    }

    /// The pair and the component of each column of an array.
    fn meaning(&self, array: usize) -> Vec<(Option<usize>, Component)> {
        let mut columns = vec![(None, Component::Cos); self.width()];
        let both = [Component::Cos, Component::Sin];
        for k in 0..self.promised.pairs() {
            match self.kind {
                Kind::Table => both.map(|c| columns[self.promised.column(k, c)] = (Some(k), c)).map(drop),
                Kind::Cache => [columns[k] = (Some(k), both[array]), ()].map(drop),
                Kind::Rotation => {
                    let (a, b) = wiring(self.promised.layout, self.promised.pairs())[k];
                    [columns[a] = (Some(k), both[0]), columns[b] = (Some(k), both[1])].map(drop)
                }
            };
        }
        columns
    }

    /// Every entry that is judged.
    pub fn entries(&self) -> Vec<Entry> {
        let (width, rows) = (self.width(), self.setting.positions.len());
        let mut all = Vec::new();
        for (array, entries) in self.judged.iter().enumerate() {
            let meaning = self.meaning(array);
            all.extend((0..entries.len()).map(|index| {
                let (line, (pair, component)) = (index / width, meaning[index % width]);
                Entry { array, index, place: Place { head: line / rows, row: line % rows, pair, component } }
            }));
        }
        all
    }

    /// Puts one number in place of every entry of a region.
    pub fn overwrite(&mut self, region: &Region, value: f64) {
        for entry in self.entries().into_iter().filter(|entry| region.contains(&entry.place)) {
            self.judged[entry.array][entry.index] = value;
        }
    }

    pub fn value(&self, entry: &Entry) -> f64 {
        self.judged[entry.array][entry.index]
    }

    /// The exact values and the bounds for any path, array by array.
    pub fn expected(&self) -> Vec<Vec<Expected>> {
        self.expected_along(None)
    }

    /// The same with the bounds for a path.
    pub fn expected_along(&self, path: Option<Path>) -> Vec<Vec<Expected>> {
        let promised =
            &self.promised.clone().for_length(self.setting.positions.iter().max().map_or(0, |last| last + 1));
        self.expected_of(promised, &EncodingProgram::exact(promised), &Self::turned(promised), path)
    }

    /// The same for a program of a convention, which turns vectors in some way.
    fn expected_of(
        &self,
        convention: &Convention,
        program: &EncodingProgram<'_, f64>,
        how: &PairRotation,
        path: Option<Path>,
    ) -> Vec<Vec<Expected>> {
        let Self { kind, setting, x, .. } = self;
        let scale = Law::new(convention).scale();
        let t: Vec<f64> = setting.positions.iter().map(|&p| ((program.position)(p) / scale).abs()).collect();
        let last = setting.positions.iter().copied().max().unwrap_or(0);
        let omega: Vec<f64> = (0..how.read.len()).map(&program.frequency).collect();
        let allowance = Allowance::new(convention, &omega, last, (Format::F32, path), setting.format);
        let head = setting.positions.len() * convention.dim;
        let pairs = program.run(how.read.len(), &setting.positions);
        let exact = arrays(*kind, convention, (x, head, setting.heads), &pairs, how);
        let mut expected: Vec<Vec<Expected>> = Vec::new();
        for (array, values) in exact.iter().enumerate() {
            let meaning = self.meaning(array);
            let bound = |(index, &exact): (usize, &f64)| {
                let (line, (pair, _)) = (index / self.width(), meaning[index % self.width()]);
                let t = t[line % setting.positions.len()];
                let bound = match (kind, pair) {
                    (Kind::Rotation, None) => allowance.stored(exact),
                    (Kind::Rotation, Some(pair)) => {
                        let vector = &x[line * convention.dim..][..convention.dim];
                        // Pairs that there are not are at rest.
                        let length = how.read.get(pair).map_or(0.0, |&(a, b)| vector[a].hypot(vector[b]));
                        allowance.rotated(pair, t, length)
                    }
                    (_, pair) => allowance.of(pair.unwrap_or(usize::MAX), t, exact),
                };
                Expected { exact, bound, error: (1.0 + t * scale.abs()) * 2f64.powi(-49) }
            };
            expected.push(values.iter().enumerate().map(bound).collect());
        }
        expected
    }

    /// True if the entries of some places are what a program makes them, within their bounds, and the others are right.
    pub fn follows(
        &self,
        convention: &Convention,
        program: &EncodingProgram<'_, f64>,
        how: &PairRotation,
        there: impl Fn(&Place) -> bool,
    ) -> bool {
        let (right, other) = (self.expected(), self.expected_of(convention, program, how, None));
        self.entries().iter().all(|entry| {
            let expected = if there(&entry.place) { &other } else { &right };
            let Expected { exact, bound, error } = expected[entry.array][entry.index];
            (self.value(entry) - exact).abs() <= bound + error
        })
    }

    /// The entries beyond their bounds along the path that a report judges by.
    pub fn exceeding(&self, report: &Report) -> Exceeding {
        let expected = self.expected_along(report.path);
        let mut result = Exceeding { beyond: Vec::new(), undecided: 0 };
        for entry in self.entries() {
            let Expected { exact, error: slack, bound } = expected[entry.array][entry.index];
            let error = (self.value(&entry) - exact).abs();
            if error.is_nan() || error > bound + slack {
                result.beyond.push(entry);
            } else if error > bound - slack {
                result.undecided += 1;
            }
        }
        result
    }

    pub fn expectation(&self) -> Expectation {
        Expectation::new(self.promised.clone()).at(self.positions())
    }

    pub fn positions(&self) -> Positions {
        Positions::list(self.setting.positions.iter().copied()).expect("positions")
    }

    /// Action on the subject.
    pub fn with<R>(&self, act: impl FnOnce(Subject<'_>) -> R) -> R {
        self.on(None, act)
    }

    /// Subject of its arrays, on levels where some are given.
    fn on<R>(&self, levels: Option<Levels>, act: impl FnOnce(Subject<'_>) -> R) -> R {
        let Setting { format, heads, .. } = self.setting;
        let width = self.width();
        let array = |name, entries| Array { name, entries, format, heads, width, levels };
        match self.kind {
            Kind::Table => act(Subject::Sinusoid(&array("table", &self.judged[0]))),
            Kind::Cache => {
                let (cos, sin) = (array("cos", &self.judged[0]), array("sin", &self.judged[1]));
                act(Subject::Rope { cos: Some(&cos), sin: Some(&sin) })
            }
            Kind::Rotation => act(Subject::Rotation { x: &array("x", &self.x), y: &array("y", &self.judged[0]) }),
        }
    }

    pub fn judge(&self, expectation: &Expectation) -> Report {
        self.with(|subject| check(subject, expectation)).expect("a subject that can be judged")
    }

    /// The judgement under what mends it.
    pub fn mended(&self, mend: &Mend) -> Report {
        let stated =
            |levels: Levels| Levels::new(levels.step(), levels.zero_point()).expect("levels that can be stated");
        let after = |levels: Levels| mend.storage.map_or(stated(levels), |format| stated(levels).after(format));
        let expectation = mend.expectation(&self.expectation());
        self.on(mend.levels.map(after), |subject| check(subject, &expectation)).expect("a subject that can be judged")
    }

    /// The judgement of the cosines or the sines of a cache alone.
    pub fn check_half(&self, part: Component) -> Report {
        let Setting { format, heads, .. } = self.setting;
        let entries = &self.judged[usize::from(part == Component::Sin)];
        let half = Array { name: "half", entries, format, heads, width: self.width(), levels: None };
        let half: Option<&dyn Grid> = Some(&half);
        let subject = match part {
            Component::Cos => Subject::Rope { cos: half, sin: None },
            Component::Sin => Subject::Rope { cos: None, sin: half },
        };
        check(subject, &self.expectation()).expect("a subject that can be judged")
    }

    pub fn check(&self) -> Report {
        self.judge(&self.expectation())
    }

    pub fn identify(&self) -> Identification {
        self.with(|subject| identify(subject, Some(&self.positions()))).expect("a subject that can be identified")
    }
}
