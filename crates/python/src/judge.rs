//! `check`.

use super::array::memory;
use super::axes::AXES;
use super::errors::{invalid, unjudged};
use super::grid::ArrayGrid;
use super::interrupt::{Stop, interruptible};
use super::judgement::Judgement;
use super::memory::Memory;
use super::options::{ENCODING, GRID, JUDGING, Options, unstated};
use super::positions::increase;
use super::scaling::SCALING;
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::read::SequenceAxis;
use posproof_check::request::{Case, GridRequest, Refused};
use posproof_check::{
    Expectation, Grid, Half, Invalid, InvalidInput, Levels, Profile, Subject, check, check_frequencies,
};
use posproof_encoding::convention::Encoding;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Subjects of a judgement, by the names of their arrays.
const ARRAYS: &[&str] = &["table", "cos", "sin", "freqs_cis", "cos_sin_cache", "inv_freq", "x", "y"];

/// Those of them that are one subject.
const TOGETHER: &[&[&str]] =
    &[&["table"], &["cos", "sin"], &["freqs_cis"], &["cos_sin_cache"], &["inv_freq"], &["x", "y"]];

/// Arrays that a function takes of those that are [`TOGETHER`], in words.
fn expected(arrays: &Bound<'_, PyDict>) -> String {
    let taken = |names: &&&[&str]| names.iter().all(|name| arrays.contains(name).unwrap_or(false));
    let (mut several, mut single) = (Vec::new(), Vec::new());
    for names in TOGETHER.iter().filter(taken) {
        match names {
            [name] => single.push(*name),
            ["cos", "sin"] => several.push("cos, sin or both".to_owned()),
            names => several.push(names.join(" and ")),
        }
    }
    match single.as_slice() {
        [] => {}
        [name] => several.push((*name).to_owned()),
        names => several.push(format!("one of {}", names.join(", "))),
    }
    several.join(", or ")
}

/// The arrays that were given.
pub struct Given {
    arrays: Vec<(String, Memory)>,
    levels: Option<Levels>,
}

impl Given {
    /// Those that are not `None`, by their names.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for what is no array, and for names that do not go together.
    pub fn new(arrays: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut given = Vec::new();
        for (name, array) in arrays.iter() {
            let name: String = name.extract()?;
            if !ARRAYS.contains(&name.as_str()) {
                return Err(invalid(format!("{name}: expected arrays of the names {}", ARRAYS.join(", "))));
            }
            if !array.is_none() {
                let read = memory(&name, &array)?;
                let read = if name == "freqs_cis" { read.paired() } else { read };
                given.push((name, read));
            }
        }
        let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        let together = |kind: &&[&str]| names.iter().all(|name| kind.contains(name));
        if names.is_empty() || !TOGETHER.iter().any(together) {
            let found = if names.is_empty() { "nothing".to_owned() } else { names.join(" and ") };
            return Err(invalid(format!("expected {}; found {found}", expected(arrays))));
        }
        Ok(Self { arrays: given, levels: None })
    }

    /// These arrays on the integer grid that options state.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for a step that is no positive number, and for arrays that are on no such grid.
    pub fn on_grid(self, options: &Options<'_>) -> PyResult<Self> {
        let grid = GridRequest { step: options.number("step")?, zero_point: options.number("zero_point")? };
        let levels = grid.levels(options.format("dtype")?).map_err(|error| unstated(&error))?;
        if levels.is_some() && (self.get("inv_freq").is_some() || self.get("freqs_cis").is_some()) {
            return Err(unstated(&Refused::OffGrid));
        }
        Ok(Self { levels, ..self })
    }

    pub fn get(&self, name: &str) -> Option<&Memory> {
        self.arrays.iter().find(|(known, _)| known == name).map(|(_, memory)| memory)
    }

    /// Opens them for a judgement.
    ///
    /// # Errors
    ///
    /// Result of the judgement; for shapes and kinds of entries that are no table.
    pub fn open<T>(
        &self,
        axis: SequenceAxis,
        stop: &Stop,
        judge: impl FnOnce(&[&dyn Grid], GridKind) -> Result<T, Invalid>,
    ) -> Result<T, Invalid> {
        let on = (axis, self.levels);
        let table = |name: &str| self.get(name).map(|memory| ArrayGrid::table(name, memory, on, stop)).transpose();
        if let Some(memory) = self.get("inv_freq") {
            return judge(
                &[&ArrayGrid::real("inv_freq", memory, (SequenceAxis::default(), None), stop)?],
                GridKind::Frequencies,
            );
        }
        if let Some(memory) = self.get("freqs_cis") {
            let [cos, sin] = ArrayGrid::parts("freqs_cis", memory, axis, stop)?;
            return judge(&[&cos, &sin], GridKind::Both);
        }
        if let Some(cache) = table("cos_sin_cache")? {
            let [cos, sin] = Half::both(&cache)?;
            return judge(&[&cos, &sin], GridKind::Both);
        }
        if let Some(table) = table("table")? {
            return judge(&[&table], GridKind::Sinusoid);
        }
        if let (Some(x), Some(y)) = (table("x")?, table("y")?) {
            return judge(&[&x, &y], GridKind::Rotation);
        }
        match (table("cos")?, table("sin")?) {
            (Some(cos), Some(sin)) => judge(&[&cos, &sin], GridKind::Both),
            (Some(cos), None) => judge(&[&cos], GridKind::Cos),
            (_, Some(sin)) => judge(&[&sin], GridKind::Sin),
            (None, None) => Err(InvalidInput {
                file: "the input".into(),
                place: "the arrays".into(),
                expected: "x and y".into(),
                found: "one of them".into(),
                advice: "give both".into(),
            }
            .into()),
        }
    }
}

/// Kinds of grids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum GridKind {
    /// A table that is added.
    Sinusoid,
    /// Cosines and sines.
    Both,
    /// Cosines.
    Cos,
    /// Sines.
    Sin,
    /// Vectors, and what became of them.
    Rotation,
    /// The frequencies themselves.
    Frequencies,
}

/// The subject that grids are.
pub fn subject<'a>(grids: &[&'a dyn Grid], kind: GridKind) -> Subject<'a> {
    let grid = |index: usize| grids.get(index).copied();
    match (kind, grids) {
        (GridKind::Sinusoid, [table, ..]) => Subject::Sinusoid(*table),
        (GridKind::Rotation, [x, y, ..]) => Subject::Rotation { x: *x, y: *y },
        (GridKind::Sin, _) => Subject::Rope { cos: None, sin: grid(0) },
        (GridKind::Cos, _) => Subject::Rope { cos: grid(0), sin: None },
        _ => Subject::Rope { cos: grid(0), sin: grid(1) },
    }
}

/// Judges arrays against what options state.
#[pyfunction(name = "check")]
pub fn judge(
    py: Python<'_>,
    function: &str,
    sinusoid: bool,
    arrays: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Judgement> {
    let options = Options::new(function, options, &[ENCODING, SCALING, JUDGING, GRID, AXES])?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    let given = Given::new(arrays)?.on_grid(&options)?;
    // Frequencies have no rows: of positions the largest alone is of use, for rules that depend on the length.
    let frequencies = given.get("inv_freq").is_some();
    let case = options.case(encoding, |whole| frequencies || increase(whole))?;
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: case.rows() };
    let layers = match &case {
        Case::Layers(layers) => layers,
        Case::Axes(_) if frequencies => return Err(unstated(&Refused::Frequencies)),
        Case::Axes(axial) => {
            let judged = interruptible(py, |stop| {
                given.open(axis, stop, |grids, kind| {
                    let subject = subject(grids, kind);
                    let judge = |expectation: &AxialExpectation<'_>| {
                        let report = check_axes(subject, expectation)?;
                        let profile = Profile::of_axes(subject, expectation, &report)?;
                        Ok((report, profile))
                    };
                    axial.fitting(judge, |(report, _)| report.grade)
                })
            })?;
            let ((report, profile), chosen) = judged.map_err(unjudged)?;
            return Judgement::axial(chosen, &report, &profile);
        }
    };
    let judged = interruptible(py, |stop| {
        given.open(axis, stop, |grids, kind| {
            let judge = |expectation: &Expectation| {
                if kind == GridKind::Frequencies {
                    let report = check_frequencies(grids[0], expectation)?;
                    let profile = Profile::of_pairs(&report.pairs);
                    return Ok((report, profile));
                }
                let report = check(subject(grids, kind), expectation)?;
                let profile = Profile::new(subject(grids, kind), expectation.positions.as_ref(), &report)?;
                Ok((report, profile))
            };
            layers.fitting(judge, |(report, _)| report.grade)
        })
    })?;
    let ((report, profile), chosen) = judged.map_err(unjudged)?;
    Judgement::plain(chosen, &report, &profile)
}
