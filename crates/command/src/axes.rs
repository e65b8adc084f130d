//! Encodings of several axes: how they are specified, and at which rows.

use super::refusal::{misplaced, refused};
use super::rows::{self, coordinates};
use super::specification::{SharedArguments, Specification, named};
use super::{Failure, input};
use clap::Args;
use posproof_check::read;
use posproof_check::request::{self, EncodedRows, RowPositions, placed};
use posproof_encoding::axes::{
    AxialConvention, AxialLaw, AxialSpacing, Axis, AxisParameters, Coordinates, PositionAxes, SectionsOrder,
};
use posproof_encoding::convention::{Convention, Encoding, Spacing};
use posproof_encoding::model::Model;
use posproof_encoding::request::{AxesRequest, Refused, Specified, Whole, whole};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The axes of an encoding of several.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Axes")]
pub struct AxesArguments {
    /// Read the convention from JSON, of one axis or of several
    #[arg(long, value_name = "FILE")]
    convention: Option<PathBuf>,
    /// An axis, in the order of the columns of the positions: name:slots[;key=value…]
    #[arg(long = "axis", value_name = "NAME:A..B", value_parser = Axis::from_str, hide_short_help = true)]
    axes: Vec<Axis>,
    /// The axes t, h and w by the numbers of their slots: mrope_section
    #[arg(long, value_name = "T,H,W", value_delimiter = ',', conflicts_with = "axes", hide_short_help = true)]
    sections: Vec<usize>,
    /// Arrangement of the sections [default: blocked]
    #[arg(long, value_name = "blocked|interleaved", value_parser = named::<SectionsOrder>, requires = "sections", hide_short_help = true)]
    sections_order: Option<SectionsOrder>,
    /// The entries that are rotated at all: A..B [default: all]
    #[arg(long, value_name = "A..B", value_parser = span, hide_short_help = true)]
    span: Option<[usize; 2]>,
    /// Slots of every axis have the frequencies of their own numbers
    #[arg(long, value_name = "pairs", value_parser = ["pairs"], requires = "axes", hide_short_help = true)]
    index: Option<String>,
    #[command(flatten)]
    pub positions_axes: PositionAxesArguments,
}

/// Arrangement of an array of positions.
#[derive(Args, Clone, Debug, Default)]
pub struct PositionAxesArguments {
    /// The positions are [axes, rows] or [axes, sequences, rows]
    #[arg(long, value_name = "first", value_parser = ["first"], hide_short_help = true)]
    positions_axes: Option<String>,
}

impl PositionAxesArguments {
    /// True if the axes come first.
    pub fn are_first(&self) -> bool {
        self.positions_axes.is_some()
    }

    /// Place of the axes.
    pub fn of(&self) -> PositionAxes {
        if self.are_first() { PositionAxes::First } else { PositionAxes::Last }
    }
}

fn span(text: &str) -> Result<[usize; 2], String> {
    let ends = text.split_once("..").and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    ends.ok_or_else(|| format!("'{text}': expected A..B with whole numbers, such as 0..64"))
}

/// Statement of the arguments on axes.
pub enum Stated {
    /// Nothing.
    Nothing,
    /// A convention of one axis, from a file.
    Plain(Box<Convention>),
    /// Axes.
    Axial(Box<AxialConvention>),
}

impl AxesArguments {
    /// The convention that these arguments and those of the specification state together.
    pub fn stated(&self, encoding: Encoding, specification: &Specification) -> Result<Stated, Failure> {
        specification.shared.without_kernel()?;
        if let Some(path) = &self.convention {
            return Ok(match self.read(path, encoding, specification)? {
                Whole::Plain(convention) => Stated::Plain(convention),
                Whole::Axial(convention) => Stated::Axial(convention),
            });
        }
        let alone = self.axes.is_empty() && self.sections.is_empty() && self.span.is_none();
        if let Some(config) = specification.rotary.model.config.as_deref().filter(|_| alone)
            && self.are_several(specification)?
        {
            let SharedArguments { positions, .. } = specification.shared.clone();
            let shared = SharedArguments { positions, ..SharedArguments::default() };
            if *specification != (Specification { shared, ..Specification::from(specification.rotary.model.clone()) }) {
                return Err(usage("axes of --config: expected no options beside it that specify an encoding"));
            }
            return Ok(Stated::Axial(Box::new(specification.axial(config)?)));
        }
        if alone {
            return match self.positions_axes.are_first() {
                true => Err(usage(
                    "--positions-axes without axes: expected --axis, --sections, --span, --config or --convention",
                )),
                false => Ok(Stated::Nothing),
            };
        }
        let rotary = &specification.rotary;
        let (model, rotary_dim) = (rotary.model.config.as_ref(), rotary.rotary_dim);
        let scaling = rotary.scaling.rule.as_ref().map(|_| "scaling".to_owned());
        let scaling = scaling.or_else(|| rotary.scaling.given().into_keys().next());
        let beside = model.map(|_| "config".to_owned());
        let beside = beside.or_else(|| rotary_dim.map(|_| "rotary_dim".to_owned())).or(scaling);
        let convention = self.request(&specification.shared).convention(encoding, beside.as_deref());
        convention.map(Box::new).map(Stated::Axial).map_err(|error| specification.refused(&error))
    }

    /// The options as data.
    fn request(&self, shared: &SharedArguments) -> AxesRequest {
        let spacing = |spacing| match spacing {
            Spacing::Paper => AxialSpacing::Paper,
            Spacing::Endpoints => AxialSpacing::Endpoints,
        };
        AxesRequest {
            dim: shared.dim,
            layout: shared.layout.map(Into::into),
            parameters: AxisParameters {
                base: shared.base.clone(),
                frequency_origin: shared.frequency_origin,
                frequency_spacing: shared.frequency_spacing.map(spacing),
                position_offset: shared.position_offset.clone().map(Into::into),
                position_scale: shared.angle_scale.clone().map(Into::into),
                order: shared.components(),
                direction: shared.direction,
                amplitude: shared.amplitude.clone(),
                scaling: None,
            },
            axes: (!self.axes.is_empty()).then(|| self.axes.clone()),
            sections: (!self.sections.is_empty()).then(|| self.sections.clone()),
            sections_order: self.sections_order,
            slots: None,
            span: self.span,
            by_pairs: self.index.is_some(),
        }
    }

    /// The conventions that are left open, of one axis or of several.
    pub fn conventions(&self, encoding: Encoding, specification: &Specification) -> Result<request::Stated, Failure> {
        Ok(match self.stated(encoding, specification)? {
            Stated::Axial(convention) => request::Stated::Axes(convention),
            Stated::Plain(convention) => {
                request::Stated::Layers(vec![Specified { layers: None, convention: *convention }])
            }
            Stated::Nothing => request::Stated::Layers(specification.conventions(encoding)?),
        })
    }

    /// The one encoding that these arguments and those of the specification state, at the rows of a table.
    pub fn at(&self, encoding: Encoding, specification: &Specification) -> Result<EncodedRows, Failure> {
        let named = specification.shared.positions.as_deref();
        let (stated, positions) = match self.stated(encoding, specification)? {
            Stated::Axial(convention) => {
                let read = |text| coordinates(text, self.positions_axes.of()).map(RowPositions::Any);
                (request::Stated::Axes(convention), named.map_or(Ok(RowPositions::Counted), read)?)
            }
            other => {
                let convention = match other {
                    Stated::Plain(convention) => *convention,
                    _ => specification.convention(encoding)?,
                };
                let positions = named.map_or(Ok(RowPositions::Counted), rows::stated)?;
                (request::Stated::Layers(vec![Specified { layers: None, convention }]), positions)
            }
        };
        stated.at(positions).map_err(|error| misplaced(&error, named))
    }

    /// The rows that are stated, at which conventions of one axis or of several are judged.
    pub fn positions(&self, of: &request::Stated, stated: Option<&str>) -> Result<RowPositions, Failure> {
        match (of, stated) {
            (_, None) => Ok(RowPositions::Counted),
            (request::Stated::Axes(_), Some(stated)) => {
                coordinates(stated, self.positions_axes.of()).map(RowPositions::Any)
            }
            (request::Stated::Layers(_), Some(stated)) => rows::read(stated),
        }
    }

    /// True if a configuration is read for several axes: for its vision part, or for positions of several columns.
    fn are_several(&self, specification: &Specification) -> Result<bool, Failure> {
        if self.positions_axes.are_first() || specification.rotary.model.part.as_deref() == Some(Model::VISION) {
            return Ok(true);
        }
        let Some(text) = specification.shared.positions.as_deref() else { return Ok(false) };
        if read::names_a_file(text) {
            return Ok(Coordinates::are_of_axes(read::open(text)?.shape()));
        }
        Ok(Path::new(text).extension().is_some_and(|extension| extension == "txt"))
    }

    fn read(&self, path: &Path, encoding: Encoding, specification: &Specification) -> Result<Whole, Failure> {
        let alone = !states_a_convention(specification)
            && self.axes.is_empty()
            && self.sections.is_empty()
            && self.span.is_none();
        if !alone {
            return Err(usage("--convention beside options that specify an encoding: expected one or the other"));
        }
        let text = input::text(path, MAX_CONVENTION, "a convention (the JSON that check prints as expected)")?;
        whole(&text, encoding).map_err(|error| {
            let file = |_: &str| path.display().to_string();
            Failure::Usage(match error {
                Refused::Field(error) => format!("{}: {error}", path.display()),
                error => error.worded(file),
            })
        })
    }

    /// Law of the convention, and the coordinates of its rows.
    pub fn open(
        &self,
        convention: &AxialConvention,
        positions: Option<&str>,
    ) -> Result<(AxialLaw, Coordinates), Failure> {
        let stated = positions.ok_or_else(|| refused(&request::Refused::NoPositions))?;
        let coordinates = coordinates(stated, self.positions_axes.of())?;
        placed(convention, coordinates).map_err(|error| misplaced(&error, positions))
    }
}

/// Bytes of a convention: more is refused before it is in memory.
const MAX_CONVENTION: u64 = 1 << 24;

/// True if an option is given that decides a convention: all but the positions.
fn states_a_convention(specification: &Specification) -> bool {
    let shared = SharedArguments { positions: specification.shared.positions.clone(), ..SharedArguments::default() };
    *specification != Specification::from(shared)
}

fn usage(text: &str) -> Failure {
    Failure::Usage(text.to_owned())
}
