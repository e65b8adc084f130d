//! `posproof identify`: says which convention a table, a cache or a rotation follows.

use super::arrays::{Cache, GridArguments, Opened, Stored, Table, Vectors};
use super::axes::PositionAxesArguments;
use super::documents::JsonArguments;
use super::restate::{arguments, shell};
use super::rows::{self, coordinates};
use super::specification::{ModelArguments, Specification};
use super::{Failure, Outcome, tell};
use clap::{Args, Subcommand};
use posproof_check::axes::{AxialExpectation, check_axes, identify_axes, identify_axes_unplaced};
use posproof_check::request::RowPositions;
use posproof_check::{Confidence, Expectation, Subject, check, check_frequencies, identify, identify_frequencies};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_encoding::convention::Encoding;
use posproof_encoding::request::Specified;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// Arguments of `identify`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct IdentifyArguments {
    #[command(subcommand)]
    subject: Measured,
}

const EXAMPLES: &str = "Examples:
  posproof identify sinusoid --table pe.npy
  posproof identify rope --cos cache.npz:cos --sin cache.npz:sin
  posproof identify rope --cos cache.npz:cos --sin cache.npz:sin --config config.json     of which layers is it?
  posproof identify rotation --x x.npy --y y.npy --positions ids.npy
  posproof identify rope --cos cos.npy --sin sin.npy --axes t,h,w --positions ids.npy
  posproof identify rope --cos cos.npy --sin sin.npy --axes t,h,w     which slots turn together?

Exit status: 0 it follows a known convention (without positions of several axes: slots turn together), 1 it follows none, 2 usage or unreadable input.";

/// Subject of the measurement.
#[derive(Clone, Debug, Subcommand)]
enum Measured {
    /// A table of sinusoidal encodings [..., positions, dim]
    #[command(override_usage = "posproof identify sinusoid --table <ARRAY> [OPTIONS]")]
    Sinusoid {
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        rest: Rest,
    },
    /// A cache of cosines and sines [..., positions, dim/2] (or dim, each value twice)
    #[command(override_usage = "posproof identify rope --cos <ARRAY> --sin <ARRAY> [OPTIONS]")]
    Rope {
        #[command(flatten)]
        cache: Cache,
        #[command(flatten)]
        model: ModelArguments,
        #[command(flatten)]
        rest: Rest,
    },
    /// Vectors and what a rotation made of them [..., positions, dim]
    #[command(override_usage = "posproof identify rotation --x <ARRAY> --y <ARRAY> [OPTIONS]")]
    Rotation {
        #[command(flatten)]
        vectors: Vectors,
        #[command(flatten)]
        model: ModelArguments,
        #[command(flatten)]
        rest: Rest,
    },
}

/// Arguments that all of them take.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Measuring")]
struct Rest {
    /// Positions of the rows: A..B, a list such as 0..64,127 or 999.5,-3, in any order, or an array in a file [default: 0, 1, 2, …]
    #[arg(long, value_name = "POSITIONS", allow_hyphen_values = true)]
    positions: Option<String>,
    /// Several axes: their names, in the order of the columns of the positions [rows, axes]; without positions only what slots turn together is said
    #[arg(long, value_name = "T,H,W", value_delimiter = ',', hide_short_help = true)]
    axes: Vec<String>,
    #[command(flatten)]
    positions_axes: PositionAxesArguments,
    /// Format of entries that a file does not name: that of the bytes of a .npy file
    #[arg(long, value_name = "e4m3|e5m2", hide_short_help = true)]
    dtype: Option<Format>,
    #[command(flatten)]
    grid: GridArguments,
    #[command(flatten)]
    json: JsonArguments,
}

/// Runs the verb: exit status 1 where the entries follow no convention that is known.
pub fn run(arguments: &IdentifyArguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        Measured::Sinusoid { table, rest } => {
            let rows = rest.rows()?;
            table.open(rest.stored(&rows)?, |opened| rows.judge(opened, &Configured::Plain(Vec::new()), rest))
        }
        Measured::Rope { cache, model, rest } => {
            let (rows, layers) = (rest.rows()?, rest.configured(model)?);
            cache.open(rest.stored(&rows)?, |opened| rows.judge(opened, &layers, rest))
        }
        Measured::Rotation { vectors, model, rest } => {
            let (rows, layers) = (rest.rows()?, rest.configured(model)?);
            vectors.open(rest.stored(&rows)?, |opened| rows.judge(opened, &layers, rest))
        }
    }
}

/// Knowledge of the rows.
enum RowKnowledge {
    /// Positions along one axis.
    Plain(Option<Positions>),
    /// Coordinates along several.
    Axial(Coordinates),
    /// Unknown coordinates along several.
    Unplaced,
}

/// Meaning of a configuration.
enum Configured {
    /// For each kind of its layers, of one axis.
    Plain(Vec<Specified>),
    /// For several axes.
    Axial(Box<AxialConvention>),
}

impl Rest {
    /// The entries, as they are stated.
    fn stored(&self, rows: &RowKnowledge) -> Result<Stored, Failure> {
        let format = self.dtype;
        if let Some(wide) = format.filter(|format| format.narrow().is_none()) {
            let expected = "expected e4m3 or e5m2: formats that a file names are read from it";
            return Err(Failure::Usage(format!("--dtype {wide}: {expected}")));
        }
        self.grid.of(rows.count(), format)
    }

    fn rows(&self) -> Result<RowKnowledge, Failure> {
        if self.axes.is_empty() {
            if self.positions_axes.are_first() {
                return Err(Failure::Usage("--positions-axes without axes: expected --axes".into()));
            }
            return Ok(match self.positions.as_deref().map_or(Ok(RowPositions::Counted), rows::read)? {
                RowPositions::Counted => RowKnowledge::Plain(None),
                RowPositions::Whole(positions) => RowKnowledge::Plain(Some(positions)),
                RowPositions::Any(coordinates) => RowKnowledge::Axial(coordinates),
            });
        }
        for (i, name) in self.axes.iter().enumerate() {
            if name.is_empty() || self.axes[..i].contains(name) {
                return Err(Failure::Usage(format!("--axes: '{name}'; expected a name of its own for every axis")));
            }
        }
        let read = |text: &str| {
            let about = |error| Failure::Usage(format!("{text}: {error}"));
            coordinates(text, self.positions_axes.of())?.once().broadcast(self.axes.len()).map_err(about)
        };
        Ok(self.positions.as_deref().map(read).transpose()?.map_or(RowKnowledge::Unplaced, RowKnowledge::Axial))
    }

    /// Meaning of the configuration for each kind of its layers, or for the layers that are chosen, or for its axes; nothing without one.
    fn configured(&self, model: &ModelArguments) -> Result<Configured, Failure> {
        let specification = Specification::from(model.clone());
        match &model.config {
            None => Ok(Configured::Plain(Vec::new())),
            Some(_) if self.axes.is_empty() => Ok(Configured::Plain(specification.conventions(Encoding::Rope)?)),
            Some(config) => Ok(Configured::Axial(Box::new(specification.axial(config)?))),
        }
    }
}

impl RowKnowledge {
    fn count(&self) -> Option<usize> {
        match self {
            Self::Plain(positions) => positions.as_ref().map(Positions::len),
            Self::Axial(coordinates) => Some(coordinates.length()),
            Self::Unplaced => None,
        }
    }

    fn judge(&self, opened: Opened<'_>, configured: &Configured, rest: &Rest) -> Result<Outcome, Failure> {
        match (self, configured) {
            (Self::Plain(positions), Configured::Plain(layers)) => judge(opened, positions.as_ref(), layers, rest),
            (Self::Plain(_), Configured::Axial(_)) => Err(Failure::Internal("axes without --axes".into())),
            (Self::Unplaced, Configured::Axial(_)) => {
                let expected = "expected the positions of the rows [rows, axes], which a configuration is judged at";
                Err(Failure::Usage(format!("--config and --axes without --positions: {expected}")))
            }
            (Self::Unplaced, Configured::Plain(_)) => groups(axial(opened)?, rest),
            (Self::Axial(coordinates), configured) => {
                let subject = axial(opened)?;
                match configured {
                    Configured::Axial(convention) => tell_axes(subject, convention, coordinates)?,
                    Configured::Plain(layers) => {
                        for Specified { convention, .. } in layers {
                            tell_axes(subject, &convention.into(), coordinates)?;
                        }
                    }
                }
                measure(subject, coordinates, rest)
            }
        }
    }
}

/// Subject of the judgement, where it has axes.
fn axial(opened: Opened<'_>) -> Result<Subject<'_>, Failure> {
    match opened {
        Opened::Subject(subject) => Ok(subject),
        Opened::Frequencies(_) => {
            Err(Failure::Usage("--inv-freq with --axes: expected --cos and --sin; frequencies have no axes".into()))
        }
    }
}

/// Tells whether the entries are those of the configuration's axes, judged as `check` judges: on standard error, as what was read is.
fn tell_axes(subject: Subject<'_>, convention: &AxialConvention, coordinates: &Coordinates) -> Result<(), Failure> {
    let law = convention.law(|_| Err("none are stored".into())).map_err(|error| Failure::Usage(error.to_string()))?;
    let (axes, found) = (law.axes().len(), coordinates.axes());
    if axes != found {
        return Err(Failure::Usage(format!("--axes: {found} names; expected {axes}, the axes of the configuration")));
    }
    let judged = check_axes(subject, &AxialExpectation::new(&law, coordinates));
    let answer = judged.map_or_else(|error| error.to_string(), |report| report.grade.name().to_owned());
    tell(format_args!("as the configuration's axes: {answer}"));
    Ok(())
}

/// Identifies an encoding of several axes.
fn measure(subject: Subject<'_>, coordinates: &Coordinates, rest: &Rest) -> Result<Outcome, Failure> {
    // Positions along one axis have no name of their own.
    let names =
        if rest.axes.is_empty() { vec![posproof_encoding::axes::POSITION.to_owned()] } else { rest.axes.clone() };
    let found = identify_axes(subject, coordinates, &names).map_err(|error| Failure::Usage(error.to_string()))?;
    rest.json.say(&found, String::new)?;
    Ok(if found.convention.is_some() { Outcome::Good } else { Outcome::FallsShort })
}

/// Says which slots turn together at positions that nobody knows.
fn groups(subject: Subject<'_>, rest: &Rest) -> Result<Outcome, Failure> {
    let found = identify_axes_unplaced(subject).map_err(|error| Failure::Usage(error.to_string()))?;
    rest.json.say(&found, String::new)?;
    Ok(if found.groups.is_empty() { Outcome::FallsShort } else { Outcome::Good })
}

/// Tells which layers of the configuration the entries are those of, each judged as `check` judges: on standard error, as
/// what was read is.
fn tell_layers(opened: &Opened<'_>, positions: Option<&Positions>, layers: &[Specified]) {
    for Specified { layers, convention } in layers {
        let expectation = Expectation { positions: positions.cloned(), ..Expectation::new(convention.clone()) };
        let judged = match opened {
            Opened::Subject(subject) => check(*subject, &expectation),
            Opened::Frequencies(grid) => check_frequencies(*grid, &expectation),
        };
        let answer = judged.map_or_else(|error| error.to_string(), |report| report.grade.name().to_owned());
        let layers = layers.as_deref().unwrap_or("that were chosen");
        tell(format_args!("as the configuration's layers {layers}: {answer}"));
    }
}

fn judge(
    opened: Opened<'_>,
    positions: Option<&Positions>,
    layers: &[Specified],
    rest: &Rest,
) -> Result<Outcome, Failure> {
    tell_layers(&opened, positions, layers);
    let found = match opened {
        Opened::Subject(subject) => identify(subject, positions),
        Opened::Frequencies(grid) => identify_frequencies(grid),
    };
    let found = found.map_err(|error| Failure::Usage(error.to_string()))?;
    let restated = found.remaining.iter().map(|convention| {
        let words = arguments(convention);
        format!("  as arguments: {}\n", shell(words.iter().map(String::as_str)))
    });
    rest.json.say(&found, || restated.collect())?;
    Ok(if found.confidence == Confidence::Unexplained { Outcome::FallsShort } else { Outcome::Good })
}
