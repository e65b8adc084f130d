//! The rotation that a GGUF file declares: its metadata, with what llama.cpp takes where a key is missing.
//!
//! Keys and defaults as ggml-org/llama.cpp has them. Keys: `src/llama-arch.cpp` at commit 00395eb285c7. Defaults: `load_hparams`
//! of `src/llama-model.cpp` at commit 00342301d01a has base 10000, linear scaling by 1 (also where the factor is 0; the old key
//! counts where the new one is missing), as original length the context's, all of a head rotated, and a head of
//! `embedding_length`/`attention.head_count`; `src/llama-hparams.h` at commit 027d57567f85 has β 32 and 1 and attention factor 1;
//! for `yarn_log_multiplier`, `src/llama-context.cpp` and the mark TAG_DEEPSEEK2_YARN_LOG_MUL_FIX, which the loader of `deepseek2` has too;
//! for `grok`, the architecture's own lines in `load_hparams` have β 8 for 32. Which architectures take β from the file depends
//! on the version: it is compared where the file says it.
//! Tensors: `rope_freqs.weight` divides every frequency, `rope_factors_short.weight` and `rope_factors_long.weight` are LongRoPE's.

use super::difference::What;
use crate::InvalidInput;
use crate::input::About;
use crate::read::gguf::{Gguf, MetadataValue};
use posproof_encoding::convention::Convention;
use posproof_encoding::model::{Origin, Rotation, Setting as Stated};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

/// The key of m in llama.cpp's attention factor (0.1·ln s + 1)/(0.1·m·ln s + 1) under YaRN, for m ≠ 0.
const MULTIPLIER: &str = "rope.scaling.yarn_log_multiplier";

/// The architecture whose m is of the logits.
const DEEPSEEK: &str = "deepseek2";

/// Pairs that are read from a tensor of factors: more than any head has.
const MAX_PAIRS: usize = 1 << 12;

/// A GGUF file's words on rotation.
pub struct Declared {
    /// `general.architecture`.
    pub architecture: String,
    /// The layers with full attention, or all of them.
    pub full: Rotation,
    /// The layers with a sliding window, where the file says something of them.
    pub sliding: Option<Rotation>,
    /// True if keys and queries have a part of their own that is rotated, beside one that is not: heads are then wider in the
    /// file than the part that configurations describe.
    pub latent: bool,
    /// m of the factor (1 + m·ln(s)/10)² of the logits under YaRN, where the architecture has one.
    pub logits: Option<f64>,
    /// Facts that the file leaves open, so that they are not compared, and why.
    pub open: Vec<(What, String)>,
}

/// Reads the metadata key by key.
struct Reader<'a> {
    gguf: &'a Gguf,
    architecture: &'a str,
    values: Vec<Stated>,
    open: Vec<(What, String)>,
    logits: Option<f64>,
}

impl Declared {
    /// Declarations of a file.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`], with the key, for a value of another type than the key has, and where the width of a head is left out.
    pub fn read(gguf: &Gguf) -> Result<Self, InvalidInput> {
        let architecture = match gguf.get("general.architecture") {
            Some(MetadataValue::Text(name)) => name.as_str(),
            None if gguf.shard().is_some_and(|(number, _)| number > 0) => {
                let (number, count) = gguf.shard().unwrap_or_default();
                let found = format!("none: this is file {} of {count} of a model", number.saturating_add(1));
                let advice = "give the first of them, which has the metadata";
                return Err(About(gguf.name()).error("metadata key 'general.architecture'", "it", found, advice));
            }
            other => return Err(wrong(gguf, "general.architecture", "the name of an architecture", other)),
        };
        let mut reader = Reader { gguf, architecture, values: Vec::new(), open: Vec::new(), logits: None };
        let (dim, rotary) = reader.width()?;
        let base = reader.base()?;
        let scaling = reader.scaling(rotary)?;
        let sections = reader.sections()?;
        let convention =
            Convention { base, rotary_dim: (rotary != dim).then_some(rotary), scaling, ..Convention::rope(dim) };
        let sliding = reader.sliding(&convention)?;
        let Reader { values, open, logits, .. } = reader;
        let sliding = sliding.map(|(convention, values)| Rotation { convention, values, sections: Vec::new() });
        let full = Rotation { convention, values, sections };
        let latent = gguf.get(&format!("{architecture}.attention.kv_lora_rank")).is_some();
        Ok(Self { architecture: architecture.to_owned(), full, sliding, latent, logits, open })
    }
}

fn wrong(gguf: &Gguf, key: &str, expected: &str, found: Option<&MetadataValue>) -> InvalidInput {
    let found = match found {
        None => "nothing".to_owned(),
        Some(MetadataValue::Integer(x)) => x.to_string(),
        Some(MetadataValue::Float(x, _)) => x.to_string(),
        Some(MetadataValue::Bool(x)) => x.to_string(),
        Some(MetadataValue::Text(text)) => format!("'{}'", text.chars().take(60).collect::<String>()),
        Some(MetadataValue::List(list)) => format!("a list of {}", list.len()),
        Some(MetadataValue::Long(count)) => format!("something of length {count}"),
    };
    About(gguf.name()).error(format!("metadata key '{key}'"), expected, found, "convert the model again")
}

impl Reader<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.architecture)
    }

    fn integer(&self, name: &str) -> Result<Option<u64>, InvalidInput> {
        let key = self.key(name);
        match self.gguf.get(&key) {
            None => Ok(None),
            Some(MetadataValue::Integer(x)) if (0..1 << 53).contains(x) => Ok(Some(*x as u64)),
            other => Err(wrong(self.gguf, &key, "a whole number", other)),
        }
    }

    /// The decimal that names a number of f32: the shortest that is nearest to it.
    fn real(&self, name: &str) -> Result<Option<Real>, InvalidInput> {
        let key = self.key(name);
        let text = match self.gguf.get(&key) {
            None => return Ok(None),
            Some(MetadataValue::Float(x, Format::F32)) if x.is_finite() => (*x as f32).to_string(),
            Some(MetadataValue::Float(x, _)) if x.is_finite() => x.to_string(),
            Some(MetadataValue::Integer(x)) => x.to_string(),
            other => return Err(wrong(self.gguf, &key, "a finite number", other)),
        };
        text.parse().map(Some).map_err(|_| wrong(self.gguf, &key, "a finite number", self.gguf.get(&key)))
    }

    /// Notes a value: as the file's, or as llama.cpp's where the key is missing.
    fn note(&mut self, field: &str, value: impl ToString, keys: &[&str], given: bool) {
        let keys: Vec<String> = keys.iter().map(|name| self.key(name)).collect();
        let origin = if given { Origin::File { keys } } else { Origin::Family { key: keys.into_iter().next() } };
        self.values.push(Stated { field: field.to_owned(), value: value.to_string(), origin });
    }

    /// The entries of a head, and how many of them are rotated.
    fn width(&mut self) -> Result<(usize, usize), InvalidInput> {
        let dim = match self.integer("attention.key_length")? {
            Some(dim) => {
                self.note("dim", dim, &["attention.key_length"], true);
                dim
            }
            None => {
                let (length, heads) = ("embedding_length", "attention.head_count");
                let (embedding, count) = (self.integer(length)?, self.integer(heads)?);
                let quotient = embedding.zip(count).and_then(|(n, heads)| n.checked_div(heads));
                let missing = || {
                    let key = self.key("attention.key_length");
                    wrong(self.gguf, &key, "it, or embedding_length and attention.head_count", None)
                };
                let dim = quotient.ok_or_else(missing)?;
                self.note("dim", dim, &[length, heads], true);
                dim
            }
        };
        let rotary = self.integer("rope.dimension_count")?;
        self.note("rotary_dim", rotary.unwrap_or(dim), &["rope.dimension_count"], rotary.is_some());
        Ok((dim as usize, rotary.unwrap_or(dim) as usize))
    }

    fn base(&mut self) -> Result<Real, InvalidInput> {
        let base = self.real("rope.freq_base")?;
        let given = base.is_some();
        let base = base.unwrap_or(10000.into());
        self.note("base", &base, &["rope.freq_base"], given);
        Ok(base)
    }

    fn sections(&mut self) -> Result<Vec<u64>, InvalidInput> {
        let key = self.key("rope.dimension_sections");
        let list = match self.gguf.get(&key) {
            None => return Ok(Vec::new()),
            Some(MetadataValue::List(list)) => list,
            other => return Err(wrong(self.gguf, &key, "a list of whole numbers", other)),
        };
        let sections: Option<Vec<u64>> = list
            .iter()
            .map(|value| if let MetadataValue::Integer(x) = value { u64::try_from(*x).ok() } else { None })
            .collect();
        let mut sections =
            sections.ok_or_else(|| wrong(self.gguf, &key, "a list of whole numbers", self.gguf.get(&key)))?;
        // llama.cpp has four sections, of which models with three leave the last empty.
        while sections.last() == Some(&0) {
            sections.pop();
        }
        Ok(sections)
    }

    /// The layers with a sliding window have a base of their own, and no scaling.
    fn sliding(&mut self, full: &Convention) -> Result<Option<(Convention, Vec<Stated>)>, InvalidInput> {
        let name = "rope.freq_base_swa";
        let Some(base) = self.real(name)? else { return Ok(None) };
        let count = self.integer("rope.dimension_count_swa")?.map(|count| count as usize);
        let rotary_dim = count.map_or(full.rotary_dim, |count| (count != full.dim).then_some(count));
        let origin = Origin::File { keys: vec![self.key(name)] };
        let values = vec![Stated { field: "base".into(), value: base.to_string(), origin }];
        Ok(Some((Convention { base, rotary_dim, scaling: None, ..full.clone() }, values)))
    }

    fn scaling(&mut self, rotary: usize) -> Result<Option<Scaling>, InvalidInput> {
        let key = self.key("rope.scaling.type");
        let given = match self.gguf.get(&key) {
            None => None,
            Some(MetadataValue::Text(name)) => Some(name.clone()),
            other => return Err(wrong(self.gguf, &key, "none, linear, yarn or longrope", other)),
        };
        let name = given.clone().unwrap_or_else(|| "linear".to_owned());
        self.note("scaling", &name, &["rope.scaling.type"], given.is_some());
        let mut factor = self.real("rope.scaling.factor")?;
        let mut factor_key = "rope.scaling.factor";
        if factor.is_none() {
            factor = self.real("rope.scale_linear")?;
            factor_key = if factor.is_some() { "rope.scale_linear" } else { factor_key };
        }
        // 0 stands for "not given".
        let factor = factor.filter(|factor| !factor.is_zero());
        self.note("scaling.factor", factor.clone().unwrap_or(1.into()), &[factor_key], factor.is_some());
        let length = "rope.scaling.original_context_length";
        let original = self.integer(length)?;
        let (original, key) = match original {
            Some(_) => (original, length),
            None => (self.integer("context_length")?, "context_length"),
        };
        let original = original.unwrap_or(0);
        self.note("scaling.original_max_position_embeddings", original, &[key], true);
        let scaling = match name.as_str() {
            "none" | "linear" => {
                let factor = factor.filter(|factor| name == "linear" && *factor != 1.into());
                factor.map(|factor| Scaling::Linear { factor })
            }
            "yarn" => Some(self.yarn(factor.unwrap_or(1.into()), original)?),
            "longrope" => self.longrope(rotary, original)?,
            other => {
                self.open.push((What::Scaling, format!("the scaling rule '{other}' is none that is known here")));
                None
            }
        };
        match (scaling, self.factors("rope_freqs.weight", rotary)?) {
            (None, Some(factors)) => {
                let place = Origin::File { keys: vec!["rope_freqs.weight".into()] };
                let value = format!("{} factors", factors.len());
                self.values.insert(0, Stated { field: "scaling".into(), value, origin: place });
                Ok(Some(Scaling::Longrope {
                    short_factor: factors.clone(),
                    long_factor: factors,
                    // The same factors at every length: no length matters.
                    original_max_position_embeddings: 2,
                    factor: None,
                    attention_factor: None,
                    sequence_length: Some(1),
                }))
            }
            (Some(_), Some(_)) => {
                let message = format!("{name} scaling and rope_freqs.weight are not combined here");
                self.open.push((What::Scaling, message));
                Ok(None)
            }
            (scaling, None) => Ok(scaling),
        }
    }

    fn yarn(&mut self, factor: Real, original: u64) -> Result<Scaling, InvalidInput> {
        let fast = if self.architecture == "grok" { 8 } else { 32 };
        let mut beta = |name: &str, field: &str, default: i64| {
            let key = format!("rope.scaling.{name}");
            let value = self.real(&key)?;
            self.note(field, value.clone().unwrap_or(default.into()), &[&key], value.is_some());
            Ok::<Real, InvalidInput>(value.unwrap_or(default.into()))
        };
        let beta_fast = beta("yarn_beta_fast", "scaling.beta_fast", fast)?;
        let beta_slow = beta("yarn_beta_slow", "scaling.beta_slow", 1)?;
        let multiplier = self.real(MULTIPLIER)?.filter(|value| !value.is_zero());
        // Such an architecture's loader divides the key by 0.1, and takes it for both factors, whose quotient is 1.
        let own = self.architecture == DEEPSEEK;
        if let Some(multiplier) = &multiplier {
            self.note("attention_factor", if own { "1" } else { "from the multiplier" }, &[MULTIPLIER], true);
            if own {
                self.logits = Some(10.0 * multiplier.value().to_f64());
            } else if self.integer("attention.kv_lora_rank")?.is_some() {
                self.open
                    .push((What::Amplitude, format!("{} of this architecture is not known", self.key(MULTIPLIER))));
            }
        }
        for name in ["rope.scaling.attn_factor", "rope.scaling.yarn_attn_factor"] {
            if self.real(name)?.is_some_and(|value| value != 1.into()) {
                self.open.push((What::Amplitude, format!("{} is not interpreted here", self.key(name))));
            }
        }
        // Its ends are always rounded.
        let origin = Origin::Family { key: None };
        self.values.push(Stated { field: "scaling.truncate".into(), value: "true".into(), origin });
        Ok(Scaling::Yarn {
            factor,
            original_max_position_embeddings: original,
            beta_fast,
            beta_slow,
            truncate: true,
            attention_factor: multiplier.as_ref().filter(|_| own).map(|_| 1.into()),
            mscale: multiplier.as_ref().filter(|_| !own).map(|_| 1.into()),
            mscale_all_dim: multiplier.filter(|_| !own),
        })
    }

    fn longrope(&mut self, rotary: usize, original: u64) -> Result<Option<Scaling>, InvalidInput> {
        let short = self.factors("rope_factors_short.weight", rotary)?;
        let long = self.factors("rope_factors_long.weight", rotary)?;
        let (Some(short_factor), Some(long_factor)) = (short, long) else {
            let message = "longrope scaling without rope_factors_short.weight and rope_factors_long.weight";
            self.open.push((What::Scaling, message.into()));
            return Ok(None);
        };
        let attention = self.real("rope.scaling.attn_factor")?;
        self.note(
            "attention_factor",
            attention.clone().unwrap_or(1.into()),
            &["rope.scaling.attn_factor"],
            attention.is_some(),
        );
        Ok(Some(Scaling::Longrope {
            short_factor,
            long_factor,
            original_max_position_embeddings: original,
            factor: None,
            attention_factor: Some(attention.unwrap_or(1.into())),
            sequence_length: None,
        }))
    }

    /// The divisors of the frequencies in a tensor, one for each pair.
    fn factors(&self, tensor: &str, rotary: usize) -> Result<Option<Vec<Real>>, InvalidInput> {
        let Some(rows) = self.gguf.rows(tensor)? else { return Ok(None) };
        let about = About(rows.name());
        let count = rows.width();
        if rows.rows() != 1 || count > MAX_PAIRS || count != rotary / 2 {
            let (expected, found) = (format!("{} factors, one for each pair", rotary / 2), count.to_string());
            return Err(about.error("the dimensions", expected, found, "convert the model again"));
        }
        let mut values = Vec::new();
        rows.read(0, count, &mut values)?;
        let factor = |(pair, value): (usize, &f64)| {
            let text = (*value as f32).to_string();
            let factor = text.parse::<Real>().ok().filter(|factor| *factor.value() > 0);
            factor.ok_or_else(|| {
                about.error(
                    format!("factor {pair}"),
                    "a finite number > 0",
                    value.to_string(),
                    "convert the model again",
                )
            })
        };
        values.iter().enumerate().map(factor).collect::<Result<_, _>>().map(Some)
    }
}
