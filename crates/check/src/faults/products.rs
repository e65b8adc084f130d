//! Figures of the products that make rotated vectors: their cosines and sines, their factors, and the vectors they are of.

use super::{CacheRead, Fault};
use posproof_encoding::convention::Component;
use serde_json::{Value, json};

/// The figures of a fault of a rotation's products: y₁ = x₁·cos − x₂·sin, y₂ = x₁·sin + x₂·cos.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProductsCause {
    /// One product of every pair is multiplied by a number.
    Product {
        /// True for a product of the second entry.
        second: bool,
        /// The component of the angle.
        component: Component,
        /// The number.
        by: f64,
    },
    /// The first or the second entry of every pair is that of x.
    Kept {
        /// True for the second entry.
        second: bool,
    },
    /// Each entry of y is multiplied by a number of its own, the same in every row.
    Gains {
        /// The numbers, measured: of the first and of the second entry of each pair.
        entries: Vec<[f64; 2]>,
    },
    /// The products of some pairs have factors of their own.
    Factors {
        /// These pairs, with the factors of x₁·cos, x₂·sin, x₁·sin and x₂·cos.
        pairs: Vec<(usize, [f64; 4])>,
    },
    /// Cosines or sines are those of the pairs so many further on, modulo the number of pairs.
    Further {
        /// The component.
        component: Component,
        /// The number.
        by: usize,
    },
    /// Cosines and sines of some entries are those of other pairs.
    Others {
        /// Entries of a row that do.
        entries: usize,
        /// The first of them: its column, and the pairs of its cosine and of its sine.
        first: (usize, usize, usize),
    },
    /// Rows of a cache are read at other places.
    Read(CacheRead),
    /// Each pair is multiplied by a power of the position: y = exp(λ·(p − origin))·R(p)x.
    Powers {
        /// λ of each pair, measured.
        rates: Vec<f64>,
        /// The position of which nothing is multiplied.
        origin: f64,
    },
    /// Each vector is multiplied by a number of its own, before or after its rotation.
    Normalised {
        /// The least and the largest of these numbers.
        numbers: [f64; 2],
        /// The least and the largest weight, where each entry has one of its own besides.
        weights: Option<[f64; 2]>,
        /// True if the weights are applied before the rotation.
        before: bool,
        /// True if the mean of each vector is taken from it first.
        centred: bool,
        /// True if the numbers make the root mean square of each vector 1.
        root_mean_square: bool,
    },
    /// One matrix of full width is applied after the rotation, the same in every row.
    Matrix {
        /// Largest distance of a product of its rows from 0, or from 1 for a row with itself.
        orthogonal: f64,
        /// True if all its entries are of one magnitude, as those of a Hadamard matrix.
        even: bool,
    },
    /// Every entry is near the right one, within so many bounds, in all pairs and at all positions alike.
    Repeated {
        /// The least number of bounds.
        times: u64,
    },
    /// The rotated vectors are those of other rows or tables of x.
    Moved {
        /// Rows from the vector to the row that it is found in.
        rows: usize,
        /// Tables from the one to the other.
        tables: usize,
        /// True if the angle is that of the vector's row, too.
        whole: bool,
    },
    /// The rotated vectors are those of tables of x in another order.
    Tables {
        /// The table of x for each table of y.
        order: Vec<usize>,
    },
}

/// Tables that the detail lists.
const SHOWN_TABLES: usize = 64;

fn product(second: bool, component: Component) -> &'static str {
    match (second, component) {
        (false, Component::Cos) => "x₁·cos of y₁",
        (false, Component::Sin) => "x₂·sin of y₁",
        (true, Component::Sin) => "x₁·sin of y₂",
        (true, Component::Cos) => "x₂·cos of y₂",
    }
}

impl ProductsCause {
    pub(super) fn sentence(&self, fault: &Fault) -> String {
        let what = fault.cause;
        match self {
            Self::Product { second, component, by } => {
                let product = product(*second, *component);
                match by {
                    0.0 => format!("the product {product} is missing in every pair: {what}"),
                    -1.0 => format!("the product {product} has the wrong sign in every pair: {what}"),
                    by => format!("the product {product} is {by:.6} times what it should be in every pair: {what}"),
                }
            }
            Self::Kept { second } => {
                format!("the {} entry of every pair is that of x: {what}", if *second { "second" } else { "first" })
            }
            Self::Gains { entries } if entries.iter().all(|pair| *pair == entries[0]) => {
                let is = |entry: &str, by: f64| match by {
                    -1.0 => format!("the {entry} entry of every pair has the wrong sign"),
                    by => format!("the {entry} entry of every pair is {by:.6} times what it should be"),
                };
                let [first, second] = entries.first().copied().unwrap_or([1.0; 2]);
                let said: Vec<String> = [("first", first), ("second", second)]
                    .into_iter()
                    .filter(|(_, by)| *by != 1.0)
                    .map(|(entry, by)| is(entry, by))
                    .collect();
                format!("{}: {what}", said.join(", and "))
            }
            Self::Gains { entries } => {
                let all = || entries.iter().flatten().copied();
                let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
                format!(
                    "each entry of y is multiplied by a number of its own in every row, from {least:.6} to {most:.6}: {what}"
                )
            }
            Self::Factors { pairs } => {
                let (pair, [a, b, c, d]) = pairs.first().copied().unwrap_or_default();
                let are =
                    if pairs.len() == 1 { "1 pair has".to_owned() } else { format!("{} pairs have", pairs.len()) };
                format!(
                    "{are} products with factors of their own (pair {pair}: {a:.6}·x₁·cos, {b:.6}·x₂·sin, {c:.6}·x₁·sin, {d:.6}·x₂·cos): {what}"
                )
            }
            Self::Further { component, by } => {
                let part = if *component == Component::Cos { "cosines" } else { "sines" };
                let pairs =
                    if *by == 1 { "the pair 1 further on".to_owned() } else { format!("the pair {by} further on") };
                format!("the {part} of each pair are those of {pairs}, modulo the number of pairs: {what}")
            }
            Self::Others { entries, first: (column, cos, sin) } => {
                let are = if *entries == 1 {
                    "1 entry of each row turns".to_owned()
                } else {
                    format!("{entries} entries of each row turn")
                };
                format!(
                    "{are} by cosines and sines of other pairs (column {column}: the cosine of pair {cos}, the sine of pair {sin}): {what}"
                )
            }
            Self::Read(read) => format!("{}: {what}", read.sentence()),
            Self::Powers { rates, origin } => {
                let most = rates
                    .iter()
                    .copied()
                    .fold(0.0, |most: f64, rate| if rate.abs() > most.abs() { rate } else { most });
                format!(
                    "each pair is multiplied by a power of the position, by e^({most:.6e}·(p − {origin})) where it changes most: {what}"
                )
            }
            Self::Normalised { numbers: [least, most], weights, before, centred, root_mean_square } => {
                let weights = weights.map_or_else(String::new, |[least, most]| {
                    let when = if *before { "before" } else { "after" };
                    format!(", and each entry by a weight from {least:.6} to {most:.6} {when} the rotation")
                });
                let less = if *centred { ", less its mean," } else { "" };
                let kind = if *root_mean_square { " the inverse of its root mean square," } else { "" };
                format!(
                    "each vector{less} is multiplied by a number of its own,{kind} from {least:.6} to {most:.6}{weights}: {what}"
                )
            }
            Self::Matrix { orthogonal, even } => {
                let kind = match (*orthogonal < 0.05, even) {
                    (true, true) => {
                        "an orthogonal matrix whose entries are all of one magnitude, as a Hadamard transform's"
                    }
                    (true, false) => "an orthogonal matrix",
                    (false, _) => "a matrix that is not orthogonal",
                };
                format!("every row of y is the rotated vector times {kind}, the same in all rows: {what}")
            }
            Self::Repeated { times } => format!(
                "every entry is within {times} times its bound, in all pairs and at all positions alike: {what}"
            ),
            Self::Tables { order } => {
                let moved: Vec<(usize, &usize)> = order.iter().enumerate().filter(|(table, of)| table != *of).collect();
                let (table, of) = moved.first().copied().unwrap_or((0, &0));
                format!(
                    "{} of {} tables of y are rotated from other tables of x, table {table} from table {of}: {what}",
                    moved.len(),
                    order.len()
                )
            }
            Self::Moved { rows, tables, whole } => {
                let of = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
                let place = match (rows, tables) {
                    (rows, 0) => of(*rows, "row"),
                    (0, tables) => of(*tables, "table"),
                    (rows, tables) => format!("{} and {}", of(*rows, "row"), of(*tables, "table")),
                };
                let angle = if *whole { "with the position of that row" } else { "with its own position" };
                format!(
                    "each row of y is the rotated vector of x that stands {place} before its own, counted around, {angle}: {what}"
                )
            }
        }
    }

    pub(super) fn detail(&self) -> Value {
        match self {
            Self::Product { second, component, by } => {
                json!({ "entry": if *second { 2 } else { 1 }, "component": component, "factor": by })
            }
            Self::Kept { second } => json!({ "entry": if *second { 2 } else { 1 } }),
            Self::Gains { entries } => json!({ "gains": entries }),
            Self::Factors { pairs } => {
                let factors = |(pair, factors): &(usize, [f64; 4])| json!({ "pair": pair, "factors": factors });
                json!({ "pairs": pairs.iter().map(factors).collect::<Vec<_>>() })
            }
            Self::Further { component, by } => json!({ "component": component, "pairs_further": by }),
            Self::Others { entries, first: (column, cos, sin) } => {
                json!({ "entries": entries, "column": column, "cos_of_pair": cos, "sin_of_pair": sin })
            }
            Self::Read(read) => read.detail(),
            Self::Powers { rates, origin } => json!({ "rates": rates, "origin": origin }),
            Self::Normalised { numbers, weights, before, centred, root_mean_square } => json!({
                "numbers": numbers, "weights": weights, "before_rotation": before, "less_mean": centred,
                "root_mean_square": root_mean_square
            }),
            Self::Matrix { orthogonal, even } => json!({ "orthogonal_to": orthogonal, "even": even }),
            Self::Repeated { times } => json!({ "times": times }),
            Self::Tables { order } => {
                let moved = order.iter().enumerate().filter(|(table, of)| table != *of);
                json!({ "tables": moved.take(SHOWN_TABLES).map(|(table, of)| json!({ "y": table, "x": of })).collect::<Vec<_>>() })
            }
            Self::Moved { rows, tables, whole } => json!({ "rows": rows, "tables": tables, "with_angle": whole }),
        }
    }
}
