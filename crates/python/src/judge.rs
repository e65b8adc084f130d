//! `check`.

use super::array::memory;
use super::axes::AXES;
use super::errors::{invalid, unjudged};
use super::grid::ArrayGrid;
use super::interrupt::{Stop, interruptible};
use super::judgement::Judgement;
use super::memory::Memory;
use super::options::{ENCODING, GRID, JUDGING, Options, unstated};
use super::positions::{Stretches, stretches};
use super::scaling::SCALING;
use posproof_check::axes::check_axes;
use posproof_check::read::SequenceAxis;
use posproof_check::request::{Case, GridRequest, Refused};
use posproof_check::{
    Expectation, Grade, Grid, Half, Invalid, InvalidInput, Levels, Profile, Report, Rows, Subject, check,
    check_frequencies,
};
use posproof_encoding::convention::Encoding;
use posproof_table::Positions;
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

/// A report, and what a picture of it shows.
type Pictured = (Report, Profile);

fn pictured(of: Subject<'_>, expectation: &Expectation) -> Result<Pictured, Invalid> {
    let report = check(of, expectation)?;
    let profile = Profile::new(of, expectation.positions.as_ref(), &report)?;
    Ok((report, profile))
}

/// The reports of one convention, stretch by stretch.
fn along(
    expectation: &Expectation,
    stretches: Option<&Stretches>,
    grids: &[&dyn Grid],
    kind: GridKind,
) -> Result<Vec<Pictured>, Invalid> {
    if kind == GridKind::Frequencies {
        let report = check_frequencies(grids[0], expectation)?;
        let profile = Profile::of_pairs(&report.pairs);
        return Ok(vec![(report, profile)]);
    }
    let Some(cut) = stretches.filter(|cut| cut.len() > 1) else {
        return Ok(vec![pictured(subject(grids, kind), expectation)?]);
    };
    let all = cut.last().map_or(0, |(rows, _)| rows.end);
    if let Some(grid) = grids.iter().find(|grid| grid.rows() != all) {
        let (expected, found) = (format!("{all} rows, one for each position"), grid.rows().to_string());
        let (file, place) = (grid.name().to_owned(), "the last dimension but one".to_owned());
        let advice = "check positions, sequence_axis and which array is meant".to_owned();
        return Err(InvalidInput { file, place, expected, found, advice }.into());
    }
    // A rule that depends on the length of the sequence depends on that of all of it.
    let longest = cut.iter().map(|(_, positions)| positions.max() + 1).max().unwrap_or(1);
    let convention = expectation.convention.clone().for_length(longest);
    let expectation = Expectation { convention, ..expectation.clone() };
    let of = |(rows, positions): &(std::ops::Range<usize>, Positions)| {
        let parts: Vec<Rows<'_>> = grids.iter().map(|&grid| Rows::consecutive(grid, rows.clone())).collect();
        let parts: Vec<&dyn Grid> = parts.iter().map(|part| part as &dyn Grid).collect();
        pictured(subject(&parts, kind), &expectation.clone().at(positions.clone()))
    };
    cut.iter().map(of).collect()
}

/// Judges arrays against what options state: one judgement, or one for each stretch of positions that increase.
#[pyfunction(name = "check")]
pub fn judge(
    py: Python<'_>,
    function: &str,
    sinusoid: bool,
    arrays: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<Judgement>> {
    let options = Options::new(function, options, &[ENCODING, SCALING, JUDGING, GRID, AXES])?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    // Documents that are packed are judged one by one; rows that fall are no documents of one row each.
    let suffice = |whole: &Positions| stretches(whole).is_ok_and(|cut| cut.len() == 1 || 2 * cut.len() <= whole.len());
    let case = options.case(encoding, suffice)?;
    let axis = SequenceAxis { stated: options.sequence_axis()?, positions: case.rows() };
    let given = Given::new(arrays)?.on_grid(&options)?;
    let layers = match &case {
        Case::Layers(layers) => layers,
        Case::Axes(_) if given.get("inv_freq").is_some() => return Err(unstated(&Refused::Frequencies)),
        Case::Axes(axial) => {
            let expectation = axial.expectation();
            let judged = interruptible(py, |stop| {
                given.open(axis, stop, |grids, kind| check_axes(subject(grids, kind), &expectation))
            })?;
            return Ok(vec![Judgement::axial(&judged.map_err(unjudged)?)?]);
        }
    };
    let cut = layers.positions().map(stretches).transpose()?;
    let worst = |reports: &Vec<Pictured>| reports.iter().map(|(report, _)| report.grade).max().unwrap_or(Grade::Wrong);
    let judged = interruptible(py, |stop| {
        given.open(axis, stop, |grids, kind| {
            layers.fitting(|expectation| along(expectation, cut.as_ref(), grids, kind), worst)
        })
    })?;
    let (reports, chosen) = judged.map_err(unjudged)?;
    let rows = cut.filter(|cut| cut.len() > 1 && reports.len() == cut.len());
    let rows = rows.map(|cut| cut.into_iter().map(|(rows, _)| (rows.start, rows.end)).collect::<Vec<_>>());
    let judgement = |(index, (report, profile)): (usize, Pictured)| {
        let rows = rows.as_ref().and_then(|rows| rows.get(index).copied());
        Judgement::plain(rows, chosen.clone(), &report, &profile)
    };
    reports.into_iter().enumerate().map(judgement).collect()
}

/// Arguments of the command line as keywords and values.
pub fn as_keywords(arguments: &[String]) -> Vec<(String, String)> {
    let pairs = arguments.chunks_exact(2);
    pairs.map(|pair| (pair[0].trim_start_matches('-').replace('-', "_"), pair[1].clone())).collect()
}
