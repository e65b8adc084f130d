//! A trace as a definition in Coq.

use super::{Operation, Step, Trace};
use crate::format::Format;
use crate::format::exponent_of;
use std::fmt::Write;

impl Operation {
    /// The name in Coq: a field of the record of an arithmetic, or an operator.
    fn name(self) -> &'static str {
        match self {
            Self::Sum => "+",
            Self::Difference => "-",
            Self::Product => "*",
            Self::Quotient => "/",
            Self::Opposite => "negate",
            Self::Magnitude => "magnitude",
            Self::Lesser => "lesser",
            Self::Greater => "greater",
            Self::Rounded(_) => "rounded",
            Self::MultiplyAdd => "multiply_add",
            Self::MultiplySubtract => "multiply_subtract",
            Self::SubtractProduct => "subtract_product",
            Self::ProductError => "product_error",
        }
    }

    fn is_operator(self) -> bool {
        matches!(self, Self::Sum | Self::Difference | Self::Product | Self::Quotient)
    }
}

impl Trace {
    /// The definition in Coq, over any arithmetic: a list of the results.
    pub fn text(&self) -> String {
        let mut text = format!("Definition {}", self.name);
        for (name, _) in &self.formats {
            let _ = write!(text, " ({name} : format)");
        }
        if !self.inputs.is_empty() {
            let _ = write!(text, " ({} : number A)", self.inputs.join(" "));
        }
        text += " : list (number A) :=\n";
        let uses = self.uses();
        // Steps that are used more than once have names; the others stand where they are used.
        let mut printed: Vec<String> = vec![String::new(); self.steps.len()];
        let mut names = 0;
        for step in self.needed() {
            let whole = match &self.steps[step] {
                Step::Input(name) => name.clone(),
                Step::Constant(bits) => constant(f64::from_bits(*bits)),
                Step::Made(operation, operands) => {
                    let operands: Vec<&str> = operands.iter().map(|operand| printed[*operand].as_str()).collect();
                    self.application(*operation, &operands)
                }
            };
            printed[step] = match &self.steps[step] {
                Step::Made(..) if uses[step] > 1 => {
                    names += 1;
                    let _ = writeln!(text, "  let r{names} := {} in", bare(&whole));
                    format!("r{names}")
                }
                _ => whole,
            };
        }
        let results: Vec<&str> = self.results.iter().map(|result| bare(&printed[*result])).collect();
        let _ = writeln!(text, "  [:: {}].", results.join(";\n      "));
        text
    }

    fn application(&self, operation: Operation, operands: &[&str]) -> String {
        if operation.is_operator() {
            return format!("({})", operands.join(&format!(" {} ", operation.name())));
        }
        let mut text = format!("({} A", operation.name());
        if let Operation::Rounded(format) = operation {
            let parameter = self.formats.iter().find(|(_, chosen)| *chosen == format);
            let name = parameter.map_or_else(|| coq(format).to_owned(), |(name, _)| name.clone());
            let _ = write!(text, " {name}");
        }
        for operand in operands {
            let _ = write!(text, " {operand}");
        }
        text + ")"
    }
}

/// An expression without the parentheses around all of it.
fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

/// A format's name in Coq.
pub fn coq(format: Format) -> &'static str {
    match format {
        Format::F16 => "binary16",
        Format::Bf16 => "bfloat16",
        Format::F32 => "binary32",
        Format::F64 => "binary64",
        Format::E4m3 => "float8_e4m3",
        Format::E5m2 => "float8_e5m2",
    }
}

/// A finite number m·2^e as an application of `constant`, with an odd m.
fn constant(value: f64) -> String {
    let (significand, exponent) = integer(value);
    format!("(constant A ({significand}) ({exponent}))")
}

/// The integers m and e of a finite number m·2^e; m is odd, or both are 0.
///
/// ```
/// use posproof_numerics::trace::integer;
/// assert_eq!(integer(-0.75), (-3, -2));
/// assert_eq!(integer(0.0), (0, 0));
/// ```
pub fn integer(value: f64) -> (i64, i32) {
    let fraction = (value.to_bits() & ((1 << 52) - 1)) as i64;
    let exponent = exponent_of(value);
    let magnitude = if exponent == -1023 { fraction } else { fraction | 1 << 52 };
    if magnitude == 0 {
        return (0, 0);
    }
    let zeros = magnitude.trailing_zeros();
    let odd = magnitude >> zeros;
    (if value < 0.0 { -odd } else { odd }, exponent.max(-1022) - 52 + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_odd_integers_by_powers_of_two() {
        for value in [1.0, -0.1, 5e-324, f64::MAX, 2f64.powi(-1040) * 3.0] {
            let (m, e) = integer(value);
            assert_eq!(m as f64 * crate::format::power_of_two(e / 2) * crate::format::power_of_two(e - e / 2), value);
            assert!(m % 2 != 0, "{value}");
        }
    }
}
