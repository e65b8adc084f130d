//! The tolerances of the rows of a table, of one axis or of several, and their documents.

use super::{MOST_ENTRIES, MOST_LISTED, Tolerance, hexadecimal};
use crate::axes::AxialTolerance;
use crate::first::FirstVersion;
use crate::libraries::{Compute, Libraries};
use crate::origin::Origin;
use crate::program::{Impossible, Path};
use posproof_encoding::Positions;
use posproof_encoding::axes::{AxialConvention, WithAxes};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_numerics::format::{Format, hex};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// The tolerances of rows.
pub enum RowTolerances<'a> {
    /// Of one axis at whole positions.
    Whole(Box<Tolerance>, Positions),
    /// Of axes at coordinates, or of one at positions of any kind.
    Axes(AxialTolerance<'a>),
}

/// The positions of rows, as they are listed beside tolerances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ListedPositions {
    /// Whole ones.
    Whole(Vec<u64>),
    /// The exact coordinates of each row, as text; none of a row without a position.
    Axes(Vec<Option<Vec<String>>>),
}

/// Tolerances in a document: themselves, or where they were written.
pub enum Told {
    /// Row after row.
    Listed(Vec<f64>),
    /// In a file.
    Written(Value),
    /// Apart from the document.
    Apart,
}

/// Tolerances as JSON: of whole positions along one axis schema `posproof.tolerance/1`, and of all others `posproof.tolerance/2`, which has
/// one schema of both.
pub struct ToleranceDocument<'a> {
    of: &'a RowTolerances<'a>,
    told: Told,
}

impl RowTolerances<'_> {
    /// Of one axis at these positions: see [`Tolerance::new`].
    ///
    /// # Errors
    ///
    /// Those of it.
    pub fn whole(
        convention: &Convention,
        positions: &Positions,
        program: (Compute, Option<Path>),
        storage: Format,
    ) -> Result<Self, Impossible> {
        let tolerance = Tolerance::new(convention, positions.max(), program, storage)?;
        Ok(Self::Whole(Box::new(tolerance), positions.clone()))
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Whole(_, positions) => positions.len(),
            Self::Axes(axial) => axial.coordinates().rows(),
        }
    }

    /// The number of tolerances in a row: one for each pair.
    pub fn width(&self) -> usize {
        match self {
            Self::Whole(tolerance, _) => tolerance.pairs(),
            Self::Axes(axial) => axial.law().slots(),
        }
    }

    /// \[rows, pairs\], or \[sequences, rows, pairs\] of a batch.
    pub fn shape(&self) -> Vec<usize> {
        match self {
            Self::Axes(axial) if axial.coordinates().sequences() > 1 => {
                vec![axial.coordinates().sequences(), axial.coordinates().length(), self.width()]
            }
            _ => vec![self.rows(), self.width()],
        }
    }

    /// The tolerances of a row.
    pub fn row(&self, row: usize, out: &mut [f64]) {
        match self {
            Self::Whole(tolerance, positions) => tolerance.row(positions.get(row).unwrap_or_default(), out),
            Self::Axes(axial) => axial.row(row, out),
        }
    }

    /// Place and value of the smallest and of the largest, of equal ones the first.
    pub fn extremes(&self) -> [(String, f64); 2] {
        let (mut out, mut found) = (vec![0.0; self.width()], [(0, 0, f64::INFINITY), (0, 0, 0.0)]);
        let mut look = |row: usize, fill: &dyn Fn(&mut [f64])| {
            fill(&mut out);
            for (pair, &atol) in out.iter().enumerate() {
                let [smallest, largest] = &mut found;
                if atol < smallest.2 {
                    *smallest = (row, pair, atol);
                }
                if atol > largest.2 {
                    *largest = (row, pair, atol);
                }
            }
        };
        match self {
            // They grow with the position.
            Self::Whole(tolerance, positions) => {
                let ends = [positions.min(), positions.max()];
                ends.iter().enumerate().for_each(|(at, &end)| look(at, &|out| tolerance.row(end, out)));
                found.map(|(at, pair, atol)| (format!("position {}, pair {pair}", ends[at]), atol))
            }
            Self::Axes(axial) => {
                (0..self.rows()).for_each(|row| look(row, &|out| axial.row(row, out)));
                found.map(|(row, pair, atol)| (format!("row {row}, pair {pair}"), atol))
            }
        }
    }

    /// All of them, row after row; none where they are too many to be written as text.
    pub fn listed(&self) -> Option<Vec<f64>> {
        let (rows, width) = (self.rows(), self.width());
        if rows > MOST_LISTED || rows.saturating_mul(width) > MOST_ENTRIES {
            return None;
        }
        let mut atol = vec![0.0; rows * width];
        atol.chunks_mut(width.max(1)).enumerate().for_each(|(row, out)| self.row(row, out));
        Some(atol)
    }

    /// The positions of the rows.
    pub fn positions(&self) -> ListedPositions {
        match self {
            Self::Whole(_, positions) => ListedPositions::Whole(positions.iter().collect()),
            Self::Axes(axial) => {
                let row = |row| Some(axial.coordinates().row(row)?.iter().map(ToString::to_string).collect());
                ListedPositions::Axes((0..self.rows()).map(row).collect())
            }
        }
    }

    /// Where the bound comes from.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Whole(tolerance, _) => tolerance.origin(),
            Self::Axes(axial) => axial.origin(),
        }
    }

    /// The document.
    pub fn document(&self, told: Told) -> ToleranceDocument<'_> {
        ToleranceDocument { of: self, told }
    }

    fn program(&self) -> (Compute, Option<Path>, Format) {
        match self {
            Self::Whole(tolerance, _) => tolerance.program(),
            Self::Axes(axial) => axial.program(),
        }
    }
}

impl ListedPositions {
    /// Each with the coordinates of its row.
    pub fn by_axes(self) -> Self {
        match self {
            Self::Whole(all) => Self::Axes(all.into_iter().map(|position| Some(vec![position.to_string()])).collect()),
            axes => axes,
        }
    }

    /// The array of C of this name, with its type: whole numbers \[rows\], or numbers \[rows\]\[axes\], NaN where a row has none.
    pub(super) fn in_c(&self, name: &str) -> String {
        let all = match self {
            Self::Whole(all) => {
                let all: Vec<String> = all.iter().map(u64::to_string).collect();
                return format!("static const unsigned long long {name}[{}] = {{{}}};\n", all.len(), all.join(", "));
            }
            Self::Axes(all) => all,
        };
        let axes = all.iter().flatten().map(Vec::len).next().unwrap_or(1);
        let number = |text: &String| text.parse::<Real>().map_or(f64::NAN, |x| x.value().to_f64());
        let place = |x: f64| if x.is_nan() { "(0.0 / 0.0)".to_owned() } else { hex(x) };
        let row = |row: &Option<Vec<String>>| match row {
            Some(row) => row.iter().map(|x| place(number(x))).collect::<Vec<_>>().join(", "),
            None => vec![place(f64::NAN); axes].join(", "),
        };
        let rows: Vec<String> = all.iter().map(|one| format!("{{{}}}", row(one))).collect();
        format!("static const double {name}[{}][{axes}] = {{{}}};\n", all.len(), rows.join(", "))
    }
}

#[derive(Serialize)]
struct ToleranceFile<'a> {
    schema: &'static str,
    convention: ToldConvention<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    axes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<Vec<usize>>,
    dtype: Format,
    compute: Format,
    #[serde(skip_serializing_if = "Option::is_none")]
    ulp: Option<Libraries>,
    path: &'static str,
    origin: Origin,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<ListedPositions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    atol: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a Value>,
}

/// A convention in a document.
#[derive(Serialize)]
#[serde(untagged)]
enum ToldConvention<'a> {
    Plain(&'a Convention),
    Placed(WithAxes<'a, Convention>),
    Axial(WithAxes<'a, AxialConvention>),
}

impl ToleranceDocument<'_> {
    /// The document, of the second version or of the first.
    fn file(&self, second: bool) -> ToleranceFile<'_> {
        let (compute, path, storage) = self.of.program();
        let (convention, axes) = match self.of {
            RowTolerances::Whole(tolerance, _) => {
                let convention = tolerance.convention();
                let stated = if second {
                    ToldConvention::Placed(WithAxes(convention))
                } else {
                    ToldConvention::Plain(convention)
                };
                (stated, WithAxes(convention).names())
            }
            RowTolerances::Axes(axial) => {
                let convention = axial.law().convention();
                (ToldConvention::Axial(WithAxes(convention)), WithAxes(convention).names())
            }
        };
        let (listed, written) = match &self.told {
            Told::Listed(atol) => (Some((self.of.positions(), hexadecimal(atol, self.of.width()))), None),
            Told::Written(written) => (None, Some(written)),
            Told::Apart => (None, None),
        };
        let (positions, atol) = listed.unzip();
        ToleranceFile {
            schema: if second { "posproof.tolerance/2" } else { "posproof.tolerance/1" },
            convention,
            axes: second.then_some(axes),
            shape: second.then(|| self.of.shape()),
            dtype: storage,
            compute: compute.format,
            ulp: Some(compute.libraries).filter(|ulp| *ulp != Libraries::default()),
            path: path.map_or("any", Path::name),
            origin: self.of.origin(),
            positions: if second { positions.map(ListedPositions::by_axes) } else { positions },
            atol,
            written,
        }
    }
}

impl Serialize for ToleranceDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.file(true).serialize(serializer)
    }
}

impl FirstVersion for ToleranceDocument<'_> {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.file(matches!(self.of, RowTolerances::Axes(_))).serialize(serializer)
    }
}
