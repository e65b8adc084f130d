//! The arguments that specify an encoding, which `table`, `check`, `bound` and `probe` share.

use super::Failure;
use crate::encoding::amplitude::Amplitude;
use crate::encoding::config;
use crate::encoding::convention::{Convention, Direction, Encoding, Layout, Order, Spacing};
use crate::encoding::real::Real;
use crate::encoding::scaling::Scaling;
use posproof_encoding::suggestion::unknown;
use crate::table::Positions;
use clap::Args;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// An encoding, by its parameters or by a model's configuration; parameters that are given replace
/// those of the configuration.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Encoding")]
pub struct Specification {
    /// Dimension of the model (sinusoid) or of a head (rope)
    #[arg(long, value_name = "D")]
    pub dim: Option<usize>,
    /// Base of the frequencies, an exact decimal > 1 [default: 10000]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub base: Option<Real>,
    /// Positions: A..B, a list such as 0..64,127,131071, or a file of integers p.npy
    #[arg(long, value_name = "POSITIONS")]
    pub positions: Option<String>,
    /// What is added to every position [default: 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub position_offset: Option<Real>,
    /// What every angle is multiplied by [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub angle_scale: Option<Real>,
    /// Factor of every entry: a decimal, a fraction or sqrt(2/512) [default: 1]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub amplitude: Option<Amplitude>,
    /// Index of the first frequency, 0 or 1 [default: 0]
    #[arg(long, value_name = "0|1")]
    pub frequency_origin: Option<u32>,
    /// paper: base^(−2k/dim); endpoints: base^(−k/(dim/2−1)) [default: paper]
    #[arg(long, value_name = "paper|endpoints", value_parser = named::<Spacing>)]
    pub frequency_spacing: Option<Spacing>,
    /// Which component of a pair comes first [default: sin-cos]
    #[arg(long, value_name = "sin-cos|cos-sin", value_parser = named::<Order>)]
    pub order: Option<Order>,
    /// Which entries form a pair: neighbours or the two halves of a row [default: interleaved]
    #[arg(long, value_name = "interleaved|halves", value_parser = named::<Layout>)]
    pub layout: Option<Layout>,
    /// Sense of the rotation [default: counter-clockwise]
    #[arg(long, value_name = "counter-clockwise|clockwise", value_parser = named::<Direction>)]
    pub direction: Option<Direction>,
    /// How many of the dimensions are rotated (rope) [default: all]
    #[arg(long, value_name = "R")]
    pub rotary_dim: Option<usize>,
    /// Read the encoding from a Hugging Face model configuration
    #[arg(long, value_name = "config.json")]
    pub config: Option<PathBuf>,
    /// Which of the configuration's layer types, where the encodings differ by layer
    #[arg(long, value_name = "NAME", requires = "config")]
    pub layer_type: Option<String>,
    /// Parameters of the scaling rule.
    #[command(flatten)]
    pub scaling: ScalingArguments,
}

/// A scaling rule and its parameters, under the names that model configurations use.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scaling (rope)")]
pub struct ScalingArguments {
    /// linear, ntk, dynamic, yarn, llama3, longrope or proportional
    #[arg(long = "scaling", value_name = "RULE")]
    pub rule: Option<String>,
    /// Factor by which the context grows
    #[arg(long, value_name = "S")]
    pub factor: Option<Real>,
    /// Length of the context that the model was trained on
    #[arg(long, value_name = "L")]
    pub original_max_position_embeddings: Option<u64>,
    /// Length of the sequence (dynamic, longrope) [default: the largest position + 1]
    #[arg(long, value_name = "N")]
    pub sequence_length: Option<u64>,
    /// YaRN: turns above which frequencies stay [default: 32]
    #[arg(long, value_name = "TURNS")]
    pub beta_fast: Option<Real>,
    /// YaRN: turns below which frequencies are divided by the factor [default: 1]
    #[arg(long, value_name = "TURNS")]
    pub beta_slow: Option<Real>,
    /// YaRN: whether the ends of the ramp are rounded to integers [default: true]
    #[arg(long, value_name = "BOOL")]
    pub truncate: Option<bool>,
    /// YaRN and LongRoPE: factor of every entry [default: from the factor]
    #[arg(long, value_name = "X")]
    pub attention_factor: Option<Real>,
    /// YaRN: multiplies the logarithm in the attention factor
    #[arg(long, value_name = "M")]
    pub mscale: Option<Real>,
    /// YaRN: the same in the divisor of the attention factor
    #[arg(long, value_name = "M")]
    pub mscale_all_dim: Option<Real>,
    /// llama3: original lengths over wavelength below which frequencies are divided by the factor
    #[arg(long, value_name = "F")]
    pub low_freq_factor: Option<Real>,
    /// llama3: original lengths over wavelength above which frequencies stay
    #[arg(long, value_name = "F")]
    pub high_freq_factor: Option<Real>,
    /// LongRoPE: divisors of the frequencies up to the original length, one for each pair
    #[arg(long, value_name = "F,…", value_delimiter = ',')]
    pub short_factor: Vec<Real>,
    /// LongRoPE: divisors of the frequencies beyond it
    #[arg(long, value_name = "F,…", value_delimiter = ',')]
    pub long_factor: Vec<Real>,
    /// proportional: fraction of the pairs that is rotated
    #[arg(long, value_name = "F")]
    pub partial_rotary_factor: Option<Real>,
}

/// A value by its name in the convention's serialised form.
fn named<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(Value::from(name)).map_err(|error| error.to_string())
}

impl Specification {
    /// The convention, validated. Scaling rules that depend on the sequence's length may still lack it.
    pub fn convention(&self, encoding: Encoding) -> Result<Convention, Failure> {
        let mut convention = match (&self.config, self.dim) {
            (Some(path), _) => self.configured(path, encoding)?,
            (None, Some(dim)) if encoding == Encoding::Sinusoid => Convention::sinusoid(dim),
            (None, Some(dim)) => Convention::rope(dim),
            (None, None) => {
                return Err(Failure::Usage("no dimension: expected --dim D (or --config config.json for rope)".into()));
            }
        };
        replace(&mut convention.dim, &self.dim);
        replace(&mut convention.base, &self.base);
        replace(&mut convention.position_offset, &self.position_offset);
        replace(&mut convention.position_scale, &self.angle_scale);
        replace(&mut convention.amplitude, &self.amplitude);
        replace(&mut convention.frequency_origin, &self.frequency_origin);
        replace(&mut convention.frequency_spacing, &self.frequency_spacing);
        replace(&mut convention.order, &self.order);
        replace(&mut convention.layout, &self.layout);
        replace(&mut convention.direction, &self.direction);
        convention.rotary_dim = self.rotary_dim.or(convention.rotary_dim);
        convention.scaling = self.scaling.apply(convention.scaling)?;
        // A length that is still open is filled in later; any will do for the other checks.
        convention.clone().for_length(1).validate().map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(convention)
    }

    fn configured(&self, path: &Path, encoding: Encoding) -> Result<Convention, Failure> {
        let usage = |error: String| Failure::Usage(format!("{}: {error}", path.display()));
        if encoding == Encoding::Sinusoid {
            return Err(Failure::Usage("--config describes rotary encodings: expected rope, found sinusoid".into()));
        }
        let file = File::open(path).map_err(|error| usage(error.to_string()))?;
        let json: Value = serde_json::from_reader(BufReader::new(file)).map_err(|error| usage(error.to_string()))?;
        config::read(&json, self.layer_type.as_deref()).map_err(|error| usage(error.to_string()))
    }

    /// The positions, if any are given.
    pub fn positions(&self) -> Result<Option<Positions>, Failure> {
        let Some(text) = &self.positions else { return Ok(None) };
        if Path::new(text).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
            return read_positions(Path::new(text)).map(Some);
        }
        text.parse().map(Some).map_err(|error: crate::table::InvalidPositions| Failure::Usage(error.to_string()))
    }
}

fn replace<T: Clone>(target: &mut T, given: &Option<T>) {
    if let Some(value) = given {
        target.clone_from(value);
    }
}

impl ScalingArguments {
    /// The rule of these arguments, or the configuration's with the arguments in place of its parameters.
    fn apply(&self, configured: Option<Scaling>) -> Result<Option<Scaling>, Failure> {
        let given = self.given();
        let mut rule = match (&self.rule, configured) {
            (Some(name), _) if !Scaling::NAMES.contains(&name.as_str()) => {
                return Err(Failure::Usage(unknown("scaling rule", name, Scaling::NAMES.into_iter())));
            }
            (Some(name), _) => Map::from_iter([("rope_type".to_owned(), Value::from(name.as_str()))]),
            (None, configured) if given.is_empty() => return Ok(configured),
            (None, Some(configured)) => match serde_json::to_value(configured) {
                Ok(Value::Object(rule)) => rule,
                _ => Map::new(),
            },
            (None, None) => {
                let name = given.keys().next().map(|key| key.replace('_', "-")).unwrap_or_default();
                let names = Scaling::NAMES.join(", ");
                return Err(Failure::Usage(format!(
                    "--{name} without a scaling rule: expected --scaling with one of {names}"
                )));
            }
        };
        rule.extend(given);
        config::from_parameters(rule).map(Some).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The parameters that were given.
    fn given(&self) -> Map<String, Value> {
        let text = |value: &Option<Real>| value.as_ref().map(|value| Value::from(value.to_string()));
        let list = |values: &[Real]| {
            (!values.is_empty()).then(|| values.iter().map(|value| Value::from(value.to_string())).collect())
        };
        let all = [
            ("factor", text(&self.factor)),
            ("original_max_position_embeddings", self.original_max_position_embeddings.map(Value::from)),
            ("sequence_length", self.sequence_length.map(Value::from)),
            ("beta_fast", text(&self.beta_fast)),
            ("beta_slow", text(&self.beta_slow)),
            ("truncate", self.truncate.map(Value::from)),
            ("attention_factor", text(&self.attention_factor)),
            ("mscale", text(&self.mscale)),
            ("mscale_all_dim", text(&self.mscale_all_dim)),
            ("low_freq_factor", text(&self.low_freq_factor)),
            ("high_freq_factor", text(&self.high_freq_factor)),
            ("short_factor", list(&self.short_factor)),
            ("long_factor", list(&self.long_factor)),
            ("partial_rotary_factor", text(&self.partial_rotary_factor)),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

/// Positions from a one-dimensional array of integers, or of floats that are integers.
fn read_positions(path: &Path) -> Result<Positions, Failure> {
    let usage = |error: String| Failure::Usage(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(|error| usage(error.to_string()))?;
    let array = npyz::NpyFile::new(BufReader::new(file)).map_err(|error| usage(error.to_string()))?;
    if array.shape().len() != 1 {
        return Err(usage(format!("an array of shape {:?}: expected one dimension", array.shape())));
    }
    let descriptor = array.dtype().descr();
    let kind = descriptor.trim_matches('\'').trim_start_matches(['<', '>', '=', '|']).to_owned();
    let negative = |value: i128| usage(format!("position {value}: expected an integer ≥ 0"));
    let fractional = |value: f64| usage(format!("position {value}: expected an integer ≥ 0"));
    macro_rules! integers {
        ($kind:ty) => {{
            let values = array.into_vec::<$kind>().map_err(|error| usage(error.to_string()))?;
            let positions: Result<Vec<u64>, Failure> =
                values.into_iter().map(|value| u64::try_from(value).map_err(|_| negative(value.into()))).collect();
            positions?
        }};
    }
    macro_rules! floats {
        ($kind:ty) => {{
            let values = array.into_vec::<$kind>().map_err(|error| usage(error.to_string()))?;
            let whole = |value: f64| {
                let whole = (0.0..9007199254740992.0).contains(&value) && value.fract() == 0.0;
                if whole { Ok(value as u64) } else { Err(fractional(value)) }
            };
            let positions: Result<Vec<u64>, Failure> = values.into_iter().map(|value| whole(value.into())).collect();
            positions?
        }};
    }
    let positions = match kind.as_str() {
        "i1" => integers!(i8),
        "i2" => integers!(i16),
        "i4" => integers!(i32),
        "i8" => integers!(i64),
        "u1" => integers!(u8),
        "u2" => integers!(u16),
        "u4" => integers!(u32),
        "u8" => integers!(u64),
        "f4" => floats!(f32),
        "f8" => floats!(f64),
        _ => return Err(usage(format!("entries of type {descriptor}: expected integers"))),
    };
    Positions::list(positions).map_err(|error| usage(error.to_string()))
}
