//! The arguments that specify an encoding, which `table`, `check`, `bound` and `probe` share.

use super::scaling::ScalingArguments;
use super::{Failure, tell};
use clap::Args;
use posproof_check::read;
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::convention::{Convention, Direction, Encoding, InvalidConvention, Layout, Order, Spacing};
use posproof_encoding::model::{InvalidConfig, Model, Problem};
use posproof_encoding::real::Real;
use posproof_encoding::request::{Refused, Request, Specified};
use posproof_table::{InvalidPositions, Positions};
use serde_json::Value;
use std::path::PathBuf;

/// A sinusoidal or a rotary encoding, by its parameters or by a model's configuration; parameters that are given
/// complete the configuration, or confirm it: what contradicts it is refused.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct Specification {
    /// Arguments of both kinds.
    #[command(flatten)]
    pub shared: SharedArguments,
    /// Arguments of rotary encodings alone.
    #[command(flatten)]
    pub rotary: RotaryArguments,
}

/// The parameters that sinusoidal and rotary encodings have.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Encoding")]
pub struct SharedArguments {
    /// Dimension of the model (sinusoid) or of a head (rope)
    #[arg(long, value_name = "D", aliases = ["head-dim", "head-size"])]
    pub dim: Option<usize>,
    /// Base of the frequencies, an exact decimal > 1 [default: 10000]
    #[arg(long, value_name = "B", allow_negative_numbers = true, aliases = ["theta", "rope-theta", "rope-base"])]
    pub base: Option<Real>,
    /// A..B, a list such as 0..64,127 or 999.5,-3, in any order, or numbers in a file: p.npy, p.npz:name
    ///
    /// An array [sequences, rows] has those of each sequence of a batch.
    #[arg(long, value_name = "POSITIONS", allow_hyphen_values = true)]
    pub positions: Option<String>,
    /// Which entries form a pair [default: interleaved]
    ///
    /// Neighbours, the two halves of a row, or neighbours whose results go to halves.
    #[arg(long, value_name = "interleaved|halves|interleaved-to-halves", value_parser = named::<Layout>)]
    pub layout: Option<Layout>,
    /// Which component of a pair comes first [default: sin-cos]; with --accumulator plain or online, the steps of a kernel
    #[arg(long, value_name = "sin-cos|cos-sin", value_parser = order, hide_short_help = true)]
    pub order: Option<StatedOrder>,
    /// Number added to every position [default: 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true, hide_short_help = true)]
    pub position_offset: Option<Real>,
    /// Factor of every angle [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true, hide_short_help = true)]
    pub angle_scale: Option<Real>,
    /// Factor of every entry: a decimal, a fraction or sqrt(2/512) [default: 1]
    #[arg(long, value_name = "X", allow_hyphen_values = true, hide_short_help = true)]
    pub amplitude: Option<Amplitude>,
    /// Index of the first frequency, 0 or 1 [default: 0]
    #[arg(long, value_name = "0|1", hide_short_help = true)]
    pub frequency_origin: Option<u32>,
    /// paper: base^(−2k/dim); endpoints: base^(−k/(dim/2−1)) [default: paper]
    #[arg(long, value_name = "paper|endpoints", value_parser = named::<Spacing>, hide_short_help = true)]
    pub frequency_spacing: Option<Spacing>,
    /// Sense of the rotation [default: counter-clockwise]
    #[arg(long, value_name = "counter-clockwise|clockwise", value_parser = named::<Direction>, hide_short_help = true)]
    pub direction: Option<Direction>,
}

/// The parameters that only rotary encodings have.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Encoding")]
pub struct RotaryArguments {
    /// Number of dimensions that are rotated [default: all]
    #[arg(long, value_name = "R")]
    pub rotary_dim: Option<usize>,
    /// The configuration that it is read from.
    #[command(flatten)]
    pub model: ModelArguments,
    /// Parameters of the scaling rule.
    #[command(flatten)]
    pub scaling: ScalingArguments,
}

/// A model's configuration, and of which of its layers it is to be read.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Encoding")]
pub struct ModelArguments {
    /// Read the encoding from a Hugging Face model configuration, or from a model's folder
    #[arg(long, value_name = "config.json")]
    pub config: Option<PathBuf>,
    /// Which of the configuration's layers, counted from 0, where the encodings differ by layer
    #[arg(long, value_name = "N", requires = "config", hide_short_help = true)]
    pub layer: Option<usize>,
    /// Which of the configuration's layer types, where the encodings differ by layer
    #[arg(long, value_name = "NAME", requires = "config", hide_short_help = true)]
    pub layer_type: Option<String>,
    /// Which part of a configuration of several [default: the text part]
    #[arg(long, value_name = "KEY", requires = "config", hide_short_help = true)]
    pub part: Option<String>,
}

/// A value by its name in the convention's serialised form.
pub fn named<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(Value::from(name)).map_err(|error| error.to_string())
}

/// The order of `--order`: of the components of a pair, or, with `--accumulator`, of the steps of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatedOrder {
    /// Which component comes first.
    Components(Order),
    /// Weights are normalised, and then cast.
    Plain,
    /// Exponentials are cast, and normalised at the end.
    Online,
}

fn order(name: &str) -> Result<StatedOrder, String> {
    match name {
        "plain" => Ok(StatedOrder::Plain),
        "online" => Ok(StatedOrder::Online),
        _ => named(name)
            .map(StatedOrder::Components)
            .map_err(|_| "expected sin-cos or cos-sin, or with --accumulator plain or online".to_owned()),
    }
}

impl Specification {
    /// The one convention that the arguments specify.
    pub fn convention(&self, encoding: Encoding) -> Result<Convention, Failure> {
        let request = self.request()?;
        let convention = match self.model(encoding)? {
            Some(model) => request.of_layer(&model),
            None => request.convention(encoding),
        };
        convention.map_err(|error| self.refused(&error))
    }

    /// The conventions that the arguments leave open: that of every kind of layer which rotates, where a configuration is
    /// given and no layer; conventions that are equal once.
    pub fn conventions(&self, encoding: Encoding) -> Result<Vec<Specified>, Failure> {
        let request = self.request()?;
        // What is read is printed: once.
        let found = match self.model(encoding)? {
            Some(model) => request.of_model(&model),
            None => request.convention(encoding).map(|convention| vec![Specified { layers: None, convention }]),
        };
        found.map_err(|error| self.refused(&error))
    }

    /// The options as data.
    fn request(&self) -> Result<Request, Failure> {
        let Self { shared, rotary } = self;
        shared.without_kernel()?;
        let ModelArguments { layer, layer_type, part, .. } = rotary.model.clone();
        let SharedArguments { dim, base, layout, position_offset, angle_scale, amplitude, .. } = shared.clone();
        let SharedArguments { frequency_origin, frequency_spacing, direction, .. } = *shared;
        Ok(Request {
            dim,
            base,
            layout,
            order: shared.components(),
            position_offset,
            angle_scale,
            amplitude,
            frequency_origin,
            frequency_spacing,
            direction,
            rotary_dim: rotary.rotary_dim,
            scaling: rotary.scaling.stated(),
            parameters: rotary.scaling.given(),
            layer,
            layer_type,
            part,
        })
    }

    /// Meaning of the configuration, if one is given; it is printed to standard error.
    fn model(&self, encoding: Encoding) -> Result<Option<Model>, Failure> {
        let Some(path) = &self.rotary.model.config else { return Ok(None) };
        if encoding == Encoding::Sinusoid {
            return Err(Failure::Usage("--config describes rotary encodings: expected rope, found sinusoid".into()));
        }
        let model = Model::open(path, &self.request()?.stated()).map_err(|error| self.misread(&error))?;
        tell(super::config::told(&model).trim_end());
        Ok(Some(model))
    }

    /// The sentence about a refused request. A value of an option is named with it.
    pub fn refused(&self, error: &Refused) -> Failure {
        let option = |name: &str| match name {
            "axes" => "--axis".to_owned(),
            name => format!("--{}", name.replace('_', "-")),
        };
        Failure::Usage(match error {
            Refused::Field(error) => return self.invalid(error),
            Refused::Choice(_) | Refused::NoRotation => {
                format!("{}: {}", self.rotary.model.path(), error.worded(option))
            }
            _ => error.worded(option),
        })
    }

    /// The convention of several axes that the configuration means: the sections of its layers, or the grid of its vision part.
    pub fn axial(&self, path: &std::path::Path) -> Result<AxialConvention, Failure> {
        let ModelArguments { layer, layer_type, part, .. } = &self.rotary.model;
        let (convention, source) = if part.as_deref() == Some(Model::VISION) {
            Model::open_vision(path).map_err(|error| self.misread(&error))?
        } else {
            let missing = || Failure::Usage("--config: expected a model's configuration".into());
            let model = self.model(Encoding::Rope)?.ok_or_else(missing)?;
            let kind = model.kind(*layer, layer_type.as_deref()).map_err(|error| self.misread(&error))?;
            let none = || Failure::Usage(format!("layers of kind {} do not rotate: expected one that does", kind.name));
            let rotation = kind.rotation.as_ref().ok_or_else(none)?;
            model.sectioned(rotation).map_err(|error| self.misread(&error))?
        };
        tell(format_args!("axes as in {source}"));
        Ok(convention)
    }

    fn misread(&self, error: &InvalidConfig) -> Failure {
        Failure::Usage(if error.problem == Problem::Unreadable {
            error.to_string()
        } else {
            format!("{}: {error}", self.rotary.model.path())
        })
    }

    /// The positions, if any are given.
    pub fn positions(&self) -> Result<Option<Positions>, Failure> {
        self.shared.positions.as_deref().map(positions).transpose()
    }

    /// Mistake of a convention, by the option that says so where one was given.
    fn invalid(&self, error: &InvalidConvention) -> Failure {
        let shared = &self.shared;
        let option = match error.field {
            "dim" => shared.dim.map(|_| "--dim"),
            "base" => shared.base.as_ref().map(|_| "--base"),
            "amplitude" => shared.amplitude.as_ref().map(|_| "--amplitude"),
            "position_scale" => shared.angle_scale.as_ref().map(|_| "--angle-scale"),
            "position_offset" => shared.position_offset.as_ref().map(|_| "--position-offset"),
            "frequency_origin" => shared.frequency_origin.map(|_| "--frequency-origin"),
            "frequency_spacing" => shared.frequency_spacing.map(|_| "--frequency-spacing"),
            "rotary_dim" => self.rotary.rotary_dim.map(|_| "--rotary-dim"),
            _ => None,
        };
        Failure::Usage(match option {
            Some(option) => format!("{option} {}: expected {}", error.found, error.expected),
            None => error.to_string(),
        })
    }
}

impl ModelArguments {
    fn path(&self) -> std::path::Display<'_> {
        self.config.as_deref().unwrap_or(std::path::Path::new("")).display()
    }
}

impl From<ModelArguments> for Specification {
    fn from(model: ModelArguments) -> Self {
        Self { rotary: RotaryArguments { model, ..RotaryArguments::default() }, ..Self::default() }
    }
}

impl From<SharedArguments> for Specification {
    fn from(shared: SharedArguments) -> Self {
        Self { shared, rotary: RotaryArguments::default() }
    }
}

impl SharedArguments {
    /// The order of the components of a pair.
    pub fn components(&self) -> Option<Order> {
        match self.order {
            Some(StatedOrder::Components(order)) => Some(order),
            _ => None,
        }
    }

    /// Refuses the order of a kernel, of what is none.
    pub fn without_kernel(&self) -> Result<(), Failure> {
        let name = match self.order {
            Some(StatedOrder::Plain) => "plain",
            Some(StatedOrder::Online) => "online",
            _ => return Ok(()),
        };
        let expected =
            "expected sin-cos or cos-sin, or bound logits|attention with --accumulator, whose steps have that order";
        Err(Failure::Usage(format!("--order {name}: {expected}")))
    }
}

/// Positions as ranges, a list or an array in a file.
pub fn positions(text: &str) -> Result<Positions, Failure> {
    if read::names_a_file(text) {
        let list = read::open(text)?.positions()?;
        return Positions::list(list).map_err(|error| Failure::Usage(format!("{text}: {error}")));
    }
    text.parse().map_err(|error: InvalidPositions| Failure::Usage(error.to_string()))
}
