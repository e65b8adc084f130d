//! Two rotations compared, cause by cause: width, base, scaling, attention factor, pairing, axes.

use super::difference::{Difference, What};
use super::effect::{Exactness, alone, furthest, same};
use posproof_encoding::convention::Convention;
use posproof_encoding::model::{Origin, Rotation};
use posproof_encoding::scaling::Scaling;
use serde_json::{Map, Value};

/// A rotation and who decides what its file leaves out.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub rotation: &'a Rotation,
    /// `the family` or `llama.cpp`.
    pub decides: &'a str,
    pub exactness: Exactness,
}

impl Side<'_> {
    /// A value, and where it comes from.
    fn says(&self, field: &str, value: impl ToString) -> String {
        let value = value.to_string();
        let parent = field.split('.').next().unwrap_or(field);
        let values = &self.rotation.values;
        let known = values.iter().find(|v| v.field == field).or_else(|| values.iter().find(|v| v.field == parent));
        match known.map(|known| &known.origin) {
            None => value,
            Some(Origin::File { keys }) => format!("{value} ({})", keys.join(", ")),
            Some(Origin::Family { key: Some(key) }) => {
                format!("{value} (by default of {}: {key} is missing)", self.decides)
            }
            Some(Origin::Family { key: None }) => format!("{value} (as {} has it)", self.decides),
            Some(Origin::Rule) => format!("{value} (the rule's default)"),
            Some(Origin::Stated { field }) => format!("{value} (stated: {field})"),
        }
    }
}

/// Two rotations of the same layers.
pub struct RotationComparison<'a> {
    kind: &'a str,
    expected: Side<'a>,
    found: Side<'a>,
}

impl<'a> RotationComparison<'a> {
    pub fn new(kind: &'a str, expected: Side<'a>, found: Side<'a>) -> Self {
        Self { kind, expected, found }
    }

    /// Every difference, the widest in effect first.
    pub fn differences(&self) -> Vec<Difference> {
        let (expected, found) = (&self.expected.rotation.convention, &self.found.rotation.convention);
        let mut differences: Vec<Difference> = self.width().into_iter().collect();
        // Base and scaling are compared at the same width.
        let found = Convention { dim: expected.dim, rotary_dim: expected.rotary_dim, ..found.clone() };
        differences.extend(self.frequencies(expected, &found));
        let scaled = differences.iter().any(|difference| difference.what == What::Scaling);
        if !scaled && let Some(amplitude) = self.amplitude(expected, &found) {
            differences.push(amplitude);
        }
        differences.extend(self.axes());
        differences
    }

    fn difference(&self, what: What, field: &str, values: [&str; 2], message: String) -> Difference {
        let [expected, found] = values.map(str::to_owned);
        Difference { what, kind: self.kind.to_owned(), field: field.to_owned(), expected, found, message }
    }

    fn width(&self) -> Option<Difference> {
        let (expected, found) = (&self.expected.rotation.convention, &self.found.rotation.convention);
        let (rotated, other) = (expected.rotated_dim(), found.rotated_dim());
        if rotated != other {
            let field = if found.rotary_dim.is_some() || expected.rotary_dim.is_some() { "rotary_dim" } else { "dim" };
            let (here, there) = (self.expected.says(field, rotated), self.found.says(field, other));
            let message = format!(
                "{here} entries of a head are to be rotated, and here {there}: every pair but the first has another frequency"
            );
            return Some(self.difference(What::Width, field, [&rotated.to_string(), &other.to_string()], message));
        }
        (expected.dim != found.dim).then(|| {
            let (here, there) = (self.expected.says("dim", expected.dim), self.found.says("dim", found.dim));
            let message = format!("a head is to have {here} entries, and here it has {there}");
            self.difference(What::Width, "dim", [&expected.dim.to_string(), &found.dim.to_string()], message)
        })
    }

    /// Base and scaling: what alone changes frequencies is named alone.
    fn frequencies(&self, expected: &Convention, found: &Convention) -> Vec<Difference> {
        let same = |one: &Convention, other: &Convention| same(one, other, self.found.exactness);
        if same(expected, found) == Some(true) {
            return Vec::new();
        }
        let mut differences = Vec::new();
        let base_alone = Convention { base: found.base.clone(), ..expected.clone() };
        if same(expected, &base_alone) != Some(true) {
            let (here, there) = (self.expected.says("base", &expected.base), self.found.says("base", &found.base));
            let effect = effect(expected, &base_alone);
            let message = format!("the base is to be {here}, and here it is {there}{effect}");
            let values = [&expected.base.to_string()[..], &found.base.to_string()];
            differences.push(self.difference(What::Base, "base", values, message));
        }
        let scaling_alone = Convention { base: expected.base.clone(), ..found.clone() };
        if same(expected, &scaling_alone) != Some(true) {
            differences.push(self.scaling(expected, &scaling_alone));
        }
        differences
    }

    fn scaling(&self, expected: &Convention, found: &Convention) -> Difference {
        let (rule, other) = (expected.scaling.as_ref(), found.scaling.as_ref());
        if other.is_some_and(is_a_list)
            && let Some(departure) = alone(expected, found)
        {
            let values = [&departure.expected.to_string()[..], &departure.found.to_string()];
            return self.difference(What::Local, "frequencies", values, departure.alone(expected.pairs()));
        }
        let (here, there) = (described(rule), described(other));
        let effect = effect(expected, found);
        let (field, message) = match (rule, other) {
            (Some(_), None) => {
                ("scaling".to_owned(), format!("{here} is to be applied, and here it is lost: no scaling rule{effect}"))
            }
            (None, Some(_)) => {
                let there = self.found.says("scaling", &there);
                ("scaling".to_owned(), format!("no scaling rule is to be applied, and here there is {there}{effect}"))
            }
            (Some(rule), Some(other)) if rule.name() == other.name() => self.parameters(rule, other, &effect),
            _ => {
                let there = self.found.says("scaling", &there);
                ("scaling".to_owned(), format!("{here} is to be applied, and here it is {there}{effect}"))
            }
        };
        let why = found.clone().for_length(1).validate().err();
        let message = why.map_or(message.clone(), |why| format!("{message} (which defines no frequencies: {why})"));
        self.difference(What::Scaling, &field, [&here, &there], message)
    }

    /// The parameters in which two rules of one name differ.
    fn parameters(&self, rule: &Scaling, other: &Scaling, effect: &str) -> (String, String) {
        let (rule, other) = (parameters(rule), parameters(other));
        let text = |value: Option<&Value>| match value {
            None | Some(Value::Null) => "nothing".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(list)) => format!("a list of {}", list.len()),
            Some(value) => value.to_string(),
        };
        let differing: Vec<&str> =
            rule.keys().filter(|key| rule.get(*key) != other.get(*key)).map(String::as_str).collect();
        let [fast, slow] = ["beta_fast", "beta_slow"];
        let exchanged = |one, two| {
            rule.get(one) == other.get(two) && rule.get(two) == other.get(one) && rule.get(one) != rule.get(two)
        };
        if differing == [fast, slow] && exchanged(fast, slow) {
            let message = format!(
                "{fast} is to be {} and {slow} {}, and here they are exchanged{effect}",
                text(rule.get(fast)),
                text(rule.get(slow))
            );
            return (format!("scaling.{fast}"), message);
        }
        if differing == ["long_factor", "short_factor"] && exchanged("long_factor", "short_factor") {
            return ("scaling.short_factor".to_owned(), "the short and the long factors are exchanged".to_owned());
        }
        let parts: Vec<String> = differing
            .iter()
            .map(|key| {
                let field = format!("scaling.{key}");
                let (here, there) = (text(rule.get(*key)), text(other.get(*key)));
                let relation = relation(rule.get(*key), other.get(*key));
                let (here, there) = (self.expected.says(&field, here), self.found.says(&field, there));
                format!("{key} is to be {here}, and here it is {there}{relation}")
            })
            .collect();
        let field = differing.first().map_or("scaling".to_owned(), |key| format!("scaling.{key}"));
        (field, format!("{}{effect}", parts.join("; ")))
    }

    fn amplitude(&self, expected: &Convention, found: &Convention) -> Option<Difference> {
        let [gain, other] = [expected, found].map(|convention| convention.gain().enclose(64).approximate());
        // Numbers of f32 leave 2⁻²⁴, and a formula of five steps in f32 less than 2⁻²⁰.
        let allowed = if self.found.exactness == Exactness::Exact { 0.0 } else { 0.5f64.powi(20) };
        let differ = (gain - other).abs() > allowed * gain.abs() + f64::EPSILON * gain.abs();
        differ.then(|| {
            let (here, there) = (format!("{gain:.6}"), format!("{other:.6}"));
            let message = format!("cosines and sines are to be multiplied by {here}, and here by {there}");
            self.difference(What::Amplitude, "attention_factor", [&here, &there], message)
        })
    }

    fn axes(&self) -> Option<Difference> {
        let (sections, other) = (&self.expected.rotation.sections, &self.found.rotation.sections);
        (sections != other).then(|| {
            let (here, there) = (format!("{sections:?}"), format!("{other:?}"));
            let message = format!("the sections of the axes are to be {here}, and here they are {there}");
            self.difference(What::Axes, "sections", [&here, &there], message)
        })
    }

    /// The pairing: only where both files say how the same weights are paired.
    pub fn layout(&self) -> Option<Difference> {
        let (layout, other) = (self.expected.rotation.convention.layout, self.found.rotation.convention.layout);
        (layout != other).then(|| {
            let name =
                |layout| serde_json::to_value(layout).map_or(String::new(), |v| v.as_str().unwrap_or("").to_owned());
            let (here, there) = (name(layout), name(other));
            let message = format!("pairs are to be {here}, and here they are {there}");
            self.difference(What::Layout, "layout", [&here, &there], message)
        })
    }
}

/// Effect of a difference, in one clause.
fn effect(expected: &Convention, found: &Convention) -> String {
    match furthest(expected, found) {
        Some((pair, quotient)) if quotient > 1.0 => {
            format!("; pair {pair} turns {} times as fast", rounded(quotient))
        }
        Some((pair, quotient)) if quotient < 1.0 => {
            format!("; pair {pair} turns {} times as slowly", rounded(quotient.recip()))
        }
        _ => String::new(),
    }
}

/// Four significant digits.
pub fn rounded(x: f64) -> String {
    let digits = (3.0 - x.abs().log10().floor()).clamp(0.0, 12.0);
    let text = format!("{x:.*}", digits as usize);
    let trimmed = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    trimmed.to_owned()
}

/// Relation of one number to another, where it is simple.
fn relation(expected: Option<&Value>, found: Option<&Value>) -> String {
    let number = |value: Option<&Value>| match value? {
        Value::String(text) => text.parse().ok(),
        value => value.as_f64(),
    };
    match (number(expected), number(found)) {
        (Some(a), Some(b)) if a > 1.0 && b == a * a && a != 2.0 => " (applied twice)".to_owned(),
        (Some(a), Some(b)) if a > 0.0 && b == 2.0 * a => " (doubled)".to_owned(),
        (Some(a), Some(b)) if a > 0.0 && 2.0 * b == a => " (halved)".to_owned(),
        (Some(a), Some(b)) if a > 1.0 && b * a == 1.0 => " (the reciprocal)".to_owned(),
        _ => String::new(),
    }
}

fn parameters(rule: &Scaling) -> Map<String, Value> {
    match serde_json::to_value(rule) {
        Ok(Value::Object(parameters)) => parameters,
        _ => Map::new(),
    }
}

/// True if a rule is a list of divisors that holds at every length.
fn is_a_list(rule: &Scaling) -> bool {
    matches!(rule, Scaling::Longrope { short_factor, long_factor, sequence_length: Some(_), .. } if short_factor == long_factor)
}

/// A rule in words: `llama3 scaling by 8 from 8192`.
pub fn described(rule: Option<&Scaling>) -> String {
    let Some(rule) = rule else { return "no scaling".to_owned() };
    if let Scaling::Longrope { short_factor, .. } = rule
        && is_a_list(rule)
    {
        return format!("{} divisors, one for each pair", short_factor.len());
    }
    let parameters = parameters(rule);
    let text = |key: &str| {
        let value = parameters.get(key).filter(|value| !value.is_null())?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let by = text("factor").map_or(String::new(), |factor| format!(" by {factor}"));
    let from = text("original_max_position_embeddings").map_or(String::new(), |length| format!(" from {length}"));
    format!("{} scaling{by}{from}", rule.name())
}
