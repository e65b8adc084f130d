//! Attention as a program: what is rotated, multiplied, scaled and summed in which format.

use super::Softmax;
use crate::origin::{Bound, Origin};
use crate::path::half;
use crate::program::Impossible;
use crate::quantity::{Arithmetic, any_order, plus_one, rotation};
use crate::upward::{Upper, sharp_unit, smallest};
use posproof_numerics::format::Format;
use serde::Serialize;

/// Forms of the products of a dot product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Products {
    /// Rounded to the format.
    Rounded,
    /// Numbers of the format, as products of bf16 or f16 factors are in f32, rounded only where they underflow.
    Exact,
    /// Fused into the additions, one after the other.
    Fused,
}

/// Accumulation of a dot product: the format of products and sums, in any order unless they are fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Accumulation {
    /// The format of products and sums.
    pub format: Format,
    /// Form of the products.
    pub products: Products,
}

impl Accumulation {
    /// True if a product of two numbers of another format is a number of this one, but for underflow: twice the precision.
    pub fn holds_products_of(self, factors: Format) -> bool {
        2 * factors.precision() <= self.format.precision()
    }

    /// |computed − exact| of a dot product of n terms with Σ|x_i y_i| ≤ mass (`rounding_dot`, `rounding_dot_double_products`,
    /// `rounding_dot_fused`).
    ///
    /// ```
    /// use posproof_bound::{Accumulation, Products};
    /// use posproof_numerics::format::Format;
    /// // 128 terms in bf16, sums in f32: 1·1 and 127 times 2⁻¹²·2⁻¹², each of which is half a unit that is rounded away.
    /// let sum = Accumulation { format: Format::F32, products: Products::Exact };
    /// let worst = 127.0 * 2f64.powi(-24);
    /// let bound = sum.dot(128, 1.0 + worst).value();
    /// assert!(worst <= bound && bound <= 1.00001 * worst);
    /// ```
    pub fn dot(self, n: u32, mass: f64) -> Bound {
        let theorem = match self.products {
            Products::Rounded => "rounding_dot",
            Products::Exact => "rounding_dot_double_products",
            Products::Fused => "rounding_dot_fused",
        };
        Bound::of(self.error(n, Upper::of(mass)), Origin::Theorem(theorem))
    }

    /// |computed − exact| ≤ slope·Σ|x_i y_i| + floor for n terms (`slope` and `floor` in `RoundingAttention.v`):
    /// n·u and n(1 + (n−1)u)η/2 for rounded products, (n−1)v and n(1 + (n−1)v)η/2 for exact ones, n·v and n(1+v)^n·η/2 for
    /// fused ones.
    pub(crate) fn error(self, n: u32, mass: Upper) -> Upper {
        let (v, count) = (sharp_unit(self.format), Upper::of(f64::from(n)));
        match self.products {
            Products::Rounded => any_order(self.format, n, mass),
            Products::Exact => {
                let sums = Upper::of(f64::from(n.saturating_sub(1))) * v;
                sums * mass + count * plus_one(sums) * half(smallest(self.format))
            }
            Products::Fused => count * v * mass + count * plus_one(v.repeat(n)) * half(smallest(self.format)),
        }
    }
}

/// Attention with rotary position embedding, in the formats of its steps, for queries and keys of given lengths.
///
/// Query and keys are rotated in one format, multiplied, scaled by 1/√dim and put through the shifted softmax in another, the
/// weights cast, and the values summed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attention {
    /// Arithmetic of the rotation; the format of the table too.
    pub rotation: Arithmetic,
    /// Accumulation of query times key.
    pub scores: Accumulation,
    /// The format of the scale, of logits and softmax.
    pub softmax: Format,
    /// exp is within this many units in the last place: κ.
    pub kappa: f64,
    /// The format that weights are cast to; the softmax's own needs no cast.
    pub weights: Format,
    /// Accumulation of the values.
    pub values: Accumulation,
    /// Components of a query: dim.
    pub dim: u32,
    /// Number of pairs that are rotated: r.
    pub rotated: u32,
    /// ‖q‖ is at most this.
    pub query: f64,
    /// ‖k‖ is at most this, for every key.
    pub key: f64,
    /// Number of keys: n ≥ 1.
    pub keys: u32,
    /// No component of a value is larger.
    pub value: f64,
}

impl Attention {
    /// bf16 factors (or those of another table's format) with accumulation, softmax in f32 and weights cast back, as fused
    /// kernels do; f64 throughout for a table in f64. Queries and keys of length √dim, values up to 1.
    pub fn usual(table: Format, dim: u32, rotated: u32, keys: u32) -> Self {
        let wide = if table == Format::F64 { Format::F64 } else { Format::F32 };
        let exact = Accumulation { format: wide, products: Products::Exact };
        let rounded = Accumulation { products: Products::Rounded, ..exact };
        let accumulation = if exact.holds_products_of(table) { exact } else { rounded };
        let length = f64::from(dim).sqrt().next_up();
        Self {
            rotation: Arithmetic { format: table, fused: false },
            scores: accumulation,
            softmax: wide,
            kappa: 1.0,
            weights: table,
            values: accumulation,
            dim,
            rotated,
            query: length,
            key: length,
            keys,
            value: 1.0,
        }
    }

    /// Refuses figures that the theorems do not allow.
    pub fn validate(&self) -> Result<(), Impossible> {
        // Room for a sum whose terms and roundings all add up (`rounding_dot_range`).
        let room = |format: Format, terms: u32| {
            format.max_finite() / (4.0 * (1.0 + f64::from(terms) * format.unit_roundoff()))
        };
        let within = |x: f64, most: f64| x > 0.0 && x <= most;
        let rotation = room(self.rotation.format, 2);
        let scores = room(self.scores.format, self.dim).min(room(self.softmax, 1));
        let size = "a number > 0 whose products and sums do not overflow";
        let rows = [
            ("length of the query", self.query, within(self.query, rotation), size),
            ("length of the keys", self.key, within(self.key, rotation), size),
            ("length of the keys", self.key, within(self.query * self.key, scores), size),
            ("largest value", self.value, within(self.value, room(self.values.format, self.keys)), size),
            ("κ of the exponential", self.kappa, (0.5..=1e6).contains(&self.kappa), "0.5 to 1000000"),
            ("keys", f64::from(self.keys), self.keys > 0, "at least 1"),
            ("dim", f64::from(self.dim), self.dim >= 2 && self.dim.is_multiple_of(2), "an even number"),
        ];
        for accumulation in [self.scores, self.values] {
            let exact = accumulation.products == Products::Exact;
            if exact && !accumulation.holds_products_of(self.rotation.format) {
                let found = format!("exact in {}", accumulation.format);
                let expected =
                    format!("rounded or fused, or a format with twice the digits of {}", self.rotation.format);
                return Err(Impossible::new("products", found, expected));
            }
        }
        if self.values.products == Products::Exact && !self.values.holds_products_of(self.weights) {
            let found = format!("exact in {} of weights in {}", self.values.format, self.weights);
            return Err(Impossible::new("products", found, "rounded or fused, or weights cast to the table's format"));
        }
        match rows.into_iter().find(|(_, _, good, _)| !good) {
            Some((what, found, _, expected)) => Err(Impossible::new(what, found, expected)),
            None => Ok(()),
        }
    }

    /// D = (2A + A²)QK + c(1 + A)√r(Q + K) + r·c² with A = τ + rotation_relative·(1 + τ), c = rotation_absolute.
    fn defect(&self, table: Upper) -> Upper {
        let (relative, c) = rotation(self.rotation);
        let a = table.compose(relative);
        let [q, k, two] = [self.query, self.key, 2.0].map(Upper::of);
        let root = Upper::of(f64::from(self.rotated).sqrt().next_up());
        let count = Upper::of(f64::from(self.rotated));
        (two * a + a * a) * (q * k) + c * plus_one(a) * root * (q + k) + count * (c * c)
    }

    /// |computed − exact| of a score before it is scaled, for a table within `table` (`rounding_score_lengths`).
    pub fn score(&self, table: Bound) -> Bound {
        let product = Upper::of(self.query) * Upper::of(self.key);
        let defect = self.defect(Upper::of(table.value()));
        let error = defect + self.scores.error(self.dim, product + defect);
        Bound::of(error, Origin::Theorem("rounding_score_lengths"))
    }

    /// |computed − exact| of a logit, for a table within `table` (`rounding_logit`): σ((1 + v)(1 + μ)(M + B) − M) + η/2
    /// with M = ‖q‖‖k‖ and B the bound of the score.
    pub fn logit(&self, table: Bound) -> Bound {
        let score = Upper::of(self.score(table).value());
        Bound::of(self.scaled(score), Origin::Theorem("rounding_logit"))
    }

    /// σ((1 + v)(1 + μ)(M + B) − M) + η/2 for a bound B of the score.
    pub(super) fn scaled(&self, score: Upper) -> Upper {
        scaled_logit(self.dim, self.softmax, Upper::of(self.query) * Upper::of(self.key), score)
    }

    /// |computed − exact| of a component of the output, for a table within `table` (`rounding_attention`, with
    /// `rounding_logit` for ε).
    pub fn output(&self, table: Bound) -> Bound {
        let softmax = Softmax {
            format: self.softmax,
            kappa: self.kappa,
            terms: self.keys,
            score_error: self.logit(table).value(),
        };
        let cast = (self.weights != self.softmax).then_some(self.weights);
        softmax.output_of(cast, self.values, self.value)
    }
}

/// σ = 1/√dim, from above.
fn scale(dim: u32) -> Upper {
    // The root is below the exact one by half a unit in the last place at most.
    Upper::of(1.0).over(f64::from(dim).sqrt().next_down())
}

/// μ: how far the computed scale can be from σ, relatively; 0 where 1/√dim is a power of two.
fn scale_error(dim: u32, format: Format) -> Upper {
    let power_of_four = dim.is_power_of_two() && dim.trailing_zeros().is_multiple_of(2);
    if power_of_four { Upper::ZERO } else { sharp_unit(format) }
}

/// σ((1 + v)(1 + μ)(M + B) − M) + η/2 for a product of lengths M and a bound B of the score (`rounding_logit`).
pub(crate) fn scaled_logit(dim: u32, format: Format, product: Upper, score: Upper) -> Upper {
    let grown = sharp_unit(format).compose(scale_error(dim, format));
    scale(dim) * (grown * product + plus_one(grown) * score) + half(smallest(format))
}
