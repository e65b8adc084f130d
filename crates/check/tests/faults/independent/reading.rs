//! The findings of a report as its JSON has them, and the program that they describe.

use super::model::{Model, Position, round};
use posproof_numerics::format::Format;
use serde_json::Value;

/// A finding.
pub struct Claim {
    pub code: String,
    pub message: String,
    pub confirmed: bool,
    pub entries: u64,
    pub of: u64,
    pub detail: Value,
    place: Value,
}

/// Meaning of a claim: a change of the program, a statement on single entries, or one that is not understood here.
pub enum Meaning {
    /// The program is the one that was changed.
    Changed,
    /// Entries depart by themselves, in the place of the claim.
    Apart,
    /// The claim says a step is inexact: by so much relative to an angle.
    Loose(f64),
    /// Nothing that arrays could contradict.
    Silent,
}

fn format(name: &Value) -> Option<Format> {
    Format::ALL.into_iter().find(|format| Some(format.to_string().as_str()) == name.as_str())
}

/// A number, or a quotient of two.
fn number(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((top, bottom)) => Some(top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

fn real(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| number(value.as_str()?))
}

impl Claim {
    pub fn new(finding: &Value) -> Self {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let count = |key: &str| finding["explains"][key].as_u64().unwrap_or_default();
        Self {
            code: text("code"),
            message: text("message"),
            confirmed: finding["status"] == "confirmed",
            entries: count("entries"),
            of: count("of"),
            detail: finding["detail"].clone(),
            place: finding["where"].clone(),
        }
    }

    /// True if the claim is of a part, which its message begins with.
    pub fn is_of_a_part(&self) -> bool {
        self.message.starts_with("at ") || self.code == "local"
    }

    /// True if the place of the claim has an entry.
    pub fn has(&self, head: usize, row: usize, pair: usize, second: bool) -> bool {
        let within = |span: &Value, number: usize| {
            let of = |key: &str| span[key].as_u64().map(|x| x as usize);
            match (of("first"), of("last"), of("step")) {
                (Some(first), Some(last), Some(step)) => {
                    (first..=last).contains(&number) && (number - first).is_multiple_of(step.max(1))
                }
                _ => true,
            }
        };
        let component = match self.place["component"].as_str() {
            Some("cos") => !second,
            Some("sin") => second,
            _ => true,
        };
        within(&self.place["heads"], head)
            && within(&self.place["rows"], row)
            && within(&self.place["pairs"], pair)
            && component
    }

    /// Changes a model as the claim says; none where its figures are not there.
    pub fn apply(&self, model: &mut Model) -> Option<Meaning> {
        let detail = &self.detail;
        if self.message.contains("all frequencies are 1:") {
            model.frequencies = vec![1.0; model.dim / 2];
            return Some(Meaning::Changed);
        }
        if let Some(found) = detail["found"].as_object() {
            model.state(&Value::Object(found.clone()));
            return Some(Meaning::Changed);
        }
        if matches!(self.code.as_str(), "other-base" | "position-offset") && detail["component"].is_string() {
            return Some(Meaning::Silent);
        }
        let (shift, from, factor) = (real(&detail["shift"]), detail["from"].as_u64(), real(&detail["factor"]));
        match self.code.as_str() {
            "other-base" => model.base = real(&detail["found"])?,
            "layout" if detail["found"].is_string() => model.layout = detail["found"].as_str()?.to_owned(),
            "layout" => return Some(Meaning::Silent),
            "order" => model.exchanged ^= true,
            "direction" => model.sense = -model.sense,
            "amplitude" => model.amplitude *= real(&detail["found"])? / real(&detail["expected"])?,
            "softmax-scale" => model.amplitude *= factor?,
            "position-offset" => match from {
                Some(from) => model.position = Position::Shifted(shift?, from),
                // As of a scale: another claim's convention may have it.
                None => model.offset = shift?,
            },
            "position-scale" if from.is_some() => model.position = Position::Scaled(factor?, from?),
            "position-scale" => {
                if let Some(text) = self.message.strip_prefix("every angle is ") {
                    let text = text.split(" times").next()?;
                    let by = match text {
                        "2π" => std::f64::consts::TAU,
                        "1/(2π)" => 1.0 / std::f64::consts::TAU,
                        text => number(text)?,
                    };
                    // The convention that another claim found may have it already; the stated one has no scale.
                    model.angle_scale = by;
                } else {
                    model.angle_scale = real(&detail["ratio"]).or(factor)?;
                }
            }
            "clamped-positions" => {
                model.position = match detail["kind"].as_str()? {
                    "unrotated" => Position::Stays(model.origin(), from?),
                    "clamped" => Position::Stays(real(&detail["position"])?, from?),
                    _ => Position::Modulo(detail["modulus"].as_u64()?),
                };
            }
            "stale-positions" if detail["position"].is_number() => {
                model.position = Position::Stays(real(&detail["position"])?, 0);
            }
            "positions" => {
                model.position = match detail["kind"].as_str()? {
                    "affine" => Position::Affine(real(&detail["factor"])?, real(&detail["offset"])?),
                    "divided" => Position::Divided(detail["divisor"].as_u64()?),
                    _ => return Some(Meaning::Silent),
                };
            }
            "no-rotation" => model.angle_scale = 0.0,
            "low-precision-positions" => {
                let format = format(&detail["format"])?;
                model.position = Position::Rounded(format);
            }
            "low-precision-storage" => return Some(Meaning::Loose(format(&detail["format"])?.unit_roundoff())),
            "low-precision-frequencies" | "low-precision-angles" => {
                let format = format(&detail["format"]);
                let unit = format.map(|format| format.unit_roundoff()).or(real(&detail["relative_error_of_angles"]))?;
                // Powers, reciprocals and products, each rounded.
                return Some(Meaning::Loose(64.0 * unit));
            }
            "frequency-spacing" | "frequency-origin" | "frequency-scaling" | "partial-rotary"
                if detail["frequencies"].is_array() =>
            {
                let all = detail["frequencies"].as_array()?;
                let first: Option<Vec<f64>> = all.iter().map(Value::as_f64).collect();
                model.frequencies = first?;
            }
            "local" if detail["others"].is_number() => return Some(Meaning::Apart),
            "local" | "not-a-rotation" if factor.is_some() && detail["entry"].is_null() => {
                let by = factor?;
                let component = detail["component"].as_str().map(str::to_owned);
                model.factors.push((by, component));
            }
            "local" if detail["pair"].is_number() => {
                model.pair = Some((detail["pair"].as_u64()? as usize, real(&detail["measured"])?));
            }
            _ => return Some(Meaning::Silent),
        }
        Some(Meaning::Changed)
    }
}

/// Largest distance of a number of a format from the one that it was rounded from.
pub fn unit(format: Format, value: f64) -> f64 {
    (round(format, value.abs() * (1.0 + 4.0 * format.unit_roundoff())) - value.abs()).abs()
        + format.unit_roundoff() * value.abs()
}
