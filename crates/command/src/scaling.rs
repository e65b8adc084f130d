//! The arguments that specify a scaling rule.

use clap::Args;
use posproof_encoding::real::Real;
use posproof_encoding::request::Parameters;
use serde_json::Value;

/// A scaling rule and its parameters, under the names that model configurations use.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Scaling")]
pub struct ScalingArguments {
    /// linear, ntk, dynamic, yarn, llama3, longrope or proportional
    #[arg(long = "scaling", value_name = "RULE")]
    pub rule: Option<String>,
    /// Factor by which the context grows
    #[arg(long, value_name = "S")]
    pub factor: Option<Real>,
    /// Length of the context that the model was trained on
    #[arg(long, value_name = "L", hide_short_help = true)]
    pub original_max_position_embeddings: Option<u64>,
    /// Length of the sequence (dynamic, longrope) [default: the largest position + 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub sequence_length: Option<u64>,
    /// YaRN: turns above which frequencies stay [default: 32]
    #[arg(long, value_name = "TURNS", hide_short_help = true)]
    pub beta_fast: Option<Real>,
    /// YaRN: turns below which frequencies are divided by the factor [default: 1]
    #[arg(long, value_name = "TURNS", hide_short_help = true)]
    pub beta_slow: Option<Real>,
    /// YaRN: whether the ends of the ramp are rounded to integers [default: true]
    #[arg(long, value_name = "BOOL", hide_short_help = true)]
    pub truncate: Option<bool>,
    /// YaRN and LongRoPE: factor of every entry [default: from the factor]
    #[arg(long, value_name = "X", hide_short_help = true)]
    pub attention_factor: Option<Real>,
    /// YaRN: multiplies the logarithm in the attention factor
    #[arg(long, value_name = "M", hide_short_help = true)]
    pub mscale: Option<Real>,
    /// YaRN: the same in the divisor of the attention factor
    #[arg(long, value_name = "M", hide_short_help = true)]
    pub mscale_all_dim: Option<Real>,
    /// llama3: original lengths over wavelength below which frequencies are divided by the factor
    #[arg(long, value_name = "F", hide_short_help = true)]
    pub low_freq_factor: Option<Real>,
    /// llama3: original lengths over wavelength above which frequencies stay
    #[arg(long, value_name = "F", hide_short_help = true)]
    pub high_freq_factor: Option<Real>,
    /// LongRoPE: divisors of the frequencies up to the original length, one for each pair
    #[arg(long, value_name = "F,…", value_delimiter = ',', hide_short_help = true)]
    pub short_factor: Vec<Real>,
    /// LongRoPE: divisors of the frequencies beyond it
    #[arg(long, value_name = "F,…", value_delimiter = ',', hide_short_help = true)]
    pub long_factor: Vec<Real>,
    /// proportional: fraction of the pairs that is rotated
    #[arg(long, value_name = "F", hide_short_help = true)]
    pub partial_rotary_factor: Option<Real>,
}

impl ScalingArguments {
    /// The rule by its name, without parameters.
    pub fn stated(&self) -> Option<Parameters> {
        self.rule.as_deref().map(|name| Parameters::from([("rope_type".to_owned(), Value::from(name).to_string())]))
    }

    /// The parameters that were given.
    pub fn given(&self) -> Parameters {
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
        all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string()))).collect()
    }
}
