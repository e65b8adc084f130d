//! Witnesses: one comparison at one case, with everything that is needed to repeat it.

use crate::claim::{Case, Comparison, Size};
use crate::number::{System, system::Side};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// A comparison at a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// The size.
    pub size: Size,
    /// The positions; empty in the exact system, where they are formal.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub positions: BTreeMap<&'static str, f64>,
    /// The real variables, where there are few.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reals: BTreeMap<&'static str, Vec<f64>>,
    /// The permutations, where they are short.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub permutations: BTreeMap<&'static str, Vec<usize>>,
    /// The integers that the claim's code was given.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub choices: BTreeMap<&'static str, usize>,
    /// The compared quantity, with its index.
    pub what: String,
    /// `=`, `≠`, `<` or `≤`.
    pub relation: &'static str,
    /// The left side.
    pub left: Side,
    /// The right side.
    pub right: Side,
}

/// Inputs longer than this are left out of a witness: the seed and the size repeat them.
const LONGEST_SHOWN: usize = 16;

impl Witness {
    /// The witness with all reals, however many there are.
    pub fn with_all_inputs<S: System>(system: &S, case: &Case, comparison: &Comparison<S::Number>) -> Self {
        Self { reals: case.values.reals.clone(), ..Self::new(system, case, comparison) }
    }

    /// The witness that a comparison at a case is.
    pub fn new<S: System>(system: &S, case: &Case, comparison: &Comparison<S::Number>) -> Self {
        let (left, right) = comparison.relation.sides();
        let [row, column] = comparison.index;
        let place = match (row, column) {
            (0, 0) => String::new(),
            (row, 0) => format!(" [{row}]"),
            (row, column) => format!(" [{row}, {column}]"),
        };
        let short = case.values.reals.iter().filter(|(_, values)| values.len() <= LONGEST_SHOWN);
        let permutations = case.permutations.iter().filter(|(_, order)| order.len() <= LONGEST_SHOWN);
        Self {
            size: case.size,
            positions: case.values.positions.clone(),
            reals: short.map(|(name, values)| (*name, values.clone())).collect(),
            permutations: permutations.map(|(name, order)| (*name, order.clone())).collect(),
            choices: case.choices.clone(),
            what: format!("{}{place}", comparison.what),
            relation: comparison.relation.sign(),
            left: system.side(left),
            right: system.side(right),
        }
    }

    /// Where the witness is: size, inputs and what is compared.
    pub fn place(&self) -> String {
        let mut parts = vec![self.size.to_string()];
        parts.extend(self.positions.iter().map(|(name, value)| format!("{name} = {value}")));
        // Vectors are in the JSON.
        let single = self.reals.iter().filter_map(|(name, values)| Some((name, values.first()?, values.len())));
        parts.extend(single.filter(|(_, _, count)| *count == 1).map(|(name, value, _)| format!("{name} = {value}")));
        parts.extend(self.permutations.iter().map(|(name, order)| format!("{name} = {order:?}")));
        parts.extend(self.choices.iter().map(|(name, value)| format!("{name} = {value}")));
        parts.push(self.what.clone());
        parts.join(", ")
    }
}

fn shown(side: &Side) -> String {
    match &side.hex {
        Some(hex) => format!("{} ({hex})", side.decimal),
        None => side.decimal.clone(),
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} against {}", self.place(), shown(&self.left), shown(&self.right))
    }
}
