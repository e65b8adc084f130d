//! The options of `posproof bound logits|attention`: how attention is computed, and of what.

use super::documents::JsonArguments;
use super::kernel::{KernelArguments, Shared, StepOrder};
use super::specification::StatedOrder;
use super::text::attention::text;
use super::{Failure, Outcome, print};
use clap::{Args, ValueEnum};
use posproof_bound::document::Document;
use posproof_bound::{Accumulation, Arithmetic, Attention, Impossible, Model, Products, Scoring};
use posproof_numerics::{Element, format::Format};
use std::ops::Range;

/// The computation of attention after the table, and its lengths.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rotation, score and attention (logits, attention)")]
pub struct AttentionArguments {
    /// Rotation of a pair: plain, with rounded products, or fused, one product of each component within a fused
    /// multiply-add (rotation, score, logits, attention) [default: plain]
    #[arg(long, value_name = "plain|fused", hide_possible_values = true)]
    rotation: Option<RotationArgument>,
    /// Number of keys that a query attends to [default: 4096]
    #[arg(long, value_name = "N")]
    keys: Option<u32>,
    /// Format that dot products and weighted sums are accumulated in (score too) [default: f64 for a table in f64, else f32;
    /// of a score, that of the table]
    #[arg(long, value_name = "FORMAT", value_parser = Format::computing)]
    accumulate: Option<Format>,
    /// Products in it: exact (as of bf16 or f16 factors in f32), rounded, or fused into the additions, which says nothing of
    /// the rotation [default: exact for a table in bf16 or f16 with f32 or f64, else rounded]
    #[arg(long, value_name = "exact|rounded|fused", hide_possible_values = true)]
    products: Option<ProductsArgument>,
    /// Format of scale, logits and softmax [default: f64 for a table in f64, else f32]
    #[arg(long, value_name = "FORMAT", value_parser = Format::computing)]
    softmax: Option<Format>,
    /// Format that weights are cast to [default: that of the table, or of the inputs]
    #[arg(long, value_name = "FORMAT")]
    weights: Option<Element>,
    /// Accuracy of exp in units in the last place [default: 1]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    exp_ulp: Option<f64>,
    /// Largest length of a query [default: √dim]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    query_length: Option<f64>,
    /// Largest length of a key [default: √dim]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    key_length: Option<f64>,
    /// Largest component of a value [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    value: Option<f64>,
    /// For the probabilistic bound: no pair of a query or key is longer than S times length/√(dim/2), from 1 to √(dim/2)
    /// [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    spread: Option<f64>,
    #[command(flatten)]
    pub kernel: KernelArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RotationArgument {
    Plain,
    Fused,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProductsArgument {
    Exact,
    Rounded,
    Fused,
}

impl From<ProductsArgument> for Products {
    fn from(argument: ProductsArgument) -> Self {
        match argument {
            ProductsArgument::Exact => Self::Exact,
            ProductsArgument::Rounded => Self::Rounded,
            ProductsArgument::Fused => Self::Fused,
        }
    }
}

/// Extent of attention that a subject takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A table alone.
    Table,
    /// Rotated pairs.
    Rotation,
    /// Their dot product.
    Score,
    /// Scale, and what comes after it.
    Attention,
}

impl Use {
    /// The subjects that take so much.
    fn subjects(self) -> &'static str {
        match self {
            Self::Table => "any subject",
            Self::Rotation => "rotation, score, logits or attention",
            Self::Score => "score, logits or attention",
            Self::Attention => "logits or attention",
        }
    }
}

/// Keys of a context of common length.
const KEYS: u32 = 4096;

/// As many positions as errors by key need.
const MOVABLE: u64 = 16;

/// Keys are put together by decades of positions.
const DECADE: u64 = 10;

/// Answer of a search or a measurement; nothing where the program is not one that is searched.
fn searched<T>(answer: Result<T, Impossible>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Impossible { what: "search", .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl AttentionArguments {
    /// Refuses an option that was given and says nothing of the subject.
    pub fn require(&self, use_of: Use) -> Result<(), Failure> {
        let options = [
            (self.rotation.is_some(), "--rotation", Use::Rotation),
            (self.accumulate.is_some(), "--accumulate", Use::Score),
            (self.keys.is_some(), "--keys", Use::Attention),
            (self.products.is_some(), "--products", Use::Attention),
            (self.softmax.is_some(), "--softmax", Use::Attention),
            (self.weights.is_some(), "--weights", Use::Attention),
            (self.exp_ulp.is_some(), "--exp-ulp", Use::Attention),
            (self.query_length.is_some(), "--query-length", Use::Attention),
            (self.key_length.is_some(), "--key-length", Use::Attention),
            (self.value.is_some(), "--value", Use::Attention),
            (self.spread.is_some(), "--spread", Use::Attention),
            (self.kernel.given(), "--accumulator", Use::Attention),
        ];
        match options.into_iter().find(|(given, _, least)| *given && use_of < *least) {
            None => Ok(()),
            Some((_, option, least)) => {
                Err(Failure::Usage(format!("{option}: expected with {} only", least.subjects())))
            }
        }
    }

    /// Rotation of a pair in a format.
    pub fn rotation(&self, format: Format) -> Arithmetic {
        Arithmetic { format, fused: self.rotation == Some(RotationArgument::Fused) }
    }

    /// Computation of scores with a model's table.
    pub fn scoring(&self, model: &Model) -> Scoring {
        let plain = model.plain_scoring();
        Scoring { rotation: self.rotation(plain.rotation.format), sums: self.accumulate.unwrap_or(plain.sums) }
    }

    /// Quotient of a pair's length and the others', at most: pairs are of one length unless more is said.
    pub fn spread(&self) -> f64 {
        self.spread.unwrap_or(1.0)
    }

    /// The attention that is computed with a model's table.
    pub fn attention(&self, model: &Model) -> Result<Attention, Failure> {
        let usual = model.usual_attention(self.keys.unwrap_or(KEYS));
        let format = self.accumulate.unwrap_or(usual.scores.format);
        let exact = Accumulation { format, products: Products::Exact };
        let products = match self.products.map(Products::from) {
            Some(products) => products,
            None if exact.holds_products_of(usual.rotation.format) => Products::Exact,
            None => Products::Rounded,
        };
        let accumulation = Accumulation { format, products };
        let attention = Attention {
            rotation: self.rotation(usual.rotation.format),
            scores: accumulation,
            softmax: self.softmax.unwrap_or(usual.softmax),
            kappa: self.exp_ulp.unwrap_or(usual.kappa),
            weights: self.wide_weights()?.unwrap_or(usual.weights),
            values: accumulation,
            query: self.query_length.unwrap_or(usual.query),
            key: self.key_length.unwrap_or(usual.key),
            value: self.value.unwrap_or(usual.value),
            ..usual
        };
        attention.validate()?;
        Ok(attention)
    }

    /// The format that weights are cast to, one that every program has.
    fn wide_weights(&self) -> Result<Option<Format>, Failure> {
        match self.weights {
            None => Ok(None),
            Some(Element::Wide(format)) => Ok(Some(format)),
            Some(narrow) => Err(Failure::Usage(format!(
                "--weights {narrow}: expected with --accumulator, which is of stored inputs"
            ))),
        }
    }

    /// Attention as a kernel computes it; with a table and positions also from there on.
    pub fn of_kernel(
        &self,
        (inputs, dim): (Element, u32),
        order: Option<StatedOrder>,
        outputs: bool,
        json: bool,
        from: Option<(&Model, &Range<u64>)>,
    ) -> Result<Outcome, Failure> {
        let others = [
            (self.rotation.is_some() && from.is_none(), "--rotation"),
            (self.accumulate.is_some(), "--accumulate"),
            (self.products.is_some(), "--products"),
            (self.spread.is_some(), "--spread"),
        ];
        if let Some((_, option)) = others.into_iter().find(|(given, _)| *given) {
            let message = format!(
                "{option} with --accumulator: expected one of them; how products are added is the accumulator's"
            );
            return Err(Failure::Usage(message));
        }
        let order = match order {
            None => None,
            Some(StatedOrder::Plain) => Some(StepOrder::Plain),
            Some(StatedOrder::Online) => Some(StepOrder::Online),
            Some(StatedOrder::Components(_)) => {
                return Err(Failure::Usage("--order: expected plain or online with --accumulator".into()));
            }
        };
        let shared = Shared {
            inputs,
            dim,
            keys: u64::from(self.keys.unwrap_or(KEYS)),
            softmax: self.softmax,
            weights: self.weights,
            exp_ulp: self.exp_ulp,
            lengths: [self.query_length, self.key_length],
            value: self.value,
            order,
        };
        let from = from.map(|(model, positions)| (model, self.rotation(model.program().storage), positions));
        self.kernel.answer(&shared, outputs, json, from)
    }

    /// The bounds of a logit, or of a component of an output of attention, printed.
    pub fn answer(
        &self,
        model: &Model,
        positions: &Range<u64>,
        outputs: bool,
        json: JsonArguments,
    ) -> Result<Outcome, Failure> {
        let (attention, spread) = (self.attention(model)?, self.spread());
        let (name, rows, probable, found) = match outputs {
            false => (
                "logits",
                model.logits(&attention, positions)?,
                model.probable_logits(&attention, positions, spread)?,
                model.search_logit(&attention, positions),
            ),
            true => (
                "attention",
                model.outputs(&attention, positions)?,
                model.probable_outputs(&attention, positions, spread)?,
                model.search_output(&attention, positions),
            ),
        };
        let certain = rows.last().map(|whole| whole.instance);
        let probable = certain.map_or(probable, |certain| probable.at_most(certain));
        let found = searched(found)?;
        // Of so few positions that none can be moved there is nothing to split.
        let by_key = match outputs && positions.end - positions.start >= MOVABLE {
            true => searched(model.errors_by_key(&attention, positions, DECADE))?,
            false => None,
        };
        let (rows, found, by_key) = ([rows], found.as_ref(), by_key.as_ref());
        if json.is_asked() {
            json.print(&Document::composed(name, model, &rows).of_attention(&attention, &probable, found, by_key))?;
        } else {
            print(&text(name, model, &attention, &rows, &probable, found, by_key))?;
        }
        Ok(Outcome::Good)
    }
}
