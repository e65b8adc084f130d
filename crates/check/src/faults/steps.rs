//! Figures of the steps of a program: what is computed in a narrow format, and the positions that rows have.

use super::{Fault, RoundingMode};
use posproof_numerics::format::Format;
use serde_json::{Value, json};

/// The figures of a step that is computed in a narrow format.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PrecisionCause {
    /// Frequencies whose powers and reciprocals are rounded, every step.
    Frequencies {
        /// To this format.
        format: Format,
        /// The first pair whose power of the base overflows in it, so that its frequency is 0.
        overflows: Option<usize>,
    },
    /// Cosines and sines that are rounded before vectors are rotated with them.
    Cache {
        /// To this format.
        format: Format,
    },
    /// Frequencies that are rounded to so many digits after the point.
    Decimals {
        /// Number of digits.
        digits: u32,
        /// 10, or 2 for binary digits.
        base: u32,
    },
    /// Frequencies that are rounded to so many significant digits.
    Significant {
        /// Number of digits.
        digits: u32,
    },
    /// Angles that are rounded to parts of a turn.
    Turns {
        /// Number of parts.
        parts: u32,
        /// True if they are rounded down, not to the nearest.
        down: bool,
    },
    /// Angles that are reduced by multiples of a number that is taken for a part of a turn.
    Reduced {
        /// The number that is taken for π.
        pi: f64,
    },
    /// Cosines and sines on the lines between those of so many angles.
    Interpolated {
        /// Number of angles in a turn.
        parts: u32,
    },
    /// Entries that are whole multiples of a step.
    Steps {
        /// The step.
        step: f64,
        /// The neighbour that is taken, where it is not the nearest.
        rounding: Option<RoundingMode>,
    },
    /// Rows that are the one before, turned by one step.
    Summed,
}

impl PrecisionCause {
    pub(super) fn format(&self) -> Option<Format> {
        match self {
            Self::Frequencies { format, .. } | Self::Cache { format } => Some(*format),
            _ => None,
        }
    }

    pub(super) fn sentence(&self, fault: &Fault) -> String {
        match self {
            Self::Frequencies { format, overflows: None } => {
                format!(
                    "the frequencies are computed in {format}, the powers of the base and what is made of them: {}",
                    fault.advice
                )
            }
            Self::Frequencies { format, overflows: Some(pair) } => format!(
                "the frequencies are computed in {format}, which ends at {:.6e}: from pair {pair} on the power of the base overflows and the frequency is 0: {}",
                format.max_finite(),
                fault.advice
            ),
            Self::Cache { format } => {
                format!(
                    "cosines and sines are rounded to {format} before vectors are rotated with them: {}",
                    fault.advice
                )
            }
            Self::Decimals { digits, base: 10 } => {
                format!("the frequencies are rounded to {digits} decimals: {}", fault.cause)
            }
            Self::Decimals { digits, base } => {
                format!("the frequencies are rounded to multiples of {base}^−{digits}: {}", fault.cause)
            }
            Self::Significant { digits } => {
                format!("the frequencies are rounded to {digits} significant digits: {}", fault.cause)
            }
            Self::Turns { parts, down } => {
                let to = if *down { "down to one" } else { "to the nearest one" };
                format!("the angles are rounded {to} of {parts} in a turn: {}", fault.cause)
            }
            Self::Reduced { pi } => {
                format!(
                    "angles are reduced with {pi} for π, whose digits are too few: write π in the precision of the angles"
                )
            }
            Self::Interpolated { parts } => format!(
                "cosines and sines are on straight lines between those of {parts} angles in a turn: {}",
                fault.cause
            ),
            Self::Steps { step, rounding } => {
                let rounded = rounding.map_or_else(String::new, |mode| format!(", rounded {mode}"));
                let step = match (1.0 / step).round() {
                    parts if (parts * step - 1.0).abs() <= f64::EPSILON => format!("1/{parts}"),
                    _ => step.to_string(),
                };
                format!("the entries are whole multiples of {step}{rounded}: {}", fault.cause)
            }
            Self::Summed => format!("each row is the one before it, turned by one step: {}", fault.cause),
        }
    }

    pub(super) fn detail(&self) -> Value {
        match self {
            Self::Frequencies { format, overflows } => json!({ "format": format, "overflows_from_pair": overflows }),
            Self::Cache { format } => json!({ "format": format }),
            Self::Decimals { digits, base } => json!({ "digits": digits, "base": base }),
            Self::Significant { digits } => json!({ "significant_digits": digits }),
            Self::Turns { parts, down } => json!({ "angles_in_a_turn": parts, "rounded_down": down }),
            Self::Reduced { pi } => json!({ "pi": pi }),
            Self::Interpolated { parts } => json!({ "angles_in_a_turn": parts, "interpolated": true }),
            Self::Steps { step, rounding } => json!({ "step": step, "rounding": rounding }),
            Self::Summed => json!({ "summed": true }),
        }
    }
}

/// The rule of the positions that rows have in place of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PositionRule {
    /// by·p + plus.
    Affine {
        /// The first position of which this holds, where it does not hold of all.
        from: Option<u64>,
        /// The factor.
        by: f64,
        /// The offset.
        plus: f64,
    },
    /// ⌊p/by⌋.
    Divided {
        /// The divisor.
        by: u64,
    },
    /// p + by·n in table number n.
    Counted {
        /// The number that each table adds.
        by: f64,
        /// The axis of the array along which tables are counted, where it has several.
        axis: Option<usize>,
    },
    /// Positions that count up by one and begin again, as those of sequences that are packed into one.
    Restarts {
        /// Number of runs.
        runs: usize,
        /// The position of the first row of a run.
        first: f64,
        /// The position stated of the first row of the second run.
        second: u64,
    },
    /// One position in the rows of a padding on the left, and positions behind it that do not count these.
    Padded {
        /// The position stated of the first row behind the padding.
        from: f64,
        /// The position of the padding.
        at: f64,
        /// The number by which later rows are off.
        by: f64,
    },
    /// Positions that count the rows of a padding on the left.
    PaddingCounted {
        /// Number of these rows.
        rows: usize,
    },
}

/// The bits of an integer with a sign that ends before the position `second` and begins again at `first`, of a usual width.
fn bits(first: f64, second: u64) -> Option<u32> {
    [8, 16].into_iter().find(|bits| second == 1 << (bits - 1) && first == -(second as f64))
}

/// A position, to a millionth.
pub(super) fn to_a_millionth(position: f64) -> f64 {
    (1e6 * position).round() / 1e6
}

/// Rows behind a padding, at least.
pub(crate) const BEHIND: usize = 8;

impl PositionRule {
    /// The rule of rows at one position before eight or more that are all off by one number, of the position stated of each row and the one
    /// found.
    pub(crate) fn padded(rows: &[(f64, f64)]) -> Option<Self> {
        let (&(_, at), &(last, found)) = (rows.first()?, rows.last()?);
        let by = found - last;
        // A first token may have the padding's own position.
        let behind = rows.iter().position(|row| row.1 - row.0 == by)?;
        let (padding, tokens) = rows.split_at(behind);
        let is_padding = !padding.is_empty() && by < 0.0 && padding.iter().all(|row| row.1 == at);
        let count_on = tokens.len() >= BEHIND && tokens.iter().all(|row| row.1 - row.0 == by);
        (is_padding && count_on).then_some(Self::Padded { from: tokens[0].0, at, by })
    }

    /// The first position of which the rule holds, where it is one of rows from there on.
    pub(super) fn from(&self) -> Option<u64> {
        if let Self::Affine { from, .. } = self { *from } else { None }
    }

    pub(super) fn sentence(&self, fault: &Fault) -> String {
        let what = fault.cause;
        match self {
            Self::Affine { by, plus, .. } => {
                let sign = if *plus < 0.0 { '−' } else { '+' };
                format!(
                    "the row of position p is that of position {}·p {sign} {}: {what}",
                    to_a_millionth(*by),
                    to_a_millionth(plus.abs())
                )
            }
            Self::Divided { by } => format!("the row of position p is that of position ⌊p/{by}⌋: {what}"),
            Self::Counted { by, axis } => {
                let along = axis.map_or_else(String::new, |axis| format!(" along axis {axis}"));
                format!("the row of position p in table n{along} is that of position p + {by}·n: {what}")
            }
            Self::Restarts { first, second, .. } if let Some(bits) = bits(*first, *second) => format!(
                "positions count up and begin again at {first} in the row of position {second}, as integers of {bits} bits with a sign do: hold them in 32 bits"
            ),
            Self::Restarts { runs: 2, first, second } => {
                format!("positions count up and begin again at {first} in the row of position {second}: {what}")
            }
            Self::Restarts { runs, first, second } => format!(
                "positions count up and begin again at {first} in {} rows, first in that of position {second}: {what}",
                runs - 1
            ),
            Self::Padded { from, at, by } => format!(
                "rows before position {from} are those of position {at}, and from there on the row of position p is that of position p − {}: {what}",
                -by
            ),
            Self::PaddingCounted { rows: 1 } => {
                format!("rows behind the first one are those of 1 position further: {what}")
            }
            Self::PaddingCounted { rows } => {
                format!("rows behind the first {rows} are those of {rows} positions further: {what}")
            }
        }
    }

    pub(super) fn detail(&self) -> Value {
        match self {
            Self::Affine { from: None, by, plus } => json!({ "kind": "affine", "factor": by, "offset": plus }),
            Self::Affine { from, by, plus } => {
                json!({ "kind": "affine", "factor": by, "offset": plus, "from": from })
            }
            Self::Divided { by } => json!({ "kind": "divided", "divisor": by }),
            Self::Counted { by, axis } => json!({ "kind": "counted", "each_table": by, "axis": axis }),
            Self::Restarts { runs, first, second } => {
                json!({ "kind": "restarts", "runs": runs, "first": first, "second_run_from": second })
            }
            Self::Padded { from, at, by } => json!({ "kind": "padded", "from": from, "position": at, "by": by }),
            Self::PaddingCounted { rows } => json!({ "kind": "padding-counted", "rows": rows }),
        }
    }
}
