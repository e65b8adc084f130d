//! A judgement as options state it, whoever reads them: the command line or keywords of Python.
//!
//! A request is data. What is wrong with it is a [`Refused`], which an edge words with its own names of options.

mod layers;

pub use layers::Layers;

use crate::axes::{AxialExpectation, repeats_by_axis};
use crate::read;
use crate::{Duplication, Expectation, Grade, Invalid, Levels};
use posproof_bound::tolerance::RowTolerances;
use posproof_bound::{AxialTolerance, Compute, Impossible, Libraries, Path};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates, InvalidAxes, InvalidCoordinates};
use posproof_encoding::convention::Convention;
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
    /// Whole numbers: those that count up, where something is judged.
    Whole(Positions),
    /// Coordinates of any kind.
    Any(Coordinates),
}

impl RowPositions {
    /// Number of positions that are stated for each table of rows.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Self::Counted => None,
            Self::Whole(positions) => Some(positions.len()),
            Self::Any(coordinates) => Some(coordinates.length()),
        }
    }

    /// Coordinates of the rows; refused where none are stated, and for more rows than coordinates have.
    pub fn coordinates(self) -> Result<Coordinates, Refused> {
        match self {
            Self::Any(coordinates) => Ok(coordinates),
            Self::Whole(whole) => Coordinates::try_from(&whole).map_err(Refused::Coordinates),
            Self::Counted => Err(Refused::NoPositions),
        }
    }

    /// The positions along one axis, where all are whole numbers from 0 on, in any order; where none are stated, those below `farthest` that the
    /// format has.
    pub fn whole(&self, format: Format, farthest: u64) -> Option<Positions> {
        match self {
            Self::Counted => Positions::range(0..farthest.min((format.max_finite() as u64).saturating_add(1))).ok(),
            Self::Whole(positions) => Some(positions.clone()),
            Self::Any(coordinates) => coordinates.whole(),
        }
    }

    /// Positions of one table of rows, where all sequences of a batch are at the same ones; whole numbers, where they are such that count
    /// up.
    pub fn once(self) -> Self {
        let Self::Any(coordinates) = self else { return self };
        let coordinates = coordinates.once();
        coordinates.increasing().map_or(Self::Any(coordinates), Self::Whole)
    }
}

/// One encoding at the rows of a table.
#[derive(Debug)]
pub enum EncodedRows {
    /// One axis, at whole positions in any order.
    Whole(Box<Convention>, Positions),
    /// Axes at coordinates, or one axis at positions of any kind.
    Axes(Box<AxialLaw>, Coordinates),
}

impl EncodedRows {
    /// The tolerances of its rows, for programs that compute along a path, or any of them, and store entries in a format.
    ///
    /// # Errors
    ///
    /// As of [`RowTolerances::whole`] and [`AxialTolerance::new`].
    pub fn tolerances(
        &self,
        (compute, path): (Compute, Option<Path>),
        storage: Format,
    ) -> Result<RowTolerances<'_>, Impossible> {
        match self {
            Self::Whole(convention, positions) => RowTolerances::whole(convention, positions, (compute, path), storage),
            Self::Axes(law, coordinates) => {
                AxialTolerance::new(law, coordinates, (compute, path), storage).map(RowTolerances::Axes)
            }
        }
    }
}

impl Stated {
    /// The only encoding that is stated, at its rows.
    ///
    /// # Errors
    ///
    /// For several kinds of layers, no positions, and parts that do not go together.
    pub fn at(self, positions: RowPositions) -> Result<EncodedRows, Refused> {
        match (self, positions) {
            (Self::Layers(layers), positions) => {
                let convention = Layers::of(layers.into_iter().map(|one| Ok((one.layers, one.convention))))?;
                let convention = convention.only()?;
                match positions {
                    RowPositions::Counted => Err(Refused::NoRows),
                    RowPositions::Whole(positions) => Ok(EncodedRows::Whole(Box::new(convention.clone()), positions)),
                    RowPositions::Any(coordinates) => {
                        let law = AxialLaw::along(convention, &coordinates).map_err(Refused::Axes)?;
                        Ok(EncodedRows::Axes(Box::new(law), coordinates))
                    }
                }
            }
            (Self::Axes(convention), positions) => {
                let (law, coordinates) = placed(&convention, positions.coordinates()?)?;
                Ok(EncodedRows::Axes(Box::new(law), coordinates))
            }
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
    /// A table of one axis without them.
    NoRows,
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
            Self::NoRows => {
                format!("no positions: expected {}: a range such as 0..4096, a list or an array", option("positions"))
            }
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
        let (laws, coordinates) = match (stated, positions.once()) {
            (Stated::Layers(layers), RowPositions::Any(coordinates)) => {
                let law = |one: Specified| {
                    AxialLaw::along(&one.convention, &coordinates).map(|law| (one.layers, law)).map_err(Refused::Axes)
                };
                (Layers::of(layers.into_iter().map(law))?, coordinates)
            }
            (Stated::Layers(layers), positions) => {
                let positions = if let RowPositions::Whole(whole) = positions { Some(whole) } else { None };
                let Computation { compute, libraries, path, storage } = computation;
                let of = |Specified { layers, convention }| {
                    let positions = positions.clone();
                    Ok((layers, Expectation { convention, positions, compute, libraries, path, storage, duplication }))
                };
                return Ok(Case::Layers(Box::new(Layers::of(layers.into_iter().map(of))?)));
            }
            (Stated::Axes(convention), positions) => {
                let (law, coordinates) = placed(&convention, positions.coordinates()?)?;
                (Layers::one(law), coordinates)
            }
        };
        if let Some(duplication) = duplication.filter(|_| repeats_by_axis(laws.first())) {
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
