//! The JSON of findings.

use super::{Cause, Deviation, Finding};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Finding", 6)?;
        object.serialize_field("code", &self.code())?;
        object.serialize_field("message", &self.to_string())?;
        object.serialize_field("status", &self.status)?;
        object.serialize_field("explains", &self.explains)?;
        object.serialize_field("where", &self.region)?;
        object.serialize_field("detail", &detail(&self.cause))?;
        object.end()
    }
}

fn deviations(all: &[Deviation]) -> Vec<Value> {
    let one = |deviation: &Deviation| {
        let Deviation { pair, measured, error, expected } = deviation;
        json!({ "pair": pair, "measured": measured, "error": error, "expected": expected })
    };
    all.iter().map(one).collect()
}

/// Entries of `frequencies` that are shown.
const SHOWN_FREQUENCIES: usize = 8;

/// Rows of `rows` that are shown.
const SHOWN_ROWS: usize = 4;

/// The figures of a cause.
pub(crate) fn detail(cause: &Cause) -> Value {
    match cause {
        Cause::NotFinite { count, first, .. } => json!({ "count": count, "position": first.position }),
        Cause::Each { each, ways, number, one } => json!({ "ways": ways, (*each): number, "detail": detail(one) }),
        Cause::Zero => json!({ "value": 0 }),
        Cause::Apart { entries, others, silent: 0 } => json!({ "entries": entries, "others": others }),
        Cause::Apart { entries, others, silent } => json!({ "entries": entries, "others": others, "silent": silent }),
        Cause::Negated => json!({ "factor": -1 }),
        Cause::Multiplied { by } => json!({ "factor": by }),
        Cause::OfComponent { component, by } => json!({ "component": component, "factor": by }),
        Cause::PairFrequency { pair, expected, found } => {
            json!({ "pair": pair, "expected": expected, "measured": found, "ratio": found / expected })
        }
        Cause::NotRotated => json!({ "factor": 1 }),
        Cause::SoftmaxScale { by, dim } => json!({ "factor": by, "dim": dim }),
        Cause::Mixture { repeated, layout, component } => {
            let duplication = if *repeated { "repeated" } else { "halves" };
            match component {
                None => json!({ "duplication": duplication, "layout": layout }),
                Some(component) => json!({ "duplication": duplication, "layout": layout, "component": component }),
            }
        }
        Cause::AxesExchanged { period, axis: None } => json!({ "positions": period }),
        Cause::AxesExchanged { period, axis: Some(axis) } => json!({ "positions": period, "axis": axis }),
        Cause::ReducedInSingle => json!({ "reduction": "2π of f32" }),
        Cause::Layout { expected, found } => json!({ "expected": expected, "found": found }),
        Cause::ReadAndWritten { expected, read, written } => {
            json!({ "expected": expected, "read": read, "written": written })
        }
        Cause::Order { expected, found } => json!({ "expected": expected, "found": found }),
        Cause::AlternatingRows => json!({ "alternates": "rows" }),
        Cause::Direction { expected, found } => json!({ "expected": expected, "found": found }),
        Cause::OwnExponents { sin, cos } => json!({ "sin": sin, "cos": cos }),
        Cause::Amplitude { expected, found } => {
            json!({ "expected": expected, "found": found, "ratio": found / expected })
        }
        Cause::Convention { expected, found } => json!({ "expected": expected, "found": found }),
        Cause::Frequencies { found } => {
            json!({ "frequencies": found.iter().take(SHOWN_FREQUENCIES).collect::<Vec<_>>() })
        }
        Cause::QuotientRaised => json!({ "angle": "(p/base)^(2k/dim)" }),
        Cause::Denominator { expected, found } => json!({ "denominator": found, "expected": expected }),
        Cause::Base { found, measured, .. } => json!({ "measured": measured, "found": found }),
        Cause::Stretched { factor } => json!({ "factor": factor }),
        Cause::Rule { frequencies, .. } => json!({ "frequencies": deviations(frequencies) }),
        Cause::PerToken { factor, original } => json!({ "factor": factor, "original_length": original }),
        Cause::AtRest { rotated, .. } => json!({ "rotated_pairs": rotated }),
        Cause::Rotated { expected, found, .. } | Cause::RotatedWithOther { expected, found, .. } => {
            json!({ "expected": expected, "found": found })
        }
        Cause::WholeVector => json!({ "pairs": "k, k + dim/2" }),
        Cause::Narrowed { format, .. } | Cause::Rounded { format, .. } | Cause::RoundedPositions { format } => {
            json!({ "format": format })
        }
        Cause::Path { stated, found, .. } => json!({ "path": found.name(), "stated": stated.name() }),
        Cause::Stored { format, stated } => json!({ "format": format, "stated": stated }),
        Cause::Inaccurate { error, .. } => json!({ "relative_error_of_angles": error }),
        Cause::OnePosition { position } => json!({ "position": position }),
        Cause::Shifted { by } => json!({ "shift": by }),
        Cause::Scaled { ratio, .. } => json!({ "ratio": ratio }),
        Cause::ScaledFrom { from, by } => json!({ "factor": by, "from": from }),
        Cause::Unrotated { from } => json!({ "kind": "unrotated", "from": from }),
        Cause::Clamped { from, position } => json!({ "kind": "clamped", "from": from, "position": position }),
        Cause::Wrapped { from } => json!({ "kind": "wrapped", "from": from, "modulus": from }),
        Cause::ShiftedFrom { from, by } => json!({ "shift": by, "from": from }),
        Cause::Earlier { from, rows } => {
            let row = |(position, found): &(f64, f64)| json!({ "position": position, "found": found });
            json!({ "from": from, "rows": rows.iter().take(SHOWN_ROWS).map(row).collect::<Vec<_>>() })
        }
        Cause::InPlace => json!({ "cause": "in-place aliasing" }),
        Cause::Lengths { first, .. } => json!({ "first_position": first }),
        Cause::Array(cause) => cause.detail(),
        Cause::Part(cause) => cause.detail(),
        Cause::Precision(cause) => cause.detail(),
        Cause::Positions(rule) => rule.detail(),
        Cause::Products(cause) => cause.detail(),
        Cause::Axes(cause) => cause.detail(),
        Cause::Unexplained { entries, first, last, frequencies } => json!({
            "entries": entries,
            "first_position": first,
            "last_position": last,
            "frequencies": frequencies.as_deref().map(deviations),
        }),
    }
}
