//! A judgement as options state it, whoever reads them: the command line or keywords of Python.
//!
//! A request is data. What is wrong with it is a [`Refused`], which an edge words with its own names of options.

use crate::axes::{AxialExpectation, repeats_by_axis};
use crate::read;
use crate::{Duplication, Expectation, Grade, Invalid, Levels};
use posproof_bound::{Libraries, Path};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates, InvalidAxes, InvalidCoordinates};
use posproof_encoding::request::Specified;
use posproof_encoding::suggestion::unknown;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// The computation of an implementation, as far as it is stated.
#[derive(Clone, Copy, Debug)]
pub struct Computation {
    /// The precision of its angles.
    pub compute: Format,
    /// Accuracies of its functions.
    pub libraries: Libraries,
    /// Path of its frequencies; any if none is stated.
    pub path: Option<Path>,
    /// The format that its entries should have; that of the arrays if none is stated.
    pub storage: Option<Format>,
}

/// By which convention something is judged.
#[derive(Clone, Debug)]
pub enum Stated {
    /// One axis: a convention for each kind of layers that is left open.
    Layers(Vec<Specified>),
    /// Several axes.
    Axes(Box<AxialConvention>),
}

/// Positions of the rows.
#[derive(Clone, Debug)]
pub enum RowPositions {
    /// None are stated.
    Counted,
    /// Whole numbers that count up.
    Increasing(Positions),
    /// Coordinates of any kind.
    Any(Coordinates),
}

impl RowPositions {
    /// Number of positions that are stated for each table of rows.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Self::Counted => None,
            Self::Increasing(positions) => Some(positions.len()),
            Self::Any(coordinates) => Some(coordinates.length()),
        }
    }
}

/// A judgement as options state it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The convention.
    pub stated: Stated,
    /// The rows.
    pub positions: RowPositions,
    /// The program.
    pub computation: Computation,
    /// Repetition of the columns in a cache of full width.
    pub duplication: Option<Duplication>,
}

/// By what an input is judged.
#[derive(Debug)]
pub enum Case {
    /// One axis, at positions that count up.
    Layers(Box<Layers<Expectation>>),
    /// Several axes, or one at positions of any kind.
    Axes(Box<AxialCase>),
}

/// Kinds of layers that a request leaves open, and what each of them has.
#[derive(Clone, Debug)]
pub struct Layers<T> {
    first: (Option<String>, T),
    others: Vec<(Option<String>, T)>,
}

/// Conventions of axes at coordinates.
#[derive(Debug)]
pub struct AxialCase {
    laws: Layers<AxialLaw>,
    coordinates: Coordinates,
    computation: Computation,
    duplication: Option<Duplication>,
}

/// Entries on an integer grid, as options state it.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridRequest {
    /// Number that one integer stands for.
    pub step: Option<f64>,
    /// The integer that stands for 0.
    pub zero_point: Option<f64>,
}

/// Why a request states no judgement.
#[derive(Clone, Debug)]
pub enum Refused {
    /// Axes without the positions of the rows.
    NoPositions,
    /// Axes that define no encoding.
    Axes(InvalidAxes),
    /// Coordinates that are not those of the axes.
    Coordinates(InvalidCoordinates),
    /// Several kinds of layers, where one is judged.
    Layers(Vec<String>),
    /// A stated repetition of columns beside a layout that repeats them axis by axis.
    Duplication(Duplication),
    /// A recurrence, of which no bound on several axes is known.
    Recurrence,
    /// Frequencies, which have no axes.
    Frequencies,
    /// An integer that stands for 0, of no grid.
    NoStep(f64),
    /// A format of 8 bits before integers were made.
    NarrowBefore(Format),
    /// A grid of frequencies or of complex numbers.
    OffGrid,
    /// A grid that is none.
    Grid(String),
}

impl Refused {
    /// The sentence, with an edge's names of options: `--zero-point` or `zero_point` for `zero_point`.
    pub fn worded(&self, option: impl Fn(&str) -> String) -> String {
        let refused =
            |name: &str, expected: String, found: &str| format!("{}: expected {expected}; found {found}", option(name));
        match self {
            Self::NoPositions => format!("no positions: expected {}, an array [rows, axes]", option("positions")),
            Self::Axes(error) => error.to_string(),
            Self::Coordinates(error) => error.to_string(),
            Self::Layers(names) => {
                let (names, layer, layer_type) = (names.join("; "), option("layer"), option("layer_type"));
                format!(
                    "the layer: expected a choice among layers that differ: {names} ({layer}, {layer_type}); found none"
                )
            }
            Self::Duplication(stated) => {
                let expected = "none beside a layout that repeats columns axis by axis, as which they are read";
                refused("duplication", expected.into(), &stated.to_string())
            }
            Self::Recurrence => {
                refused("path", "another one with axes, or any: no bound of it is known".into(), "recurrence")
            }
            Self::Frequencies => {
                let expected =
                    format!("{} or {}: frequencies have neither rows nor axes", option("cos"), option("sin"));
                refused("inv_freq", expected, "them")
            }
            Self::NoStep(zero) => refused("zero_point", format!("{} beside it", option("step")), &zero.to_string()),
            Self::NarrowBefore(format) => {
                let expected = "the format before numbers were quantised by";
                let expected = format!("{expected} {}: float16, bfloat16, float32 or float64", option("step"));
                refused("dtype", expected, &format.to_string())
            }
            Self::OffGrid => refused("step", "real arrays of entries".into(), "frequencies or complex numbers"),
            Self::Grid(error) => error.clone(),
        }
    }
}

/// A path by its name, among some; none for `any`.
///
/// # Errors
///
/// For another name.
pub fn path_named(name: &str, among: &[Path]) -> Result<Option<Path>, String> {
    match among.iter().find(|path| path.name() == name) {
        None if name != "any" => {
            Err(unknown("path", name, std::iter::once("any").chain(among.iter().map(|path| path.name()))))
        }
        path => Ok(path.copied()),
    }
}

/// Law of a convention of axes, its frequencies read from the files that it names.
///
/// # Errors
///
/// For what defines no encoding, and files that hold no frequencies.
pub fn law(convention: &AxialConvention) -> Result<AxialLaw, Refused> {
    let load =
        |source: &str| read::open(source).and_then(|array| array.frequencies()).map_err(|error| error.to_string());
    convention.law(load).map_err(Refused::Axes)
}

/// Law of a convention of axes, and the coordinates of rows along each of them.
///
/// # Errors
///
/// As of [`law`], and for coordinates along other axes.
pub fn placed(convention: &AxialConvention, coordinates: Coordinates) -> Result<(AxialLaw, Coordinates), Refused> {
    let law = law(convention)?;
    let coordinates = coordinates.broadcast(law.axes().len()).map_err(Refused::Coordinates)?;
    Ok((law, coordinates))
}

impl GridRequest {
    /// The levels, before which entries had a format.
    ///
    /// # Errors
    ///
    /// For a step that is none, and for a format of 8 bits.
    pub fn levels(self, before: Option<Format>) -> Result<Option<Levels>, Refused> {
        let Some(step) = self.step else {
            return self.zero_point.map_or(Ok(None), |zero| Err(Refused::NoStep(zero)));
        };
        if let Some(narrow) = before.filter(|format| format.narrow().is_some()) {
            return Err(Refused::NarrowBefore(narrow));
        }
        let levels = Levels::new(step, self.zero_point.unwrap_or(0.0)).map_err(Refused::Grid)?;
        Ok(Some(before.map_or(levels, |format| levels.after(format))))
    }
}

/// Refuses a path of which no bound on several axes is known.
///
/// # Errors
///
/// [`Refused::Recurrence`].
pub fn require_axial(path: Option<Path>) -> Result<(), Refused> {
    if path == Some(Path::Recurrence) { Err(Refused::Recurrence) } else { Ok(()) }
}

impl Request {
    /// By what an input is judged.
    ///
    /// # Errors
    ///
    /// For parts that do not go together.
    pub fn case(self) -> Result<Case, Refused> {
        let Self { stated, positions, computation, duplication } = self;
        let (laws, coordinates) = match (stated, positions) {
            (Stated::Layers(layers), RowPositions::Any(coordinates)) => {
                let law = |one: Specified| {
                    AxialLaw::along(&one.convention, &coordinates).map(|law| (one.layers, law)).map_err(Refused::Axes)
                };
                (Layers::of(layers.into_iter().map(law))?, coordinates)
            }
            (Stated::Layers(layers), positions) => {
                let positions = match positions {
                    RowPositions::Increasing(positions) => Some(positions),
                    _ => None,
                };
                let Computation { compute, libraries, path, storage } = computation;
                let of = |Specified { layers, convention }| {
                    let positions = positions.clone();
                    Ok((layers, Expectation { convention, positions, compute, libraries, path, storage, duplication }))
                };
                return Ok(Case::Layers(Box::new(Layers::of(layers.into_iter().map(of))?)));
            }
            (Stated::Axes(convention), positions) => {
                let coordinates = match positions {
                    RowPositions::Any(coordinates) => coordinates,
                    RowPositions::Increasing(whole) => Coordinates::try_from(&whole).map_err(Refused::Coordinates)?,
                    RowPositions::Counted => return Err(Refused::NoPositions),
                };
                let (law, coordinates) = placed(&convention, coordinates)?;
                (Layers { first: (None, law), others: Vec::new() }, coordinates)
            }
        };
        if let Some(duplication) = duplication.filter(|_| repeats_by_axis(&laws.first.1)) {
            return Err(Refused::Duplication(duplication));
        }
        require_axial(computation.path)?;
        Ok(Case::Axes(Box::new(AxialCase { laws, coordinates, computation, duplication })))
    }
}

impl Case {
    /// Number of positions that are stated for each table of rows.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Self::Layers(layers) => layers.positions().map(Positions::len),
            Self::Axes(axial) => Some(axial.coordinates.length()),
        }
    }
}

impl AxialCase {
    fn with<'a>(&'a self, law: &'a AxialLaw) -> AxialExpectation<'a> {
        let Self { coordinates, computation, duplication, .. } = self;
        let Computation { compute, libraries, path, storage } = *computation;
        AxialExpectation { law, coordinates, compute, libraries, path, storage, duplication: *duplication }
    }

    /// The only expectation.
    ///
    /// # Errors
    ///
    /// Where there are several kinds of layers.
    pub fn only(&self) -> Result<AxialExpectation<'_>, Refused> {
        self.laws.only().map(|law| self.with(law))
    }

    /// As [`Layers::fitting`].
    ///
    /// # Errors
    ///
    /// The first error, where nothing is judged.
    pub fn fitting<R>(
        &self,
        judge: impl Fn(&AxialExpectation<'_>) -> Result<R, Invalid>,
        grade: impl Fn(&R) -> Grade,
    ) -> Result<(R, Option<String>), Invalid> {
        self.laws.fitting(|law| judge(&self.with(law)), grade)
    }
}

impl Layers<Expectation> {
    /// The positions of the rows, if they are stated.
    pub fn positions(&self) -> Option<&Positions> {
        self.first.1.positions.as_ref()
    }
}

impl<T> Layers<T> {
    fn of(mut all: impl Iterator<Item = Result<(Option<String>, T), Refused>>) -> Result<Self, Refused> {
        let first = all.next().unwrap_or_else(|| Err(Refused::Layers(Vec::new())))?;
        Ok(Self { first, others: all.collect::<Result<_, _>>()? })
    }

    /// The only one.
    ///
    /// # Errors
    ///
    /// Where there are several kinds of layers.
    pub fn only(&self) -> Result<&T, Refused> {
        if self.others.is_empty() {
            return Ok(&self.first.1);
        }
        let all = std::iter::once(&self.first).chain(&self.others);
        Err(Refused::Layers(all.filter_map(|(layers, _)| layers.clone()).collect()))
    }

    /// The judgement under the one that fits best; with the choice in words, if there was one. Of equal grades it is
    /// the first.
    ///
    /// # Errors
    ///
    /// The first error, where nothing is judged.
    pub fn fitting<R>(
        &self,
        judge: impl Fn(&T) -> Result<R, Invalid>,
        grade: impl Fn(&R) -> Grade,
    ) -> Result<(R, Option<String>), Invalid> {
        let mut told = Vec::new();
        let mut judged = |(layers, expectation): &(Option<String>, T)| {
            let layers = layers.as_deref().unwrap_or_default().to_owned();
            let judged = judge(expectation);
            let answer = judged.as_ref().map_or_else(ToString::to_string, |judged| grade(judged).name().to_owned());
            told.push(format!("{layers}: {answer}"));
            judged.map(|judged| (layers, judged))
        };
        let mut best = judged(&self.first);
        for other in &self.others {
            best = match (best, judged(other)) {
                (Ok((_, best)), Ok(other)) if grade(&other.1) < grade(&best) => Ok(other),
                (Err(_), Ok(other)) => Ok(other),
                (best, _) => best,
            };
        }
        let (layers, judged) = best?;
        let chosen = format!("no layer was stated: judged as {layers}, which fits best ({})", told.join("; "));
        Ok((judged, (!self.others.is_empty()).then_some(chosen)))
    }
}
